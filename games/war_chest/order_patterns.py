"""The patterns that forms of orders share, and the forms of maneuvers."""

from games.protocol import Form

THEN = "(then|and|and then|, then|,|; then) [then]"
PAYMENT = "[(with|using|for|by) [a|an|the] {coin:unit|coin} [coin]]"
AT_HEX = "[[on|at|in] {at:hex}]"
_MOVES = "(-|to|m|move|moves|move to|moves to|go to|goes to|ride to|rides to)"
_ATTACKS = "(x|attack|attacks|hit|hits|shoot|shoots|shoot at|shoots at|charge|charges)"
_CONTROLS = "(c|control|controls|take control|takes control|capture|captures)"
_LEADS = "(orders|order|sends|send|leads|lead|lets|let|:)"
_MARCHES = f"{{unit:unit}} {AT_HEX} (marches to|march to)"

CHAINS = ("maneuver", "two-maneuvers", "three-maneuvers", "four-maneuvers", "five-maneuvers")
"""The names of the forms with one to five steps of a unit. Only a Berserker of five coins can make five.

If another unit leads or the Royal Coin pays, the names begin with "led-" or "royal-".
"""


def step_pattern(number: int, *, bare: bool = False) -> str:
    """Return the pattern of one step. Its number distinguishes its slots from those of other steps.

    bare: whether a hex alone is a move, as after "then".
    """
    to = _MOVES.replace(")", "|)") if bare else _MOVES
    return (
        f"({to} {{to{number}:hex}}|{_ATTACKS} [the] {{foe{number}:hex|unit}}|{_CONTROLS} "
        f"[{{spot{number}:hex}}])"
    )


def _chain(count: int, *, example: str, led: bool = False) -> Form:
    """Return the form of a number of steps of one unit. led: whether another unit leads it."""
    name, leader = ("led-", f"{{leader:unit}} {_LEADS} [the] ") if led else ("", "")
    steps = f" {THEN} ".join(step_pattern(number, bare=number > 1) for number in range(1, count + 1))
    return Form(
        name=name + CHAINS[count - 1],
        pattern=f"{leader}{{unit:unit}} {AT_HEX} {steps}",
        example=example,
    )


MANEUVERS = (
    _chain(1, example="Swordsman - d4"),
    Form(
        name="maneuver",
        pattern=f"(move|send) [the] {{unit:unit}} {AT_HEX} [-|to] {{to1:hex}}",
        example="move Swordsman to d4",
    ),
    Form(
        name="maneuver",
        pattern="control {spot1:hex} with [the] {unit:unit}",
        example="control e4 with Swordsman",
    ),
    _chain(2, example="Swordsman attacks d5, then - c4"),
    _chain(3, example="Berserker - d4, then attacks d5, then controls"),
    _chain(4, example="Berserker - d4, then - e4, then attacks e5, then - f4"),
    _chain(5, example="Berserker - d4, then - e4, then attacks e5, then - f4, then - f5"),
    Form(
        name="royal-maneuver",
        pattern=f"{_MARCHES} {{to1:hex}}",
        example="Royal Guard marches to e1",
    ),
    Form(
        name="royal-two-maneuvers",
        pattern=f"{_MARCHES} {{to1:hex}} {THEN} [to|-] {{to2:hex}}",
        example="Royal Guard marches to d2, then e1",
    ),
    Form(
        name="two-footmen",
        pattern=f"{{unit:unit}} {AT_HEX} {step_pattern(1)} (and|,|, and|; and) {{other:unit}} "
        f"[[on|at|in] {{second:hex}}] {step_pattern(2)}",
        example="Footman d4 - d5, and Footman c3 attacks c4",
    ),
    _chain(1, led=True, example="Ensign orders Scout - d4"),
    _chain(2, led=True, example="Marshall orders Swordsman attacks d5, then - c4"),
    _chain(3, led=True, example="Marshall orders Berserker attacks d5, then - c4, then controls"),
    _chain(4, led=True, example="Ensign orders Berserker - c3, then controls, then - c4, then attacks d5"),
    _chain(
        5,
        led=True,
        example="Ensign orders Berserker - c3, then controls, then - c4, then attacks d5, then - d4",
    ),
)
"""The forms of maneuvers."""
