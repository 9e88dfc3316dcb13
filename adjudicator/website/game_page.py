"""The page of a game: its maps, its turns, the chart with the slider, and the downloads."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from markupsafe import Markup

from adjudicator.reports.render import name_sides
from adjudicator.reports.results import choose_headline, in_third_person, side_name
from adjudicator.website import pages, timeline
from adjudicator.website.maps import GameMaps, MapLayerCache, combine_maps, shown_view
from adjudicator.website.pages import PageCache, TurnSummary, data, page, plain
from adjudicator.website.public_game import (
    Download,
    PiecewiseDownload,
    PublicGame,
    PublicPress,
    PublicSeal,
    PublicTurn,
)
from adjudicator.website.scoring import ending_of, results_of
from adjudicator.website.small_maps import land_colours
from games.protocol import (
    Event,
    EventPlaces,
    Game,
    MapRegion,
    OrderNote,
    ReportLine,
    ReportTable,
    Seat,
    SeatColours,
    View,
)
from games.record import replace_fields

# The text of a turn: sentences under headings. A sentence about an order also has its place on the map.


@dataclass(frozen=True)
class TurnSentence:
    """One sentence of a turn.

    order: the part that is the order, if it describes one. note: this order on the map. mention: the places
    that the sentence is about. because: a bot's reason for the order.
    """

    order: str
    rest: str
    failed: bool
    why: bool = False
    note: OrderNote | None = None
    mention: EventPlaces | None = None
    because: str = ""


@dataclass(frozen=True)
class PagePassage:
    """Sentences under one heading. seat: the seat that gave these orders, if any."""

    heading: str
    lines: tuple[TurnSentence, ...]
    seat: Seat | None = None


@dataclass(frozen=True)
class MapStanding:
    """The places of a position, with the owner and the pieces of each place by its id."""

    spots: tuple[MapRegion, ...]
    owners: Mapping[str, str]
    pieces: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class TurnPage:
    """A turn as a page shows it. anchor: its address. opening: the places of the opening position.
    earlier: the turns before it, whose headlines its own doesn't repeat.

    The sentences are composed on demand, because most turns can be read from the stored pages.
    """

    game: Game
    leaf: PublicTurn
    anchor: str
    opening: MapStanding
    galleys: PageCache
    earlier: Sequence[PublicTurn] = ()

    @cached_property
    def gist(self) -> TurnSummary:
        """Return the part of the turn that the game's pages always need."""
        return self.galleys.gist((self.leaf.sign, self.game.about.kind), partial(_gist, self))

    @property
    def headline(self) -> str:
        """Return the turn's story in one sentence."""
        return self.gist.headline

    @cached_property
    def passages(self) -> tuple[PagePassage, ...]:
        """Return the events of the turn in sentences, under their headings."""
        return _passages(self.game, self.leaf)

    @cached_property
    def stands(self) -> MapStanding:
        """Return the places and pieces on its map that a reader can point at."""
        return standing_of(self.game, shown_view(self.game, self.leaf))

    @property
    def notes(self) -> tuple[OrderNote, ...]:
        """Return the orders that a reader can point at."""
        return tuple(line.note for passage in self.passages for line in passage.lines if line.note)

    @property
    def mentions(self) -> tuple[EventPlaces, ...]:
        """Return the places that the sentences mention."""
        return tuple(line.mention for passage in self.passages for line in passage.lines if line.mention)


def pages_of(public_game: PublicGame, galleys: PageCache) -> tuple[TurnPage, ...]:
    """Return the turns of a game as pages with unique addresses. galleys: pieces from earlier builds."""
    anchors = _anchors([leaf.turn.short for leaf in public_game.leaves])
    opening = standing_of(public_game.game, public_game.opening)
    return tuple(
        TurnPage(public_game.game, leaf, anchor, opening, galleys, public_game.leaves[:place])
        for place, (leaf, anchor) in enumerate(zip(public_game.leaves, anchors, strict=True))
    )


