"""Lines that begin with a whole order, and what stands around it: labels and remarks."""

# Rule 1: a line that begins with a whole order of the seat is never silent.
# Rule 2: what stands behind a dash, a bracket or a semicolon is a remark, unless it may change the order.
# Rule 3: a label that does not only announce orders is asked back, with all the orders behind it.

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from games.record import changed
from orders.parsing.grading import as_doubt
from orders.parsing.near_misses import is_chat, is_courtesy
from orders.parsing.remarks import is_talk, past_choice, why_changing
from orders.parsing.splitting import parted
from orders.verdict import Source, Verdict
from orders.words import DASH, Word, keys, past_cross, split, tidy, words

if TYPE_CHECKING:
    from orders.parsing.span import Reader

MORE = "more stands there than an order"
_LONGEST = 24
"""So many words of a line are looked at."""

_LONGEST_ABBREVIATION = 3
_FEWEST_SAID, _FEWEST_SECOND = 2, 3
"""So many words an order has behind which there is talk, and one that stands somewhere in a line."""

_SIGNS = frozenset((DASH, "(", ";"))
_SIGN = re.compile(r"[-~>(;=&]")
"""What one of them may be written as, in plain letters."""


def crossed(reader: "Reader", text: str, source: Source) -> list[Verdict] | None:
    """Return questions about the orders of a line that is crossed out; None: it is not."""
    cross, rest = past_cross(tidy(text))
    if not cross:
        return None
    why = f"the {cross} before it may deny it"
    verdicts = reader.read(rest, source, in_prose=True)
    return [changed(as_doubt(one, why), line=text) for one in verdicts if one.order is not None]


def remarked(reader: "Reader", text: str, source: Source) -> list[Verdict]:
    """Return the verdict on an order with a remark behind it, asked back where that may change it."""
    if text.isascii() and _SIGN.search(text) is None:
        return []
    start = reader.filler.begun(text)
    line = words(start)[:_LONGEST]
    if not any(word.key in _SIGNS for word in line[1:]):
        return []
    for size in reader.whole_sizes(line):
        sign = line[size] if size < len(line) else None
        if sign is None or sign.key not in _SIGNS or ">" in start[sign.start : sign.end]:
            continue
        rest = start[sign.end :].strip()
        head = start[: line[size - 1].end]
        found = reader.exact(head)
        talk = any(word.key[0].isalnum() for word in words(rest))
        if not found or not talk or not reader.is_own(reader.built(found[0])):
            continue
        if _may_be_unknown(reader, words(rest), start[sign.start - 1 : sign.end + 1]):
            # What is no name here is told of as such.
            return []
        why = _why_no_remark(reader, rest)
        if why is not None and sign.key != DASH:
            # What may be more orders behind these signs is read as such.
            return []
        why = why or why_changing(rest)
        verdict = reader.judge(text, source, head, found)
        return [as_doubt(verdict, f"behind it, {why}") if why else verdict]
    return _unmarked(reader, text, start, line, source)


def _unmarked(reader: "Reader", text: str, start: str, line: Sequence[Word], source: Source) -> list[Verdict]:
    """The verdict on an order without a dash of its own, with a remark behind one: "kie den - thanks"."""
    sign = next((word for word in line[1:] if word.key in _SIGNS), None)
    if sign is None or ">" in start[sign.start : sign.end]:
        return []
    rest = start[sign.end :].strip()
    if not any(word.key[0].isalnum() for word in words(rest)) or _may_be_unknown(reader, words(rest)):
        return []
    verdicts = reader.unmarked(start[: sign.start].strip(), source)
    if not verdicts or _why_no_remark(reader, rest):
        return []
    why = why_changing(rest)
    found = [changed(one, line=text) for one in verdicts]
    return [as_doubt(one, f"behind it, {why}") for one in found] if why else found


