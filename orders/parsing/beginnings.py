"""Lines that begin with a whole order, and the labels, remarks and other words before and behind it."""

# Rule 1: a line that begins with a whole order of the seat is never silent.
# Rule 2: what stands behind a dash, a bracket or a semicolon is a remark, unless it may change the order.
# Rule 3: a label that does not only announce orders is asked back, with all the orders behind it.

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.record import replace_fields
from orders.parsing.grading import as_doubt
from orders.parsing.near_misses import is_chat, is_courtesy
from orders.parsing.remarks import is_talk, past_choice, why_changing
from orders.parsing.splitting import split_sentences
from orders.verdict import LineVerdict, Source
from orders.words import DASH, Word, keys, past_cross, split, tidy, words

if TYPE_CHECKING:
    from orders.parsing.span import SpanReader

MORE_THAN_AN_ORDER = "more stands there than an order"
MAX_LINE_WORDS = 24
"""So many words of a line are looked at."""

_LONGEST_ABBREVIATION = 3
_MIN_WORDS_BEFORE_TALK, _MIN_WORDS_WITHIN_LINE = 2, 3
"""So many words an order has behind which there is talk, and one that stands somewhere in a line."""

_REMARK_SIGNS = frozenset((DASH, "(", ";"))
_REMARK_SIGN_PATTERN = re.compile(r"[-~>(;=&]")
"""What one of them may be written as, in plain letters."""


def crossed(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict] | None:
    """Return questions about the orders of a line that is crossed out; None: it is not."""
    cross, rest = past_cross(tidy(text))
    if not cross:
        return None
    why = f"the {cross} before it may deny it"
    verdicts = reader.read(rest, source, in_prose=True)
    return [replace_fields(as_doubt(one, why), line=text) for one in verdicts if one.order is not None]


