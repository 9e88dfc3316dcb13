"""Regions that can be pointed at: who holds them, what stands there; where each event happens."""

from collections.abc import Iterator
from typing import Any

from games.plains_indian_wars.board import board
from games.plains_indian_wars.events import AnyEvent, ColumnMoved, LeftOut, Moved, PartyMoved, TrainMoved
from games.plains_indian_wars.map_layout import atlas
from games.plains_indian_wars.model import CUBE_COLOURS, TRIBES, Region, View
from games.plains_indian_wars.phrases import cubes_text, region_name
from games.plains_indian_wars.working_state import WorkingState
from games.protocol.optional import EventPlaces, MapRegion

MovedEvent = Moved | TrainMoved | PartyMoved | ColumnMoved
"""What the map draws arrows of."""

_REGION_FIELDS = ("start", "at", "to", "lender")
"""The fields of an event, or of an order, that name a region."""


def spots(view: View) -> tuple[MapRegion, ...]:
    """Return every region of the map, by the shapes that sheets.svg draws."""
    play = WorkingState(view)
    scenario = str(view.options["scenario"])
    return tuple(
        MapRegion(
            at=region,
            shape=f"c{region}",
            name=region_name(region),
            owner=_holder_name(play, region),
            pieces=tuple(
                cubes_text({colour: n}, scenario)
                for colour in CUBE_COLOURS
                if (n := play.count(region, colour))
            ),
        )
        for region in atlas().cells
    )


def mention(event: AnyEvent) -> EventPlaces | None:
    """The regions that an event is about, the one first where it began; with an order those that it names."""
    at = tuple(dict.fromkeys(_regions(event)))
    if not at:
        return None
    if isinstance(event, MovedEvent) and any(event.cubes.values()):
        return EventPlaces(at=at, of=_side(event), title=move_title(event))
    return EventPlaces(at=at)


def move_title(event: MovedEvent) -> str:
    """Return what board.svg calls the arrow of a move."""
    return f"{cubes_text(event.cubes, event.scenario)} {region_name(event.start)} - {region_name(event.to)}"


def _side(event: MovedEvent) -> str:
    return "Tribes" if any(colour in TRIBES for colour in event.cubes) else "U.S."


def _holder_name(play: WorkingState, region: Region) -> str | None:
    """Return the side that stands alone in a region, in words; None if neither does."""
    tribes = any(play.count(region, colour) for colour in TRIBES)
    us = bool(play.us_cubes(region))
    if tribes == us:
        return None
    return "the tribes" if tribes else "the United States"


def _regions(event: AnyEvent) -> Iterator[Region]:
    source: Any = event.order if isinstance(event, LeftOut) else event
    for field in _REGION_FIELDS:
        region = getattr(source, field, None)
        if region is not None and region in board().places:
            yield Region(region)
    yield from getattr(source, "thrown", {})
