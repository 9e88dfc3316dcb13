"""The player's orders, carried out card by card without the parts that aren't possible. Source: GW44."""

from collections.abc import Sequence
from typing import TypeVar

from games.great_war.automaton import count_led, idle_leader, is_helper, lay_bonus_card, may_be_led
from games.great_war.components import CardId, solo
from games.great_war.decks import exchange_objection
from games.great_war.events import LeftOut, PassedRound, Standing
from games.great_war.model import (
    PLAYER,
    AnyOrder,
    BonusPlay,
    CardPlay,
    Exchange,
    Lay,
    Length,
    StopEvent,
    Strike,
)
from games.great_war.sequence import apply_event, stop_event, tell_totals
from games.great_war.working_state import WorkingState, lay_card
from games.record import replace_fields

OrderT = TypeVar("OrderT")


def of_kind(orders: Sequence[AnyOrder], kind: type[OrderT]) -> list[OrderT]:
    """Return the orders of one kind."""
    return [order for order in orders if isinstance(order, kind)]


def note_standing(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Save the standing orders: cards against leaders, the next hand, the length, and exchanges."""
    for order in orders:
        if isinstance(order, Exchange) and (objection := exchange_objection(table.now, order)) is not None:
            table.tell(LeftOut, private=True, code=objection.code, detail=objection.detail)
        elif (kept := order.keep(table.now)) is not None:
            table.now = kept
            if isinstance(order, Length) and table.now.stage == "length":
                continue  # the end of the Turn tells it
            table.tell(Standing, private=True, order=order)


def face_event(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Cancel a waiting event as ordered, otherwise let it take effect. Source: GW15."""
    stops = of_kind(orders, StopEvent)
    if not table.now.waits:
        return
    table.enter("event", 1)
    for order in stops:
        if order.card in table.army(PLAYER).hand and table.stops_events(order.card):
            stop_event(table, PLAYER, order.card)
            return
    apply_event(table)


def play_round(table: WorkingState, orders: Sequence[AnyOrder], number: int) -> None:
    """Play the player's Combat Round. Source: GW-4.4, GW-13.1, GW3, GW4, GW5."""
    table.enter("round 2" if number == 2 else "round 1", number)
    before = len(table.army(PLAYER).row)
    strike = next((candidate for candidate in of_kind(orders, Strike) if candidate.number == number), None)
    order = next((candidate for candidate in of_kind(orders, Lay) if candidate.number == number), None)
    hand = _PlayerHand(table)
    base = order.base if order else None
    if strike is not None:
        if base is not None:
            hand.tell_left_out("joker-is-base", base.card, joker=strike.joker)
            base = None
        hand.lay_base(CardPlay(card=strike.joker, aims=(strike.aim,)))
    if base is not None:
        hand.lay_base(base)
    if order is not None:
        hand.lead(order)
        for play in order.plus:
            hand.add(play)
    if len(table.army(PLAYER).row) == before:
        table.tell(PassedRound, seat=PLAYER)
    tell_totals(table)


def play_bonus(table: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Play the player's Bonus phase, which is one card or nothing. Source: GW30."""
    table.enter("bonus", 3)
    order = next(iter(of_kind(orders, BonusPlay)), None)
    if order is None or order.play is None:
        return
    hand = _PlayerHand(table)
    card_id = order.play.card
    if not hand.holds(card_id) or hand.is_forbidden(card_id):
        return
    if "bonus_phase" not in table.card(card_id).timing:
        hand.tell_left_out("not-in-bonus", card_id)
        return
    wanted = order.led
    led = replace_fields(wanted, wild=False) if wanted and hand.may_be_led_now(wanted.card) else None
    lay_bonus_card(table, PLAYER, order.play, led)


class _PlayerHand:
    """The player's cards while they are being played."""

    def __init__(self, table: WorkingState) -> None:
        self.table = table

    def tell_left_out(self, code: str, card_id: CardId, **detail: str) -> None:
        """Report that a card was left out, and why."""
        self.table.tell(LeftOut, private=True, code=code, detail={"card": card_id, **detail})

    def holds(self, card_id: CardId) -> bool:
        """Return whether the card is in the hand. If it isn't, report it."""
        if card_id in self.table.army(PLAYER).hand:
            return True
        self.tell_left_out("not-held", card_id)
        return False

    def is_forbidden(self, card_id: CardId) -> bool:
        """Return whether an event forbids the card. If so, report it."""
        event = self.table.forbidding_event(card_id)
        if event is not None:
            self.tell_left_out("forbidden", card_id, event=event)
        return event is not None

    def _may_play(self, card_id: CardId) -> bool:
        if not self.holds(card_id) or self.is_forbidden(card_id):
            return False
        if self.table.is_barred(PLAYER, card_id):
            self.tell_left_out("barred", card_id)
        elif "round" not in self.table.card(card_id).timing:
            self.tell_left_out("not-in-round", card_id)
        else:
            return True
        return False

    def lay_base(self, play: CardPlay) -> None:
        """Play the base of the Combat Round, if it is possible."""
        if self._may_play(play.card):
            lay_card(self.table, PLAYER, play, "base")

    def lead(self, order: Lay) -> None:
        """Play the cards that the base leads, if it is a face-up leader."""
        if not order.led and order.helper is None:
            return
        table, leader = self.table, order.base.card if order.base else None
        row = table.army(PLAYER).row
        if leader is None or not any(
            placed_card.card == leader
            and placed_card.up
            and placed_card.how == "base"
            and placed_card.round == table.round
            for placed_card in row
        ):
            for card_id in (*(play.card for play in order.led), *((order.helper,) if order.helper else ())):
                self.tell_left_out("no-leader", card_id)
            return
        allowed = count_led(table, leader)
        if order.helper is not None and self._play_helper(order.helper, leader):
            allowed = min(allowed + 1, solo().lead_cap.value)
        for number, play in enumerate(order.led):
            if number >= allowed:
                self.tell_left_out("led-too-many", play.card, leader=leader, allowed=str(allowed))
            elif self._may_play(play.card):
                if may_be_led(table, leader, play.card):
                    lay_card(table, PLAYER, replace_fields(play, wild=False), "led", leader)
                else:
                    self.tell_left_out("not-led", play.card)

    def may_be_led_now(self, card_id: CardId) -> bool:
        """Return whether an earlier leader may lead a card in the Bonus phase. If not, report it."""
        leader = idle_leader(self.table, PLAYER)
        if leader is None:
            self.tell_left_out("no-leader", card_id)
        elif self._may_play(card_id):
            if may_be_led(self.table, leader, card_id):
                return True
            self.tell_left_out("not-led", card_id)
        return False

    def _play_helper(self, card_id: CardId, leader: CardId) -> bool:
        if not self.holds(card_id) or self.is_forbidden(card_id):
            return False
        if not is_helper(self.table, card_id):
            self.tell_left_out("no-helper", card_id)
            return False
        lay_card(self.table, PLAYER, CardPlay(card=card_id), "with_leader", leader)
        return True

    def add(self, play: CardPlay) -> None:
        """Add a card by a link, or a Joker as a wild card."""
        if not self._may_play(play.card):
            return
        table = self.table
        if play.wild:
            if table.wild_points(play.card) and any(table_card.up for table_card in table.army(PLAYER).row):
                lay_card(table, PLAYER, replace_fields(play, aims=()), "plus")
            else:
                self.tell_left_out("no-wild", play.card)
            return
        host = table.host(PLAYER, play.card)
        if host is None:
            self.tell_left_out("no-host" if table.card(play.card).plus else "not-plus", play.card)
            return
        lay_card(table, PLAYER, play, "plus", host)
