"""What the player may order now, card by card."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, islice

from games.great_war import lawful, white_cards
from games.great_war.closing import in_reach
from games.great_war.components import HIDDEN, LEADER, CardId, Effect, solo
from games.great_war.effects import lay
from games.great_war.formed import formed
from games.great_war.in_play import Table
from games.great_war.model import (
    AI,
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
    Pair,
    Parts,
    Play,
    StopEvent,
    Strike,
    View,
)
from games.great_war.phrases import listed
from games.great_war.solo import is_helper, leads, may_be_led
from games.protocol import Seat
from games.protocol.optional import Possible, Unlisted
from games.record import changed

Said = Iterator[tuple[AnyOrder, str]]

_TAKING = ("cancel", "discard_in_play")
_SHOWN = 3
"""So many ways to split a hand, and exchanges of a White card, are shown: there are dozens."""


def possible(view: View, seat: Seat) -> Iterator[Possible]:
    """The lawful orders of the present stage, for each card of the hand; then the standing ones."""
    for of, said in _groups(view):
        for order, words in said:
            if lawful.objection(view, order) is None and not lawful.left_out(view, _of_round(order)):
                yield Possible(of=of, order=order, words=words)


def bases(view: View) -> tuple[CardId, ...]:
    """The cards of the hand that may be the base of the Round that is awaited, the highest first."""
    table = _table(view)
    found = [one for one in _hand(view) if table.may_lay(PLAYER, one)]
    return tuple(sorted(found, key=lambda one: (-table.bp(one), view.book.order[one])))


def added(view: View) -> tuple[CardId, ...]:
    """The cards of the hand that may be added by a link to what lies on the table."""
    table = _table(view)
    return tuple(
        one
        for one in _hand(view)
        if table.may_lay(PLAYER, one) and table.card(one).plus and table.host(PLAYER, one)
    )


def links(view: View) -> Mapping[CardId, tuple[CardId, ...]]:
    """For each card of the hand what it may be added to in the Round that is awaited.

    That is a base of the hand, or a card on the table.
    """
    found: dict[CardId, dict[CardId, None]] = {}
    for one in possible(view, PLAYER):
        order = one.order
        if isinstance(order, Lay) and len(order.plus) == 1 and not order.plus[0].wild:
            added_one = order.plus[0].card
            host = order.base.card if order.base else _table(view).host(PLAYER, added_one)
            if host is not None:
                found.setdefault(added_one, {})[host] = None
    return {one: tuple(hosts) for one, hosts in found.items()}


def taken(view: View, one: CardId) -> tuple[CardId, ...]:
    """The enemy cards that a card would take out of play if it were laid now, the best choice first."""
    table = _table(view)
    found: dict[CardId, None] = {}
    for effect in flat(table.card(one).effects):
        if effect.op in _TAKING:
            found |= dict.fromkeys(laid.card for laid in table.targets(PLAYER, one, effect))
    return tuple(found)


def _table(view: View) -> Table:
    table = Table(view)
    table.enter("round 2" if view.round == 2 else "round 1", min(view.round, 2))
    return table


def flat(effects: Sequence[Effect]) -> Iterator[Effect]:
    """The effects of a card, those among its options included."""
    for effect in effects:
        yield effect
        for option in effect.options:
            yield from flat(option)


def _hand(view: View) -> tuple[CardId, ...]:
    return tuple(one for one in dict.fromkeys(view.armies[PLAYER].hand) if one != HIDDEN)


def _of_round(order: AnyOrder) -> list[AnyOrder]:
    return [order] if isinstance(order, Lay | Strike) else []


def _groups(view: View) -> Iterator[tuple[str, Said]]:
    book = view.book
    if view.stage in ("round 1", "round 2"):
        for one in _hand(view):
            yield book.called(one), _card(view, one)
        yield "the Round", iter([(_lay(view), "nothing is laid")])
    elif view.stage == "bonus":
        for one in _hand(view):
            yield book.called(one), _bonus(view, one)
        yield "the Bonus phase", iter([(BonusPlay(), "nothing is laid")])
        yield "blockades", _blockades(view)
    elif view.stage == "set-up":
        yield "the beginning", iter([(Begin(), "the first Turn is dealt")])
    if view.stage not in ("bonus", "over"):
        yield from _standing(view)


def _lay(
    view: View, base: Play | None = None, *, led: Sequence[CardId] = (), plus: Play | None = None
) -> Lay:
    return Lay(
        role=view.role(PLAYER),
        number=2 if view.round == 2 else 1,
        base=base,
        led=tuple(Play(card=one) for one in led),
        plus=(plus,) if plus else (),
    )


def _card(view: View, one: CardId) -> Said:
    """What can be done with one card in a Combat Round."""
    table, book = _table(view), view.book
    yield _lay(view, Play(card=one)), _as_base(view, one)
    for aim in taken(view, one):
        yield _lay(view, Play(card=one, aims=(aim,))), f"the base of the Round, which takes out {aim}"
    yield _lay(view, plus=Play(card=one)), f"added to {table.host(PLAYER, one) or 'a card'} on the table"
    yield _lay(view, plus=Play(card=one, wild=True)), f"added AS WILD to one of yours for {table.wild(one)}"
    yield from _with(view, one)
    yield from _led(view, one)
    for laid in view.armies[AI].row:
        number = 2 if view.round == 2 else 1
        yield Strike(number=number, joker=one, aim=laid.card), f"the base of the Round: cancels {laid.card}"  # type: ignore[arg-type]
    if view.event is not None:
        yield StopEvent(card=one), f"cancels the event {book.called(view.event)}"
    yield GuardLeader(cards=(one,)), "stands ready against a leader of the AI"


def _as_base(view: View, one: CardId) -> str:
    aims = taken(view, one)
    takes = f"; takes out {aims[0]}" if aims else ""
    return f"the base of the Round, {_table(view).bp(one)} BP{takes}"


def _with(view: View, base: CardId) -> Said:
    """The base with each card that links to it alone."""
    if not _table(view).may_lay(PLAYER, base):
        return
    table = _table(view)
    lay(table, PLAYER, Play(card=base), "base")
    for one in dict.fromkeys(table.army(PLAYER).hand):
        if table.host(PLAYER, one) == base:
            yield _lay(view, Play(card=base), plus=Play(card=one)), f"the base, with {one} added to it"


def _led(view: View, leader: CardId) -> Said:
    """A leader with each card that he leads, and with whatever lets him lead more."""
    table = _table(view)
    if not leads(table, leader) or view.book[leader].kind != LEADER:
        return
    able = [one for one in _hand(view) if one != leader and may_be_led(table, leader, one)]
    for one in able:
        yield _lay(view, Play(card=leader), led=(one,)), f"the base, a leader who leads {one}"
    for one in _hand(view):
        if is_helper(table, one):
            order = Lay(
                role=view.role(PLAYER), number=2 if view.round == 2 else 1, base=Play(card=leader), helper=one
            )
            yield order, f"the base, a leader, who leads one more by {one}"


def _bonus(view: View, one: CardId) -> Said:
    yield BonusPlay(play=Play(card=one)), "laid in the Bonus phase"
    for aim in taken(view, one):
        yield BonusPlay(play=Play(card=one, aims=(aim,))), f"laid in the Bonus phase; takes out {aim}"


def _blockades(view: View) -> Said:
    table = _table(view)
    for laid in view.armies[PLAYER].row:
        if laid.up and table.card(laid.card).effect("blockade"):
            for aim in in_reach(table, PLAYER, laid.card):
                order = Blockade(plays=(Play(card=laid.card, aims=(aim.card,)),))
                yield order, f"takes {aim.card} at the end of the Turn"


def _standing(view: View) -> Iterator[tuple[str, Said]]:
    yield "a leader of the AI", iter([(GuardLeader(), "nothing is kept ready against him any more")])
    yield "your next hand", ((one, "Neutral/Nationality/Bonus") for one in _splits(view)[:_SHOWN])
    if view.turn <= solo().turns.short:
        lengths = (solo().turns.short, solo().turns.long)
        yield "the campaign", ((Length(turns=one), f"it ends after Turn {one}") for one in lengths)
    if white_cards.is_open(view):
        yield "exchanges", _exchanges(view)


def unlisted(view: View) -> Iterator[Unlisted]:
    """The ways to split a hand, and the exchanges, beside those that are listed as samples."""
    if view.stage in ("bonus", "over") or HIDDEN in view.armies[PLAYER].hand:
        return
    if view.stage in ("round 1", "round 2"):
        yield from _formations(view)
        yield from _guards(view)
    hand = solo().human_hand
    named = (("neutral", "Neutral"), ("nationality", "Nationality"), ("bonus", "Bonus"))
    ends = [(getattr(hand.least, one), getattr(hand.most, one), said) for one, said in named]
    ranges = [f"{low} {'or' if high - low == 1 else 'to'} {high} {said}" for low, high, said in ends]
    yield Unlisted(
        of="your next hand",
        form="DRAW {neutral}/{nationality}/{bonus}",
        words=f"of {listed(ranges)} cards, {solo().hand_size.value} together",
        orders=tuple(_splits(view)[_SHOWN:]),
    )
    if white_cards.is_open(view) and (others := tuple(_swaps(view))[_SHOWN:]):
        yield Unlisted(
            of="exchanges",
            form="EXCHANGE {white} FOR {card}",
            words="of one deck and rank",
            orders=others,
        )
    if white_cards.is_open(view) and (pairs := tuple(_leaders(view))):
        yield Unlisted(
            of="exchanges",
            form="EXCHANGE {white} FOR {leader} AND {other} FOR {enemy}",
            words="a leader of each side",
            orders=pairs,
        )


def _formations(view: View) -> Iterator[Unlisted]:
    """Every Round of several cards that is not listed card by card."""
    aims = {one: taken(view, one) for one in _hand(view)}
    alone = [
        Play(card=base, aims=some) for base in bases(view) for some in ((), *((aim,) for aim in aims[base]))
    ]
    starts = [order for order in map(partial(_lay, view), (None, *alone)) if _stands(view, order)]
    listed_ones = {one.order for one in possible(view, PLAYER)}
    for group in formed(view, starts, aims):
        orders = tuple(one for one in group.orders if one not in listed_ones)
        if orders:
            yield changed(group, orders=orders)


def _stands(view: View, order: Lay) -> bool:
    return lawful.objection(view, order) is None and not lawful.left_out(view, [order])


def _guards(view: View) -> Iterator[Unlisted]:
    """Several cards that stand ready together against a leader of the AI."""
    able = [one for one in _hand(view) if lawful.objection(view, GuardLeader(cards=(one,))) is None]
    words = f"of {listed([str(one) for one in able])}"
    for size in range(2, len(able) + 1):
        form = f"CANCEL LEADER WITH {', '.join(['{card}'] * size)}"
        orders = tuple(GuardLeader(cards=some) for some in combinations(able, size))
        yield Unlisted(of="a leader of the AI", form=form, words=words, orders=orders)


def _splits(view: View) -> list[Draw]:
    """Every way to split the next hand, those with one Bonus card first."""
    hand = solo().human_hand
    most = solo().hand_size.value
    bonus = sorted(range(hand.least.bonus, hand.most.bonus + 1), key=lambda one: one != hand.default.bonus)
    neutral = sorted(
        range(hand.least.neutral, hand.most.neutral + 1), key=lambda one: one != hand.default.neutral
    )
    orders = [
        Draw(parts=Parts(neutral=one, nationality=most - one - other, bonus=other))
        for other in bonus
        for one in neutral
    ]
    return [one for one in orders if lawful.objection(view, one) is None]


def _exchanges(view: View) -> Said:
    for order in islice(_swaps(view), _SHOWN):
        yield order, f"{view.book.called(order.pairs[0].white)} comes in"


def _swaps(view: View) -> Iterator[Exchange]:
    """Each White card by itself for each card that it may come in for."""
    for white, one in _alike(view):
        order = Exchange(pairs=(Pair(white=white, for_=one),))
        if white_cards.objection_to(view, order) is None:
            yield order


def _leaders(view: View) -> Iterator[Exchange]:
    """A leader of each side for one of his own."""
    found = [(white, one) for white, one in _alike(view) if view.book[white].kind == LEADER]
    for (white, one), (other, enemy) in combinations(found, 2):
        order = Exchange(pairs=(Pair(white=white, for_=one), Pair(white=other, for_=enemy)))
        if white_cards.objection_to(view, order) is None:
            yield order


def _alike(view: View) -> Iterator[tuple[CardId, CardId]]:
    """White cards, with the red and blue ones of their deck and rank."""
    for white in view.spare:
        like = view.book[white]
        for one, card in view.book.cards.items():
            if card.deck in ("blue", "red") and (card.play_deck, card.rank) == (like.play_deck, like.rank):
                yield white, one
