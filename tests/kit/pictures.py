"""Draws each picture once in all the processes of a run.

Half of what the suite did was drawing: the same openings, by each process and each planted fault. A drawing
is a function of the SVG and its options, so what one process drew is good for all.
"""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import resvg_py

_PLACE = "TURNPOST_DRAWN"
"""The folder of what is drawn, told to the processes that this one begins."""


def begin() -> bool:
    """From now on draw nothing twice. Whether this process is the first, who has to `end` it."""
    is_first = _PLACE not in os.environ
    if is_first:
        os.environ[_PLACE] = tempfile.mkdtemp(prefix="drawn-")
    folder, draw = Path(os.environ[_PLACE]), resvg_py.svg_to_bytes

    def drawn(**told: Any) -> list[int] | bytes:
        kept = folder / hashlib.sha256(repr(sorted(told.items())).encode()).hexdigest()
        if not kept.exists():
            half = folder / f"{kept.name}.{os.getpid()}"
            half.write_bytes(bytes(draw(**told)))
            half.replace(kept)
        return kept.read_bytes()

    resvg_py.svg_to_bytes = drawn
    return is_first


def end() -> None:
    """Throw away what was drawn."""
    shutil.rmtree(os.environ.pop(_PLACE))
