"""Draws each picture once in all processes of a run.

Half the work of the tests was drawing: the same openings, in each process and for each planted fault. A
picture depends only on the drawing and its width, so all processes can share it. `png_afresh` tests the
drawing itself.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, ParamSpec

import pytest
import resvg_py
from PIL import Image, PngImagePlugin

from adjudicator.reports import maps

_PLACE = "TURNPOST_DRAWN"
"""The variable with the folder of pictures, for the processes that this one starts."""

_UNSEEN = "TURNPOST_UNSEEN"
"""The variable that is set when nobody looks at pictures: each is then an empty sheet of its size."""

P = ParamSpec("P")
_draw, png_afresh = resvg_py.svg_to_bytes, maps.png


def begin() -> bool:
    """Draw nothing twice from now on. Returns whether this process is the first, which has to call `end`."""
    is_first = _PLACE not in os.environ
    if is_first:
        os.environ[_PLACE] = tempfile.mkdtemp(prefix="drawn-")
    go_on()
    return is_first


def go_on() -> None:
    """Draw nothing twice, if another process has started this."""
    if _PLACE not in os.environ:
        return
    resvg_py.svg_to_bytes = _cached(_draw)
    kept = _cached(png_afresh)
    maps.png = lambda svg, width_px=maps.MAP_PX: (_sheet if _UNSEEN in os.environ else kept)(svg, width_px)


def _cached(make: Callable[P, Any]) -> Callable[P, bytes]:
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


def _sheet(svg: str, width_px: int) -> bytes:
    size = re.search(r'viewBox="\S+ \S+ ([\d.]+) ([\d.]+)"', svg)
    assert size, "every drawing says how large it is"
    told, out = PngImagePlugin.PngInfo(), BytesIO()
    told.add_text("of", hashlib.sha256(svg.encode()).hexdigest())
    height_px = max(1, round(width_px * float(size[2]) / float(size[1])))
    Image.new("P", (width_px, height_px)).save(out, "PNG", pnginfo=told)
    return out.getvalue()


@pytest.fixture(scope="module", autouse=True)
def skip_drawing() -> Iterator[None]:
    """Draw nothing in a file of tests. A file that looks at pictures overrides `skip_drawing`."""
    with without_drawing():
        yield


@contextmanager
def without_drawing() -> Iterator[None]:
    """Draw nothing inside the context."""
    if _UNSEEN in os.environ:
        yield
        return
    _forget()
    os.environ[_UNSEEN] = "yes"
    try:
        yield
    finally:
        del os.environ[_UNSEEN]
        _forget()


def stop_drawing() -> None:
    """Draw nothing in this process from now on, nor in those that it forks."""
    os.environ[_UNSEEN] = "yes"
    _forget()


def _forget() -> None:
    maps.map_picture.cache_clear()
    maps._chart_picture.cache_clear()  # the cache mixes real pictures with empty sheets


def end() -> None:
    """Delete the pictures."""
    shutil.rmtree(os.environ.pop(_PLACE))
