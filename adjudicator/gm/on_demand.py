"""Modules on demand: a command that is called pays only for what it asks.

What is imported as a module, ``from adjudicator.clerk import filing``, is found at once and executed when
something of it is first asked for. ``from adjudicator.clerk.filing import Filed`` asks for it there and then.
"""

# Rule 1: only the process of `gm` loads on demand, and only what is ours or in LIBRARIES.
# Rule 2: before a second thread begins, `all_loaded` has been called: two must not load one module.

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Final

ROOTS: Final = ("adjudicator.", "orders.", "games.")
AT_ONCE: Final = "adjudicator.gm."
LIBRARIES: Final = frozenset(
    {"jinja2", "rich.box", "rich.console", "rich.progress", "rich.table", "rich.text"}
)


class OnDemand(MetaPathFinder):
    """Finds our modules as ever, and has them executed when they are asked for something."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module's place, with a loader that waits; None for what is no business of ours."""
        ours = fullname.startswith(ROOTS) and not fullname.startswith(AT_ONCE)
        if not ours and fullname not in LIBRARIES:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return spec
        if not ours or spec.submodule_search_locations is None:
            spec.loader = LazyLoader(spec.loader)
        return spec


def begin() -> None:
    """Load on demand from now on."""
    if not any(isinstance(finder, OnDemand) for finder in sys.meta_path):
        sys.meta_path.insert(0, OnDemand())


def all_loaded() -> None:
    """Load what waits, and everything at once from now on."""
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, OnDemand)]
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            vars(module)
