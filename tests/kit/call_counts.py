"""Counts the code that runs for a stored email, a processed email and a turn with its reports.

    .venv/bin/python -m tests.kit.call_counts

prints the numbers of our functions and files in each of the three trips; with ``--functions`` also their
names.
"""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from adjudicator.admin import game_admin
from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.reports.messages import reader_of
from adjudicator.service import Service, open_service
from tests.kit.service_harness import START, create_database
from tests.kit.source_files import PACKAGES, ROOT

KIND, GAME, SEAT, PLAYER = "standard", "trip", "France", "france@example.org"
ORDERS = "A Paris - Burgundy\nA Marseilles - Spain\nF Brest - Mid-Atlantic Ocean\n"
CONFIG = """\
[service]
address = "gm@example.org"
timezone = "UTC"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""
_OURS = tuple(f"{ROOT / package}/" for package in PACKAGES)


@dataclass(frozen=True)
class Trip:
    """The functions that ran. functions: ours, each as ``file:line name``."""

    name: str
    functions: frozenset[str]

    @property
    def files(self) -> frozenset[str]:
        """Return the files of the functions."""
        return frozenset(one.partition(":")[0] for one in self.functions)


def count_entered(name: str, work: Callable[[], object]) -> Trip:
    """Return our functions that some work runs, without those during an import."""
    codes: dict[int, CodeType] = {}  # by id, because hashing a code object takes longer than most functions

    def called(frame: FrameType, event: str, _what: Any) -> None:
        if event == "call":
            codes[id(frame.f_code)] = frame.f_code

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(before)
    ours = [code for code in codes.values() if code.co_filename.startswith(_OURS) and code.co_name[0] != "<"]
    return Trip(name, frozenset(_function_name(code) for code in ours))


def _function_name(code: CodeType) -> str:
    return f"{Path(code.co_filename).relative_to(ROOT)}:{code.co_firstlineno} {code.co_name}"


def _letter(service: Service, game: str) -> bytes:
    """Return an email with orders of a game's one player, with a reply token."""
    position = game_admin.position_of(service, game)
    assignment = position.assignments[game_admin.seat_of(position, SEAT)]
    letter = EmailMessage()
    letter["From"], letter["Subject"], letter["Message-ID"] = PLAYER, "orders", f"<{game}@example.org>"
    letter["To"] = reader_of(
        position, assignment, PLAYER, service.repository, service.service_context
    ).reply_address
    letter.set_content(ORDERS)
    return letter.as_bytes()


def trips(folder: Path) -> tuple[Trip, Trip, Trip]:
    """Return the trips: an email stored, an email processed, a turn with its reports. One player, and
    bots.
    """
    (folder / "gm.toml").write_text(CONFIG, encoding="utf-8")
    create_database(folder)
    clock = ManualClock(START)
    service = open_service(load_settings(folder / "gm.toml"), clock)
    try:
        _measure_game(service, clock, "before", 1)  # work that is done once and cached isn't part of a trip
        return _measure_game(service, clock, GAME, 2)
    finally:
        service.database.close()


def _measure_game(service: Service, clock: ManualClock, game: str, number: int) -> tuple[Trip, Trip, Trip]:
    """Return the trips of one game. number: the number of its email."""
    asked = game_admin.GameRequest(KIND, game, early=False, level="beginner")
    game_admin.new_game(service, asked, secret=b"sealed")
    game_admin.assign(service, game, SEAT, PLAYER)
    raw = _letter(service, game)
    kept = count_entered("a letter kept", lambda: service.receive(raw))
    handled = count_entered("a letter handled", lambda: service.read_now(number))
    position = game_admin.position_of(service, game)
    played = count_entered(
        "a turn with its reports",
        lambda: service.turns.play(position, clock.now(), ripe=True, by=service.actor),
    )
    return kept, handled, played


def main() -> None:
    """Print the three trips, and their functions if asked for."""
    with tempfile.TemporaryDirectory() as folder:
        for trip in trips(Path(folder)):
            print(f"{trip.name:24} {len(trip.functions):5} functions {len(trip.files):4} files")
            if "--functions" in sys.argv:
                print("".join(f"    {one}\n" for one in sorted(trip.functions)))


if __name__ == "__main__":
    main()
