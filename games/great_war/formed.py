"""Every formation that the cards of a hand could make."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from games.great_war import legality
from games.great_war.automaton import count_led, is_helper, may_be_led
from games.great_war.components import LEADER, CardId
from games.great_war.model import AnyOrder, CardPlay, Lay, View
from games.great_war.notation import GreatWarNotation
from games.great_war.phrases import join_words
from games.great_war.working_state import WorkingState
from games.protocol.optional import UnlistedOrders
from games.record import replace_fields

Part = tuple[Literal["led", "plus", "helper"], CardPlay]
_NOTATION = GreatWarNotation()
MAX_FORMATIONS = 1_000
"""So many formations of one Round are told; a hand has more in one of thirty Rounds, all of them large."""


def formation_orders(
    view: View, starts: Sequence[Lay], taken: Mapping[CardId, tuple[CardId, ...]]
) -> Iterator[UnlistedOrders]:
    """Yield, by base and numbers of cards led and added, every order that would be carried out whole.

    starts: the orders of a base alone, and the one without a base. taken: the enemy cards that each card
    of the hand could take out. Each set of cards is told once, in an order in which it can be laid.
    """
    rows = [(start, _parts(view, start, taken)) for start in starts]
    orders: dict[object, Lay] = {}
    plain = [(start, [part for part in parts if _is_plain(part[1])]) for start, parts in rows]
    _grow(
        view,
        [(start, parts) for start, parts in plain if start.base is None or _is_plain(start.base)],
        orders,
    )
    parts_of = {start.base: parts for start, parts in rows}
    _grow(view, [*rows, *((order, parts_of[order.base]) for order in orders.values())], orders)
    shapes: dict[str, list[Lay]] = {}
    for order in orders.values():
        shapes.setdefault(_form_text(order), []).append(order)
    for form, some in shapes.items():
        yield _unlisted_orders(view, form, some)


def _grow(view: View, edge: list[tuple[Lay, list[Part]]], orders: dict[object, Lay]) -> None:
    """One card after the other added to whatever stands, so that small formations come before large ones."""
    while edge:
        reached: list[tuple[Lay, list[Part]]] = []
        for order, parts in edge:
            for key, play in parts:
                more = _with(order, key, play)
                known = more and (more.base, more.helper, frozenset(more.led), frozenset(more.plus))
                if more is None or known in orders or not _stands(view, more):
                    continue
                if len(orders) == MAX_FORMATIONS:
                    return
                orders[known] = more
                reached.append((more, parts))
        edge = reached


def _is_plain(play: CardPlay) -> bool:
    """Return whether a play says nothing of targets or wild cards: formations of such cards come first."""
    return not play.aims and not play.wild


def _with(order: Lay, key: str, play: CardPlay) -> Lay | None:
    if play.card in order.cards or (key == "helper" and order.helper):
        return None
    if key == "helper":
        return replace_fields(order, helper=play.card)
    return replace_fields(order, **{key: (*getattr(order, key), play)})


def _stands(view: View, order: Lay) -> bool:
    return not legality.find_left_out(view, [order])


def _parts(view: View, start: Lay, taken: Mapping[CardId, tuple[CardId, ...]]) -> list[Part]:
    """Return what could ever be added to a base, or to what lies on the table."""
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
    cards = dict.fromkeys(card for order in some for card in order.cards if card != base)
    of = view.book.full_name(base or first.plus[0].card)
    return UnlistedOrders(
        of=of, form=form, words=f"of {join_words([str(card_id) for card_id in cards])}", orders=tuple(some)
    )


def _form_text(order: Lay) -> str:
    """Return how orders of its shape are written: the base as it is, in braces what differs."""
    text = f"{order.role.upper()} {'2ND' if order.number == 2 else '1ST'}:"
    text += f" {order.base.card}{_target_placeholders(order.base)}" if order.base else ""
    text += " WITH {card}" if order.helper else ""
    text += (
        f" LEADS {', '.join('{card}' + _target_placeholders(play) for play in order.led)}"
        if order.led
        else ""
    )
    return text + "".join(" + {card}" + _target_placeholders(play) for play in order.plus)


def _target_placeholders(play: CardPlay) -> str:
    return " AS WILD" * play.wild + " > {enemy}" * len(play.aims)


def compose_order(order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return a Round's order as its base, and what is laid with it in any order; None: no such order."""
    if not isinstance(order, Lay):
        return None
    adds = [f"lead {_play(play)}" for play in order.led]
    adds += [f"add {_play(play)}" for play in order.plus]
    adds += [f"with {order.helper}, to lead one more"] if order.helper else []
    alone = _NOTATION.write(replace_fields(order, led=(), plus=(), helper=None))
    return ("add to what lies there" if adds and not order.base else alone,), tuple(adds)


def _play(play: CardPlay) -> str:
    aims = f", which takes out {' and '.join(play.aims)}" if play.aims else ""
    return f"{play.card}{' as wild' if play.wild else ''}{aims}"
