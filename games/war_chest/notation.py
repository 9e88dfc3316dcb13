"""The notation of War Chest: forms, names, canonical texts. Implements `protocol.Notation`."""

from collections.abc import Callable, Mapping
from typing import assert_never

from games.protocol import Condition, Form, Lexicon, LexiconEntry, Notation, Seat
from games.war_chest.board import HEXES, Hex
from games.war_chest.components import ROYAL_COIN, UNIT_NAMES, Card, Coin, name
from games.war_chest.model import (
    AnyOrder,
    Bolster,
    Claim,
    Deploy,
    Lose,
    Maneuver,
    ManeuverStep,
    Pass,
    Pick,
    Recruit,
    View,
)

_MANEUVER_MOVE_WORDS = "(-|to|m|move|moves|move to|moves to|go to|goes to|ride to|rides to)"
_ATTACK_WORDS = "(x|attack|attacks|hit|hits|shoot|shoots|shoot at|shoots at|charge|charges)"
_CONTROL_WORDS = "(c|control|controls|take control|takes control|capture|captures)"
_THEN_WORDS = "(then|and|and then|, then|,|; then)"
_PAYMENT_SLOT = "(with|using|for|by) [a|an|the] {coin:unit|coin} [coin]"
_AT_HEX_SLOT = "[[on|at|in] {at:hex}]"
_LEAD_WORDS = "(orders|order|sends|send|leads|lead|lets|let|:)"


def _act(number: int, *, bare: bool = False) -> str:
    """Return the pattern of one step. Its number distinguishes its slots from those of other steps.

    bare: whether a hex alone is a move, as after "then".
    """
    to = _MANEUVER_MOVE_WORDS.replace(")", "|)") if bare else _MANEUVER_MOVE_WORDS
    return (
        f"({to} {{to{number}:hex}}|{_ATTACK_WORDS} [the] {{foe{number}:hex|unit}}|{_CONTROL_WORDS} "
        f"[{{spot{number}:hex}}])"
    )


def _acts(first: int, count: int) -> str:
    acts = [_act(number, bare=number > first) for number in range(first, first + count)]
    return f" {_THEN_WORDS} [then] ".join(acts)


CHAINS = ("maneuver", "two-maneuvers", "three-maneuvers", "four-maneuvers", "five-maneuvers")
"""The names of the forms with one to five steps of a unit. Only a Berserker of five coins can make five.

If another unit leads or the Royal Coin pays, the names begin with "led-" or "royal-".
"""

_MANEUVER_EXAMPLES = (
    "Swordsman - d4",
    "Swordsman attacks d5, then - c4",
    "Berserker - d4, then attacks d5, then controls",
    "Berserker - d4, then - e4, then attacks e5, then - f4",
    "Berserker - d4, then - e4, then attacks e5, then - f4, then - f5",
)

_MANEUVER_FORMS = tuple(
    Form(
        name=CHAINS[count - 1],
        pattern=f"{{unit:unit}} {_AT_HEX_SLOT} {_acts(1, count)}",
        example=_MANEUVER_EXAMPLES[count - 1],
    )
    for count in range(1, len(CHAINS) + 1)
)

_LED_MANEUVER_FORMS = tuple(
    Form(
        name=f"led-{CHAINS[count - 1]}",
        pattern=f"{{leader:unit}} {_LEAD_WORDS} [the] {{unit:unit}} {_AT_HEX_SLOT} {_acts(1, count)}",
        example=example,
    )
    for count, example in (
        (1, "Ensign orders Scout - d4"),
        (2, "Marshall orders Swordsman attacks d5, then - c4"),
        (3, "Marshall orders Berserker attacks d5, then - c4, then controls"),
        (4, "Ensign orders Berserker - c3, then controls, then - c4, then attacks d5"),
        (5, "Ensign orders Berserker - c3, then controls, then - c4, then attacks d5, then - d4"),
    )
)

_ROYAL_MARCH_PATTERN = f"{{unit:unit}} {_AT_HEX_SLOT} (marches to|march to)"

