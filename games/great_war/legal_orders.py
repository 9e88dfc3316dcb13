"""The legal orders of the player, card by card, with examples and the rows of the decision table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice
from typing import Literal

from games.great_war import decks, legality
from games.great_war.automaton import count_led, is_helper, may_be_led
from games.great_war.components import HIDDEN_CARD, LEADER, CardId, Effect, solo
from games.great_war.model import (
    AI,
    BEST,
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
from games.great_war.phrases import effects_text, list_items
from games.great_war.scoring import in_reach
from games.great_war.working_state import WorkingState, lay_card
from games.language import join_list
from games.messages import sentence
from games.order_kinds import list_legal
from games.protocol import LegalOrder, UnlistedOrders
from games.record import replace_fields

OrdersInWords = Iterator[tuple[AnyOrder, str]]

HAND = "hand"
"""The holder of the cards of the hand in `place_name`."""

_TAKING = ("cancel", "discard_in_play")
_MAX_SAMPLES = 3
"""The number of hand splits and exchanges that are listed. There are dozens of each."""


def legal_orders(view: View) -> Iterator[LegalOrder]:
    """Return the legal orders of the present stage for each card of the hand, then the standing orders."""

    def is_legal(order: AnyOrder) -> bool:
        played = [order] if isinstance(order, Lay | Strike) else []
        return legality.objection(view, order) is None and not legality.find_left_out(view, played)

    return list_legal(_groups(view), is_legal)


def bases(view: View) -> tuple[CardId, ...]:
    """Return the cards of the hand that can be the base of the present Combat Round, the highest first."""
    table = _trial(view)
    card_ids = [card_id for card_id in _hand(view) if table.may_lay(PLAYER, card_id)]
    return tuple(sorted(card_ids, key=lambda card_id: (-table.bp(card_id), view.book.order[card_id])))


def addable_cards(view: View) -> tuple[CardId, ...]:
    """Return the cards of the hand that can be added to cards on the table by a link."""
    table = _trial(view)
    return tuple(
        card_id
        for card_id in _hand(view)
        if table.may_lay(PLAYER, card_id) and table.card(card_id).plus and table.host(PLAYER, card_id)
    )


def hosts_by_card(view: View) -> Mapping[CardId, tuple[CardId, ...]]:
    """Return, for each card of the hand, the cards it can be added to in the present Combat Round.

    These are bases from the hand, or cards on the table.
    """
    hosts_found: dict[CardId, dict[CardId, None]] = {}
    for option in legal_orders(view):
        order = option.order
        if isinstance(order, Lay) and len(order.plus) == 1 and not order.plus[0].wild:
            added_one = order.plus[0].card
            host = order.base.card if order.base else _trial(view).host(PLAYER, added_one)
            if host is not None:
                hosts_found.setdefault(added_one, {})[host] = None
    return {card_id: tuple(hosts) for card_id, hosts in hosts_found.items()}


def takeable_cards(view: View, card_id: CardId) -> tuple[CardId, ...]:
    """Return the enemy cards that a card would take out of play now, the best choice first."""
    table = _trial(view)
    targets: dict[CardId, None] = {}
    for effect in flatten_effects(table.card(card_id).effects):
        if effect.op in _TAKING:
            targets |= dict.fromkeys(table_card.card for table_card in table.targets(PLAYER, card_id, effect))
    return tuple(targets)


def _trial(view: View) -> WorkingState:
    table = WorkingState(view)
    table.enter("round 2" if view.round == 2 else "round 1", min(view.round, 2))
    return table


def flatten_effects(effects: Sequence[Effect]) -> Iterator[Effect]:
    """Yield the effects of a card, including those in its options."""
    for effect in effects:
        yield effect
        for option in effect.options:
            yield from flatten_effects(option)


def _hand(view: View) -> tuple[CardId, ...]:
    return tuple(card_id for card_id in dict.fromkeys(view.armies[PLAYER].hand) if card_id != HIDDEN_CARD)


def _groups(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    book = view.book
    if view.stage in ("round 1", "round 2"):
        for card_id in _hand(view):
            yield book.full_name(card_id), _card_orders(view, card_id)
        yield (
            sentence("great_war.orders.round"),
            iter([(_lay_order(view), sentence("great_war.orders.no_card"))]),
        )
    elif view.stage == "bonus":
        for card_id in _hand(view):
            yield book.full_name(card_id), _bonus_orders(view, card_id)
        yield sentence("great_war.orders.bonus"), iter([(BonusPlay(), sentence("great_war.orders.no_card"))])
        yield sentence("great_war.orders.blockades"), _blockade_orders(view)
    elif view.stage == "set-up":
        yield sentence("great_war.orders.beginning"), iter([(Begin(), sentence("great_war.orders.begin"))])
    if view.stage not in ("bonus", "over"):
        yield from _standing_orders(view)


def _lay_order(
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
    """Yield the legal uses of one card in a Combat Round."""
    table, book = _trial(view), view.book
    targets = takeable_cards(view, card_id)
    base = {"points": table.bp(card_id), "target": next(iter(targets), "")}
    slug = "great_war.orders.base_takes" if targets else "great_war.orders.base"
    yield _lay_order(view, CardPlay(card=card_id)), sentence(slug, **base)
    for target in targets:
        order = _lay_order(view, CardPlay(card=card_id, aims=(target,)))
        yield order, sentence("great_war.orders.base_aimed", target=target)
    if (host := table.host(PLAYER, card_id)) is not None:
        yield _lay_order(view, plus=CardPlay(card=card_id)), sentence("great_war.orders.added", host=host)
    yield (
        _lay_order(view, plus=CardPlay(card=card_id, wild=True)),
        sentence("great_war.orders.added_wild", points=table.wild_points(card_id)),
    )
    yield from _linked_orders(view, card_id)
    yield from _leader_orders(view, card_id)
    for table_card in view.armies[AI].row:
        number = 2 if view.round == 2 else 1
        yield (
            Strike(number=number, joker=card_id, aim=table_card.card),  # type: ignore[arg-type]
            sentence("great_war.orders.strike", target=table_card.card),
        )
    if view.event is not None:
        event = book.full_name(view.event)
        yield StopEvent(card=card_id), sentence("great_war.orders.stop_event", event=event)
    yield GuardLeader(cards=(card_id,)), sentence("great_war.orders.guard")


def _linked_orders(view: View, base: CardId) -> OrdersInWords:
    """Yield a base with each single card that links to it."""
    if not _trial(view).may_lay(PLAYER, base):
        return
    table = _trial(view)
    lay_card(table, PLAYER, CardPlay(card=base), "base")
    for card_id in dict.fromkeys(table.army(PLAYER).hand):
        if table.host(PLAYER, card_id) == base:
            yield (
                _lay_order(view, CardPlay(card=base), plus=CardPlay(card=card_id)),
                sentence("great_war.orders.base_with", card=card_id),
            )


def _leader_orders(view: View, leader: CardId) -> OrdersInWords:
    """Yield a leader with each card it leads, and with each card that lets it lead one more."""
    table = _trial(view)
    if not count_led(table, leader) or view.book[leader].kind != LEADER:
        return
    able = [card_id for card_id in _hand(view) if card_id != leader and may_be_led(table, leader, card_id)]
    for card_id in able:
        order = _lay_order(view, CardPlay(card=leader), led=(card_id,))
        yield order, sentence("great_war.orders.leads", card=card_id)
    for card_id in _hand(view):
        if is_helper(table, card_id):
            order = Lay(
                role=view.role(PLAYER),
                number=2 if view.round == 2 else 1,
                base=CardPlay(card=leader),
                helper=card_id,
            )
            yield order, sentence("great_war.orders.leads_more", card=card_id)


def _bonus_orders(view: View, card_id: CardId) -> OrdersInWords:
    yield BonusPlay(play=CardPlay(card=card_id)), sentence("great_war.orders.in_bonus")
    for target in takeable_cards(view, card_id):
        yield (
            BonusPlay(play=CardPlay(card=card_id, aims=(target,))),
            sentence("great_war.orders.in_bonus_aimed", target=target),
        )


def _blockade_orders(view: View) -> OrdersInWords:
    table = _trial(view)
    for table_card in view.armies[PLAYER].row:
        if table_card.up and table.card(table_card.card).effect("blockade"):
            for aim in in_reach(table, PLAYER, table_card.card):
                order = Blockade(plays=(CardPlay(card=table_card.card, aims=(aim.card,)),))
                yield order, sentence("great_war.orders.blockade", target=aim.card)


def _standing_orders(view: View) -> Iterator[tuple[str, OrdersInWords]]:
    no_guard = sentence("great_war.orders.no_guard")
    yield sentence("great_war.orders.against_leader"), iter([(GuardLeader(), no_guard)])
    split = sentence("great_war.orders.split")
    yield (
        sentence("great_war.orders.next_hand"),
        ((draw, split) for draw in _hand_splits(view)[:_MAX_SAMPLES]),
    )
    if view.turn <= solo().turns.short:
        lengths = (
            (Length(turns=turns), sentence("great_war.orders.length", turn=turns))
            for turns in (solo().turns.short, solo().turns.long)
        )
        yield sentence("great_war.orders.campaign"), lengths
    if decks.may_name_exchanges(view):
        exchanges = (
            (order, sentence("great_war.orders.exchange", white=view.book.full_name(order.pairs[0].white)))
            for order in islice(_single_exchanges(view), _MAX_SAMPLES)
        )
        yield sentence("great_war.orders.exchanges"), exchanges


def unlisted_orders(view: View) -> Iterator[UnlistedOrders]:
    """Yield the hand splits and exchanges that aren't listed as samples, and Rounds of several cards."""
    if view.stage in ("bonus", "over") or HIDDEN_CARD in view.armies[PLAYER].hand:
        return
    if view.stage in ("round 1", "round 2"):
        yield from _formations(view)
        yield from _guard_groups(view)
    hand = solo().human_hand
    named = (("neutral", "Neutral"), ("nationality", "Nationality"), ("bonus", "Bonus"))
    ends = [(getattr(hand.least, deck), getattr(hand.most, deck), title) for deck, title in named]
    ranges = [
        sentence("great_war.orders.split_choice", low=low, high=high, deck=title)
        if high - low == 1
        else sentence("great_war.orders.split_range", low=low, high=high, deck=title)
        for low, high, title in ends
    ]
    size = solo().hand_size.value
    yield UnlistedOrders(
        of=sentence("great_war.orders.next_hand"),
        form="DRAW {neutral}/{nationality}/{bonus}",
        words=sentence("great_war.orders.splits", ranges=join_list(ranges), count=size),
        orders=tuple(_hand_splits(view)[_MAX_SAMPLES:]),
    )
    if decks.may_name_exchanges(view) and (others := tuple(_single_exchanges(view))[_MAX_SAMPLES:]):
        yield UnlistedOrders(
            of=sentence("great_war.orders.exchanges"),
            form="EXCHANGE {white} FOR {card}",
            words=sentence("great_war.orders.exchange_alike"),
            orders=others,
        )
    if decks.may_name_exchanges(view) and (pairs := tuple(_leader_exchanges(view))):
        yield UnlistedOrders(
            of=sentence("great_war.orders.exchanges"),
            form="EXCHANGE {white} FOR {leader} AND {other} FOR {enemy}",
            words=sentence("great_war.orders.exchange_leaders"),
            orders=pairs,
        )


