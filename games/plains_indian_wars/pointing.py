"""Regions that can be pointed at: who holds them, what stands there; where each event happens."""

from collections.abc import Iterator
from typing import Any

from games.plains_indian_wars.atlas import atlas
from games.plains_indian_wars.board import board
from games.plains_indian_wars.events import AnyEvent, ColumnMoved, LeftOut, Moved, PartyMoved, TrainMoved
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, TRIBES, Region, View
from games.plains_indian_wars.phrases import cubes, place
from games.protocol.optional import Mention, Spot

Went = Moved | TrainMoved | PartyMoved | ColumnMoved
"""What the map draws arrows of."""

_WHERE = ("start", "at", "to", "lender")
"""The fields of an event, or of an order, that name a region."""


def spots(view: View) -> tuple[Spot, ...]:
    """Every region of the map, by the shapes that sheets.svg draws."""
    play = Play(view)
    scenario = str(view.options["scenario"])
    return tuple(
        Spot(
            at=region,
            shape=f"c{region}",
            name=place(region),
            owner=_holder(play, region),
            pieces=tuple(
                cubes({colour: n}, scenario) for colour in COLOURS if (n := play.count(region, colour))
            ),
        )
        for region in atlas().cells
    )


def mention(event: AnyEvent) -> Mention | None:
    """The regions that an event is about, the one first where it began; with an order those that it names."""
    at = tuple(dict.fromkeys(_regions(event)))
    if not at:
        return None
    if isinstance(event, Went) and any(event.cubes.values()):
        return Mention(at=at, of=_side(event), title=title(event))
    return Mention(at=at)


def title(event: Went) -> str:
    """What board.svg calls the arrow of what moved."""
    return f"{cubes(event.cubes, event.scenario)} {place(event.start)} - {place(event.to)}"


def _side(event: Went) -> str:
    return "Tribes" if any(colour in TRIBES for colour in event.cubes) else "U.S."


def _holder(play: Play, region: Region) -> str | None:
    """Who stands alone in a region, of the two sides."""
    tribes = any(play.count(region, colour) for colour in TRIBES)
    us = bool(play.us(region))
    if tribes == us:
        return None
    return "the tribes" if tribes else "the United States"


def _regions(event: AnyEvent) -> Iterator[Region]:
    told: Any = event.order if isinstance(event, LeftOut) else event
    for field in _WHERE:
        region = getattr(told, field, None)
        if region is not None and region in board().places:
            yield Region(region)
    yield from getattr(told, "thrown", {})
