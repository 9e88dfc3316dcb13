"""Lines of our own emails, known by their words wherever they come back."""

# Rule 1: three or more in a row are a quotation without marks, from the first of them to the last.
# Rule 2: one alone, or two, are the player's: he has copied what they hold.
# Rule 3: what he typed among them is looked at for whole orders alone.

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from games.data import read_text, read_toml
from orders.words import keys, tidy

Sort = Literal["order", "frame", "words"]

_ROW = 3
"""So many of our lines in a row are a quotation."""

_WINDOW, _SHARE = 3, 0.6
"""A line says our words if this share of its own stands in runs of so many that a sentence of ours has."""

_NEAR = 9
"""As well they are if they stand within so many lines, and one of them frames others."""


class _Rules(NamedTuple):
    hint: re.Pattern[str]
    marks: re.Pattern[str]
    orders: tuple[tuple[re.Pattern[str], bool], ...]
    frames: re.Pattern[str]
    signal: re.Pattern[str]


@lru_cache(maxsize=1)
def _rules() -> _Rules:
    table: dict[str, Any] = read_toml("orders", "own_lines.toml")
    orders, frames = table["orders"], table["frames"]["patterns"]
    signs = re.escape(table["marks"]["signs"])
    marked = orders["marked"]
    known = [
        (re.compile(pattern, re.IGNORECASE), place in marked)
        for place, pattern in enumerate(orders["patterns"])
    ]
    known += [(re.compile(pattern), False) for pattern in orders["sides"]]
    # Whether any line of an email may be ours is asked of all at once, and told by few words.
    bare = [
        pattern[1:]
        for pattern in (*frames, *(p for n, p in enumerate(orders["patterns"]) if n not in marked))
    ]
    bare = [re.sub(r"\?P<\w+>", "?:", one) for one in bare]
    return _Rules(
        hint=re.compile(orders["hint"], re.IGNORECASE),
        marks=re.compile(rf"^[{signs}\s]+"),
        orders=tuple(known),
        frames=re.compile("|".join(f"(?:{one})" for one in frames), re.IGNORECASE),
        signal=re.compile(rf"^[{signs}\s]*(?:{'|'.join(bare)})", re.IGNORECASE | re.MULTILINE),
    )


@lru_cache(maxsize=1)
def _sheets() -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    table = read_toml("orders", "own_lines.toml")["sheet"]
    return tuple(map(keys, table["begins"])), frozenset(table["asks"])


@lru_cache(maxsize=1)
def _windows() -> frozenset[tuple[str, ...]]:
    """All runs of so many words in the sentences of our emails."""
    found: set[tuple[str, ...]] = set()
    for sentence in read_text("orders", "own_words.txt").splitlines():
        said = _said(sentence)
        found.update(said[at : at + _WINDOW] for at in range(len(said) - _WINDOW + 1))
    return frozenset(found)


def _said(text: str) -> tuple[str, ...]:
    """The words of a text without its signs."""
    return tuple(key for key in keys(text) if key[0].isalnum())


@lru_cache(maxsize=1024)
def order_in(text: str) -> str | None:
    """The text of the order that a line of ours holds; None: it is no such line. text: tidy."""
    rules = _rules()
    if rules.hint.search(text) is None:
        return None
    bare = rules.marks.sub("", text)
    for pattern, is_marked in rules.orders:
        if is_marked and bare == text:
            continue
        if (found := pattern.match(bare)) is not None:
            return found["order"].strip()
    return None


def says_our_words(text: str) -> bool:
    """Whether most words of a text stand as they do in a sentence of ours."""
    said, windows = _said(text), _windows()
    covered: set[int] = set()
    for at in range(len(said) - _WINDOW + 1):
        if said[at : at + _WINDOW] in windows:
            covered.update(range(at, at + _WINDOW))
    return len(covered) >= _SHARE * len(said) > 0


def goes_on(above: str, text: str) -> bool:
    """Whether a line is the end of a sentence of ours that a program broke: the mark of quotation is lost.

    above: the quoted line right above. It begins with a small letter, or a word in capitals.
    """
    head = (text.split(maxsplit=1) or [""])[0].rstrip(".,:;")
    if above[-1:] in ".!?:" or not (head[:1].islower() or (len(head) > 2 and head.isupper())):
        return False
    before, said = _said(tidy(above))[1 - _WINDOW :], _said(tidy(text))
    whole, windows = before + said, _windows()
    covered: set[int] = set()
    for at in range(len(whole) - _WINDOW + 1):
        if whole[at : at + _WINDOW] in windows:
            covered.update(range(at, at + _WINDOW))
    return len([at for at in covered if at >= len(before)]) >= _SHARE * len(said) > 0


def sort_of(text: str) -> Sort | None:
    """What a line of ours is; None: it is none. text: tidy."""
    if order_in(text) is not None:
        return "order"
    if _rules().frames.match(_rules().marks.sub("", text)):
        return "frame"
    return "words" if says_our_words(text) else None


def begins_as_title(text: str) -> bool:
    """Whether a line begins as the title of an order sheet of ours does."""
    begins = _sheets()[0]
    # Hardly any line begins so, and each is asked.
    if not any(text[: len(begin[0])].lower() == begin[0] for begin in begins):
        return False
    said = _said(text)
    return any(said[: len(begin)] == begin for begin in begins)


def is_sheet_title(text: str) -> bool:
    """Whether a line is the title of an order sheet of ours, by how it begins and what it asks for."""
    return begins_as_title(text) and not _sheets()[1].isdisjoint(_said(text))


class Region(NamedTuple):
    """A quotation of ours without marks: the indices of our lines in it, and of those among them."""

    ours: frozenset[int]
    among: frozenset[int]


NO_REGION = Region(frozenset(), frozenset())


def region_of(rows: Sequence[tuple[int, str]]) -> Region:
    """The lines of ours that stand among the new ones of an email, as far as they are a quotation.

    rows: the new lines with their indices.
    """
    if not _rules().signal.search("\n".join(tidy(text) for _, text in rows)):
        return NO_REGION
    sorts = [sort_of(tidy(text)) for _, text in rows]
    span = _span(sorts)
    if span is None:
        return NO_REGION
    inside = range(span[0], span[1])
    typed = any(sort is None for sort in sorts)
    if not typed and all(sort == "order" for sort in sorts):
        # Somebody has copied his orders, and wrote nothing else.
        return NO_REGION
    return Region(
        frozenset(rows[at][0] for at in inside if sorts[at] is not None),
        frozenset(rows[at][0] for at in inside if sorts[at] is None),
    )


def _span(sorts: Sequence[Sort | None]) -> tuple[int, int] | None:
    """From where to where the lines are ours; None: they are not so many together that they would be."""
    ours = [at for at, sort in enumerate(sorts) if sort is not None]
    for place, start in enumerate(ours):
        row = sorts[start : start + _ROW]
        if len(row) == _ROW and None not in row and set(row) != {"words"}:
            break
        near = ours[place : place + _ROW]
        if len(near) == _ROW and near[-1] - start < _NEAR and any(sorts[at] == "frame" for at in near):
            break
    else:
        return None
    return start, ours[-1] + 1
