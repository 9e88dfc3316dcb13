"""The strip below the map: what both sides did and drew, the latest last."""

from collections.abc import Sequence
from textwrap import wrap

from games.boer_war.events import AnyEvent
from games.boer_war.headings import heading
from games.boer_war.telling_events import told

MOST = 8
"""So many lines there is room for."""

_LETTERS = 96
"""So many letters, 18 high, go into a line."""


def strip(events: Sequence[AnyEvent]) -> list[dict[str, str]]:
    """The last lines: under whom each is told, once for lines that belong together, and its words.

    What there is no room for is counted in the first line; the letter tells all of it.
    """
    parts = [(heading(event), wrap(text, _LETTERS)) for event in events if (text := told(event))]
    kept, room = parts, MOST
    while sum(len(lines) for _, lines in kept) > room and len(kept) > 1:
        kept, room = kept[1:], MOST - 1
    rows, last = [], ""
    if len(kept) < len(parts):
        rows.append({"who": "", "text": f"({len(parts) - len(kept)} earlier: see the letter)"})
    for who, lines in kept:
        for line in lines[:room]:
            rows.append({"who": "" if who == last else who, "text": line})
            last = who
    return rows or [{"who": "", "text": "Nothing has been done yet."}]
