"""Finished games, and their archive."""

import shutil
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, website
from adjudicator.clock import DAY, ManualClock
from adjudicator.config.service import load_settings
from adjudicator.service import Service, open_service
from adjudicator.website.build import PLATES
from tests.kit import cached_services, pictures
from tests.kit.service_harness import create_database

CONFIG = """\
[service]
address = "gm@example.org"
name = "The Reading Room"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""
START = 1_767_636_000_000
TURNS = 4
"""The number of turns in the common game."""


@dataclass(frozen=True)
class Room:
    """A service with a manual clock, and its archive."""

    folder: Path
    service: Service
    clock: ManualClock

    def begin(
        self, kind: str, name: str, turns: int = 0, options: dict[str, str] | None = None, **people: str
    ) -> None:
        """Start a game with players on some of its seats, and run some turns."""
        game_admin.new_game(
            self.service, game_admin.GameRequest(kind, name, options=options or {}), secret=b"s" * 32
        )
        for seat, address in people.items():
            game_admin.assign(self.service, name, seat, address)
        for _ in range(turns):
            self.play(name)

    def play(self, name: str) -> None:
        """Run a turn of a game, a day later."""
        self.clock.advance(DAY)
        game_admin.play_now(self.service, name)

    def build(self, folder: Path | None = None) -> website.ArchiveBuild:
        """Build the archive."""
        return website.build(self.service, folder or self.site)

    @property
    def site(self) -> Path:
        """The archive's folder."""
        return self.folder / "site"

    def page(self, name: str, file: str = "index.html") -> str:
        """Return a file of a game."""
        return (self.site / "games" / name / file).read_text(encoding="utf-8")

    def files(self, folder: Path | None = None) -> dict[str, bytes]:
        """Return all files of the archive, by their names in it."""
        there = folder or self.site
        return {str(one.relative_to(there)): one.read_bytes() for one in there.rglob("*") if one.is_file()}

    @property
    def text(self) -> str:
        """All text of the archive, including its own data."""
        files = self.files()
        return "\n".join(
            (zlib.decompress(raw) if PLATES in name else raw).decode() for name, raw in files.items()
        )


def room_in(folder: Path, more: str = "") -> Iterator[Room]:
    """Open a service in a folder. more: further lines of its gm.toml."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gm.toml").write_text(CONFIG + more)
    create_database(folder)
    clock = ManualClock(START)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    try:
        # The files stay open: opening them for each query took an eighth of the time.
        with service.database.session():
            yield Room(folder, service, clock)
    finally:
        service.database.close()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    """A service without a game."""
    yield from room_in(tmp_path / "service")


@cached_services.cached_folder
def played(folder: Path) -> None:
    """Make a service with a game of Diplomacy of four turns."""
    for room in room_in(folder):
        room.begin("standard", "vienna", TURNS)


@pytest.fixture(scope="module")
def vienna(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A service with the game vienna, and its archive. Tests must not run its turns."""
    folder = tmp_path_factory.mktemp("vienna") / "service"
    for room in room_in(Path(shutil.copytree(played.folder(), folder))):
        room.clock.advance(TURNS * DAY)
        room.build()
        yield room


skip_drawing = pictures.skip_drawing