_SIMPLE_FORMS: tuple[tuple[str, str, str], ...] = (
    ("deploy", "(deploy|place|put) [the] {unit:unit} [at|to|on|in] {to:hex}", "deploy Scout e1"),
    ("deploy", "{unit:unit} (deploys|deploy|d) [at|to|on|in] {to:hex}", "Scout deploys e1"),
    ("bolster", f"bolster [the] {{unit:unit}} {_AT_HEX_SLOT}", "bolster Scout"),
    ("bolster", f"{{unit:unit}} {_AT_HEX_SLOT} (bolsters|bolster|b)", "Scout bolsters"),
    (
        "maneuver",
        f"(move|send) [the] {{unit:unit}} {_AT_HEX_SLOT} [-|to] {{to1:hex}}",
        "move Swordsman to d4",
    ),
    ("maneuver", "control {spot1:hex} with [the] {unit:unit}", "control e4 with Swordsman"),
    ("royal-maneuver", f"{_ROYAL_MARCH_PATTERN} {{to1:hex}}", "Royal Guard marches to e1"),
    (
        "royal-two-maneuvers",
        f"{_ROYAL_MARCH_PATTERN} {{to1:hex}} {_THEN_WORDS} [then] [to|-] {{to2:hex}}",
        "Royal Guard marches to d2, then e1",
    ),
    (
        "two-footmen",
        f"{{unit:unit}} {_AT_HEX_SLOT} {_act(1)} (and|,|, and|; and) {{other:unit}} "
        f"[[on|at|in] {{second:hex}}] {_act(2)}",
        "Footman d4 - d5, and Footman c3 attacks c4",
    ),
    ("recruit", f"recruit [a|an|the] {{unit:unit}} [coin] [{_PAYMENT_SLOT}]", "recruit Scout with Archer"),
    (
        "recruit-and-maneuver",
        f"recruit [a|an|the] {{unit:unit}} [coin] [{_PAYMENT_SLOT}] {_THEN_WORDS} [then] {{other:unit}} "
        f"{_AT_HEX_SLOT} {_act(1)}",
        "recruit Mercenary with Archer, then Mercenary - d4",
    ),
    ("pass", f"(pass|passes) [{_PAYMENT_SLOT}]", "pass with Archer"),
    ("claim", f"(claim|take) [the] initiative [{_PAYMENT_SLOT}]", "claim initiative with Archer"),
    ("lose-stack", "(lose|loses) [a coin] (from|of|off) [the] (stack|board)", "lose a coin of the stack"),
    ("lose-supply", "(lose|loses) [a coin] (from|of|off) [the] supply", "lose a coin of the supply"),
    ("pick", "(pick|choose|draft|take) [the] {unit:unit}", "pick Archer"),
    ("pick", "{unit:unit}", "Archer"),
)

_COMMON_FORMS = ("pick", "deploy", "bolster", "maneuver", "recruit", "pass", "claim")
"""The forms that come first in examples."""

_ORDER_FORMS: tuple[Form, ...] = tuple(
    sorted(
        (
            *_MANEUVER_FORMS,
            *(Form(name=form, pattern=pattern, example=example) for form, pattern, example in _SIMPLE_FORMS),
            *_LED_MANEUVER_FORMS,
        ),
        key=lambda form: _COMMON_FORMS.index(form.name) if form.name in _COMMON_FORMS else len(_COMMON_FORMS),
    )
)

_FIXED_LEXICON: Lexicon = (
    LexiconEntry(sort="coin", id=ROYAL_COIN, names=("Royal Coin", "royal", "crown")),
    *(LexiconEntry(sort="hex", id=hex_id, names=(hex_id,)) for hex_id in HEXES),
)


class WarChestNotation(Notation[View, AnyOrder]):
    """The forms, names and texts of orders and conditions."""

    @property
    def forms(self) -> tuple[Form, ...]:
        """Return every way to write an order, the canonical form of each name first."""
        return _ORDER_FORMS

    def examples(self, view: View) -> tuple[Form, ...]:
        """Return one form of each name; without the initiative in a solo game."""
        first = {form.name: form for form in reversed(_ORDER_FORMS)}
        named = dict.fromkeys(form.name for form in _ORDER_FORMS)
        return tuple(first[name] for name in named if not (view.is_solo and name == "claim"))

    @property
    def conditions(self) -> tuple[Form, ...]:
        """Return the conditions that IF may ask."""
        return CONDITIONS

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

    def build(self, view: View, form: str, slots: Mapping[str, str]) -> AnyOrder:
        """Return the order of a matched form. Raises KeyError for an unknown form."""
        if form in ("pass", "claim"):
            coin = Coin(slots["coin"]) if "coin" in slots else None
            return Pass(coin=coin) if form == "pass" else Claim(coin=coin)
        if form in ("lose-stack", "lose-supply"):
            return Lose(source="stack" if form == "lose-stack" else "supply")
        unit = Card(slots["unit"])
        if form == "pick":
            return Pick(card=unit)
        if form == "deploy":
            return Deploy(card=unit, at=Hex(slots["to"]))
        if form == "bolster":
            return Bolster(card=unit, at=_hex(slots, "at"))
        if form.startswith("recruit"):
            return _recruit(form, slots)
        return _maneuver(form, slots)

    def write(self, order: AnyOrder) -> str:
        """Return the canonical text of an order: ``Swordsman attacks d5, then - c4``."""
        if isinstance(order, Lose):
            return f"lose a coin of the {order.source}"
        if isinstance(order, Pass | Claim):
            verb = "pass" if isinstance(order, Pass) else "claim initiative"
            return verb + _payment_text(order.coin)
        if isinstance(order, Pick):
            return f"pick {name(order.card)}"
        if isinstance(order, Deploy):
            return f"deploy {name(order.card)} {order.at}"
        if isinstance(order, Bolster):
            return f"bolster {name(order.card)}" + (f" {order.at}" if order.at else "")
        if isinstance(order, Recruit):
            text = f"recruit {name(order.card)}" + _payment_text(order.coin)
            return text + "".join(f", then {_unit_text(step)} {_step_text(step)}" for step in order.then)
        if isinstance(order, Maneuver):
            return _write_maneuver(order)
        assert_never(order)

    def write_condition(self, condition: Condition) -> str:
        """Return the canonical text of a condition: ``Scout is attacked``."""
        return write_condition(condition)


