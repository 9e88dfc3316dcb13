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
LONG = 60
"""So many turns has a long game."""
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


def measure(kind: str, games: int, turns: int, long: int = LONG) -> tuple[Figure, ...]:
    """So many games with so many turns each, played by the weakest bots, and one that is longer."""
    jobs = os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        there = Path(folder)
        (there / "gm.toml").write_text(_CONFIG)
        clock = HandClock(_START)
        house = open_house(load_settings(there / "gm.toml"), clock)
        try:
            for number in range(games):
                _begin(house, kind, f"game{number}")
                _play(house, clock, f"game{number}", turns)
            whole = _all(house, there / "site", games, turns, jobs)
            short = _turn(house, clock, there / "site", "game0")
            _begin(house, kind, "long")
            _play(house, clock, "long", long - 1)
            archiving.build(house, there / "site")
            figures = _long(house, clock, there / "site", long)
            return (*whole, Figure(f"turn {turns + 1} of one of them", short * 1000, "ms", _AIMED), *figures)
        finally:
            house.database.close()


def _begin(house: House, kind: str, name: str) -> None:
    conduct.new_game(house, conduct.GameRequest(kind, name), secret=f"bench {name}".ljust(32).encode())


def _play(house: House, clock: HandClock, name: str, turns: int) -> None:
    for _ in range(turns):
        if conduct.position_of(house, name).running:
            clock.forward(DAY)
            conduct.play_now(house, name)


def _all(house: House, site: Path, games: int, turns: int, jobs: int) -> tuple[Figure, ...]:
    """Whole archives: by the clock on the wall, and what one game costs."""
    whole, _ = _timed(lambda: archiving.build(house, site, jobs))
    # The board is drawn up once in a process: a service that runs has done so.
    archiving.build(house, site.with_name("first"))
    _, worked = _timed(lambda: archiving.build(house, site.with_name("again")))
    each = f"{games} games with {turns} turns each"
    reckoned = worked * MANY / games / jobs
    return (
        Figure(f"the archive of {each}, by {jobs} processes", whole, "s", "by the clock on the wall"),
        Figure("one of these games, in processor time", worked * 1000 / games, "ms"),
        Figure(f"{MANY} of them, by {jobs} processes", reckoned, "s", f"reckoned; at most {ALL_AIM_S:.0f}"),
    )


def _turn(house: House, clock: HandClock, site: Path, name: str) -> float:
    """The processor time that the archive takes for a turn of a game, once it was played."""
    _play(house, clock, name, 1)
    return _timed(lambda: archiving.build(house, site))[1]


def _long(house: House, clock: HandClock, site: Path, turns: int) -> tuple[Figure, ...]:
    taken = _turn(house, clock, site, "long")
    _, idle = _timed(lambda: archiving.build(house, site))
    page, data = (
        (site / "games" / "long" / name).stat().st_size / 1000 for name in ("index.html", "game.json")
    )
    return (
        Figure(f"turn {turns} of a long game", taken * 1000, "ms", _AIMED),
        Figure("nothing new", idle * 1000, "ms"),
        Figure("the page of the long game", page, "KB"),
        Figure("its game.json", data, "KB", f"both at most {PAGE_AIM_KB:.0f}"),
    )


def _timed(action: Callable[[], object]) -> tuple[float, float]:
    """How many seconds an action took, and how many of processor time, its processes' too."""
    worked, start = _worked(), perf_counter()
    action()
    return perf_counter() - start, _worked() - worked


def _worked() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)
