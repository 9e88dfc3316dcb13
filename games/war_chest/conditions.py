"""The conditions that IF may ask in War Chest, and whether they are true."""

from collections.abc import Callable, Mapping

from games.protocol import Condition, Form, Seat
from games.war_chest.board import Hex
from games.war_chest.components import Card, name
from games.war_chest.model import View

OPPONENT = Seat("opponent")
"""The seat of a condition that means the other side, whatever the seats of the game are called."""

_CONDITION_FORMS: tuple[tuple[str, str, str], ...] = (
    (
        "attacked",
        "(attacked|i am attacked|i was attacked|any unit is attacked|any unit was attacked)",
        "attacked",
    ),
    (
        "unit-attacked",
        "{unit:unit} (is|was|has been|gets) (attacked|hit|struck)",
        "Scout is attacked",
    ),
    ("unit-at", "{unit:unit} (is|stands|is still|) (on|at|in) {hex:hex}", "Scout is on d4"),
    ("unit-alive", "{unit:unit} (is on the board|is alive|lives|stands)", "Scout is on the board"),
    (
        "unit-gone",
        "{unit:unit} (is gone|is dead|is lost|is destroyed|is not on the board)",
        "Scout is gone",
    ),
    ("hex-empty", "{hex:hex} (is|) (empty|free)", "d4 is empty"),
    ("hex-held", "{hex:hex} (is|) (occupied|taken|not empty)", "d4 is occupied"),
    ("controls", "{seat:seat} (controls|owns|holds) {hex:hex}", "opponent controls e4"),
    ("mine", "(i control|i own|i hold) {hex:hex}", "I control e4"),
    ("coin", "(i have|i drew|i draw) [a|an|the] {coin:unit|coin} [coin] [in hand]", "I have Scout"),
)

CONDITIONS: tuple[Form, ...] = tuple(
    Form(name=form, pattern=pattern, example=example) for form, pattern, example in _CONDITION_FORMS
)
"""What can be asked, of the view at the moment when the turn of the order has come."""

_CONDITION_TEXTS: Mapping[str, str] = {
    "attacked": "attacked",
    "unit-attacked": "{unit} is attacked",
    "unit-at": "{unit} is on {hex}",
    "unit-alive": "{unit} is on the board",
    "unit-gone": "{unit} is gone",
    "hex-empty": "{hex} is empty",
    "hex-held": "{hex} is occupied",
    "controls": "{seat} controls {hex}",
    "mine": "I control {hex}",
    "coin": "I have {coin}",
}


def write_condition(condition: Condition) -> str:
    """The canonical text of a condition. Raises KeyError for a form that is not ours."""
    named = {
        place: name(Card(value)) if place in ("unit", "coin") else value
        for place, value in condition.slots.items()
    }
    return _CONDITION_TEXTS[condition.form].format(**named)


def _side_meant(view: View, seat: Seat, named: Seat) -> Seat:
    """Return the side that a condition of a seat names."""
    return next(other for other in view.seats if other != seat) if named == OPPONENT else named


def holds(view: View, seat: Seat, condition: Condition) -> bool:
    """Return whether a condition is true for a seat. Raises KeyError for a form that is not ours.

    "attacked" looks back to the last coin that the seat played.
    """
    slots = condition.slots
    unit, at = Card(slots.get("unit", "")), Hex(slots.get("hex", ""))
    struck = view.struck.get(seat, ())
    standing = [stack for stack in view.stacks if stack.card == unit]
    answers: Mapping[str, Callable[[], bool]] = {
        "attacked": lambda: bool(struck),
        "unit-attacked": lambda: unit in struck,
        "unit-at": lambda: any(stack.at == at for stack in standing),
        "unit-alive": lambda: bool(standing),
        "unit-gone": lambda: not standing,
        "hex-empty": lambda: view.stack_at(at) is None,
        "hex-held": lambda: view.stack_at(at) is not None,
        "controls": lambda: view.control.get(at) == _side_meant(view, seat, Seat(slots["seat"])),
        "mine": lambda: view.control.get(at) == seat,
        "coin": lambda: slots["coin"] in (*view.sides[seat].hand, view.sides[seat].drawn),
    }
    return answers[condition.form]()
