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
from tests.kit.pictures import looked_at_by_nobody

if TYPE_CHECKING:
    from tests.kit.service_harness import Town

PLACE = "TURNPOST_MOULDS"
"""The folder of moulds, told to the processes that this one begins."""

PLANTED = "TURNPOST_PLANTED"
"""Set where faults are planted: what begins there is copied from others, and by nobody."""

P = ParamSpec("P")


@dataclass(frozen=True)
class Mould:
    """A folder in which something has begun, to be copied. begin: does so, in a folder that it makes.

    Its pictures are drawn by nobody.
    """

    begin: Callable[[Path], None]

    def laid_out(self) -> Path:
        """Where it lies: begun once in a run. Where faults are planted and it is not there, begun for one."""
        place = Path(os.environ[PLACE])
        mould = place / f"{self.begin.__module__}.{self.begin.__qualname__}"
        if mould.exists():
            return mould
        half = mould.with_name(f"{mould.name}.{os.getpid()}")
        with looked_at_by_nobody():
            self.begin(half)
        return half if PLANTED in os.environ else _whole(half, mould)


_known: list[Mould] = []

missed: list[str] = []
"""What began here, where faults are planted, because it was not laid out."""


def mould(beginning: Callable[[Path], None]) -> Mould:
    """What begins something in a folder of its own, of which each test takes a copy."""
    _known.append(Mould(beginning))
    return _known[-1]


def lay_out() -> None:
    """Begin soundly what the tests at hand have moulds of, for those in whom faults are planted."""
    with soundly():
        for one in _known:
            one.laid_out()


@contextmanager
def soundly() -> Iterator[None]:
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
        os.environ[PLACE] = tempfile.mkdtemp(prefix="moulds-")
    return is_first


def end() -> None:
    """Throw the moulds away."""
    shutil.rmtree(os.environ.pop(PLACE))


def moulded(beginning: Callable[Concatenate["Town", P], None]) -> Callable[Concatenate["Town", P], None]:
    """What begins something in a town, done once for each way of asking for it, where nothing has begun yet.

    It has to depend on the town and on what it is told alone, and to leave all it does on the books and in
    mailboxes. Whatever its tests patch beforehand is the same for all of them.
    """

    @wraps(beginning)
    def begun(place: "Town", *said: P.args, **named: P.kwargs) -> None:
        how = f"{beginning.__module__}.{beginning.__qualname__}{said!r}{sorted(named.items())!r}"
        where = f"{place.clock.now()}{replace(place.house.office, key=b'')!r}"
        mould = Path(os.environ[PLACE]) / hashlib.sha256(f"{how}{where}".encode()).hexdigest()
        if place.house.books.games():
            beginning(place, *said, **named)
        elif mould.exists():
            _lay_out(mould, place)
        else:
            beginning(place, *said, **named)
            if PLANTED in os.environ:
                missed.append(mould.name)
            else:
                _keep(place, mould)

    return begun


def _keep(place: "Town", mould: Path) -> None:
    half = mould.with_suffix(f".{os.getpid()}")
    shutil.copytree(place.folder / "mail", half / "mail")
    place.let_go()
    for file in place.folder.glob("turnpost.db*"):
        shutil.copy2(file, half)
    place.hold()
    (half / "clock").write_text(str(place.clock.now()))
    _whole(half, mould)


def _whole(half: Path, mould: Path) -> Path:
    try:
        half.rename(mould)
    except OSError:  # another process was first
        shutil.rmtree(half)
    return mould


def _lay_out(mould: Path, place: "Town") -> None:
    place.let_go()
    for file in place.folder.glob("turnpost.db*"):
        file.unlink()
    for file in mould.glob("turnpost.db*"):
        shutil.copy2(file, place.folder)
    place.hold()
    shutil.copytree(mould / "mail", place.folder / "mail", dirs_exist_ok=True)
    # The key that the letters in the mould are signed with is read when a service opens its books.
    with place.house.database.session():
        key = metadata.service_key(place.house.database)
    place.house = replace(place.house, office=replace(place.house.office, key=key))
    place.clock.advance(int((mould / "clock").read_text()) - place.clock.now())
