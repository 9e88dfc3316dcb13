"""``gm game new``, ``list``, ``show`` and ``replay``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import clock, game_kinds
from adjudicator.admin import game_admin
from adjudicator.cli import backup, game_changes, game_history, new_game, views
from adjudicator.cli.arguments import GameName, GameOptions, Json, example, noun, pair
from adjudicator.cli.connect import config_of, open_service, use_own_variants
from adjudicator.cli.output import document, pluralise, read_file_options, say
from adjudicator.cli.views import bot_line, game_view, seat_view
from adjudicator.config import terms as config_terms
from adjudicator.errors import Refusal
from adjudicator.model import addresses
from adjudicator.storage import outbox

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service

MOST_WELCOMES = 100
"""The maximum number of emails that are listed after a game has begun."""

game_app = noun(
    "Create, show, pause, end, export and verify games.",
    "gm game new indianomacy beaver",
    "gm game list",
    "gm game show beaver",
    "gm game replay beaver",
    "gm game log beaver",
)

NewKind = Annotated[
    str | None,
    typer.Argument(
        metavar="[KIND]",
        help='The game to play; "gm rules" lists them. Without it you are asked.',
        show_default=False,
    ),
]
GameFile = Annotated[
    Path | None,
    typer.Option(
        "--from", metavar="FILE", help="A file with the players (.csv), or with everything (.toml)."
    ),
]
NewName = Annotated[
    str | None,
    typer.Argument(
        metavar="NAME", help="The name: 1 to 20 of a-z, 0-9 and - (default: the kind and a number)."
    ),
]
GameTerms = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE", help='A setting like moves=48h; "gm game terms" lists them. May be repeated.'
    ),
]
SeatAddresses = Annotated[
    list[str] | None,
    typer.Option(metavar="SEAT=ADDRESS", help="Assign a seat from the beginning. May be repeated."),
]
BotLevel = Annotated[
    str | None,
    typer.Option(
        "--bots",
        metavar="LEVEL",
        help='The level of all bots (default: intermediate); "gm rules KIND" lists them.',
    ),
]
BotTemperament = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|drawn", help="The personality of all bots; drawn: a random one for each seat."
    ),
]
EarlyTurns = Annotated[
    bool, typer.Option("--early/--no-early", help="Process each turn as soon as all orders are in.")
]
Open = Annotated[
    bool, typer.Option("--open", help="Let players join by email; the game begins when it is full.")
]
PlayerCount = Annotated[
    int | None,
    typer.Option(
        metavar="NUMBER", help="With --open: begin with this many players and bots in the other seats."
    ),
]
StartTime = Annotated[
    str | None,
    typer.Option(metavar="WHEN", help='With --open: the latest time to begin, like "2026-12-01 20:00".'),
]


@game_app.command(
    epilog=example(
        "gm game new",
        "gm game new indianomacy",
        "gm game new indianomacy beaver --from players.csv",
        "gm game new indianomacy beaver --option last_year=8",
        "gm game new standard hare --seat france=you@example.org --seat italy=else@example.org",
        "gm game new standard lynx --bots intermediate --temperament drawn",
        "gm game new indianomacy otter --term moves=48h --term days_off=sat,sun --term hours=20:00",
        'gm game new standard fox --open --players 5 --starts "fri 20:00" --term press=grey',
        then=(
            "Bots play all other seats. To give one away later: gm seat assign beaver "
            "iroquois you@example.org"
        ),
    )
)
def new(
    ctx: typer.Context,
    kind: NewKind = None,
    name: NewName = None,
    file: GameFile = None,
    option: GameOptions = None,
    term: GameTerms = None,
    seat: SeatAddresses = None,
    bots: BotLevel = None,
    temperament: BotTemperament = None,
    early: EarlyTurns = True,
    waits: Open = False,
    players: PlayerCount = None,
    starts: StartTime = None,
    as_json: Json = False,
) -> None:
    """Start a game, or open it for players.

    The players can come from a file: with the columns seat and address (.csv), or with game, name, [options],
    [settings] and [[seats]] (.toml). What you type counts more than what the file says. On a terminal you are
    asked for the game, the players and the time for a turn if you name no game.
    """
    use_own_variants(ctx)
    given, terms = (dict(pair(setting) for setting in settings or []) for settings in (option, term))
    typed = new_game.WantedGame(kind, name, given, terms, _people(seat or []))
    wanted = _complete(typed, file, may_ask=not (as_json or waits))
    options = read_file_options(game_kinds.find_kind(wanted.kind or ""), wanted.options)
    if waits and wanted.seats:
        raise Refusal(
            "Can't use --seat with --open",
            "--seat is for a game that begins now",
            'Leave out --open, or use "gm game invite" to invite the players',
        )
    request = game_admin.GameRequest(
        wanted.kind or "",
        wanted.name,
        options,
        wanted.settings,
        early=early,
        level=bots,
        temper=temperament,
        seats=wanted.seats,
    )
    with open_service(ctx) as service:
        zone = service.service_context.zone
        if waits:
            at = config_terms.parse_instant(starts, zone, service.clock.now()) if starts else None
            offered = game_admin.offer(service, request, players=players, starts=at)
            views.say_offer(offered, service.repository, service.settings, as_json)
            return
        position = game_admin.new_game(service, request)
        welcomes = _subjects_of_welcomes(service, position.name)
    if as_json:
        document(game_view(position))
    else:
        _print_new_game(position, zone, tells_bots=bool(bots or temperament))
        say(*(f"  {address}: {subject}" for address, subject in welcomes))


def _complete(typed: new_game.WantedGame, file: Path | None, *, may_ask: bool) -> new_game.WantedGame:
    """Return the typed game with what a file says, and if no game is named, with answers to questions."""
    wanted = typed if file is None else typed.over(new_game.read_game_file(file))
    if wanted.kind is not None:
        return wanted
    if not may_ask or not sys.stdin.isatty():
        raise typer.BadParameter('name a game; "gm rules" lists them', param_hint="KIND")
    return new_game.ask_for_game(wanted)


def _subjects_of_welcomes(service: Service, name: str) -> list[tuple[str, str]]:
    """Return the addresses of a new game's emails that wait to be sent, with their subjects."""
    posted = outbox.list_posted(service.database, MOST_WELCOMES, ("ready",))
    ours = [each.sealed for each in reversed(posted) if each.sealed.game == name]
    return [(sealed.to, views.subject_of(sealed.raw)) for sealed in ours if "@" in sealed.to]


