"""The results that the Ken Lowe Judge mails, written as it does, one turn after the other.

Movement results for Spring of 1901.  (demo.001)

France:  Army Paris -> Burgundy. (*bounce*)
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
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
    Waive,
)
from games.protocol import Seat
from games.protocol.exchange import ExchangedTurn

_RESULT_TITLES = {"M": "Movement results", "R": "Retreat orders", "A": "Adjustment orders"}
_NEXT_PHASE_NAMES = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
_JUDGE_SEASON_NAMES = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}
_JUDGE_UNIT_NAMES = {"A": "Army", "F": "Fleet"}
_JUDGE_OUTCOMES = {"bounced": "bounce", "cut": "cut", "void": "void", "disrupted": "no convoy"}
_JUDGE_LINE_WIDTH = 76


def write_turn(variant: Variant, name: str, number: int, chapter: ExchangedTurn[State]) -> str:
    """A letter's text for a turn, the so-manyth of its game."""
    return _ResultsWriter(variant, name).turn(number, chapter)


def join_turns(variant: Variant, name: str, state: State, pieces: Sequence[str]) -> str:
    """Return the emails' texts one after the other, and what comes next."""
    return "\n\n".join([*pieces, _ResultsWriter(variant, name).end(state)]) + "\n"


class _ResultsWriter:
    def __init__(self, variant: Variant, name: str) -> None:
        self._variant = variant
        self._board = variant.board
        self._name = name
        self._room = max(map(len, self._board.powers)) + 2

    def turn(self, number: int, chapter: ExchangedTurn[State]) -> str:
        """One turn's results."""
        phase: Phase = chapter.before.phase
        lines = [f"{_RESULT_TITLES[phase.kind]} for {_when(phase)}.  ({self._name}.{number:03})", ""]
        lines += self._adjustments(chapter) if phase.kind == "A" else self._orders(chapter)
        lines += self._dislodged_lines(chapter)
        if chapter.before.centres != chapter.after.centres or chapter.after.phase.kind == "A":
            lines += self._ownership(chapter.after)
        return "\n".join(lines)

    def end(self, state: State) -> str:
        """Return a line on the next phase, or on how the game ended."""
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
        assert event.unit is not None, "a unit's order"
        subject, order = self._piece(event.unit), event.order
        if isinstance(order, Move):
            return f"{subject} -> {self._board.name(order.goal)}" + " by convoy" * order.via
        if isinstance(order, SupportHold | SupportMove | Convoy):
            verb = "CONVOY" if isinstance(order, Convoy) else "SUPPORT"
            whose = owner.get(order.other.at)
            theirs = f"{self._people(whose)} " if whose and whose != event.power else ""
            to = "" if isinstance(order, SupportHold) else f" -> {self._board.name(_goal(order))}"
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
        """Return the name of a nation's units: its first alias, "Austrian", or else its own name."""
        named = self._board.powers.get(power)
        return named.aliases[0] if named and named.aliases else power

    def _piece(self, piece: Piece) -> str:
        return f"{_JUDGE_UNIT_NAMES[piece.kind]} {self._board.name(piece.spot)}"


def _when(phase: Phase) -> str:
    return f"{_JUDGE_SEASON_NAMES[phase.season]} of {phase.year}"


def _goal(order: SupportMove | Convoy) -> Province:
    return order.goal if isinstance(order, SupportMove) else order.to
