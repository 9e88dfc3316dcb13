"""An installation moved into another database, and every game there played again."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import games
from adjudicator.clock import MINUTE, Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.service import Service
from adjudicator.storage import archive, metadata, moving, workers
from adjudicator.storage.database import Database, display_url, open_database
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.turns.grounds import verify_log

WORKER_ALIVE_FOR: Millis = 2 * MINUTE
"""Whoever was alive so lately may be so still."""

PROGRESS_EVERY: Millis = 20_000
SQLITE_SUFFIXES = (".db", ".sqlite")
"""How the name of a SQLite file ends that is not there yet."""


@dataclass(frozen=True)
class DatabaseCopy:
    """A finished copy: where to, how many rows, which games, and those whose log does not hold.

    resumed: how many rows were there from a first try.
    """

    to: str
    rows: int
    resumed: int
    games: tuple[str, ...]
    unproven: tuple[tuple[str, str], ...]


def move(
    house: Service,
    url: str,
    *,
    stopped: bool = False,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> DatabaseCopy:
    """Carry all books over into the database of that URL. What was broken off goes on where it was.

    stopped: that nobody serves, whatever the books say; tell: how many rows have come over, of how many.
    Raises Refusal for a target that holds something else, StoreFault for one that cannot be reached.
    """
    source = house.database
    url = _target(url)
    if url == house.settings.database:
        raise Refusal(display_url(url), "is where the books lie already", "name another database")
    alive = metadata.last_alive(source)
    if not stopped and alive is not None and house.clock.now() - alive < WORKER_ALIVE_FOR:
        seconds = (house.clock.now() - alive) // 1000
        raise Refusal(
            "gm serve",
            f"was alive {seconds} seconds ago: what it would write meanwhile would not come along",
            "stop it, and wait two minutes or say  --stopped",
        )
    target = open_database(url)
    with closing(target), _shut(house, display_url(url)) as show:
        return _into(house, target, url, tell, show)


def _target(url: str) -> str:
    """Return the database that was named, a file by its whole path. Raises Refusal for what seems a slip."""
    if "://" in url:
        return url
    file = Path(url)
    if file.exists() or (file.suffix in SQLITE_SUFFIXES and file.absolute().parent.is_dir()):
        return str(file.absolute())
    if not file.absolute().parent.is_dir():
        why, instead = f"there is no folder {file.parent}", "make it first"
    else:
        why, instead = "is neither a file nor the URL of a database", ""
    name = file.stem or "turnpost"
    raise Refusal(
        url,
        why,
        "; ".join(filter(None, (instead, f"write ./{name}.db or postgresql://user:password@host/{name}"))),
    )


@contextmanager
def _shut(house: Service, to: str) -> Iterator[Callable[[], None]]:
    """Keep everybody from serving from the books meanwhile. Yields what shows that the move still goes on.

    Whoever begins to serve notes that first and looks here then, so one of the two sees the other.
    """
    last = house.clock.now()
    moving.note_moving(house.database, to, last)

    def show() -> None:
        nonlocal last
        if (now := house.clock.now()) - last > PROGRESS_EVERY:
            moving.note_moving(house.database, to, now)
            last = now

    try:
        if at_work := workers.living_workers(house.database, house.clock.now()):
            raise Refusal("gm serve", f"is at work on these books: {', '.join(at_work)}", "stop it first")
        yield show
    finally:
        moving.note_moving(house.database, None, house.clock.now())


def _into(
    house: Service, target: Database, url: str, tell: Callable[[int, int], None], show: Callable[[], None]
) -> DatabaseCopy:
    source, name = house.database, display_url(url)
    origin = moving.origin_of(source)
    so_far = _begin_copy(target, origin, name)
    resumed, total = so_far.rows, moving.rows(source)
    try:
        for step in moving.carry(source, target, so_far):
            show()
            tell(step.rows, total)
    except WriteConflict as fault:
        raise Refusal(name, str(fault), "let that one end") from fault
    now, there = moving.sums(source, show), moving.sums(target, show)
    if differing := sorted(table for table in now if now[table] != there[table]):
        raise Refusal(
            name,
            f"holds something else than the books do, in {', '.join(differing)}: they were changed meanwhile",
            "stop  gm serve , empty that database, and begin again",
        )
    # From here on the copy is the one to serve from, and is known to be whole.
    moving.note_moved(source, name)
    moving.finish(target)
    unproved = tuple(_unproven_games(target))
    return DatabaseCopy(name, total, resumed, DatabaseRepository(target).games(), unproved)


def _begin_copy(target: Database, origin: str, name: str) -> moving.MoveProgress:
    so_far = moving.progress(target)
    if so_far is None and archive.is_fresh(target):
        return moving.begin(target, origin)
    if so_far is None:
        there = DatabaseRepository(target).games()
        what = f"the games {', '.join(there)}" if there else "letters or people"
        raise Refusal(name, f"holds books of its own, with {what}", "name a database that is empty")
    if so_far.origin != origin:
        raise Refusal(name, "holds a part of other books, that were to be moved there", "name an empty one")
    return so_far


def _unproven_games(target: Database) -> Iterator[tuple[str, str]]:
    """Yield the games whose log does not lead to where they stand, or that cannot be read, with the
    reason.
    """
    books = DatabaseRepository(target)
    for name in books.games():
        position, stuck = books.position(name), books.suspension(name)
        if position is None:
            yield name, stuck.why if stuck is not None else "it cannot be read"
            continue
        why = verify_log(games.kinds()[position.kind], position, partial(books.log, name))
        if why is not None:
            yield name, why


def stay(house: Service) -> None:
    """Serve from these books after all, though they were moved elsewhere."""
    moving.note_moved(house.database, None)