def _recruit(form: str, slots: Mapping[str, str]) -> Recruit:
    coin = Coin(slots["coin"]) if "coin" in slots else None
    then = (
        (_step(Card(slots["other"]), _hex(slots, "at"), slots, 1),) if form == "recruit-and-maneuver" else ()
    )
    return Recruit(card=Card(slots["unit"]), coin=coin, then=then)


def _maneuver(form: str, slots: Mapping[str, str]) -> Maneuver:
    unit, at = Card(slots["unit"]), _hex(slots, "at")
    if form == "two-footmen":
        first = _step(unit, at, slots, 1)
        second = _step(Card(slots["other"]), _hex(slots, "second"), slots, 2)
        return Maneuver(card=unit, steps=(first, second))
    kind = form.partition("-")[0] if form.startswith(("led-", "royal-")) else ""
    count = CHAINS.index(form.removeprefix(f"{kind}-")) + 1
    # Only the first step names the hex of the unit, as the others start where it has moved.
    steps = tuple(_step(unit, at if n == 1 else None, slots, n) for n in range(1, count + 1))
    return Maneuver(card=Card(slots.get("leader", unit)), steps=steps, royal=kind == "royal")


def _step(card: Card, at: Hex | None, slots: Mapping[str, str], number: int) -> ManeuverStep:
    if f"to{number}" in slots:
        return ManeuverStep(card=card, at=at, act="move", to=slots[f"to{number}"])
    if f"foe{number}" in slots:
        return ManeuverStep(card=card, at=at, act="attack", to=slots[f"foe{number}"])
    return ManeuverStep(card=card, at=at, act="control", to=slots.get(f"spot{number}"))


def _hex(slots: Mapping[str, str], place: str) -> Hex | None:
    return Hex(slots[place]) if place in slots else None


def _payment_text(coin: Coin | None) -> str:
    return f" with {name(coin)}" if coin else ""


def _unit_text(step: ManeuverStep) -> str:
    return name(step.card) + (f" {step.at}" if step.at else "")


def _step_text(step: ManeuverStep) -> str:
    if step.act == "control":
        return "controls" + (f" {step.to}" if step.to else "")
    to = name(Coin(step.to)) if step.to in UNIT_NAMES else step.to
    return f"attacks {to}" if step.act == "attack" else f"- {to}"


def _write_maneuver(order: Maneuver) -> str:
    first, *rest = order.steps
    if order.royal:
        return f"{_unit_text(first)} marches to {first.to}" + "".join(f", then {step.to}" for step in rest)
    leader = f"{name(order.card)} orders " if first.card != order.card else ""
    pair = [step for step in rest if step.at]
    text = f"{leader}{_unit_text(first)} {_step_text(first)}"
    if pair or (order.card == "footman" and rest):
        return text + "".join(f", and {_unit_text(step)} {_step_text(step)}" for step in rest)
    return text + "".join(f", then {_step_text(step)}" for step in rest)


# The conditions of IF, and whether they are true.


OPPONENT = Seat("opponent")
"""The seat of a condition about the opponent, in games with any seats."""

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
"""The conditions. They are checked in the view at the order's turn."""

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
    """Return the canonical text of a condition. Raises KeyError for an unknown form."""
    named = {
        place: name(Card(value)) if place in ("unit", "coin") else value
        for place, value in condition.slots.items()
    }
    return _CONDITION_TEXTS[condition.form].format(**named)


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
