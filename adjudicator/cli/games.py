"""``gm game new``, ``list``, ``show``, ``replay``, ``log``, ``undo`` and ``rollback``."""

from __future__ import annotations

import csv
import io
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import games
from adjudicator import clock, game_kinds
from adjudicator.admin import game_admin, overrides
from adjudicator.cli import backup, game_changes, views
from adjudicator.cli.arguments import (
    GameName,
    GameOptions,
    Json,
    Silent,
    Why,
    Yes,
    confirm,
    example,
    noun,
    pair,
    warrant,
)
from adjudicator.cli.connect import config_of, open_service, use_own_variants
from adjudicator.cli.output import document, moment, page_output, pluralise, read_file_options, say, table
from adjudicator.cli.views import bot_line, game_view, seat_view
from adjudicator.clock import datetime_of
from adjudicator.config import terms as config_terms
from adjudicator.errors import Refusal
from adjudicator.model import addresses
from adjudicator.storage import outbox, stored_games
from adjudicator.turns import log as game_log
from games import options, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from zoneinfo import ZoneInfo

    from adjudicator.model.games import GamePosition, LogEntry
    from adjudicator.service import Service
    from games.protocol import Game


# The history of a game, and how to change it.


history_app = typer.Typer()


@history_app.command(
    epilog=example(
        "gm game log beaver",
        "gm game log beaver --entry 12",
        then=('"gm game replay GAME" verifies the log; "gm game undo" and "gm game rollback" undo changes.'),
    )
)
def log(
    ctx: typer.Context,
    name: GameName,
    entry: Annotated[int | None, typer.Option(metavar="NUMBER", help="Show one entry in full.")] = None,
    as_json: Json = False,
) -> None:
    """Show a game's log: every turn and every manual change, with who made it and why.

    An entry in brackets no longer counts: it was undone or rolled back.
    """
    with open_service(ctx) as service:
        game_admin.position_of(service, name)
        entries = overrides.entries_of(service, name)
        minutes = stored_games.minutes(service.database, name)
        zone = service.service_context.zone
    shown = log_view(entries)
    if entry is not None:
        shown = [details for details in shown if details["entry"] == entry]
        if not shown:
            raise Refusal(
                f"The log of game {name} has no entry {entry}",
                "",
                f'Use "gm game log {name}" to see all entries',
            )
    if as_json:
        document(shown[0] if entry is not None else shown)
        return
    if entry is not None:
        table(("entry", str(entry)), [(key, _plain_text(value)) for key, value in shown[0].items()])
        return
    rows = [
        (
            details["entry"] if details["counts"] else f"({details['entry']})",
            f"{datetime_of(logged_entry.at, zone):%Y-%m-%d %H:%M}",
            details["kind"],
            details["turn"],
            details["by"],
            details["what"],
            details["why"],
        )
        for details, logged_entry in zip(shown, entries, strict=True)
    ]
    with page_output():
        table(("entry", "at", "kind", "turn", "by", "what", "why"), rows)
        if minutes:
            say("", "Manual changes:")
            noted = [
                (f"{datetime_of(minute.at, zone):%Y-%m-%d %H:%M}", minute.by, minute.what, minute.why)
                for minute in minutes
            ]
            table(("at", "by", "what", "why"), noted)


@history_app.command(
    epilog=example(
        'gm game undo beaver --why "it was right after all"',
        'gm game undo beaver --entry 12 --why "wrong game"',
        then='To go back further than the last turn, use "gm game rollback".',
    )
)
def undo(
    ctx: typer.Context,
    name: GameName,
    entry: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="The entry of the log to undo (default: the latest).")
    ] = None,
    why: Why = None,
    silent: Silent = False,
    as_json: Json = False,
) -> None:
    """Undo a manual change since the last turn: an edit, orders, a roll, a rollback."""
    asked = warrant(why, silent)
    with open_service(ctx) as service:
        done = overrides.undo(service, name, entry, asked)
    if as_json:
        document(entry_view(done.entry))
        return
    say(f"{entry_view(done.entry)['what'].capitalize()} (entry {done.entry.number} of the log of {name}).")


