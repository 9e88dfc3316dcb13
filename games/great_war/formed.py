"""Every formation that the cards of a hand could make."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from games.great_war import lawful
from games.great_war.components import LEADER, CardId
from games.great_war.in_play import Table
from games.great_war.model import AnyOrder, Lay, Play, View
from games.great_war.notation import GreatWarNotation
from games.great_war.phrases import listed
from games.great_war.solo import is_helper, leads, may_be_led
from games.protocol.optional import Unlisted
from games.record import changed

Part = tuple[Literal["led", "plus", "helper"], Play]
_NOTATION = GreatWarNotation()
MOST = 1_000
"""So many formations of one Round are told; a hand has more in one of thirty Rounds, all of them large."""


def formed(
    view: View, starts: Sequence[Lay], taken: Mapping[CardId, tuple[CardId, ...]]
) -> Iterator[Unlisted]:
    """By base, and by how many cards are led and added, every order that would be carried out whole.

    starts: the orders of a base alone, and the one without a base. taken: the enemy cards that each card of
    the hand could take out. Each set of cards is told once, in an order in which it can be laid.
    """
    rows = [(start, _parts(view, start, taken)) for start in starts]
    found: dict[object, Lay] = {}
    plain = [(start, [part for part in parts if _is_plain(part[1])]) for start, parts in rows]
    _grow(
        view, [(start, parts) for start, parts in plain if start.base is None or _is_plain(start.base)], found
    )
    parts_of = {start.base: parts for start, parts in rows}
    _grow(view, [*rows, *((order, parts_of[order.base]) for order in found.values())], found)
    shapes: dict[str, list[Lay]] = {}
    for order in found.values():
        shapes.setdefault(_form(order), []).append(order)
    for form, some in shapes.items():
        yield _told(view, form, some)


def _grow(view: View, edge: list[tuple[Lay, list[Part]]], found: dict[object, Lay]) -> None:
    """One card after the other added to whatever stands, so that small formations come before large ones."""
    while edge:
        reached: list[tuple[Lay, list[Part]]] = []
        for order, parts in edge:
            for key, play in parts:
                more = _with(order, key, play)
                known = more and (more.base, more.helper, frozenset(more.led), frozenset(more.plus))
                if more is None or known in found or not _stands(view, more):
                    continue
                if len(found) == MOST:
                    return
                found[known] = more
                reached.append((more, parts))
        edge = reached


def _is_plain(play: Play) -> bool:
    """Whether nothing is said of what it takes out or stands for: the formations of such cards come first."""
    return not play.aims and not play.wild


def _with(order: Lay, key: str, play: Play) -> Lay | None:
    if play.card in order.cards or (key == "helper" and order.helper):
        return None
    if key == "helper":
        return changed(order, helper=play.card)
    return changed(order, **{key: (*getattr(order, key), play)})


def _stands(view: View, order: Lay) -> bool:
    return not lawful.left_out(view, [order])


def _parts(view: View, start: Lay, taken: Mapping[CardId, tuple[CardId, ...]]) -> list[Part]:
    """What could ever be added to a base, or to what lies on the table."""
    table, base = Table(view), start.base.card if start.base else None
    table.enter("round 2" if view.round == 2 else "round 1", min(view.round, 2))
    is_led = base is not None and leads(table, base) and view.book[base].kind == LEADER
    found: list[Part] = []
    for one in taken:
        if one == base:
            continue
        plays = [Play(card=one), *(Play(card=one, aims=(aim,)) for aim in taken[one])]
        if table.card(one).plus:
            found += [("plus", play) for play in plays]
        if table.wild(one):
            found.append(("plus", Play(card=one, wild=True)))
        if is_led and base is not None and may_be_led(table, base, one):
            found += [("led", play) for play in plays]
        if is_led and is_helper(table, one):
            found.append(("helper", Play(card=one)))
    return found


def _told(view: View, form: str, some: Sequence[Lay]) -> Unlisted:
    first = some[0]
    base = first.base.card if first.base else None
    cards = dict.fromkeys(card for order in some for card in order.cards if card != base)
    of = view.book.called(base or first.plus[0].card)
    return Unlisted(of=of, form=form, words=f"of {listed([str(one) for one in cards])}", orders=tuple(some))


def _form(order: Lay) -> str:
    """How orders of its shape are written: the base as it is, in braces what differs."""
    text = f"{order.role.upper()} {'2ND' if order.number == 2 else '1ST'}:"
    text += f" {order.base.card}{_aimed(order.base)}" if order.base else ""
    text += " WITH {card}" if order.helper else ""
    text += f" LEADS {', '.join('{card}' + _aimed(play) for play in order.led)}" if order.led else ""
    return text + "".join(" + {card}" + _aimed(play) for play in order.plus)


def _aimed(play: Play) -> str:
    return " AS WILD" * play.wild + " > {enemy}" * len(play.aims)


def composed(order: AnyOrder) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A Round's order as its base, and what is laid with it in whatever order; None: no such order."""
    if not isinstance(order, Lay):
        return None
    adds = [f"lead {_play(play)}" for play in order.led]
    adds += [f"add {_play(play)}" for play in order.plus]
    adds += [f"with {order.helper}, to lead one more"] if order.helper else []
    alone = _NOTATION.write(changed(order, led=(), plus=(), helper=None))
    return ("add to what lies there" if adds and not order.base else alone,), tuple(adds)


def _play(play: Play) -> str:
    aims = f", which takes out {' and '.join(play.aims)}" if play.aims else ""
    return f"{play.card}{' as wild' if play.wild else ''}{aims}"
