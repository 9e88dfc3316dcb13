"""The data that a game is played with: our box, or that of an owner, whose files are in its options."""

from collections.abc import Mapping
from typing import Any

from games.boer_war.board import Board, board
from games.boer_war.box_faults import (
    CARDS_FILE,
    EVENTS_FILE,
    LEADERS_FILE,
    MAP_FILE,
    NUMBERS_FILE,
    card_faults,
    event_faults,
    leader_faults,
    map_faults,
    number_faults,
)
from games.boer_war.components import (
    EVEN_NUMBERS,
    FIRST_NUMBERS,
    PACKAGE,
    WEIGHED_NUMBERS,
    BattleCard,
    CardData,
    EventCounter,
    EventData,
    Leader,
    LeaderData,
    MapData,
    MapPoint,
    Materials,
    compile_materials,
    earlier_materials,
    materials,
)
from games.boer_war.numbers import NUMBER_TABLES, EarlierNumbers, RuleNumbers
from games.own_box import OwnerBoxes, OwnerFile, OwnerFiles, refuse
from games.record import Value

EARLIER_TABLES = tuple(name for name in EarlierNumbers.__struct_fields__ if name != "mark")
"""The tables of games that were begun before: no owner changes those."""

FILES = OwnerFiles(
    PACKAGE,
    {
        MAP_FILE: OwnerFile(MapData, {"points.*": MapPoint}, {"points.*": ("name", "region", "lon", "lat")}),
        LEADERS_FILE: OwnerFile(LeaderData, {"leaders.*": Leader}, {"leaders.*": ("name", "side")}),
        CARDS_FILE: OwnerFile(CardData, {"cards.*": BattleCard}, {"cards.*": ("empire", "boers")}),
        EVENTS_FILE: OwnerFile(
            EventData, {"events.*": EventCounter}, {"events.*": ("side", "name", "takes")}
        ),
        NUMBERS_FILE: OwnerFile(
            RuleNumbers,
            NUMBER_TABLES,
            {
                "rounds": ("of_a_side", "first"),
                **dict.fromkeys((FIRST_NUMBERS, WEIGHED_NUMBERS, EVEN_NUMBERS), EARLIER_TABLES),
            },
        ),
    },
    sourced="S",
)


class Box(Value, frozen=True):
    """The contents of a box, its map compiled, and the numbers by which earlier games go on.

    earlier: by the value of the option that says which.
    """

    materials: Materials
    board: Board
    earlier: Mapping[str, Materials]

    def materials_with(self, numbers: str) -> Materials:
        """Return the contents, by these numbers."""
        return self.earlier.get(numbers, self.materials)


def _check_box(documents: Mapping[str, Any]) -> Box:
    """Return the box of an owner's files. Raises Invalid naming file, row and field."""
    values: Mapping[str, Any] = FILES.values(documents)
    refuse(MAP_FILE, map_faults(values[MAP_FILE]))
    contents = compile_materials(*(values[name] for name in FILES.sheets))
    refuse(LEADERS_FILE, leader_faults(contents))
    refuse(EVENTS_FILE, event_faults(contents, PRINTED.materials.events))
    refuse(NUMBERS_FILE, number_faults(contents, PRINTED.materials.numbers))
    refuse(CARDS_FILE, card_faults(contents))
    return Box(contents, Board(contents.places, contents.ways), earlier_materials(contents))


PRINTED = Box(materials(), board(), earlier_materials(materials()))
"""The box of every game whose owner says nothing."""

BOXES = OwnerBoxes(FILES, _check_box, PRINTED)
"""The printed one, and those of owners."""

box_of = BOXES.of
"""The box of a game with these options. Raises Invalid for files that cannot be played with."""
