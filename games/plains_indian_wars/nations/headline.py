"""What happened in a game of Variant II, in a sentence or two."""

from collections.abc import Iterable

from games.plains_indian_wars.board import ROCKIES
from games.plains_indian_wars.events import (
    AnyEvent,
    ColumnFell,
    ColumnMoved,
    Decided,
    PartyMoved,
    RailsTorn,
    TrainMoved,
)
from games.plains_indian_wars.nations.telling import column, verdict
from games.plains_indian_wars.phrases import cubes, listed, place


def ending(events: Iterable[AnyEvent]) -> list[str]:
    """Who won, if it is over."""
    return [verdict(event) for event in events if isinstance(event, Decided)]


def advances(events: Iterable[AnyEvent]) -> list[str]:
    """Where trains, parties and columns have gone."""
    found: list[str] = []
    columns: dict[str, str] = {}
    for event in events:
        if isinstance(event, TrainMoved) and event.to == ROCKIES:
            found.append(f"{cubes(event.cubes, event.scenario)} reached the Rockies")
        elif isinstance(event, TrainMoved):
            found.append(f"the {event.trail}ern train is in {place(event.to)}")
        elif isinstance(event, PartyMoved):
            found.append(f"workers went on to {place(event.to)}")
        elif isinstance(event, ColumnMoved):
            name = column(event.column, event.scenario)
            columns[name] = f"{name} {'fell back to' if event.back else 'is in'} {place(event.to)}"
        elif isinstance(event, ColumnFell):
            name = column(event.column, event.scenario)
            columns[name] = f"{name} is no more"
        elif isinstance(event, RailsTorn):
            found.append(f"{event.count} space{'s' * (event.count != 1)} of the railroad were torn up")
    return [*found, *([listed(list(columns.values()))] if columns else [])]