def _formations(view: View) -> Iterator[UnlistedOrders]:
    """Yield every Combat Round of several cards that isn't listed card by card."""
    aims = {card_id: takeable_cards(view, card_id) for card_id in _hand(view)}
    alone = [
        CardPlay(card=base, aims=some)
        for base in bases(view)
        for some in ((), *((aim,) for aim in aims[base]))
    ]
    starts = [
        order
        for order in map(partial(_lay_order, view), (None, *alone))
        if legality.objection(view, order) is None and not legality.find_left_out(view, [order])
    ]
    listed_ones = {option.order for option in legal_orders(view)}
    for group in formation_orders(view, starts, aims):
        orders = tuple(order for order in group.orders if order not in listed_ones)
        if orders:
            yield replace_fields(group, orders=orders)


def _guard_groups(view: View) -> Iterator[UnlistedOrders]:
    """Yield the orders that keep several cards ready against a leader of the AI."""
    able = [
        card_id for card_id in _hand(view) if legality.objection(view, GuardLeader(cards=(card_id,))) is None
    ]
    of = sentence("great_war.orders.against_leader")
    words = sentence("great_war.orders.of_cards", cards=list_items(able))
    for size in range(2, len(able) + 1):
        form = f"CANCEL LEADER WITH {', '.join(['{card}'] * size)}"
        orders = tuple(GuardLeader(cards=some) for some in combinations(able, size))
        yield UnlistedOrders(of=of, form=form, words=words, orders=orders)


