"""Templates that were compiled: kept in this process, and for the commands to come."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket

from adjudicator import kept
from adjudicator.reports import inline_css

_HTML = ".html"


class Environment(jinja2.Environment):
    """Writes styles into the elements of HTML before it is compiled, and not where that was done before."""

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """The source of a template as it is compiled."""
        source = super().preprocess(source, name, filename)
        return inline_css.inline_styles(source) if name and name.endswith(_HTML) else source


class Compiled(jinja2.BytecodeCache):
    """The compiled templates of environments that are alike: those of the house once, and not for each game.

    made_of: what else than its text a template's code depends on.
    """

    def __init__(self, made_of: bytes | None) -> None:
        self._made_of = made_of
        self._here: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Give what was made of the same text before."""
        bucket.code = self._here.get((bucket.key, bucket.checksum))
        if bucket.code is None and self._made_of is not None:
            content = kept.read(self._name(bucket))
            if content is not None:
                bucket.code = self._here[bucket.key, bucket.checksum] = marshal.loads(content)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was made of a text."""
        if bucket.code is not None:
            self._here[bucket.key, bucket.checksum] = bucket.code
            if self._made_of is not None:
                kept.keep(self._name(bucket), marshal.dumps(bucket.code))

    def _name(self, bucket: Bucket) -> str:
        told = f"{bucket.key} {bucket.checksum} ".encode() + (self._made_of or b"")
        return f"template-{hashlib.sha256(told).hexdigest()}"


def made_of(functions: Iterable[Callable[..., Any]], marked_up: bool) -> bytes | None:
    """What a template's code depends on beside its text; None where that cannot be told.

    functions: those that templates call, for what they make of constants is compiled in: so their files, as
    they are on the disk now, count. The library, Python and the style sheet count too.
    """
    told = [jinja2.__version__, sys.version, importlib.util.MAGIC_NUMBER.hex(), str(marked_up)]
    if marked_up:
        told.append(files("templates").joinpath(inline_css.PAGE).read_text(encoding="utf-8"))
    try:
        for name in sorted({function.__module__ for function in functions} - {any.__module__}):
            file = Path(sys.modules[name].__file__ or "")
            found = file.stat()
            told.append(f"{file} {found.st_mtime_ns} {found.st_size}")
    except OSError:  # they lie in an archive
        return None
    return "\0".join(told).encode()
