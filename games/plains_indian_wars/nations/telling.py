"""What happens in Variant II alone, in sentences."""

from collections.abc import Mapping
from typing import assert_never

from games.plains_indian_wars.board import ROCKIES, board
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.events import (
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
from games.plains_indian_wars.model import NATIONS, US, Colour
from games.plains_indian_wars.phrases import LINES, card, cubes, listed, place
from games.plains_indian_wars.telling_engagements import faces

ENDINGS: Mapping[str, str] = {
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


def column(name: Colour, scenario: str) -> str:
    """A column by its leader: "Crook's column"."""
    campaign = materials().scenarios[scenario].campaign
    assert campaign is not None, "only a campaign has columns"
    return campaign.columns[name].name


def verdict(event: Decided) -> str:
    """Who won and why, without a full stop."""
    if not event.winners:
        return f"The game is a draw: {ENDINGS[event.why]}"
    names = {US: "The U.S.", NATIONS: "The Plains nations"}
    return f"{listed([names[one] for one in event.winners])} won the game: {ENDINGS[event.why]}"


def said(event: OfVariantII) -> str:
    """The event as a sentence."""
    match event:
        case TrainMoved():
            return _train_moved(event)
        case Forked():
            return _forked(event)
        case PartyMoved():
            return _party_moved(event)
        case ColumnMoved():
            return _column_moved(event)
        case ColumnFell():
            return _column_fell(event)
        case Struck():
            return _struck(event)
        case Rode():
            return _rode(event)
        case RailsTorn():
            return _rails_torn(event)
        case TurnedBack():
            return _turned_back(event)
        case Decided():
            return _decided(event)
        case _:
            assert_never(event)


def _train_moved(event: TrainMoved) -> str:
    who = cubes(event.cubes, event.scenario)
    if event.to == ROCKIES:
        return f"The {event.trail}ern train reached the Rockies with {who}."
    return f"The {event.trail}ern train rolled from {place(event.start)} to {place(event.to)}: {who}."


def _forked(event: Forked) -> str:
    branch = board().steps[event.to].branch
    return f"A Purple die showed a {event.face}: the train takes the {branch} Trail by {place(event.to)}."


def _party_moved(event: PartyMoved) -> str:
    who, way = cubes(event.cubes, event.scenario), f"from {place(event.start)} to {place(event.to)}"
    if not any(event.cubes.values()):
        return f"The work of {LINES[event.line]} went on {way}; nobody was left to go."
    return f"The party of {LINES[event.line]}, {who}, went on {way}."


def _column_moved(event: ColumnMoved) -> str:
    how = "fell back" if event.back else "rode"
    who = f"{column(event.column, event.scenario)} ({cubes(event.cubes, event.scenario)})"
    return f"{who} {how} from {place(event.start)} to {place(event.to)}."


def _column_fell(event: ColumnFell) -> str:
    return f"Nobody is left of {column(event.column, event.scenario)}; its disc leaves the game."


def _struck(event: Struck) -> str:
    where = place(event.start)
    whither = "there" if event.start == event.to else f"at {place(event.to)}"
    said = f"{card(event.card)}: {event.colour} of {where} struck {whither}, and nobody struck back"
    fell = f"{cubes(event.fell, event.scenario)} fell" if event.fell else "nobody fell"
    return f"{said} ({faces({event.colour: event.faces})}): {fell}."


def _rode(event: Rode) -> str:
    who = cubes(event.cubes, event.scenario)
    if event.to is None:
        return f"{who} of {place(event.start)} found no place to ride to, and went to the Ready Box."
    return f"{who} rode from {place(event.start)} to {place(event.to)}."


def _rails_torn(event: RailsTorn) -> str:
    spaces = f"{event.count} space{'s' * (event.count != 1)}"
    return f"{card(event.card)} tore {spaces} off the Union Pacific; it has {event.built} now."


def _turned_back(event: TurnedBack) -> str:
    who = f"{event.count} {event.colour}"
    if event.to is None:
        return f"There was no room for {who} in {place(event.start)}: back to the Ready Box."
    return f"There was no room for {who} in {place(event.start)}: back to {place(event.to)}."


def _decided(event: Decided) -> str:
    return f"{verdict(event)}."
