"""Results of long computations about a board's drawing: shipped with the package, or kept on disk.

The shipped files are in the folder `layouts`, one for each of our own boards and scales. Each has a digest of
the code that computed it. If that code is changed, the file isn't used. To write the files again, run
`pytest tests/games/diplomacy/test_layouts.py --write-golden`.
"""

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any, TypeVar

from games import data
from games.record import Malformed, canonical, load, revive

LayoutT = TypeVar("LayoutT")

_PACKAGE = "games.diplomacy.map"
_MODULES = ("dislodged_places", "labels", "layouts", "line_routing", "outlines", "terrain")
"""The modules that decide on layouts, in this package."""


def kept_layout(name: str, kind: Any, key: bytes, compute: Callable[[], LayoutT]) -> LayoutT:
    """Return a result of a pure function: the shipped one, the one on disk, or a new one, which is kept.

    kind: the type of the result. key: all that the result depends on, but the code.
    """
    shipped: LayoutT | None = shipped_layout(name, kind, key)
    if shipped is not None:
        return shipped
    kept_name = sha256(f"{layout_code()} {name} ".encode() + key).hexdigest()
    kept = data.read_result(kept_name)
    if kept is not None:
        try:
            layout: LayoutT = load(kind, kept)
        except Malformed:
            pass  # a damaged file: it is written again
        else:
            return layout
    layout = compute()
    data.keep_result(kept_name, canonical(layout))
    return layout


def shipped_layout(name: str, kind: Any, key: bytes) -> Any:
    """Return a result that is shipped with the package, or None."""
    shipped = _shipped_layouts(key)
    return revive(kind, shipped[name]) if name in shipped else None


def layout_file(key: bytes) -> str:
    """Return the path of the file for the layouts of a board, in this package."""
    return f"layouts/{sha256(key).hexdigest()[:16]}.json"


@cache
def layout_code() -> str:
    """Return a digest of the code that computes layouts, or an empty text if it isn't installed as source."""
    names = [f"{module}.py" for module in _MODULES]
    if not all(data.exists(_PACKAGE, name) for name in names):
        return ""
    return sha256("".join(data.read_text(_PACKAGE, name) for name in names).encode()).hexdigest()


@lru_cache(maxsize=1)
def _shipped_layouts(key: bytes) -> Mapping[str, Any]:
    """Return the shipped layouts of a board by name. There are none for other boards and for other code."""
    file = layout_file(key)
    if not data.exists(_PACKAGE, file):
        return {}
    layouts: Mapping[str, Any] = data.read_json(_PACKAGE, file)
    return layouts if layouts["code"] == layout_code() else {}