def _hand_splits(view: View) -> list[Draw]:
    """Return every way to split the next hand, those with one Bonus card first."""
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


def _single_exchanges(view: View) -> Iterator[Exchange]:
    """Yield each single exchange of a White card."""
    for white, card_id in _exchange_candidates(view):
        order = Exchange(pairs=(ExchangePair(white=white, for_=card_id),))
        if decks.exchange_objection(view, order) is None:
            yield order


def _leader_exchanges(view: View) -> Iterator[Exchange]:
    """Yield the exchanges of a leader of each side."""
    pairs = [
        (white, own_leader)
        for white, own_leader in _exchange_candidates(view)
        if view.book[white].kind == LEADER
    ]
    for (white, own_leader), (other, enemy) in combinations(pairs, 2):
        order = Exchange(
            pairs=(ExchangePair(white=white, for_=own_leader), ExchangePair(white=other, for_=enemy))
        )
        if decks.exchange_objection(view, order) is None:
            yield order


def _exchange_candidates(view: View) -> Iterator[tuple[CardId, CardId]]:
    """Yield each White card with each red or blue card of its deck and rank."""
    for white in view.spare:
        like = view.book[white]
        for card_id, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield white, card_id


# Examples of the player's present orders, one of each kind, with cards from the hand.


ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View) -> Iterator[ExampleRow]:
    """Yield names of forms, each with orders, the plainest first. Not all of these orders are legal."""
    table = WorkingState(view)
    hand = sorted(
        dict.fromkeys(view.armies[PLAYER].hand),
        key=lambda card_id: (table.card(card_id).plus, -table.card(card_id).bp),
    )
    yield "begin", [Begin()]
    yield "exchange", list(_exchange_examples(view))
    yield from _round_examples(view, table, hand)
    guards = [card_id for card_id in hand if table.stops_leaders(card_id)]
    yield "against-leader", [GuardLeader(cards=tuple(guards))] if guards else []
    yield "stop-event", [StopEvent(card=card_id) for card_id in hand]
    yield "bonus", [BonusPlay(play=CardPlay(card=card_id)) for card_id in hand]
    yield "no-bonus", [BonusPlay()]
    row = [table_card.card for table_card in view.armies[PLAYER].row if table_card.up]
    yield "blockade", [Blockade(plays=(CardPlay(card=card_id, aims=(BEST,)),)) for card_id in row]
    usual = solo().human_hand.default
    yield (
        "draw",
        [Draw(parts=HandSplit(neutral=usual.neutral, nationality=usual.nationality, bonus=usual.bonus))],
    )
    yield "turns", [Length(turns=solo().turns.long)]


