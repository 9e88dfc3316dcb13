"""A turn in words: sentences under headings, those of an order with what it is on the map."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from adjudicator.website.galleys import PageCache, TurnSummary
from adjudicator.website.public_game import PublicGame, PublicTurn
from games.protocol import Game, ReportLine, Seat, View
from games.protocol.optional import (
    EventPlaces,
    MapRegion,
    OrderNote,
    SupportsEventPlaces,
    SupportsMapRegions,
    SupportsOrderNotes,
)


@dataclass(frozen=True)
class TurnSentence:
    """One sentence. order: what of it is the order, if it tells of one; note: that on the map; mention: the
    places it is about; because: why a bot gave it."""

    order: str
    rest: str
    failed: bool
    why: bool = False
    note: OrderNote | None = None
    mention: EventPlaces | None = None
    because: str = ""


@dataclass(frozen=True)
class PagePassage:
    """Sentences under one heading. seat: whose orders they are, where the heading is a seat."""

    heading: str
    lines: tuple[TurnSentence, ...]
    seat: Seat | None = None


@dataclass(frozen=True)
class MapStanding:
    """The places of a position; by their ids whose each is, and what stands there."""

    spots: tuple[MapRegion, ...]
    owners: Mapping[str, str]
    pieces: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class TurnPage:
    """A leaf as it is read. anchor: its address; opening: what can be pointed at before the first.

    Its sentences are put together when somebody asks for them: most turns stand in their files already.
    """

    game: Game
    leaf: PublicTurn
    anchor: str
    opening: MapStanding
    galleys: PageCache

    @cached_property
    def gist(self) -> TurnSummary:
        """The part of the turn that the game's pages need in any case."""
        return self.galleys.gist((self.leaf.sign, self.game.about.kind), partial(_gist, self))

    @property
    def headline(self) -> str:
        """Its story in short."""
        return self.gist.headline

    @cached_property
    def passages(self) -> tuple[PagePassage, ...]:
        """The events of the turn in sentences, under their headings."""
        return _passages(self.game, self.leaf)

    @cached_property
    def stands(self) -> MapStanding:
        """The places and pieces that can be pointed at on its map."""
        return standing_of(self.game, self.leaf.view)

    @property
    def notes(self) -> tuple[OrderNote, ...]:
        """The orders that can be pointed at."""
        return tuple(line.note for passage in self.passages for line in passage.lines if line.note)

    @property
    def mentions(self) -> tuple[EventPlaces, ...]:
        """The places that its sentences are about."""
        return tuple(line.mention for passage in self.passages for line in passage.lines if line.mention)


def pages_of(exhibit: PublicGame, galleys: PageCache) -> tuple[TurnPage, ...]:
    """The leaves of an exhibit in words, each with an address of its own. galleys: what is set already."""
    anchors = _anchors([leaf.turn.short for leaf in exhibit.leaves])
    opening = standing_of(exhibit.game, exhibit.opening)
    return tuple(
        TurnPage(exhibit.game, leaf, anchor, opening, galleys)
        for leaf, anchor in zip(exhibit.leaves, anchors, strict=True)
    )


def _anchors(turns: Sequence[str]) -> Iterator[str]:
    """The short names of turns; behind one that comes twice a number."""
    seen: dict[str, int] = {}
    for short in turns:
        seen[short] = seen.get(short, 0) + 1
        yield short if seen[short] == 1 else f"{short}-{seen[short]}"


def _gist(page: TurnPage) -> TurnSummary:
    named = {spot.at: spot.name for spot in page.stands.spots}
    return TurnSummary(
        headline=page.game.telling.headline(page.leaf.open_events),
        drawn=tuple(sorted({mention.of for mention in page.mentions if mention.title})),
        points=bool(page.stands.spots),
        places=None if named == {spot.at: spot.name for spot in page.opening.spots} else named,
    )


def _passages(game: Game, leaf: PublicTurn) -> tuple[PagePassage, ...]:
    events = leaf.past.events
    lines_by_heading: dict[str, list[TurnSentence]] = {}
    telling = game.telling
    notes = telling if isinstance(telling, SupportsOrderNotes) else None
    places = telling if isinstance(telling, SupportsEventPlaces) else None
    for event in events:
        line = telling.tell(event, min(event.seen_by) if event.seen_by else None)
        if line is None:
            continue
        note = notes.note(event) if notes else None
        mention = _mention_of(note) if note else places.mention(event) if places else None
        lines_by_heading.setdefault(line.heading, []).append(
            _turn_sentence(line, note, mention, leaf.reasons)
        )
    seats = {note.of for lines in lines_by_heading.values() for line in lines if (note := line.note)}
    return tuple(
        PagePassage(heading, tuple(lines), Seat(heading) if heading in seats else None)
        for heading, lines in lines_by_heading.items()
    )


def standing_of(game: Game, view: View) -> MapStanding:
    """Return what can be pointed at in a position; nothing where places cannot be pointed at."""
    spots = game.telling.spots(view) if isinstance(game.telling, SupportsMapRegions) else ()
    owners = {spot.at: str(spot.owner) for spot in spots if spot.owner}
    return MapStanding(tuple(spots), owners, {spot.at: spot.pieces for spot in spots if spot.pieces})


def _mention_of(note: OrderNote) -> EventPlaces:
    return EventPlaces(of=note.of, at=(note.at,), title=note.title)


def _turn_sentence(
    line: ReportLine,
    note: OrderNote | None,
    mention: EventPlaces | None,
    reasons: Mapping[Seat, Mapping[str, str]],
) -> TurnSentence:
    order = note.order if note and line.text.startswith(note.order) else ""
    because = reasons.get(note.of, {}).get(note.order, "") if note else ""
    return TurnSentence(order, line.text[len(order) :], line.failed, line.why, note, mention, because)
