"""Games that have begun: begun once in a run, and copied for every test that begins alike.

To begin a game writes a welcome to each of its people, which takes longer than most of what is tested then.
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
"""The folder of cached folders, passed to the processes that this one starts."""

PLANTED = "TURNPOST_PLANTED"
"""Set where faults are planted: what begins there is copied from others, and by nobody."""

P = ParamSpec("P")


@dataclass(frozen=True)
class CachedFolder:
    """A folder in which something has begun, to be copied. begin: does so, in a folder that it makes.

    Its pictures are drawn by nobody.
    """

    begin: Callable[[Path], None]

    def folder(self) -> Path:
        """Where it lies: begun once in a run. Where faults are planted and it is not there, begun for one."""
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
"""What began here, where faults are planted, because it was not laid out."""


def cached_folder(beginning: Callable[[Path], None]) -> CachedFolder:
    """Return what begins something in a folder of its own, of which each test takes a copy."""
    _known.append(CachedFolder(beginning))
    return _known[-1]


def make_all() -> None:
    """Make all cached folders without faults, for the processes in which faults are planted."""
    with without_faults():
        for one in _known:
            one.folder()


@contextmanager
def without_faults() -> Iterator[None]:
    """While it lasts no fault is planted, and what begins is laid out for those in whom faults are."""
    planted = os.environ.pop(PLANTED)
    try:
        yield
    finally:
        os.environ[PLANTED] = planted


def begin() -> bool:
    """From now on lay games out once. Whether this process is the first, who has to `end` it."""
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

    It has to depend on the service and on what it is told alone, and to leave all it does on the books and in
    mailboxes. Whatever its tests patch beforehand is the same for all of them.
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
    # The key that the letters in the cached folder are signed with is read when a service opens its books.
    with place.service.database.session():
        key = metadata.service_key(place.service.database)
    place.service = replace(place.service, service_context=replace(place.service.service_context, key=key))
    place.clock.advance(int((cached / "clock").read_text()) - place.clock.now())
