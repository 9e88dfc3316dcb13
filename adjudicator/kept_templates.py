"""Templates that were compiled: kept in this process, and for the commands to come."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
from collections.abc import Iterable
from pathlib import Path
from types import CodeType

import jinja2
from jinja2.bccache import Bucket

from adjudicator import kept


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


def made_with(files: Iterable[Path]) -> list[str]:
    """What the code of every template depends on: Python, the library, and files as they are on the disk now.

    Raises OSError where they lie in an archive.
    """
    told = [jinja2.__version__, sys.version, importlib.util.MAGIC_NUMBER.hex()]
    for file in files:
        found = file.stat()
        told.append(f"{file} {found.st_mtime_ns} {found.st_size}")
    return told
