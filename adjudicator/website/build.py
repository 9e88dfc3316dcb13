"""Builds the archive: writes the pages that have changed and leaves all others alone.

The same games always produce the same bytes, no matter when and where the archive is built.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.errors import Refusal
from adjudicator.website import game_json, game_page, index_pages, pages
from adjudicator.website.game_page import PageFrame, TurnPage, maps_of, pages_of, proof_page, story_page
from adjudicator.website.index_pages import ArchiveEntry, ArchivePage, GameCard, card_of, front, make_entry
from adjudicator.website.maps import MapLayerCache
from adjudicator.website.pages import PageCache
from adjudicator.website.public_game import JoinableGame, PiecewiseDownload, PublicGame, PublicTurn
from adjudicator.website.small_maps import land_colours, small_map
from adjudicator.website.timeline import badges_of
from games.record import Record, canonical, load

MEMORY = ".turnpost-site"
"""The file that records the inputs of an archive. A folder with this file is one of our archives."""


PLATES = ".turnpost-plates"
"""The folder with the stored maps of running games, so that a new turn needs only one new map."""


Shelve = Callable[[Mapping[str, str]], Iterable[tuple[str, ArchiveEntry, int]]]
"""Builds the pages of games.

Takes their marks by name, and yields a result of `Archive.put` for each game.
"""


Progress = Callable[[int, int], object]
"""Is told the number of games that are built, and the number of games to build."""


class ArchiveState(Record, frozen=True, kw_only=True):
    """The state of an archive: the inputs that it was built from.

    made_by: the program version and the templates. front: the marks of the pages outside games/.
    """

    made_by: str = ""
    games: dict[str, ArchiveEntry] = {}
    front: dict[str, str] = {}


@dataclass(frozen=True)
class ArchiveBuild:
    """The result of a build: the games that were written, the games that were deleted, and the number of
    files written."""

    made: tuple[str, ...]
    gone: tuple[str, ...]
    written: int


@dataclass
class Archive:
    """A folder with the archive in it. An object that is kept reads the stored state only once."""

    folder: Path
    frame: PageFrame
    made_by: str
    _last: tuple[tuple[int, ...], ArchiveState] | None = field(default=None, init=False, compare=False)

    def build(
        self,
        marks: Mapping[str, str | None],
        shelve: Shelve,
        wanted: Sequence[JoinableGame],
        reached: Progress | None = None,
    ) -> ArchiveBuild:
        """Bring the folder up to date.

        marks: a mark for every game that changes whenever the game does, or None to leave its pages alone.
        shelve: builds pages of games by calling `put`. reached: told of each game that is built. Raises
        Refusal if the folder contains anything but an archive.
        """
        before = self._stored_state()
        kept = before.games if before.made_by == self._made_by else {}
        stale = {
            name: mark
            for name, mark in marks.items()
            if mark is not None and (name not in kept or kept[name].mark != mark)
        }
        written = 0
        now = {name: entry for name, entry in before.games.items() if name in marks}
        for done, (name, entry, count) in enumerate(shelve(stale), 1):
            if reached is not None:
                reached(done, len(stale))
            if name in now:
                removed_files = [file for file in now[name].files if file not in entry.files]
                self._take_away(f"games/{name}", removed_files)
            now[name] = entry
            written += count
        gone = [name for name in before.games if name not in marks]
        for name in gone:
            self._take_away(f"games/{name}", before.games[name].files)
            self._take_away(PLATES, [name])
        there = {name: now[name] for name in sorted(now)}
        sheets = front(there, wanted, self.frame)
        written += self._make(sheets, before.front if before.made_by == self._made_by else {})
        self._take_away(".", [name for name in before.front if name not in sheets])
        front_marks = {name: sheet.mark for name, sheet in sheets.items()}
        memory = ArchiveState(made_by=self._made_by, games=there, front=front_marks)
        self._put(MEMORY, canonical(memory) + b"\n")
        self._last = _file_version(self.folder / MEMORY), memory
        return ArchiveBuild(tuple(stale), tuple(gone), written)

    def put(self, public_game: PublicGame, mark: str) -> tuple[str, ArchiveEntry, int]:
        """Write the files of one game.

        Return its name, its new archive entry, and the number of files written.
        """
        place = self.folder / PLATES / public_game.name
        plates = MapLayerCache(self._made_by, place.read_bytes() if place.is_file() else b"")
        # A finished game reveals more of each turn, so the pieces stored while it ran are not used.
        known = None if public_game.is_over else plates.galley
        galleys = PageCache(self._made_by, self.folder / "games" / public_game.name, known)
        pages = pages_of(public_game, galleys)
        files = dict(game_files(public_game, pages, plates, galleys, self.frame))
        written = self._put_all((f"games/{public_game.name}/{name}", raw) for name, raw in files.items())
        entry = make_entry(mark, *_card_and_picture(public_game, pages, plates), tuple(files))
        if public_game.is_over:
            self._take_away(PLATES, [public_game.name])
        else:
            self._put(f"{PLATES}/{public_game.name}", plates.to_store(galleys.to_store(files)))
        return public_game.name, entry, written

    @property
    def _made_by(self) -> str:
        return f"{self.made_by} {pages.template_mark()} {self.frame}"

    def _make(self, sheets: Mapping[str, ArchivePage], known: Mapping[str, str]) -> int:
        """Write the pages that have changed. known: the marks of the pages that exist."""
        changed = {
            name: sheet
            for name, sheet in sheets.items()
            if known.get(name) != sheet.mark or not (self.folder / name).is_file()
        }
        return self._put_all((name, sheet.make()) for name, sheet in changed.items())

    def _stored_state(self) -> ArchiveState:
        place = self.folder / MEMORY
        if place.is_file():
            if self._last is not None and self._last[0] == _file_version(place):
                return self._last[1]
            try:
                memory: ArchiveState = load(ArchiveState, place.read_bytes())
            except ValueError:
                return ArchiveState()  # written by another version: build everything again
            return memory
        if self.folder.exists() and any(self.folder.iterdir()):
            raise Refusal(
                f"Can't build the archive in {self.folder}",
                "the folder isn't empty and doesn't hold a Turnpost archive",
                "Name an empty folder with --out",
            )
        return ArchiveState()

    def _put_all(self, files: Iterable[tuple[str, bytes]]) -> int:
        return sum(self._put(name, raw) for name, raw in files)

    def _put(self, name: str, raw: bytes) -> bool:
        """Write a file atomically. Return False, without writing, if it already has this content."""
        place = self.folder / name
        try:
            if place.is_file() and place.read_bytes() == raw:
                return False
            place.parent.mkdir(parents=True, exist_ok=True)
            beside = place.with_name(f".{place.name}.new")
            beside.write_bytes(raw)
            os.replace(beside, place)
        except OSError as fault:
            raise Refusal(
                f"Can't write {place}", f"{fault.strerror}", "Name another folder with --out"
            ) from fault
        return True

    def _take_away(self, inside: str, names: Iterable[str]) -> None:
        for name in names:
            (self.folder / inside / name).unlink(missing_ok=True)
        place = self.folder / inside
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def _file_version(place: Path) -> tuple[int, ...]:
    """Return the version of a file, as far as the file system knows it. It changes with each write."""
    file_stat = place.stat()
    return file_stat.st_ino, file_stat.st_size, file_stat.st_mtime_ns


def _card_and_picture(
    public_game: PublicGame, pages: tuple[TurnPage, ...], plates: MapLayerCache
) -> tuple[GameCard, str]:
    """Return the card of a game, and the small map of its position, "" if it has no regions to show."""
    game, leaves = public_game.game, public_game.leaves
    plate = plates.of(game, leaves[-1]) if leaves else plates.opening(game, public_game.opening)
    spots = game.telling.spots(public_game.latest)
    if plate is None:
        return card_of(public_game, pages), ""
    lands = land_colours("".join(plate.elements), spots)
    return card_of(public_game, pages, lands), small_map(plate, spots, badges_of(public_game))


def game_files(
    public_game: PublicGame,
    pages: tuple[TurnPage, ...],
    plates: MapLayerCache,
    galleys: PageCache,
    frame: PageFrame,
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of one game, with their names in its folder."""
    yield (
        game_page.GAME_PAGE_FILE,
        game_page.game_page(public_game, pages, maps_of(public_game, plates), galleys, frame),
    )
    if public_game.seal is not None and public_game.seal.chain:
        yield "proof.html", proof_page(public_game, public_game.seal, frame)
    if public_game.is_over and pages:
        yield "story.html", story_page(public_game, pages, plates, frame)
    yield index_pages.FORUM_PAGE_FILE, index_pages.forum_page(public_game, pages, galleys, frame)
    yield game_json.GAME_FILE_NAME, game_json.encode_game_file(public_game, pages, galleys)
    for volume in public_game.volumes:
        yield volume.name, _bind_volume(volume, public_game.leaves, galleys)
    for download in (*public_game.downloads, *public_game.sheets):
        yield download.name, download.raw


def _bind_volume(volume: PiecewiseDownload, leaves: Sequence[PublicTurn], galleys: PageCache) -> bytes:
    texts = [
        galleys.text(volume.name, (number, leaf.sign), piece)
        for number, (leaf, piece) in enumerate(zip(leaves, volume.pieces, strict=True), 1)
    ]
    return volume.bound(texts).encode()
