"""What is written below a line of the quoted order sheet, and says only what is changed."""

from typing import TYPE_CHECKING

from games.record import changed
from orders.verdict import IN_FORCE, Source, Verdict
from orders.words import ARROW, DASH, tidy, words

if TYPE_CHECKING:
    from orders.parsing.span import Reader


def below_sheet_line(reader: "Reader", text: str, under: str, source: Source) -> list[Verdict]:
    """Return the verdict on a text that goes on in the order above it: "- Mao" below "F BRE H"; or none.

    under: the line of the sheet; it is for the same unit then, and could be given now.
    """
    plain = tidy(text).strip(" .!")
    above = reader.exact(tidy(under))
    if not above or not words(plain):
        return []
    slot = reader.built(above[0]).slot
    goal = plain.removeprefix(ARROW).lstrip(DASH).strip()
    line = words(under)
    for size in range(1, len(line)):
        unit = under[: line[size - 1].end]
        for said in (f"{unit} - {goal}", f"{unit} {plain}"):
            for verdict in reader.whole_orders(said, source):
                if verdict.order.slot == slot and verdict.grade in IN_FORCE:
                    told = f"it stands below {under}, and was read as its change"
                    return [changed(verdict, line=text, grade="corrected", problem=told)]
    return []