def _round_examples(view: View, table: WorkingState, hand: list[CardId]) -> Iterator[ExampleRow]:
    """Yield a base, a base with a link, a Joker and a pass."""
    role = view.role(PLAYER)
    number: Literal[1, 2] = 1 if view.round == 1 else 2
    bases = [Lay(role=role, number=number, base=CardPlay(card=card_id)) for card_id in hand]
    linked = [
        Lay(role=role, number=number, base=CardPlay(card=base), plus=(CardPlay(card=card_id),))
        for base in hand
        for card_id in hand
        if card_id != base and base in table.book.hosts.get(card_id, ())
    ]
    aimed = [
        Lay(role=role, number=number, base=CardPlay(card=card_id, aims=(BEST,)))
        for card_id in hand
        if takeable_cards(view, card_id) and not table.is_joker(card_id)
    ]
    # A Joker as the base replaces a base that was sent before. With CANCEL it would compete with that base.
    jokers = [Lay(role=role, number=number, base=CardPlay(card=card_id, aims=(BEST,))) for card_id in hand]
    yield "round", bases
    yield "with-a-link", linked
    yield "with-a-target", aimed
    hosts = [table_card.card for table_card in view.armies[PLAYER].row if table_card.up]
    yield (
        "plus-cards",
        [
            Lay(role=role, number=number, plus=(CardPlay(card=card_id),))
            for card_id in hand
            if any(host in table.book.hosts.get(card_id, ()) for host in hosts)
        ],
    )
    yield "joker", [order for order in jokers if order.base and table.is_joker(order.base.card)]
    yield "pass", [Lay(role=role, number=number)]


