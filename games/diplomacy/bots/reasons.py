"""The bots' reasons for their orders, as data and as text."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, assert_never

from games.diplomacy.boards.board import Board
from games.diplomacy.model import AnyOrder, Kind, Province, Unit
from games.diplomacy.phrases import nation, small, troop
from games.language import join_list
from games.messages import sentence
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
            count = len(self.left)
            return sentence("diplomacy.bots_reasons.random_equal", count=count, number=small(count))
        return self.criterion or sentence("diplomacy.bots_reasons.only_choice")


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


HeadingBy = Literal["alone", "takes-canoe", "builds-canoe", "carries-canoe"]
"""How a unit goes towards a centre: by itself, or with which canoe-fleet."""


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
    """The unit goes towards a centre. steps: the distance; how: by itself, or with which canoe-fleet."""

    goal: Province
    steps: int
    how: HeadingBy = "alone"


class Diverts(Motive, frozen=True, kw_only=True):
    """The unit attacks another that may support the defender of a place. That cuts its support."""

    at: Province
    place: Province


class Denies(Motive, frozen=True, kw_only=True):
    """A canoe-fleet is destroyed, so that no enemy takes it."""

    at: Province
    against: tuple[Seat, ...]


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
    """The nation builds a unit of a kind."""

    kind: Kind


class Forgoes(Motive, frozen=True, kw_only=True):
    """The nation builds nothing: no home centre is free."""


class Dissolves(Motive, frozen=True, kw_only=True):
    """The nation removes a unit."""


AnyMotive = (
    Crosses
    | Keeps
    | Covers
    | Takes
    | Attacks
    | Backs
    | Shields
    | Heads
    | Diverts
    | Denies
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
    reason = _describe_motive(board, motive)
    criteria = "; ".join(decision.words for decision in motive.weighed if decision.size > 1)
    if not criteria:
        return reason
    return sentence("diplomacy.bots_reasons.with_criteria", reason=reason, criteria=criteria)


def _describe_motive(board: Board, motive: AnyMotive) -> str:
    match motive:
        case Crosses():
            place = board.name(motive.at)
            return sentence("diplomacy.bots_reasons.crosses", water=place, season=motive.since)
        case Keeps():
            return sentence("diplomacy.bots_reasons.keeps", centre=board.name(motive.centre))
        case Covers():
            centre, foes = board.name(motive.centre), _list_powers(motive.against)
            return sentence("diplomacy.bots_reasons.covers", centre=centre, foes=foes)
        case Takes():
            owner, centre = motive.owner, board.name(motive.centre)
            slug = "diplomacy.bots_reasons.takes_empty" if owner else "diplomacy.bots_reasons.takes_neutral"
            return sentence(slug, centre=centre, power=owner)
        case Attacks():
            return sentence(
                "diplomacy.bots_reasons.attacks"
                if motive.strength == 1
                else "diplomacy.bots_reasons.attacks_with_support",
                unit=troop(motive.foe),
                place=board.name(motive.foe.at),
                strength=small(motive.strength),
                holders=small(motive.holders),
            )
        case Backs():
            return _describe_support(board, motive)
        case Shields():
            place, foes = board.name(motive.at), _list_powers(motive.against)
            return sentence("diplomacy.bots_reasons.shields", place=place, foes=foes)
        case Heads():
            steps, goal = motive.steps, board.name(motive.goal)
            return sentence(_HEADING_SLUGS[motive.how], count=steps, goal=goal, number=small(steps))
        case Diverts():
            at, place = board.name(motive.at), board.name(motive.place)
            return sentence("diplomacy.bots_reasons.diverts", place=at, goal=place)
        case Denies():
            at, foes = board.name(motive.at), _list_powers(motive.against)
            return sentence("diplomacy.bots_reasons.denies", place=at, foes=foes)
        case Ferried():
            fleets, goal = motive.fleets, board.name(motive.goal)
            return sentence(
                "diplomacy.bots_reasons.is_convoyed", count=fleets, goal=goal, number=small(fleets)
            )
        case Ferries():
            origin, goal = board.name(motive.army), board.name(motive.to)
            return sentence("diplomacy.bots_reasons.convoys", place=origin, goal=goal)
        case Rests():
            return sentence(
                "diplomacy.bots_reasons.rests",
                count=motive.units,
                actions=small(motive.actions),
                units=small(motive.units),
            )
        case Raises():
            return sentence(_BUILD_SLUGS[motive.kind])
        case Waits() | Flees() | GivesUp() | Forgoes() | Dissolves():
            return sentence(_PLAIN_SLUGS[type(motive)])
        case _:
            assert_never(motive)


_PLAIN_SLUGS: Mapping[type[Motive], str] = {
    Waits: "diplomacy.bots_reasons.waits",
    Flees: "diplomacy.bots_reasons.retreats",
    GivesUp: "diplomacy.bots_reasons.gives_up",
    Forgoes: "diplomacy.bots_reasons.forgoes",
    Dissolves: "diplomacy.bots_reasons.disbands",
}
_HEADING_SLUGS: Mapping[str, str] = {
    "alone": "diplomacy.bots_reasons.heads",
    "takes-canoe": "diplomacy.bots_reasons.heads_and_takes_canoe",
    "builds-canoe": "diplomacy.bots_reasons.heads_and_builds_canoe",
    "carries-canoe": "diplomacy.bots_reasons.heads_and_carries_canoe",
}
_BUILD_SLUGS: Mapping[Kind, str] = {
    "W": "diplomacy.bots_reasons.builds_war_party",
    "A": "diplomacy.bots_reasons.builds_army",
    "F": "diplomacy.bots_reasons.builds_fleet",
}


def _list_powers(seats: Sequence[Seat]) -> str:
    return join_list([nation(seat) for seat in seats])


def _describe_support(board: Board, motive: Backs) -> str:
    if motive.number > motive.of:
        return sentence("diplomacy.bots_reasons.supports_to_be_safe", place=board.name(motive.to))
    return sentence(
        "diplomacy.bots_reasons.supports",
        place=board.name(motive.to),
        ordinal=sentence(
            f"diplomacy.bots_ordinals.{motive.number if motive.number <= _ORDINALS else 'other'}",
            number=motive.number,
        ),
        number=small(motive.of),
    )


_ORDINALS = 10
"""How many ordinal numbers the catalogue has in words."""
