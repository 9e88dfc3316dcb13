"""The first page of the archive: games that run, wait for players, are over; feed and site map."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from adjudicator.clock import Millis
from adjudicator.site import typesetting
from adjudicator.site.endings import at_end, lasted
from adjudicator.site.exhibits import Exhibit, Wanted
from adjudicator.site.game_page import Frame, standing
from adjudicator.site.tellings import Page
from games.record import Record

NEWEST = 40
"""So many turns stand in the feed."""


class News(Record, frozen=True, kw_only=True):
    """A turn, as the feed tells it."""

    anchor: str
    title: str
    text: str
    at: Millis


class Card(Record, frozen=True, kw_only=True):
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
    news: tuple[News, ...] = ()


def card_of(exhibit: Exhibit, pages: Sequence[Page]) -> Card:
    """What the first page shows of a game."""
    about, result, score = exhibit.game.about, exhibit.result, exhibit.game.score
    over = exhibit.is_over
    return Card(
        name=exhibit.name,
        kind=about.kind,
        title=about.title,
        over=over,
        turns=len(pages),
        began=exhibit.began,
        changed=exhibit.changed,
        standing=standing(exhibit),
        headline=pages[-1].headline if pages else "",
        who={str(one.seat): one.name for one in exhibit.seats if one.name},
        winners=tuple(result.winners) if result else (),
        survivors=tuple(exhibit.survivors) if result and not result.winners else (),
        scores=at_end(exhibit) if over else {},
        counts=score.thing if score else "",
        lasted=lasted(exhibit) if over else {},
        levels={one.seat: one.bot for one in exhibit.seats},
        news=tuple(
            News(anchor=one.anchor, title=one.leaf.turn.name, text=one.headline, at=one.leaf.at)
            for one in pages[-NEWEST // 4 :]
        ),
    )


def index(cards: Iterable[Card], rows: Mapping[str, str], wanted: Sequence[Wanted], frame: Frame) -> bytes:
    """The first page. rows: of the games by name, as `row_of` gives them."""
    known = sorted(cards, key=lambda one: (-one.changed, one.name))
    context = {
        "house": frame.house,
        "up": "",
        "running": [Markup(rows[one.name]) for one in known if not one.over],
        "finished": [Markup(rows[one.name]) for one in known if one.over],
        "wanted": wanted,
        "kinds": sorted({(one.kind, one.title) for one in known}),
        "people": sorted({name for one in known for name in one.who.values()}),
        "has_feed": bool(frame.url),
    }
    return typesetting.page("index.jinja", context, script="index.js")


def row_of(card: Card) -> str:
    """A game on the first page, as HTML: after a turn all others look as they did."""
    return typesetting.plain("card.jinja", {"one": card}).decode()


def feed(cards: Iterable[Card], frame: Frame) -> bytes:
    """The newest turns of all games as an Atom feed (RFC 4287)."""
    told = sorted(
        ((news, card) for card in cards for news in card.news),
        key=lambda one: (-one[0].at, one[1].name, one[0].anchor),
    )[:NEWEST]
    context: dict[str, Any] = {
        "house": frame.house,
        "url": frame.url,
        "updated": max((news.at for news, _ in told), default=0),
        "entries": told,
    }
    return typesetting.plain("feed.jinja", context)


def site_map(places: Iterable[str], frame: Frame) -> bytes:
    """The addresses of all pages, for those who look for them."""
    return typesetting.plain("sitemap.jinja", {"url": frame.url, "places": sorted(places)})
