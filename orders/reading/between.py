"""Text written below a line of the quoted order sheet that says only what changes in that line."""

from typing import TYPE_CHECKING

from games.record import replace_fields
from orders.verdict import IN_FORCE, LineVerdict, Source
from orders.words import ARROW, DASH, tidy, words

if TYPE_CHECKING:
    from orders.reading.spans import SpanReader


def read_below_sheet_line(reader: "SpanReader", text: str, under: str, source: Source) -> list[LineVerdict]:
    """Return the verdict on a text that goes on in the order above it: "- Mao" below "F BRE H"; or none.

    under: the line of the sheet; it is for the same unit then, and could be given now.
    """
    plain = tidy(text).strip(" .!")
    above = reader.exact(tidy(under))
    if not above or not words(plain):
        return []
    slot = reader.build_order(above[0]).slot
    goal = plain.removeprefix(ARROW).lstrip(DASH).strip()
    line = words(under)
    for size in range(1, len(line)):
        unit = under[: line[size - 1].end]
        for candidate in (f"{unit} - {goal}", f"{unit} {plain}"):
            for verdict in reader.whole_orders(candidate, source):
                if verdict.order.slot == slot and verdict.grade in IN_FORCE:
                    problem = f"it stands below {under}, and was read as its change"
                    return [replace_fields(verdict, line=text, grade="corrected", problem=problem)]
    return []