def read_remarked(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on an order with a remark behind it, asked back where that may change it."""
    if text.isascii() and _REMARK_SIGN_PATTERN.search(text) is None:
        return []
    start = reader.filler.from_first_order(text)
    line = words(start)[:MAX_LINE_WORDS]
    if not any(word.key in _REMARK_SIGNS for word in line[1:]):
        return []
    for size in reader.whole_sizes(line):
        sign = line[size] if size < len(line) else None
        if sign is None or sign.key not in _REMARK_SIGNS or ">" in start[sign.start : sign.end]:
            continue
        rest = start[sign.end :].strip()
        head = start[: line[size - 1].end]
        matches = reader.exact(head)
        talk = any(word.key[0].isalnum() for word in words(rest))
        if not matches or not talk or not reader.is_own(reader.build_order(matches[0])):
            continue
        if _may_be_unknown(reader, words(rest), start[sign.start - 1 : sign.end + 1]):
            # What is no name here is told of as such.
            return []
        why = _why_no_remark(reader, rest)
        if why is not None and sign.key != DASH:
            # What may be more orders behind these signs is read as such.
            return []
        why = why or why_changing(rest)
        verdict = reader.judge(text, source, head, matches)
        return [as_doubt(verdict, f"behind it, {why}") if why else verdict]
    return _read_unmarked(reader, text, start, line, source)


def _read_unmarked(
    reader: "SpanReader", text: str, start: str, line: Sequence[Word], source: Source
) -> list[LineVerdict]:
    """Return the verdict on an order without a dash, with a remark behind one: "kie den - thanks"."""
    sign = next((word for word in line[1:] if word.key in _REMARK_SIGNS), None)
    if sign is None or ">" in start[sign.start : sign.end]:
        return []
    rest = start[sign.end :].strip()
    if not any(word.key[0].isalnum() for word in words(rest)) or _may_be_unknown(reader, words(rest)):
        return []
    verdicts = reader.read_without_dash(start[: sign.start].strip(), source)
    if not verdicts or _why_no_remark(reader, rest):
        return []
    why = why_changing(rest)
    whole_line_verdicts = [replace_fields(verdict, line=text) for verdict in verdicts]
    return (
        [as_doubt(verdict, f"behind it, {why}") for verdict in whole_line_verdicts]
        if why
        else whole_line_verdicts
    )


def _may_be_unknown(reader: "SpanReader", line: Sequence[Word], joint: str = " ") -> bool:
    """Return whether a remark begins like a name that nothing here has: "k3", or three letters alone.

    joint: the dash before it with what stands on either side: "Mid-At" is half a name.
    """
    word_keys = [word.key for word in line if word.key[0].isalnum()]
    first = word_keys[0]
    if any(map(str.isdigit, first)):
        # A number is like a name only where places have numbers.
        return not first.isdigit() or reader.names.has_numbers
    if len(word_keys) > 1 or len(first) > _LONGEST_ABBREVIATION:
        return False
    return (" " not in joint and len(joint) == len(" - ")) or not (is_talk(first) or is_courtesy(first))


def _why_no_remark(reader: "SpanReader", rest: str) -> str | None:
    """Say what makes more of an order of what stands behind it; None where it is a remark."""
    line = words(rest)
    if _names_place(reader, line):
        return f"{rest[line[0].start : line[0].end]} names a place"
    if any(_begins_order(reader, line[place:]) for place in range(len(line))):
        return "another order stands"
    known = all(word.key in reader.grammar.literals or reader.names.has(word.key) for word in line)
    return f"{rest} may belong to it" if known else None


def _names_place(reader: "SpanReader", line: Sequence[Word]) -> bool:
    """Return whether a remark begins with the name of a place, or nearly so."""
    main, word = reader.grammar.main_sort, line[0]
    if any(term.sort == main for _, terms in reader.names.at(line, 0) for term in terms):
        return True
    if (
        not word.key.isalpha()
        or is_talk(word.key)
        or is_chat(word.key)
        or is_courtesy(word.key)
        or len(word.key) < 4
    ):
        return False
    return reader.names.find(word.key, frozenset((main,))).how in ("prefix", "near")


def _begins_order(reader: "SpanReader", line: Sequence[Word]) -> bool:
    """Return whether an order begins there that is long enough to be one."""
    return any(size >= _MIN_WORDS_WITHIN_LINE for size in reader.whole_sizes(line[:MAX_LINE_WORDS]))


def read_labelled(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return the verdicts on orders behind a label, asked back; none where it is talk of others' orders."""
    label = reader.filler.label(text) if ":" in text else None
    if label is None or _holds_order(reader, label):
        return []
    start = reader.filler.without_lead(text)
    rest = start[len(label) :].lstrip().removeprefix(":").strip()
    verdicts = reader.read(rest, source, in_prose=True)
    orders = [verdict.order for verdict in verdicts if verdict.order is not None]
    if not any(map(reader.can_be, orders)):
        several = len(orders) > 1 and not is_chat(text) and not reader.is_unfinished(label)
        # They are somebody else's: the line is asked about once.
        foreign = [verdict for verdict in verdicts if verdict.order is not None][:1] if several else []
        return [
            replace_fields(as_doubt(verdict, why_labelled(reader, label)), line=text) for verdict in foreign
        ]
    if _is_unit_of(reader, label, rest):
        return [replace_fields(verdict, line=text) for verdict in verdicts]
    return [as_doubt(verdict, why_labelled(reader, label)) for verdict in verdicts]


def _holds_order(reader: "SpanReader", label: str) -> bool:
    """Whether a label has orders before it, and belongs to those behind it: "A PAR H, at sea"."""
    pieces = split(label)
    pieces = pieces if len(pieces) > 1 else split_sentences(label)
    return any(reader.exact(one) for one in pieces[:-1])


def _is_unit_of(reader: "SpanReader", label: str, rest: str) -> bool:
    """Return whether a label names only the unit of the order behind it: "A Paris: A PAR - BUR"."""
    named, matches = reader.named_ids(label), reader.exact(rest)
    units = {next(iter(match.slots.values()), None) for match in matches}
    return units == named and all(
        word.key in reader.grammar.literals or reader.names.has(word.key) for word in words(label)
    )


def why_labelled(reader: "SpanReader", label: str) -> str:
    """Say why orders behind a label may not be the sender's, or not for now."""
    label_text = label.strip(" ,-")
    if keys(label_text) in reader.seats:
        return f"it begins with {label_text}, which is not your seat"
    if (why := why_changing(label_text)) is not None:
        return f"before it, {why}"
    return f'we do not know what "{label_text}:" means before it'


def read_whole(reader: "SpanReader", text: str, source: Source) -> list[LineVerdict]:
    """Return a question about a whole order of the seat with which a line begins; none where it does not."""
    if not reader.names_something(text):
        return []
    start = past_choice(reader.filler.from_first_order(text))
    line = words(start)[:MAX_LINE_WORDS]
    for size in reader.whole_sizes(line):
        head = start[: line[size - 1].end]
        if size < (_MIN_WORDS_BEFORE_TALK if reader.reaches is not None else _MIN_WORDS_WITHIN_LINE):
            break
        matches = reader.exact(head)
        if matches and reader.can_be(reader.build_order(matches[0])):
            return [as_doubt(reader.judge(text, source, head, matches), MORE_THAN_AN_ORDER)]
    return []
