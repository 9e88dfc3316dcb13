"""Report texts of games whose `map.py` draws the board and says which places an event is about."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from games.protocol import Event, EventPlaces, MapRegion, NewsItem, SeatColours, Telling, join_news

ViewT = TypeVar("ViewT")
EventT = TypeVar("EventT", bound=Event)


class MapModule(Protocol):
    """The functions of a game's module `map`."""

    def board_scene(self, view: Any, events: Sequence[Any]) -> Mapping[str, Any]:
        """Return the context of board.svg."""

    def badges(self, view: Any, /) -> Mapping[str, SeatColours]:
        """Return the colours of each side."""

    def spots(self, view: Any) -> tuple[MapRegion, ...]:
        """Return all places that a reader can point at."""

    def mention(self, event: Any) -> EventPlaces | None:
        """Return the places of an event, or None."""


class MapTelling(Telling[ViewT, EventT]):
    """The report texts of a game with such a module. map_module: this module."""

    map_module: MapModule

    @abstractmethod
    def news(self, events: Sequence[EventT]) -> tuple[NewsItem, ...]:
        """Return the turn's news, the most important first."""

    def headline(self, events: Sequence[EventT]) -> str:
        """Return the most important news."""
        return join_news(self.news(events))

    def scene(self, view: ViewT, events: Sequence[EventT]) -> Mapping[str, Any] | None:
        """Return the context of board.svg."""
        return self.map_module.board_scene(view, events)

    def badges(self, view: ViewT) -> Mapping[str, SeatColours]:
        """Return the colours of each side on the map."""
        return self.map_module.badges(view)

    def spots(self, view: ViewT) -> tuple[MapRegion, ...]:
        """Return all places that a reader can point at, in the order of the board."""
        return self.map_module.spots(view)

    def mention(self, event: EventT) -> EventPlaces | None:
        """Return the places that an event is about, or None."""
        return self.map_module.mention(event)
