"""A position that the rules change while discs are played, with its events.

A WorkingState exists for one question to the rules, and only inside the rules.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from games.dice import Dice
from games.plains_indian_wars.board import Board
from games.plains_indian_wars.components import Card, Materials
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import TRIBES, Colour, Region, State
from games.plains_indian_wars.owner_data import box
from games.record import replace_fields


class WorkingState:
    """A position that can be changed, with the dice and the events so far.

    now: the state, with old cubes and boxes; cubes, ready, fallen, gone, columns: the present cubes and
    boxes; entered: the regions that U.S. cubes moved into on this disc; engagements: the number of
    engagements on this disc, for the labels of dice.
    """

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        self.now = state
        self.cubes = {region: dict(cubes) for region, cubes in state.cubes.items()}
        self.ready = dict(state.ready)
        self.fallen = dict(state.fallen)
        self.gone = dict(state.gone)
        self.columns = dict(state.columns)
        self._lies = box(state.options)
        self.scenario = self.materials.scenarios[str(state.options["scenario"])]
        self.events: list[AnyEvent] = []
        self.entered: set[Region] = set()
        self.engagements = 0
        self._dice = dice

    @property
    def is_dry_run(self) -> bool:
        """Return whether there are no dice."""
        return self._dice is None

    @property
    def dice(self) -> Dice:
        """Return the dice. A dry run has none."""
        assert self._dice is not None, "looking ahead throws no dice"
        return self._dice

    @property
    def board(self) -> Board:
        """Return the board of the game's box."""
        return self._lies.board

    @property
    def materials(self) -> Materials:
        """Return the cards, dice and set-ups of the game's box."""
        return self._lies.materials

    @property
    def dice_label(self) -> str:
        """Return the start of the labels of dice: turn and disc."""
        return f"T{self.now.turn}/{self.now.disc or 'set-up'}"

    def freeze(self) -> State:
        """Return the present state, in board order and without zeros."""
        kept = {
            region: {colour: n for colour, n in sorted(self.cubes[region].items()) if n}
            for region in self.board.places
            if any(self.cubes.get(region, {}).values())
        }
        return replace_fields(
            self.now,
            cubes=kept,
            ready=_without_zeros(self.ready),
            fallen=_without_zeros(self.fallen),
            gone=_without_zeros(self.gone),
            columns=self.columns,
        )

    def set(self, **fields: Any) -> None:
        """Change fields of the state other than cubes and boxes."""
        self.now = replace_fields(self.now, **fields)

    def tell(self, kind: type[AnyEvent], **fields: Any) -> None:
        """Add an event of the present disc."""
        scenario = str(self.now.options["scenario"])
        self.events.append(kind(turn=self.now.turn, disc=self.now.disc, scenario=scenario, **fields))

    # Cubes in regions.

    def count(self, region: Region, colour: Colour) -> int:
        """Return the number of cubes of a colour in a region, including those of columns."""
        here = self.cubes.get(region, {}).get(colour, 0)
        if not self.columns:
            return here
        return here + sum(
            column.cubes.get(colour, 0) for column in self.columns.values() if column.at == region
        )

    def us_cubes(self, region: Region) -> int:
        """Return the number of fighting U.S. cubes in a region."""
        return sum(self.count(region, colour) for colour in self.scenario.fighters)

    def tribe_in(self, region: Region) -> Colour | None:
        """Return the tribe in a region; None if there is none. The two tribes are never together."""
        return next((colour for colour in TRIBES if self.count(region, colour)), None)

    def tribe_cubes(self, region: Region) -> int:
        """Return the number of tribe cubes in a region."""
        return sum(self.count(region, colour) for colour in TRIBES)

    def tribe_limit(self, region: Region) -> int:
        """Return how many tribe cubes a region may hold. Source: solitaire rules, region limits."""
        return self.scenario.limits["plains" if self.board.is_plains(region) else "belt"]

    def us_room(self, region: Region) -> int:
        """Return how many more U.S. cubes a region can hold. Cities can hold any number."""
        return CITY_ROOM if self.board.is_city(region) else self.scenario.limits["us"] - self.us_cubes(region)

    def is_us_held(self, region: Region) -> bool:
        """Return whether only U.S. fighting cubes are there."""
        return self.us_cubes(region) > 0 and not self.tribe_cubes(region)

    def regions_with(self, colours: Iterable[Colour]) -> tuple[Region, ...]:
        """Return the regions with cubes of any of some colours, in board order."""
        wanted = tuple(colours)
        return tuple(
            region for region in self.board.places if any(self.count(region, colour) for colour in wanted)
        )

    def cubes_of_card(self, card: Card) -> int:
        """Return how many cubes an action card brings in this scenario."""
        return self.scenario.cubes_of_card(card)

    # Changes.

    def add_cubes(self, region: Region, colour: Colour, count: int) -> None:
        """Add cubes to a region."""
        if count:
            here = self.cubes.setdefault(region, {})
            here[colour] = here.get(colour, 0) + count

    def remove_cubes(self, region: Region, colour: Colour, count: int) -> None:
        """Remove cubes from a region. If several columns have some, the smallest column loses them first."""
        assert self.count(region, colour) >= count, f"{region} has no {count} {colour}"
        for name in sorted(
            self.columns, key=lambda column_name: (sum(self.columns[column_name].cubes.values()), column_name)
        ):
            column = self.columns[name]
            taken = min(count, column.cubes.get(colour, 0)) if column.at == region else 0
            if taken:
                remaining = {**column.cubes, colour: column.cubes[colour] - taken}
                self.columns[name] = replace_fields(column, cubes={c: n for c, n in remaining.items() if n})
                count -= taken
        self.add_cubes(region, colour, -count)

    def move_cubes(self, start: Region, to: Region, cubes: Mapping[Colour, int]) -> None:
        """Move cubes from one region to another."""
        for colour, count in cubes.items():
            self.remove_cubes(start, colour, count)
            self.add_cubes(to, colour, count)

    def move_column(self, name: Colour, to: Region) -> None:
        """Move a column to another region."""
        self.columns[name] = replace_fields(self.columns[name], at=to)

    def add_from_ready(self, region: Region, colour: Colour, count: int) -> int:
        """Add cubes to a region from the Ready Box, as many as it has; return their number."""
        came = min(count, self.ready.get(colour, 0))
        self.ready[colour] = self.ready.get(colour, 0) - came
        self.add_cubes(region, colour, came)
        return came

    def eliminate(self, region: Region, colour: Colour, count: int) -> None:
        """Move cubes from a region to the box that the scenario names for them."""
        self.remove_cubes(region, colour, count)
        where = self.scenario.boxes[colour]
        if where == "lost":
            self.set(lost=self.now.lost + count)
            return
        box = {"ready": self.ready, "fallen": self.fallen, "gone": self.gone}[where]
        box[colour] = box.get(colour, 0) + count


CITY_ROOM = 99
"""The room of a city, which is more than there are cubes."""


def _without_zeros(box: Mapping[Colour, int]) -> dict[Colour, int]:
    return {colour: count for colour, count in sorted(box.items()) if count}
