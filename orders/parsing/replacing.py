"""Which orders are replaced by later ones, found in as many steps as there are orders."""

from collections.abc import Iterator, Sequence

from games.record import changed
from orders.conditions import NOW, When, text_of
from orders.verdict import IN_FORCE, Verdict

Key = tuple[str, str | None, tuple[tuple[tuple[str, ...], str | None], ...]]


class Replaced:
    """The slots of later orders, each with what these hang on: see `orders.conditions.covers`."""

    def __init__(self) -> None:
        self._later: set[Key] = set()

    def add(self, slot: str | None, when: When) -> None:
        """Note an order. One without a slot replaces nothing."""
        if slot is not None:
            self._later.add(key_of(slot, when))

    def covers(self, slot: str | None, when: When) -> bool:
        """Whether one was noted that always counts where an order of that slot, hanging on that, would."""
        if slot is None or not self._later:
            return False
        return any(key in self._later for key in covering(key_of(slot, when)))


def covering(key: Key) -> Iterator[Key]:
    """The keys of all that hang on no more than this: itself, and the same slot under the IFs around it."""
    slot, turn, path = key
    return ((slot, turn, path[:size]) for size in range(len(path) + 1))


def key_of(slot: str, when: When) -> Key:
    """What a slot and a scope are told apart by: texts in place of conditions, which cannot be looked up."""
    if not when.path:
        return slot, when.turn, ()
    turn, path = when.scope
    said = (
        (tuple(map(text_of, refused)), None if tried is None else text_of(tried)) for refused, tried in path
    )
    return slot, turn, tuple(said)


def earlier_first(verdicts: Sequence[Verdict]) -> list[int]:
    """The places of verdicts in the order in which they count: what is typed comes after a changed sheet."""
    places = range(len(verdicts))
    return sorted(places, key=lambda place: verdicts[place].source != "sheet")


def superseded(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """The verdicts, marked where a later one in force is for the same slot and hangs on no more."""
    later = Replaced()
    found = list(verdicts)
    for place in reversed(earlier_first(verdicts)):
        verdict = verdicts[place]
        slot, when = verdict.order.slot if verdict.order else None, verdict.when or NOW
        replaced = later.covers(slot, when)
        if replaced:
            found[place] = changed(verdict, superseded=True)
        elif verdict.grade in IN_FORCE:
            later.add(slot, when)
    return tuple(found)
