"""The archive of an installation, built where gm.toml says: by command, or after each turn."""

from functools import partial
from pathlib import Path

from adjudicator import __version__
from adjudicator.gamesmaster import exhibiting
from adjudicator.house import House
from adjudicator.site.building import Archive, Built
from adjudicator.site.game_page import Frame


def folder_of(house: House, asked: Path | None = None) -> Path:
    """Where the archive is built: where it is asked for, where gm.toml says, or in a folder beside that."""
    if asked is not None:
        return asked.resolve()
    site = house.settings.site
    return site.folder if site else house.settings.file.parent / "site"


def build(house: House, folder: Path) -> Built:
    """Bring the archive in a folder up to date. Raises Refusal, or StoreFault."""
    site = house.settings.site
    frame = Frame(house.settings.name, site.url if site else "")
    with house.database.reading():
        marks, wanted = exhibiting.marks(house), exhibiting.wanted(house)
    return Archive(folder, frame, __version__).build(marks, partial(exhibiting.exhibit, house), wanted)