def _exchange_examples(view: View) -> Iterator[Exchange]:
    """Yield each spare White card with each card of its deck and rank."""
    whites = [card_id for card_id in view.spare if view.book[card_id].deck == "white"]
    for white in whites:
        like = view.book[white]
        for card_id, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield Exchange(pairs=(ExchangePair(white=white, for_=card_id),))


# Every formation that is possible with the cards of a hand.


Part = tuple[Literal["led", "plus", "helper"], CardPlay]
MAX_FORMATIONS = 1_000
"""The number of formations of one Round that are listed.

One hand in thirty has more. The formations that are left out are all large.
"""


def formation_orders(
    view: View, starts: Sequence[Lay], taken: Mapping[CardId, tuple[CardId, ...]]
) -> Iterator[UnlistedOrders]:
    """Yield every order that would be carried out completely, grouped by base and numbers of cards.

    Each set of cards comes once, in a possible order of play. starts: the orders of a base alone, and the one
    without a base; taken: the enemy cards that each card of the hand could take out of play.
    """
    rows = [(start, _parts(view, start, taken)) for start in starts]
    orders: dict[object, Lay] = {}
    plain = [(start, [part for part in parts if _is_plain(part[1])]) for start, parts in rows]
    _add_cards(
        view,
        [(start, parts) for start, parts in plain if start.base is None or _is_plain(start.base)],
        orders,
    )
    parts_of = {start.base: parts for start, parts in rows}
    _add_cards(view, [*rows, *((order, parts_of[order.base]) for order in orders.values())], orders)
    shapes: dict[str, list[Lay]] = {}
    for order in orders.values():
        shapes.setdefault(_form_text(order), []).append(order)
    for form, some in shapes.items():
        yield _unlisted_orders(view, form, some)


def _add_cards(view: View, edge: list[tuple[Lay, list[Part]]], orders: dict[object, Lay]) -> None:
    """Add one card after the other to every formation, so that small formations come before large ones."""
    while edge:
        reached: list[tuple[Lay, list[Part]]] = []
        for order, parts in edge:
            for key, play in parts:
                more = _with_part(order, key, play)
                known = more and (more.base, more.helper, frozenset(more.led), frozenset(more.plus))
                if more is None or known in orders or legality.find_left_out(view, [more]):
                    continue
                if len(orders) == MAX_FORMATIONS:
                    return
                orders[known] = more
                reached.append((more, parts))
        edge = reached


def _is_plain(play: CardPlay) -> bool:
    """Return whether a play has no target and no wild card. Formations of such cards come first."""
    return not play.aims and not play.wild


def _with_part(order: Lay, key: str, play: CardPlay) -> Lay | None:
    if play.card in order.played or (key == "helper" and order.helper):
        return None
    if key == "helper":
        return replace_fields(order, helper=play.card)
    return replace_fields(order, **{key: (*getattr(order, key), play)})