@history_app.command(
    epilog=example(
        'gm game rollback beaver F1M --why "the report was wrong"',
        then='Change orders with "gm orders set", then run the turn with "gm turn process".',
    )
)
def rollback(
    ctx: typer.Context,
    name: GameName,
    turn: Annotated[
        str, typer.Argument(metavar="TURN", help='The turn to go back to; "gm game log" lists them.')
    ],
    why: Why = None,
    tell: Annotated[
        bool, typer.Option("--tell/--no-tell", help="Email the players the new position.")
    ] = True,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Roll a game back to an earlier turn. All orders of that turn are saved again and can be changed.

    The turn has its whole time again and is on hold until you release it. Bots choose new orders, and the
    dice roll again. The log keeps everything.
    """
    asked = warrant(why, silent=False)
    confirm(f"Roll {name} back to {turn}?", yes, f"game {name}")
    with open_service(ctx) as service:
        was_over = game_admin.position_of(service, name).status == "finished"
        done = overrides.rollback(service, name, turn, asked, tell=tell)
    details, number = game_view(done.after), done.entry.number
    if as_json:
        document({**entry_view(done.entry), "game": details})
        return
    seats_on_file = [seat for seat, items in done.after.filed.items() if items]
    say(
        f"Rolled {name} back to {details['turn']['name']} ({details['turn']['short']}), "
        f"entry {number} of its log."
    )
    say(
        f"Saved again: the orders of {', '.join(seats_on_file)}."
        if seats_on_file
        else "There are no saved orders."
    )
    if was_over:
        say("The secret of its dice is public, since the game was over. Anyone can compute the next rolls.")
    say("The turn is on hold so that you can change them. Nothing runs by itself.")
    say(f"To run it: gm turn process {name}", f"Or give it its usual time: gm game resume {name}")
    if tell and (people := sum(assignment.is_person for assignment in done.after.assignments.values())):
        say(f"{pluralise(people, 'email')} to the players ready to be sent.")


def _plain_text(value: object) -> object:
    if isinstance(value, dict):
        return "; ".join(
            f"{seat}: {order} ({why})" for seat, all_ in value.items() for order, why in all_.items()
        )
    if isinstance(value, list):
        return "; ".join(
            f"{throw['label']} (d{throw['sides']}): {', '.join(map(str, throw['numbers']))}"
            f"{' set by hand' * throw['forced']}"
            for throw in value
        )
    return {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value


# The log of a game as plain values, for `--json` and for tables.


def entry_view(entry: LogEntry) -> dict[str, Any]:
    """Return an entry of the log. what: a short description. reasons: the bots', by seat and order."""
    return {
        "entry": entry.number,
        "at": moment(entry.at),
        "kind": entry.kind,
        "turn": entry.turn,
        "by": entry.by,
        "why": entry.why or None,
        "what": overrides.describe_entry(entry),
        "silent": bool(entry.options.get("silent")) if game_log.override_of(entry) is not None else False,
        "dice": [record.plain(throw) for throw in entry.throws],
        "reasons": {seat: dict(why) for seat, why in sorted(entry.reasons.items())},
        "state_sha256": entry.state_sha,
        "sha256": entry.sha,
        "previous_sha256": entry.previous_sha,
        "variant_sha256": entry.variant or None,
    }


def log_view(entries: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """Return a whole log. counts: False for an entry that was undone or rolled back."""
    counting = {entry.number for entry in game_log.counting_entries(entries)} - game_log.undone_entries(
        entries
    )
    return [{**entry_view(entry), "counts": entry.number in counting} for entry in entries]


# A new game with its players from a file, or from questions on a terminal.


GAME_KEYS = ("game", "name", "options", "settings", "seats")
SEAT_KEYS = ("seat", "address", "language")
"""The keys of a file in TOML, and those of a seat in it. The latter are the columns of a file in CSV."""

LANGUAGES = ("", "en")
"""The languages that emails can have."""

EXAMPLE_CSV = "Begin it with the line  seat,address  and write one line per player:  iroquois,you@example.org"
EXAMPLE_TOML = 'Write [[seats]], then seat = "iroquois" and address = "you@example.org"'


@dataclass(frozen=True)
class WantedGame:
    """A wanted game, as typed or from a file. options, settings: of the game. seats: addresses by seat."""

    kind: str | None = None
    name: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, str] = field(default_factory=dict)

    def over(self, below: WantedGame) -> WantedGame:
        """Return the game of a file with what was typed in place of what stands there."""
        return WantedGame(
            self.kind or below.kind,
            self.name or below.name,
            {**below.options, **self.options},
            {**below.settings, **self.settings},
            {**below.seats, **self.seats},
        )


def read_game_file(path: Path) -> WantedGame:
    """Return the game in a file: TOML with everything, or CSV with the players. Raises Refusal."""
    try:
        text = path.expanduser().read_text(encoding="utf-8-sig")
    except OSError as fault:
        raise Refusal(f"Can't read {path}", f"{fault.strerror}") from fault
    except UnicodeDecodeError as fault:
        raise Refusal(f"Can't read {path}", "it isn't UTF-8 text") from fault
    if path.suffix.lower() == ".toml":
        return _read_toml(path, text)
    if path.suffix.lower() == ".csv":
        return WantedGame(seats=_read_csv(path, text))
    raise Refusal(f"Can't read {path}", "its name must end in .csv or .toml", EXAMPLE_CSV)


def _read_csv(path: Path, text: str) -> dict[str, str]:
    first = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first and "," not in first else ",")
    columns = [column.strip().lower() for column in reader.fieldnames or ()]
    if not {"seat", "address"} <= set(columns) or set(columns) - set(SEAT_KEYS):
        why = f"its first line is {first.strip()!r}, not the names of its columns"
        raise Refusal(f"Can't read {path}", why, EXAMPLE_CSV)
    rows = [dict(zip(columns, (str(cell or "") for cell in row.values()), strict=False)) for row in reader]
    return _seats(path, rows, EXAMPLE_CSV)


