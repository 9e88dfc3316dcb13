"""The order of a queue: one party's many entries do not come before everybody else's few."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from adjudicator.storage.database import Database


def order_fairly(
    database: Database, queue: Any, order: Sequence[Any], limit: int, stretch: int, horizon: int
) -> list[int]:
    """The numbers of the rows that come next, in order: of each party `stretch`, then of each as many again.

    queue: a selection of number and party, unordered; order: of the queue as it came; horizon: among so many
    of the oldest it is everybody's turn. In most queues nobody has so many: then they go as they came.
    """
    ordered = queue.order_by(*order)
    oldest = _pairs(database, ordered.limit(limit))
    if is_fair((party for _, party in oldest), stretch):
        return [number for number, _ in oldest]
    before: Counter[str] = Counter()
    ranked = []
    for place, (number, party) in enumerate(_pairs(database, ordered.limit(horizon))):
        ranked.append((before[party] // stretch, place, number))
        before[party] += 1
    return [number for _, _, number in sorted(ranked)[:limit]]


def is_fair(parties: Iterable[str], stretch: int) -> bool:
    """Return whether no party has more than `stretch` entries among these, the oldest of a queue."""
    return all(count <= stretch for count in Counter(parties).values())


def _pairs(database: Database, selection: Any) -> list[tuple[int, str]]:
    return [(number, party) for number, party, *_ in database.run(selection.tuples())]
