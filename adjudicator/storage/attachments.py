"""The large parts of outgoing emails, stored once: files by their SHA-256, joined when an email is sent.

An email is stored as its recipe: the compressed text between those parts. Before a recipe is stored, we check
that joining it gives the same bytes. An email without large parts is stored whole.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from peewee import fn

from adjudicator.clock import Millis
from adjudicator.model.mail import (
    PENDING_PICTURE_PLACEHOLDER,
    PENDING_PICTURE_PREFIX,
    PictureSource,
    encode_base64,
)
from adjudicator.storage.database import BoundedCache, Database, lock_unclaimed
from adjudicator.storage.tables import EnclosedRow, GameRow, OutRow, PartRow
from games.record import Malformed, Value, canonical, load

_RECIPE_MAGIC = b"\0parts1\0"
"""The first bytes of a recipe. No email starts with them."""

LEAST_BYTES = 2_000
"""Smaller files stay in the email."""

_BASE64, _HEAD_ENDS, _BODY_ENDS = b"Content-Transfer-Encoding: base64\r\n", b"\r\n\r\n", b"\r\n--"
_ENCODED_PLACEHOLDER = base64.b64encode(PENDING_PICTURE_PLACEHOLDER)
"""The first bytes of a placeholder for a picture. Its length before encoding is divisible by three."""
_PLAIN, _PRESSED, _PNG = b"=", b"z", b"\x89PNG"
_RECIPE_ZLIB_LEVEL = 2
"""The zlib level. Level 3 takes half as long again and saves only one per cent."""

_PARTS_CACHE: BoundedCache[str, bytes] = BoundedCache(32)
"""The cached parts of recent emails, since many readers get the same parts."""


class LetterPartLost(Exception):
    """Raised when an email can't be joined again to its original bytes."""


class PictureNotDrawn(Exception):
    """Raised when a picture of the email hasn't been drawn yet."""