def _anchors(turns: Sequence[str]) -> Iterator[str]:
    """Yield the short names of turns, with a number added when a name is repeated."""
    seen: dict[str, int] = {}
    for short in turns:
        seen[short] = seen.get(short, 0) + 1
        yield short if seen[short] == 1 else f"{short}-{seen[short]}"


def _earlier_events(page: TurnPage) -> Iterator[tuple[Event, ...]]:
    """Yield the public events of each earlier turn, the latest first."""
    for leaf in reversed(page.earlier):
        yield leaf.open_events


def _gist(page: TurnPage) -> TurnSummary:
    named = {spot.at: spot.name for spot in page.stands.spots}
    return TurnSummary(
        headline=in_third_person(
            choose_headline(page.game, page.leaf.view, page.leaf.open_events, _earlier_events(page))
        ),
        drawn=tuple(sorted({mention.of for mention in page.mentions if mention.title})),
        points=bool(page.stands.spots),
        places=None if named == {spot.at: spot.name for spot in page.opening.spots} else named,
    )


def _passages(game: Game, leaf: PublicTurn) -> tuple[PagePassage, ...]:
    events = leaf.past.events
    lines_by_heading: dict[str, list[TurnSentence]] = {}
    telling = game.telling
    for event in events:
        line = telling.tell(event, min(event.seen_by) if event.seen_by else None)
        if line is None:
            continue
        note = telling.note(event)
        mention = (
            EventPlaces(of=note.of, at=(note.at,), title=note.title)
            if note
            else _reword_in_public(telling.mention(event))
        )
        lines_by_heading.setdefault(line.heading, []).append(
            _turn_sentence(line, note, mention, leaf.reasons)
        )
    seats = {note.of for lines in lines_by_heading.values() for line in lines if (note := line.note)}
    return tuple(
        PagePassage(heading, tuple(lines), Seat(heading) if heading in seats else None)
        for heading, lines in lines_by_heading.items()
    )


def _reword_in_public(mention: EventPlaces | None) -> EventPlaces | None:
    """Return the places of an event with its side and its title as the drawing for everybody has them."""
    if mention is None:
        return None
    return replace_fields(mention, of=in_third_person(mention.of), title=in_third_person(mention.title or ""))


def standing_of(game: Game, view: View) -> MapStanding:
    """Return the places and pieces that a reader can point at, or none if the game doesn't support this."""
    spots = [
        replace_fields(spot, name=in_third_person(spot.name), pieces=tuple(map(in_third_person, spot.pieces)))
        for spot in game.telling.spots(view)
    ]
    owners = {spot.at: in_third_person(str(spot.owner)) for spot in spots if spot.owner}
    return MapStanding(tuple(spots), owners, {spot.at: spot.pieces for spot in spots if spot.pieces})


def _turn_sentence(
    line: ReportLine,
    note: OrderNote | None,
    mention: EventPlaces | None,
    reasons: Mapping[Seat, Mapping[str, str]],
) -> TurnSentence:
    order = note.order if note and line.text.startswith(note.order) else ""
    because = reasons.get(note.of, {}).get(note.order, "") if note else ""
    return TurnSentence(
        order, in_third_person(line.text[len(order) :]), line.failed, line.why, note, mention, because
    )


GAME_PAGE_FILE = "index.html"
OPENING_ANCHOR = "opening"
_SCRIPTS = ("map.js", "game.js")
"""The address of the opening position."""


_MAX_NAMED_SHARERS = 8
"""Up to this many survivors of a draw are named in the sentence. For more, only their number is given."""


@dataclass(frozen=True)
class PageFrame:
    """The text around every page. service: the name of the archive. url: its address, "" if it has none."""

    service: str
    url: str = ""


def maps_of(public_game: PublicGame, plates: MapLayerCache) -> GameMaps | None:
    """Return the maps of a game, starting with the opening, or None if the game has no maps."""
    game = public_game.game
    layers = [plates.opening(game, public_game.opening)]
    layers += [plates.of(game, leaf) for leaf in public_game.leaves]
    maps = [layer for layer in layers if layer is not None]
    return combine_maps(maps) if maps else None


