"""The archive of an installation, built where gm.toml says: by command, or after each turn."""

import gc
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

from adjudicator import __version__
from adjudicator.catalogue import sentence
from adjudicator.gamesmaster import exhibiting
from adjudicator.house import House, open_house
from adjudicator.settings.service import load_settings
from adjudicator.site.building import Archive, Built
from adjudicator.site.game_page import Frame
from adjudicator.site.shelves import Shelved

LOCK = 0x7475_0005
"""The number under which workers agree who builds."""

MUCH = 12
"""From so many games on it is worth while to begin further processes."""

log = logging.getLogger(__name__)


def folder_of(house: House, asked: Path | None = None) -> Path:
    """Where the archive is built: where it is asked for, where gm.toml says, or in a folder beside that."""
    if asked is not None:
        return asked.resolve()
    site = house.settings.site
    return site.folder if site else house.settings.file.parent / "site"


def keeping(house: House) -> Callable[[], object] | None:
    """What keeps the archive up to date while the service runs; None where gm.toml does not want it."""
    site = house.settings.site
    return partial(_keep, house, archive_of(house, site.folder)) if site and site.by_turns else None


def _keep(house: House, archive: Archive) -> None:
    with house.database.alone(LOCK) as is_mine:
        if is_mine:
            built = renew(house, archive)
            if built.made or built.gone:
                log.info(sentence("house.site.built", games=len(built.made), folder=str(archive.folder)))


def archive_of(house: House, folder: Path) -> Archive:
    """The archive in a folder."""
    site = house.settings.site
    return Archive(folder, Frame(house.settings.name, site.url if site else ""), __version__)


def build(house: House, folder: Path, jobs: int = 1) -> Built:
    """Bring the archive in a folder up to date, as `renew` does."""
    return renew(house, archive_of(house, folder), jobs)


def renew(house: House, archive: Archive, jobs: int = 1) -> Built:
    """Bring an archive up to date. jobs: so many processes do it, where there is much to do.

    Raises Refusal, or StoreFault.
    """
    with house.database.reading():
        marks, wanted = exhibiting.marks(house), exhibiting.wanted(house)
    return archive.build(marks, partial(_shelve, house, archive, jobs), wanted)


def _shelve(
    house: House, archive: Archive, jobs: int, stale: Mapping[str, str]
) -> Iterator[tuple[str, Shelved, int]]:
    if jobs == 1 or len(stale) < MUCH:
        yield from (_made(house, archive, name, mark) for name, mark in stale.items())
        return
    hand = partial(_put, house.settings.file, archive.folder)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as workers:
        yield from workers.map(hand, stale.items(), chunksize=4)


def _put(file: Path, folder: Path, named: tuple[str, str]) -> tuple[str, Shelved, int]:
    """What another process does: a game, by its name and mark."""
    house = _opened(file)
    return _made(house, archive_of(house, folder), *named)


def _made(house: House, archive: Archive, name: str, mark: str) -> tuple[str, Shelved, int]:
    with _undisturbed():
        return archive.put(exhibiting.exhibit(house, name), mark)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without a search for garbage: there is none until a game is written, and it takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@cache
def _opened(file: Path) -> House:
    return open_house(load_settings(file))
