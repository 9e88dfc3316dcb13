"""The player's orders: the cards of a Round, standing orders, what he says of the campaign."""

from typing import Literal

from games.great_war.components import CardId
from games.great_war.model import Pair, Parts, Role
from games.protocol import Order
from games.record import Record


class Play(Record, frozen=True, kw_only=True):
    """A card of an order. aims: targets of its effect, ids, BEST or NOTHING; wild: a Joker as a link."""

    card: CardId
    aims: tuple[str, ...] = ()
    wild: bool = False


class Lay(Order, frozen=True, kw_only=True):
    """``ATTACK 2ND: B-JH WITH B04 LEADS B-QD, B-AS + B-10H``: a Combat Round; without any card, a pass.

    led: by the base, a leader; helper: what is laid with it to lead one card more; plus: added by links.
    """

    role: Role
    number: Literal[1, 2]
    base: Play | None = None
    helper: CardId | None = None
    led: tuple[Play, ...] = ()
    plus: tuple[Play, ...] = ()

    @property
    def slot(self) -> str:
        """One for each Round."""
        return f"round {self.number}"

    @property
    def part(self) -> str:
        """``R2``: the end of the name of its turn."""
        return f"R{self.number}"

    @property
    def plays(self) -> tuple[Play, ...]:
        """Its cards in the order written, without the helper."""
        return (*((self.base,) if self.base else ()), *self.led, *self.plus)

    @property
    def cards(self) -> tuple[CardId, ...]:
        """The ids of all its cards."""
        found = [play.card for play in self.plays]
        return (*found, self.helper) if self.helper else tuple(found)


class Strike(Order, frozen=True, kw_only=True):
    """``CANCEL R-KH WITH B-JK1``: a Joker as the base of a Round, as a cancel."""

    number: Literal[1, 2]
    joker: CardId
    aim: str

    @property
    def slot(self) -> str:
        """Beside the other cards of its Round."""
        return f"joker {self.number}"

    @property
    def part(self) -> str:
        """``R2``."""
        return f"R{self.number}"


class GuardLeader(Order, frozen=True, kw_only=True):
    """``CANCEL LEADER WITH B07, B-JK1``: standing; none: withdrawn."""

    cards: tuple[CardId, ...] = ()

    @property
    def slot(self) -> str:
        """One standing order."""
        return "cancel leader"


class StopEvent(Order, frozen=True, kw_only=True):
    """``CANCEL EVENT WITH B05``"""

    card: CardId

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "cancel event"


class BonusPlay(Order, frozen=True, kw_only=True):
    """``BONUS: B08 > R-KH``: one card in the Bonus phase; None: nothing. led: what it lets be led."""

    play: Play | None = None
    led: Play | None = None

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "bonus"

    @property
    def part(self) -> str:
        """``B``: the Bonus phase."""
        return "B"


class Blockade(Order, frozen=True, kw_only=True):
    """``BLOCKADE: B-2S > R-QS``: what blockades take at the end of a Turn; none named: the best."""

    plays: tuple[Play, ...]

    @property
    def slot(self) -> str:
        """One a Turn."""
        return "blockade"

    @property
    def part(self) -> str:
        """``B``: with the end of the Turn."""
        return "B"


class Draw(Order, frozen=True, kw_only=True):
    """``DRAW 4/4/1``: how the next hand is split."""

    parts: Parts

    @property
    def slot(self) -> str:
        """One for the next hand."""
        return "draw"


class Exchange(Order, frozen=True, kw_only=True):
    """``EXCHANGE W10 FOR B-QD``; two pairs for leaders, one of each side."""

    pairs: tuple[Pair, ...]

    @property
    def slot(self) -> str:
        """One for each White card."""
        return f"exchange {self.pairs[0].white}"


class Length(Order, frozen=True, kw_only=True):
    """``TURNS 10``: go on after Turn 5; ``TURNS 5``: stop there."""

    turns: int

    @property
    def slot(self) -> str:
        """One for the campaign."""
        return "turns"


class Begin(Order, frozen=True, kw_only=True):
    """``begin``: the set-up is over."""

    @property
    def slot(self) -> str:
        """What ends the set-up."""
        return "begin"


AnyOrder = Lay | Strike | GuardLeader | StopEvent | BonusPlay | Blockade | Draw | Exchange | Length | Begin
