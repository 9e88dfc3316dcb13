"""A position while cards are laid: the one thing in this package that changes.

Both sides lay by the same means. Without dice it is a trial: what is left to chance does not happen.
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
    fits,
    meta,
    solo,
)
from games.great_war.events import AnyEvent, Phase, Tale
from games.great_war.model import AI, PLAYER, Army, How, Laid, Stack, State, other
from games.protocol import Seat
from games.record import changed, plain

T = TypeVar("T", bound=Tale)

_PHASES: dict[str, Phase] = {"round 1": "round 1", "round 2": "round 2"}


Guard = Callable[["Table", Seat, CardId], bool]
"""What the enemy does as a leader of a side is laid; whether that cancelled it."""


class Table:
    """The state as it stands now, and what has happened so far. phase: under which it is told.

    guard: asked whenever a leader is laid in a Combat Round; None: nobody reacts.
    """

    def __init__(self, state: State, dice: Dice | None = None, phase: Phase = "round 1") -> None:
        self.now = state
        self.dice = dice
        self.phase: Phase = phase
        self.round = 3 if phase in ("bonus", "end") else 1 if phase != "round 2" else 2
        self.events: list[AnyEvent] = []
        self.book = state.book
        self.guard: Guard | None = None

    # What there is.

    def army(self, seat: Seat) -> Army:
        """A side."""
        return self.now.armies[seat]

    def card(self, one: CardId) -> Card:
        """A card."""
        return self.book[one]

    def trial(self) -> "Table":
        """The same position to try things out on."""
        copy = Table(self.now, None, self.phase)
        copy.round = self.round
        return copy

    def enter(self, phase: Phase, number: int) -> None:
        """Go on to another part of the Turn. number: of the Combat Round; 3 for what comes after."""
        self.phase, self.round = phase, number

    # What is allowed.

    def bp(self, one: CardId, printed: int | None = None) -> int:
        """The Battle Points that a card would have if it were laid now, never below 0. Source: GW43."""
        card = self.card(one)
        points = card.bp if printed is None else printed
        for event in self.now.force:
            for effect in self.card(event).effects:
                if effect.op == "bp_mod" and fits(card, effect.target):
                    points += effect.delta
        return max(points, 0)

    def forbidden(self, one: CardId) -> CardId | None:
        """The event that forbids a card to be laid now."""
        for event in self.now.force:
            bans = [effect for effect in self.card(event).effects if effect.op == "forbid"]
            lasting = [ban for ban in bans if ban.scope == "turn" or self.round == 1]
            if any(fits(self.card(one), ban.target) for ban in lasting):
                return event
        return None

    def barred(self, seat: Seat, one: CardId) -> bool:
        """Whether an Attacker may not lay that. Source: GW6."""
        return self.now.attacker == seat and self.card(one).kind in solo().attacker_barred.kinds

    def may_lay(self, seat: Seat, one: CardId) -> bool:
        """Whether nothing forbids a side to lay a card in a Combat Round."""
        return "round" in self.card(one).timing and self.forbidden(one) is None and not self.barred(seat, one)

    def host(self, seat: Seat, one: CardId, laid_as: Collection[How] = ()) -> CardId | None:
        """The face-up card of one's own that a Plus card is added to, the highest first. Source: GW5.

        laid_as: of cards laid in these ways alone; (): in any.
        """
        hosts = self.book.hosts.get(one, frozenset())
        found = [
            laid
            for laid in self.army(seat).row
            if laid.up and laid.card in hosts and (not laid_as or laid.how in laid_as)
        ]
        return self.ranked(found)[0].card if found else None

    def ranked(self, found: list[Laid]) -> list[Laid]:
        """Cards on the table, the highest current Battle Points first, then in card order. Source: GW21."""
        return sorted(found, key=lambda laid: (-laid.bp, self.book.order[laid.card]))

    def targets(self, seat: Seat, source: CardId, effect: Effect) -> list[Laid]:
        """What an effect of a side's card can take or turn up, the best first."""
        if effect.op == "restore":
            down = [laid for laid in self.army(seat).row if not laid.up]
            return self.ranked([laid for laid in down if fits(self.card(laid.card), effect.target)])
        found = [
            laid
            for laid in self.army(other(seat)).row
            if laid.up and fits(self.card(laid.card), effect.target) and not self.is_immune(laid.card, source)
        ]
        return self.ranked(found)

    def is_immune(self, one: CardId, source: CardId) -> bool:
        """Whether a card is proof against another."""
        immune = self.card(one).effect("immune")
        return immune is not None and not fits(self.card(source), immune.excepted)

    def takes(self, seat: Seat, one: CardId) -> int | None:
        """The Battle Points of the enemy card that a card would take out of play now; None: it takes none."""
        for effect in self._flat(self.card(one).effects):
            if effect.op in ("cancel", "discard_in_play") and (found := self.targets(seat, one, effect)):
                return found[0].bp
        return None

    def stops_leaders(self, one: CardId) -> bool:
        """Whether a card can be spent to cancel a leader as it is laid. Source: GW-6.1."""
        card = self.card(one)
        return "react_leader" in card.timing and any(
            effect.op in ("cancel", "discard_in_play")
            and any(fits(leader, effect.target) for leader in self.book.leaders)
            for effect in self._flat(card.effects)
        )

    def stops_events(self, one: CardId) -> bool:
        """Whether a card can be spent to cancel a Random Event."""
        card = self.card(one)
        return "event_response" in card.timing and card.effect("cancel_event") is not None

    def wild(self, one: CardId) -> int:
        """The Battle Points of a Joker that is laid as a Plus card; 0: it cannot be."""
        flat = self._flat(self.card(one).effects)
        return next((effect.bp for effect in flat if effect.op == "wild_link"), 0)

    def is_leader(self, one: CardId) -> bool:
        """Whether it is a Jack."""
        return LEADER in self.card(one).tags

    def is_joker(self, one: CardId) -> bool:
        """Whether it is a Joker."""
        return JOKER in self.card(one).tags

    def _flat(self, effects: tuple[Effect, ...]) -> list[Effect]:
        found: list[Effect] = []
        for effect in effects:
            found.append(effect)
            for option in effect.options:
                found += self._flat(option)
        return found

    # What changes it.

    def set(self, **fields: Any) -> None:
        """Change fields of the state."""
        self.now = changed(self.now, **fields)

    def set_army(self, seat: Seat, **fields: Any) -> None:
        """Change fields of a side."""
        self.now = self.now.with_army(seat, changed(self.army(seat), **fields))

    def tell(self, kind: type[AnyEvent], *, private: bool = False, **fields: Any) -> None:
        """Note what has happened. private: for the player's eyes only."""
        seen = frozenset({PLAYER}) if private else None
        event = kind(seen_by=seen, turn=self.now.turn, phase=self.phase, **fields)
        said = set(_texts(plain(event))) if self.now.changes else set()
        names = {card.id: card.name for card in self.now.changes if card.id in said}
        self.events.append(changed(event, names=names) if names else event)

    def put(
        self, seat: Seat, one: CardId, how: How, link: CardId | None = None, bp: int | None = None
    ) -> None:
        """A card goes from its side's hand into its row; its Battle Points are fixed."""
        army = self.army(seat)
        laid = Laid(card=one, bp=self.bp(one, bp), round=self.round, how=how, link=link)
        self.set_army(seat, hand=without(army.hand, one), row=(*army.row, laid))
        if seat == AI:
            self.set(laid=(*self.now.laid, one))

    def turn(self, seat: Seat, one: CardId, *, up: bool) -> None:
        """A card of a row is turned over."""
        row = list(self.army(seat).row)
        place = next(n for n, laid in enumerate(row) if laid.card == one and laid.up != up)
        row[place] = changed(row[place], up=up)
        self.set_army(seat, row=tuple(row))

    def take_off(self, seat: Seat, one: CardId, *, shown: bool = True) -> None:
        """A face-up card leaves its row for its discard pile."""
        row = list(self.army(seat).row)
        row.remove(next(laid for laid in row if laid.card == one and laid.up))
        self.set_army(seat, row=tuple(row))
        if seat == PLAYER:
            self.set(lost=(*self.now.lost, one))
        self.discard(one, shown=shown)

    def spend(self, seat: Seat, one: CardId, *, shown: bool = True) -> None:
        """A card leaves a hand for its discard pile."""
        self.set_army(seat, hand=without(self.army(seat).hand, one))
        self.discard(one, shown=shown)

    def discard(self, one: CardId, *, shown: bool = True) -> None:
        """A card comes on its discard pile, or back among those set aside. Source: GW41."""
        if one in meta()["set_aside_solo"]:
            self.set(aside=self.book.in_order((*self.now.aside, one)))
            return
        pile = self.now.pile_of(one)
        stack = self.now.piles.get(pile, Stack())
        stack = changed(stack, discards=(*stack.discards, one), shown=shown)
        self.set(piles={**self.now.piles, pile: stack})

    def draw(self, pile: Pile, count: int) -> tuple[CardId, ...]:
        """Cards from the top of a deck, fewer where no more are left; an empty one is built again first.

        A nation of which none is left is noted as exhausted. Source: GW37.
        """
        drawn: list[CardId] = []
        while len(drawn) < count:
            stack = self.now.piles.get(pile, Stack())
            if not stack.deck:
                if not stack.discards or self.dice is None:
                    break
                stack = Stack(deck=self.shuffled(pile, self.book.in_order(stack.discards)))
            drawn.append(stack.deck[0])
            stack = changed(stack, deck=stack.deck[1:])
            self.set(piles={**self.now.piles, pile: stack})
        if len(drawn) < count and pile in NATIONS and self.dice is not None:
            self.set(exhausted=pile)
        return tuple(drawn)

    def shuffled(self, pile: Pile, cards: tuple[CardId, ...]) -> tuple[CardId, ...]:
        """Cards in a random order. There must be dice."""
        assert self.dice is not None, "a trial has no chance in it"
        self.set(shuffles=self.now.shuffles + 1)
        return self.dice.shuffle(f"shuffle/{pile}/{self.now.shuffles}", cards)


def _texts(value: Any) -> Iterator[str]:
    """Every text inside a plain value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def without(cards: tuple[CardId, ...], one: CardId) -> tuple[CardId, ...]:
    """Cards with one copy of a card less."""
    place = cards.index(one)
    return cards[:place] + cards[place + 1 :]
