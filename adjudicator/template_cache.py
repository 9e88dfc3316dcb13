"""The cache of compiled templates: in this process, and on disk for later commands."""

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

from adjudicator import compile_cache


class CompiledTemplates(jinja2.BytecodeCache):
    """The compiled templates of similar environments: one cache for the whole service.

    made_of: the inputs of a template's code other than its text.
    """

    def __init__(self, made_of: bytes | None) -> None:
        self._made_of = made_of
        self._here: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Set the bucket's code to the code compiled earlier from the same text."""
        bucket.code = self._here.get((bucket.key, bucket.checksum))
        if bucket.code is None and self._made_of is not None:
            content = compile_cache.load(self._cache_name(bucket))
            if content is not None:
                bucket.code = self._here[bucket.key, bucket.checksum] = marshal.loads(content)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Cache the bucket's code."""
        if bucket.code is not None:
            self._here[bucket.key, bucket.checksum] = bucket.code
            if self._made_of is not None:
                compile_cache.save(self._cache_name(bucket), marshal.dumps(bucket.code))

    def _cache_name(self, bucket: Bucket) -> str:
        identity = f"{bucket.key} {bucket.checksum} ".encode() + (self._made_of or b"")
        return f"template-{hashlib.sha256(identity).hexdigest()}"


def template_dependencies(files: Iterable[Path]) -> list[str]:
    """List the inputs of every template's code: Python, Jinja, and the current files on disk.

    Raises OSError if they are in an archive.
    """
    dependencies = [jinja2.__version__, sys.version, importlib.util.MAGIC_NUMBER.hex()]
    for file in files:
        status = file.stat()
        dependencies.append(f"{file} {status.st_mtime_ns} {status.st_size}")
    return dependencies
