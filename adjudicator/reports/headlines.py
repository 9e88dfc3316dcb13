"""The headline of a turn: its news, without what the headline before it said.

The same log gives the same headlines. If a turn brings nothing new, its headline says who is ahead, or how
long the same has happened. So no headline is the same as the one before.
"""

from collections.abc import Iterable, Iterator, Sequence

from adjudicator.messages import sentence
from adjudicator.model.games import PlayedTurn
from games.protocol import Event, Game, NewsItem, Seat, View, join_news


def visible_events(events: Iterable[Event], viewer: Seat | None) -> list[Event]:
    """Return the events that a seat may see, or everyone if the viewer is None."""
    return [event for event in events if event.seen_by is None or viewer in event.seen_by]


def visible_history(earlier: Iterable[Sequence[PlayedTurn]], viewer: Seat | None) -> Iterator[list[Event]]:
    """Yield what a viewer saw in each earlier report. earlier: the turns of each, the latest first."""
    for steps in earlier:
        yield visible_events([event for step in steps for event in step.events], viewer)


def choose_headline(
    game: Game, view: View, events: Sequence[Event], earlier: Iterable[Sequence[Event]] = ()
) -> str:
    """Return the headline of a turn, or of several that are reported together.

    view: the position after them. earlier: the events of what was reported before, the latest first. It is
    read only as far back as the same happened.
    """
    news = game.telling.news(events)
    history = iter(earlier)
    before = _texts_of(game, history)
    fresh = [item for item in news if item.text not in before]
    if fresh:
        return join_news(fresh)
    count, known = 1, before
    while news[0].text in (known := _texts_of(game, history)):
        count += 1
    if count == 1 and before - known and (standing := game.telling.standing(view)):
        return standing
    text = news[0].text.removesuffix(".")
    return sentence("reports.headlines.as_before", news=text, count=count)


def _texts_of(game: Game, history: Iterator[Sequence[Event]]) -> frozenset[str]:
    """Return the news of the next earlier events, none if there are no more."""
    for events in history:
        items: Sequence[NewsItem] = game.telling.news(events)
        return frozenset(item.text for item in items)
    return frozenset()
