"""The base of all planning bots: it reads one view, answers one Due, and gives each order a reason."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.dice import Dice
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.alliances import NO_PACT, Pact
from games.diplomacy.bots.candidates import buildable_units
from games.diplomacy.bots.common import (
    EVEN_TEMPER,
    NO_MEMORY,
    TEMPERS,
    SeatMemory,
    Situation,
    Temper,
    Ways,
    choose,
    of_unit,
    site_criteria,
)
from games.diplomacy.bots.press import PHRASES, account, current_pact, write_press
from games.diplomacy.bots.reasons import Dissolves, Flees, Forgoes, GivesUp, PlannedOrder, Raises, Reasoned
from games.diplomacy.model import (
    AnyOrder,
    Beaten,
    Build,
    Disband,
    Kind,
    Move,
    Piece,
    Province,
    Unit,
    View,
    Waive,
    split_spot,
)
from games.messages import sentence
from games.priorities import Criterion, applies
from games.protocol import Bot, BotMessage, Choice, Correspondence, Due, Seat


@dataclass(frozen=True)
class PlanningBot(Bot[View, AnyOrder]):
    """A bot that plays a nation from the view alone.

    It has temperaments, fears dangerous seats and writes press. Each level defines its moves.

    temper: its weights; pact: its nation's agreements in press; dangers: the danger of each seat, None for
    the board's own; ways: the ways of each board, by the board's identity, which a variant keeps forever;
    trusting: whether natural partners are its friends before any agreement.
    """

    variant: Variant
    temper: Temper = EVEN_TEMPER
    pact: Pact = NO_PACT
    dangers: Mapping[Seat, float] | None = field(default=None, compare=False)
    ways: dict[int, Ways] = field(default_factory=dict, repr=False, compare=False)
    trusting: bool = True

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The names of the temperaments that it can have."""
        return tuple(TEMPERS)

    def with_temperament(self, name: str) -> "PlanningBot":
        """Return the same level with a temperament. Raises KeyError for an unknown one."""
        return replace(self, temper=TEMPERS[name])

    def with_dangers(self, dangers: Mapping[Seat, float]) -> "PlanningBot":
        """Return the same bot with other dangers."""
        return replace(self, dangers=dangers)

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases that it understands in press."""
        return PHRASES

    def press(self, view: View, correspondence: Correspondence, dice: Dice) -> tuple[BotMessage, ...]:
        """Return its press to others. It rolls no dice for that."""
        return write_press(
            self.with_press(view, correspondence).situation(view, correspondence.seat), correspondence
        )

    def account(self, view: View, correspondence: Correspondence) -> str:
        """Return its account of its agreements for all players at the end, "" if there is nothing to tell."""
        return account(self.variant.under(view.options).board, correspondence)

    def with_press(self, view: View, correspondence: Correspondence) -> "PlanningBot":
        """Return the same bot, bound by its nation's agreements in press."""
        board = self.variant.under(view.options).board
        return replace(self, pact=current_pact(board, correspondence))

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """Return the orders for one Due, each with its reason in a phrase."""
        situation = self.situation(view, due.seat)
        return tuple(
            planned_order.choice(situation.board) for planned_order in self.plan_orders(situation, due, dice)
        )

    def plan_orders(self, situation: Situation, due: Due, dice: Dice) -> tuple[Reasoned, ...]:
        """Return the orders for one Due, each with its reason."""
        if due.kind == "moves":
            return self.moves(situation, dice)
        if due.kind == "retreats":
            return retreats(situation, due, dice)
        if Build.__name__ in due.accepts:
            return builds(situation, due.takes or 0, dice)
        return removals(situation, due.takes or 0, dice)

    def recall(self, seat: Seat) -> SeatMemory:
        """Return what the bot remembers of the last seasons."""
        return NO_MEMORY

    def situation(self, view: View, seat: Seat) -> Situation:
        """Return the bot's reading of a position, on the board that the options of the game make."""
        variant = self.variant.under(view.options)
        ways = self.ways.get(id(variant.board))
        if ways is None:
            ways = self.ways[id(variant.board)] = Ways(variant.board, canoes=variant.rulebook.canoes)
        dangers = self.dangers_on(variant.board)
        return Situation(
            variant, ways, view, seat, self.temper, self.pact, dangers, None if self.trusting else ()
        )

    def dangers_on(self, board: Board) -> Mapping[Seat, float]:
        """Return the danger of each seat: the board's own for the bot's level, unless it was set."""
        return board.dangers(self.level) if self.dangers is None else self.dangers

    @property
    def level(self) -> str:
        """The name under which a board has the dangers of its seats."""
        return type(self).__name__.lower()

    @abstractmethod
    def moves(self, situation: Situation, dice: Dice) -> tuple[Reasoned, ...]:
        """Return an order for each unit of the seat, in board order."""


