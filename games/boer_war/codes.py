"""Ids of sides, points, links, leaders, cards and events: each a type of its own."""

from typing import Literal, NewType

Side = Literal["boers", "empire"]
Mark = Literal["S", "D", "A"]
Point = NewType("Point", str)
"""A point by its code: BLO."""
Link = NewType("Link", str)
"""A link by the codes of its ends in the order of the map: ORS-MOD."""
LeaderId = NewType("LeaderId", str)
CardId = NewType("CardId", str)
EventId = NewType("EventId", str)

Region = Literal["cape", "natal", "free state", "transvaal"]
REPUBLIC_REGIONS: tuple[Region, Region] = ("free state", "transvaal")
Flag = Literal["port", "target", "political", "rebel", "camp site"]
Role = Literal["attack", "defence"]


def link_ends(link: Link) -> tuple[Point, Point]:
    """Return the two ends of a link, as its code names them; it need not be on any map."""
    a, _, b = link.partition("-")
    return Point(a), Point(b)
