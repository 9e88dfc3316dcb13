"""Renders pages from templates. Each page is one file with a policy that blocks everything external.

Styles and scripts are inline, and the policy lists their hashes. So a page works from a folder as it does
from a server, and the browser makes no requests.
"""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from adjudicator.clock import Millis, datetime_of
from adjudicator.reports.render import bbcode, blocks, numeric_columns, table
from adjudicator.reports.results import side_label
from games.language import format_moment
from games.record import Record

_SITE_TEMPLATES = "site"


def page(
    template: str,
    context: Mapping[str, Any],
    *,
    scripts: Sequence[str] = (),
    early: str = "",
    style: str = "",
) -> bytes:
    """Render a page from templates/site/.

    scripts: the names of its script files. early: of a script that runs before the page is shown. style:
    added to site.css. Raises jinja2.TemplateError if the template needs a value that the context lacks.
    """
    styles = [style_text for style_text in (source("site.css"), style) if style_text]
    script_texts = [source(script) for script in scripts]
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            policy=_policy([source(early), *script_texts] if early else script_texts, styles),
            early=Markup(source(early)) if early else "",
            styles=[Markup(style_text) for style_text in styles],
            scripts=[Markup(script_text) for script_text in script_texts],
        )
    )
    return text.encode()


def plain(template: str, context: Mapping[str, Any]) -> bytes:
    """Render a template that isn't an HTML page, such as the feed or the site map."""
    return _environment().get_template(template).render(context).encode()


@cache
def source(name: str) -> str:
    """Return the text of a file in templates/site/."""
    return files("templates").joinpath(_SITE_TEMPLATES, name).read_text(encoding="utf-8")


@cache
def template_mark() -> str:
    """Return a hash of all templates. When it changes, all pages must be built again."""
    folder = files("templates").joinpath(_SITE_TEMPLATES)
    names = sorted(file.name for file in folder.iterdir())
    sources = "\0".join(f"{name}\0{source(name)}" for name in names)
    return hashlib.sha256(sources.encode()).hexdigest()[:16]


def data(value: object) -> Markup:
    """Return a value as JSON for use inside a page. No text by a player can end the script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def day(at: Millis) -> str:
    """Return the date of an instant: "24 July 2026"."""
    return format_moment(datetime_of(at), "d MMMM y")


def game_title(name: str) -> str:
    """Return the name of a game as a title: "Black Hills" for black-hills."""
    return " ".join(word[:1].upper() + word[1:] for word in name.split("-"))


def hour(at: Millis) -> str:
    """Return an instant to the minute: "24 July 2026, 20:00 UTC"."""
    return f"{format_moment(datetime_of(at), 'd MMMM y, HH:mm')} UTC"


def iso(at: Millis) -> str:
    """Return an instant in ISO 8601."""
    return datetime_of(at).strftime("%Y-%m-%dT%H:%M:%SZ")


def _policy(scripts: list[str], styles: list[str]) -> str:
    """Return the content security policy: only the page's own script and styles, no loading, sending or
    framing."""
    parts = [
        "default-src 'none'",
        f"script-src {_hashes(scripts)}",
        f"style-src {_hashes(styles)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(parts)


def _hashes(texts: list[str]) -> str:
    return " ".join(f"'sha256-{_hash(text)}'" for text in texts) or "'none'"


@cache
def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        game_title=game_title,
        side=lambda name: side_label(name, None),
        day=day,
        hour=hour,
        iso=iso,
        data=data,
        blocks=blocks,
        bbcode=bbcode,
        text_table=table,
    )
    environment.globals.update(numeric_columns=numeric_columns)
    return environment


# The page cache: pieces of pages that were rendered before are read from the game's files.
#
# A piece is stored under a hash of its inputs. It is used only if its file still contains exactly this text.


class TurnSummary(Record, frozen=True, kw_only=True):
    """The part of a turn that a game's pages need and that isn't rendered again.

    headline: the turn's story in one sentence. drawn: the seats with orders on the map. points: whether
    readers can point at places. places: their names by id, None if they are the same as in the opening.
    """

    headline: str
    drawn: tuple[str, ...] = ()
    points: bool = False
    places: dict[str, str] | None = None


class CachedPiece(Record, frozen=True, kw_only=True):
    """The location of a piece: file, first byte, length and hash."""

    file: str
    start: int
    length: int
    sha: str


class StoredPieces(Record, frozen=True, kw_only=True):
    """The stored pieces of a game's turns, by the hash of their inputs."""

    gists: dict[str, TurnSummary] = {}
    pieces: dict[str, CachedPiece] = {}


class PageCache:
    """The pieces of one game: read from its files if they are there, otherwise made on demand."""

    def __init__(self, made_by: str, folder: Path, known: StoredPieces | None = None) -> None:
        self._made_by = made_by
        self._folder = folder
        self._known = known or StoredPieces()
        self._files: dict[str, bytes] = {}
        self._gists: dict[str, TurnSummary] = {}
        self._texts: dict[str, tuple[str, bytes]] = {}

    def gist(self, inputs: object, make: Callable[[], TurnSummary]) -> TurnSummary:
        """Return the summary of a turn. inputs: everything that it is made of."""
        key = self._key("gist", inputs)
        summary = self._known.gists.get(key) or make()
        self._gists[key] = summary
        return summary

    def text(self, file: str, inputs: object, make: Callable[[], str]) -> str:
        """Return a piece of a file. inputs: everything that it is made of, unique within the file."""
        key = self._key(file, inputs)
        raw = self._read_piece(self._known.pieces.get(key))
        text = make() if raw is None else raw.decode()
        self._texts[key] = file, text.encode() if raw is None else raw
        return text

    def to_store(self, files: Mapping[str, bytes]) -> StoredPieces:
        """Return the pieces to store. files: the written files, with the pieces in their original order."""
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
