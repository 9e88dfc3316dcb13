"""The bots' reasons for their orders, as data and as text."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, assert_never

from games.diplomacy.boards.board import Board
from games.diplomacy.model import AnyOrder, Kind, Province, Unit
from games.diplomacy.phrases import (
    SMALL_NUMBER_WORDS,
    UNIT_KIND_NAMES,
    count_noun,
    join_words,
    nation,
    small,
    troop,
)
from games.priorities import Criterion, Ranking
from games.protocol import Choice, Decision, Seat
from games.record import Record

ChoiceT = TypeVar("ChoiceT")


class PriorityDecision(Record, frozen=True, kw_only=True):
    """The result of a list of priorities.

    order: the name of the list; number, criterion: the criterion that decided (0 and "" if there was only one
    candidate, the last one on a tie); left: the remaining candidates, several on a tie; size: the number of
    candidates.
    """

    order: str
    number: int
    criterion: str
    left: tuple[str, ...]
    size: int

    @property
    def words(self) -> str:
        """Return the deciding criterion as text."""
        if len(self.left) > 1:
            return f"picked at random from {_number(len(self.left))} equals"
        return self.criterion or "the only choice"


def describe_ranking(
    order: str,
    criteria: Sequence[Criterion[ChoiceT]],
    ranking: Ranking[ChoiceT],
    size: int,
    name: Callable[[ChoiceT], str] = str,
) -> PriorityDecision:
    """Return the result of a ranking. size: the number of candidates; name: gives a candidate's name."""
    number = ranking.deciding_criterion
    return PriorityDecision(
        order=order,
        number=number,
        criterion=criteria[number - 1].words if number else "",
        left=tuple(name(candidate) for candidate in ranking.left),
        size=size,
    )


class Motive(Record, frozen=True, kw_only=True, tag=True):
    """The reason for one order. weighed: the results of the lists of priorities that led to it."""

    weighed: tuple[PriorityDecision, ...] = ()


class Crosses(Motive, frozen=True, kw_only=True):
    """The unit waits on a water that takes a year to cross. since: the phase when it entered."""

    at: Province
    since: str


class Keeps(Motive, frozen=True, kw_only=True):
    """The unit stays on a centre to own it after Fall, or to free it."""

    centre: Province


class Covers(Motive, frozen=True, kw_only=True):
    """The unit stays in, or returns to, an own centre that enemies can reach."""

    centre: Province
    against: tuple[Seat, ...]


class Takes(Motive, frozen=True, kw_only=True):
    """The unit moves to an empty adjacent centre. owner: the power that owns it, None if it is neutral."""

    centre: Province
    owner: Seat | None


class Attacks(Motive, frozen=True, kw_only=True):
    """The unit leads an attack. strength: how many units take part; holders: how many units defend."""

    foe: Unit
    strength: int
    holders: int


class Backs(Motive, frozen=True, kw_only=True):
    """The unit supports another's move. number: its place among the attackers; of: how many make it sure."""

    to: Province
    number: int
    of: int


class Shields(Motive, frozen=True, kw_only=True):
    """The unit supports another that stays where enemies can attack."""

    at: Province
    against: tuple[Seat, ...]


class Heads(Motive, frozen=True, kw_only=True):
    """The unit goes towards a centre. steps: the distance; how: for example "by canoe-fleet"."""

    goal: Province
    steps: int
    how: str = ""


class Ferried(Motive, frozen=True, kw_only=True):
    """The army is convoyed to a shore, to reach a centre there or further inland."""

    goal: Province
    fleets: int


class Ferries(Motive, frozen=True, kw_only=True):
    """The fleet convoys an army."""

    army: Province
    to: Province


class Rests(Motive, frozen=True, kw_only=True):
    """The unit doesn't act this season, since only some units may."""

    actions: int
    units: int


class Waits(Motive, frozen=True, kw_only=True):
    """The unit has no better move and no unit to support."""


class Flees(Motive, frozen=True, kw_only=True):
    """The unit retreats as the priorities say."""


class GivesUp(Motive, frozen=True, kw_only=True):
    """The unit can't retreat: each retreat is taboo or taken by an own unit."""


class Raises(Motive, frozen=True, kw_only=True):
    """Builds a unit of a kind."""

    kind: Kind


class Forgoes(Motive, frozen=True, kw_only=True):
    """Builds nothing: no home centre is free."""


class Dissolves(Motive, frozen=True, kw_only=True):
    """Removes a unit."""


AnyMotive = (
    Crosses
    | Keeps
    | Covers
    | Takes
    | Attacks
    | Backs
    | Shields
    | Heads
    | Ferried
    | Ferries
    | Rests
    | Waits
    | Flees
    | GivesUp
    | Raises
    | Forgoes
    | Dissolves
)
"""Each motive of a bot that uses lists of priorities: `motive_phrase` has a text for every one."""