def _print_new_game(position: GamePosition, zone: ZoneInfo, *, tells_bots: bool) -> None:
    """Print a new game, and what to do next. tells_bots: whether to print the level of the bots."""
    title = position.game.about.title
    seated = {
        seat: assignment.address for seat, assignment in position.assignments.items() if assignment.is_person
    }
    bots_there = len(position.assignments) - len(seated)
    with_bots = f", {pluralise(bots_there, 'bot')}" if bots_there else ""
    with_whom = f"{pluralise(len(seated), 'human player')}{with_bots}" if seated else "all with bots"
    say(f"{position.name}: a game of {title}, {pluralise(len(position.assignments), 'seat')}, {with_whom}.")
    say(*(f"{address} plays {at}." for at, address in seated.items()))
    if tells_bots:
        say(f"Each is a {bot_line(seat_view(position, next(iter(position.assignments))), drawn=False)}.")
    views.say_turn(position, zone, clock.WallClock().now())
    if seated:
        say("", "Welcomes are ready to be sent.")
        return
    first = addresses.short_seat_name(next(iter(position.assignments)))
    say("", f"Next: gm seat assign {position.name} {first} you@example.org")


def _people(given: list[str]) -> dict[str, str]:
    """Return the players by seat, as typed. Raises Refusal for a seat that is named twice."""
    people: dict[str, str] = {}
    for at, address in map(pair, given):
        if at in people:
            raise Refusal(f"Can't assign {at}", "it is named twice", "Name each seat once")
        people[at] = address
    return people


@game_app.command("list", epilog=example("gm game list", then='"gm game show NAME" shows one of them.'))
def list_games(ctx: typer.Context, as_json: Json = False) -> None:
    """List all games."""
    views.show_games(config_of(ctx), as_json=as_json)


@game_app.command(
    epilog=example("gm game show beaver", then='"gm seat show GAME SEAT" shows the saved orders of one seat.')
)
def show(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Show a game: its turn, deadline, missing orders and position."""
    views.show_game(config_of(ctx), name, as_json=as_json)


@game_app.command(
    epilog=example("gm game replay beaver", then="The first difference is printed, and the exit code is 1.")
)
def replay(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Verify a game: replay its log and compare every roll and every position byte for byte."""
    with open_service(ctx) as service:
        proof = game_admin.prove(service, name)
    turns = pluralise(proof.turns, "turn")
    if as_json:
        document({"game": name, "entries": proof.agreed, "turns": proof.turns, "difference": proof.fault})
    elif proof.fault:
        raise Refusal(f"Game {name} failed verification", f"{proof.fault}; before that, {turns} agree")
    else:
        say(f"{name}: {turns}, identical.")
    if proof.fault:
        raise typer.Exit(1)


game_app.add_typer(game_history.history_app)
game_app.add_typer(backup.transfers_app)
game_app.add_typer(game_changes.lifecycle_app)
