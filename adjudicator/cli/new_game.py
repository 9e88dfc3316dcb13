"""A new game with its players from a file, or from questions on a terminal."""

from __future__ import annotations

import csv
import io
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

import games
from adjudicator import game_kinds
from adjudicator.cli.output import say
from adjudicator.errors import Refusal
from adjudicator.model import addresses
from games import options

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from games.protocol import Game

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
