"""Words that lost a letter in transit: U+FFFD stands in its place, and one name may be meant."""

# Rule 1: what is read is an order that could be given now, and the only one; else the line is asked back.

import re
from collections.abc import Iterator
from itertools import islice, product

from games.record import canonical, replace_fields
from orders.reading.spans import SpanReader
from orders.verdict import IN_FORCE, LineVerdict, Source, mark_doubtful
from orders.words import fold, split

REPLACEMENT_CHARACTER = "\ufffd"
_DAMAGED_WORD_PATTERN = re.compile(rf"[^\W_]*(?:{REPLACEMENT_CHARACTER}{{1,3}}[^\W_]*)+")
_LOST_LETTER_PATTERN = re.compile(REPLACEMENT_CHARACTER)
LOST_LETTER_REASON = "a sign of it was lost on the way"
_MAX_FILLINGS = 60
"""So many ways to fill the gaps of a line are tried."""


def read_damaged(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the verdicts on a line with lost letters; none where it has no single meaning.

    Each part of a list is read by itself.
    """
    all_verdicts: list[LineVerdict] = []
    for piece in split(text):
        verdicts = (
            _restore_order(reader, piece, source)
            if REPLACEMENT_CHARACTER in piece
            else reader.read(piece, source)
        )
        if not verdicts or any(verdict.grade not in IN_FORCE for verdict in verdicts):
            return []
        all_verdicts += verdicts
    return all_verdicts


def ask_damaged(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the questions about a line with lost letters that is no order as it stands."""
    verdicts = reader.read(text, source) or reader.read(_LOST_LETTER_PATTERN.sub("x", text), source)
    return [
        replace_fields(mark_doubtful(verdict, LOST_LETTER_REASON), line=text)
        if len(verdicts) == 1
        else mark_doubtful(verdict, LOST_LETTER_REASON)
        for verdict in verdicts
    ]


def _restore_order(reader: SpanReader, text: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on one order in which letters are lost."""
    meanings: dict[bytes, tuple[LineVerdict, str]] = {}
    for whole, correction in islice(_fill_gaps(reader, text), _MAX_FILLINGS):
        for candidate in reader.whole_orders(whole, source):
            meanings.setdefault(canonical(candidate.order), (candidate, correction))
    if len(meanings) != 1:
        return []
    ((verdict, correction),) = meanings.values()
    if verdict.grade not in IN_FORCE:
        return []
    problem = f"{verdict.problem}; {correction}" if verdict.problem else correction
    return [replace_fields(verdict, line=text, grade="corrected", problem=problem)]


def _fill_gaps(reader: SpanReader, text: str) -> Iterator[tuple[str, str]]:
    """Yield the text with words of the game in place of those that lack letters, and its explanation."""
    gaps = list(_DAMAGED_WORD_PATTERN.finditer(text))
    vocabulary = reader.names.vocabulary | reader.grammar.literals
    choices = [sorted(word for word in vocabulary if _fits(gap[0], word)) for gap in gaps]
    for words in product(*choices):
        whole, end = "", 0
        for gap, word in zip(gaps, words, strict=True):
            whole += text[end : gap.start()] + word
            end = gap.end()
        correction = "; ".join(
            f"a letter of {gap[0]} was lost on the way, and {word.title()} was read"
            for gap, word in zip(gaps, words, strict=True)
        )
        yield whole + text[end:], correction


def _fits(typed: str, word: str) -> bool:
    """Return whether a word may have been typed: each gap stands for one letter, whatever its bytes."""
    pieces = re.split(f"{REPLACEMENT_CHARACTER}+", typed)
    if sum(map(len, pieces)) + len(pieces) - 1 != len(word) or len(word) < 3:
        return False
    at = 0
    for piece in pieces:
        if word[at : at + len(piece)] != fold(piece):
            return False
        at += len(piece) + 1
    return True
