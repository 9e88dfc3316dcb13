"""The strip below the map: actions and draws of both sides, the latest last."""

from collections.abc import Sequence
from textwrap import wrap

from games.boer_war.event_text import describe_event
from games.boer_war.events import AnyEvent
from games.boer_war.headings import heading

MAX_STRIP_LINES = 8
"""So many lines there is room for."""

_LETTERS_PER_LINE = 96
"""So many letters, 18 high, go into a line."""


def strip_rows(events: Sequence[AnyEvent]) -> list[dict[str, str]]:
    """Return the last lines, with the heading of each, once for lines that belong together.

    Lines for which there is no room are counted in the first line; the letter has all of them.
    """
    parts = [
        (heading(event), wrap(text, _LETTERS_PER_LINE)) for event in events if (text := describe_event(event))
    ]
    kept, room = parts, MAX_STRIP_LINES
    while sum(len(lines) for _, lines in kept) > room and len(kept) > 1:
        kept, room = kept[1:], MAX_STRIP_LINES - 1
    rows, last = [], ""
    if len(kept) < len(parts):
        rows.append({"who": "", "text": f"({len(parts) - len(kept)} earlier: see the letter)"})
    for who, lines in kept:
        for line in lines[:room]:
            rows.append({"who": "" if who == last else who, "text": line})
            last = who
    return rows or [{"who": "", "text": "Nothing has been done yet."}]
