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
from adjudicator.admin import website
from adjudicator.config.service import load_settings
from adjudicator.messages import sentence
from adjudicator.service import Service, open_service
from adjudicator.website.archive_entry import ArchiveEntry
from adjudicator.website.build import Archive, ArchiveBuild
from adjudicator.website.game_page import PageFrame

ARCHIVE_LOCK = 0x7475_0005
"""The number under which workers agree who builds."""

MIN_GAMES_FOR_PROCESSES = 12
"""From so many games on it is worth while to begin further processes."""

log = logging.getLogger(__name__)


def folder_of(house: Service, asked: Path | None = None) -> Path:
    """Where the archive is built: where it is asked for, where gm.toml says, or in a folder beside that."""
    if asked is not None:
        return asked.resolve()
    site = house.settings.site
    return site.folder if site else house.settings.file.parent / "site"


def archive_task(house: Service) -> Callable[[], object] | None:
    """Return the task that keeps the archive up to date while the service runs; None if gm.toml has none."""
    site = house.settings.site
    return partial(_keep, house, archive_of(house, site.folder)) if site and site.by_turns else None


def _keep(house: Service, archive: Archive) -> None:
    with house.database.exclusive_lock(ARCHIVE_LOCK) as is_mine:
        if is_mine:
            built = renew(house, archive)
            if built.made or built.gone:
                log.info(sentence("house.site.built", games=len(built.made), folder=str(archive.folder)))


def archive_of(house: Service, folder: Path) -> Archive:
    """The archive in a folder."""
    site = house.settings.site
    return Archive(folder, PageFrame(house.settings.name, site.url if site else ""), __version__)


def build(house: Service, folder: Path, jobs: int = 1) -> ArchiveBuild:
    """Bring the archive in a folder up to date, as `renew` does."""
    return renew(house, archive_of(house, folder), jobs)


def renew(house: Service, archive: Archive, jobs: int = 1) -> ArchiveBuild:
    """Bring an archive up to date. jobs: so many processes do it, where there is much to do.

    Raises Refusal, or StoreFault.
    """
    with house.database.reading():
        marks, wanted = website.change_marks(house), website.games_with_free_seats(house)
    return archive.build(marks, partial(_shelve, house, archive, jobs), wanted)


def _shelve(
    house: Service, archive: Archive, jobs: int, stale: Mapping[str, str]
) -> Iterator[tuple[str, ArchiveEntry, int]]:
    if jobs == 1 or len(stale) < MIN_GAMES_FOR_PROCESSES:
        yield from (_write_entry(house, archive, name, mark) for name, mark in stale.items())
        return
    hand = partial(_put, house.settings.file, archive.folder)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as workers:
        yield from workers.map(hand, stale.items(), chunksize=4)


def _put(file: Path, folder: Path, named: tuple[str, str]) -> tuple[str, ArchiveEntry, int]:
    """Write a game, by its name and mark, to the archive; run in another process."""
    house = _open_service(file)
    return _write_entry(house, archive_of(house, folder), *named)


def _write_entry(house: Service, archive: Archive, name: str, mark: str) -> tuple[str, ArchiveEntry, int]:
    with _garbage_collection_off():
        return archive.put(website.exhibit(house, name), mark)


@contextmanager
def _garbage_collection_off() -> Iterator[None]:
    """Turn garbage collection off: there is no garbage until a game is written, and a search takes long."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@cache
def _open_service(file: Path) -> Service:
    return open_service(load_settings(file))
