"""Started games, made once per run and copied for every test that starts with them.

Starting a game writes a welcome to each of its players, which takes longer than most tests.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from adjudicator.storage import metadata
from tests.kit.pictures import without_drawing

if TYPE_CHECKING:
    from tests.kit.service_harness import LocalService

PLACE = "TURNPOST_CACHED_FOLDERS"
"""The variable with the folder of cached folders, for the processes that this one starts."""

PLANTED = "TURNPOST_PLANTED"
"""The variable that is set when faults are planted. Then a missing cached folder isn't stored for others."""

P = ParamSpec("P")


@dataclass(frozen=True)
class CachedFolder:
    """A folder with a started service, to be copied. begin: fills the folder.

    Its pictures aren't drawn.
    """

    begin: Callable[[Path], None]

    def folder(self) -> Path:
        """Return the folder, made once per run, or for one use if faults are planted and it is missing."""
        place = Path(os.environ[PLACE])
        cached = place / f"{self.begin.__module__}.{self.begin.__qualname__}"
        if cached.exists():
            return cached
        half = cached.with_name(f"{cached.name}.{os.getpid()}")
        with without_drawing():
            self.begin(half)
        return half if PLANTED in os.environ else _publish(half, cached)


_known: list[CachedFolder] = []

not_cached: list[str] = []
"""The services that were made again because their cached folder was missing when faults were planted."""


def cached_folder(beginning: Callable[[Path], None]) -> CachedFolder:
    """Return a cached folder from a function that fills a folder. Each test gets a copy."""
    _known.append(CachedFolder(beginning))
    return _known[-1]


def make_all() -> None:
    """Make all cached folders without faults, for the processes that plant faults."""
    with without_faults():
        for one in _known:
            one.folder()


@contextmanager
def without_faults() -> Iterator[None]:
    """Plant no fault inside the context, and store the folders made there for processes that plant faults."""
    planted = os.environ.pop(PLANTED)
    try:
        yield
    finally:
        os.environ[PLANTED] = planted


def begin() -> bool:
    """Start caching. Returns whether this process is the first, which has to call `end`."""
    is_first = PLACE not in os.environ
    if is_first:
        os.environ[PLACE] = tempfile.mkdtemp(prefix="cached-")
    return is_first


def end() -> None:
    """Delete the cached folders."""
    shutil.rmtree(os.environ.pop(PLACE))


def cached_beginning(
    beginning: Callable[Concatenate["LocalService", P], None],
) -> Callable[Concatenate["LocalService", P], None]:
    """Return a function whose work in a new service is done once for the same arguments, then copied.

    The function may only depend on the service and its arguments, and may only change the database and
    mailboxes. Any patches by its tests must be the same for all of them.
    """

    @wraps(beginning)
    def copy_or_begin(place: "LocalService", *given: P.args, **named: P.kwargs) -> None:
        how = f"{beginning.__module__}.{beginning.__qualname__}{given!r}{sorted(named.items())!r}"
        where = f"{place.clock.now()}{replace(place.service.service_context, key=b'')!r}"
        cached = Path(os.environ[PLACE]) / hashlib.sha256(f"{how}{where}".encode()).hexdigest()
        if place.service.repository.games():
            beginning(place, *given, **named)
        elif cached.exists():
            _copy_into(cached, place)
        else:
            beginning(place, *given, **named)
            if PLANTED in os.environ:
                not_cached.append(cached.name)
            else:
                _store(place, cached)

    return copy_or_begin


def _store(place: "LocalService", cached: Path) -> None:
    half = cached.with_suffix(f".{os.getpid()}")
    shutil.copytree(place.folder / "mail", half / "mail")
    place.let_go()
    for file in place.folder.glob("turnpost.db*"):
        shutil.copy2(file, half)
    place.hold()
    (half / "clock").write_text(str(place.clock.now()))
    _publish(half, cached)


def _publish(half: Path, cached: Path) -> Path:
    try:
        half.rename(cached)
    except OSError:  # another process was first
        shutil.rmtree(half)
    return cached


def _copy_into(cached: Path, place: "LocalService") -> None:
    place.let_go()
    for file in place.folder.glob("turnpost.db*"):
        file.unlink()
    for file in cached.glob("turnpost.db*"):
        shutil.copy2(file, place.folder)
    place.hold()
    shutil.copytree(cached / "mail", place.folder / "mail", dirs_exist_ok=True)
    # The service reads the key that signs the emails in the cached folder when it opens its database.
    with place.service.database.session():
        key = metadata.service_key(place.service.database)
    place.service = replace(place.service, service_context=replace(place.service.service_context, key=key))
    place.clock.advance(int((cached / "clock").read_text()) - place.clock.now())
