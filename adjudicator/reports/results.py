"""The headline of a turn, and the result of a game: the winners, if any, and the reason.

A headline is the news of its turn, without what the headline before it said. The same log gives the same
headlines. If a turn brings nothing new, its headline says who is ahead, or how long the same has happened. So
no headline is the same as the one before.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from adjudicator.messages import sentence, sentences
from adjudicator.model.games import PlayedTurn
from games.language import format_halves, join_list
from games.protocol import Event, Game, GameResult, NewsItem, Seat, State, View, join_news

Counts = Mapping[Seat, float]
"""What each seat has of the thing that its game counts: supply centres, Battle Points."""


def result_counts(game: Game, state: State) -> Counts:
    """Return what each seat has at the end of a game, or nothing if the game counts nothing."""
    return dict(game.score.shown(state)) if game.score else {}


def result_text(
    game: Game, result: GameResult, viewer: Seat | None = None, counts: Counts | None = None
) -> str:
    """Return the result as sentences: "The game is over. Dakota won: 24 supply centres."

    The rules of a game give the reason as a code, which the catalogue explains. A reason that players or the
    GM gave is used as it is. counts: from `result_counts`.
    """
    code = _explain(game, result, counts or {})
    why = (code or result.reason).strip().rstrip(".")
    if result.winners and why.startswith(_AGREED_DRAW):
        return sentence("reports.results.ended_in", why=why)
    if result.winners:
        names = join_list(side_name(seat, viewer) for seat in result.winners)
        return sentence("reports.results.won", winners=names[:1].upper() + names[1:], why=why)
    if result.reason == _OWN_TABLE_OVER:
        return sentence("reports.results.over", why=why)
    if code:
        return sentence("reports.results.drawn", why=why)
    if why.startswith(_AGREED_DRAW):
        return sentence("reports.results.ended_in", why=why)
    return sentence("reports.results.nobody", why=why)


_OWN_TABLE_OVER = "table-over"
"""The code of a game on the player's own table, of which we know no result."""
_AGREED_DRAW = "a draw"
"""The reason of a draw that the players agreed to begins so."""


_SECOND_PERSON = re.compile(r"\b(?:yours?|you)\b(?: (?:no longer |then )?[a-z]+)?", re.IGNORECASE)
_FURTHER_VERB = re.compile(r"(?<= and )[a-z]+")


def in_third_person(text: str) -> str:
    """Return a sentence to the player of a solo game as others read it: "The player wins" for "You win"."""
    named = _SECOND_PERSON.sub(lambda found: _in_third_person(found[0]), text)
    return named if named == text else _FURTHER_VERB.sub(lambda found: _with_s(found[0]), named)


@cache
def _in_third_person(words: str) -> str:
    pronoun, *rest = words.split(" ")
    name = sentence(f"reports.public.{pronoun.lower()}")
    if rest and pronoun.lower() == "you":
        rest[-1] = _with_s(rest[-1])
    return " ".join([name[:1].upper() + name[1:] if pronoun[0] == "Y" else name, *rest])


@cache
def _with_s(verb: str) -> str:
    """Return the form of a verb after "the player", or the word itself if it isn't a verb."""
    return str(sentences("reports").get(f"reports.public_verbs.{verb}", verb))


def side_label(seat: Seat, viewer: Seat | None) -> str:
    """Return the name of a seat in a table or chart: "You", "The AI", "France"."""
    name = side_name(seat, viewer)
    return name[:1].upper() + name[1:]


def side_name(seat: Seat, viewer: Seat | None) -> str:
    """Return the name of a seat within a sentence: "you", "the AI", "France"."""
    name = sentence("reports.results.side", seat=seat)
    if not name:
        return str(seat)
    return sentence("reports.results.you") if seat == viewer else name


def _explain(game: Game, result: GameResult, counts: Counts) -> str:
    """Return what the code of a result means in this game, or "" for a reason that isn't a code."""
    return sentence(
        "reports.results.why",
        game=game.package.rpartition(".")[2],
        code=result.reason,
        most=format_halves(max(counts.values())) if counts else "",
        least=format_halves(min(counts.values())) if counts else "",
    )


# Headlines.


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
