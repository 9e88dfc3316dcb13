"""The choices of a seat as data: the rules' own list of orders, each order as touches.

The page does not repeat any rule: it shows what the rules list, and compares what they say of each order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.protocol import Due, Game, Seat, View
from games.protocol.optional import (
    MapRegion,
    SupportsComposedOrders,
    SupportsLegalOrders,
    SupportsMapRegions,
    SupportsTouchOrders,
    SupportsUnlistedOrders,
    TouchOrder,
    TouchStep,
)

MAX_ORDERS_SIDE_BY_SIDE = 8
"""So many orders for one thing are shown side by side; more are asked for in two steps."""

MAX_FIRST_STEP_WORDS = 3
"""So many words of an order may be its first step."""


@dataclass(frozen=True)
class OrderPageInput:
    """The input of an order page: a seat, what is due from it, what it may see, and its saved orders.

    filed: the saved orders; rest: the default orders.
    """

    game: Game
    view: View
    seat: Seat
    dues: tuple[Due, ...]
    filed: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class OrderChoice:
    """One order that may be chosen: itself, its effect in words, and the touches that make it."""

    order: Any
    words: str
    touches: TouchOrder


def list_choices(asked: OrderPageInput) -> tuple[OrderChoice, ...]:
    """Return every order that the rules list for a seat, all that are for one thing together."""
    rules = asked.game.rules
    if not asked.dues or not isinstance(rules, SupportsLegalOrders):
        return ()
    listed = [
        (possible.of, possible.order, possible.words)
        for possible in rules.legal_orders(asked.view, asked.seat)
    ]
    if isinstance(rules, SupportsUnlistedOrders):
        further = rules.unlisted_orders(asked.view, asked.seat)
        listed += [
            (further_form.of, order, further_form.words)
            for further_form in further
            for order in further_form.orders
        ]
    if isinstance(rules, SupportsTouchOrders):
        touched_orders = [
            (order, words, rules.touch_order(asked.view, asked.seat, order)) for _, order, words in listed
        ]
        return tuple(_group_by_thing(OrderChoice(order, words, how) for order, words, how in touched_orders))
    return tuple(_group_by_thing(_choices_in_words(asked.game, asked.view, listed)))


def choices_as_json(asked: OrderPageInput) -> dict[str, Any]:
    """Return the choices as JSON values, for the page's script.

    Keys: takes (how many orders are wanted, None: one for each thing), kind (what is wanted, in words),
    owes, things (name, at, orders: text, does, slot, steps, adds, sort, ends, helps, along), filed, rest,
    places (by id: name, shape, point).
    """
    write, rules = asked.game.notation.write, asked.game.rules
    things: dict[str, dict[str, Any]] = {}
    for choice in list_choices(asked):
        thing = things.setdefault(
            choice.touches.thing, {"name": choice.touches.thing, "at": choice.touches.at, "orders": []}
        )
        order = {
            "text": write(choice.order),
            "does": choice.words,
            "slot": choice.order.slot,
            "steps": [[step.said, step.at] if step.at else [step.said] for step in choice.touches.steps],
            "adds": choice.touches.adds,
            "sort": choice.touches.sort,
            "ends": choice.touches.ends,
            "helps": choice.touches.helps,
            "along": [write(other) for other in choice.touches.along],
        }
        thing["orders"].append({key: value for key, value in order.items() if value})
    points = rules.points(asked.view) if isinstance(rules, SupportsTouchOrders) else {}
    return {
        "takes": next((due.takes for due in asked.dues), None),
        "kind": next((due.kind for due in asked.dues), ""),
        "owes": [owed.name for due in asked.dues for owed in due.owes],
        "things": [*things.values()],
        "filed": asked.filed,
        "rest": asked.rest,
        "places": {
            spot.at: [spot.name, spot.shape, *points.get(spot.at, ())] for spot in _spots_on_map(asked)
        },
    }


def _spots_on_map(asked: OrderPageInput) -> Sequence[MapRegion]:
    telling = asked.game.telling
    if isinstance(asked.game.rules, SupportsTouchOrders) and isinstance(telling, SupportsMapRegions):
        return telling.spots(asked.view)
    return ()


def _group_by_thing(choices: Iterable[OrderChoice]) -> Iterator[OrderChoice]:
    """Yield the choices for one thing side by side, in the order in which the things are met first."""
    by_thing: dict[str, list[OrderChoice]] = {}
    for choice in choices:
        by_thing.setdefault(choice.touches.thing, []).append(choice)
    for some in by_thing.values():
        yield from some


def _choices_in_words(
    game: Game, view: View, listed: Sequence[tuple[str, Any, str]]
) -> Iterator[OrderChoice]:
    """Yield orders of a game that has no touches: chosen by their text, of many first by its first words."""
    texts = [(of, order, words, game.notation.write(order)) for of, order, words in listed]
    of_thing: dict[str, list[str]] = {}
    for of, _, _, text in texts:
        of_thing.setdefault(of, []).append(text)
    heads = {of: _shared_prefixes(some) for of, some in of_thing.items()}
    for of, order, words, text in texts:
        parts = (
            game.rules.composed_steps(view, order) if isinstance(game.rules, SupportsComposedOrders) else None
        )
        if parts is not None:
            steps = tuple(TouchStep(said=step) for step in parts[0])
            yield OrderChoice(order, words, TouchOrder(thing=of, at="", steps=steps, adds=parts[1]))
            continue
        head = heads[of].get(text)
        verb, _, rest = (head or "").partition(" ")
        first = (TouchStep(said=f"{verb.lower()} {rest}".rstrip()),) if head else ()
        yield OrderChoice(order, words, TouchOrder(thing=of, at="", steps=(*first, TouchStep(said=text))))


def _shared_prefixes(texts: Sequence[str]) -> dict[str, str]:
    """Return by text the first words that some of many texts share and others do not, where several do."""
    if len(texts) <= MAX_ORDERS_SIDE_BY_SIDE:
        return {}
    for words in range(1, MAX_FIRST_STEP_WORDS + 1):
        by_head: dict[str, list[str]] = {}
        for text in texts:
            by_head.setdefault(" ".join(text.split()[:words]), []).append(text)
        if len(by_head) > 1:
            return {text: head for head, some in by_head.items() if len(some) > 1 for text in some}
    return {}
