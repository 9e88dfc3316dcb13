"""A position while cards are played, the only mutable object in this package, and what each card does.

Both sides play cards by the same functions. Without dice it is a trial, and random effects don't happen.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any, TypeVar

from games.dice import Dice
from games.great_war.components import (
    JOKER,
    LEADER,
    NATIONS,
    Card,
    CardId,
    Effect,
    Pile,
    card_list_facts,
    fits,
    solo,
)
from games.great_war.events import (
    AnyEvent,
    CardLaid,
    EffectDone,
    HandLost,
    HandLostCards,
    LeftOut,
    Peeked,
    Phase,
    Reinforced,
    ReinforcedWith,
    TurnEvent,
)
from games.great_war.model import (
    AI,
    BEST,
    NOTHING,
    PLAYER,
    Army,
    CardPlay,
    How,
    Stack,
    State,
    TableCard,
    other,
)
from games.protocol import Seat
from games.record import plain, replace_fields

TurnEventT = TypeVar("TurnEventT", bound=TurnEvent)

_PHASE_BY_STAGE: dict[str, Phase] = {"round 1": "round 1", "round 2": "round 2"}


Guard = Callable[["WorkingState", Seat, CardId], bool]
"""Lets the enemy react when a side plays a leader, and returns whether the leader was cancelled."""


class WorkingState:
    """The present state, and the events so far. phase: the part of the Turn for new events.

    guard: called when a leader is played in a Combat Round. If it is None, there is no reaction.
    """

    def __init__(self, state: State, dice: Dice | None = None, phase: Phase = "round 1") -> None:
        self.now = state
        self.dice = dice
        self.phase: Phase = phase
        self.round = 3 if phase in ("bonus", "end") else 1 if phase != "round 2" else 2
        self.events: list[AnyEvent] = []
        self.book = state.book
        self.guard: Guard | None = None

    # The present state.

    def army(self, seat: Seat) -> Army:
        """Return a side."""
        return self.now.armies[seat]

    def card(self, card_id: CardId) -> Card:
        """Return a card."""
        return self.book[card_id]

    def trial(self) -> "WorkingState":
        """Return a copy of this position for trials."""
        copy = WorkingState(self.now, None, self.phase)
        copy.round = self.round
        return copy

    def enter(self, phase: Phase, number: int) -> None:
        """Begin another part of the Turn. number: its Combat Round, or 3 after both."""
        self.phase, self.round = phase, number

    # Rules for plays.

    def bp(self, card_id: CardId, printed: int | None = None) -> int:
        """Return the Battle Points of a card if it were played now, which are never below 0. Source: GW43."""
        card = self.card(card_id)
        points = card.bp if printed is None else printed
        for event in self.now.force:
            for effect in self.card(event).effects:
                if effect.op == "bp_mod" and fits(card, effect.target):
                    points += effect.delta
        return max(points, 0)

    def forbidding_event(self, card_id: CardId) -> CardId | None:
        """Return the event that forbids a card now, or None."""
        for event in self.now.force:
            bans = [effect for effect in self.card(event).effects if effect.op == "forbid"]
            lasting = [ban for ban in bans if ban.scope == "turn" or self.round == 1]
            if any(fits(self.card(card_id), ban.target) for ban in lasting):
                return event
        return None

    def is_barred(self, seat: Seat, card_id: CardId) -> bool:
        """Return whether a side is the Attacker and therefore can't play the card. Source: GW6."""
        return self.now.attacker == seat and self.card(card_id).kind in solo().attacker_barred.kinds

    def may_lay(self, seat: Seat, card_id: CardId) -> bool:
        """Return whether a side can play a card in a Combat Round."""
        return (
            "round" in self.card(card_id).timing
            and self.forbidding_event(card_id) is None
            and not self.is_barred(seat, card_id)
        )

    def host(self, seat: Seat, card_id: CardId, laid_as: Collection[How] = ()) -> CardId | None:
        """Return the side's highest face-up card that a Plus card can be added to, or None. Source: GW5.

        laid_as: if not empty, only cards played in these ways can be the host.
        """
        hosts = self.book.hosts.get(card_id, frozenset())
        candidates = [
            table_card
            for table_card in self.army(seat).row
            if table_card.up and table_card.card in hosts and (not laid_as or table_card.how in laid_as)
        ]
        return self.rank_cards(candidates)[0].card if candidates else None

    def rank_cards(self, cards: list[TableCard]) -> list[TableCard]:
        """Return cards on the table, the highest current Battle Points first, then in card order.

        Source: GW21.
        """
        return sorted(cards, key=lambda table_card: (-table_card.bp, self.book.order[table_card.card]))

    def targets(self, seat: Seat, source: CardId, effect: Effect) -> list[TableCard]:
        """Return the possible targets of an effect of a side's card, the best first."""
        if effect.op == "restore":
            down = [table_card for table_card in self.army(seat).row if not table_card.up]
            return self.rank_cards(
                [table_card for table_card in down if fits(self.card(table_card.card), effect.target)]
            )
        candidates = [
            table_card
            for table_card in self.army(other(seat)).row
            if table_card.up
            and fits(self.card(table_card.card), effect.target)
            and not self.is_immune(table_card.card, source)
        ]
        return self.rank_cards(candidates)

    def is_immune(self, card_id: CardId, source: CardId) -> bool:
        """Return whether a card is immune to another card."""
        immune = self.card(card_id).effect("immune")
        return immune is not None and not fits(self.card(source), immune.excepted)

    def taken_points(self, seat: Seat, card_id: CardId) -> int | None:
        """Return the Battle Points of the enemy card that a card would take out of play now, or None."""
        for effect in self._flat(self.card(card_id).effects):
            if effect.op in ("cancel", "discard_in_play") and (
                targets := self.targets(seat, card_id, effect)
            ):
                return targets[0].bp
        return None

    def stops_leaders(self, card_id: CardId) -> bool:
        """Return whether a card can be spent to cancel a leader when it is played. Source: GW-6.1."""
        card = self.card(card_id)
        return "react_leader" in card.timing and any(
            effect.op in ("cancel", "discard_in_play")
            and any(fits(leader, effect.target) for leader in self.book.leaders)
            for effect in self._flat(card.effects)
        )

    def stops_events(self, card_id: CardId) -> bool:
        """Return whether a card can be spent to cancel a Random Event."""
        card = self.card(card_id)
        return "event_response" in card.timing and card.effect("cancel_event") is not None

    def wild_points(self, card_id: CardId) -> int:
        """Return the Battle Points of a Joker as a wild Plus card, or 0 if it can't be one."""
        flat = self._flat(self.card(card_id).effects)
        return next((effect.bp for effect in flat if effect.op == "wild_link"), 0)

    def is_leader(self, card_id: CardId) -> bool:
        """Return whether the card is a Jack."""
        return LEADER in self.card(card_id).tags

    def is_joker(self, card_id: CardId) -> bool:
        """Return whether the card is a Joker."""
        return JOKER in self.card(card_id).tags

    def _flat(self, effects: tuple[Effect, ...]) -> list[Effect]:
        flat: list[Effect] = []
        for effect in effects:
            flat.append(effect)
            for option in effect.options:
                flat += self._flat(option)
        return flat

    # Changes of the state.

    def set(self, **fields: Any) -> None:
        """Change fields of the state."""
        self.now = replace_fields(self.now, **fields)

    def set_army(self, seat: Seat, **fields: Any) -> None:
        """Change fields of a side."""
        self.now = self.now.with_army(seat, replace_fields(self.army(seat), **fields))

    def tell(self, kind: type[AnyEvent], *, private: bool = False, **fields: Any) -> None:
        """Add an event. private: only the player sees it."""
        seen = frozenset({PLAYER}) if private else None
        event = kind(seen_by=seen, turn=self.now.turn, phase=self.phase, **fields)
        texts = set(_texts(plain(event))) if self.now.changes else set()
        names = {card.id: card.name for card in self.now.changes if card.id in texts}
        self.events.append(replace_fields(event, names=names) if names else event)

    def put(
        self, seat: Seat, card_id: CardId, how: How, link: CardId | None = None, bp: int | None = None
    ) -> None:
        """Move a card from its side's hand to its row, and fix its Battle Points."""
        army = self.army(seat)
        table_card = TableCard(card=card_id, bp=self.bp(card_id, bp), round=self.round, how=how, link=link)
        self.set_army(seat, hand=without(army.hand, card_id), row=(*army.row, table_card))
        if seat == AI:
            self.set(laid=(*self.now.laid, card_id))

    def turn(self, seat: Seat, card_id: CardId, *, up: bool) -> None:
        """Turn over a card of a row."""
        row = list(self.army(seat).row)
        place = next(
            n for n, table_card in enumerate(row) if table_card.card == card_id and table_card.up != up
        )
        row[place] = replace_fields(row[place], up=up)
        self.set_army(seat, row=tuple(row))

    def take_off(self, seat: Seat, card_id: CardId, *, shown: bool = True) -> None:
        """Move a face-up card from its row to its discard pile."""
        row = list(self.army(seat).row)
        row.remove(next(table_card for table_card in row if table_card.card == card_id and table_card.up))
        self.set_army(seat, row=tuple(row))
        if seat == PLAYER:
            self.set(lost=(*self.now.lost, card_id))
        self.discard(card_id, shown=shown)

    def spend(self, seat: Seat, card_id: CardId, *, shown: bool = True) -> None:
        """Move a card from a hand to its discard pile."""
        self.set_army(seat, hand=without(self.army(seat).hand, card_id))
        self.discard(card_id, shown=shown)

    def discard(self, card_id: CardId, *, shown: bool = True) -> None:
        """Put a card on its discard pile, or back among the set-aside cards. Source: GW41."""
        if card_id in card_list_facts()["set_aside_solo"]:
            self.set(aside=self.book.in_order((*self.now.aside, card_id)))
            return
        pile = self.now.pile_of(card_id)
        stack = self.now.piles.get(pile, Stack())
        stack = replace_fields(stack, discards=(*stack.discards, card_id), shown=shown)
        self.set(piles={**self.now.piles, pile: stack})

    def draw(self, pile: Pile, count: int) -> tuple[CardId, ...]:
        """Return cards from the top of a deck. If the deck is empty, its discards are shuffled first.

        If no cards are left, there are fewer cards, and the nation of the deck is exhausted. Source: GW37.
        """
        drawn: list[CardId] = []
        while len(drawn) < count:
            stack = self.now.piles.get(pile, Stack())
            if not stack.deck:
                if not stack.discards or self.dice is None:
                    break
                stack = Stack(deck=self.shuffle_cards(pile, self.book.in_order(stack.discards)))
            drawn.append(stack.deck[0])
            stack = replace_fields(stack, deck=stack.deck[1:])
            self.set(piles={**self.now.piles, pile: stack})
        if len(drawn) < count and pile in NATIONS and self.dice is not None:
            self.set(exhausted=pile)
        return tuple(drawn)

    def shuffle_cards(self, pile: Pile, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """Return cards in a random order. It needs dice."""
        assert self.dice is not None, "a trial has no chance in it"
        self.set(shuffles=self.now.shuffles + 1)
        return self.dice.shuffle(f"shuffle/{pile}/{self.now.shuffles}", cards)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text inside a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def without(cards: tuple[CardId, ...], card_id: CardId) -> tuple[CardId, ...]:
    """Return cards without one copy of a card."""
    place = cards.index(card_id)
    return cards[:place] + cards[place + 1 :]


# The effects of a card when it is played, by operation. Source: GW-5.3, GW21, GW22, GW31.


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
