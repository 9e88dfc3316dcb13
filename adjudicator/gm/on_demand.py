"""Modules on demand: a command that is called pays only for what it asks.

What is imported as a module, ``from adjudicator.clerk import filing``, is found at once and executed when
something of it is first asked for. ``from adjudicator.clerk.filing import Filed`` asks for it there and then.
"""

# Rule 1: only the process of `gm` loads on demand, and only what is ours or in LIBRARIES.
# Rule 2: before a second thread begins, `all_loaded` has been called: two must not load one module.

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final

ROOTS: Final = ("adjudicator.", "orders.", "games.")
AT_ONCE: Final = "adjudicator.gm."
LIBRARIES: Final = frozenset(
    {"jinja2", "rich.box", "rich.console", "rich.pager", "rich.progress", "rich.table", "rich.text"}
)


class OnDemand:
    """Finds our modules as ever, and has them executed when they are asked for something."""

    def __init__(self) -> None:
        # No MetaPathFinder: for that name alone importlib.abc brings resources, temporary files and dice.
        self.waits = True
        self.spared: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's place, with a loader that waits; None for what is no business of ours."""
        if fullname in self.spared:
            raise ModuleNotFoundError(f"{fullname} is not needed", name=fullname)
        ours = fullname.startswith(ROOTS) and not fullname.startswith(AT_ONCE)
        if not self.waits or (not ours and fullname not in LIBRARIES):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return spec
        if not ours or spec.submodule_search_locations is None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def begin() -> None:
    """Load on demand from now on."""
    if not _here():
        sys.meta_path.insert(0, OnDemand())


def spare(library: str) -> None:
    """Let no library load that one on: others that try to, do without. Only where it is not needed later."""
    for finder in _here():
        finder.spared.add(library)


def all_loaded() -> None:
    """Load what waits of ours, and everything at once from now on; LIBRARIES are for this thread alone."""
    for finder in _here():
        finder.waits = False
    for name, module in list(sys.modules.items()):
        if name.startswith(ROOTS):
            vars(module)


def _here() -> list[OnDemand]:
    return [finder for finder in sys.meta_path if isinstance(finder, OnDemand)]
