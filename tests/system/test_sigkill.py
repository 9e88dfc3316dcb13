"""SIGKILL at every point of `house.STEPS`, then a restart: nothing lost, no turn run twice.

The service runs in its own process, which kills itself when it passes a point for the first or the third
time. Deliveries are counted by Message-ID in the readers' Maildirs, not in our tables.
"""

import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.mail.local_server import LocalServer
from adjudicator.service import SERVICE_STEPS, open_service
from adjudicator.storage import stored_games
from games.record import canonical
from tests.kit.crashing_service import ServiceForker
from tests.kit.service_harness import HOUR, START, letters_in, local_service
from tests.system.killed_service import Round

PLAYERS = {
    "Iroquois": "Mohawk - Pequot\nOneida H\nOnondaga H\nSeneca H",
    "Dakota": "W SNT - POJ\nW TET H\nW YKT H\nW SIS H",
    "Caddoan": "CAD H\nWAC H\nWIC H",
}
LATER = START + 30 * HOUR


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with three players who have all written; nothing of it is read yet."""
    folder = tmp_path_factory.mktemp("prepared")
    with local_service(folder) as place:
        seats = {seat: f"{seat.lower()}@example.org" for seat in PLAYERS}
        asked = game_admin.GameRequest("indianomacy", "demo", seats=seats)
        game_admin.new_game(place.service, asked, secret=b"s" * 32)
        place.work()
        place.clock.advance(HOUR)
        for seat, orders in PLAYERS.items():
            address = f"{seat.lower()}@example.org"
            place.answer(address, place.mail(address)[-1], orders)
    return folder


@pytest.fixture(scope="module")
def undisturbed(
    forker: ServiceForker, prepared: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Counter[str], bytes]:
    """Return the result of a service that nobody kills."""
    return _run(forker, prepared, tmp_path_factory.mktemp("undisturbed") / "service", None)


def test_the_undisturbed_run_plays_the_turn_and_tells_everybody(undisturbed):
    arrived, _ = undisturbed
    # A welcome, a verdict and a report each, and what bots propose to the three.
    assert len(arrived) == 13
    assert set(arrived.values()) == {1}


POINTS = [
    (step, time) for step in SERVICE_STEPS for time in (1, 3) if time == 1 or not step.startswith("turn")
]


@pytest.mark.parametrize(
    ("step", "time"),
    [pytest.param(*point, marks=() if point[1] == 1 else pytest.mark.soak) for point in POINTS],
)
def test_killed_at(step, time, forker, prepared, undisturbed, tmp_path):
    arrived, state = _run(forker, prepared, tmp_path / "service", (step, time))
    assert arrived == undisturbed[0]
    assert state == undisturbed[1]


def test_every_step_of_the_house_is_a_point_of_death():
    assert {step for step, _ in POINTS} == set(SERVICE_STEPS)


def _run(
    forker: ServiceForker, prepared: Path, folder: Path, death: tuple[str, int] | None
) -> tuple[Counter[str], bytes]:
    """Work in a copy of the prepared folder; die once if told to, then work again to the end."""
    shutil.copytree(prepared, folder)
    settings = load_settings(folder / "gm.toml")
    assert settings.local is not None
    clock = ManualClock(LATER)
    server = LocalServer(
        "127.0.0.1", settings.local.port, settings.address, settings.inbox.path, folder / "mail", clock
    )
    server.start()
    try:
        if death is not None:
            step, time = death
            ended = forker.live(Round(str(folder), LATER, step, time))
            assert ended == -signal.SIGKILL, f"{step} was not passed {time} times"
        assert forker.live(Round(str(folder), LATER)) == 0
    finally:
        server.stop()
    service = open_service(settings, clock)
    log = stored_games.log(service.database, "demo")
    service.database.close()
    arrived = Counter(
        str(letter["Message-ID"])
        for maildir in (folder / "mail").glob("*@*")
        for letter in letters_in(maildir)
    )
    assert [entry.turn for entry, _ in log[1:2]] == ["S1M"]
    return arrived, b"".join(canonical(entry) + state for entry, state in log)
