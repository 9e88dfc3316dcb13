"""The legal orders of the player, card by card, with examples and the rows of his decision."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice

from games.great_war import legality, white_cards
from games.great_war.automaton import count_led, is_helper, may_be_led
from games.great_war.components import HIDDEN_CARD, LEADER, CardId, Effect, solo
from games.great_war.effects import lay_card
from games.great_war.formed import formation_orders
from games.great_war.model import (
    AI,
    PLAYER,
    AnyOrder,
    Begin,
    Blockade,
    BonusPlay,
    CardPlay,
    Draw,
    Exchange,
    ExchangePair,
    GuardLeader,
    HandSplit,
    Lay,
    Length,
    StopEvent,
    Strike,
    View,
)
from games.great_war.phrases import join_words
from games.great_war.scoring import in_reach
from games.great_war.working_state import WorkingState
from games.protocol import Seat
from games.protocol.optional import LegalOrder, UnlistedOrders
from games.record import replace_fields

OrdersInWords = Iterator[tuple[AnyOrder, str]]

_TAKING = ("cancel", "discard_in_play")
_MAX_SAMPLES = 3
"""So many ways to split a hand, and exchanges of a White card, are shown: there are dozens."""


def legal_orders(view: View, seat: Seat) -> Iterator[LegalOrder]:
    """Yield the legal orders of the present stage, for each card of the hand; then the standing ones."""
    for of, orders_in_words in _groups(view):
        for order, words in orders_in_words:
            if legality.objection(view, order) is None and not legality.find_left_out(view, _of_round(order)):
                yield LegalOrder(of=of, order=order, words=words)


def bases(view: View) -> tuple[CardId, ...]:
    """Return the cards of the hand that may be the base of the Round that is due, the highest first."""
    table = _table(view)
    card_ids = [card_id for card_id in _hand(view) if table.may_lay(PLAYER, card_id)]
    return tuple(sorted(card_ids, key=lambda card_id: (-table.bp(card_id), view.book.order[card_id])))


def addable_cards(view: View) -> tuple[CardId, ...]:
    """Return the cards of the hand that may be added by a link to what lies on the table."""
    table = _table(view)
    return tuple(
        card_id
        for card_id in _hand(view)
        if table.may_lay(PLAYER, card_id) and table.card(card_id).plus and table.host(PLAYER, card_id)
    )


def hosts_by_card(view: View) -> Mapping[CardId, tuple[CardId, ...]]:
    """Return for each card of the hand what it may be added to in the Round that is due.

    That is a base of the hand, or a card on the table.
    """
    hosts_found: dict[CardId, dict[CardId, None]] = {}
    for option in legal_orders(view, PLAYER):
        order = option.order
        if isinstance(order, Lay) and len(order.plus) == 1 and not order.plus[0].wild:
            added_one = order.plus[0].card
            host = order.base.card if order.base else _table(view).host(PLAYER, added_one)
            if host is not None:
                hosts_found.setdefault(added_one, {})[host] = None
    return {card_id: tuple(hosts) for card_id, hosts in hosts_found.items()}


def takeable_cards(view: View, card_id: CardId) -> tuple[CardId, ...]:
    """Return the enemy cards that a card would take out of play now, the best choice first."""
    table = _table(view)
    targets: dict[CardId, None] = {}
    for effect in flatten_effects(table.card(card_id).effects):
        if effect.op in _TAKING:
            targets |= dict.fromkeys(table_card.card for table_card in table.targets(PLAYER, card_id, effect))
    return tuple(targets)


def _table(view: View) -> WorkingState:
    table = WorkingState(view)
    table.enter("round 2" if view.round == 2 else "round 1", min(view.round, 2))
    return table


def flatten_effects(effects: Sequence[Effect]) -> Iterator[Effect]:
    """The effects of a card, those among its options included."""
    for effect in effects:
        yield effect
        for option in effect.options:
            yield from flatten_effects(option)


def _hand(view: View) -> tuple[CardId, ...]:
    return tuple(card_id for card_id in dict.fromkeys(view.armies[PLAYER].hand) if card_id != HIDDEN_CARD)


def _of_round(order: AnyOrder) -> list[AnyOrder]:
    return [order] if isinstance(order, Lay | Strike) else []


def _groups(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    book = view.book
    if view.stage in ("round 1", "round 2"):
        for card_id in _hand(view):
            yield book.full_name(card_id), _card_orders(view, card_id)
        yield "the Round", iter([(_lay(view), "nothing is laid")])
    elif view.stage == "bonus":
        for card_id in _hand(view):
            yield book.full_name(card_id), _bonus(view, card_id)
        yield "the Bonus phase", iter([(BonusPlay(), "nothing is laid")])
        yield "blockades", _blockades(view)
    elif view.stage == "set-up":
        yield "the beginning", iter([(Begin(), "the first Turn is dealt")])
    if view.stage not in ("bonus", "over"):
        yield from _standing(view)


def _lay(
    view: View, base: CardPlay | None = None, *, led: Sequence[CardId] = (), plus: CardPlay | None = None
) -> Lay:
    return Lay(
        role=view.role(PLAYER),
        number=2 if view.round == 2 else 1,
        base=base,
        led=tuple(CardPlay(card=card_id) for card_id in led),
        plus=(plus,) if plus else (),
    )


def _card_orders(view: View, card_id: CardId) -> OrdersInWords:
    """Yield what can be done with one card in a Combat Round."""
    table, book = _table(view), view.book
    yield _lay(view, CardPlay(card=card_id)), _as_base(view, card_id)
    for aim in takeable_cards(view, card_id):
        yield _lay(view, CardPlay(card=card_id, aims=(aim,))), f"the base of the Round, which takes out {aim}"
    yield (
        _lay(view, plus=CardPlay(card=card_id)),
        f"added to {table.host(PLAYER, card_id) or 'a card'} on the table",
    )
    yield (
        _lay(view, plus=CardPlay(card=card_id, wild=True)),
        f"added AS WILD to one of yours for {table.wild_points(card_id)}",
    )
    yield from _with(view, card_id)
    yield from _leader_orders(view, card_id)
    for table_card in view.armies[AI].row:
        number = 2 if view.round == 2 else 1
        yield (
            Strike(number=number, joker=card_id, aim=table_card.card),  # type: ignore[arg-type]
            f"the base of the Round: cancels {table_card.card}",
        )
    if view.event is not None:
        yield StopEvent(card=card_id), f"cancels the event {book.full_name(view.event)}"
    yield GuardLeader(cards=(card_id,)), "stands ready against a leader of the AI"


def _as_base(view: View, card_id: CardId) -> str:
    aims = takeable_cards(view, card_id)
    takes = f"; takes out {aims[0]}" if aims else ""
    return f"the base of the Round, {_table(view).bp(card_id)} BP{takes}"


def _with(view: View, base: CardId) -> OrdersInWords:
    """The base with each card that links to it alone."""
    if not _table(view).may_lay(PLAYER, base):
        return
    table = _table(view)
    lay_card(table, PLAYER, CardPlay(card=base), "base")
    for card_id in dict.fromkeys(table.army(PLAYER).hand):
        if table.host(PLAYER, card_id) == base:
            yield (
                _lay(view, CardPlay(card=base), plus=CardPlay(card=card_id)),
                f"the base, with {card_id} added to it",
            )


def _leader_orders(view: View, leader: CardId) -> OrdersInWords:
    """Yield a leader with each card that he leads, and with any card that lets him lead more."""
    table = _table(view)
    if not count_led(table, leader) or view.book[leader].kind != LEADER:
        return
    able = [card_id for card_id in _hand(view) if card_id != leader and may_be_led(table, leader, card_id)]
    for card_id in able:
        yield _lay(view, CardPlay(card=leader), led=(card_id,)), f"the base, a leader who leads {card_id}"
    for card_id in _hand(view):
        if is_helper(table, card_id):
            order = Lay(
                role=view.role(PLAYER),
                number=2 if view.round == 2 else 1,
                base=CardPlay(card=leader),
                helper=card_id,
            )
            yield order, f"the base, a leader, who leads one more by {card_id}"


def _bonus(view: View, card_id: CardId) -> OrdersInWords:
    yield BonusPlay(play=CardPlay(card=card_id)), "laid in the Bonus phase"
    for aim in takeable_cards(view, card_id):
        yield BonusPlay(play=CardPlay(card=card_id, aims=(aim,))), f"laid in the Bonus phase; takes out {aim}"


def _blockades(view: View) -> OrdersInWords:
    table = _table(view)
    for table_card in view.armies[PLAYER].row:
        if table_card.up and table.card(table_card.card).effect("blockade"):
            for aim in in_reach(table, PLAYER, table_card.card):
                order = Blockade(plays=(CardPlay(card=table_card.card, aims=(aim.card,)),))
                yield order, f"takes {aim.card} at the end of the Turn"


def _standing(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    yield "a leader of the AI", iter([(GuardLeader(), "nothing is kept ready against him any more")])
    yield "your next hand", ((split, "Neutral/Nationality/Bonus") for split in _splits(view)[:_MAX_SAMPLES])
    if view.turn <= solo().turns.short:
        lengths = (solo().turns.short, solo().turns.long)
        yield "the campaign", ((Length(turns=turns), f"it ends after Turn {turns}") for turns in lengths)
    if white_cards.may_name_exchanges(view):
        yield "exchanges", _exchanges(view)


def unlisted_orders(view: View) -> Iterator[UnlistedOrders]:
    """Yield the ways to split a hand, and the exchanges, beside those that are listed as samples."""
    if view.stage in ("bonus", "over") or HIDDEN_CARD in view.armies[PLAYER].hand:
        return
    if view.stage in ("round 1", "round 2"):
        yield from _formations(view)
        yield from _guards(view)
    hand = solo().human_hand
    named = (("neutral", "Neutral"), ("nationality", "Nationality"), ("bonus", "Bonus"))
    ends = [(getattr(hand.least, deck), getattr(hand.most, deck), title) for deck, title in named]
    ranges = [f"{low} {'or' if high - low == 1 else 'to'} {high} {title}" for low, high, title in ends]
    yield UnlistedOrders(
        of="your next hand",
        form="DRAW {neutral}/{nationality}/{bonus}",
        words=f"of {join_words(ranges)} cards, {solo().hand_size.value} together",
        orders=tuple(_splits(view)[_MAX_SAMPLES:]),
    )
    if white_cards.may_name_exchanges(view) and (others := tuple(_swaps(view))[_MAX_SAMPLES:]):
        yield UnlistedOrders(
            of="exchanges",
            form="EXCHANGE {white} FOR {card}",
            words="of one deck and rank",
            orders=others,
        )
    if white_cards.may_name_exchanges(view) and (pairs := tuple(_leaders(view))):
        yield UnlistedOrders(
            of="exchanges",
            form="EXCHANGE {white} FOR {leader} AND {other} FOR {enemy}",
            words="a leader of each side",
            orders=pairs,
        )


def _formations(view: View) -> Iterator[UnlistedOrders]:
    """Every Round of several cards that is not listed card by card."""
    aims = {card_id: takeable_cards(view, card_id) for card_id in _hand(view)}
    alone = [
        CardPlay(card=base, aims=some)
        for base in bases(view)
        for some in ((), *((aim,) for aim in aims[base]))
    ]
    starts = [order for order in map(partial(_lay, view), (None, *alone)) if _stands(view, order)]
    listed_ones = {option.order for option in legal_orders(view, PLAYER)}
    for group in formation_orders(view, starts, aims):
        orders = tuple(order for order in group.orders if order not in listed_ones)
        if orders:
            yield replace_fields(group, orders=orders)


def _stands(view: View, order: Lay) -> bool:
    return legality.objection(view, order) is None and not legality.find_left_out(view, [order])


def _guards(view: View) -> Iterator[UnlistedOrders]:
    """Several cards that stand ready together against a leader of the AI."""
    able = [
        card_id for card_id in _hand(view) if legality.objection(view, GuardLeader(cards=(card_id,))) is None
    ]
    words = f"of {join_words([str(card_id) for card_id in able])}"
    for size in range(2, len(able) + 1):
        form = f"CANCEL LEADER WITH {', '.join(['{card}'] * size)}"
        orders = tuple(GuardLeader(cards=some) for some in combinations(able, size))
        yield UnlistedOrders(of="a leader of the AI", form=form, words=words, orders=orders)


def _splits(view: View) -> list[Draw]:
    """Every way to split the next hand, those with one Bonus card first."""
    hand = solo().human_hand
    most = solo().hand_size.value
    bonus = sorted(
        range(hand.least.bonus, hand.most.bonus + 1), key=lambda count: count != hand.default.bonus
    )
    neutral = sorted(
        range(hand.least.neutral, hand.most.neutral + 1), key=lambda count: count != hand.default.neutral
    )
    orders = [
        Draw(parts=HandSplit(neutral=count, nationality=most - count - other, bonus=other))
        for other in bonus
        for count in neutral
    ]
    return [draw_order for draw_order in orders if legality.objection(view, draw_order) is None]


def _exchanges(view: View) -> OrdersInWords:
    for order in islice(_swaps(view), _MAX_SAMPLES):
        yield order, f"{view.book.full_name(order.pairs[0].white)} comes in"


def _swaps(view: View) -> Iterator[Exchange]:
    """Each White card by itself for each card that it may come in for."""
    for white, card_id in _alike(view):
        order = Exchange(pairs=(ExchangePair(white=white, for_=card_id),))
        if white_cards.exchange_objection(view, order) is None:
            yield order


def _leaders(view: View) -> Iterator[Exchange]:
    """A leader of each side for one of his own."""
    pairs = [(white, own_leader) for white, own_leader in _alike(view) if view.book[white].kind == LEADER]
    for (white, own_leader), (other, enemy) in combinations(pairs, 2):
        order = Exchange(
            pairs=(ExchangePair(white=white, for_=own_leader), ExchangePair(white=other, for_=enemy))
        )
        if white_cards.exchange_objection(view, order) is None:
            yield order


def _alike(view: View) -> Iterator[tuple[CardId, CardId]]:
    """White cards, with the red and blue ones of their deck and rank."""
    for white in view.spare:
        like = view.book[white]
        for card_id, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield white, card_id
