"""Reads and writes results in the format that the Ken Lowe Judge emails, one turn after the other.

Movement results for Spring of 1901. (demo.001)

France: Army Paris -> Burgundy. (*bounce*)
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import Dislodged, Resolved
from games.diplomacy.model import (
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.notation import PositionNames
from games.json_reader import read_at
from games.messages import sentence
from games.protocol import ExchangedTurn, Invalid, RecordedTurn, Seat

_RESULT_TITLES = {"M": "Movement results", "R": "Retreat orders", "A": "Adjustment orders"}
_NEXT_PHASE_NAMES = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
_JUDGE_SEASON_NAMES = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}
_JUDGE_UNIT_NAMES = {"A": "Army", "F": "Fleet"}
_JUDGE_OUTCOMES = {"bounced": "bounce", "cut": "cut", "void": "void", "disrupted": "no convoy"}
_JUDGE_LINE_WIDTH = 76


def write_turn(variant: Variant, name: str, number: int, chapter: ExchangedTurn[State]) -> str:
    """Return the text for a turn. number: its position in the game."""
    return _ResultsWriter(variant, name).turn(number, chapter)


def join_turns(variant: Variant, name: str, state: State, pieces: Sequence[str]) -> str:
    """Return the texts of the turns, one after the other, and what comes next."""
    return "\n\n".join([*pieces, _ResultsWriter(variant, name).end(state)]) + "\n"


class _ResultsWriter:
    def __init__(self, variant: Variant, name: str) -> None:
        self._variant = variant
        self._board = variant.board
        self._name = name
        self._room = max(map(len, self._board.powers)) + 2

    def turn(self, number: int, chapter: ExchangedTurn[State]) -> str:
        """Return one turn's results."""
        phase: Phase = chapter.before.phase
        lines = [f"{_RESULT_TITLES[phase.kind]} for {_when(phase)}.  ({self._name}.{number:03})", ""]
        lines += self._adjustments(chapter) if phase.kind == "A" else self._orders(chapter)
        lines += self._dislodged_lines(chapter)
        if chapter.before.centres != chapter.after.centres or chapter.after.phase.kind == "A":
            lines += self._ownership(chapter.after)
        return "\n".join(lines)

    def end(self, state: State) -> str:
        """Return a line about the next phase, or about the end of the game."""
        if state.ended:
            return f"Game '{self._name}' has ended: {' and '.join(state.winners) or 'a draw'}."
        return (
            f"The next phase of '{self._name}' will be {_NEXT_PHASE_NAMES[state.phase.kind]} for "
            f"{_when(state.phase)}."
        )

    def _orders(self, chapter: ExchangedTurn[State]) -> Iterator[str]:
        owner = {unit.at: unit.power for unit in chapter.before.units}
        resolved = [
            event for event in chapter.events if isinstance(event, Resolved) and event.unit is not None
        ]
        for power in self._board.powers:
            mine = [event for event in resolved if event.power == power]
            for event in mine:
                text = self._order(event, owner)
                how = [
                    word
                    for word in (_JUDGE_OUTCOMES.get(event.outcome), "dislodged" * event.dislodged)
                    if word
                ]
                yield from self._entry(power, f"{text}.{' (*' + ', '.join(how) + '*)' if how else ''}")
            if mine:
                yield ""

    def _order(self, event: Resolved, owner: Mapping[Province, Seat]) -> str:
        assert event.unit is not None, "the order has a unit"
        subject, order = self._piece(event.unit), event.order
        if isinstance(order, Move):
            return f"{subject} -> {self._board.name(order.goal)}" + " by convoy" * order.via
        if isinstance(order, SupportHold | SupportMove | Convoy):
            verb = "CONVOY" if isinstance(order, Convoy) else "SUPPORT"
            whose = owner.get(order.other.at)
            theirs = f"{self._people(whose)} " if whose and whose != event.power else ""
            to = "" if isinstance(order, SupportHold) else f" -> {self._board.name(order.goal)}"
            return f"{subject} {verb} {theirs}{self._piece(order.other)}{to}"
        if isinstance(order, Disband):
            return f"{subject} DISBAND"
        if isinstance(order, Hold):
            return f"{subject} HOLD"
        if order is None or isinstance(order, Build | Waive | BuildCanoe | Destroy):
            disbanded = " (DISBAND)" if event.outcome == "disbanded" else ""
            return f"{subject}, No Order Processed{disbanded}"
        assert_never(order)

    def _adjustments(self, chapter: ExchangedTurn[State]) -> Iterator[str]:
        for event in chapter.events:
            if not isinstance(event, Resolved) or event.outcome not in ("built", "removed", "waived"):
                continue
            if event.unit is None:
                yield from self._entry(event.power, "1 unused build waived.")
                continue
            kind = _JUDGE_UNIT_NAMES[event.unit.kind].lower()
            at = self._board.name(event.unit.spot)
            if event.outcome == "built":
                yield from self._entry(
                    event.power, f"Builds {'an' if kind == 'army' else 'a'} {kind} in {at}."
                )
            else:
                sea = "the " if self._board.places[event.unit.at].kind == "sea" else ""
                yield from self._entry(event.power, f"Removes the {kind} in {sea}{at}.")
        yield ""

    def _dislodged_lines(self, chapter: ExchangedTurn[State]) -> Iterator[str]:
        beaten = [event for event in chapter.events if isinstance(event, Dislodged)]
        if beaten:
            yield from ("The following units were dislodged:", "")
        for loss in beaten:
            who = f"The {self._people(loss.unit.power)} {_JUDGE_UNIT_NAMES[loss.unit.kind]}"
            at = self._board.name(loss.unit.spot)
            ways = " or ".join(map(self._board.name, loss.retreats))
            fate = f"can retreat to {ways}." if ways else "with no valid retreats was destroyed."
            yield from textwrap.wrap(f"{who} in {at} {fate}", _JUDGE_LINE_WIDTH)
        if beaten:
            yield ""

    def _ownership(self, state: State) -> Iterator[str]:
        board = self._board
        owned = {
            power: [centre for centre in board.centres if state.centres.get(centre) == power]
            for power in board.powers
        }
        free = [centre for centre in board.centres if centre not in state.centres]
        yield from ("Ownership of supply centers:", "")
        for power, centres in (*owned.items(), ("Unowned", free)):
            if centres:
                yield from self._entry(power, ", ".join(map(board.name, centres)) + ".")
        yield ""
        for power, centres in owned.items():
            units = sum(unit.power == power for unit in state.units)
            more = len(centres) - units
            does = f"{'Removes' if more < 0 else 'Builds'} {abs(more):2} unit{'s' * (abs(more) != 1)}"
            if centres or units:
                yield from self._entry(power, f"{len(centres):2} Supply centers, {units:2} Units:  {does}.")
        yield ""

    def _entry(self, power: str, text: str) -> list[str]:
        line = f"{power}:".ljust(self._room) + text
        if len(line) <= _JUDGE_LINE_WIDTH:
            return [line]
        return textwrap.wrap(
            line, _JUDGE_LINE_WIDTH, subsequent_indent=" " * self._room, drop_whitespace=True
        )

    def _people(self, power: Seat) -> str:
        """Return the adjective for a power's units: its first alias, "Austrian", or its own name."""
        named = self._board.powers.get(power)
        return named.aliases[0] if named and named.aliases else power

    def _piece(self, piece: Piece) -> str:
        return f"{_JUDGE_UNIT_NAMES[piece.kind]} {self._board.name(piece.spot)}"


