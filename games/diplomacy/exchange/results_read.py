"""The results of the Ken Lowe Judge, read: orders, who stood where, who owned what.

All other text of its letters is passed over.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from games.diplomacy.boards.variants import Variant
from games.diplomacy.exchange.seen import RecordedPosition, is_opening_turn
from games.diplomacy.model import Province, Unit
from games.diplomacy.position_names import PositionNames
from games.fields import Field
from games.protocol import Invalid, Seat
from games.protocol.exchange import RecordedTurn

_JUDGE_SEASON_LETTERS = {"spring": "S", "summer": "S", "fall": "F", "winter": "W"}
"""Summer is what some call the retreats after Spring."""

_HEADING = re.compile(
    r"\s*(movement|retreat|adjustment)\s+(?:results|orders)\s+for\s+(spring|summer|fall|winter)\s+of\s+(\d+)",
    re.IGNORECASE,
)
_OWNERSHIP = re.compile(r"\s*ownership of supply cent(?:er|re)s:", re.IGNORECASE)
_ENTRY = re.compile(r"\s*([A-Z][\w-]*):\s*(\S.*)")
_COUNT = re.compile(r"\d+\s+supply cent(?:er|re)s?,", re.IGNORECASE)
_OUTCOME = re.compile(r"\(\*.*?\*\)")
_RESULT_UNIT_PATTERN = re.compile(
    r"(Army|Fleet)\s+(.+?)\s*(?=$|->|,|\.$|\b(?:SUPPORTS?|CONVOYS?|HOLDS?|DISBAND)\b)"
)
_RESULT_BUILD_PATTERN = re.compile(
    r"(build|remove)s?\s+(?:an?|the)\s+(army|fleet)\s+(?:in|at)\s+(?:the\s+)?(.+)", re.IGNORECASE
)
_WAIVED = re.compile(r"(\d+)?\s*(?:unus\w+\s+)?builds?\s+(?:waived|pending)", re.IGNORECASE)


def is_results(text: str) -> bool:
    """Return whether there are such results in a text."""
    return any(_HEADING.match(line) for line in text.splitlines())


@dataclass
class _TurnSection:
    """One turn's results, taken apart: entries by power, and who owned what after it."""

    turn: str
    entries: list[tuple[str, str]] = field(default_factory=list)
    owned: list[tuple[str, str]] = field(default_factory=list)


def read(variant: Variant, text: str) -> tuple[RecordedTurn, ...] | None:
    """The turns of a text; None where its first does not begin as a game on this board does.

    Raises Invalid that names the line which cannot be read.
    """
    reader = _ResultsReader(variant)
    turns: list[RecordedTurn] = []
    owners: dict[Province, Seat] | None = None
    for section in _split_turn_sections(text):
        try:
            turns.append(reader.turn(section, owners))
        except Invalid:
            if not turns:
                return None
            raise
        if not is_opening_turn(variant, turns[0]):
            return None
        owners = reader.owners(section.owned)
    return tuple(turns)


def _split_turn_sections(text: str) -> list[_TurnSection]:
    sections: list[_TurnSection] = []
    owning = fresh = False
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            kind, season, year = heading[1][0].upper(), heading[2].lower(), int(heading[3])
            sections.append(_TurnSection(f"{_JUDGE_SEASON_LETTERS[season]}{year}{kind}"))
            owning, fresh = False, False
        elif not sections:
            continue
        elif _OWNERSHIP.match(line):
            owning, fresh = True, False
        else:
            rows = sections[-1].owned if owning else sections[-1].entries
            entry = _ENTRY.match(line)
            if entry and not (owning and _COUNT.match(entry[2])):
                rows.append((entry[1], entry[2].strip()))
            elif fresh and line[:1].isspace() and line.strip():
                power, begun = rows[-1]
                rows[-1] = (power, f"{begun} {line.strip()}")
            fresh = bool(rows) and bool(line.strip()) and (bool(entry) or fresh)
    return sections


class _ResultsReader:
    def __init__(self, variant: Variant) -> None:
        self._board = variant.board
        self._names = PositionNames(variant.board, variant.rulebook)

    def turn(self, section: _TurnSection, owners: dict[Province, Seat] | None) -> RecordedTurn:
        """A section as a turn. owners: as the results before it said."""
        orders: dict[Seat, tuple[str, ...]] = {}
        units: list[Unit] = []
        for name, text in section.entries:
            entry = Field(text, f"{section.turn}: {name}")
            power = self._names.power(entry, name)
            bare = _OUTCOME.sub("", text).strip().rstrip(".").strip()
            read = self._adjustment(entry, bare) if section.turn.endswith("A") else self._order(entry, bare)
            if not section.turn.endswith("A"):
                units.append(self._unit(entry, power, bare))
            orders[power] = orders.get(power, ()) + read
        moves = section.turn.endswith("M") and bool(units)
        return RecordedTurn(
            turn=section.turn,
            orders=orders,
            position=RecordedPosition(
                frozenset(units) if moves else frozenset(), complete=moves, centres=owners
            ),
        )

    def owners(self, rows: Sequence[tuple[str, str]]) -> dict[Province, Seat] | None:
        """Return the owners of centres from a list of names; None where there is no such list."""
        owners: dict[Province, Seat] = {}
        for name, text in rows:
            if name.lower() == "unowned":
                continue
            entry = Field(text, f"ownership: {name}")
            power = self._names.power(entry, name)
            for centre in text.rstrip(".").split(","):
                owners[self._names.place(entry, " ".join(centre.split()))] = power
        return owners if rows else None

    def _unit(self, entry: Field, power: Seat, text: str) -> Unit:
        match = _RESULT_UNIT_PATTERN.match(text)
        if match is None:
            raise entry.wrong(f"{text!r} names no unit")
        return self._names.unit(Field(f"{match[1]} {match[2]}", entry.path), power)

    def _order(self, entry: Field, text: str) -> tuple[str, ...]:
        """The order as players write it; nothing for a unit that had none."""
        if "no order processed" in text.lower():
            return ()
        if text.startswith("Army") and text.count("->") > 1 and "CONVOY" not in text:
            # The Judge spells the way out; which fleets carried the army, their orders say.
            first, *_, last = re.split(r"\s*->\s*", text)
            return (f"{first} -> {last} via convoy",)
        return (text,)

    def _adjustment(self, entry: Field, text: str) -> tuple[str, ...]:
        waived = _WAIVED.match(text)
        if waived:
            return ("WAIVE",) * int(waived[1] or 1)
        match = _RESULT_BUILD_PATTERN.search(text)
        if match is None:
            raise entry.wrong(f"{text!r} is no adjustment")
        return (f"{match[1].lower()} {match[2].lower()} {match[3]}",)
