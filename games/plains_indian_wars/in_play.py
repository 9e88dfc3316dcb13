"""The position while discs are played: cubes on a table, and the tale of what is done with them.

A Play lives for one question to the rules. Whoever changes it is named after what the game does; nothing
outside the rules ever sees one.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from games.dice import Dice
from games.plains_indian_wars.board import Board
from games.plains_indian_wars.box import box
from games.plains_indian_wars.components import Card, Materials
from games.plains_indian_wars.events import AnyEvent
from games.plains_indian_wars.model import TRIBES, Colour, Column, Region, State
from games.record import changed


class Play:
    """A state taken apart, the dice, and the events so far.

    scenario: the one that is played; now: everything of the state that is not cubes; entered: regions into
    which a move led U.S. cubes on this disc; engagements: how many were begun on it, for labels of throws.
    """

    def __init__(self, state: State, dice: Dice | None = None) -> None:
        self.now = state
        self.cubes = {region: dict(cubes) for region, cubes in state.cubes.items()}
        self.ready = dict(state.ready)
        self.fallen = dict(state.fallen)
        self.gone = dict(state.gone)
        self.columns = dict(state.columns)
        self._lies = box(state.options)
        self.scenario = self.box.scenarios[str(state.options["scenario"])]
        self.events: list[AnyEvent] = []
        self.entered: set[Region] = set()
        self.engagements = 0
        self._dice = dice

    @property
    def is_ahead(self) -> bool:
        """Whether it only looks ahead: nothing may be thrown."""
        return self._dice is None

    @property
    def dice(self) -> Dice:
        """The dice; a Play made to look ahead has none."""
        assert self._dice is not None, "looking ahead throws no dice"
        return self._dice

    @property
    def board(self) -> Board:
        """The board."""
        return self._lies.board

    @property
    def box(self) -> Materials:
        """Cards, dice and numbers."""
        return self._lies.materials

    @property
    def label(self) -> str:
        """What the labels of throws begin with: turn and disc."""
        return f"T{self.now.turn}/{self.now.disc or 'set-up'}"

    def freeze(self) -> State:
        """The state as it stands, in board order and without zeros."""
        kept = {
            region: {colour: n for colour, n in sorted(self.cubes[region].items()) if n}
            for region in self.board.places
            if any(self.cubes.get(region, {}).values())
        }
        return changed(
            self.now,
            cubes=kept,
            ready=_counted(self.ready),
            fallen=_counted(self.fallen),
            gone=_counted(self.gone),
            columns=self.columns,
        )

    def set(self, **fields: Any) -> None:
        """Change fields of the state that are not cubes."""
        self.now = changed(self.now, **fields)

    def tell(self, kind: type[AnyEvent], **fields: Any) -> None:
        """Note that something happened on the present disc."""
        scenario = str(self.now.options["scenario"])
        self.events.append(kind(turn=self.now.turn, disc=self.now.disc, scenario=scenario, **fields))

    # Who stands where.

    def count(self, region: Region, colour: Colour) -> int:
        """Cubes of a colour in a region, those of columns among them."""
        here = self.cubes.get(region, {}).get(colour, 0)
        if not self.columns:
            return here
        return here + sum(one.cubes.get(colour, 0) for one in self.columns.values() if one.at == region)

    def us(self, region: Region) -> int:
        """Fighting cubes of the U.S. in a region."""
        return sum(self.count(region, colour) for colour in self.scenario.fighters)

    def tribe(self, region: Region) -> Colour | None:
        """The tribe that has cubes in a region; the two never stand together."""
        return next((colour for colour in TRIBES if self.count(region, colour)), None)

    def tribes(self, region: Region) -> int:
        """Cubes of a tribe in a region."""
        return sum(self.count(region, colour) for colour in TRIBES)

    def limit(self, region: Region) -> int:
        """How many tribe cubes a region may hold. Source: solitaire rules, region limits."""
        return self.scenario.limits["plains" if self.board.is_plains(region) else "belt"]

    def room(self, region: Region) -> int:
        """How many U.S. cubes a region still takes; cities take any number."""
        return ALL_ROOM if self.board.is_city(region) else self.scenario.limits["us"] - self.us(region)

    def is_us_held(self, region: Region) -> bool:
        """Whether only U.S. fighting cubes are there."""
        return self.us(region) > 0 and not self.tribes(region)

    def regions(self, colours: Iterable[Colour]) -> tuple[Region, ...]:
        """The regions that hold any of some colours, in board order."""
        wanted = tuple(colours)
        return tuple(
            region for region in self.board.places if any(self.count(region, colour) for colour in wanted)
        )

    def cubes_of(self, card: Card) -> int:
        """How many cubes an action card brings in this scenario."""
        return self.scenario.brings(card)

    # What is done with cubes.

    def put(self, region: Region, colour: Colour, count: int) -> None:
        """Cubes appear in a region."""
        if count:
            here = self.cubes.setdefault(region, {})
            here[colour] = here.get(colour, 0) + count

    def take(self, region: Region, colour: Colour, count: int) -> None:
        """Cubes leave a region; where several columns have some, the smallest loses them first."""
        assert self.count(region, colour) >= count, f"{region} has no {count} {colour}"
        for name in sorted(self.columns, key=lambda one: (sum(self.columns[one].cubes.values()), one)):
            column = self.columns[name]
            taken = min(count, column.cubes.get(colour, 0)) if column.at == region else 0
            if taken:
                self.columns[name] = _without(column, colour, taken)
                count -= taken
        self.put(region, colour, -count)

    def shift(self, start: Region, to: Region, cubes: Mapping[Colour, int]) -> None:
        """Cubes go from one region to another."""
        for colour, count in cubes.items():
            self.take(start, colour, count)
            self.put(to, colour, count)

    def ride(self, name: Colour, to: Region) -> None:
        """A column goes to another region."""
        self.columns[name] = changed(self.columns[name], at=to)

    def muster(self, region: Region, colour: Colour, count: int) -> int:
        """Cubes come from the Ready Box, as far as it has them; how many came."""
        came = min(count, self.ready.get(colour, 0))
        self.ready[colour] = self.ready.get(colour, 0) - came
        self.put(region, colour, came)
        return came

    def fall(self, region: Region, colour: Colour, count: int) -> None:
        """Cubes are eliminated, and go to the box that the scenario names."""
        self.take(region, colour, count)
        where = self.scenario.boxes[colour]
        if where == "lost":
            self.set(lost=self.now.lost + count)
            return
        box = {"ready": self.ready, "fallen": self.fallen, "gone": self.gone}[where]
        box[colour] = box.get(colour, 0) + count


ALL_ROOM = 99
"""The room of a city: more than there are cubes."""


def _without(column: Column, colour: Colour, count: int) -> Column:
    left = {**column.cubes, colour: column.cubes[colour] - count}
    return changed(column, cubes={one: n for one, n in left.items() if n})


def _counted(box: Mapping[Colour, int]) -> dict[Colour, int]:
    return {colour: count for colour, count in sorted(box.items()) if count}
