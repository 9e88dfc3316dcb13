"""Pictures kept as what they were drawn from, once the letters that have them are done with.

A drawing is kept as it differs from an earlier one of its game, line by line: from turn to turn little of a
map changes, of its picture a lot. Drawn again it is what went out, as long as the program draws alike.
"""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from peewee import fn

from adjudicator.clock import Millis
from adjudicator.model.mail import PENDING_PICTURE_PREFIX, PictureSource
from adjudicator.storage.database import Database
from adjudicator.storage.tables import EnclosedRow, OutRow, PartRow
from games.record import Value

_SETTLED_STATES = ("sent", "failed")
_BASES = 12
"""So many whole drawings of a game are held beside a new one: a map, and what each seat is shown of it."""
_MIN_SAVING_FACTOR = 2
"""What differs has to be so many times smaller than the whole drawing: else it is kept whole."""
_FAST, _SMALL = 1, 9


def fresh(drawn: PictureSource) -> bytes:
    """A drawing as it is kept at first: whole, and quickly."""
    return _encode_drawing(drawn.width_px, drawn.svg.split("\n"), _FAST)


def read(database: Database, row: Any) -> PictureSource | None:
    """The drawing of a part; None where it has none, or where that cannot be read."""
    base: list[str] = []
    if row.drawing is None:
        return None
    if row.base is not None:
        of = database.first(PartRow.select().where(PartRow.sha == row.base))
        whole = None if of is None else read(database, of)
        if whole is None:
            return None
        base = whole.svg.split("\n")
    try:
        width, pieces = json.loads(zlib.decompress(bytes(row.drawing)))
        lines = [line for piece in pieces for line in _lines(piece, base)]
    except (zlib.error, ValueError, TypeError):
        return None
    return PictureSource(sha=row.sha, svg="\n".join(lines), width_px=width)


def _lines(piece: Any, base: Sequence[str]) -> Sequence[str]:
    if isinstance(piece, str):
        return (piece,)
    first, count = piece
    return base[first : first + count]


def _encode_drawing(width_px: int, pieces: Sequence[Any], level: int) -> bytes:
    return zlib.compress(json.dumps([width_px, pieces], ensure_ascii=False).encode(), level)


def _differing(svg: str, base: str) -> list[Any]:
    """Lines as they stand, and where they stand in another drawing: the first of them, and how many."""
    there = base.split("\n")
    places: dict[str, int] = {}
    for place, line in enumerate(there):
        places.setdefault(line, place)
    pieces: list[Any] = []
    following = -1
    for line in svg.split("\n"):
        if 0 <= following < len(there) and there[following] == line:
            pieces[-1][1] += 1
            following += 1
        elif line in places:
            pieces.append([places[line], 1])
            following = places[line] + 1
        else:
            pieces.append(line)
            following = -1
    return pieces


class _StoredDrawing(Value, frozen=True):
    """A drawing as it is to be stored: its bytes, and the other drawing from which they are a difference."""

    drawing: bytes
    base: str | None


def press(database: Database, before: Millis) -> int:
    """Keep of pictures that went before then, and that no other letter waits for, the drawings alone.

    Each in a transaction of its own, so that nobody waits for it long. Returns how many there were.
    """
    count = 0
    bases: dict[str, list[PictureSource]] = {}
    for sha, game in list(_idle(database, before)):
        with database.reading():
            row = database.first(PartRow.select().where(PartRow.sha == sha))
            drawn = None if row is None else read(database, row)
            if game not in bases:
                bases = {game: _bases(database, game)}
            settled = row is not None and _is_settled(database, row)
        if drawn is None:
            continue
        # Where others differ from it, or it has been through this already, it stays as it is.
        kept = _StoredDrawing(bytes(row.drawing), row.base) if settled else _smallest(drawn, bases[game])
        if kept.base is None:
            bases[game] = [*bases[game], drawn][-_BASES:]
        count += _keep(database, sha, kept, before)
    return count


