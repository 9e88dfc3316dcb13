"""Less looking for garbage: what lives as long as the service is not gone through again and again."""

import gc
from collections.abc import Iterable

import games

GC_THRESHOLD = 20_000
"""So many new objects may come before the young ones are looked through; a letter makes some thousands."""


def settle_down(kinds: Iterable[str]) -> None:
    """Load the kinds of game that are played, and leave all that is there now out of every later search.

    For a process that is there to work through letters; a command that is over at once has no use for it.
    """
    for kind in kinds:
        games.kinds().get(kind)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)
