"""Conditions that IF may ask in The Second Boer War, and whether they hold."""

from collections.abc import Callable, Mapping

from games.boer_war.components import LeaderId, Point
from games.boer_war.model import View
from games.protocol import Condition, Form

_IS_PATTERN = "(is|stands|is still|)"

_CONDITION_PATTERNS: tuple[tuple[str, str, str], ...] = (
    ("leader-at", f"{{leader:leader}} {_IS_PATTERN} (at|in) {{at:point}}", "Buller is at EST"),
    ("leader-has", "{leader:leader} has {sp:number} [sp] [or more|at least]", "Buller has 3 SP"),
    ("leader-out", "{leader:leader} (is gone|is off the map|is not on the map)", "Buller is off the map"),
    ("held", "{at:point} (is|is held by|belongs to) [the] {side:side}", "COL is Boer"),
    ("empty", "{at:point} (is|) (empty|free)", "COL is empty"),
    ("besieged", "{at:point} (is|) (besieged|under siege)", "LAD is besieged"),
    ("link-cut", "{a1:point} [-] {b1:point} (is|) cut", "ORS-MOD is cut"),
)

CONDITIONS: tuple[Form, ...] = tuple(
    Form(name=form, pattern=pattern, example=example) for form, pattern, example in _CONDITION_PATTERNS
)
"""What can be asked, of the position at the moment when the action of the order has come."""

_CONDITION_TEXTS: Mapping[str, str] = {
    "leader-at": "{leader} is at {at}",
    "leader-has": "{leader} has {sp} SP",
    "leader-out": "{leader} is off the map",
    "held": "{at} is {side}",
    "empty": "{at} is empty",
    "besieged": "{at} is besieged",
    "link-cut": "{a1}-{b1} is cut",
}
_SIDE_ADJECTIVES = {"boers": "Boer", "empire": "Empire"}


def write_condition(condition: Condition) -> str:
    """Return the canonical text of a condition. Raises KeyError for a form that is not ours."""
    slots = {name: _SIDE_ADJECTIVES.get(value, value) for name, value in condition.slots.items()}
    return _CONDITION_TEXTS[condition.form].format(**slots)


def is_true(view: View, condition: Condition) -> bool:
    """Return whether a condition is true. Raises KeyError for a form that is not ours.

    empty: no SP of either side are there; leader-has: that many SP or more.
    """
    slots = condition.slots
    there = view.leaders.get(LeaderId(slots.get("leader", "")))
    at = Point(slots.get("at", ""))
    answers: Mapping[str, Callable[[], bool]] = {
        "leader-at": lambda: there is not None and there.at == at,
        "leader-has": lambda: there is not None and there.sp >= int(slots["sp"]),
        "leader-out": lambda: there is None,
        "held": lambda: view.control.get(at) == slots["side"],
        "empty": lambda: (
            at not in view.garrisons and all(standing.at != at for standing in view.leaders.values())
        ),
        "besieged": lambda: at in view.sieges,
        "link-cut": lambda: view.board.link(Point(slots["a1"]), Point(slots["b1"])) in view.cuts,
    }
    return answers[condition.form]()