def _is_settled(database: Database, row: Any) -> bool:
    others = PartRow.select(PartRow.sha).where(PartRow.base == row.sha)
    return row.base is not None or database.first(others) is not None


def _smallest(drawn: PictureSource, bases: Sequence[PictureSource]) -> _StoredDrawing:
    lines = set(drawn.svg.split("\n"))
    whole = _encode_drawing(drawn.width_px, drawn.svg.split("\n"), _SMALL)
    nearest = max(bases, key=lambda base: len(lines & set(base.svg.split("\n"))), default=None)
    if nearest is not None:
        short = _encode_drawing(drawn.width_px, _differing(drawn.svg, nearest.svg), _SMALL)
        if len(short) * _MIN_SAVING_FACTOR < len(whole):
            return _StoredDrawing(short, nearest.sha)
    return _StoredDrawing(whole, None)


def _waited_for(before: Millis) -> Any:
    """That a letter which is not done with, or was not by then, has a part."""
    open_still = OutRow.state.not_in(_SETTLED_STATES) | OutRow.settled.is_null() | (OutRow.settled > before)
    has = EnclosedRow.select().join(OutRow, on=(OutRow.number == EnclosedRow.letter))
    return fn.EXISTS(has.where((EnclosedRow.sha == PartRow.sha) & open_still))


def _idle(database: Database, before: Millis) -> Iterator[tuple[str, str]]:
    """The pictures that may be kept as drawings, game by game in the order in which they went."""
    there = (fn.LENGTH(PartRow.data) > 0) & PartRow.drawing.is_null(False) & ~_waited_for(before)
    first = fn.MIN(EnclosedRow.letter)
    pictures = PartRow.select(PartRow.sha, fn.MIN(OutRow.game).alias("game"), first.alias("first"))
    pictures = pictures.join(EnclosedRow, on=(EnclosedRow.sha == PartRow.sha))
    pictures = (
        pictures.join(OutRow, on=(OutRow.number == EnclosedRow.letter)).where(there).group_by(PartRow.sha)
    )
    with database.reading():
        rows = list(database.run(pictures.tuples()))
    for sha, game, _ in sorted(rows, key=lambda row: (row[1] or "", row[2])):
        yield sha, game or ""


def _bases(database: Database, game: str) -> list[PictureSource]:
    """The drawings of a game that are kept whole and alone, the latest."""
    whole = (fn.LENGTH(PartRow.data) == 0) & PartRow.drawing.is_null(False) & PartRow.base.is_null()
    whole &= ~PartRow.sha.startswith(PENDING_PICTURE_PREFIX)  # it goes when it is drawn
    last = fn.MAX(EnclosedRow.letter)
    drawings = PartRow.select(PartRow.sha).join(EnclosedRow, on=(EnclosedRow.sha == PartRow.sha))
    drawings = drawings.join(OutRow, on=(OutRow.number == EnclosedRow.letter)).where(
        whole & (OutRow.game == game)
    )
    shas = [sha for (sha,) in database.run(drawings.group_by(PartRow.sha).order_by(last).tuples())][-_BASES:]
    rows = database.run(PartRow.select().where(PartRow.sha.in_(shas)))
    return [drawn for row in rows if (drawn := read(database, row)) is not None]


def _keep(database: Database, sha: str, kept: _StoredDrawing, before: Millis) -> int:
    with database.writing():
        # What another is just about to use again is left out; what he has used meanwhile shows below.
        mine = PartRow.select(PartRow.sha).where(PartRow.sha == sha)
        if database.first(database.lock_unclaimed(mine)) is None:
            return 0
        if kept.base is not None:
            base = PartRow.select(PartRow.sha).where((PartRow.sha == kept.base) & PartRow.base.is_null())
            if database.first(database.lock_for_share(base)) is None:
                return 0
        columns = {"data": b"", "drawing": kept.drawing, "base": kept.base}
        idle = (PartRow.sha == sha) & ~_waited_for(before)
        return int(database.run(PartRow.update(**columns).where(idle)))
