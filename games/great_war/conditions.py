"""The conditions that IF may ask in The Great War, and whether they are true."""

from collections.abc import Callable, Mapping

from games.great_war.components import CardId
from games.great_war.model import AI, PLAYER, View
from games.protocol import Condition, Form

_NUMBER_TEXTS = {"margin": "MARGIN", "my-total": "MY TOTAL", "ai-total": "AI TOTAL", "ai-cards": "AI CARDS"}
"""The numbers that can be asked for, by their forms."""

_NUMBER_FORMS = {
    "margin": "(margin|the margin|my margin)",
    "my-total": "(my total|my bp)",
    "ai-total": "(ai total|the ai total|ai bp|enemy total)",
    "ai-cards": "(ai cards|the ai cards|enemy cards)",
}
_NEGATIVE_SUFFIX = "-minus"

CONDITIONS: tuple[Form, ...] = (
    *(
        Form(name=name, pattern=f"{said} {{op:op}} {{n:number}}", example=f"{_NUMBER_TEXTS[name]} < 12")
        for name, said in _NUMBER_FORMS.items()
    ),
    Form(
        name=f"margin{_NEGATIVE_SUFFIX}",
        pattern=f"{_NUMBER_FORMS['margin']} {{op:op}} - {{n:number}}",
        example="MARGIN < -12",
    ),
    Form(name="played", pattern="(ai|the ai|enemy) played {x:code|class}", example="AI PLAYED K_ARTILLERY"),
    Form(name="has", pattern="(ai|the ai|enemy) has {x:code|class}", example="AI HAS K_ARTILLERY"),
    Form(name="cancelled", pattern="{x:code} [is|was] (cancelled|canceled)", example="B-QS CANCELLED"),
    Form(name="event", pattern="event [is] {event:event}", example="EVENT E03"),
)
"""What can be asked, of the table at the moment when the turn of the order has come."""

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = {
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
        minus = "-" if condition.form.endswith(_NEGATIVE_SUFFIX) else ""
        return (
            f"{_NUMBER_TEXTS[condition.form.removesuffix(_NEGATIVE_SUFFIX)]} {slots['op']} "
            f"{minus}{slots['n']}"
        )
    return {
        "played": "AI PLAYED {x}",
        "has": "AI HAS {x}",
        "cancelled": "{x} CANCELLED",
        "event": "EVENT {event}",
    }[condition.form].format(**{name: value.upper() for name, value in slots.items()})


def holds(view: View, condition: Condition) -> bool:
    """Return whether a condition is true. Raises KeyError for a form that is not ours."""
    slots, form = condition.slots, condition.form
    if "op" in slots:
        number = int(slots["n"]) * (-1 if form.endswith(_NEGATIVE_SUFFIX) else 1)
        return COMPARISONS[slots["op"]](_number(view, form.removesuffix(_NEGATIVE_SUFFIX)), number)
    row = view.armies[AI].row
    answers: Mapping[str, Callable[[], bool]] = {
        "played": lambda: any(_is_card_or_class(view, card_id, slots["x"]) for card_id in view.laid),
        "has": lambda: any(
            _is_card_or_class(view, table_card.card, slots["x"]) for table_card in row if table_card.up
        ),
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


def _is_card_or_class(view: View, card_id: CardId, wanted: str) -> bool:
    return card_id == wanted or view.book[card_id].is_a(wanted)


def _is_cancelled(view: View, card_id: CardId) -> bool:
    rows = [
        table_card for army in view.armies.values() for table_card in army.row if table_card.card == card_id
    ]
    gone = card_id in view.lost or (card_id in view.laid and not rows)
    return gone or any(not table_card.up for table_card in rows)
