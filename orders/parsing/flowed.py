"""Lines that format=flowed has joined: a person may have ended each of them."""

from games.record import changed
from orders.letters.body import FreshLine
from orders.parsing.span import Reader
from orders.verdict import IN_FORCE
from orders.words import tidy


def parted_lines(reader: Reader, line: FreshLine) -> list[FreshLine]:
    """Return the lines of which one was joined, if they hold more orders than it does; else that one."""
    parted = [changed(line, text=piece, pieces=()) for piece in line.pieces if piece.strip()]
    whole = [one for one in parted if reader.whole_orders(tidy(one.text), line.source)]
    joined = reader.read(line.text, line.source, in_prose=True) if whole else []
    if not whole or (len(joined) >= len(whole) and all(one.grade in IN_FORCE for one in joined)):
        return [changed(line, pieces=())]
    return [parted[0], *(changed(one, after_gap=False) for one in parted[1:])]
