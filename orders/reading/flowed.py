"""Lines that format=flowed has joined: a person may have ended each of them."""

from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.spans import SpanReader
from orders.verdict import IN_FORCE
from orders.words import tidy


def split_flowed(reader: SpanReader, line: FreshLine) -> list[FreshLine]:
    """Return the parts of a joined line, if they hold more orders than it does; else that line."""
    parted = [replace_fields(line, text=piece, pieces=()) for piece in line.pieces if piece.strip()]
    whole = [part for part in parted if reader.whole_orders(tidy(part.text), line.source)]
    joined = reader.read(line.text, line.source, in_prose=True) if whole else []
    if not whole or (len(joined) >= len(whole) and all(part.grade in IN_FORCE for part in joined)):
        return [replace_fields(line, pieces=())]
    return [parted[0], *(replace_fields(part, after_gap=False) for part in parted[1:])]
