"""The throws that Plains Indian Wars can make: discs, cards, dice of regions and engagements."""

from games.plains_indian_wars.model import CUBE_COLOURS
from games.protocol import Options, ThrowForm

MOST_CARDS = 30
"""No deck holds more cards, and no zone more regions."""


def throws(options: Options) -> tuple[ThrowForm, ...]:
    """Every form of a label, whatever the scenario."""
    phase = rf"T\d+/({'|'.join(CUBE_COLOURS)}|Black|set-up)"
    dice = rf"({'|'.join(CUBE_COLOURS)})\d"
    return (
        ThrowForm(label=r"T\d+/disc/\d+", most=7, example="T2/disc/1"),
        ThrowForm(label=rf"{phase}/d\d+/(\d+|NE|SE)", most=12, example="T2/Green/d12/1"),
        ThrowForm(
            label=rf"{phase}/(redraw/\d+|draw/\w+)/\d+", most=MOST_CARDS, example="T2/Blue/draw/Cavalry/9"
        ),
        ThrowForm(label=rf"{phase}/shortage/\w+", most=MOST_CARDS, example="T2/Green/shortage/1"),
        ThrowForm(label=rf"{phase}/night/(north|south)", most=6, example="T2/White/night/north"),
        ThrowForm(label=rf"{phase}/([\w#-]+/){{1,3}}{dice}", most=6, example="T2/Blue/N3#1/1/Blue2"),
    )
