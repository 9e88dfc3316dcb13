"""The events of Cairn."""

from games.cairn.model import Pebble
from games.protocol import Event, Seat


class Dropped(Event, frozen=True, kw_only=True):
    """A pebble was dropped; left: how many the seat still holds."""

    seat: Seat
    pebble: Pebble
    left: int


class Took(Event, frozen=True, kw_only=True):
    """A seat took something from the bag: what everybody sees of it."""

    seat: Seat


class Drew(Event, frozen=True, kw_only=True):
    """The pebble that a seat drew: for its eyes only."""

    seat: Seat
    pebble: Pebble


class Rested(Event, frozen=True, kw_only=True):
    """A seat did nothing. void: the text of an order that was not possible, "" for an order to rest."""

    seat: Seat
    void: str = ""


AnyEvent = Dropped | Took | Drew | Rested