@dataclass(frozen=True)
class Reasoned(ABC):
    """An order and its reason, of any kind."""

    order: AnyOrder
    motive: Motive

    @abstractmethod
    def choice(self, board: Board) -> Choice[Any]:
        """Return the order with its reason as text."""


@dataclass(frozen=True)
class PlannedOrder(Reasoned):
    """An order that lists of priorities led to, and the reason."""

    motive: AnyMotive

    def choice(self, board: Board) -> Choice[Any]:
        """Return the order with its reason and the deciding criterion of each list."""
        decisions = tuple(
            Decision(clause=decision.order, criterion=decision.criterion, choices=decision.left)
            for decision in self.motive.weighed
        )
        return Choice(self.order, motive_phrase(board, self.motive), decisions)


def motive_phrase(board: Board, motive: AnyMotive) -> str:
    """Return a motive as text, followed by the deciding criteria in brackets."""
    words = _motive_words(board, motive)
    criteria = [decision.words for decision in motive.weighed if decision.size > 1]
    return f"{words} ({'; '.join(criteria)})" if criteria else words


def _motive_words(board: Board, motive: AnyMotive) -> str:
    """Return the words of each motive."""
    match motive:
        case Crosses():
            return f"keeps crossing {board.name(motive.at)}, which takes a year (since {motive.since})"
        case Keeps():
            return f"stays to take {board.name(motive.centre)}"
        case Covers():
            return f"covers {board.name(motive.centre)} against {_against(motive.against)}"
        case Takes():
            centre = board.name(motive.centre)
            return (
                f"takes {centre}, left empty by {motive.owner}" if motive.owner else f"takes neutral {centre}"
            )
        case Attacks():
            return _attacks(board, motive)
        case Backs():
            return _backs(board, motive)
        case Shields():
            return f"supports {board.name(motive.at)} against {_against(motive.against)}"
        case Heads():
            how = f"{motive.how} " if motive.how else ""
            return f"{how}heads for {board.name(motive.goal)}, {count_noun(motive.steps, 'step')} away"
        case Ferried():
            return _ferry_words(board, motive)
        case Ferries():
            return f"convoys the army in {board.name(motive.army)} to {board.name(motive.to)}"
        case Rests():
            acting = f"only {small(motive.actions)} of its {count_noun(motive.units, 'unit')}"
            return f"rests: as a beginner it orders {acting} this season"
        case Waits():
            return "waits: it has no better move and no unit to support"
        case Flees() | GivesUp() | Raises() | Forgoes() | Dissolves():
            return _upkeep_words(motive)
        case _:
            assert_never(motive)


def _upkeep_words(motive: Flees | GivesUp | Raises | Forgoes | Dissolves) -> str:
    """Return the words of a retreat, a build or a removal."""
    match motive:
        case Flees():
            return "retreats"
        case GivesUp():
            return "disbands: every retreat is taboo or taken by its own units"
        case Raises():
            return f"builds {'an' if motive.kind == 'A' else 'a'} {UNIT_KIND_NAMES[motive.kind]}"
        case Forgoes():
            return "builds nothing: no home centre is free"
        case Dissolves():
            return "disbands the unit that it needs least"
        case _:
            assert_never(motive)


def _number(count: int) -> str:
    return SMALL_NUMBER_WORDS[count] if count < len(SMALL_NUMBER_WORDS) else str(count)


def _against(seats: Sequence[Seat]) -> str:
    return join_words([nation(seat) for seat in seats])


def _attacks(board: Board, motive: Attacks) -> str:
    """Return the text of an attack, with both strengths if there is support."""
    foe = f"{troop(motive.foe)} in {board.name(motive.foe.at)}"
    if motive.strength == 1:
        return f"attacks {foe}"
    return f"attacks {foe}, {_number(motive.strength)} against {_number(motive.holders)}"


def _backs(board: Board, motive: Backs) -> str:
    which = (
        _PRIORITY_ORDINALS[motive.number - 1]
        if motive.number <= len(_PRIORITY_ORDINALS)
        else f"number {motive.number}"
    )
    if motive.number > motive.of:
        return f"supports the move to {board.name(motive.to)} to make it safe"
    return f"supports the move to {board.name(motive.to)} as the {which} of {_number(motive.of)} units needed"


def _ferry_words(board: Board, motive: Ferried) -> str:
    return f"is convoyed towards {board.name(motive.goal)} by {count_noun(motive.fleets, 'fleet')}"


_PRIORITY_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)
