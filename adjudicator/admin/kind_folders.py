"""The folders of data that the kinds of games are made of: kept in a backup, and put back."""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import games
from adjudicator.service import Service
from adjudicator.storage.archive import Folder
from adjudicator.storage.stored_games import kinds_on_the_books
from games.data import contents


def folders_in_use(house: Service) -> tuple[Folder, ...]:
    """Return the data folders of each kind of which there is a game, or one open for players; each once."""
    waiting = (offer.kind for offer in house.books.people.offers())
    kinds = sorted({*kinds_on_the_books(house.database), *waiting} & set(games.kinds()))
    places = dict.fromkeys(
        (game.package, folder) for game in map(games.kinds().__getitem__, kinds) for folder in game.folders
    )
    return tuple(Folder(package, folder, contents(package, folder)) for package, folder in places)


def restore_folders(folders: Iterable[Folder], beside: Path) -> tuple[str, ...]:
    """Write folders where they are missing. Returns a sentence about each, if there is anything to say.

    beside: where they go that cannot be written where they belong.
    """
    return tuple(note for folder in folders if (note := _put(folder, beside)))


def _put(folder: Folder, beside: Path) -> str | None:
    try:
        package = resources.files(folder.package)
    except ModuleNotFoundError:
        spare = _beside(folder, beside / folder.package)
        return f"there is no package {folder.package} here, to which {spare} belongs"
    home = Path(str(package)).joinpath(*folder.path.split("/"))
    if home.is_dir():
        same = contents(folder.package, folder.path) == dict(folder.files)
        return None if same else f"{home} is another here than in the backup, and stays: see  gm doctor"
    try:
        _write(folder, home)
    except OSError as fault:
        spare = _beside(folder, beside)
        return f"{home} cannot be written ({fault.strerror}): it is in {spare}; put it there yourself"
    return f"{home} was missing, and is there again: start  gm serve  anew"


def _beside(folder: Folder, beside: Path) -> Path:
    spare = beside / folder.path.rpartition("/")[2]
    if not spare.exists():
        _write(folder, spare)
    return spare


def _write(folder: Folder, home: Path) -> None:
    """All of it or nothing."""
    home.parent.mkdir(parents=True, exist_ok=True)
    made = Path(mkdtemp(prefix=".", dir=home.parent))
    try:
        for name, content in folder.files.items():
            (made / name).write_bytes(content)
        made.chmod(0o755)
        made.rename(home)
    except OSError:
        rmtree(made, ignore_errors=True)
        raise
