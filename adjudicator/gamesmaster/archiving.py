"""The archive of an installation, built where gm.toml says: by command, or after each turn."""

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

from adjudicator import __version__
from adjudicator.catalogue import sentence
from adjudicator.gamesmaster import exhibiting
from adjudicator.house import House
from adjudicator.site.building import Archive, Built
from adjudicator.site.game_page import Frame

LOCK = 0x7475_0005
"""The number under which workers agree who builds."""

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
    return partial(_keep, house, site.folder) if site and site.by_turns else None


def _keep(house: House, folder: Path) -> None:
    with house.database.alone(LOCK) as is_mine:
        if is_mine:
            built = build(house, folder)
            if built.made or built.gone:
                log.info(sentence("house.site.built", games=len(built.made), folder=str(folder)))


def build(house: House, folder: Path) -> Built:
    """Bring the archive in a folder up to date. Raises Refusal, or StoreFault."""
    site = house.settings.site
    frame = Frame(house.settings.name, site.url if site else "")
    with house.database.reading():
        marks, wanted = exhibiting.marks(house), exhibiting.wanted(house)
    return Archive(folder, frame, __version__).build(marks, partial(exhibiting.exhibit, house), wanted)
