"""What a game is played with: our box, or that of its owner, whose files lie in its options."""

from collections.abc import Mapping
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
    EVEN,
    FIRST,
    PACKAGE,
    WEIGHED,
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
    earlier,
    materials,
)
from games.boer_war.numbers import TABLES, EarlierNumbers, Numbers
from games.own_box import Boxes, Files, Sheet, refuse
from games.record import Value

THEN = tuple(name for name in EarlierNumbers.__struct_fields__ if name != "mark")
"""The tables of games that were begun before: no owner changes those."""

FILES = Files(
    PACKAGE,
    {
        MAP: Sheet(Map, {"points.*": Place}, {"points.*": ("name", "region", "lon", "lat")}),
        LEADERS: Sheet(Leaders, {"leaders.*": Leader}, {"leaders.*": ("name", "side")}),
        CARDS: Sheet(Cards, {"cards.*": Card}, {"cards.*": ("empire", "boers")}),
        EVENTS: Sheet(Events, {"events.*": EventCounter}, {"events.*": ("side", "name", "takes")}),
        NUMBERS: Sheet(
            Numbers,
            TABLES,
            {
                "rounds": ("of_a_side", "first"),
                **dict.fromkeys((FIRST, WEIGHED, EVEN), THEN),
            },
        ),
    },
    sourced="S",
)


class Box(Value, frozen=True):
    """What lies in a box, its map compiled, and by which numbers games of before go on.

    earlier: by the value of the option that says which.
    """

    materials: Materials
    board: Board
    earlier: Mapping[str, Materials]

    def by(self, numbers: str) -> Materials:
        """What lies in it, by these numbers."""
        return self.earlier.get(numbers, self.materials)


def _filled(documents: Mapping[str, Any]) -> Box:
    """The box of an owner's files. Raises Invalid naming file, row and field."""
    values: Mapping[str, Any] = FILES.values(documents)
    refuse(MAP, map_faults(values[MAP]))
    found = compiled(*(values[name] for name in FILES.sheets))
    refuse(LEADERS, leader_faults(found))
    refuse(EVENTS, event_faults(found, PRINTED.materials.events))
    refuse(NUMBERS, number_faults(found, PRINTED.materials.numbers))
    refuse(CARDS, card_faults(found))
    return Box(found, Board(found.places, found.ways), earlier(found))


PRINTED = Box(materials(), board(), earlier(materials()))
"""The box of every game whose owner says nothing."""

BOXES = Boxes(FILES, _filled, PRINTED)
"""The printed one, and those of owners."""

box = BOXES.of
"""The box of a game with these options. Raises Invalid for files that cannot be played with."""
