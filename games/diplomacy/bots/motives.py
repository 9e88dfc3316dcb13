"""Why a bot gives an order: what decided it, as data, and in a phrase."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from games.diplomacy.board import Board
from games.diplomacy.model import AnyOrder, Kind, Province, Unit
from games.diplomacy.phrases import KINDS, NUMBERS, counted, listed, nation, small, troop
from games.priorities import Criterion, Ranking
from games.protocol import Choice, Decision, Seat
from games.record import Record

T = TypeVar("T")


class Weighed(Record, frozen=True, kw_only=True):
    """What an order of priorities came to.

    order: its name; number, criterion: the one that decided (0 and "" where there was one candidate only, the
    last one on a tie); left: what was left then, several on a tie; size: of how many candidates.
    """

    order: str
    number: int
    criterion: str
    left: tuple[str, ...]
    size: int

    @property
    def words(self) -> str:
        """What decided, as the end of a phrase."""
        if len(self.left) > 1:
            return f"by lot among {_number(len(self.left))} alike"
        return self.criterion or "the only one"


def weighed(
    order: str,
    criteria: Sequence[Criterion[T]],
    ranking: Ranking[T],
    size: int,
    name: Callable[[T], str] = str,
) -> Weighed:
    """What a ranking came to. size: of how many candidates; name: what a candidate is called."""
    number = ranking.decided
    return Weighed(
        order=order,
        number=number,
        criterion=criteria[number - 1].words if number else "",
        left=tuple(name(one) for one in ranking.left),
        size=size,
    )


class Motive(Record, frozen=True, kw_only=True, tag=True):
    """Why one order is given. weighed: the orders of priorities that were worked through for it."""

    weighed: tuple[Weighed, ...] = ()


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


@dataclass(frozen=True)
class Planned:
    """An order, and why."""

    order: AnyOrder
    motive: Motive

    def choice(self, board: Board) -> Choice[Any]:
        """The order with its reason in a phrase, as the house asks for it."""
        decisions = tuple(
            Decision(clause=one.order, criterion=one.criterion, choices=one.left)
            for one in self.motive.weighed
        )
        return Choice(self.order, phrase(board, self.motive), decisions)


def phrase(board: Board, motive: Motive) -> str:
    """A motive in words."""
    words = _WORDS[type(motive)](board, motive)
    told = [one.words for one in motive.weighed if one.size > 1]
    return f"{words}: {', '.join(told)}" if told else words


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _against(seats: Sequence[Seat]) -> str:
    return listed([nation(seat) for seat in seats])


def _attacks(board: Board, motive: Attacks) -> str:
    """Numbers are told where they are compared."""
    foe = f"{troop(motive.foe)} in {board.name(motive.foe.at)}"
    if motive.strength == 1:
        return f"attacks {foe}"
    return f"attacks {foe} with {_number(motive.strength)} against {_number(motive.holders)}"


def _takes(board: Board, motive: Takes) -> str:
    whose = f"left empty by {motive.owner}" if motive.owner else "which is nobody's"
    return f"takes {board.name(motive.centre)}, {whose}"


def _backs(board: Board, motive: Backs) -> str:
    which = _ORDINALS[motive.number - 1] if motive.number <= len(_ORDINALS) else f"number {motive.number}"
    wanted = f"of {_number(motive.of)} needed" if motive.number <= motive.of else "to be safe"
    return f"supports the move to {board.name(motive.to)}: the {which} {wanted}"


def _heads(board: Board, motive: Heads) -> str:
    how = f"{motive.how} " if motive.how else ""
    return f"{how}towards {board.name(motive.goal)}, {counted(motive.steps, 'step')} away"


def _ferried(board: Board, motive: Ferried) -> str:
    return f"is carried over the water for {board.name(motive.goal)} by {counted(motive.fleets, 'fleet')}"


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

_WORDS: Mapping[type[Motive], Callable[[Board, Any], str]] = {
    Crosses: lambda board, one: f"crosses {board.name(one.at)}, since {one.since}: a whole year",
    Keeps: lambda board, one: f"stays to take {board.name(one.centre)}",
    Covers: lambda board, one: f"covers {board.name(one.centre)} against {_against(one.against)}",
    Takes: _takes,
    Attacks: _attacks,
    Backs: _backs,
    Shields: lambda board, one: f"supports {board.name(one.at)} against {_against(one.against)}",
    Heads: _heads,
    Ferried: _ferried,
    Ferries: lambda board, one: f"carries the army in {board.name(one.army)} to {board.name(one.to)}",
    Rests: lambda board, one: (
        f"rests, since a beginner acts with no more than {small(one.actions)} of {counted(one.units, 'unit')}"
        " this season"
    ),
    Waits: lambda board, one: "waits: nowhere better to go, nobody to support",
    Flees: lambda board, one: "retreats",
    GivesUp: lambda board, one: "every way out is taken by its own, or taboo",
    Raises: lambda board, one: f"builds {'an' if one.kind == 'A' else 'a'} {KINDS[one.kind]}",
    Forgoes: lambda board, one: "no home centre is free",
    Dissolves: lambda board, one: "the one that is needed least",
}
"""What each motive says; what decided stands behind it."""
