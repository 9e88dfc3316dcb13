"""Several orders on one line, taken apart."""

import re
from collections.abc import Callable, Sequence

from orders.words import Word, words

MAX_PIECES_PER_LINE = 60
"""A line with more of them is no list of orders."""

_MIN_ORDER_WORDS, _MAX_RUN_ON_ORDER_WORDS, _MAX_RUN_WORDS = 2, 12, 60
"""Words and signs of an order among others with nothing between them, and of all of them together."""
_ORDER_SEPARATOR_PATTERN = re.compile(
    r"[,;]|\s(?:and|und|et|y|but|except|except for|while|&|\+|/|\|)\s|(?<=[a-z0-9])\.\s+(?=[A-Z0-9])"
    r"|\s(?=\(?[a-h]\)\s)",
    re.IGNORECASE,
)

_JOINT_AT_END_PATTERN = re.compile(
    r"[\s,]+(?:and|und|et|y|e|en|&|\+|plus)(?:\s+(?:then|also|dann|auch|puis|aussi|también|também|anche|ook))?\s*$",
    re.IGNORECASE,
)


def past_joint(text: str) -> str:
    """Return a text without the "and" at its end, by which a list goes on in the line below."""
    return _JOINT_AT_END_PATTERN.sub("", text)


def split_sentences(text: str) -> tuple[str, ...]:
    """Return the spans between commas, conjunctions, full stops and strokes."""
    return tuple(piece.strip() for piece in _ORDER_SEPARATOR_PATTERN.split(text) if piece.strip())


def split_numbered(text: str) -> tuple[str, ...]:
    """Return the pieces of a numbered list, "1. A Par - Bur 2. A Mar - Spa"; none for another line."""
    pieces: list[str] = []
    rest = text
    while (
        len(pieces) < MAX_PIECES_PER_LINE
        and (mark := re.match(rf"\s*\(?{len(pieces) + 1}[.)]\s+", rest)) is not None
    ):
        following = re.search(rf"\s(?=\(?{len(pieces) + 2}[.)]\s)", rest[mark.end() :])
        end = mark.end() + following.start() if following else len(rest)
        pieces.append(rest[mark.end() : end].strip())
        rest = rest[end:]
    return tuple(pieces) if not rest else ()


def split_run_on(text: str, is_order: Callable[[str, Sequence[Word]], bool]) -> tuple[str, ...]:
    """Return the orders of which a text is made up; none if it is not, or in several ways.

    is_order: whether some of its text is an order, by that and by its words.
    """
    line = words(text)
    if not 2 * _MIN_ORDER_WORDS <= len(line) <= _MAX_RUN_WORDS:
        return ()
    # By the word where the rest begins: how it may be parted, two ways being as good as many.
    ways: list[list[tuple[int, ...]]] = [[] for _ in line] + [[()]]
    for start in range(len(line) - _MIN_ORDER_WORDS, -1, -1):
        for end in range(start + _MIN_ORDER_WORDS, min(len(line), start + _MAX_RUN_ON_ORDER_WORDS) + 1):
            if (
                len(ways[start]) < 2
                and ways[end]
                and is_order(text[line[start].start : line[end - 1].end], line[start:end])
            ):
                ways[start] = [*ways[start], *((end, *after) for after in ways[end])][:2]
    if len(ways[0]) != 1 or len(ways[0][0]) < 2:
        return ()
    starts = (0, *ways[0][0][:-1])
    return tuple(
        text[line[start].start : line[end - 1].end] for start, end in zip(starts, ways[0][0], strict=True)
    )
