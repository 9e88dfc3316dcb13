"""The colours of the board: what cubes, dice and lines are drawn in, and the land below them."""

from collections.abc import Mapping

from games.plains_indian_wars.model import Colour

CUBE_PAINT: Mapping[Colour, str] = {
    "Green": "#206148",
    "Orange": "#b1630f",
    "Blue": "#2670e3",
    "Brown": "#542405",
    "Purple": "#4a0d77",
    "White": "#ffffff",
    "Black": "#100e0c",
}
"""Of cubes, dice and arrows; the eyes that tell colours apart worst tell each of these from each other."""

LAND_COLOURS: Mapping[str, str] = {"N": "#bdd3a6", "S": "#e8c98f", "NE": "#cfbcdc", "SE": "#cfbcdc"}
"""The land of the northern and southern tribes, and of their enemies."""

HELD_LAND_COLOURS: Mapping[str, str] = {"N": "#c3cfd0", "S": "#cfc9bb", "NE": "#c1bfd3", "SE": "#c1bfd3"}
"""The same land where the U.S. alone stands."""

NEUTRAL_LAND_COLOURS: Mapping[str, str] = {"CITY": "#d8cfba", "EDGE": "#d2c4a8", "": "#ddd5c2"}
"""Land where nobody fights: about the cities, at the edges, and without a part in the game."""

WATER, RIVER, INK, ROAD, PAPER = "#b4cdd6", "#7fa6b8", "#2b2018", "#7a5526", "#fffdf6"
