"""The throws that The Second Boer War can make: dice, the cards of battles, the pool."""

from games.protocol import Options, ThrowForm

MOST_CARDS = 100
"""No deck of battle cards holds more."""

_DICE = "battle|skirmish|siege|raid|repair|oath|talks|camps|test|evade|cross"


def throws(options: Options) -> tuple[ThrowForm, ...]:
    """Every form of a label, whatever the options: Turn, side and round, then what is thrown for."""
    round_ = r"T[1-4]/[BE]\d+"
    return (
        ThrowForm(
            label=rf"{round_}/battle \w+/cards(/\d+)?",
            most=MOST_CARDS,
            takes=None,
            example="T1/B3/battle LAD/cards",
        ),
        ThrowForm(
            label=rf"{round_}/({_DICE}) [\w -]+(/(boers|empire))?(/\d+)?", most=6, example="T1/B3/siege LAD"
        ),
        ThrowForm(label=rf"{round_}/next action/\d+(/\d+)?", most=12, example="T1/B3/next action/1"),
    )
