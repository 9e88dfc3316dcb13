"""The news of a game of Variant II, in a sentence or two."""

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
from games.plains_indian_wars.nations.report_text import column_name, verdict_text
from games.plains_indian_wars.phrases import cubes_text, join_words, region_name


def ending_news(events: Iterable[AnyEvent]) -> list[str]:
    """Return who won, if the game is over."""
    return [verdict_text(event) for event in events if isinstance(event, Decided)]


def advance_news(events: Iterable[AnyEvent]) -> list[str]:
    """Return where trains, parties and columns have gone."""
    news: list[str] = []
    columns: dict[str, str] = {}
    for event in events:
        if isinstance(event, TrainMoved) and event.to == ROCKIES:
            news.append(f"{cubes_text(event.cubes, event.scenario)} reached the Rockies")
        elif isinstance(event, TrainMoved):
            news.append(f"the {event.trail}ern train is in {region_name(event.to)}")
        elif isinstance(event, PartyMoved):
            news.append(f"workers went on to {region_name(event.to)}")
        elif isinstance(event, ColumnMoved):
            name = column_name(event.column, event.scenario)
            columns[name] = f"{name} {'fell back to' if event.back else 'is in'} {region_name(event.to)}"
        elif isinstance(event, ColumnFell):
            name = column_name(event.column, event.scenario)
            columns[name] = f"{name} is no more"
        elif isinstance(event, RailsTorn):
            news.append(f"{event.count} space{'s' * (event.count != 1)} of the railroad were torn up")
    return [*news, *([join_words(list(columns.values()))] if columns else [])]
