"""What the player may order now, card by card."""

from collections.abc import Iterator, Sequence

from games.great_war import lawful, white_cards
from games.great_war.closing import in_reach
from games.great_war.components import HIDDEN, LEADER, CardId, Effect, solo
from games.great_war.effects import lay
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
from games.great_war.solo import is_helper, leads, may_be_led
from games.protocol import Seat
from games.protocol.optional import Possible

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
    splits = (Parts(neutral=n, nationality=9 - n - b, bonus=b) for b in (1, 0, 2) for n in (4, 3, 5))
    orders = [Draw(parts=parts) for parts in splits]
    able = [one for one in orders if lawful.objection(view, one) is None]
    yield "your next hand", ((one, "Neutral/Nationality/Bonus") for one in able[:_SHOWN])
    if view.turn <= solo().turns.short:
        lengths = (solo().turns.short, solo().turns.long)
        yield "the campaign", ((Length(turns=one), f"it ends after Turn {one}") for one in lengths)
    if white_cards.is_open(view):
        yield "exchanges", _exchanges(view)


def _exchanges(view: View) -> Said:
    found = 0
    for white in view.spare:
        for one in view.book.cards:
            order = Exchange(pairs=(Pair(white=white, for_=one),))
            if found < _SHOWN and white_cards.objection_to(view, order) is None:
                found += 1
                yield order, f"{view.book.called(white)} comes in"