def game_page(
    public_game: PublicGame,
    pages: Sequence[TurnPage],
    drawn: GameMaps | None,
    galleys: PageCache,
    frame: PageFrame,
) -> bytes:
    """Return the page of a game."""
    telling = public_game.game.telling
    maps = [*zip(drawn.views, drawn.bares, map(Markup, drawn.maps), strict=True)] if drawn else []
    maps = maps or [("", "", Markup())] * (len(pages) + 1)
    opening = standing_of(public_game.game, public_game.opening)
    ground = _spots(opening)
    pointing = bool(opening.spots or any(page.gist.points for page in pages))
    press = _by_turn(public_game.press)
    files: tuple[Download | PiecewiseDownload, ...] = (*public_game.downloads, *public_game.volumes)
    turns = [
        {
            **_turn_context(page),
            "view": view,
            "bare": bare,
            "map": inside,
            "tale": Markup(_tale(public_game, page, press.get(page.leaf.turn.short, []), pointing, galleys)),
            "standing": Markup(_standing(page, ground, galleys)) if pointing else None,
        }
        for page, (view, bare, inside) in zip(pages, maps[1:], strict=True)
    ]
    introduction = [*map(in_third_person, telling.introduction(public_game.opening, None))]
    lands = land_colours(drawn.maps[0] + drawn.stock, opening.spots) if drawn else {}
    over_time, ending = timeline.course_of(public_game, lands), ending_of(public_game)
    context = {
        "service": frame.service,
        "up": "../../",
        "game": public_game,
        "about": public_game.game.about,
        "is_over": public_game.is_over,
        "due": public_game.due,
        "stopped": STOP_REASONS.get(public_game.stopped, "").strip(),
        "standing": standing(public_game),
        "drawn": {"stock": Markup(drawn.stock)} if drawn else None,
        "course": over_time,
        "size": {"wide": timeline.WIDTH, "high": timeline.HEIGHT},
        "powers": _powers(public_game, pages, over_time, lands),
        "first": _opening_context(public_game.name, maps[0], data(_stands(opening, ground))),
        "introduction": introduction,
        "pages": turns,
        "spots": ground,
        "pointing": pointing,
        "results": results_of(ending) if ending else None,
        "tables": [
            public_table(table) for table in telling.tables(public_game.latest) if table.about == "game"
        ],
        "seats": _seats(public_game),
        "kept": sum(not page.leaf.silent for page in pages),
        "late": [turn for turn in turns if turn["silent"]],
        "sheets": [(sheet.name, sheet.words) for sheet in public_game.sheets],
        "files": [(file.name, file.words) for file in files],
    }
    return page("game.jinja", context, scripts=_SCRIPTS, early="live.js", style=drawn.style if drawn else "")


def _opening_context(name: str, drawn: tuple[str, str, Markup], standing: Markup) -> dict[str, object]:
    """Return the opening position for the template. drawn: its map."""
    return {
        "anchor": OPENING_ANCHOR,
        "name": "Opening",
        "view": drawn[0],
        "bare": drawn[1],
        "map": drawn[2],
        "words": f"Map of {name}: opening position",
        "standing": standing,
    }


STOP_REASONS = {
    "pause": "The game is paused. ",
    "hold": "The turn is suspended. ",
    "nmr": "Orders are missing and the GM will decide what to do. ",
}
"""The sentence that comes first for a game that doesn't run, by the kind of its stop."""


def standing(public_game: PublicGame) -> str:
    """Return the status of a game, in a sentence or two."""
    if not public_game.is_over:
        assert public_game.due is not None
        return f"{STOP_REASONS.get(public_game.stopped, '')}Due: {public_game.due.name}."
    result = public_game.result
    if result is None:
        return "Finished."
    if result.winners:
        return f"Won by {', '.join(side_name(seat, None) for seat in result.winners)}."
    among = public_game.survivors
    named = f"{len(among)} sides" if len(among) > _MAX_NAMED_SHARERS else ", ".join(among)
    return f"A draw between {named}." if among else "A draw."


