"""The sentences and headlines of events of Variant II."""

from collections.abc import Iterable
from typing import assert_never

from games.language import join_list
from games.messages import sentence
from games.plains_indian_wars.board import ROCKIES, board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import (
    AnyEvent,
    ColumnFell,
    ColumnMoved,
    Decided,
    Forked,
    OfVariantII,
    PartyMoved,
    RailsTorn,
    Rode,
    Struck,
    TrainMoved,
    TurnedBack,
)
from games.plains_indian_wars.model import US_SEAT, Colour
from games.plains_indian_wars.phrases import card_name, cubes_text, faces_text, region_name


def column_name(name: Colour, scenario: str) -> str:
    """Return a column by its leader: "Crook's column"."""
    campaign = materials().scenarios[scenario].campaign
    assert campaign is not None, "only a campaign has columns"
    return campaign.columns[name].name


def ending_text(reason: str) -> str:
    """Return how a game of Variant II ends, as a clause."""
    return sentence(f"plains_indian_wars.endings.{reason}")


def nations_sentence(event: OfVariantII) -> str:
    """Return the event as a sentence."""
    match event:
        case TrainMoved():
            slug = "plains_indian_wars.nations_events.train_rolled"
            if event.to == ROCKIES:
                slug = "plains_indian_wars.nations_events.train_through"
            train = sentence(f"plains_indian_wars.trains.{event.trail}")
            return sentence(slug, train=train, **_move_values(event))
        case Forked():
            return sentence(
                "plains_indian_wars.nations_events.forked",
                face=event.face,
                branch=board().steps[event.to].branch,
                to=region_name(event.to),
            )
        case PartyMoved():
            slug = "plains_indian_wars.nations_events.work_moved"
            if any(event.cubes.values()):
                slug = "plains_indian_wars.nations_events.party_moved"
            line = sentence(f"plains_indian_wars.lines.{event.line}")
            return sentence(slug, line=line, **_move_values(event))
        case ColumnMoved():
            slug = "plains_indian_wars.nations_events.column_rode"
            if event.back:
                slug = "plains_indian_wars.nations_events.column_fell_back"
            return sentence(slug, column=column_name(event.column, event.scenario), **_move_values(event))
        case ColumnFell():
            column = column_name(event.column, event.scenario)
            return sentence("plains_indian_wars.nations_events.column_fell", column=column)
        case Struck():
            return _struck_text(event)
        case Rode():
            slug = "plains_indian_wars.nations_events.rode"
            if event.to is None:
                slug = "plains_indian_wars.nations_events.rode_off"
            return sentence(slug, **_move_values(event))
        case RailsTorn():
            return sentence(
                "plains_indian_wars.nations_events.rails_torn",
                card=card_name(event.card),
                count=event.count,
                built=event.built,
            )
        case TurnedBack():
            slug = "plains_indian_wars.nations_events.turned_back"
            if event.to is None:
                slug = "plains_indian_wars.nations_events.turned_back_ready"
            start, to = region_name(event.start), region_name(event.to)
            return sentence(slug, count=event.count, colour=event.colour, start=start, to=to)
        case Decided():
            if not event.winners:
                slug = "plains_indian_wars.nations_events.drawn_game"
            elif US_SEAT in event.winners:
                slug = "plains_indian_wars.nations_events.us_won"
            else:
                slug = "plains_indian_wars.nations_events.nations_won"
            return sentence(slug, ending=ending_text(event.why))
        case _:
            assert_never(event)


def _move_values(event: TrainMoved | PartyMoved | ColumnMoved | Rode) -> dict[str, str]:
    return {
        "cubes": cubes_text(event.cubes, event.scenario),
        "start": region_name(event.start),
        "to": region_name(event.to),
    }


def _struck_text(event: Struck) -> str:
    if event.start == event.to:
        slug = "plains_indian_wars.nations_events.struck_there_missed"
        if event.fell:
            slug = "plains_indian_wars.nations_events.struck_there"
    else:
        slug = "plains_indian_wars.nations_events.struck_missed"
        if event.fell:
            slug = "plains_indian_wars.nations_events.struck"
    return sentence(
        slug,
        card=card_name(event.card),
        colour=event.colour,
        start=region_name(event.start),
        to=region_name(event.to),
        faces=faces_text({event.colour: event.faces}),
        cubes=cubes_text(event.fell, event.scenario),
    )


# The news of a game of Variant II.


def advance_news(events: Iterable[AnyEvent]) -> list[str]:
    """Return the moves of trains, parties and columns, and the damage to the railroad."""
    news: list[str] = []
    columns: dict[Colour, str] = {}
    for event in events:
        if isinstance(event, TrainMoved) and event.to == ROCKIES:
            cubes = cubes_text(event.cubes, event.scenario)
            news.append(sentence("plains_indian_wars.headline.train_through", cubes=cubes))
        elif isinstance(event, TrainMoved):
            train = sentence(f"plains_indian_wars.trains.{event.trail}")
            news.append(sentence("plains_indian_wars.headline.train", train=train, to=region_name(event.to)))
        elif isinstance(event, PartyMoved):
            news.append(sentence("plains_indian_wars.headline.party", to=region_name(event.to)))
        elif isinstance(event, ColumnMoved):
            slug = "plains_indian_wars.headline.column"
            if event.back:
                slug = "plains_indian_wars.headline.column_fell_back"
            column = column_name(event.column, event.scenario)
            columns[event.column] = sentence(slug, column=column, to=region_name(event.to))
        elif isinstance(event, ColumnFell):
            column = column_name(event.column, event.scenario)
            columns[event.column] = sentence("plains_indian_wars.headline.column_fell", column=column)
        elif isinstance(event, RailsTorn):
            news.append(sentence("plains_indian_wars.headline.rails_torn", count=event.count))
    if columns:
        news.append(sentence("plains_indian_wars.headline.columns", columns=join_list(columns.values())))
    return news
