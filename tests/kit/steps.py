"""Counts steps instead of seconds: the number of function calls, ours and those of libraries."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from orders.words import fold, words


def steps(work: Callable[[], object]) -> int:
    """Return the number of calls that some work makes, with empty caches of words.

    A regular expression is one step, however long the text. So the tests' texts grow by lines, and by words
    within a line.
    """
    words.cache_clear()
    fold.cache_clear()
    count = 0

    def called(_frame: FrameType, event: str, _what: Any) -> None:
        nonlocal count
        if event in ("call", "c_call"):
            count += 1

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count
