"""The base of all bot levels: it reads one view, answers one Due, and gives a reason for each order."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.dice import Dice
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Variant
from games.diplomacy.bots.alliances import NO_PACT, Pact
from games.diplomacy.bots.common import EVEN_TEMPER, TEMPERS, Situation, Temper, Ways
from games.diplomacy.bots.press import PHRASES, account, current_pact, write_press
from games.diplomacy.bots.priority_builds import builds, removals, retreats
from games.diplomacy.bots.reasons import Reasoned
from games.diplomacy.model import AnyOrder, Build, View
from games.protocol import Choice, Due, Seat
from games.protocol.bot_skills import BotMessage, Correspondence


@dataclass(frozen=True)
class PlanningBot(ABC):
    """Plays a nation from the view alone: implements `protocol.Bot`, and of `bot_skills`
    `SupportsTemperaments`, `SupportsDangers`, `SupportsPress` and `SupportsFinalAccount`.

    temper: its weights; pact: what its nation agreed to in press; dangers: of each seat, None for those
    that the board tells; ways: those of each board, by the board's identity, which a variant keeps for
    good; trusting: whether natural partners are its friends before a word is given. Each level says how it
    moves.
    """

    variant: Variant
    temper: Temper = EVEN_TEMPER
    pact: Pact = NO_PACT
    dangers: Mapping[Seat, float] | None = field(default=None, compare=False)
    ways: dict[int, Ways] = field(default_factory=dict, repr=False, compare=False)
    trusting: bool = True

    @property
    def temperaments(self) -> tuple[str, ...]:
        """The temperaments that it can have."""
        return tuple(TEMPERS)

    def with_temperament(self, name: str) -> "PlanningBot":
        """Return the same level with a temperament. Raises KeyError for one that there is not."""
        return replace(self, temper=TEMPERS[name])

    def with_dangers(self, dangers: Mapping[Seat, float]) -> "PlanningBot":
        """Return the same bot with other dangers: implements `bot_skills.SupportsDangers`."""
        return replace(self, dangers=dangers)

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases that it understands in press."""
        return PHRASES

    def press(self, view: View, heard: Correspondence, dice: Dice) -> tuple[BotMessage, ...]:
        """Return its press to others; it rolls no dice for that."""
        return write_press(self.with_press(view, heard).situation(view, heard.seat), heard)

    def account(self, view: View, heard: Correspondence) -> str:
        """Return an account of all that it had agreed to, for all to read at the end; "" for nothing."""
        return account(self.variant.under(view.options).board, heard)

    def with_press(self, view: View, heard: Correspondence) -> "PlanningBot":
        """The same bot, bound by what its nation agreed to."""
        board = self.variant.under(view.options).board
        return replace(self, pact=current_pact(board, heard))

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[AnyOrder], ...]:
        """The orders for one Due, each with its reason in a phrase."""
        situation = self.situation(view, due.seat)
        return tuple(
            planned_order.choice(situation.board) for planned_order in self.plan_orders(situation, due, dice)
        )

    def plan_orders(self, situation: Situation, due: Due, dice: Dice) -> tuple[Reasoned, ...]:
        """Return the orders for one Due, each with why."""
        if due.kind == "moves":
            return self.moves(situation, dice)
        if due.kind == "retreats":
            return retreats(situation, due, dice)
        if Build.__name__ in due.accepts:
            return builds(situation, due.takes or 0, dice)
        return removals(situation, due.takes or 0, dice)

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
        """Return the danger of each seat: as the board gives it for its level, unless it was set."""
        return board.dangers(type(self).__name__.lower()) if self.dangers is None else self.dangers

    @abstractmethod
    def moves(self, situation: Situation, dice: Dice) -> tuple[Reasoned, ...]:
        """An order for each unit of the seat, in board order."""
