"""The patterns that forms of orders share, and the fields of orders that their places fill."""

from collections.abc import Callable, Mapping
from typing import Any

from games.boer_war.components import Link

MAX_LEADERS, _MAX_POINTS, MAX_LINKS = 5, 9, 3
"""The most leaders, points of a path and links in one order."""

FROM = "[(from|to|by|via|at|in|-|:)]"
OF = "[(to|for|at|in|by|of|with|:|,)]"


def _repeat_pattern(item: str, least: int, most: int, joint: str) -> str:
    """Return the pattern of a list with `least` to `most` items. `{n}` in an item is its number."""
    more = ""
    for number in range(most, least, -1):
        more = f"[{joint} {item.format(n=number)} {more}]"
    text = f" {joint} ".join(item.format(n=number) for number in range(1, least + 1))
    return f"{text} {more}".strip()


def _leaders_pattern(most: int) -> str:
    return _repeat_pattern("{{l{n}:leader}}", 1, most, "[(+|and|with|,|&|)]")


def links_pattern(most: int) -> str:
    """Return the pattern of up to `most` links. A link is written as its two ends."""
    return _repeat_pattern("{{a{n}:point}} [(-|to)] {{b{n}:point}}", 1, most, "[(,|and)]")


GROUP = _leaders_pattern(3)
LEADERS = _leaders_pattern(MAX_LEADERS)
POINTS_PATH = _repeat_pattern("{{p{n}:point}}", 1, _MAX_POINTS, "[(-|to|via|through|by|,|>|into)]")
LONE_MARCH, GROUP_MARCH = f"{{l1:leader}} {FROM} {{p1:point}}", f"{GROUP} {FROM} {POINTS_PATH}"
LINK_ENDS = "{a1:point} [(-|to|and)] {b1:point}"
AT_POINT = "[at|in|on|of|the] {p1:point}"
SP = "{sp:number} [sp]"
STORM = "(storm|storms|attack|attacks|assault)"
GUNS = "[with] [the] [naval] (guns|e02)"
MOVES = "(move|moves|march|m)"
TRAINS = "(rail|rails|entrain|train|by rail)"
TREKS = "(trek|treks|ride|rides)"
RAILWAY = "[the] [(railway|rails|line|link)] [(between|from|at|on)]"
CUTS, RAIDS, REPAIRS = f"(cut|break) {RAILWAY}", f"(raid|wreck) {RAILWAY}", f"(repair|repairs|mend) {RAILWAY}"
BLOCKHOUSES = f"(blockhouse|blockhouses) {RAILWAY}"
REINFORCES = "(reinforce|reinforces|recruit|recruits)"
EVENT, RAILWAY_EVENT = (f"(event|play event|play) {{event:{sort}}}" for sort in ("event", "railway"))


def _numbered(slots: Mapping[str, str], place: str) -> tuple[str, ...]:
    numbered = (f"{place}{number}" for number in range(1, _MAX_POINTS + 1))
    return tuple(slots[name] for name in numbered if name in slots)


def _links(slots: Mapping[str, str]) -> tuple[Link, ...]:
    """Return the links that slots name. Two points without a link also make a code, which checks reject."""
    ends = zip(_numbered(slots, "a"), _numbered(slots, "b"), strict=True)
    return (Link(slots["k1"]),) if "k1" in slots else tuple(Link(f"{a}-{b}") for a, b in ends)


READERS: Mapping[str, Callable[[Mapping[str, str]], Any]] = {
    "event": lambda slots: slots["event"],
    "leader": lambda slots: slots.get("l1"),
    "leaders": lambda slots: _numbered(slots, "l"),
    "at": lambda slots: slots.get("p1"),
    "target": lambda slots: slots["p1"],
    "path": lambda slots: _numbered(slots, "p"),
    "points": lambda slots: _numbered(slots, "p"),
    "link": lambda slots: _links(slots)[0],
    "links": _links,
    "sp": lambda slots: int(slots["sp"]) if "sp" in slots else None,
}
"""What fills the fields of orders, by the name of the field. None: a form leaves the field out."""
