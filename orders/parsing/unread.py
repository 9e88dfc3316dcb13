"""Explain a line that looks like an order and is none: what is wrong with it, and what to write."""

from typing import TYPE_CHECKING

from games.protocol import list_possible
from orders.parsing.beginnings import why_labelled
from orders.parsing.labels import label_of
from orders.parsing.near_misses import Unknown, suggest_correction, unknown_name, unknown_span
from orders.verdict import LineVerdict, Source
from orders.words import DASH, Word, tidy, words

if TYPE_CHECKING:
    from orders.parsing.span import SpanReader

MAX_LENGTH = 120
"""No line is told them that is longer, in characters."""


def explain_unread(reader: "SpanReader", text: str, source: Source) -> LineVerdict:
    """Return the verdict on a line that was not understood."""
    plain = reader.filler.plainest(text)
    label = label_of(plain)
    if label and len(label[1]) > 2 and (matches := reader.exact(tidy(plain[label.end() :]))):
        order_text = reader.order_text(reader.build_order(matches[0]))
        problem = why_labelled(reader, label[1])
        return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=order_text)
    if (goes := _missing_goal(reader, plain)) is not None:
        problem = f"it does not say where {plain[: goes.start].strip()} is to go"
        instead = _example_goal(reader, plain[: goes.start])
        return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=instead)
    problem = "it stops before its end" if reader.is_unfinished(plain) else "it is not an order as it stands"
    instead = suggest_correction(plain, reader.grammar, reader.names, reader.text_to_offer, reader.examples)
    if (unknown := _unknown(reader, text, plain)) is not None:
        problem = f"no {unknown.sort} is called {unknown.typed}{possible(reader, plain)}"
    return LineVerdict(line=text, source=source, grade="unread", problem=problem, instead=instead)


def possible(reader: "SpanReader", plain: str) -> str:
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
        found = reader.match_line(words(f"{before}{term.names[0]}{after}"))
        if found and reader.text_to_offer(found[0]):
            names.append(term.names[0])
    return list_possible(names)


def _missing_goal(reader: "SpanReader", plain: str) -> Word | None:
    """The arrow behind a unit, where nothing stands behind it; None: it is no such line."""
    line = words(plain)
    if len(line) < 2 or line[-1].key != DASH or not reader.is_unfinished(plain):
        return None
    named = any(end == len(line) - 1 for at in range(len(line) - 1) for end, _ in reader.names.at(line, at))
    return line[-1] if named else None


def from_somewhere(reader: "SpanReader", goal: str) -> str | None:
    """Return an order by which some unit could go where a line says, which names none; None: none could."""
    for term in reader.names.of(reader.grammar.main_sort):
        found = reader.match_line(words(tidy(f"{term.names[0]} {goal}")))
        if found and (offered := reader.text_to_offer(found[0])):
            return offered
    return None


def _example_goal(reader: "SpanReader", unit: str) -> str | None:
    """Return an order by which that unit could go to some place now."""
    if reader.reaches is None:
        return None
    for term in reader.names.of(reader.grammar.main_sort):
        matches = reader.exact(f"{unit}- {term.names[0]}")
        if matches and (offered := reader.text_to_offer(matches[0])):
            return offered
    return None


def _unknown(reader: "SpanReader", text: str, plain: str) -> Unknown | None:
    """Return what names nothing, as its writer spelt it. plain: the text, letters parted from numbers."""
    unknown = unknown_name(plain, reader.grammar, reader.names)
    if unknown is None:
        return None
    spelt = unknown._replace(typed=reader.filler.as_written(text, unknown.typed))
    if spelt == unknown or unknown_name(spelt.typed, reader.grammar, reader.names):
        return spelt
    return unknown_name(reader.filler.plainest_unsplit(text), reader.grammar, reader.names)