def _may_be_unknown(reader: "Reader", line: Sequence[Word], joint: str = " ") -> bool:
    """Whether a remark begins like a name that nothing here has: "k3", or three letters alone.

    joint: the dash before it with what stands on either side: "Mid-At" is half a name.
    """
    said = [word.key for word in line if word.key[0].isalnum()]
    first = said[0]
    if any(map(str.isdigit, first)):
        # A number is like a name only where places have numbers.
        return not first.isdigit() or reader.names.has_numbers
    if len(said) > 1 or len(first) > _LONGEST_ABBREVIATION:
        return False
    return (" " not in joint and len(joint) == len(" - ")) or not (is_talk(first) or is_courtesy(first))


def _why_no_remark(reader: "Reader", rest: str) -> str | None:
    """Say what makes more of an order of what stands behind it; None where it is a remark."""
    line = words(rest)
    if _names_place(reader, line):
        return f"{rest[line[0].start : line[0].end]} names a place"
    if any(_begins_order(reader, line[place:]) for place in range(len(line))):
        return "another order stands"
    known = all(word.key in reader.grammar.literals or reader.names.has(word.key) for word in line)
    return f"{rest} may belong to it" if known else None


def _names_place(reader: "Reader", line: Sequence[Word]) -> bool:
    """Whether a remark begins with the name of a place, or nearly so."""
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


def _begins_order(reader: "Reader", line: Sequence[Word]) -> bool:
    """Whether an order begins there that is long enough to be one."""
    return any(size >= _FEWEST_SECOND for size in reader.whole_sizes(line[:_LONGEST]))


def labelled(reader: "Reader", text: str, source: Source) -> list[Verdict]:
    """Return the verdicts on orders behind a label, asked back; none where it is talk of others' orders."""
    label = reader.filler.label(text) if ":" in text else None
    if label is None or _holds_order(reader, label):
        return []
    start = reader.filler.led(text)
    rest = start[len(label) :].lstrip().removeprefix(":").strip()
    verdicts = reader.read(rest, source, in_prose=True)
    orders = [one.order for one in verdicts if one.order is not None]
    if not any(map(reader.can_be, orders)):
        several = len(orders) > 1 and not is_chat(text) and not reader.is_unfinished(label)
        # They are somebody else's: the line is asked about once.
        found = [one for one in verdicts if one.order is not None][:1] if several else []
        return [changed(as_doubt(one, why_labelled(reader, label)), line=text) for one in found]
    if _is_unit_of(reader, label, rest):
        return [changed(verdict, line=text) for verdict in verdicts]
    return [as_doubt(verdict, why_labelled(reader, label)) for verdict in verdicts]


def _holds_order(reader: "Reader", label: str) -> bool:
    """Whether a label has orders before it, and belongs to those behind it: "A PAR H, at sea"."""
    pieces = split(label)
    pieces = pieces if len(pieces) > 1 else parted(label)
    return any(reader.exact(one) for one in pieces[:-1])


def _is_unit_of(reader: "Reader", label: str, rest: str) -> bool:
    """Whether a label names nothing but the unit for which the order behind it is: "A Paris: A PAR - BUR"."""
    named, found = reader.named(label), reader.exact(rest)
    units = {next(iter(match.slots.values()), None) for match in found}
    return units == named and all(
        word.key in reader.grammar.literals or reader.names.has(word.key) for word in words(label)
    )


def why_labelled(reader: "Reader", label: str) -> str:
    """Say why orders behind a label may not be the sender's, or not for now."""
    said = label.strip(" ,-")
    if keys(said) in reader.seats:
        return f"it begins with {said}, which is not your seat"
    if (why := why_changing(said)) is not None:
        return f"before it, {why}"
    return f'we do not know what "{said}:" means before it'


def whole(reader: "Reader", text: str, source: Source) -> list[Verdict]:
    """Return a question about a whole order of the seat with which a line begins; none where it does not."""
    if not reader.names_something(text):
        return []
    start = past_choice(reader.filler.begun(text))
    line = words(start)[:_LONGEST]
    for size in reader.whole_sizes(line):
        head = start[: line[size - 1].end]
        if size < (_FEWEST_SAID if reader.reaches is not None else _FEWEST_SECOND):
            break
        found = reader.exact(head)
        if found and reader.can_be(reader.built(found[0])):
            return [as_doubt(reader.judge(text, source, head, found), MORE)]
    return []
