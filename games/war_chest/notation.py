"""The notation of War Chest: forms, names, canonical texts. Implements `protocol.Notation`."""

from collections.abc import Callable, Mapping

from games.order_kinds import KindNotation, one_form_of_each_name
from games.protocol import Condition, Form, Lexicon, LexiconEntry, Seat
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import ROYAL_COIN, Card, name
from games.war_chest.model import (
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Lose,
    Maneuver,
    Pass,
    Pick,
    Recruit,
    View,
)

_FIXED_LEXICON: Lexicon = (
    LexiconEntry(sort="coin", id=ROYAL_COIN, names=("Royal Coin", "royal", "crown")),
    *(LexiconEntry(sort="hex", id=hex_id, names=(hex_id,)) for hex_id in HEXES),
)


class WarChestNotation(KindNotation[View, AnyOrder]):
    """The names and conditions of the game, and the forms and texts of its orders."""

    order_kinds = (Pick, Deploy, Bolster, Maneuver, Recruit, Pass, Claim, Lose)
    condition_rows = (
        (
            "attacked",
            "(attacked|i am attacked|i was attacked|any unit is attacked|any unit was attacked)",
            "attacked",
            "attacked",
        ),
        (
            "unit-attacked",
            "{unit:unit} (is|was|has been|gets) (attacked|hit|struck)",
            "Scout is attacked",
            "{unit} is attacked",
        ),
        (
            "unit-at",
            "{unit:unit} (is|stands|is still|) (on|at|in) {hex:hex}",
            "Scout is on d4",
            "{unit} is on {hex}",
        ),
        (
            "unit-alive",
            "{unit:unit} (is on the board|is alive|lives|stands)",
            "Scout is on the board",
            "{unit} is on the board",
        ),
        (
            "unit-gone",
            "{unit:unit} (is gone|is dead|is lost|is destroyed|is not on the board)",
            "Scout is gone",
            "{unit} is gone",
        ),
        ("hex-empty", "{hex:hex} (is|) (empty|free)", "d4 is empty", "{hex} is empty"),
        ("hex-held", "{hex:hex} (is|) (occupied|taken|not empty)", "d4 is occupied", "{hex} is occupied"),
        (
            "controls",
            "{seat:seat} (controls|owns|holds) {hex:hex}",
            "opponent controls e4",
            "{seat} controls {hex}",
        ),
        ("mine", "(i control|i own|i hold) {hex:hex}", "I control e4", "I control {hex}"),
        (
            "coin",
            "(i have|i drew|i draw) [a|an|the] {coin:unit|coin} [coin] [in hand]",
            "I have Scout",
            "I have {coin}",
        ),
    )

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return every way to write an order: the plain ones of each kind first, those with a leader last."""
        plain = {kind.__name__.lower() for kind in self.order_kinds}
        return tuple(
            sorted(super().forms, key=lambda form: (form.name not in plain, form.name.startswith("led-")))
        )

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return one form of each name; without the initiative in a solo game."""
        return one_form_of_each_name(
            form for form in self.forms if not (view.is_solo and form.name == "claim")
        )

    def lexicon(self, view: View) -> Lexicon:
        """Return the names of units, the Royal Coin, hexes and the sides of this game."""
        units = (
            LexiconEntry(sort="unit", id=unit.id, names=(unit.name, *unit.aliases))
            for unit in view.box.units.values()
        )
        return (
            *units,
            *_FIXED_LEXICON,
            *(LexiconEntry(sort="seat", id=seat, names=(str(seat),)) for seat in view.seats),
            LexiconEntry(sort="seat", id=OPPONENT, names=("opponent", "the opponent", "my opponent")),
        )

    def condition_word(self, place: str, value: str, /) -> str:
        return name(Card(value)) if place in ("unit", "coin") else value


# Whether the conditions of IF are true.


OPPONENT = Seat("opponent")
"""The seat of a condition about the opponent, in games with any seats."""


def _side_meant(view: View, seat: Seat, named: Seat) -> Seat:
    """Return the seat that a condition names. The opponent is the other seat of the game."""
    return next(other for other in view.seats if other != seat) if named == OPPONENT else named


def holds(view: View, seat: Seat, condition: Condition) -> bool:
    """Return whether a condition is true for a seat. Raises KeyError for an unknown form.

    "attacked" covers the time since the seat's last coin.
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


NOTATION = WarChestNotation()
