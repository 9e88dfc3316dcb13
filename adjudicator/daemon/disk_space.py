"""Checks of the disks on which the service writes: how much is free, also for a database server."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from adjudicator.config.servers import MaildirAt
from adjudicator.daemon.findings import Finding, Grade
from adjudicator.errors import StoreFault
from adjudicator.service import Service
from adjudicator.storage import growth

LITTLE_BYTES, TOO_LITTLE_BYTES = 1_000_000_000, 100_000_000


def disk_space(house: Service) -> Iterator[Finding]:
    """Say how much room is left: a finding for each disk, and for a database on a server. Raises no Fault."""
    if house.database.is_shared:
        yield _server_space(house)
    seen: set[int] = set()
    for folder in written_folders(house):
        try:
            device, free = folder.stat().st_dev, shutil.disk_usage(folder).free
        except OSError:
            continue  # said of the files
        if device not in seen:
            seen.add(device)
            yield _folder_space(folder, free)


def written_folders(house: Service) -> list[Path]:
    """Return the folders in which the service writes: that of a database in a file, and its Maildirs."""
    settings = house.settings
    folders = [] if house.database.is_shared else [Path(settings.database).parent]
    places = (settings.inbox, *settings.also, settings.outbox)
    return [*folders, *(at.path for at in places if isinstance(at, MaildirAt))]


def _folder_space(folder: Path, free: int) -> Finding:
    text = f"{free / 1e9:.1f} GB are free on the disk of {folder}"
    if free >= LITTLE_BYTES:
        return Finding("disk", "good", text)
    grade: Grade = "bad" if free < TOO_LITTLE_BYTES else "odd"
    return Finding("disk", grade, text, "Make room. On a full disk we can't keep emails.")


def _server_space(house: Service) -> Finding:
    try:
        growth.try_to_grow(house.database)
    except StoreFault as fault:
        instead = "Make room where PostgreSQL keeps its files. Until then we can't keep emails or play turns."
        return Finding("disk", "bad", f"the database takes nothing new: {fault.why}", instead)
    return Finding("disk", "good", "the database server has room for new emails")