def _parts(view: View, start: Lay, taken: Mapping[CardId, tuple[CardId, ...]]) -> list[Part]:
    """Return the cards that could be added to a base, or to the cards on the table."""
    table, base = WorkingState(view), start.base.card if start.base else None
    table.enter("round 2" if view.round == 2 else "round 1", min(view.round, 2))
    is_led = base is not None and count_led(table, base) and view.book[base].kind == LEADER
    parts: list[Part] = []
    for card_id in taken:
        if card_id == base:
            continue
        plays = [CardPlay(card=card_id), *(CardPlay(card=card_id, aims=(aim,)) for aim in taken[card_id])]
        if table.card(card_id).plus:
            parts += [("plus", play) for play in plays]
        if table.wild_points(card_id):
            parts.append(("plus", CardPlay(card=card_id, wild=True)))
        if is_led and base is not None and may_be_led(table, base, card_id):
            parts += [("led", play) for play in plays]
        if is_led and is_helper(table, card_id):
            parts.append(("helper", CardPlay(card=card_id)))
    return parts


def _unlisted_orders(view: View, form: str, some: Sequence[Lay]) -> UnlistedOrders:
    first = some[0]
    base = first.base.card if first.base else None
    cards = dict.fromkeys(card for order in some for card in order.played if card != base)
    of = view.book.full_name(base or first.plus[0].card)
    words = sentence("great_war.orders.of_cards", cards=list_items(cards))
    return UnlistedOrders(of=of, form=form, words=words, orders=tuple(some))


def _form_text(order: Lay) -> str:
    """Return the form of an order: the base as it is, and placeholders in braces for the other cards."""
    blank = replace_fields(
        order,
        base=order.base and _with_placeholders(order.base, order.base.card),
        helper=order.helper and _ANY_CARD,
        led=tuple(map(_with_placeholders, order.led)),
        plus=tuple(map(_with_placeholders, order.plus)),
    )
    return blank.write()


_ANY_CARD = CardId("{card}")


def _with_placeholders(play: CardPlay, card_id: CardId = _ANY_CARD) -> CardPlay:
    return replace_fields(play, card=card_id, aims=("{enemy}",) * len(play.aims))


