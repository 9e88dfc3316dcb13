"""What a card does when it is laid, operation by operation. Source: GW-5.3, GW21, GW22, GW31."""

from games.great_war.components import CardId, Effect, Pile
from games.great_war.events import (
    CardLaid,
    Done,
    HandLost,
    HandLostCards,
    LeftOut,
    Peeked,
    Reinforced,
    ReinforcedWith,
)
from games.great_war.in_play import Table
from games.great_war.model import AI, BEST, NOTHING, PLAYER, How, Play, other
from games.protocol import Seat
from games.record import changed


def lay(
    table: Table,
    seat: Seat,
    play: Play,
    how: How,
    link: CardId | None = None,
) -> tuple[Done, ...]:
    """Lay a card and carry its effects out; what it did to other cards, in order.

    Its aims are the targets that its owner wants, the first for the first; BEST where he names none.
    """
    one = play.card
    place = len(table.events)
    table.put(seat, one, how, link)
    effects = _Effects(table, seat, play)
    guarded = table.guard is not None and table.is_leader(one) and table.round < 3
    stopped = guarded and table.guard is not None and table.guard(table, seat, one)
    for effect in () if stopped else table.card(one).effects:
        effects.carry_out(effect)
    # The card is told of before what came of it.
    bp = next(laid.bp for laid in reversed(table.army(seat).row) if laid.card == one)
    after = table.events[place:]
    del table.events[place:]
    link = link or effects.beside
    table.tell(CardLaid, seat=seat, card=one, how=how, bp=bp, link=link, done=tuple(effects.done))
    table.events += after
    return tuple(effects.done)


def lose_at_random(table: Table, seat: Seat, count: int, cause: CardId) -> None:
    """Cards leave a hand by lot for their discard piles; in a trial none does. Source: GW-8.1."""
    hand = table.book.in_order(table.army(seat).hand)
    count = min(count, len(hand))
    if table.dice is None or not count:
        return
    label = f"discard/{seat}/{cause}/{len(table.army(seat).row)}/{len(hand)}"
    lost = [hand[number - 1] for number in table.dice.draw(label, len(hand), count)]
    for one in lost:
        table.spend(seat, one, shown=False)
    table.tell(HandLost, seat=seat, count=count, cause=cause)
    if seat == PLAYER:
        table.tell(HandLostCards, private=True, cards=tuple(lost))


def reinforce(table: Table, seat: Seat, effect: Effect) -> None:
    """A side draws cards besides its hand; in a trial it does not."""
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
    """The effects of one card, as they are carried out."""

    def __init__(self, table: Table, seat: Seat, play: Play) -> None:
        self.table, self.seat, self.one = table, seat, play.card
        self.aims, self.wild = list(play.aims), play.wild
        self.done: list[Done] = []
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
                lose_at_random(self.table, seat, effect.n, self.one)
        elif effect.op == "draw":
            takers = (self.seat, other(self.seat)) if effect.who == "both" else (self.seat,)
            for seat in takers:
                reinforce(self.table, seat, effect)
        elif effect.op == "peek_hand" and self.seat == PLAYER and self.table.dice is not None:
            hand = self.table.book.in_order(self.table.army(AI).hand)
            self.table.tell(Peeked, private=True, by=self.one, cards=hand)
        elif effect.op == "wild_link":
            self._become_wild(effect)

    def _hit(self, effect: Effect) -> None:
        """One card is cancelled, discarded or turned up: the one aimed at, else the best."""
        found = self.table.targets(self.seat, self.one, effect)
        aim = self.aims.pop(0) if self.aims else BEST
        if aim == NOTHING or not found:
            if aim not in (NOTHING, BEST):
                self._missed(aim)
            return
        target = next((laid.card for laid in found if laid.card == aim), None)
        if target is None:
            target = found[0].card
            if aim != BEST:
                self._missed(aim)
        assert effect.op in ("cancel", "discard_in_play", "restore")
        if effect.op == "restore":
            self.table.turn(self.seat, target, up=True)
        elif effect.op == "cancel":
            self.table.turn(other(self.seat), target, up=False)
        else:
            self.table.take_off(other(self.seat), target)
        self.done.append(Done(op=effect.op, card=target))

    def _missed(self, aim: str) -> None:
        self.table.tell(LeftOut, private=True, code="no-target", detail={"card": self.one, "aim": aim})

    def _option(self, effect: Effect) -> tuple[Effect, ...]:
        """The option of a card that has several: as ordered, else the first that can do something."""
        if self.wild or self.aims:
            wanted = ("wild_link",) if self.wild else ("cancel", "discard_in_play")
            for option in effect.options:
                if any(one.op in wanted for one in option):
                    return option
        return next((option for option in effect.options if self._can(option)), ())

    def _can(self, option: tuple[Effect, ...]) -> bool:
        return any(self._works(effect) for effect in option)

    def _works(self, effect: Effect) -> bool:
        if effect.op in ("cancel", "discard_in_play", "restore"):
            return bool(self.table.targets(self.seat, self.one, effect))
        if effect.op == "discard_hand":
            return bool(self.table.army(other(self.seat)).hand)
        if effect.op == "wild_link":
            return self._beside() is not None
        return True

    def _beside(self) -> CardId | None:
        """Another face-up card of the side: what a wild Joker is added to."""
        row = self.table.army(self.seat).row
        found = self.table.ranked([laid for laid in row if laid.up and laid.card != self.one])
        return found[0].card if found else None

    def _become_wild(self, effect: Effect) -> None:
        self.beside = beside = self._beside()
        if beside is None:
            return
        row = list(self.table.army(self.seat).row)
        place = max(n for n, laid in enumerate(row) if laid.card == self.one)
        points = self.table.bp(self.one, effect.bp)
        row[place] = changed(row[place], bp=points, link=beside)
        self.table.set_army(self.seat, row=tuple(row))