def _turn_context(page: TurnPage) -> dict[str, Any]:
    leaf = page.leaf
    return {
        "anchor": page.anchor,
        "turn": leaf.turn.short,
        "name": leaf.turn.name,
        "at": leaf.at,
        "headline": page.headline,
        "silent": leaf.silent,
        "words": f"Map after {leaf.turn.name}",
    }


def _tale(
    public_game: PublicGame, page: TurnPage, press: Sequence[PublicPress], pointing: bool, galleys: PageCache
) -> str:
    """Return the text of a turn as HTML."""
    leaf = page.leaf
    key = ("tale", leaf.sign, leaf.by_hand, leaf.silent, press, pointing)
    return galleys.text(GAME_PAGE_FILE, key, lambda: _set(public_game, page, press, pointing))


def _set(public_game: PublicGame, page: TurnPage, press: Sequence[PublicPress], pointing: bool) -> str:
    leaf = page.leaf
    context = {
        "name": leaf.turn.name,
        "passages": page.passages,
        "by_hand": leaf.by_hand,
        "reasons": () if page.notes else [(seat, why) for seat, why in leaf.reasons.items() if why],
        "hands": [(seat, tables) for seat, view in leaf.hands.items() if (tables := _own(public_game, view))],
        "throws": leaf.throws,
        "silent": leaf.silent,
        "press": press,
        "pointing": pointing,
    }
    return plain("tale.jinja", context).decode()


def _standing(page: TurnPage, ground: Sequence[Mapping[str, str]], galleys: PageCache) -> str:
    """Return the places and pieces of a turn as JSON. ground: the places of the opening."""
    key = ("standing", page.leaf.sign)
    return galleys.text(GAME_PAGE_FILE, key, lambda: str(data(_stands(page.stands, ground))))


def _by_turn(press: Sequence[PublicPress]) -> Mapping[str, list[PublicPress]]:
    press_by_turn: dict[str, list[PublicPress]] = {}
    for dispatch in press:
        press_by_turn.setdefault(dispatch.turn, []).append(dispatch)
    return press_by_turn


def _own(public_game: PublicGame, view: View) -> tuple[ReportTable, ...]:
    tables = public_game.game.telling.tables(view)
    return tuple(public_table(table) for table in tables if table.about == "own")


def public_table(table: ReportTable) -> ReportTable:
    """Return a table as others than the player of a solo game read it."""
    (named,) = name_sides([table], None)
    rows = tuple(tuple(map(in_third_person, row)) for row in named.rows)
    return replace_fields(
        named,
        title=in_third_person(named.title),
        columns=tuple(map(in_third_person, named.columns)),
        rows=rows,
    )


def _spots(stands: MapStanding) -> list[dict[str, str]]:
    rows = (
        {"at": spot.at, "shape": spot.shape, "path": spot.path, "name": spot.name} for spot in stands.spots
    )
    return [{key: value for key, value in row.items() if value} for row in rows]


