"""The player's orders carried out: card by card, what is not possible left out and told. Source: GW44."""

from collections.abc import Mapping, Sequence
from typing import TypeVar, assert_never

from games.great_war.bonus import idle_leader, lay_bonus
from games.great_war.components import CardId, solo
from games.great_war.effects import lay
from games.great_war.events import LeftOut, PassedRound, Standing
from games.great_war.in_play import Table
from games.great_war.model import (
    PLAYER,
    AnyOrder,
    Begin,
    Blockade,
    BonusPlay,
    Draw,
    Exchange,
    GuardLeader,
    Lay,
    Length,
    Play,
    StopEvent,
    Strike,
)
from games.great_war.sequence import event_works, stop_event, told_totals
from games.great_war.solo import is_helper, leads, may_be_led
from games.great_war.white_cards import objection_to
from games.record import changed

O = TypeVar("O")  # noqa: E741 - a kind of order
_OF_A_ROUND = (Lay, Strike, StopEvent, BonusPlay, Blockade, Begin)
"""The orders that are carried out when their time comes, and stand for nothing after it."""


def of_kind(orders: Sequence[AnyOrder], kind: type[O]) -> list[O]:
    """The orders of one kind."""
    return [order for order in orders if isinstance(order, kind)]


def note_standing(table: Table, orders: Sequence[AnyOrder]) -> None:
    """Standing orders: what is to cancel leaders, the split of the next hand, the length, exchanges."""
    for order in orders:
        if isinstance(order, GuardLeader):
            table.set(leader=order.cards)
        elif isinstance(order, Draw):
            table.set(split=order.parts)
        elif isinstance(order, Length):
            table.set(named=order.turns)
        elif isinstance(order, Exchange):
            if (objection := objection_to(table.now, order)) is not None:
                table.tell(LeftOut, private=True, code=objection.code, detail=objection.detail)
                continue
            table.set(wishes=(*table.now.wishes, *order.pairs))
        elif not isinstance(order, _OF_A_ROUND):
            assert_never(order)
        else:
            continue
        table.tell(Standing, private=True, order=order)


def face_event(table: Table, orders: Sequence[AnyOrder]) -> None:
    """An event that waits is cancelled as ordered, or takes effect. Source: GW15."""
    stops = of_kind(orders, StopEvent)
    if not table.now.waits:
        return
    table.enter("event", 1)
    for order in stops:
        if order.card in table.army(PLAYER).hand and table.stops_events(order.card):
            stop_event(table, PLAYER, order.card)
            return
    event_works(table)


def play_round(table: Table, orders: Sequence[AnyOrder], number: int) -> None:
    """The player's Combat Round. Source: GW-4.4, GW-13.1, GW3, GW4, GW5."""
    table.enter("round 2" if number == 2 else "round 1", number)
    before = len(table.army(PLAYER).row)
    strike = next((one for one in of_kind(orders, Strike) if one.number == number), None)
    order = next((one for one in of_kind(orders, Lay) if one.number == number), None)
    hand = _Hand(table)
    base = order.base if order else None
    if strike is not None:
        if base is not None:
            hand.skip("joker-is-base", base.card, joker=strike.joker)
            base = None
        hand.lay_base(Play(card=strike.joker, aims=(strike.aim,)))
    if base is not None:
        hand.lay_base(base)
    if order is not None:
        hand.lead(order)
        for play in order.plus:
            hand.add(play)
    if len(table.army(PLAYER).row) == before:
        table.tell(PassedRound, seat=PLAYER)
    told_totals(table)


def play_bonus(table: Table, orders: Sequence[AnyOrder]) -> None:
    """The player's Bonus phase: one card, or nothing. Source: GW30."""
    table.enter("bonus", 3)
    order = next(iter(of_kind(orders, BonusPlay)), None)
    if order is None or order.play is None:
        return
    hand = _Hand(table)
    one = order.play.card
    if not hand.holds(one) or hand.forbidden(one):
        return
    if "bonus_phase" not in table.card(one).timing:
        hand.skip("not-in-bonus", one)
        return
    wanted = order.led
    led = changed(wanted, wild=False) if wanted and hand.may_be_led_now(wanted.card) else None
    lay_bonus(table, PLAYER, order.play, led)


