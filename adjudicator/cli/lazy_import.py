"""Lazy imports, so that a command loads only the modules that it uses.

A module imported as a module, ``from adjudicator.inbound import filing``, is found at once and executed at
the first access to one of its names. ``from adjudicator.inbound.filing import Filed`` executes it
immediately.
"""

# Rule 1: only the process of `gm` loads lazily, and only our modules and those in STANDARD and LIBRARIES.
# Rule 2: call `all_loaded` before starting a second thread. It loads what most emails need.
# Rule 3: the first thread that needs a lazy module executes it, and other threads wait. Two lazy modules
# mustn't need each other: none of ours do, and of each library only one module is lazy.

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.abc import Loader

ROOTS: Final = ("adjudicator.", "orders.", "games.")
EAGER_PACKAGE: Final = "adjudicator.cli."
STANDARD: Final = frozenset(
    {
        *("calendar", "email.header", "hashlib", "hmac", "html", "random", "secrets", "shlex", "shutil"),
        "importlib.metadata",
        *("socket", "subprocess", "tempfile", "textwrap", "traceback", "zipfile"),
    }
)
"""Modules of Python's library that are imported for rare uses, and are lazy like our modules."""
LIBRARIES: Final = frozenset(
    {"jinja2", "rich.box", "rich.console", "rich.pager", "rich.progress", "rich.table", "rich.text"}
)
RESTING: Final = frozenset(
    {
        *("adjudicator.daemon.metrics", "adjudicator.mail.imap", "adjudicator.mail.local_server"),
        *("adjudicator.storage.migrating", "rapidfuzz", "css_inline", "resvg_py"),
        *("PIL.Image", "PIL.ImageDraw"),
    }
)
"""Modules that stay lazy in a service, which may never need them: a dozen megabytes with their imports."""
_LAZY_OTHERS: Final = LIBRARIES | STANDARD


class LazyModule(ModuleType):
    """A module that was found, and is executed at the first access to one of its names."""

    def __getattribute__(self, name: str) -> Any:
        """Execute the module, except for an access to its description."""
        if name not in ("__spec__", "__class__"):
            spec = object.__getattribute__(self, "__spec__")
            if isinstance(spec.loader, LazyLoader):
                spec.loader.execute(self, spec)
        return ModuleType.__getattribute__(self, name)


class LazyLoader:
    """Loads a module at its first use, once for all threads."""

    def __init__(self, loader: "Loader") -> None:
        self._loader = loader
        self._lock, self._begun = RLock(), False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module unexecuted."""
        module.__class__ = LazyModule

    def execute(self, module: ModuleType, spec: ModuleSpec) -> None:
        """Execute the module, unless it was executed, or is being executed and accesses itself."""
        with self._lock:
            if self._begun:
                return
            self._begun = True
            try:
                self._loader.exec_module(module)
            except BaseException:
                self._begun = False
                raise
            spec.loader, module.__loader__ = self._loader, self._loader
            module.__class__ = ModuleType


class OnDemand:
    """Finds our modules as usual, but delays their execution."""

    def __init__(self) -> None:
        # This is no MetaPathFinder: just for that name, importlib.abc would load resources, tempfile and
        # random.
        self.waits = True
        self.spared: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's place with a lazy loader, or None for a module that isn't lazy."""
        if fullname in self.spared:
            raise ModuleNotFoundError(f"{fullname} is not needed", name=fullname)
        ours = fullname.startswith(ROOTS) and not fullname.startswith(EAGER_PACKAGE)
        if fullname not in RESTING and (not self.waits or (not ours and fullname not in _LAZY_OTHERS)):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return spec
        if not ours or spec.submodule_search_locations is None:
            spec.loader = LazyLoader(spec.loader)  # type: ignore[assignment]  # it is asked no more than this
        return spec


def begin() -> None:
    """Load lazily from now on."""
    if not _here():
        sys.meta_path.insert(0, OnDemand())


def spare(library: str) -> None:
    """Prevent imports of a library, so that other libraries do without it. Only if nothing needs it later."""
    for finder in _here():
        finder.spared.add(library)


def want(library: str) -> None:
    """Allow imports of the library again."""
    for finder in _here():
        finder.spared.discard(library)


def all_loaded() -> None:
    """Load our lazy modules and Python's, and load all further ones at once, except those in RESTING."""
    for finder in _here():
        finder.waits = False
    for name, module in list(sys.modules.items()):
        if (name.startswith(ROOTS) or name in STANDARD) and name not in RESTING:
            vars(module)


def _here() -> list[OnDemand]:
    return [finder for finder in sys.meta_path if isinstance(finder, OnDemand)]
