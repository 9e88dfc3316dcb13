"""What is told of a line that looks like an order and is none, and what to write."""

from typing import TYPE_CHECKING

from orders.parsing.beginnings import why_labelled
from orders.parsing.labels import label_of
from orders.parsing.near_misses import Unknown, instead_of, unknown_name, unknown_span
from orders.verdict import Source, Verdict
from orders.words import DASH, Word, tidy, words

if TYPE_CHECKING:
    from orders.parsing.span import Reader

MAX_LENGTH = 120
"""No line is told them that is longer, in characters."""

MAX_NAMES = 8
"""A line is told no more names than that which could stand in it."""


def unread(reader: "Reader", text: str, source: Source) -> Verdict:
    """Return the verdict on a line that was not understood."""
    plain = reader.filler.plainest(text)
    label = label_of(plain)
    if label and len(label[1]) > 2 and (found := reader.exact(tidy(plain[label.end() :]))):
        said = reader.written(reader.built(found[0]))
        problem = why_labelled(reader, label[1])
        return Verdict(line=text, source=source, grade="unread", problem=problem, instead=said)
    if (goes := _nowhere(reader, plain)) is not None:
        problem = f"it does not say where {plain[: goes.start].strip()} is to go"
        instead = _somewhere(reader, plain[: goes.start])
        return Verdict(line=text, source=source, grade="unread", problem=problem, instead=instead)
    problem = "it stops before its end" if reader.is_unfinished(plain) else "it is not an order as it stands"
    instead = instead_of(plain, reader.grammar, reader.names, reader.offered, reader.examples)
    if (unknown := _unknown(reader, text, plain)) is not None:
        problem = f"no {unknown.sort} is called {unknown.typed}{possible(reader, plain)}"
    return Verdict(line=text, source=source, grade="unread", problem=problem, instead=instead)


def possible(reader: "Reader", plain: str) -> str:
    """Return which names could stand in a line where an unknown one stands, as the end of a sentence.

    "": nobody can say, or none could.
    """
    span = unknown_span(plain, reader.grammar, reader.names)
    if span is None or reader.reaches is None or reader.allowance.lists <= 0 or len(plain) > MAX_LENGTH:
        return ""
    reader.allowance.lists -= 1
    before, after = plain[: span[0]], plain[span[1] :]
    names: list[str] = []
    for term in reader.names.of(reader.grammar.main_sort):
        found = reader.matched(words(f"{before}{term.names[0]}{after}"))
        if found and reader.offered(found[0]):
            names.append(term.names[0])
    if not names:
        return ""
    if len(names) > MAX_NAMES:
        shown = (*names[:MAX_NAMES], f"{len(names) - MAX_NAMES} more")
    else:
        shown = tuple(names)
    return f"; possible: {', '.join(shown[:-1])} or {shown[-1]}" if shown[1:] else f"; possible: {shown[0]}"


def _nowhere(reader: "Reader", plain: str) -> Word | None:
    """The arrow behind a unit, where nothing stands behind it; None: it is no such line."""
    line = words(plain)
    if len(line) < 2 or line[-1].key != DASH or not reader.is_unfinished(plain):
        return None
    named = any(end == len(line) - 1 for at in range(len(line) - 1) for end, _ in reader.names.at(line, at))
    return line[-1] if named else None


def from_somewhere(reader: "Reader", goal: str) -> str | None:
    """Return an order by which some unit could go where a line says, which names none; None: none could."""
    for term in reader.names.of(reader.grammar.main_sort):
        found = reader.matched(words(tidy(f"{term.names[0]} {goal}")))
        if found and (offered := reader.offered(found[0])):
            return offered
    return None


def _somewhere(reader: "Reader", unit: str) -> str | None:
    """An order by which that unit could go to some place now."""
    if reader.reaches is None:
        return None
    for term in reader.names.of(reader.grammar.main_sort):
        found = reader.exact(f"{unit}- {term.names[0]}")
        if found and (offered := reader.offered(found[0])):
            return offered
    return None


def _unknown(reader: "Reader", text: str, plain: str) -> Unknown | None:
    """What names nothing, as its writer spelt it. plain: the text, letters parted from numbers."""
    found = unknown_name(plain, reader.grammar, reader.names)
    if found is None:
        return None
    spelt = found._replace(typed=reader.filler.as_written(text, found.typed))
    if spelt == found or unknown_name(spelt.typed, reader.grammar, reader.names):
        return spelt
    return unknown_name(reader.filler.unparted(text), reader.grammar, reader.names)
