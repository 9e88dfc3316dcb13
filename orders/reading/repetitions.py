"""Lines of talk that repeat an order which another line of the same email gives in full: they are remarks."""

# Rule 1: only an order for a unit, or for another thing that has one order: others may be meant twice.
# Rule 2: what may deny the order, make it depend, leave a choice, doubt it or name another place is asked.

from collections.abc import Collection, Sequence

from orders.conditions import NOW
from orders.reading.near_misses import is_chat
from orders.reading.prose import is_hypothetic, is_talk, why_changing
from orders.reading.replacements import mark_superseded
from orders.reading.spans import SpanReader
from orders.verdict import LineVerdict
from orders.words import keys, past_cross, tidy, words


def says_nothing_else(reader: SpanReader, text: str, around: str, verdicts: Sequence[LineVerdict]) -> bool:
    """Return whether a line says nothing of its orders that would contradict them elsewhere.

    around: the line with what may go on in it, above and below.
    """
    if past_cross(tidy(text))[0] or is_hypothetic(text) or why_changing(around) is not None:
        return False
    label = reader.filler.label(text) if ":" in text else None
    if label is not None and keys(label) in reader.seats:
        return False
    said = " ".join(verdict.said or "" for verdict in verdicts)
    if any(any(map(str.isdigit, key)) for key in set(keys(text)) - set(keys(said))):
        # A number may name a year, a place or a coast.
        return False
    return _named_places(reader, text) <= reader.named_ids(said)


def _named_places(reader: SpanReader, text: str) -> frozenset[str]:
    """Return the places that a text names, but for words of talk that are abbreviations too: "all", "i"."""
    line = words(tidy(text))
    return frozenset(
        term.id
        for at in range(len(line))
        for end, terms in reader.names.at(line, at)[:1]
        for term in terms
        if term.sort == reader.grammar.main_sort
        and not (end == at + 1 and (is_talk(line[at].key) or is_chat(line[at].key)))
    )


def drop_repetitions(verdicts: Sequence[LineVerdict], candidates: Collection[int]) -> list[LineVerdict]:
    """Return the verdicts without the questions about orders that another line gives in full.

    candidates: the places of the verdicts on lines that say nothing else.
    """
    given = {
        verdict.said
        for verdict in mark_superseded(verdicts)
        if verdict.in_force and verdict.order is not None and (verdict.when or NOW) == NOW
    }
    return [
        verdict
        for place, verdict in enumerate(verdicts)
        if place not in candidates
        or verdict.grade != "doubtful"
        or verdict.order is None
        or verdict.order.slot is None
        or verdict.said not in given
    ]
