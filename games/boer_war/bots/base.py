"""The parts that the four lists of priorities share: options, their ranks, and the choice."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from games.boer_war import legal_orders
from games.boer_war.components import EventId, LeaderId, Point, Side
from games.boer_war.event_counters import event_orders
from games.boer_war.execution import MOVED_MARK
from games.boer_war.legality import find_objection
from games.boer_war.model import AnyOrder, Pass, Reorganize, View, enemy_of, leaders_of, points_held, sp_at
from games.boer_war.reinforcements import return_points
from games.messages import sentence
from games.priorities import Criterion, rank
from games.protocol import Choice, Decision
from games.record import Value


class RankedOption(Value, frozen=True):
    """An order that could be given.

    leader: the leader whose Command and SP break ties. at: the point that the order is about. worth: a value
    for criteria. lines: the number of blockhouse lines on the path.
    """

    order: AnyOrder
    leader: LeaderId | None = None
    at: Point | None = None
    worth: float = 0.0
    lines: int = 0


class OptionChoice(Value, frozen=True):
    """The chosen order, the criterion that decided, and the choices left. also: free orders with it."""

    order: AnyOrder
    criterion: str
    choices: tuple[str, ...]
    also: tuple[AnyOrder, ...] = ()


ItemAttempt = Callable[[], OptionChoice | None]


def highest_value() -> Criterion[RankedOption]:
    """Return the criterion that keeps the options of the highest worth."""
    return Criterion(sentence("boer_war.criteria.highest_value"), lambda option: -option.worth)


def fewest_lines() -> Criterion[RankedOption]:
    """Return the criterion that keeps the options whose path crosses the fewest lines of blockhouses."""
    return Criterion(sentence("boer_war.criteria.fewest_lines"), lambda option: option.lines)


class PriorityBot(ABC):
    """A bot of one side in one position. It takes the first item of its list that is possible.

    Subclasses define the list, its clause and the events in the order of preference.
    """

    clause = ""
    side: Side = "boers"
    events: tuple[str, ...] = ()

    def __init__(self, view: View, without: str = "") -> None:
        """Take the position that the bot sees, and the verb of an action that it never takes."""
        self.view, self.board, self.box = view, view.board, view.box
        self.foe, self._without = enemy_of(self.side), without.upper()
        self.seat = view.seat(self.side)

    @abstractmethod
    def items(self) -> Sequence[tuple[str, ItemAttempt]]:
        """Return the list of priorities: the name of each item and the method that tries it."""

    def choose(self) -> tuple[Choice[AnyOrder], ...]:
        """Return the order of the first possible item, and its free orders. Source: ruling 13."""
        for number, (words, attempt) in enumerate(self.items(), start=1):
            pick = attempt()
            if pick is not None:
                return self._explain(f"{self.clause}.{number}", words, pick)
        return (Choice(Pass(), sentence("boer_war.reasons.nothing_possible")),)

    def _explain(self, clause: str, words: str, pick: OptionChoice) -> tuple[Choice[AnyOrder], ...]:
        reason = f"{words}: {pick.criterion}" if pick.criterion else words
        decision = Decision(clause=clause, criterion=pick.criterion or words, choices=pick.choices)
        also = (Choice[AnyOrder](order, words) for order in pick.also)
        return (*also, Choice(pick.order, reason, (decision,)))

    # Choosing.

    def allows(self, order: AnyOrder) -> bool:
        """Return whether the rules allow an order now and the bot takes such actions."""
        if self._without and order.write().split()[0] == self._without:
            return False
        return find_objection(self.view, self.seat, order) is None

    def choose_best(
        self, options: Iterable[RankedOption], *criteria: Criterion[RankedOption]
    ) -> OptionChoice | None:
        """Return the best legal option, or None. Ties go to the higher Command, more SP, and by code."""
        remaining = sorted(options, key=lambda option: option.order.write())
        ties = (
            Criterion[RankedOption](sentence("boer_war.criteria.higher_command"), self._command_rank),
            Criterion[RankedOption](sentence("boer_war.criteria.more_sp"), self._sp_rank),
        )
        while remaining:
            ranking = rank(remaining, (*criteria, *ties))
            best = ranking.left[0]
            if self.allows(best.order):
                decided = (*criteria, *ties)[ranking.deciding_criterion - 1].words if ranking.narrowed else ""
                tied = sentence("boer_war.criteria.first_by_code") if ranking.is_tie else decided
                choices = tuple(option.order.write() for option in ranking.left)
                return OptionChoice(best.order, tied, choices)
            remaining.remove(best)
        return None

    def _command_rank(self, option: RankedOption) -> float | None:
        return None if option.leader is None else -self.box.leaders[option.leader].command

    def _sp_rank(self, option: RankedOption) -> float | None:
        there = self.view.leaders.get(option.leader) if option.leader else None
        return None if there is None else -there.sp

    # Questions about the position.

    @property
    def is_first_slot(self) -> bool:
        """True for the first action of a round."""
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
        """Return whether a leader has moved in this round. Each leader makes only one plain move."""
        return any(f"{MOVED_MARK} {leader}" in self.view.used for leader in leaders)

    def nearest(self, at: Point, goals: Iterable[Point]) -> Point | None:
        """Return the nearest of some points, the first by code if several are as near, or None."""
        return min(goals, key=lambda goal: (self.board.distance(at, goal), goal), default=None)

    def unmoved_groups(self) -> list[tuple[LeaderId, ...]]:
        """Return the groups of leaders that can still make a plain move in this round."""
        groups = legal_orders.leader_groups(self.view, self.side, largest=True)
        return [leaders for leaders in groups if not self.has_moved(leaders)]

    def strength(self, leaders: Iterable[LeaderId]) -> int:
        """Return the SP of some leaders."""
        return sum(self.view.leaders[leader].sp for leader in leaders)

    def strongest_beside(self, point: Point, side: Side) -> int:
        """Return the SP of the strongest force of a side next to a point."""
        return max((sp_at(self.view, there, side) for there in self.board.near[point]), default=0)

    # Items that several lists have.

    def play_event(self) -> OptionChoice | None:
        """Play the first event whose condition is met, in the first slot of an even round."""
        if not self.is_first_slot or self.view.round % 2:
            return None
        for code in self.events:
            for order in event_orders(self.view, EventId(code)):
                if self.allows(order):
                    first = sentence("boer_war.criteria.first_condition")
                    return OptionChoice(order, first, (order.write(),))
        return None

    def reorganize(self, least: int = 1) -> OptionChoice | None:
        """Give SP from the Scattered box to a leader with room, or bring a leader back from the box.

        least: the SP that must be scattered.
        """
        if self.view.scattered[self.side] < least:
            return None
        options = [
            RankedOption(Reorganize(leader=leader), leader, self.view.leaders[leader].at)
            for leader in leaders_of(self.view, self.side)
        ]
        places = return_points(self.view, self.side)
        for leader in self.view.boxes[self.side]:
            options += [RankedOption(Reorganize(leader=leader, at=at), leader, at) for at in places[:3]]
        return self.choose_best(options)
