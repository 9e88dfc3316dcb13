"""Draws each picture once in all the processes of a run.

Half of what the suite did was drawing: the same openings, by each process and each planted fault. A picture
is a function of the drawing and its width, so what one process made is good for all. How pictures are made
is tested by `png_afresh`.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec

import resvg_py

from adjudicator.reports import picture

_PLACE = "TURNPOST_DRAWN"
"""The folder of what is drawn, told to the processes that this one begins."""

P = ParamSpec("P")
_draw, png_afresh = resvg_py.svg_to_bytes, picture.png


def begin() -> bool:
    """From now on make nothing twice. Whether this process is the first, who has to `end` it."""
    is_first = _PLACE not in os.environ
    if is_first:
        os.environ[_PLACE] = tempfile.mkdtemp(prefix="drawn-")
    go_on()
    return is_first


def go_on() -> None:
    """Make nothing twice, where another process has begun so."""
    if _PLACE not in os.environ:
        return
    resvg_py.svg_to_bytes = _kept(_draw)
    picture.png = _kept(png_afresh)


def _kept(make: Callable[P, Any]) -> Callable[P, bytes]:
    folder = Path(os.environ[_PLACE])

    def made(*told: P.args, **named: P.kwargs) -> bytes:
        said = f"{make.__name__}{told!r}{sorted(named.items())!r}"
        kept = folder / hashlib.sha256(said.encode()).hexdigest()
        if not kept.exists():
            half = folder / f"{kept.name}.{os.getpid()}"
            half.write_bytes(bytes(make(*told, **named)))
            half.replace(kept)
        return kept.read_bytes()

    return made


def end() -> None:
    """Throw away what was drawn."""
    shutil.rmtree(os.environ.pop(_PLACE))