def compose_order(view: View, order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the steps of an order in plain words, and the cards played with a Round's base in any order.

    Returns None for orders whose words say it.
    """
    if isinstance(order, Draw):
        neutral, nationality, bonus = order.parts.neutral, order.parts.nationality, order.parts.bonus
        words = sentence("great_war.orders.draw", neutral=neutral, nationality=nationality, bonus=bonus)
        return (words,), ()
    if isinstance(order, GuardLeader) and len(order.cards) > 1:
        return (sentence("great_war.orders.guard_with", cards=list_items(order.cards)),), ()
    if isinstance(order, Exchange):
        comes = list_items([view.book.full_name(pair.white) for pair in order.pairs])
        goes = list_items([view.book.full_name(pair.for_) for pair in order.pairs])
        steps = (
            sentence("great_war.orders.exchange", white=comes),
            sentence("great_war.orders.exchanged", cards=goes),
        )
        return steps, ()
    return _compose_round(order) if isinstance(order, Lay) else None


def _compose_round(order: Lay) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    adds = [sentence("great_war.orders.lead", play=_play_text(play)) for play in order.led]
    adds += [sentence("great_war.orders.add", play=_play_text(play)) for play in order.plus]
    if order.helper:
        adds.append(sentence("great_war.orders.help", card=order.helper))
    if order.base is None:
        return ((sentence("great_war.orders.add_to_table"),), tuple(adds)) if adds else None
    slug = "great_war.orders.attack_with" if order.role == "attack" else "great_war.orders.defend_with"
    return (sentence(slug, play=_play_text(order.base)),), tuple(adds)


def _play_text(play: CardPlay) -> str:
    text = sentence("great_war.orders.play_wild", card=play.card) if play.wild else str(play.card)
    if not play.aims:
        return text
    return sentence("great_war.orders.play_takes", play=text, targets=join_list(play.aims))


# The player's decision in rows: possible bases, cards to add, and other choices.


DecisionRow = tuple[str, str]


def decisions(view: View) -> Iterator[DecisionRow]:
    """Yield the player's decisions and the cards for them, or nothing if the viewer can't see the hand."""
    if view.stage == "over" or HIDDEN_CARD in view.armies[PLAYER].hand:
        return
    if view.stage in ("round 1", "round 2"):
        yield from _round_rows(view)
    elif view.stage == "bonus":
        options = [option.order for option in legal_orders(view)]
        cards = [order.play.card for order in options if isinstance(order, BonusPlay) and order.play]
        yield sentence("great_war.decisions.bonus"), sentence("great_war.decisions.bonus_how")
        playable = _cards_with_points(view, tuple(dict.fromkeys(cards)))
        yield sentence("great_war.decisions.playable"), playable
    elif view.stage == "set-up":
        yield sentence("great_war.decisions.beginning"), sentence("great_war.decisions.beginning_how")
    else:
        yield sentence("great_war.decisions.length"), sentence("great_war.decisions.length_how")


def event_text(view: View) -> str:
    """Return the Random Event and its present state in words."""
    if view.event is None:
        return sentence("great_war.lists.none")
    card = view.book[view.event]
    effects = effects_text(card.effects) or sentence("great_war.decisions.nothing_happens")
    if view.waits:
        slug = "great_war.decisions.event_waits"
    elif view.event in view.force:
        slug = "great_war.decisions.event_in_force"
    elif card.effects:
        slug = "great_war.decisions.event_to_come"
    else:
        slug = "great_war.decisions.event_without_effect"
    return sentence(slug, event=view.book.full_name(view.event), effects=effects)


def _round_rows(view: View) -> Iterator[DecisionRow]:
    role, ordinal = view.role(PLAYER), "1ST" if view.round == 1 else "2ND"
    round_how = sentence("great_war.decisions.round_how", order=f"{role.upper()} {ordinal}", round=ordinal)
    attacks = role == "attack"
    yield sentence("great_war.decisions.attack" if attacks else "great_war.decisions.defend"), round_how
    if view.event is not None:
        yield sentence("great_war.decisions.event"), event_text(view)
    yield sentence("great_war.decisions.base"), _cards_with_points(view, bases(view))
    if more := addable_cards(view):
        addable_how = sentence("great_war.decisions.addable_how", cards=", ".join(more))
        yield sentence("great_war.decisions.addable"), addable_how
    table = WorkingState(view)
    for card_id in bases(view):
        if count := count_led(table, card_id):
            leader_how = sentence("great_war.decisions.leader_how", leader=card_id, count=count)
            yield sentence("great_war.decisions.leader"), leader_how
    stops = [card_id for card_id in _hand(view) if table.stops_events(card_id)]
    if view.waits and stops:
        cancel_how = sentence("great_war.decisions.cancel_how", cards=join_list(stops, "or"))
        yield sentence("great_war.decisions.cancel"), cancel_how


def _cards_with_points(view: View, cards: tuple[CardId, ...]) -> str:
    """Return cards with their Battle Points, and the best enemy card that each would take out of play."""
    table = WorkingState(view)
    texts = []
    for card_id in cards:
        targets = takeable_cards(view, card_id)
        ops = [effect.op for effect in flatten_effects(view.book[card_id].effects)]
        slug = "great_war.decisions.card"
        if targets:
            cancels = "cancel" in ops
            slug = "great_war.decisions.card_cancels" if cancels else "great_war.decisions.card_discards"
        target = next(iter(targets), "")
        texts.append(sentence(slug, card=card_id, points=table.bp(card_id), target=target))
    return ", ".join(texts) or sentence("great_war.lists.none")


# The places of cards on the map, and those of an order.


def place_name(holder: str, card: CardId) -> str:
    """Return the id of the place of a card: in the row of a side, or in the hand."""
    return f"{holder}/{card}"


def order_places(order: AnyOrder) -> tuple[str, str]:
    """Return the places of the first card of an order, and of the card of the AI that it aims at."""
    if isinstance(order, StopEvent):
        return place_name(HAND, order.card), ""
    if isinstance(order, Strike):
        return place_name(HAND, order.joker), place_name(AI, CardId(order.aim))
    plays = [order.base, *order.plus] if isinstance(order, Lay) else []
    plays += [order.play] if isinstance(order, BonusPlay) else []
    laid = [play for play in plays if play is not None]
    aims = [aim for play in laid for aim in play.aims]
    start = place_name(HAND, laid[0].card) if laid else ""
    return start, place_name(AI, CardId(aims[0])) if aims else ""