# Retreats, builds and removals after the moves, each by a list of priorities.


def retreats(situation: Situation, due: Due, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return the retreats of the seat's dislodged units, each to a different place and none to the taboo."""
    wanted = {owed.slot for owed in due.owes}
    taken: set[Province] = set()
    planned_orders = []
    for beaten in situation.view.beaten:
        if beaten.unit.power == due.seat and Disband(unit=beaten.unit.piece).slot in wanted:
            planned = _retreat(situation, beaten, taken, dice)
            planned_orders.append(planned)
            if isinstance(planned.order, Move):
                taken.add(planned.order.to)
    return tuple(planned_orders)


def builds(situation: Situation, count: int, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return the builds: first in home centres that enemies can reach, then in those nearest to the front."""
    pieces = list(buildable_units(situation.variant, situation.view, situation.seat))
    kinds = Counter(unit.kind for unit in situation.mine)
    planned_orders = []
    for number in range(count):
        if not pieces:
            planned_orders.append(PlannedOrder(Waive(), Forgoes()))
            continue
        site = sentence("diplomacy.bots_criteria.site")
        lists: tuple[Criterion[Piece], ...] = site_criteria(situation, site, of_unit)
        criteria = (
            applies(
                sentence("diplomacy.bots_criteria.site_in_danger"),
                lambda piece: situation.threat(piece.at) > 0,
            ),
            lists[0],
            Criterion(
                sentence("diplomacy.bots_criteria.fewer_of_this_kind"), lambda piece: kinds[piece.kind]
            ),
            *lists[1:],
        )
        piece, why = choose("build", pieces, criteria, dice, f"build/{number}", lambda option: option.spot)
        kinds[piece.kind] += 1
        pieces = [other for other in pieces if other.at != piece.at]
        planned_orders.append(PlannedOrder(Build(unit=piece), Raises(kind=piece.kind, weighed=(why,))))
    return tuple(planned_orders)


def removals(situation: Situation, count: int, dice: Dice) -> tuple[PlannedOrder, ...]:
    """Return the units to remove: first those that guard no centre, then the farthest from any prize."""
    units = list(situation.mine)
    planned_orders = []
    for number in range(min(count, len(units))):
        criteria: tuple[Criterion[Unit], ...] = (
            applies(
                sentence("diplomacy.bots_criteria.guards_no_centre"),
                lambda unit: not situation.is_keeper(unit),
            ),
            Criterion(
                sentence("diplomacy.bots_criteria.farthest_from_centre"),
                lambda unit: -situation.nearest(unit),
            ),
            applies(
                sentence("diplomacy.bots_criteria.no_enemy_near"),
                lambda unit: not situation.enemies(unit.at),
            ),
            Criterion(
                sentence("diplomacy.bots_criteria.farthest_from_the_middle"),
                lambda unit: -situation.ways.outward.get(unit.at, 0),
            ),
        )
        unit, why = choose(
            "remove", units, criteria, dice, f"remove/{number}", lambda candidate: candidate.at
        )
        units.remove(unit)
        planned_orders.append(PlannedOrder(Disband(unit=unit.piece), Dissolves(weighed=(why,))))
    return tuple(planned_orders)


def _retreat(situation: Situation, beaten: Beaten, taken: set[Province], dice: Dice) -> PlannedOrder:
    unit = beaten.unit
    ways = [spot for spot in beaten.retreats if split_spot(spot)[0] not in (situation.taboo_province, *taken)]
    # A place that should stay empty is only the last choice.
    ways = [spot for spot in ways if split_spot(spot)[0] not in situation.closed_provinces] or ways
    if not ways:
        return PlannedOrder(Disband(unit=unit.piece), GivesUp())

    def is_worth(spot: Province) -> bool:
        return split_spot(spot)[0] in situation.prizes or split_spot(spot)[0] in situation.own_centres

    def where(spot: Province) -> tuple[Kind, Province]:
        return unit.kind, spot

    criteria = (
        applies(
            sentence("diplomacy.bots_criteria.away_from_friends"),
            lambda spot: not situation.is_friends(split_spot(spot)[0]),
        ),
        applies(sentence("diplomacy.bots_criteria.own_centre_or_to_win"), is_worth),
        Criterion(
            sentence("diplomacy.bots_criteria.fewest_attackers"),
            lambda spot: len(situation.enemies(split_spot(spot)[0])),
        ),
        *site_criteria(situation, sentence("diplomacy.bots_criteria.place"), where),
    )
    spot, why = choose("retreat", ways, criteria, dice, f"retreat/{unit.at}")
    to, coast = split_spot(spot)
    return PlannedOrder(Move(unit=unit.piece, to=to, coast=coast), Flees(weighed=(why,)))
