"""Recognises lines of our own emails when they come back, in every wording that we have ever sent."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from games.data import read_text, read_toml
from orders.words import DASH, keys, tidy

# Rule 1: three or more in a row are a quotation without marks, from the first of them to the last.
# Rule 2: one or two alone are the player's, who has copied them.
# Rule 3: among them we look only for whole orders that the player typed.


Sort = Literal["order", "frame", "words"]

MIN_QUOTED_RUN = 3
"""This many of our lines in a row are a quotation."""

TABLE_BAR = "|"
"""The bar before each row of a table in our emails. Some programs mark a quotation with it."""

_FATE_MARKS = frozenset("✓✗")

_PHRASE_WORDS, _MIN_OWN_SHARE = 3, 0.6
"""A line is ours if at least this share of its words is in runs of this many words from one of our
sentences."""

_MAX_FRAME_GAP_LINES = 9
"""Our lines are also a quotation if they are within this many lines and one of them frames the rest."""


class _OwnLineRules(NamedTuple):
    hint: re.Pattern[str]
    marks: re.Pattern[str]
    orders: tuple[tuple[re.Pattern[str], bool], ...]
    accepted: re.Pattern[str]
    frames: re.Pattern[str]
    signal: re.Pattern[str]


@lru_cache(maxsize=1)
def _rules() -> _OwnLineRules:
    table: dict[str, Any] = read_toml("orders", "own_lines.toml")
    orders, frames = table["orders"], table["frames"]["patterns"]
    signs = re.escape(table["marks"]["signs"])
    marked = orders["marked"]
    known = [
        (re.compile(pattern, re.IGNORECASE), place in marked)
        for place, pattern in enumerate(orders["patterns"])
    ]
    known += [(re.compile(pattern), False) for pattern in orders["sides"]]
    # A few words show whether any line of an email may be ours.
    bare = [
        pattern[1:]
        for pattern in (*frames, *(p for n, p in enumerate(orders["patterns"]) if n not in marked))
    ]
    bare = [re.sub(r"\?P<\w+>", "?:", pattern) for pattern in bare]
    return _OwnLineRules(
        hint=re.compile(orders["hint"], re.IGNORECASE),
        marks=re.compile(rf"^[{signs}\s]+"),
        orders=tuple(known),
        accepted=re.compile(orders["accepted"], re.IGNORECASE),
        frames=re.compile("|".join(f"(?:{pattern})" for pattern in frames), re.IGNORECASE),
        signal=re.compile(rf"^[{signs}\s]*(?:{'|'.join(bare)})", re.IGNORECASE | re.MULTILINE),
    )


@lru_cache(maxsize=1)
def sheet_titles() -> tuple[tuple[tuple[str, ...], ...], frozenset[str]]:
    """Return the beginnings of the titles of our order sheets, and the words for what they ask."""
    table = read_toml("orders", "own_lines.toml")["sheet"]
    return tuple(map(keys, table["begins"])), frozenset(table["asks"])


@lru_cache(maxsize=1)
def _own_phrases() -> frozenset[tuple[str, ...]]:
    """Return all runs of this many words in the sentences of our emails."""
    phrases: set[tuple[str, ...]] = set()
    for sentence in read_text("orders", "own_words.txt").splitlines():
        sentence_words = _words_only(sentence)
        phrases.update(
            sentence_words[at : at + _PHRASE_WORDS] for at in range(len(sentence_words) - _PHRASE_WORDS + 1)
        )
    return frozenset(phrases)


def _words_only(text: str) -> tuple[str, ...]:
    """Return the words of a text without its signs."""
    return tuple(key for key in keys(text) if key[0].isalnum())


@lru_cache(maxsize=1024)
def order_in(text: str) -> str | None:
    """Return the text of the order on a line of ours, or None for other lines. text: tidy."""
    rules = _rules()
    if rules.hint.search(text) is None:
        return None
    bare = rules.marks.sub("", text)
    for pattern, is_marked in rules.orders:
        if is_marked and bare == text:
            continue
        if (match := pattern.match(bare)) is not None:
            return match["order"].strip()
    accepted = rules.accepted.match(text)
    return accepted["order"].strip() if accepted else None


def is_table_row(text: str) -> bool:
    """Return whether a tidy line is a row of our reply's table of saved orders.

    A bar, the mark for the order's result, and the order: "| ✓ F Brest: F BRE - ENG".
    """
    if text[:1] != TABLE_BAR:
        return False
    row = past_bar(text)
    return row[:1] in _FATE_MARKS or (row[:1] == DASH and order_in(row) is not None)


def past_bar(text: str) -> str:
    """Return such a row as a list without a table has it."""
    return text.removeprefix(TABLE_BAR).lstrip()


def says_our_words(text: str) -> bool:
    """Return whether most words of a text occur in the same order in one of our sentences."""
    text_words, windows = _words_only(text), _own_phrases()
    covered: set[int] = set()
    for at in range(len(text_words) - _PHRASE_WORDS + 1):
        if text_words[at : at + _PHRASE_WORDS] in windows:
            covered.update(range(at, at + _PHRASE_WORDS))
    return len(covered) >= _MIN_OWN_SHARE * len(text_words) > 0


def goes_on(above: str, text: str) -> bool:
    """Return whether a line ends one of our sentences that a program broke without a quote mark.

    above: the quoted line before it. The line begins in lower case, or with a word in capitals.
    """
    head = (text.split(maxsplit=1) or [""])[0].rstrip(".,:;")
    if above[-1:] in ".!?:" or not (head[:1].islower() or (len(head) > 2 and head.isupper())):
        return False
    before, text_words = _words_only(tidy(above))[1 - _PHRASE_WORDS :], _words_only(tidy(text))
    whole, windows = before + text_words, _own_phrases()
    covered: set[int] = set()
    for at in range(len(whole) - _PHRASE_WORDS + 1):
        if whole[at : at + _PHRASE_WORDS] in windows:
            covered.update(range(at, at + _PHRASE_WORDS))
    return len([at for at in covered if at >= len(before)]) >= _MIN_OWN_SHARE * len(text_words) > 0


def sort_of(text: str) -> Sort | None:
    """Return the kind of one of our lines, or None for another line. text: tidy."""
    if order_in(text) is not None:
        return "order"
    if text[:1] == TABLE_BAR or _rules().frames.match(_rules().marks.sub("", text)):
        return "frame"
    return "words" if says_our_words(text) else None


def begins_as_title(text: str) -> bool:
    """Return whether a line begins like the title of our order sheet."""
    begins = sheet_titles()[0]
    # Hardly any line begins like that, and every line is checked.
    if not any(text[: len(begin[0])].lower() == begin[0] for begin in begins):
        return False
    text_words = _words_only(text)
    return any(text_words[: len(begin)] == begin for begin in begins)


def is_sheet_title(text: str) -> bool:
    """Return whether a line is the title of our order sheet, by its beginning and its request."""
    return begins_as_title(text) and not sheet_titles()[1].isdisjoint(_words_only(text))


class OwnLineRegion(NamedTuple):
    """A quotation of our lines without marks: the indices of our lines, and of the new lines among them."""

    ours: frozenset[int]
    among: frozenset[int]


NO_REGION = OwnLineRegion(frozenset(), frozenset())


def region_of(rows: Sequence[tuple[int, str]]) -> OwnLineRegion:
    """Return our lines among the new ones of an email, if they are a quotation.

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
        # The player has copied their orders and written nothing else.
        return NO_REGION
    return OwnLineRegion(
        frozenset(rows[at][0] for at in inside if sorts[at] is not None),
        frozenset(rows[at][0] for at in inside if sorts[at] is None),
    )


def _span(sorts: Sequence[Sort | None]) -> tuple[int, int] | None:
    """Return the first and last index of our lines, or None if there are too few of them."""
    ours = [at for at, sort in enumerate(sorts) if sort is not None]
    for place, start in enumerate(ours):
        row = sorts[start : start + MIN_QUOTED_RUN]
        if len(row) == MIN_QUOTED_RUN and None not in row and set(row) != {"words"}:
            break
        near = ours[place : place + MIN_QUOTED_RUN]
        if (
            len(near) == MIN_QUOTED_RUN
            and near[-1] - start < _MAX_FRAME_GAP_LINES
            and any(sorts[at] == "frame" for at in near)
        ):
            break
    else:
        return None
    return start, ours[-1] + 1


# The line above every order sheet that we send. A quoted sheet is recognised by it.


SHEET_TITLE = "Order sheet, change it and send it back:"
