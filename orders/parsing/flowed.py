"""Lines that format=flowed has joined: a person may have ended each of them."""

from collections.abc import Sequence

from games.record import replace_fields
from orders.letters.body import FreshLine
from orders.parsing.span import SpanReader
from orders.parsing.splitting import past_joint
from orders.verdict import IN_FORCE, LineVerdict
from orders.words import tidy


def split_flowed(reader: SpanReader, line: FreshLine) -> list[FreshLine]:
    """Return the parts of a joined line, if they hold all its orders; else that line."""
    parted = [replace_fields(line, text=piece, pieces=()) for piece in line.pieces if piece.strip()]
    whole = [part for part in parted if reader.whole_orders(tidy(part.text), line.source)]
    joined = reader.read(line.text, line.source, in_prose=True) if whole else []
    if (
        not whole
        or (len(joined) >= len(whole) and all(verdict.grade in IN_FORCE for verdict in joined))
        or not _orders_said(joined) <= _orders_said(_read_parts(reader, parted))
    ):
        return [replace_fields(line, pieces=())]
    return [parted[0], *(replace_fields(part, after_gap=False) for part in parted[1:])]


def _read_parts(reader: SpanReader, parts: Sequence[FreshLine]) -> list[LineVerdict]:
    """Return the verdicts on the parts of a line, each by itself, or two that are one order together."""
    verdicts: list[LineVerdict] = []
    at = 0
    while at < len(parts):
        text = past_joint(tidy(parts[at].text))
        both = " ".join((text, *(tidy(part.text) for part in parts[at + 1 : at + 2])))
        size = 2 if reader.is_unfinished(text) and not reader.is_exact(text) and reader.is_exact(both) else 1
        verdicts += reader.read(both if size == 2 else text, parts[at].source, in_prose=True)
        at += size
    return verdicts


def _orders_said(verdicts: Sequence[LineVerdict]) -> set[str | None]:
    return {verdict.said for verdict in verdicts if verdict.order is not None}
