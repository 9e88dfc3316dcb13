"""Orders that replace others: later ones replace earlier ones, and every other order replaces "all hold"."""

from collections.abc import Iterator, Sequence

from games.record import replace_fields
from orders.conditions import NOW, When, text_of
from orders.verdict import IN_FORCE, LineVerdict

Key = tuple[str, str | None, tuple[tuple[tuple[str, ...], str | None], ...]]


class ReplacedOrders:
    """The slots of later orders with their conditions: see `orders.conditions.covers`."""

    def __init__(self) -> None:  # not a dataclass, which takes longer to make than `gm status` has
        self.later: set[Key] = set()

    def add(self, slot: str | None, when: When) -> None:
        """Note an order. One without a slot replaces nothing."""
        if slot is not None:
            self.later.add(scope_key(slot, when))

    def covers(self, slot: str | None, when: When) -> bool:
        """Return whether an order was noted that counts whenever one with this slot and condition would."""
        if slot is None or not self.later:
            return False
        return any(key in self.later for key in covering(scope_key(slot, when)))


def covering(key: Key) -> Iterator[Key]:
    """Return the keys of all orders that depend on no more: itself, and its slot under its outer IFs."""
    slot, turn, path = key
    return ((slot, turn, path[:size]) for size in range(len(path) + 1))


def scope_key(slot: str, when: When) -> Key:
    """Return a key of a slot and a scope, with texts instead of conditions, which can't be looked up."""
    if not when.path:
        return slot, when.turn, ()
    turn, path = when.scope
    condition_texts = (
        (tuple(map(text_of, refused)), None if tried is None else text_of(tried)) for refused, tried in path
    )
    return slot, turn, tuple(condition_texts)


def earlier_first(verdicts: Sequence[LineVerdict]) -> list[int]:
    """Return the places of verdicts by their priority: typed text comes after a changed sheet."""
    places = range(len(verdicts))
    return sorted(places, key=lambda place: verdicts[place].source != "sheet")


def mark_superseded(verdicts: Sequence[LineVerdict]) -> tuple[LineVerdict, ...]:
    """Return the verdicts, marked if a later one in force has the same slot and depends on no more."""
    later = ReplacedOrders()
    result = list(verdicts)
    for place in reversed(earlier_first(verdicts)):
        verdict = verdicts[place]
        slot, when = verdict.order.slot if verdict.order else None, verdict.when or NOW
        if later.covers(slot, when):
            result[place] = replace_fields(verdict, superseded=True)
        elif verdict.grade in IN_FORCE:
            later.add(slot, when)
    return tuple(result)