def _read_toml(path: Path, text: str) -> WantedGame:
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise Refusal(f"Can't read {path}", f"it isn't TOML: {fault}") from fault
    if unknown := sorted(set(raw) - set(GAME_KEYS)):
        raise Refusal(f"{path}: {unknown[0]}", "there is no such key", f"Keys: {', '.join(GAME_KEYS)}")
    rows = raw.get("seats", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Refusal(f"{path}: seats", "it isn't a list of seats", EXAMPLE_TOML)
    texts = {key: raw.get(key) for key in ("game", "name")}
    for key, value in texts.items():
        if value is not None and not isinstance(value, str):
            raise Refusal(f"{path}: {key}", f"{value!r} isn't text in quotes")
    wanted, settings = (_texts(path, key, raw.get(key, {})) for key in ("options", "settings"))
    return WantedGame(texts["game"], texts["name"], wanted, settings, _seats(path, rows, EXAMPLE_TOML))


def _texts(path: Path, key: str, table: Any) -> dict[str, str]:
    if not isinstance(table, dict):
        raise Refusal(
            f"{path}: {key}", "it isn't a table", f"Write [{key}], and each of them on its own line"
        )
    words = {True: "yes", False: "no"}
    return {name: words[value] if isinstance(value, bool) else str(value) for name, value in table.items()}


def _seats(path: Path, rows: Iterable[Mapping[str, Any]], example: str) -> dict[str, str]:
    """Return the addresses by seat. Raises Refusal for a row that isn't one, by its number."""
    seats: dict[str, str] = {}
    for number, row in enumerate(rows, 1):
        where = f"{path}: player {number}"
        if unknown := sorted(set(row) - set(SEAT_KEYS)):
            raise Refusal(where, f"{unknown[0]} has no meaning there", example)
        seat, address, language = (str(row.get(key, "")).strip() for key in SEAT_KEYS)
        if not seat or not address:
            raise Refusal(where, f"it has no {'seat' if not seat else 'address'}", example)
        if language.lower() not in LANGUAGES:
            raise Refusal(
                where, f'emails can\'t be in "{language}" yet', "Leave out the language, or write en"
            )
        if seat in seats:
            raise Refusal(where, f"{seat} is named twice", "Name each seat once")
        seats[seat] = address
    return seats


# Questions on a terminal.


def ask_for_game(wanted: WantedGame) -> WantedGame:
    """Ask for what is missing: the game, its players and the time for a turn. Raises Refusal if cancelled."""
    kind = wanted.kind or _ask_kind()
    game = game_kinds.find_kind(kind)
    seats = dict(wanted.seats) or _ask_seats(game)
    settings = dict(wanted.settings)
    if "moves" not in settings and len(seats) > 1:
        settings["moves"] = str(typer.prompt("Time for a turn, like 48h or 3d", "72h"))
    asked = replace(wanted, kind=kind, settings=settings, seats=seats)
    _show_wishes(asked, game)
    if not typer.confirm("Start the game", default=True):
        raise Refusal("Cancelled", "no game was started")
    return asked


def _ask_kind() -> str:
    for name, game in games.kinds().items():
        say(f"  {name:<20} {game.about.title}")
    while True:
        kind = str(typer.prompt("Which game")).strip()
        try:
            game_kinds.find_kind(kind)
        except Refusal as fault:
            say(str(fault))
            continue
        return kind


def _ask_seats(game: Game) -> dict[str, str]:
    """Ask for the address of each seat's player, until an empty answer says that bots play the others."""
    names = {
        addresses.short_seat_name(seat): seat
        for seat in game.about.seats(options.settle_for_new_game(game.about, {}))
    }
    say(
        f"Seats: {', '.join(names)}.",
        "Write one player per line, as SEAT=ADDRESS. An empty line ends the list.",
    )
    seats: dict[str, str] = {}
    while len(seats) < len(names):
        line = str(typer.prompt("Player", default="", show_default=False)).strip()
        if not line:
            break
        seat, equals, address = (part.strip() for part in line.partition("="))
        if not equals or addresses.valid_address(address) is None:
            say(f'"{line}" isn\'t SEAT=ADDRESS. Write it like {next(iter(names))}=you@example.org.')
        elif addresses.short_seat_name(seat) not in names:
            say(f'There is no seat "{seat}". Seats: {", ".join(names)}.')
        else:
            seats[addresses.short_seat_name(seat)] = address
    return seats


def _show_wishes(asked: WantedGame, game: Game) -> None:
    """Show who plays and what each of them will receive."""
    say("", f"A game of {game.about.title}:")
    for seat, address in asked.seats.items():
        say(f"  {address} plays {seat}, and gets a welcome with the map, their units and how to order.")
    say("  Bots play all other seats." if asked.seats else "  Bots play all seats, until you assign players.")


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
    typed = WantedGame(kind, name, given, terms, _people(seat or []))
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


def _complete(typed: WantedGame, file: Path | None, *, may_ask: bool) -> WantedGame:
    """Return the typed game with what a file says, and if no game is named, with answers to questions."""
    wanted = typed if file is None else typed.over(read_game_file(file))
    if wanted.kind is not None:
        return wanted
    if not may_ask or not sys.stdin.isatty():
        raise typer.BadParameter('name a game; "gm rules" lists them', param_hint="KIND")
    return ask_for_game(wanted)


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


game_app.add_typer(history_app)
game_app.add_typer(backup.transfers_app)
game_app.add_typer(game_changes.lifecycle_app)
