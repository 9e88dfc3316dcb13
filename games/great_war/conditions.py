"""What IF may ask in The Great War, and whether it is so."""

from collections.abc import Callable, Mapping

from games.great_war.components import CardId
from games.great_war.model import AI, PLAYER, View
from games.protocol import Condition, Form

_OF = {"margin": "MARGIN", "my-total": "MY TOTAL", "ai-total": "AI TOTAL", "ai-cards": "AI CARDS"}
"""The numbers that can be asked for, by their forms."""

_SAID = {
    "margin": "(margin|the margin|my margin)",
    "my-total": "(my total|my bp)",
    "ai-total": "(ai total|the ai total|ai bp|enemy total)",
    "ai-cards": "(ai cards|the ai cards|enemy cards)",
}
_MINUS = "-minus"

CONDITIONS: tuple[Form, ...] = (
    *(
        Form(name=name, pattern=f"{said} {{op:op}} {{n:number}}", example=f"{_OF[name]} < 12")
        for name, said in _SAID.items()
    ),
    Form(
        name=f"margin{_MINUS}", pattern=f"{_SAID['margin']} {{op:op}} - {{n:number}}", example="MARGIN < -12"
    ),
    Form(name="played", pattern="(ai|the ai|enemy) played {x:code|class}", example="AI PLAYED K_ARTILLERY"),
    Form(name="has", pattern="(ai|the ai|enemy) has {x:code|class}", example="AI HAS K_ARTILLERY"),
    Form(name="cancelled", pattern="{x:code} [is|was] (cancelled|canceled)", example="B-QS CANCELLED"),
    Form(name="event", pattern="event [is] {event:event}", example="EVENT E03"),
)
"""What can be asked, of the table at the moment when the turn of the order has come."""

OPS: Mapping[str, Callable[[int, int], bool]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    "=": lambda one, other: one == other,
    ">=": lambda one, other: one >= other,
    ">": lambda one, other: one > other,
    "<>": lambda one, other: one != other,
}
"""How numbers are compared."""


def write_condition(condition: Condition) -> str:
    """The canonical text: ``MARGIN < -12``. Raises KeyError for a form that is not ours."""
    slots = condition.slots
    if "op" in slots:
        minus = "-" if condition.form.endswith(_MINUS) else ""
        return f"{_OF[condition.form.removesuffix(_MINUS)]} {slots['op']} {minus}{slots['n']}"
    return {
        "played": "AI PLAYED {x}",
        "has": "AI HAS {x}",
        "cancelled": "{x} CANCELLED",
        "event": "EVENT {event}",
    }[condition.form].format(**{name: value.upper() for name, value in slots.items()})


def holds(view: View, condition: Condition) -> bool:
    """Whether a condition is true. Raises KeyError for a form that is not ours."""
    slots, form = condition.slots, condition.form
    if "op" in slots:
        number = int(slots["n"]) * (-1 if form.endswith(_MINUS) else 1)
        return OPS[slots["op"]](_number(view, form.removesuffix(_MINUS)), number)
    row = view.armies[AI].row
    answers: Mapping[str, Callable[[], bool]] = {
        "played": lambda: any(_is(view, one, slots["x"]) for one in view.laid),
        "has": lambda: any(_is(view, one.card, slots["x"]) for one in row if one.up),
        "cancelled": lambda: _is_cancelled(view, CardId(slots["x"])),
        "event": lambda: slots["event"] in (*view.force, *((view.event,) if view.waits else ())),
    }
    return answers[form]()


def _number(view: View, form: str) -> int:
    return {
        "margin": view.margin(PLAYER),
        "my-total": view.total(PLAYER),
        "ai-total": view.total(AI),
        "ai-cards": len(view.armies[AI].hand),
    }[form]


def _is(view: View, one: CardId, wanted: str) -> bool:
    return one == wanted or view.book[one].is_a(wanted)


def _is_cancelled(view: View, one: CardId) -> bool:
    rows = [laid for army in view.armies.values() for laid in army.row if laid.card == one]
    gone = one in view.lost or (one in view.laid and not rows)
    return gone or any(not laid.up for laid in rows)
