"""What a game is played with: our box, or that of its owner, whose files lie in its options."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.boer_war.board import Board, board
from games.boer_war.box_faults import (
    CARDS,
    EVENTS,
    LEADERS,
    MAP,
    NUMBERS,
    card_faults,
    event_faults,
    leader_faults,
    map_faults,
    number_faults,
)
from games.boer_war.components import (
    PACKAGE,
    Card,
    Cards,
    EventCounter,
    Events,
    Leader,
    Leaders,
    Map,
    Materials,
    Place,
    compiled,
    materials,
)
from games.boer_war.numbers import TABLES, Numbers
from games.own_box import Files, Sheet, refuse
from games.protocol import Options

DATA = "data"
"""The option with the owner's files."""

FILES = Files(
    PACKAGE,
    {
        MAP: Sheet(Map, {"points.*": Place}, {"points.*": ("name", "region", "lon", "lat")}),
        LEADERS: Sheet(Leaders, {"leaders.*": Leader}, {"leaders.*": ("name", "side")}),
        CARDS: Sheet(Cards, {"cards.*": Card}, {"cards.*": ("empire", "boers")}),
        EVENTS: Sheet(Events, {"events.*": EventCounter}, {"events.*": ("side", "name", "takes")}),
        NUMBERS: Sheet(
            Numbers, TABLES, {"rounds": ("of_a_side", "first"), "first": ("rising", "siege", "victory")}
        ),
    },
    sourced="S",
)


@dataclass(frozen=True)
class Box:
    """What lies in a box, and its map compiled."""

    materials: Materials
    board: Board


def box(options: Options) -> Box:
    """The box of a game with these options. Raises Invalid for files that cannot be played with."""
    return _compiled(str(options[DATA])) if DATA in options else PRINTED


def completed(text: str) -> str:
    """The text of the option, whole: what a game keeps. Raises Invalid naming file, row and field."""
    whole = FILES.completed(text)
    _compiled(whole)
    return whole


@lru_cache(maxsize=16)
def _compiled(text: str) -> Box:
    """The box of a text, once for each content."""
    values: Mapping[str, Any] = FILES.values(FILES.documents(text))
    refuse(MAP, map_faults(values[MAP]))
    found = compiled(*(values[name] for name in FILES.sheets))
    refuse(LEADERS, leader_faults(found))
    refuse(EVENTS, event_faults(found, PRINTED.materials.events))
    refuse(NUMBERS, number_faults(found, PRINTED.materials.numbers))
    refuse(CARDS, card_faults(found))
    return Box(found, Board(found.places, found.ways))


PRINTED = Box(materials(), board())
"""The box of every game whose owner says nothing."""
