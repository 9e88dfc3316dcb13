"""The events of Variant II in sentences, and its headlines."""

from collections.abc import Iterable, Mapping
from typing import assert_never

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
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, Colour
from games.plains_indian_wars.phrases import (
    RAILROAD_LINES,
    card_name,
    cubes_text,
    faces_text,
    join_words,
    region_name,
)

NATIONS_ENDINGS: Mapping[str, str] = {
    "wagons-through": "wagons reached the Rockies",
    "wagons-through-on-one-trail": "wagons reached the Rockies on one trail, and none did on the other",
    "no-wagon-through": "no wagon reached the Rockies",
    "railroad-complete": "the railroad is complete",
    "railroad-incomplete": "the railroad was not completed",
    "columns-destroyed": "all three columns are destroyed",
    "black-hills-taken": "the U.S. alone is in the Black Hills",
    "black-hills-kept": "the U.S. does not hold the Black Hills",
}
"""How a game of Variant II ends, as the end of a sentence."""


def column_name(name: Colour, scenario: str) -> str:
    """Return a column by its leader: "Crook's column"."""
    campaign = materials().scenarios[scenario].campaign
    assert campaign is not None, "only a campaign has columns"
    return campaign.columns[name].name


def verdict_text(event: Decided) -> str:
    """Return who won and why, without a full stop."""
    if not event.winners:
        return f"The game is a draw: {NATIONS_ENDINGS[event.why]}"
    names = {US_SEAT: "The U.S.", NATIONS_SEAT: "The Plains nations"}
    return f"{join_words([names[seat] for seat in event.winners])} won the game: {NATIONS_ENDINGS[event.why]}"


def nations_sentence(event: OfVariantII) -> str:
    """Return the event as a sentence."""
    match event:
        case TrainMoved():
            return _train_moved_text(event)
        case Forked():
            return _forked_text(event)
        case PartyMoved():
            return _party_moved_text(event)
        case ColumnMoved():
            how = "fell back" if event.back else "rode"
            who = f"{column_name(event.column, event.scenario)} ({cubes_text(event.cubes, event.scenario)})"
            return f"{who} {how} from {region_name(event.start)} to {region_name(event.to)}."
        case ColumnFell():
            return f"Nobody is left of {column_name(event.column, event.scenario)}; its disc leaves the game."
        case Struck():
            return _struck_text(event)
        case Rode():
            return _rode_text(event)
        case RailsTorn():
            spaces = f"{event.count} space{'s' * (event.count != 1)}"
            return f"{card_name(event.card)} tore {spaces} off the Union Pacific and now has {event.built}."
        case TurnedBack():
            return _turned_back_text(event)
        case Decided():
            return f"{verdict_text(event)}."
        case _:
            assert_never(event)


def _train_moved_text(event: TrainMoved) -> str:
    who = cubes_text(event.cubes, event.scenario)
    if event.to == ROCKIES:
        return f"The {event.trail}ern train reached the Rockies with {who}."
    return (
        f"The {event.trail}ern train rolled from {region_name(event.start)} to {region_name(event.to)}: "
        f"{who}."
    )


def _forked_text(event: Forked) -> str:
    branch = board().steps[event.to].branch
    return (
        f"A Purple die showed a {event.face}: the train takes the {branch} Trail by {region_name(event.to)}."
    )


def _party_moved_text(event: PartyMoved) -> str:
    who, way = (
        cubes_text(event.cubes, event.scenario),
        f"from {region_name(event.start)} to {region_name(event.to)}",
    )
    if not any(event.cubes.values()):
        return f"The work of {RAILROAD_LINES[event.line]} went on {way}; nobody was left to go."
    return f"The party of {RAILROAD_LINES[event.line]}, {who}, went on {way}."


def _struck_text(event: Struck) -> str:
    where = region_name(event.start)
    whither = "there" if event.start == event.to else f"at {region_name(event.to)}"
    text = f"{card_name(event.card)}: {event.colour} of {where} struck {whither}, and nobody struck back"
    fell = f"{cubes_text(event.fell, event.scenario)} fell" if event.fell else "nobody fell"
    return f"{text} ({faces_text({event.colour: event.faces})}): {fell}."


def _rode_text(event: Rode) -> str:
    who = cubes_text(event.cubes, event.scenario)
    if event.to is None:
        return f"{who} of {region_name(event.start)} found no place to ride to, and went to the Ready Box."
    return f"{who} rode from {region_name(event.start)} to {region_name(event.to)}."


def _turned_back_text(event: TurnedBack) -> str:
    who = f"{event.count} {event.colour}"
    if event.to is None:
        return f"There was no room for {who} in {region_name(event.start)}: back to the Ready Box."
    return f"There was no room for {who} in {region_name(event.start)}: back to {region_name(event.to)}."


# The news of a game of Variant II, in a sentence or two.


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
