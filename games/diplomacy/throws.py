"""The throws that a game of the family can make: the storms of its waters."""

from games.diplomacy.boards.variants import Variant
from games.protocol import ThrowForm


def throws(variant: Variant) -> tuple[ThrowForm, ...]:
    """A storm for each stormy water and each season that has one. Source: Indianomacy §9."""
    waters = variant.board.chart.stormy
    seasons = "".join(dict.fromkeys(step.season for step in variant.rulebook.year if step.storms))
    if not (waters and seasons):
        return ()
    label = rf"storm/({'|'.join(waters)})/[{seasons}]\d+"
    return (ThrowForm(label=label, most=6, example=f"storm/{waters[0]}/{seasons[0]}1"),)
