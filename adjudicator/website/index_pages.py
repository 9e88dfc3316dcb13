"""The index pages of the archive: running, open and finished games, records, players, feed and site map."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby
from typing import Any

from markupsafe import Markup

from adjudicator.clock import Millis
from adjudicator.reports.results import side_label
from adjudicator.website import pages
from adjudicator.website.game_page import PageFrame, TurnPage, person_page, public_table, standing
from adjudicator.website.pages import PageCache, plain
from adjudicator.website.public_game import JoinableGame, PublicGame, PublicPress
from adjudicator.website.scoring import (
    MIN_SCORED_SEATS,
    SYSTEMS,
    GameEnding,
    at_end,
    format_points,
    last_times,
)
from adjudicator.website.timeline import SIDE_COLOURS, badges_of, chart_of, counts_of
from games.protocol import ReportTable, SeatColours
from games.record import Record, canonical

NEWEST = 40
"""The number of turns in the feed."""

MAX_NAMED_LEADERS = 3
"""The number of sides that a card names below its bar."""


class FeedEntry(Record, frozen=True, kw_only=True):
    """A turn in the feed."""

    anchor: str
    title: str
    text: str
    at: Millis


class LeaderCount(Record, frozen=True, kw_only=True):
    """The count of a side now, with the colour of its part of the bar."""

    name: str
    count: int
    colour: str


class GameCard(Record, frozen=True, kw_only=True):
    """A game on the index page.

    standing: its status in a sentence. deadline: of the due turn, None if it has none or is stopped. who: by
    seat, the names of players that agreed to be named. winners, survivors: of a finished game. scores: the
    final count of each seat. counts: the noun for these counts.
    leaders: the counts now, the largest first.
    lasted: by seat, the last time that its count was above zero. levels: the bot level by seat, "" for human
    players. news: the latest turns.
    """

    name: str
    kind: str
    title: str
    over: bool
    turns: int
    began: Millis
    changed: Millis
    standing: str
    deadline: Millis | None = None
    headline: str = ""
    who: dict[str, str] = {}
    winners: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    scores: dict[str, int] = {}
    counts: str = ""
    leaders: tuple[LeaderCount, ...] = ()
    lasted: dict[str, int] = {}
    levels: dict[str, str] = {}
    news: tuple[FeedEntry, ...] = ()


def card_of(
    public_game: PublicGame, pages: Sequence[TurnPage], lands: Mapping[str, SeatColours] | None = None
) -> GameCard:
    """Return the index page's entry for a game. lands: the colours on its map of sides without a badge."""
    about, result, score = public_game.game.about, public_game.result, chart_of(public_game)
    over = public_game.is_over
    return GameCard(
        name=public_game.name,
        kind=about.kind,
        title=about.title,
        over=over,
        turns=len(pages),
        began=public_game.began,
        changed=public_game.last_changed,
        standing=standing(public_game),
        deadline=None if public_game.stopped else public_game.deadline,
        headline=pages[-1].headline if pages else "",
        who={str(seat.seat): seat.name for seat in public_game.seats if seat.name},
        winners=tuple(result.winners) if result else (),
        survivors=tuple(public_game.survivors) if result and not result.winners else (),
        scores=at_end(public_game) if over else {},
        counts=score.thing if score else "",
        leaders=tuple(_leaders(public_game, lands or {})),
        lasted=last_times(public_game) if over else {},
        levels={seat.seat: seat.bot for seat in public_game.seats},
        news=tuple(
            FeedEntry(anchor=page.anchor, title=page.leaf.turn.name, text=page.headline, at=page.leaf.at)
            for page in pages[-NEWEST // 4 :]
        ),
    )


def _leaders(public_game: PublicGame, lands: Mapping[str, SeatColours]) -> Iterator[LeaderCount]:
    """Yield the sides that have something, the largest count first, in the colours of the map."""
    badges = {**lands, **badges_of(public_game)}
    counts = counts_of(public_game, public_game.latest)
    colours = {side: SIDE_COLOURS[place % len(SIDE_COLOURS)] for place, side in enumerate(sorted(counts))}
    for side, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if count > 0:
            colour = badges[side].land if side in badges else colours[side]
            yield LeaderCount(name=side_label(side, None), count=count, colour=colour)


def index(
    cards: Iterable[GameCard], rows: Mapping[str, str], wanted: Sequence[JoinableGame], frame: PageFrame
) -> bytes:
    """Return the index page. rows: the HTML of each game by name, from `row_of`."""
    known = sorted(cards, key=lambda card: (-card.changed, card.name))
    context = {
        "service": frame.service,
        "up": "",
        "running": [Markup(rows[card.name]) for card in known if not card.over],
        "finished": [Markup(rows[card.name]) for card in known if card.over],
        "wanted": wanted,
        "kinds": sorted({(card.kind, card.title) for card in known}),
        "people": sorted({name for card in known for name in card.who.values()}),
        "has_feed": bool(frame.url),
    }
    return pages.page("index.jinja", context, scripts=("index.js",), early="live.js")


def row_of(card: GameCard, picture: str) -> str:
    """Return the HTML of a game on the index page. It is stored, since a turn changes only one game's row.

    picture: the small map as SVG, "" if there is none.
    """
    ends = [*accumulate(leader.count for leader in card.leaders)]
    parts = [
        {"side": leader, "start": _percent(end - leader.count, ends), "width": _percent(leader.count, ends)}
        for leader, end in zip(card.leaders, ends, strict=True)
    ]
    context = {"one": card, "picture": Markup(picture), "parts": parts, "named": _name_leaders(card.leaders)}
    return pages.plain("card.jinja", context).decode()


def _name_leaders(leaders: Sequence[LeaderCount]) -> str:
    """Return the largest counts in words. Sides with the same count are all named, or else only counted."""
    parts: list[str] = []
    told = 0
    for count, tied in groupby(leaders, key=lambda leader: leader.count):
        names = [leader.name for leader in tied]
        if len(parts) + len(names) <= MAX_NAMED_LEADERS:
            parts += [f"{name} {count}" for name in names]
        elif len(parts) < MAX_NAMED_LEADERS:
            parts.append(f"{len(names)} {'others' if parts else 'sides'} {count} each")
        else:
            break
        told += len(names)
    return ", ".join([*parts, *(["…"] if told < len(leaders) else [])])


def _percent(count: int, ends: Sequence[int]) -> str:
    return f"{100 * count / ends[-1]:.4g}"


def feed(cards: Iterable[GameCard], frame: PageFrame) -> bytes:
    """Return the newest turns of all games as an Atom feed (RFC 4287)."""
    entries = sorted(
        ((news, card) for card in cards for news in card.news),
        key=lambda entry: (-entry[0].at, entry[1].name, entry[0].anchor),
    )[:NEWEST]
    context: dict[str, Any] = {
        "service": frame.service,
        "url": frame.url,
        "updated": max((news.at for news, _ in entries), default=0),
        "entries": entries,
    }
    return pages.plain("feed.jinja", context)


def site_map(places: Iterable[str], frame: PageFrame) -> bytes:
    """Return the site map: the addresses of all pages, for search engines."""
    return pages.plain("sitemap.jinja", {"url": frame.url, "places": sorted(places)})


# A page for each kind of game: results by scoring system, records, and averages of seats and bots.


MAX_RESULT_ROWS = 500
"""The table of results shows this many games, the latest first."""


def ending_of(card: GameCard) -> GameEnding | None:
    """Return how a multiplayer game ended, or None for other games and for running games."""
    if not card.over or len(card.scores) < MIN_SCORED_SEATS:
        return None
    return GameEnding(card.scores, card.winners, card.survivors, card.lasted)


def records_page(title: str, cards: Sequence[GameCard], frame: PageFrame) -> bytes:
    """Return the records page for one kind of game. cards: the games of this kind."""
    over = sorted((card for card in cards if card.over), key=lambda card: (-card.changed, card.name))
    context: dict[str, Any] = {
        "service": frame.service,
        "up": "../",
        "title": title,
        "running": sum(not card.over for card in cards),
        "over": over[:MAX_RESULT_ROWS],
        "records": [*_records(over)],
        "tables": [table for table in (_seats(over), _bots(over)) if table.rows],
    }
    return pages.page("records.jinja", context)


def _records(over: Sequence[GameCard]) -> Iterator[tuple[str, str, GameCard]]:
    """Yield the records: a label, the value in words, and the game (the earliest one if several tie)."""
    if not over:
        return
    oldest = sorted(over, key=lambda card: (card.changed, card.name))
    yield "longest game", f"{(record_game := max(oldest, key=_turns)).turns} turns", record_game
    yield "shortest game", f"{(record_game := min(oldest, key=_turns)).turns} turns", record_game
    won = [card for card in oldest if len(card.winners) == 1]
    if won:
        yield "fastest win", f"{(record_game := min(won, key=_turns)).turns} turns", record_game
    counted = [card for card in oldest if card.scores]
    if counted:
        record_game = max(counted, key=lambda card: max(card.scores.values()))
        seat, most = max(record_game.scores.items(), key=lambda had: had[1])
        yield "highest final count", f"{seat}, {most} {record_game.counts}", record_game
    drawn = [card for card in oldest if card.survivors]
    if drawn:
        record_game = max(drawn, key=lambda card: len(card.survivors))
        yield "largest draw", f"{len(record_game.survivors)} players", record_game


def _turns(card: GameCard) -> int:
    return card.turns


def _seats(over: Sequence[GameCard]) -> ReportTable:
    return _averages("Average results by seat", "Seat", over, lambda _card, seat: seat)


def _bots(over: Sequence[GameCard]) -> ReportTable:
    """Return the table of average results by bot level, with all human players in one row."""
    return _averages("Average results of human players and bots", "Player", over, _player)


def _player(card: GameCard, seat: str) -> str:
    level = card.levels.get(seat, "")
    return f"bot ({level})" if level else "human players"


def _averages(
    title: str, first: str, over: Sequence[GameCard], key: Callable[[GameCard, str], str]
) -> ReportTable:
    """Return a table with the games, the wins and the average points of each seat or player type."""
    played: dict[str, int] = {}
    won: dict[str, float] = {}
    points: dict[str, dict[str, float]] = {}
    for card in over:
        ending = ending_of(card)
        results = {name: system(ending) for name, system in SYSTEMS.items()} if ending else {}
        for seat in card.levels:
            player = key(card, seat)
            played[player] = played.get(player, 0) + 1
            won[player] = won.get(player, 0) + (1 / len(card.winners) if seat in card.winners else 0)
            mine = points.setdefault(player, {})
            for name, shares in results.items():
                mine[name] = mine.get(name, 0.0) + shares.get(seat, 0.0)
    systems = [name for name in SYSTEMS if any(name in mine for mine in points.values())]
    rows = [
        (
            player,
            str(count),
            format_points(won[player]),
            *(format_points(points[player].get(name, 0) / count) for name in systems),
        )
        for player, count in sorted(played.items(), key=lambda pair: (-won[pair[0]] / pair[1], pair[0]))
    ]
    return ReportTable(title=title, columns=(first, "Games", "Won", *systems), rows=tuple(rows))


def by_kind(cards: Sequence[GameCard]) -> Mapping[tuple[str, str], list[GameCard]]:
    """Return the games grouped by kind and title."""
    cards_by_kind: dict[tuple[str, str], list[GameCard]] = {}
    for card in cards:
        cards_by_kind.setdefault((card.kind, card.title), []).append(card)
    return dict(sorted(cards_by_kind.items()))


# A page for each player that agreed to be named: their games and results.


Played = Sequence[tuple[GameCard, str]]
"""The games that a player plays or played, each with their seat."""


def people_of(cards: Sequence[GameCard]) -> dict[str, Played]:
    """Return the games of each named player, the latest first."""
    played_by_person: dict[str, list[tuple[GameCard, str]]] = {}
    for card in sorted(cards, key=lambda card: (-card.changed, card.name)):
        for seat, who in sorted(card.who.items()):
            played_by_person.setdefault(who, []).append((card, seat))
    return {name: played_by_person[name] for name in sorted(played_by_person)}


def player_page(name: str, played: Played, frame: PageFrame) -> bytes:
    """Return the page of a player."""
    context: dict[str, Any] = {
        "service": frame.service,
        "up": "../",
        "name": name,
        "played": played,
        "results": _results(played),
    }
    return pages.page("person.jinja", context)


def _results(played: Played) -> ReportTable:
    """Return the points that a player scored in multiplayer games."""
    rows = []
    for card, seat in played:
        ending = ending_of(card)
        if ending:
            points = [format_points(system(ending).get(seat, 0.0)) for system in SYSTEMS.values()]
            rows.append((card.name, seat, *points))
    return ReportTable(title="Results", columns=("Game", "Seat", *SYSTEMS), rows=tuple(rows))


# A game as text for a forum, in BBCode: one post per turn, ready to copy.


FORUM_PAGE_FILE = "bbcode.txt"
_HORIZONTAL_RULE = "-" * 40


def forum_page(
    public_game: PublicGame, pages: Sequence[TurnPage], galleys: PageCache, frame: PageFrame
) -> bytes:
    """Return every turn with headline, orders, press and a link to its map, then the current standings."""
    tables = public_game.game.telling.tables(public_game.latest)
    place = f"{frame.url}/games/{public_game.name}/index.html" if frame.url else ""
    context = {
        "game": public_game,
        "about": public_game.game.about,
        "standing": standing(public_game),
        "place": place,
        "posts": [_post(page, public_game.press, place, galleys) for page in pages],
        "tables": [public_table(table) for table in tables if table.about == "game"],
        "rule": _HORIZONTAL_RULE,
    }
    return plain("turns.jinja", context)


def _post(page: TurnPage, written: Sequence[PublicPress], place: str, galleys: PageCache) -> str:
    """Return the post for one turn."""
    leaf = page.leaf
    press = [dispatch for dispatch in written if dispatch.turn == leaf.turn.short]
    context = {"page": page, "press": press, "place": place, "rule": _HORIZONTAL_RULE}
    key = (page.anchor, leaf.sign, leaf.by_hand, leaf.silent, press)
    return galleys.text(FORUM_PAGE_FILE, key, lambda: plain("turn.jinja", context).decode())


# The data about a game that the index pages need.


class ArchiveEntry(Record, frozen=True, kw_only=True):
    """A game in the archive. mark: changes whenever the game does.

    seal: changes whenever the card does. row: the card as the index page shows it.
    """

    mark: str
    card: GameCard
    seal: str
    row: str
    files: tuple[str, ...]


def make_entry(mark: str, card: GameCard, picture: str, files: Sequence[str]) -> ArchiveEntry:
    """Return the archive entry of a game after its files were written. picture: its small map, or ""."""
    row = row_of(card, picture)
    seal = content_mark(canonical(card), row)
    return ArchiveEntry(mark=mark, card=card, seal=seal, row=row, files=tuple(files))


def content_mark(*parts: str | bytes) -> str:
    """Return a hash of some texts that changes whenever one of them does."""
    whole = b"\0".join(part if isinstance(part, bytes) else part.encode() for part in parts)
    return hashlib.sha256(whole).hexdigest()[:24]


# The index pages: front page, records, players, feed and site map.
#
# Each page records its inputs, so that a turn of one game rebuilds only the pages that mention the game.


@dataclass(frozen=True)
class ArchivePage:
    """A page that can be built. mark: changes whenever the page would."""

    mark: str
    make: Callable[[], bytes]


def front(
    there: Mapping[str, ArchiveEntry], wanted: Sequence[JoinableGame], frame: PageFrame
) -> dict[str, ArchivePage]:
    """Return all index pages by their paths in the archive. there: the archived games by name."""
    every = [entry.card for entry in there.values()]
    rows = {name: entry.row for name, entry in there.items()}
    whole = content_mark(*(entry.seal for entry in there.values()), repr(wanted))
    pages_by_place = {"index.html": ArchivePage(whole, partial(index, every, rows, wanted, frame))}
    for (kind, title), games in by_kind(every).items():
        over = [there[card.name].seal for card in games if card.over]
        make = partial(records_page, title, games, frame)
        pages_by_place[f"records/{kind}.html"] = ArchivePage(content_mark(str(len(games)), *over), make)
    for name, played in people_of(every).items():
        mark = content_mark(*(f"{there[card.name].seal} {seat}" for card, seat in played))
        pages_by_place[person_page(name)] = ArchivePage(mark, partial(player_page, name, played, frame))
    if frame.url:
        pages = sorted([*pages_by_place, *_pages(there)])
        pages_by_place["atom.xml"] = ArchivePage(whole, partial(feed, every, frame))
        pages_by_place["sitemap.xml"] = ArchivePage(content_mark(*pages), partial(site_map, pages, frame))
    return pages_by_place


def _pages(there: Mapping[str, ArchiveEntry]) -> Iterable[str]:
    # Search engines shouldn't find order pages.
    return (
        f"games/{name}/{file}"
        for name, entry in there.items()
        for file in entry.files
        if file.endswith(".html") and not file.startswith("orders-")
    )
