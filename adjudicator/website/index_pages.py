"""The first page of the archive: games that run, wait for players, are over; feed and site map."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from adjudicator.clock import Millis
from adjudicator.website import pages
from adjudicator.website.endings import at_end, last_times
from adjudicator.website.game_page import PageFrame, standing
from adjudicator.website.public_game import JoinableGame, PublicGame
from adjudicator.website.tellings import TurnPage
from games.record import Record

NEWEST = 40
"""So many turns stand in the feed."""


class FeedEntry(Record, frozen=True, kw_only=True):
    """A turn, as the feed tells it."""

    anchor: str
    title: str
    text: str
    at: Millis


class GameCard(Record, frozen=True, kw_only=True):
    """A game as the first page shows it.

    standing: where it is, in a sentence; who: people who agreed to be named, by seat; winners,
    survivors: of one that is over; scores: what each seat had at its end, counts: of what, lasted: when it
    last had something; levels: of the bots, by seat, "" for people; news: its latest turns.
    """

    name: str
    kind: str
    title: str
    over: bool
    turns: int
    began: Millis
    changed: Millis
    standing: str
    headline: str = ""
    who: dict[str, str] = {}
    winners: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    scores: dict[str, int] = {}
    counts: str = ""
    lasted: dict[str, int] = {}
    levels: dict[str, str] = {}
    news: tuple[FeedEntry, ...] = ()


def card_of(exhibit: PublicGame, pages: Sequence[TurnPage]) -> GameCard:
    """Return what the first page shows of a game."""
    about, result, score = exhibit.game.about, exhibit.result, exhibit.game.score
    over = exhibit.is_over
    return GameCard(
        name=exhibit.name,
        kind=about.kind,
        title=about.title,
        over=over,
        turns=len(pages),
        began=exhibit.began,
        changed=exhibit.last_changed,
        standing=standing(exhibit),
        headline=pages[-1].headline if pages else "",
        who={str(seat.seat): seat.name for seat in exhibit.seats if seat.name},
        winners=tuple(result.winners) if result else (),
        survivors=tuple(exhibit.survivors) if result and not result.winners else (),
        scores=at_end(exhibit) if over else {},
        counts=score.thing if score else "",
        lasted=last_times(exhibit) if over else {},
        levels={seat.seat: seat.bot for seat in exhibit.seats},
        news=tuple(
            FeedEntry(anchor=page.anchor, title=page.leaf.turn.name, text=page.headline, at=page.leaf.at)
            for page in pages[-NEWEST // 4 :]
        ),
    )


def index(
    cards: Iterable[GameCard], rows: Mapping[str, str], wanted: Sequence[JoinableGame], frame: PageFrame
) -> bytes:
    """The first page. rows: of the games by name, as `row_of` gives them."""
    known = sorted(cards, key=lambda card: (-card.changed, card.name))
    context = {
        "house": frame.house,
        "up": "",
        "running": [Markup(rows[card.name]) for card in known if not card.over],
        "finished": [Markup(rows[card.name]) for card in known if card.over],
        "wanted": wanted,
        "kinds": sorted({(card.kind, card.title) for card in known}),
        "people": sorted({name for card in known for name in card.who.values()}),
        "has_feed": bool(frame.url),
    }
    return pages.page("index.jinja", context, script="index.js")


def row_of(card: GameCard) -> str:
    """A game on the first page, as HTML: after a turn all others look as they did."""
    return pages.plain("card.jinja", {"one": card}).decode()


def feed(cards: Iterable[GameCard], frame: PageFrame) -> bytes:
    """The newest turns of all games as an Atom feed (RFC 4287)."""
    entries = sorted(
        ((news, card) for card in cards for news in card.news),
        key=lambda entry: (-entry[0].at, entry[1].name, entry[0].anchor),
    )[:NEWEST]
    context: dict[str, Any] = {
        "house": frame.house,
        "url": frame.url,
        "updated": max((news.at for news, _ in entries), default=0),
        "entries": entries,
    }
    return pages.plain("feed.jinja", context)


def site_map(places: Iterable[str], frame: PageFrame) -> bytes:
    """The addresses of all pages, for those who look for them."""
    return pages.plain("sitemap.jinja", {"url": frame.url, "places": sorted(places)})
