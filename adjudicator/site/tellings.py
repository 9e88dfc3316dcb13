"""A turn in words: sentences under headings, those of an order with what it is on the map."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from adjudicator.site.exhibits import Exhibit, Leaf
from adjudicator.site.galleys import Galleys, Gist
from games.protocol import Game, Line, Seat, View
from games.protocol.optional import Mention, Mentioning, Note, Noting, Pointing, Spot


@dataclass(frozen=True)
class Told:
    """One sentence. order: what of it is the order, if it tells of one; note: that on the map; mention: the
    places it is about; because: why a bot gave it."""

    order: str
    rest: str
    failed: bool
    why: bool = False
    note: Note | None = None
    mention: Mention | None = None
    because: str = ""


@dataclass(frozen=True)
class Passage:
    """Sentences under one heading. seat: whose orders they are, where the heading is a seat."""

    heading: str
    lines: tuple[Told, ...]
    seat: Seat | None = None


@dataclass(frozen=True)
class Standing:
    """The places of a position; by their ids whose each is, and what stands there."""

    spots: tuple[Spot, ...]
    owners: Mapping[str, str]
    pieces: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Page:
    """A leaf as it is read. anchor: its address; opening: what can be pointed at before the first.

    Its sentences are put together when somebody asks for them: most turns stand in their files already.
    """

    game: Game
    leaf: Leaf
    anchor: str
    opening: Standing
    galleys: Galleys

    @cached_property
    def gist(self) -> Gist:
        """What the game's pages need of it in any case."""
        return self.galleys.gist((self.leaf.sign, self.game.about.kind), partial(_gist, self))

    @property
    def headline(self) -> str:
        """Its story in short."""
        return self.gist.headline

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """What happened."""
        return _passages(self.game, self.leaf)

    @cached_property
    def stands(self) -> Standing:
        """What there is to be pointed at on its map."""
        return standing_of(self.game, self.leaf.view)

    @property
    def notes(self) -> tuple[Note, ...]:
        """The orders that can be pointed at."""
        return tuple(line.note for passage in self.passages for line in passage.lines if line.note)

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """What its sentences are about."""
        return tuple(line.mention for passage in self.passages for line in passage.lines if line.mention)


def pages_of(exhibit: Exhibit, galleys: Galleys) -> tuple[Page, ...]:
    """The leaves of an exhibit in words, each with an address of its own. galleys: what is set already."""
    anchors = _anchors([leaf.turn.short for leaf in exhibit.leaves])
    opening = standing_of(exhibit.game, exhibit.opening)
    return tuple(
        Page(exhibit.game, leaf, anchor, opening, galleys)
        for leaf, anchor in zip(exhibit.leaves, anchors, strict=True)
    )


def _anchors(turns: Sequence[str]) -> Iterator[str]:
    """The short names of turns; behind one that comes twice a number."""
    seen: dict[str, int] = {}
    for short in turns:
        seen[short] = seen.get(short, 0) + 1
        yield short if seen[short] == 1 else f"{short}-{seen[short]}"


def _gist(page: Page) -> Gist:
    named = {one.at: one.name for one in page.stands.spots}
    return Gist(
        headline=page.game.telling.headline(page.leaf.open_events),
        drawn=tuple(sorted({one.of for one in page.mentions if one.title})),
        points=bool(page.stands.spots),
        places=None if named == {one.at: one.name for one in page.opening.spots} else named,
    )


def _passages(game: Game, leaf: Leaf) -> tuple[Passage, ...]:
    events = leaf.past.events
    found: dict[str, list[Told]] = {}
    telling = game.telling
    notes = telling if isinstance(telling, Noting) else None
    places = telling if isinstance(telling, Mentioning) else None
    for event in events:
        line = telling.tell(event, min(event.seen_by) if event.seen_by else None)
        if line is None:
            continue
        note = notes.note(event) if notes else None
        mention = _mentioned(note) if note else places.mention(event) if places else None
        found.setdefault(line.heading, []).append(_told(line, note, mention, leaf.reasons))
    seats = {note.of for lines in found.values() for line in lines if (note := line.note)}
    return tuple(
        Passage(heading, tuple(lines), Seat(heading) if heading in seats else None)
        for heading, lines in found.items()
    )


def standing_of(game: Game, view: View) -> Standing:
    """What there is to be pointed at in a position; nothing where places cannot be pointed at."""
    spots = game.telling.spots(view) if isinstance(game.telling, Pointing) else ()
    owners = {one.at: str(one.owner) for one in spots if one.owner}
    return Standing(tuple(spots), owners, {one.at: one.pieces for one in spots if one.pieces})


def _mentioned(note: Note) -> Mention:
    return Mention(of=note.of, at=(note.at,), title=note.title)


def _told(
    line: Line, note: Note | None, mention: Mention | None, reasons: Mapping[Seat, Mapping[str, str]]
) -> Told:
    order = note.order if note and line.text.startswith(note.order) else ""
    because = reasons.get(note.of, {}).get(note.order, "") if note else ""
    return Told(order, line.text[len(order) :], line.failed, line.why, note, mention, because)