def _stands(standing_shown: MapStanding, ground: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """Return owners and pieces; also the places, if they differ from those of the opening."""
    spots = _spots(standing_shown)
    return {
        "own": standing_shown.owners,
        "there": standing_shown.pieces,
        **({} if spots == ground else {"spots": spots}),
    }


def _powers(
    public_game: PublicGame,
    pages: Sequence[TurnPage],
    over_time: timeline.Course | None,
    lands: Mapping[str, SeatColours],
) -> list[dict[str, Any]]:
    """Return the seats or sides that gave the orders on the maps, each with its badge and its scores over
    time. lands: the colours on the map of seats without a badge."""
    lines = over_time.lines if over_time else ()
    counts = {name: line.counts for line in lines for name in (line.seat, line.name)}
    drawn = {of for page in pages for of in page.gist.drawn}
    named = {line.name: SeatColours(ink=line.colour, land=line.colour) for line in lines}
    badges = {**named, **lands, **timeline.badges_of(public_game)}
    seats = [str(public_seat.seat) for public_seat in public_game.seats if public_seat.seat in drawn]
    return [
        {"seat": seat, "badge": badges.get(seat), "counts": counts.get(seat, ())}
        for seat in seats or sorted(drawn)
    ]


def person_page(name: str) -> str:
    """Return the address of a player's page. It is derived from the name and is safe on every file system."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    sign = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"people/{re.sub('[^a-z0-9]+', '-', plain).strip('-')[:40] or 'player'}-{sign}.html"


def _seats(public_game: PublicGame) -> Iterator[dict[str, Any]]:
    for seat in public_game.seats:
        yield {
            "seat": seat.seat,
            "bot": seat.bot,
            "name": seat.name,
            "missed": seat.missed,
            "page": f"../../{person_page(seat.name)}" if seat.name else None,
        }


# The story of a finished game on one page for reading or printing: its end, turning points, maps.


MAX_STORY_MAPS = 6
"""The number of maps in a story: the opening, the end, and moments between them."""


def story_page(
    public_game: PublicGame, pages: Sequence[TurnPage], plates: MapLayerCache, frame: PageFrame
) -> bytes:
    """Return the page with the story of a game."""
    course_story = timeline.story_of(public_game)
    plate = plates.opening(public_game.game, public_game.opening)
    spots = public_game.game.telling.spots(public_game.opening)
    lands = land_colours("".join(plate.elements), spots) if plate else {}
    pictures, stock, style = _pictures(public_game, pages, plates)
    context = {
        "service": frame.service,
        "up": "../../",
        "game": public_game,
        "about": public_game.game.about,
        "standing": standing(public_game),
        "sections": course_story.story if course_story else (),
        "table": course_story.table if course_story else None,
        "course": timeline.course_of(public_game, lands),
        "size": {
            "wide": timeline.WIDTH,
            "high": timeline.HEIGHT,
            "whole": timeline.WIDTH + timeline.NAME_WIDTH_PX,
        },
        "pictures": pictures,
        "stock": Markup(stock),
        "headlines": [page for page in pages if page.headline],
        "first": pages[0].leaf.at,
        "last": pages[-1].leaf.at,
    }
    return page("story.jinja", context, style=style)


def _pictures(
    public_game: PublicGame, pages: Sequence[TurnPage], plates: MapLayerCache
) -> tuple[list[dict[str, Any]], str, str]:
    """Return the maps of the story, the shapes they share, and their style."""
    chosen = _moments(len(pages))
    game = public_game.game
    drawn = []
    for place in chosen:
        if place < 0:
            name, anchor = "Opening", OPENING_ANCHOR
            plate = plates.opening(game, public_game.opening)
        else:
            leaf = pages[place].leaf
            name, anchor = leaf.turn.name, pages[place].anchor
            plate = plates.of(game, leaf)
        if plate is not None:
            drawn.append((name, anchor, plate))
    if not drawn:
        return [], "", ""
    joined = combine_maps([plate for _, _, plate in drawn])
    pictures = [
        {"name": name, "anchor": anchor, "view": plate.bare or plate.view, "map": Markup(inside)}
        for (name, anchor, plate), inside in zip(drawn, joined.maps, strict=True)
    ]
    return pictures, joined.stock, joined.style


def _moments(turns: int) -> list[int]:
    """Return the turns to show: the opening (-1), the last turn, and others evenly spaced between them."""
    between = MAX_STORY_MAPS - 1
    return sorted({-1, *(round((turns - 1) * step / between) for step in range(1, between + 1))})


# The page that verifies a game: it computes every hash and every roll again in the browser.


def proof_page(public_game: PublicGame, seal: PublicSeal, frame: PageFrame) -> bytes:
    """Return the page that verifies a game, with its script."""
    chain = [
        {"turn": link.turn, "sha": link.sha, "text": link.text, "cast": link.cast, "parts": link.parts}
        for link in seal.chain
    ]
    proof = {
        "game": public_game.name,
        "commitment": seal.commitment,
        "secret": seal.secret,
        "chain": chain,
    }
    context = {
        "service": frame.service,
        "up": "../../",
        "game": public_game,
        "seal": seal,
        "told": proof,
        "has_log": any(download.name == "log.json" for download in public_game.downloads),
    }
    return pages.page("proof.jinja", context, scripts=("proof.js",))
