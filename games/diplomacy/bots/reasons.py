"""The reasons of bots for their orders, as data and as phrases."""

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
    """The result of an order of priorities.

    order: its name; number, criterion: the one that decided (0 and "" where there was one candidate only,
    the last one on a tie); left: what was left then, several on a tie; size: of how many candidates.
    """

    order: str
    number: int
    criterion: str
    left: tuple[str, ...]
    size: int

    @property
    def words(self) -> str:
        """The deciding criterion, as the end of a phrase."""
        if len(self.left) > 1:
            return f"by lot among {_number(len(self.left))} alike"
        return self.criterion or "the only one"


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
    """Why one order is given. weighed: the orders of priorities that were worked through for it."""

    weighed: tuple[PriorityDecision, ...] = ()


class Crosses(Motive, frozen=True, kw_only=True):
    """Waits on a water that takes a year to cross. since: the phase in which it went in."""

    at: Province
    since: str


class Keeps(Motive, frozen=True, kw_only=True):
    """Stays on a centre that is its own when Fall is over, or that it frees by staying."""

    centre: Province


class Covers(Motive, frozen=True, kw_only=True):
    """Stays in, or goes back to, a centre of its own to which enemies can come."""

    centre: Province
    against: tuple[Seat, ...]


class Takes(Motive, frozen=True, kw_only=True):
    """Goes to a centre next door where nobody stands. owner: whose it is, None: nobody's."""

    centre: Province
    owner: Seat | None


class Attacks(Motive, frozen=True, kw_only=True):
    """Leads an attack on a unit. strength: how many take part; holders: how many of its nation hold it."""

    foe: Unit
    strength: int
    holders: int


class Backs(Motive, frozen=True, kw_only=True):
    """Supports a comrade's move. number: its place among those who take part; of: how many would be sure."""

    to: Province
    number: int
    of: int


class Shields(Motive, frozen=True, kw_only=True):
    """Supports a comrade that stays where enemies can come."""

    at: Province
    against: tuple[Seat, ...]


class Heads(Motive, frozen=True, kw_only=True):
    """Goes towards a centre. steps: how far it is from where the unit stands; how: "by canoe" for one."""

    goal: Province
    steps: int
    how: str = ""


class Ferried(Motive, frozen=True, kw_only=True):
    """Is carried over the water to a shore, for the sake of a centre there or behind it."""

    goal: Province
    fleets: int


class Ferries(Motive, frozen=True, kw_only=True):
    """Carries an army over the water."""

    army: Province
    to: Province


class Rests(Motive, frozen=True, kw_only=True):
    """Does not act this season: the pool gave so many actions to so many units."""

    actions: int
    units: int


class Waits(Motive, frozen=True, kw_only=True):
    """Has nowhere better to go, and nobody to support."""


class Flees(Motive, frozen=True, kw_only=True):
    """Retreats to where the priorities say."""


class GivesUp(Motive, frozen=True, kw_only=True):
    """Retreats nowhere: each way is taken by its own, or taboo."""


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
"""Each motive of a bot that goes by lists of priorities: `phrase` has words for every one."""


@dataclass(frozen=True)
class Reasoned(ABC):
    """An order, and why: of whatever kind the reason is."""

    order: AnyOrder
    motive: Motive

    @abstractmethod
    def choice(self, board: Board) -> Choice[Any]:
        """The order with its reason in a phrase, as the service asks for it."""


@dataclass(frozen=True)
class PlannedOrder(Reasoned):
    """An order that lists of priorities led to, and why."""

    motive: AnyMotive

    def choice(self, board: Board) -> Choice[Any]:
        """The order with its reason, and what decided in each list."""
        decisions = tuple(
            Decision(clause=decision.order, criterion=decision.criterion, choices=decision.left)
            for decision in self.motive.weighed
        )
        return Choice(self.order, motive_phrase(board, self.motive), decisions)


def motive_phrase(board: Board, motive: AnyMotive) -> str:
    """Return a motive in words, followed by the deciding criteria."""
    words = _motive_words(board, motive)
    criteria = [decision.words for decision in motive.weighed if decision.size > 1]
    return f"{words}: {', '.join(criteria)}" if criteria else words


def _motive_words(board: Board, motive: AnyMotive) -> str:
    """Return the words of each motive."""
    match motive:
        case Crosses():
            return f"crosses {board.name(motive.at)}, since {motive.since}: a whole year"
        case Keeps():
            return f"stays to take {board.name(motive.centre)}"
        case Covers():
            return f"covers {board.name(motive.centre)} against {_against(motive.against)}"
        case Takes():
            whose = f"left empty by {motive.owner}" if motive.owner else "which is nobody's"
            return f"takes {board.name(motive.centre)}, {whose}"
        case Attacks():
            return _attacks(board, motive)
        case Backs():
            return _backs(board, motive)
        case Shields():
            return f"supports {board.name(motive.at)} against {_against(motive.against)}"
        case Heads():
            how = f"{motive.how} " if motive.how else ""
            return f"{how}towards {board.name(motive.goal)}, {count_noun(motive.steps, 'step')} away"
        case Ferried():
            return _ferry_words(board, motive)
        case Ferries():
            return f"carries the army in {board.name(motive.army)} to {board.name(motive.to)}"
        case Rests():
            acting = f"no more than {small(motive.actions)} of {count_noun(motive.units, 'unit')}"
            return f"rests, since a beginner acts with {acting} this season"
        case Waits():
            return "waits: nowhere better to go, nobody to support"
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
            return "every way out is taken by its own, or taboo"
        case Raises():
            return f"builds {'an' if motive.kind == 'A' else 'a'} {UNIT_KIND_NAMES[motive.kind]}"
        case Forgoes():
            return "no home centre is free"
        case Dissolves():
            return "the one that is needed least"
        case _:
            assert_never(motive)


def _number(count: int) -> str:
    return SMALL_NUMBER_WORDS[count] if count < len(SMALL_NUMBER_WORDS) else str(count)


def _against(seats: Sequence[Seat]) -> str:
    return join_words([nation(seat) for seat in seats])


def _attacks(board: Board, motive: Attacks) -> str:
    """Numbers are told where they are compared."""
    foe = f"{troop(motive.foe)} in {board.name(motive.foe.at)}"
    if motive.strength == 1:
        return f"attacks {foe}"
    return f"attacks {foe} with {_number(motive.strength)} against {_number(motive.holders)}"


def _backs(board: Board, motive: Backs) -> str:
    which = (
        _PRIORITY_ORDINALS[motive.number - 1]
        if motive.number <= len(_PRIORITY_ORDINALS)
        else f"number {motive.number}"
    )
    wanted = f"of {_number(motive.of)} needed" if motive.number <= motive.of else "to be safe"
    return f"supports the move to {board.name(motive.to)}: the {which} {wanted}"


def _ferry_words(board: Board, motive: Ferried) -> str:
    return f"is carried over the water for {board.name(motive.goal)} by {count_noun(motive.fleets, 'fleet')}"


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