def split_letter(raw: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return the recipe that is stored in place of an email, and the email's parts by their SHA-256."""
    parts: dict[str, bytes] = {}
    recipe: list[str] = []
    end = 0
    for start, stop, content in _find_encoded_files(raw):
        sha = (
            content[len(PENDING_PICTURE_PLACEHOLDER) :].decode()
            if content.startswith(PENDING_PICTURE_PLACEHOLDER)
            else hashlib.sha256(content).hexdigest()
        )
        parts[sha] = content
        recipe += (raw[end:start].decode("latin-1"), sha)
        end = stop
    recipe.append(raw[end:].decode("latin-1"))
    kept = _RECIPE_MAGIC + zlib.compress(canonical(recipe), _RECIPE_ZLIB_LEVEL)
    if raw.startswith(_RECIPE_MAGIC) or any(
        content.startswith(PENDING_PICTURE_PLACEHOLDER) for content in parts.values()
    ):
        return kept, parts
    if len(kept) >= len(raw) or _join_recipe(recipe, parts) != raw:
        return raw, {}
    return kept, parts


def _find_encoded_files(raw: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the larger files of an email: the first byte, the byte after the last, and the content."""
    at = 0
    while (at := raw.find(_BASE64, at)) >= 0:
        start = raw.find(_HEAD_ENDS, at) + len(_HEAD_ENDS)
        stop = raw.find(_BODY_ENDS, start)
        at = max(start, at + 1)
        if stop < start or (stop - start < LEAST_BYTES and not raw.startswith(_ENCODED_PLACEHOLDER, start)):
            continue
        try:
            content = base64.b64decode(raw[start:stop], validate=False)
        except ValueError:
            continue
        if encode_base64(content) == raw[start:stop]:
            yield start, stop, content
        at = stop


def _join_recipe(recipe: Iterable[str], parts: dict[str, bytes]) -> bytes:
    return b"".join(
        encode_base64(parts[piece]) if place % 2 else piece.encode("latin-1")
        for place, piece in enumerate(recipe)
    )


def keep(database: Database, parts: dict[str, bytes], drawn: Iterable[PictureSource] = ()) -> None:
    """Store the parts that aren't stored yet, within the caller's transaction.

    Pruning doesn't delete them before this transaction ends, although no email visible to others has them
    yet. drawn: the drawings that pictures were made from.
    """
    sources = {picture.sha: picture for picture in drawn}
    for sha, content in parts.items():
        if content.startswith(PENDING_PICTURE_PLACEHOLDER):
            row = PartRow.insert(sha=sha, data=b"", drawing=_encode_drawing(sources[sha], _FAST))
            database.run(row.on_conflict_ignore())
            continue
        here = PartRow.select(PartRow.sha).where((PartRow.sha == sha) & (fn.LENGTH(PartRow.data) > 0))
        while database.first(database.lock_for_share(here)) is None:
            # A PNG is compressed already.
            pressed = content if content.startswith(_PNG) else zlib.compress(content, 6)
            data = _PRESSED + pressed if len(pressed) < len(content) else _PLAIN + content
            source = sources.get(sha) or _own_source(sha, content)
            drawing = None if source is None else _encode_drawing(source, _FAST)
            database.run(PartRow.insert(sha=sha, data=data, drawing=drawing).on_conflict_ignore())
            # For a picture with this SHA-256, only the drawing may be stored.
            bare = (PartRow.sha == sha) & (fn.LENGTH(PartRow.data) == 0)
            database.run(PartRow.update(data=data).where(bare))


def _own_source(sha: str, content: bytes) -> PictureSource | None:
    """Return the source of a file: the file itself if it is an SVG drawing, otherwise None."""
    if not content.startswith((b"<svg", b"<?xml")):
        return None
    try:
        return PictureSource(sha=sha, svg=content.decode(), width_px=0)
    except UnicodeDecodeError:
        return None


def join_letter(database: Database, kept: bytes) -> bytes:
    """Return the email for these stored bytes.

    Raises LetterPartLost if a part is missing or was changed, PictureNotDrawn if a picture hasn't been drawn
    yet.
    """
    if not kept.startswith(_RECIPE_MAGIC):
        return kept
    recipe = _recipe(kept)
    return _join_recipe(recipe, {sha: _part(database, sha) for sha in recipe[1::2]})


def join_available(database: Database, kept: bytes, *, drawn: bool = True) -> bytes:
    """Return the email for these stored bytes, as far as its parts exist: for display, never for sending.

    drawn: whether to draw pictures that are stored only as drawings. This takes half a second each.
    """
    if not kept.startswith(_RECIPE_MAGIC):
        return kept
    try:
        recipe = _recipe(kept)
    except LetterPartLost:
        return b""
    return _join_recipe(recipe, {sha: _available_part(database, sha, drawn) for sha in recipe[1::2]})


def _available_part(database: Database, sha: str, drawn: bool) -> bytes:
    with database.reading():
        row: Any = database.first(PartRow.select().where(PartRow.sha == sha))
    there = row is not None and (drawn or len(row.data))
    return (_content(database, row) if there else None) or b""


def text_before_parts(kept: bytes) -> bytes:
    """Return an email's header and text up to its first part. Works even if a part is lost."""
    if not kept.startswith(_RECIPE_MAGIC):
        return kept
    with suppress(LetterPartLost):
        return _recipe(kept)[0].encode("latin-1")
    return b""


def add_header(head: bytes, kept: bytes) -> bytes:
    """Return the stored email with one more header. An email with a lost part stays unchanged."""
    if not kept.startswith(_RECIPE_MAGIC):
        return head + kept
    try:
        first, *others = _recipe(kept)
    except LetterPartLost:
        return kept
    return _RECIPE_MAGIC + zlib.compress(
        canonical([head.decode("latin-1") + first, *others]), _RECIPE_ZLIB_LEVEL
    )


def _recipe(kept: bytes) -> list[str]:
    try:
        recipe: list[str] = load(list[str], zlib.decompress(kept[len(_RECIPE_MAGIC) :]))
    except (zlib.error, Malformed) as fault:
        raise LetterPartLost("what stands between the files of this letter is damaged") from fault
    return recipe


def _part(database: Database, sha: str) -> bytes:
    if sha.startswith(PENDING_PICTURE_PREFIX):
        raise PictureNotDrawn(sha)
    content = _PARTS_CACHE.get(sha)
    if content is None:
        with database.reading():
            row: Any = database.first(PartRow.select().where(PartRow.sha == sha))
        content = None if row is None else _content(database, row)
        if content is None or hashlib.sha256(content).hexdigest() != sha:
            raise LetterPartLost(f"the file {sha[:12]} of this letter is no longer on the books as it was")
        _PARTS_CACHE.keep(sha, content)
    return content


def _content(database: Database, row: Any) -> bytes | None:
    if len(row.data):
        data = bytes(row.data)
        try:
            return zlib.decompress(data[1:]) if data[:1] == _PRESSED else data[1:]
        except zlib.error:
            return None
    with database.reading():
        drawn = read(database, row)
    if drawn is None:
        return None
    if not drawn.width_px:
        return drawn.svg.encode()
    return None if database.draw is None else database.draw(drawn.svg, drawn.width_px)


def pending_pictures(database: Database) -> tuple[PictureSource, ...]:
    """Return the pictures of outgoing emails that must still be drawn, by their names."""
    mine = EnclosedRow.sha.startswith(PENDING_PICTURE_PREFIX)
    waits = OutRow.state.in_(["ready", "sending", "unsure"])
    pending = EnclosedRow.select(EnclosedRow.sha).join(OutRow, on=(OutRow.number == EnclosedRow.letter))
    with database.reading():
        shas = sorted({row.sha for row in database.run(pending.where(waits & mine))})
        rows = [database.first(PartRow.select().where(PartRow.sha == sha)) for sha in shas]
        sources = [read(database, row) for row in rows if row is not None]
    return tuple(source for source in sources if source is not None)


def draw(database: Database, waits: PictureSource, png: bytes) -> None:
    """Insert a picture in all emails that wait for it. They are the same as if it had been drawn before.

    Does nothing if another worker has inserted it meanwhile.
    """
    sha = hashlib.sha256(png).hexdigest()
    with database.writing():
        keep(database, {sha: png}, [PictureSource(sha=sha, svg=waits.svg, width_px=waits.width_px)])
        having = EnclosedRow.select(EnclosedRow.letter).where(EnclosedRow.sha == waits.sha)
        for row in list(database.run(OutRow.select().where(OutRow.number.in_(having)))):
            if row.data:
                data = _replace_part(bytes(row.data), waits.sha, sha)
                database.run(OutRow.update(data=data).where(OutRow.number == row.number))
            enclosed = EnclosedRow.insert(letter=row.number, sha=sha)
            database.run(enclosed.on_conflict_ignore())
        database.run(EnclosedRow.delete().where(EnclosedRow.sha == waits.sha))
        database.run(PartRow.delete().where(PartRow.sha == waits.sha))


def _replace_part(kept: bytes, old: str, new: str) -> bytes:
    recipe = _recipe(kept)
    recipe[1::2] = [new if sha == old else sha for sha in recipe[1::2]]
    return _RECIPE_MAGIC + zlib.compress(canonical(recipe), _RECIPE_ZLIB_LEVEL)


def forget(database: Database, *, pictures: bool = True) -> int:
    """Delete the parts that no email has, within the caller's transaction. Return their number.

    pictures: whether to keep the pictures of old emails while their game is running.
    """
    running = GameRow.select(GameRow.name).where(GameRow.status == "running")
    over = OutRow.game.is_null() | OutRow.game.not_in(running)
    bare = OutRow.select(OutRow.number).where((fn.LENGTH(OutRow.data) == 0) & (over if pictures else True))
    database.run(EnclosedRow.delete().where(EnclosedRow.letter.in_(bare)))
    other = PartRow.alias()
    used = fn.EXISTS(EnclosedRow.select().where(EnclosedRow.sha == PartRow.sha))
    unused = ~used & ~fn.EXISTS(other.select(other.sha).where(other.base == PartRow.sha))
    # Parts that another worker is about to use are locked and skipped; a second look finds parts used since.
    free = lock_unclaimed(PartRow.select(PartRow.sha).where(unused), database.is_shared)
    shas = [row.sha for row in database.run(free)]
    return int(database.run(PartRow.delete().where(PartRow.sha.in_(shas) & unused)))


# Pictures of old emails, stored as the drawings that they were made from.
#
# A drawing is stored as its line-by-line difference from an earlier drawing of the game. From turn to turn
# few lines of a drawing change, but many bytes of its picture. Drawing it again gives the picture that was
# sent, as long as the program's drawing code stays the same.


_SETTLED_STATES = ("sent", "failed")
_BASES = 12
"""The number of whole drawings of a game that a new one is compared with: a map and each seat's version."""
_MIN_SAVING_FACTOR = 2
"""A difference must be this many times smaller than the drawing. Otherwise the drawing is stored whole."""
_FAST, _SMALL = 1, 9
"""The zlib levels of a drawing: when its email is written, and after the picture was sent."""


def read(database: Database, row: Any) -> PictureSource | None:
    """Return the drawing of a part, or None if it has none or it can't be read."""
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


def _encode_drawing(drawn: PictureSource, level: int, pieces: Sequence[Any] | None = None) -> bytes:
    """Return the stored form of a drawing. pieces: its difference from another, by default the whole one."""
    lines = drawn.svg.split("\n") if pieces is None else pieces
    return zlib.compress(json.dumps([drawn.width_px, lines], ensure_ascii=False).encode(), level)


def _differing(svg: str, base: str) -> list[Any]:
    """Return a drawing as new lines, and references to another drawing: first line and number of lines."""
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
    """A drawing in its stored form: its bytes, and the drawing that they differ from."""

    drawing: bytes
    base: str | None


def press(database: Database, before: Millis) -> int:
    """Keep only the drawings of pictures that were sent before a time and that no waiting email needs.

    Each picture has its own short transaction. Return the number of pictures.
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
        # A part stays unchanged if others differ from it or it has been through this before.
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
    whole = _encode_drawing(drawn, _SMALL)
    nearest = max(bases, key=lambda base: len(lines & set(base.svg.split("\n"))), default=None)
    if nearest is not None:
        short = _encode_drawing(drawn, _SMALL, _differing(drawn.svg, nearest.svg))
        if len(short) * _MIN_SAVING_FACTOR < len(whole):
            return _StoredDrawing(short, nearest.sha)
    return _StoredDrawing(whole, None)


def _waited_for(before: Millis) -> Any:
    """Return the condition that a part belongs to an email that isn't finished, or wasn't at that time."""
    open_still = OutRow.state.not_in(_SETTLED_STATES) | OutRow.settled.is_null() | (OutRow.settled > before)
    has = EnclosedRow.select().join(OutRow, on=(OutRow.number == EnclosedRow.letter))
    return fn.EXISTS(has.where((EnclosedRow.sha == PartRow.sha) & open_still))


def _idle(database: Database, before: Millis) -> Iterator[tuple[str, str]]:
    """Return the pictures that can be stored as drawings, game by game in the order of sending."""
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
    """Return the latest drawings of a game that are stored whole and without a picture."""
    whole = (fn.LENGTH(PartRow.data) == 0) & PartRow.drawing.is_null(False) & PartRow.base.is_null()
    whole &= ~PartRow.sha.startswith(PENDING_PICTURE_PREFIX)  # it is sent when the picture is drawn
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
        # Parts that another worker is about to use are skipped. Parts used meanwhile are found below.
        mine = PartRow.select(PartRow.sha).where(PartRow.sha == sha)
        if database.first(lock_unclaimed(mine, database.is_shared)) is None:
            return 0
        if kept.base is not None:
            base = PartRow.select(PartRow.sha).where((PartRow.sha == kept.base) & PartRow.base.is_null())
            if database.first(database.lock_for_share(base)) is None:
                return 0
        columns = {"data": b"", "drawing": kept.drawing, "base": kept.base}
        idle = (PartRow.sha == sha) & ~_waited_for(before)
        return int(database.run(PartRow.update(**columns).where(idle)))
