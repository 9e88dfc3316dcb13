"""The throws that the Great War can make: dice, shuffled piles, cards that leave a hand by lot."""

from games.protocol import Options, ThrowForm

MOST_CARDS = 200
"""No pile ever holds more cards."""


def throws(options: Options) -> tuple[ThrowForm, ...]:
    """Every form of a label, whatever the options."""
    return (
        ThrowForm(label=r"hand/\d+", most=6, example="hand/2"),
        ThrowForm(label=r"bonus/\d+", most=6, example="bonus/2"),
        ThrowForm(label=r"shuffle/[a-z ]+/\d+", most=MOST_CARDS, takes=None, example="shuffle/event/3"),
        ThrowForm(
            label=r"discard/(player|ai)/[\w-]+/\d+/\d+",
            most=MOST_CARDS,
            takes=None,
            example="discard/ai/B-7S/4/6",
        ),
    )
