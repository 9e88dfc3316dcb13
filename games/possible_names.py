"""The end of a sentence that lists what is possible instead, shortened where that is much."""

from collections.abc import Sequence

MAX_NAMES = 8
"""No more names are listed; of the others is said how many they are."""


def list_possible(names: Sequence[str]) -> str:
    """Return the names as the end of a sentence: "; possible: Brest, Gascony or 3 more". "" for none."""
    if not names:
        return ""
    more = len(names) - MAX_NAMES
    shown = (*names[:MAX_NAMES], f"{more} more") if more > 0 else tuple(names)
    return f"; possible: {', '.join(shown[:-1])} or {shown[-1]}" if shown[1:] else f"; possible: {shown[0]}"
