"""Words in which a letter was lost on the way: U+FFFD stands in its place."""

# Rule 1: what is read is an order that could be given now, and the only one; else the line is asked back.

import re
from collections.abc import Iterator
from itertools import islice, product

from games.record import canonical, changed
from orders.parsing.span import Reader
from orders.verdict import IN_FORCE, Source, Verdict, doubted
from orders.words import fold, split

LOST = "\ufffd"
_WORD = re.compile(rf"[^\W_]*(?:{LOST}{{1,3}}[^\W_]*)+")
_GAP = re.compile(LOST)
WHY = "a sign of it was lost on the way"
_MOST = 60
"""So many ways to fill the gaps of a line are tried."""


def read_lost(reader: Reader, text: str, source: Source) -> list[Verdict]:
    """Return the verdicts on a line with lost letters; none where it has no single meaning.

    Each part of a list is read by itself.
    """
    found: list[Verdict] = []
    for piece in split(text):
        verdicts = _restored(reader, piece, source) if LOST in piece else reader.read(piece, source)
        if not verdicts or any(one.grade not in IN_FORCE for one in verdicts):
            return []
        found += verdicts
    return found


def ask_lost(reader: Reader, text: str, source: Source) -> list[Verdict]:
    """Return the questions about a line with lost letters that is no order as it stands."""
    found = reader.read(text, source) or reader.read(_GAP.sub("x", text), source)
    return [changed(doubted(one, WHY), line=text) if len(found) == 1 else doubted(one, WHY) for one in found]


def _restored(reader: Reader, text: str, source: Source) -> list[Verdict]:
    """The verdict on one order in which letters are lost."""
    meanings: dict[bytes, tuple[Verdict, str]] = {}
    for whole, told in islice(_filled(reader, text), _MOST):
        for one in reader.whole_orders(whole, source):
            meanings.setdefault(canonical(one.order), (one, told))
    if len(meanings) != 1:
        return []
    ((verdict, told),) = meanings.values()
    if verdict.grade not in IN_FORCE:
        return []
    problem = f"{verdict.problem}; {told}" if verdict.problem else told
    return [changed(verdict, line=text, grade="corrected", problem=problem)]


def _filled(reader: Reader, text: str) -> Iterator[tuple[str, str]]:
    """The text with words of the game in place of those that lack letters, and what is told of that."""
    gaps = list(_WORD.finditer(text))
    vocabulary = reader.names.vocabulary | reader.grammar.literals
    choices = [sorted(word for word in vocabulary if _fits(gap[0], word)) for gap in gaps]
    for words in product(*choices):
        whole, end = "", 0
        for gap, word in zip(gaps, words, strict=True):
            whole += text[end : gap.start()] + word
            end = gap.end()
        told = "; ".join(
            f"a letter of {gap[0]} was lost on the way, and {word.title()} was read"
            for gap, word in zip(gaps, words, strict=True)
        )
        yield whole + text[end:], told


def _fits(typed: str, word: str) -> bool:
    """Whether a word may have been typed: each gap stands for one letter, whatever bytes that has."""
    pieces = re.split(f"{LOST}+", typed)
    if sum(map(len, pieces)) + len(pieces) - 1 != len(word) or len(word) < 3:
        return False
    at = 0
    for piece in pieces:
        if word[at : at + len(piece)] != fold(piece):
            return False
        at += len(piece) + 1
    return True
