"""``gm game``: games begun, offered, looked at, proved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

import games
from adjudicator import kinds
from adjudicator.clock import moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.gamesmaster import lifecycle as lives_of
from adjudicator.gm import history, lifecycle, look_game, transfers
from adjudicator.gm.game_view import STOPPED, bot_line, game_view, held_view, offer_view, seat_view
from adjudicator.gm.help_examples import GameName, Json, example, noun, pair
from adjudicator.gm.opening import config_of, house_of
from adjudicator.gm.output import counted, document, say, table
from adjudicator.ledger import solitude
from adjudicator.settings import moments
from adjudicator.signs import addresses

if TYPE_CHECKING:
    from adjudicator.ledger.positions import Position
    from games.protocol import Game, OptionValue


app = noun(
    "Begin games, look at them, pause, end and prove them.",
    "gm game new indianomacy beaver",
    "gm game list",
    "gm game show beaver",
    "gm game replay beaver",
    "gm game log beaver",
)


@app.command(
    epilog=example(
        "gm game new indianomacy",
        "gm game new indianomacy beaver --option last_year=8",
        "gm game new standard lynx --bots intermediate --temperament drawn",
        "gm game new indianomacy otter --term moves=48h --term days_off=sat,sun --term hours=20:00",
        'gm game new standard fox --open --players 5 --starts "fri 20:00" --term press=grey',
        then="All seats begin with bots. Next:  gm seat assign beaver iroquois you@example.org",
    )
)
def new(
    ctx: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="KIND", help="What is played: gm rules lists the kinds.")],
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="1 to 20 of a-z, 0-9 and -; else kind and number.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm rules KIND lists them; may be repeated."),
    ] = None,
    term: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="As gm game terms lists them: moves=48h; may be repeated."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots", metavar="LEVEL", help="Of all bots, else intermediate; gm rules KIND lists them."
        ),
    ] = None,
    temperament: Annotated[
        str | None, typer.Option(metavar="NAME|drawn", help="Of all bots; drawn: by the dice, for each seat.")
    ] = None,
    early: Annotated[
        bool, typer.Option("--early/--no-early", help="Play a turn as soon as all its orders are in.")
    ] = True,
    waits: Annotated[
        bool, typer.Option("--open", help="Let people sign up by mail; it begins when all are there.")
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="With --open: begin with so many, bots in other seats."),
    ] = None,
    starts: Annotated[
        str | None,
        typer.Option(metavar="WHEN", help='With --open: begin then at the latest: "2026-12-01 20:00".'),
    ] = None,
    as_json: Json = False,
) -> None:
    """Begin a game, or offer it to people."""
    given = dict(pair(one) for one in option or [])
    terms = dict(pair(one) for one in term or [])
    options = _with_files(kinds.kind_named(kind), given)
    asked = conduct.GameRequest(kind, name, options, terms, early=early, level=bots, temper=temperament)
    with house_of(ctx) as house:
        zone = house.office.zone
        if waits:
            at = moments.instant_of(starts, zone, house.clock.now()) if starts else None
            look_game.say_offer(
                lives_of.offer(house, asked, players=players, starts=at), house.books, house.settings, as_json
            )
            return
        position = conduct.new_game(house, asked)
    if as_json:
        document(game_view(position))
        return
    title = games.kinds()[position.kind].about.title
    say(f"{position.name}: a game of {title}, {counted(len(position.chairs), 'seat')}, all with bots.")
    if bots or temperament:
        say(f"Each is a {bot_line(seat_view(position, next(iter(position.chairs))), drawn=False)}.")
    look_game.say_turn(position, zone)
    first = addresses.short(next(iter(position.chairs)))
    say("", f"Next:  gm seat assign {position.name} {first} you@example.org")


@app.command("list", epilog=example("gm game list", then="gm game show NAME  tells more of one."))
def list_games(ctx: typer.Context, as_json: Json = False) -> None:
    """List all games."""
    with house_of(ctx) as house:
        names, books = house.books.games(), house.books
        positions = [here for name in names if (here := books.position(name)) is not None]
        stuck = [why for name in names if (why := books.stuck(name)) is not None]
        society, zone = house.books.society, house.office.zone
        offers = [offer_view(offer, society.signups(offer.name)) for offer in society.offers()]
    sights = [game_view(position) for position in positions]
    if as_json:
        shown = {position.name for position in positions}
        document([*sights, *(held_view(one.game, one) for one in stuck if one.game not in shown), *offers])
        return
    if not sights and not offers and not stuck:
        say("There is no game yet. Begin one:  gm game new indianomacy")
        return
    rows: list[tuple[object, ...]] = [
        (
            sight["game"],
            sight["kind"],
            sight["turn"]["short"] if sight["turn"] else sight["status"],
            "held" if sight["held"] else _deadline_cell(position, zone),
            sum(seat["player"] == "person" for seat in sight["seats"]),
            sum(bool(seat["missing"]) for seat in sight["seats"]),
        )
        for sight, position in zip(sights, positions, strict=True)
    ]
    unread = {one.game for one in stuck} - {position.name for position in positions}
    rows += [(one.game, one.kind, None, "held", None, None) for one in stuck if one.game in unread]
    for one in offers:
        there = len(one["signed_up"])
        rows.append((one["game"], one["kind"], "open", None, there, one["needed"] - there))
    table(("game", "kind", "turn", "deadline", "people", "missing"), rows)
    for held in stuck:
        say(f"{held.game} is held: {held.why}.")


@app.command(
    epilog=example("gm game show beaver", then="gm seat show GAME SEAT  tells what one of them has on file.")
)
def show(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Show a game: its turn, its deadline, who is missing, how they stand."""
    look_game.show(config_of(ctx), name, as_json=as_json)


@app.command(
    epilog=example("gm game replay beaver", then="Whatever differs first is named, and the exit code is 1.")
)
def replay(ctx: typer.Context, name: GameName, as_json: Json = False) -> None:
    """Prove a game: play its log again, and compare every throw and every state byte for byte."""
    with house_of(ctx) as house:
        proof = conduct.prove(house, name)
    turns = max(proof.agreed - 1, 0)
    if as_json:
        document({"game": name, "entries": proof.agreed, "turns": turns, "difference": proof.fault})
    elif proof.fault:
        raise Refusal(f"game {name}", f"{proof.fault}; before that, {counted(turns, 'turn')} agree")
    else:
        say(f"{name}: {counted(turns, 'turn')}, identical.")
    if proof.fault:
        raise typer.Exit(1)


app.add_typer(history.app)
app.add_typer(transfers.app)
app.add_typer(lifecycle.app)


def _with_files(game: Game, given: Mapping[str, str]) -> dict[str, OptionValue]:
    """The options with the contents of the files that some of them name."""
    files = {option.name for option in game.about.options if option.sort == "file"}
    return {name: _contents(name, value) if name in files else value for name, value in given.items()}


def _contents(name: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"option {name}", f"{path} cannot be read: {fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(f"option {name}", f"{path} is no text in UTF-8") from fault


def _deadline_cell(position: Position, zone: ZoneInfo) -> str | None:
    stop = position.timing.stop
    if stop is not None and position.running:
        return STOPPED[stop.kind]
    if solitude.is_solo(position):
        return "sleeps" if solitude.is_asleep(position.timing) else "waits"
    return f"{moment(position.deadline, zone):%Y-%m-%d %H:%M %Z}" if position.deadline else None
