"""The effects of a card when it is played, by operation. Source: GW-5.3, GW21, GW22, GW31."""

from games.great_war.components import CardId, Effect, Pile
from games.great_war.events import (
    CardLaid,
    EffectDone,
    HandLost,
    HandLostCards,
    LeftOut,
    Peeked,
    Reinforced,
    ReinforcedWith,
)
from games.great_war.model import AI, BEST, NOTHING, PLAYER, CardPlay, How, other
from games.great_war.working_state import WorkingState
from games.protocol import Seat
from games.record import replace_fields


def lay_card(
    table: WorkingState,
    seat: Seat,
    play: CardPlay,
    how: How,
    link: CardId | None = None,
) -> tuple[EffectDone, ...]:
    """Play a card with its effects, and return the effects on other cards, in order.

    The aims of the play are the targets for its effects, in order. Without an aim, an effect takes the best
    target.
    """
    card_id = play.card
    place = len(table.events)
    table.put(seat, card_id, how, link)
    effects = _Effects(table, seat, play)
    guarded = table.guard is not None and table.is_leader(card_id) and table.round < 3
    stopped = guarded and table.guard is not None and table.guard(table, seat, card_id)
    for effect in () if stopped else table.card(card_id).effects:
        effects.carry_out(effect)
    # Reports name the card before its effects, so its event comes first.
    bp = next(table_card.bp for table_card in reversed(table.army(seat).row) if table_card.card == card_id)
    after = table.events[place:]
    del table.events[place:]
    link = link or effects.beside
    table.tell(CardLaid, seat=seat, card=card_id, how=how, bp=bp, link=link, done=tuple(effects.done))
    table.events += after
    return tuple(effects.done)


def discard_at_random(table: WorkingState, seat: Seat, count: int, cause: CardId) -> None:
    """Discard cards of a hand at random. In a trial, without dice, no card is discarded. Source: GW-8.1."""
    hand = table.book.in_order(table.army(seat).hand)
    count = min(count, len(hand))
    if table.dice is None or not count:
        return
    label = f"discard/{seat}/{cause}/{len(table.army(seat).row)}/{len(hand)}"
    lost = [hand[number - 1] for number in table.dice.draw(label, len(hand), count)]
    for card_id in lost:
        table.spend(seat, card_id, shown=False)
    table.tell(HandLost, seat=seat, count=count, cause=cause)
    if seat == PLAYER:
        table.tell(HandLostCards, private=True, cards=tuple(lost))


def reinforce(table: WorkingState, seat: Seat, effect: Effect) -> None:
    """Draw more cards for a side. In a trial, without dice, no card is drawn."""
    if table.dice is None:
        return
    pile: Pile = table.army(seat).nation
    if effect.pile in ("neutral", "bonus"):
        pile = effect.pile
    drawn = table.draw(pile, effect.n)
    table.set_army(seat, hand=table.book.in_order((*table.army(seat).hand, *drawn)))
    table.tell(Reinforced, seat=seat, pile=pile, count=len(drawn))
    if seat == PLAYER and drawn:
        table.tell(ReinforcedWith, private=True, cards=drawn)


class _Effects:
    """The effects of one card that is being played."""

    def __init__(self, table: WorkingState, seat: Seat, play: CardPlay) -> None:
        self.table, self.seat, self.card_id = table, seat, play.card
        self.aims, self.wild = list(play.aims), play.wild
        self.done: list[EffectDone] = []
        self.beside: CardId | None = None

    def carry_out(self, effect: Effect) -> None:
        if effect.op in ("cancel", "discard_in_play", "restore"):
            for _ in range(effect.n):
                self._hit(effect)
        elif effect.op == "choose":
            for chosen in self._option(effect):
                self.carry_out(chosen)
        elif effect.op == "discard_hand":
            losers = (self.seat, other(self.seat)) if effect.who == "both" else (other(self.seat),)
            for seat in losers:
                discard_at_random(self.table, seat, effect.n, self.card_id)
        elif effect.op == "draw":
            takers = (self.seat, other(self.seat)) if effect.who == "both" else (self.seat,)
            for seat in takers:
                reinforce(self.table, seat, effect)
        elif effect.op == "peek_hand" and self.seat == PLAYER and self.table.dice is not None:
            hand = self.table.book.in_order(self.table.army(AI).hand)
            self.table.tell(Peeked, private=True, by=self.card_id, cards=hand)
        elif effect.op == "wild_link":
            self._become_wild(effect)

    def _hit(self, effect: Effect) -> None:
        """Cancel, discard or restore one card: the target of the order, otherwise the best target."""
        targets = self.table.targets(self.seat, self.card_id, effect)
        aim = self.aims.pop(0) if self.aims else BEST
        if aim == NOTHING or not targets:
            if aim not in (NOTHING, BEST):
                self._tell_missed(aim)
            return
        target = next((table_card.card for table_card in targets if table_card.card == aim), None)
        if target is None:
            target = targets[0].card
            if aim != BEST:
                self._tell_missed(aim)
        assert effect.op in ("cancel", "discard_in_play", "restore")
        if effect.op == "restore":
            self.table.turn(self.seat, target, up=True)
        elif effect.op == "cancel":
            self.table.turn(other(self.seat), target, up=False)
        else:
            self.table.take_off(other(self.seat), target)
        self.done.append(EffectDone(op=effect.op, card=target))

    def _tell_missed(self, aim: str) -> None:
        self.table.tell(LeftOut, private=True, code="no-target", detail={"card": self.card_id, "aim": aim})

    def _option(self, effect: Effect) -> tuple[Effect, ...]:
        """Return an option of a card that has several: the ordered one, otherwise the first that works."""
        if self.wild or self.aims:
            wanted = ("wild_link",) if self.wild else ("cancel", "discard_in_play")
            for option in effect.options:
                if any(part.op in wanted for part in option):
                    return option
        return next((option for option in effect.options if any(map(self._effect_works, option))), ())

    def _effect_works(self, effect: Effect) -> bool:
        if effect.op in ("cancel", "discard_in_play", "restore"):
            return bool(self.table.targets(self.seat, self.card_id, effect))
        if effect.op == "discard_hand":
            return bool(self.table.army(other(self.seat)).hand)
        if effect.op == "wild_link":
            return self._beside() is not None
        return True

    def _beside(self) -> CardId | None:
        """Return the best other face-up card of the side, which a wild Joker is added to, or None."""
        row = self.table.army(self.seat).row
        others = self.table.rank_cards(
            [table_card for table_card in row if table_card.up and table_card.card != self.card_id]
        )
        return others[0].card if others else None

    def _become_wild(self, effect: Effect) -> None:
        self.beside = beside = self._beside()
        if beside is None:
            return
        row = list(self.table.army(self.seat).row)
        place = max(n for n, table_card in enumerate(row) if table_card.card == self.card_id)
        points = self.table.bp(self.card_id, effect.bp)
        row[place] = replace_fields(row[place], bp=points, link=beside)
        self.table.set_army(self.seat, row=tuple(row))
