"""What a seat may choose now, as data: the rules' own listing, each order as touches.

No rule is written again in the page: it shows what the rules list, and compares what they say of each order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from games.protocol import Due, Game, Seat, View
from games.protocol.optional import Composed, Laid, Listing, Pointing, Sampled, Spot, Step, Touchable

FEW = 8
"""So many orders for one thing are shown side by side; more are asked for in two steps."""

MOST_WORDS = 3
"""So many words of an order may be its first step."""


@dataclass(frozen=True)
class Asked:
    """Who chooses: a seat, what is due from it, what it may see; the orders on file and those of nobody."""

    game: Game
    view: View
    seat: Seat
    dues: tuple[Due, ...]
    filed: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offer:
    """One order that may be chosen: itself, what it does in words, how it is put together."""

    order: Any
    words: str
    laid: Laid


def offers(asked: Asked) -> tuple[Offer, ...]:
    """Every order that the rules list for a seat, all that are for one thing together."""
    rules = asked.game.rules
    if not asked.dues or not isinstance(rules, Listing):
        return ()
    listed = [(one.of, one.order, one.words) for one in rules.possible(asked.view, asked.seat)]
    if isinstance(rules, Sampled):
        further = rules.unlisted(asked.view, asked.seat)
        listed += [(one.of, order, one.words) for one in further for order in one.orders]
    if isinstance(rules, Touchable):
        laid = [(order, words, rules.laid(asked.view, asked.seat, order)) for _, order, words in listed]
        return tuple(_together(Offer(order, words, how) for order, words, how in laid))
    return tuple(_together(_in_words(asked.game, asked.view, listed)))


def told(asked: Asked) -> dict[str, Any]:
    """The same as JSON values, for the page's script.

    Keys: takes (how many orders are wanted, None: one for each thing), kind (what is wanted, in words), owes,
    things (name, at, orders: text, does, slot, steps, adds, sort, ends, helps, along), filed, rest,
    places (by id: name, shape, point).
    """
    write, rules = asked.game.notation.write, asked.game.rules
    things: dict[str, dict[str, Any]] = {}
    for one in offers(asked):
        thing = things.setdefault(one.laid.thing, {"name": one.laid.thing, "at": one.laid.at, "orders": []})
        order = {
            "text": write(one.order),
            "does": one.words,
            "slot": one.order.slot,
            "steps": [[step.said, step.at] if step.at else [step.said] for step in one.laid.steps],
            "adds": one.laid.adds,
            "sort": one.laid.sort,
            "ends": one.laid.ends,
            "helps": one.laid.helps,
            "along": [write(other) for other in one.laid.along],
        }
        thing["orders"].append({key: value for key, value in order.items() if value})
    points = rules.points(asked.view) if isinstance(rules, Touchable) else {}
    return {
        "takes": next((due.takes for due in asked.dues), None),
        "kind": next((due.kind for due in asked.dues), ""),
        "owes": [owed.name for due in asked.dues for owed in due.owes],
        "things": [*things.values()],
        "filed": asked.filed,
        "rest": asked.rest,
        "places": {one.at: [one.name, one.shape, *points.get(one.at, ())] for one in _spots(asked)},
    }


def _spots(asked: Asked) -> Sequence[Spot]:
    telling = asked.game.telling
    if isinstance(asked.game.rules, Touchable) and isinstance(telling, Pointing):
        return telling.spots(asked.view)
    return ()


def _together(found: Iterable[Offer]) -> Iterator[Offer]:
    """Those for one thing side by side, in the order in which the things are met first."""
    by_thing: dict[str, list[Offer]] = {}
    for one in found:
        by_thing.setdefault(one.laid.thing, []).append(one)
    for some in by_thing.values():
        yield from some


def _in_words(game: Game, view: View, listed: Sequence[tuple[str, Any, str]]) -> Iterator[Offer]:
    """Orders of a game that has no touches: chosen by their text, of many by how it begins before."""
    texts = [(of, order, words, game.notation.write(order)) for of, order, words in listed]
    of_thing: dict[str, list[str]] = {}
    for of, _, _, text in texts:
        of_thing.setdefault(of, []).append(text)
    heads = {of: _heads(some) for of, some in of_thing.items()}
    for of, order, words, text in texts:
        parts = game.rules.composed(view, order) if isinstance(game.rules, Composed) else None
        if parts is not None:
            steps = tuple(Step(said=step) for step in parts[0])
            yield Offer(order, words, Laid(thing=of, at="", steps=steps, adds=parts[1]))
            continue
        head = heads[of].get(text)
        verb, _, rest = (head or "").partition(" ")
        first = (Step(said=f"{verb.lower()} {rest}".rstrip()),) if head else ()
        yield Offer(order, words, Laid(thing=of, at="", steps=(*first, Step(said=text))))


def _heads(texts: Sequence[str]) -> dict[str, str]:
    """Of many texts for one thing the words with which some begin and others do not, for those of several."""
    if len(texts) <= FEW:
        return {}
    for words in range(1, MOST_WORDS + 1):
        by_head: dict[str, list[str]] = {}
        for text in texts:
            by_head.setdefault(" ".join(text.split()[:words]), []).append(text)
        if len(by_head) > 1:
            return {text: head for head, some in by_head.items() if len(some) > 1 for text in some}
    return {}
