"""A whole installation in one file, and back: books, secrets, gm.toml, variants."""

from dataclasses import dataclass
from pathlib import Path

from adjudicator import __version__
from adjudicator.clock import moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import kind_folders
from adjudicator.house import House
from adjudicator.store import archive


@dataclass(frozen=True)
class Kept:
    """What a backup holds: its file, when and for which address it was made, how many rows, its games.

    told: what is to be said of the folders of data that those need.
    """

    file: Path
    made: str
    address: str
    rows: int
    games: tuple[str, ...]
    told: tuple[str, ...] = ()


def back_up(house: House, file: Path | None) -> Kept:
    """Write everything into a new file, named after the instant if not otherwise."""
    made = moment(house.clock.now())
    file = file or Path(f"turnpost-{made:%Y%m%d-%H%M%S}.backup")
    label = {
        "made": made.isoformat(timespec="seconds"),
        "address": house.settings.address,
        "program": __version__,
        "config": house.settings.file.read_text(encoding="utf-8"),
    }
    games, folders = house.books.games(), kind_folders.needed(house)
    rows = archive.save(house.database, file, label, folders)
    return Kept(file, label["made"], label["address"], rows, games)


def config_of(file: Path, to: Path) -> None:
    """Write the gm.toml of a backup where none is. Raises Refusal."""
    label = archive.label_of(file)
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.touch(mode=0o600, exist_ok=False)
        to.write_text(label["config"], encoding="utf-8")
    except OSError as fault:
        raise Refusal(str(to), f"cannot be written: {fault.strerror}") from fault


def take_up(house: House, file: Path) -> Kept:
    """Put what a backup holds in the place of all that is on the books."""
    label = archive.label_of(file)
    rows = archive.restore(house.database, file, house.clock.now())
    beside = house.settings.file.parent / "variants-of-the-backup"
    told = kind_folders.put_back(archive.folders_of(file), beside)
    return Kept(file, label["made"], label["address"], rows, house.books.games(), told)
