"""Galleys: what stood in a game's files of single turns before, found there again. No turn is set twice.

A piece is known by all that it was set from, and told again only where its file still has it, to the letter.
"""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from games.record import Record


class TurnSummary(Record, frozen=True, kw_only=True):
    """The part of a turn that a game's pages need and that is not rendered again.

    headline: its story in short; drawn: whose orders its map shows; points: whether it has places to point
    at; places: their names by id, None where they are those of the opening.
    """

    headline: str
    drawn: tuple[str, ...] = ()
    points: bool = False
    places: dict[str, str] | None = None


class CachedPiece(Record, frozen=True, kw_only=True):
    """Where a piece stands: from which byte of which file, how long it is, and its hash."""

    file: str
    start: int
    length: int
    sha: str


class StoredPieces(Record, frozen=True, kw_only=True):
    """The stored pieces of a game's turns, by the key of what each was made of."""

    gists: dict[str, TurnSummary] = {}
    pieces: dict[str, CachedPiece] = {}


class PageCache:
    """The pieces of one game: those that its files have, and those that are made when they are asked for."""

    def __init__(self, made_by: str, folder: Path, known: StoredPieces | None = None) -> None:
        self._made_by = made_by
        self._folder = folder
        self._known = known or StoredPieces()
        self._files: dict[str, bytes] = {}
        self._gists: dict[str, TurnSummary] = {}
        self._texts: dict[str, tuple[str, bytes]] = {}

    def gist(self, inputs: object, make: Callable[[], TurnSummary]) -> TurnSummary:
        """Return the summary of a turn. inputs: all that it is made of."""
        key = self._key("gist", inputs)
        summary = self._known.gists.get(key) or make()
        self._gists[key] = summary
        return summary

    def text(self, file: str, inputs: object, make: Callable[[], str]) -> str:
        """Return a piece of a file. inputs: all that it is made of, which is that of no other piece of the
        file.
        """
        key = self._key(file, inputs)
        raw = self._read_piece(self._known.pieces.get(key))
        text = make() if raw is None else raw.decode()
        self._texts[key] = file, text.encode() if raw is None else raw
        return text

    def to_store(self, files: Mapping[str, bytes]) -> StoredPieces:
        """Return the pieces to store. files: as they were written, with each piece in its order."""
        pieces: dict[str, CachedPiece] = {}
        ends = dict.fromkeys(files, 0)
        for key, (file, raw) in self._texts.items():
            start = files[file].find(raw, ends[file])
            if start >= 0:
                ends[file] = start + len(raw)
                pieces[key] = CachedPiece(file=file, start=start, length=len(raw), sha=_sha(raw))
        return StoredPieces(gists=self._gists, pieces=pieces)

    def _key(self, *inputs: object) -> str:
        return _sha(repr((self._made_by, *inputs)).encode())

    def _read_piece(self, piece: CachedPiece | None) -> bytes | None:
        if piece is None:
            return None
        if piece.file not in self._files:
            place = self._folder / piece.file
            self._files[piece.file] = place.read_bytes() if place.is_file() else b""
        raw = self._files[piece.file][piece.start : piece.start + piece.length]
        return raw if _sha(raw) == piece.sha else None


def _sha(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=15).hexdigest()