def _when(phase: Phase) -> str:
    return f"{_JUDGE_SEASON_NAMES[phase.season]} of {phase.year}"


# Read the results of the Ken Lowe Judge: orders, positions and owners.
#
# All other text of its emails is skipped.


_JUDGE_SEASON_LETTERS = {"spring": "S", "summer": "S", "fall": "F", "winter": "W"}
"""Some judges call the retreats after Spring Summer."""

_HEADING = re.compile(
    r"\s*(movement|retreat|adjustment)\s+(?:results|orders)\s+for\s+(spring|summer|fall|winter)\s+of\s+(-?\d+)",
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
    """Return whether a text has such results."""
    return any(_HEADING.match(line) for line in text.splitlines())


@dataclass
class _TurnSection:
    """The text of one turn's results: entries by power, and the owners of centres after it."""

    turn: str
    entries: list[tuple[str, str]] = field(default_factory=list)
    owned: list[tuple[str, str]] = field(default_factory=list)


def read(variant: Variant, text: str) -> tuple[RecordedTurn, ...] | None:
    """Return the turns of a text, or None if its first turn isn't an opening on this board.

    Raises Invalid with the line at fault.
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
        """Return a section as a turn. owners: the owners in the results before it."""
        orders: dict[Seat, tuple[str, ...]] = {}
        units: list[Unit] = []
        for name, text in section.entries:
            path = f"{section.turn}: {name}"
            power = read_at(path, self._names.power, name)
            bare = _OUTCOME.sub("", text).strip().rstrip(".").strip()
            read = self._adjustment(path, bare) if section.turn.endswith("A") else self._order(bare)
            if not section.turn.endswith("A"):
                units.append(self._unit(path, power, bare))
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
        """Return the owners of centres from a list of names, or None for an empty list."""
        owners: dict[Province, Seat] = {}
        for name, text in rows:
            if name.lower() == "unowned":
                continue
            path = f"ownership: {name}"
            power = read_at(path, self._names.power, name)
            for centre in text.rstrip(".").split(","):
                owners[read_at(path, self._names.place, " ".join(centre.split()))] = power
        return owners if rows else None

    def _unit(self, path: str, power: Seat, text: str) -> Unit:
        match = _RESULT_UNIT_PATTERN.match(text)
        if match is None:
            raise Invalid(path, sentence("diplomacy.exchange.no_unit", text=repr(text)))
        return read_at(path, self._names.unit, f"{match[1]} {match[2]}", power)

    def _order(self, text: str) -> tuple[str, ...]:
        """Return the order as players write it, or no order."""
        if "no order processed" in text.lower():
            return ()
        if text.startswith("Army") and text.count("->") > 1 and "CONVOY" not in text:
            # The Judge spells out the route. The fleets have their own orders.
            first, *_, last = re.split(r"\s*->\s*", text)
            return (f"{first} -> {last} via convoy",)
        return (text,)

    def _adjustment(self, path: str, text: str) -> tuple[str, ...]:
        waived = _WAIVED.match(text)
        if waived:
            return ("WAIVE",) * int(waived[1] or 1)
        match = _RESULT_BUILD_PATTERN.search(text)
        if match is None:
            raise Invalid(path, sentence("diplomacy.exchange.not_an_adjustment", text=repr(text)))
        return (f"{match[1].lower()} {match[2].lower()} {match[3]}",)


# Positions in other programs' records.


@dataclass(frozen=True)
class RecordedPosition:
    """The part of a position that a record has.

    units: the units by place, without dislodged ones; complete: whether the record has all units; centres:
    the owner of each supply centre, or None if the record has none.
    """

    units: frozenset[Unit] = frozenset()
    complete: bool = False
    centres: dict[Province, Seat] | None = None


def is_opening_turn(variant: Variant, turn: RecordedTurn) -> bool:
    """Return whether a turn is the first of a game on this board, by its phase and its units."""
    board = variant.board
    units = {
        Unit(power=power, kind=piece.kind, at=piece.at, coast=piece.coast)
        for power, pieces in board.starts.items()
        for piece in pieces
    }
    first = variant.rulebook.beginning(board.chart.first_year).short
    return turn.turn == first and (not turn.position.complete or turn.position.units == units)
