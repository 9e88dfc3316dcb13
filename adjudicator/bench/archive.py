"""How long the archive takes: all games, a turn of one, nothing new; and how large a page is."""

import os
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from adjudicator.bench.figures import Figure
from adjudicator.clock import DAY, HandClock
from adjudicator.gamesmaster import archiving, conduct
from adjudicator.house import House, open_house
from adjudicator.settings.service import load_settings

MANY = 1000
ALL_AIM_S, TURN_AIM_MS, PAGE_AIM_KB = 180.0, 300.0, 2000.0
_AIMED = f"at most {TURN_AIM_MS:.0f}"
_START = 1_767_636_000_000
_CONFIG = """\
[service]
address = "gm@example.org"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def measure(kind: str, games: int, turns: int) -> tuple[Figure, ...]:
    """So many games with so many turns each, played by the weakest bots."""
    jobs = os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        there = Path(folder)
        (there / "gm.toml").write_text(_CONFIG)
        clock = HandClock(_START)
        house = open_house(load_settings(there / "gm.toml"), clock)
        try:
            _played(house, clock, kind, games, turns)
            return _measured(house, clock, there / "site", games, turns, jobs)
        finally:
            house.database.close()


def _played(house: House, clock: HandClock, kind: str, games: int, turns: int) -> None:
    for number in range(games):
        name = f"game{number}"
        conduct.new_game(house, conduct.GameRequest(kind, name), secret=f"bench {number}".ljust(32).encode())
        for _ in range(turns):
            if conduct.position_of(house, name).running:
                clock.forward(DAY)
                conduct.play_now(house, name)


def _measured(
    house: House, clock: HandClock, site: Path, games: int, turns: int, jobs: int
) -> tuple[Figure, ...]:
    whole, _ = _timed(lambda: archiving.build(house, site, jobs))
    page = (site / "games" / "game0" / "index.html").stat().st_size
    data = (site / "games" / "game0" / "game.json").stat().st_size
    # The board is drawn up once in a process: a service that runs has done so.
    archiving.build(house, site.with_name("first"))
    _, worked = _timed(lambda: archiving.build(house, site.with_name("again")))
    taken = []
    for number in range(min(games, 5)):
        if conduct.position_of(house, f"game{number}").running:
            clock.forward(DAY)
            conduct.play_now(house, f"game{number}")
            taken.append(_timed(lambda: archiving.build(house, site))[1])
    _, idle = _timed(lambda: archiving.build(house, site))
    each = f"{games} games with {turns} turns each"
    reckoned = worked * MANY / games / jobs
    return (
        Figure(f"the archive of {each}, by {jobs} processes", whole, "s", "by the clock on the wall"),
        Figure("one of these games, in processor time", worked * 1000 / games, "ms"),
        Figure(f"{MANY} of them, by {jobs} processes", reckoned, "s", f"reckoned; at most {ALL_AIM_S:.0f}"),
        *[
            Figure("a turn of one of them", sorted(taken)[len(taken) // 2] * 1000, "ms", _AIMED)
            for _ in taken[:1]
        ],
        Figure("nothing new", idle * 1000, "ms"),
        Figure("a game's page", page / 1000, "KB"),
        Figure("its game.json", data / 1000, "KB", f"both of 60 turns at most {PAGE_AIM_KB:.0f}"),
    )


def _timed(action: Callable[[], object]) -> tuple[float, float]:
    """How many seconds an action took, and how many of processor time, its processes' too."""
    worked, start = _worked(), perf_counter()
    action()
    return perf_counter() - start, _worked() - worked


def _worked() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
