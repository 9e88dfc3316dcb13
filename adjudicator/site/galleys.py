"""Galleys: what stood in a game's files of single turns before, found there again. No turn is set twice.

A piece is known by all that it was set from, and told again only where its file still has it, to the letter.
"""

import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path

from games.record import Record


class Gist(Record, frozen=True, kw_only=True):
    """What a game's pages need of a turn that is not set again.

    headline: its story in short; drawn: whose orders its map shows; points: whether it has places to point
    at; places: their names by id, None where they are those of the opening.
    """

    headline: str
    drawn: tuple[str, ...] = ()
    points: bool = False
    places: dict[str, str] | None = None


class Piece(Record, frozen=True, kw_only=True):
    """Where a piece stands: from which byte of which file, how long it is, and its hash."""

    file: str
    start: int
    length: int
    sha: str


class Galley(Record, frozen=True, kw_only=True):
    """What is kept of a game's turns, by what each was made of."""

    gists: dict[str, Gist] = {}
    pieces: dict[str, Piece] = {}


class Galleys:
    """The pieces of one game: those that its files have, and those that are made when they are asked for."""

    def __init__(self, made_by: str, folder: Path, known: Galley | None = None) -> None:
        self._made_by = made_by
        self._folder = folder
        self._known = known or Galley()
        self._files: dict[str, bytes] = {}
        self._gists: dict[str, Gist] = {}
        self._texts: dict[str, tuple[str, bytes]] = {}

    def gist(self, told: object, make: Callable[[], Gist]) -> Gist:
        """What is kept of a turn. told: all that it is made of."""
        key = self._key("gist", told)
        found = self._known.gists.get(key) or make()
        self._gists[key] = found
        return found

    def text(self, file: str, told: object, make: Callable[[], str]) -> str:
        """A piece of a file. told: all that it is made of, which another piece of this file is not."""
        key = self._key(file, told)
        raw = self._found(self._known.pieces.get(key))
        text = make() if raw is None else raw.decode()
        self._texts[key] = file, text.encode() if raw is None else raw
        return text

    def kept(self, files: Mapping[str, bytes]) -> Galley:
        """What is to be kept of them. files: as they were written, with each piece in its order."""
        pieces: dict[str, Piece] = {}
        ends = dict.fromkeys(files, 0)
        for key, (file, raw) in self._texts.items():
            start = files[file].find(raw, ends[file])
            if start >= 0:
                ends[file] = start + len(raw)
                pieces[key] = Piece(file=file, start=start, length=len(raw), sha=_sha(raw))
        return Galley(gists=self._gists, pieces=pieces)

    def _key(self, *told: object) -> str:
        return _sha(repr((self._made_by, *told)).encode())

    def _found(self, piece: Piece | None) -> bytes | None:
        if piece is None:
            return None
        if piece.file not in self._files:
            place = self._folder / piece.file
            self._files[piece.file] = place.read_bytes() if place.is_file() else b""
        raw = self._files[piece.file][piece.start : piece.start + piece.length]
        return raw if _sha(raw) == piece.sha else None


def _sha(raw: bytes) -> str:
    return hashlib.blake2b(raw, digest_size=15).hexdigest()