def blockade_aims(orders: Sequence[AnyOrder]) -> Mapping[CardId, str]:
    """What the player's blockades are to take."""
    return {
        play.card: play.aims[0] for order in of_kind(orders, Blockade) for play in order.plays if play.aims
    }


class _Hand:
    """The player's cards as they are laid."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def skip(self, code: str, one: CardId, **detail: str) -> None:
        """Tell that a card was left out, and why."""
        self.table.tell(LeftOut, private=True, code=code, detail={"card": one, **detail})

    def holds(self, one: CardId) -> bool:
        """Whether the card is in the hand; told if not."""
        if one in self.table.army(PLAYER).hand:
            return True
        self.skip("not-held", one)
        return False

    def forbidden(self, one: CardId) -> bool:
        """Whether an event forbids the card; told if so."""
        event = self.table.forbidden(one)
        if event is not None:
            self.skip("forbidden", one, event=event)
        return event is not None

    def _may(self, one: CardId) -> bool:
        if not self.holds(one) or self.forbidden(one):
            return False
        if self.table.barred(PLAYER, one):
            self.skip("barred", one)
        elif "round" not in self.table.card(one).timing:
            self.skip("not-in-round", one)
        else:
            return True
        return False

    def lay_base(self, play: Play) -> None:
        """The base of the Round."""
        if self._may(play.card):
            lay(self.table, PLAYER, play, "base")

    def lead(self, order: Lay) -> None:
        """What the base leads, if it is a leader that lies face-up."""
        if not order.led and order.helper is None:
            return
        table, leader = self.table, order.base.card if order.base else None
        row = table.army(PLAYER).row
        if leader is None or not any(
            one.card == leader and one.up and one.how == "base" and one.round == table.round for one in row
        ):
            for one in (*(play.card for play in order.led), *((order.helper,) if order.helper else ())):
                self.skip("no-leader", one)
            return
        allowed = leads(table, leader)
        if order.helper is not None and self._help(order.helper, leader):
            allowed = min(allowed + 1, solo().lead_cap.value)
        for number, play in enumerate(order.led):
            if number >= allowed:
                self.skip("led-too-many", play.card, leader=leader, allowed=str(allowed))
            elif self._may(play.card):
                if may_be_led(table, leader, play.card):
                    lay(table, PLAYER, changed(play, wild=False), "led", leader)
                else:
                    self.skip("not-led", play.card)

    def may_be_led_now(self, one: CardId) -> bool:
        """Whether a leader of an earlier Round may lead a card in the Bonus phase; told if not."""
        leader = idle_leader(self.table, PLAYER)
        if leader is None:
            self.skip("no-leader", one)
        elif self._may(one):
            if may_be_led(self.table, leader, one):
                return True
            self.skip("not-led", one)
        return False

    def _help(self, one: CardId, leader: CardId) -> bool:
        if not self.holds(one) or self.forbidden(one):
            return False
        if not is_helper(self.table, one):
            self.skip("no-helper", one)
            return False
        lay(self.table, PLAYER, Play(card=one), "with_leader", leader)
        return True

    def add(self, play: Play) -> None:
        """A card by a link, or a Joker as a wild one."""
        if not self._may(play.card):
            return
        table = self.table
        if play.wild:
            if table.wild(play.card) and any(one.up for one in table.army(PLAYER).row):
                lay(table, PLAYER, changed(play, aims=()), "plus")
            else:
                self.skip("no-wild", play.card)
            return
        host = table.host(PLAYER, play.card)
        if host is None:
            self.skip("no-host" if table.card(play.card).plus else "not-plus", play.card)
            return
        lay(table, PLAYER, play, "plus", host)
