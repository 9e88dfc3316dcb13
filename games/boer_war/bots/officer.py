"""What all four lists of priorities share: options, their ranks, and the order that comes of it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from games.boer_war import prospects
from games.boer_war.carrying_out import MOVED
from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.forces import leaders_of, points_held, sp_at
from games.boer_war.lawful import objection
from games.boer_war.model import AnyOrder, Pass, Reorganize, View, other
from games.boer_war.notation import BoerWarNotation
from games.boer_war.plays import plays_of
from games.boer_war.reserves import havens
from games.priorities import Criterion, rank
from games.protocol import Choice, Decision
from games.record import Value

_NOTATION = BoerWarNotation()


class Option(Value, frozen=True):
    """One order that could be given. leader: whose, for ties; at: what it is about; worth: in points.

    lines: of blockhouses that are crossed on its way.
    """

    order: AnyOrder
    leader: LeaderId | None = None
    at: Point | None = None
    worth: float = 0.0
    lines: int = 0


class Pick(Value, frozen=True):
    """The order that was chosen, by which criterion, and from what. also: what goes with it for nothing."""

    order: AnyOrder
    criterion: str
    choices: tuple[str, ...]
    also: tuple[AnyOrder, ...] = ()


Attempt = Callable[[], Pick | None]
WORTH = Criterion[Option]("the highest value", lambda option: -option.worth)
LINES = Criterion[Option]("over fewest lines of blockhouses", lambda option: option.lines)


class Officer(ABC):
    """One side in one position: goes down its list until an item is possible.

    Subclasses say their list and its clause.
    """

    clause = ""
    side: Side = "boers"
    events: tuple[str, ...] = ()

    def __init__(self, view: View, without: str = "") -> None:
        """view: what it sees; without: an action by the word it is written with, which it never takes."""
        self.view, self.board, self.box = view, view.board, view.box
        self.foe, self._without = other(self.side), without.upper()
        self.seat = view.seat(self.side)

    @abstractmethod
    def lines(self) -> Sequence[tuple[str, Attempt]]:
        """The list of priorities: what each item says, and the attempt at it."""

    def choices(self) -> tuple[Choice[AnyOrder], ...]:
        """The order of the first item that is possible, with what goes with it. Source: ruling 13."""
        for number, (words, attempt) in enumerate(self.lines(), start=1):
            pick = attempt()
            if pick is not None:
                return self._said(f"{self.clause}.{number}", words, pick)
        return (Choice(Pass(), "nothing on the list is possible"),)

    def _said(self, clause: str, words: str, pick: Pick) -> tuple[Choice[AnyOrder], ...]:
        reason = f"{words}: {pick.criterion}" if pick.criterion else words
        decision = Decision(clause=clause, criterion=pick.criterion or words, choices=pick.choices)
        also = (Choice[AnyOrder](order, words) for order in pick.also)
        return (*also, Choice(pick.order, reason, (decision,)))

    # Choosing.

    def allows(self, order: AnyOrder) -> bool:
        """Whether the rules allow an order now, and this officer takes such an action."""
        if self._without and _NOTATION.write(order).split()[0] == self._without:
            return False
        return objection(self.view, self.seat, order) is None

    def pick(self, options: Iterable[Option], *criteria: Criterion[Option]) -> Pick | None:
        """The best lawful option: by the criteria, then higher Command, more SP, and the code."""
        left = sorted(options, key=lambda option: _NOTATION.write(option.order))
        ties = (
            Criterion[Option]("the higher Command", self._command),
            Criterion[Option]("more SP", self._sp),
        )
        while left:
            ranking = rank(left, (*criteria, *ties))
            best = ranking.left[0]
            if self.allows(best.order):
                decided = (*criteria, *ties)[ranking.decided - 1].words if ranking.narrowed else ""
                tied = "the first by code" if ranking.is_tie else decided
                choices = tuple(_NOTATION.write(option.order) for option in ranking.left)
                return Pick(best.order, tied, choices)
            left.remove(best)
        return None

    def _command(self, option: Option) -> float | None:
        return None if option.leader is None else -self.box.leaders[option.leader].command

    def _sp(self, option: Option) -> float | None:
        there = self.view.leaders.get(option.leader) if option.leader else None
        return None if there is None else -there.sp

    # Questions to the position.

    @property
    def is_first_slot(self) -> bool:
        """Whether it is the first action of the round."""
        return self.view.done == 0

    @cached_property
    def foes(self) -> frozenset[Point]:
        """The points with enemy SP."""
        return points_held(self.view, self.foe)

    @cached_property
    def boer_centres(self) -> tuple[Point, ...]:
        """The political centres that the Boers hold."""
        return tuple(
            point
            for point, place in self.board.places.items()
            if "political" in place.flags and self.view.control[point] == "boers"
        )

    def has_moved(self, leaders: Iterable[LeaderId]) -> bool:
        """Whether one of them went somewhere in this round: a leader is used once for plain moves."""
        return any(f"{MOVED} {leader}" in self.view.used for leader in leaders)

    def nearest(self, at: Point, goals: Iterable[Point]) -> Point | None:
        """The nearest of some points, the first by code."""
        return min(goals, key=lambda goal: (self.board.apart(at, goal), goal), default=None)

    def fresh(self) -> list[tuple[LeaderId, ...]]:
        """Groups who may make a plain move in this round."""
        found = prospects.groups(self.view, self.side, largest=True)
        return [leaders for leaders in found if not self.has_moved(leaders)]

    def strength(self, leaders: Iterable[LeaderId]) -> int:
        """SP that some leaders lead."""
        return sum(self.view.leaders[leader].sp for leader in leaders)

    def beside(self, point: Point, side: Side) -> int:
        """The strongest force of a side next to a point."""
        return max((sp_at(self.view, there, side) for there in self.board.near[point]), default=0)

    # What several lists say.

    def event(self) -> Pick | None:
        """In the first slot of an even round the first event whose condition holds."""
        if not self.is_first_slot or self.view.round % 2:
            return None
        for code in self.events:
            for order in plays_of(self.view, EventId(code)):
                if self.allows(order):
                    return Pick(order, "the first whose condition holds", (_NOTATION.write(order),))
        return None

    def reorganize(self, least: int = 1) -> Pick | None:
        """SP out of the Scattered box, to a leader with room or with one out of the box."""
        if self.view.scattered[self.side] < least:
            return None
        options = [
            Option(Reorganize(leader=leader), leader, self.view.leaders[leader].at)
            for leader in leaders_of(self.view, self.side)
        ]
        places = havens(self.view, self.side)
        for leader in self.view.boxes[self.side]:
            options += [Option(Reorganize(leader=leader, at=at), leader, at) for at in places[:3]]
        return self.pick(options)
