"""Modules on demand: a command that is called pays only for what it asks.

What is imported as a module, ``from adjudicator.inbound import filing``, is found at once and executed when
something of it is first asked for. ``from adjudicator.inbound.filing import Filed`` asks for it there and
then.
"""

# Rule 1: only the process of `gm` loads on demand, and only what is ours, in STANDARD or in LIBRARIES.
# Rule 2: before a second thread begins, `all_loaded` has been called: what most letters need is there.
# Rule 3: what waits still is executed by the first thread that asks, and others wait for it. No two that
#         wait may need each other: of ours none do, and of a library one module alone waits.

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
        *("socket", "subprocess", "tempfile", "textwrap", "traceback", "zipfile"),
    }
)
"""Of Python's own, what is imported for the sake of what is seldom done: waits as our modules do."""
LIBRARIES: Final = frozenset(
    {"jinja2", "rich.box", "rich.console", "rich.pager", "rich.progress", "rich.table", "rich.text"}
)
RESTING: Final = frozenset(
    {
        *("adjudicator.daemon.metrics", "adjudicator.mail.imap", "adjudicator.mail.local_server"),
        *("adjudicator.storage.migrating", "orders.spelling_distance", "css_inline", "resvg_py", "PIL.Image"),
    }
)
"""What waits in a service, too, since it may never need it: with what it loads, a dozen megabytes."""
_LAZY_OTHERS: Final = LIBRARIES | STANDARD


class LazyModule(ModuleType):
    """A module that was found, and is executed when something of it is first asked for."""

    def __getattribute__(self, name: str) -> Any:
        """Execute it, but for who only asks what it is."""
        if name not in ("__spec__", "__class__"):
            spec = object.__getattribute__(self, "__spec__")
            if isinstance(spec.loader, LazyLoader):
                spec.loader.execute(self, spec)
        return ModuleType.__getattribute__(self, name)


class LazyLoader:
    """Loads a module when it is asked for something: once, whoever asks."""

    def __init__(self, loader: "Loader") -> None:
        self._loader = loader
        self._lock, self._begun = RLock(), False

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Leave it waiting."""
        module.__class__ = LazyModule

    def execute(self, module: ModuleType, spec: ModuleSpec) -> None:
        """Execute it, unless it was; or is being executed, and asks for something of its own."""
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
    """Load on demand from now on."""
    if not _here():
        sys.meta_path.insert(0, OnDemand())


def spare(library: str) -> None:
    """Let no library load that one on: others that try to, do without. Only where it is not needed later."""
    for finder in _here():
        finder.spared.add(library)


def want(library: str) -> None:
    """Let it be loaded after all."""
    for finder in _here():
        finder.spared.discard(library)


def all_loaded() -> None:
    """Load what waits of ours and of Python's own, and everything at once from now on; but for RESTING."""
    for finder in _here():
        finder.waits = False
    for name, module in list(sys.modules.items()):
        if (name.startswith(ROOTS) or name in STANDARD) and name not in RESTING:
            vars(module)


def _here() -> list[OnDemand]:
    return [finder for finder in sys.meta_path if isinstance(finder, OnDemand)]
