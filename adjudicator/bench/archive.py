"""Benchmark of the archive: all games, a turn of one, nothing new; and how large a page is."""

import os
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from adjudicator.admin import archiving, game_admin
from adjudicator.bench import doubles
from adjudicator.bench.figures import Figure, middle
from adjudicator.clock import DAY, ManualClock
from adjudicator.config.service import load_settings
from adjudicator.service import Service, open_service
from adjudicator.website.build import Archive

MIN_GAMES_FOR_AIM = 1000
"""For so many there is an aim."""
GAMES_PLAYED = 24
"""So many games are played; further ones are copies of them."""
LONG_GAME_TURNS = 60
"""So many turns has a long game."""
ALL_AIM_S, TURN_AIM_MS, PAGE_AIM_KB = 180.0, 300.0, 2000.0
_AIMED = f"at most {TURN_AIM_MS:.0f}"
_ARCHIVE_START = 1_767_636_000_000
_ARCHIVE_CONFIG = """\
[service]
address = "gm@example.org"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


def measure(
    kind: str,
    games: int,
    turns: int,
    long: int = LONG_GAME_TURNS,
    played: int = GAMES_PLAYED,
    jobs: int | None = None,
) -> tuple[Figure, ...]:
    """Return the figures of several games with several turns each, and of one longer, with the weakest bots.

    played: how many of them are played; the rest are copies of their rows under other names, unless dice
    depend on the name. jobs: how many processes build the archive, None: as many as there are cores.
    """
    jobs = jobs or os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        there = Path(folder)
        (there / "gm.toml").write_text(_ARCHIVE_CONFIG)
        clock = ManualClock(_ARCHIVE_START)
        house = open_service(load_settings(there / "gm.toml"), clock)
        try:
            names = _play_games(house, clock, kind, games, turns, played)
            whole = _all(house, there / "site", games, turns, jobs)
            kept = archiving.archive_of(house, there / "site")  # As the service keeps it.
            _play_on(house, clock, kept, names[0])  # The board is drawn up once in a process.
            short = [_play_on(house, clock, kept, name) * 1000 for name in names]
            _begin(house, kind, "long")
            _play(house, clock, "long", long - 1)
            archiving.renew(house, kept)
            figures = _long(house, clock, kept, long)
            return (*whole, *_short(short, games, turns), *figures)
        finally:
            house.database.close()


def _play_games(
    house: Service, clock: ManualClock, kind: str, games: int, turns: int, played: int
) -> list[str]:
    """Fill the database with games. Returns the names of those that were played."""
    names = [f"game{number}" for number in range(games)]
    for number, name in enumerate(names):
        if number >= played and not doubles.has_rules_dice(house, names[0]):
            break
        _begin(house, kind, name)
        _play(house, clock, name, turns)
    else:
        return names[:played]
    for number in range(played):
        doubles.double(house.database, names[number], names[played + number :: played])
    return names[:played]


def _begin(house: Service, kind: str, name: str) -> None:
    game_admin.new_game(house, game_admin.GameRequest(kind, name), secret=f"bench {name}".ljust(32).encode())


def _play(house: Service, clock: ManualClock, name: str, turns: int) -> None:
    for _ in range(turns):
        if game_admin.position_of(house, name).is_running:
            clock.advance(DAY)
            game_admin.play_now(house, name)


def _all(house: Service, site: Path, games: int, turns: int, jobs: int) -> tuple[Figure, ...]:
    """A whole archive: by the clock on the wall, and in processor time."""
    wall, worked = _time_with_children(lambda: archiving.build(house, site, jobs))
    each, by = f"{games} games with {turns} turns each", f"by {jobs} process{'es' * (jobs > 1)}"
    aimed = f"at most {ALL_AIM_S:.0f}" if games >= MIN_GAMES_FOR_AIM else ""
    return (
        Figure(f"the archive of {each}, {by}", wall, "s", "by the clock on the wall"),
        Figure("its processor time, all processes together", worked, "s"),
        Figure("the same for each process", worked / jobs, "s", aimed),
        Figure("for each game", worked * 1000 / games, "ms"),
    )


def _short(taken: list[float], games: int, turns: int) -> tuple[Figure, ...]:
    """Turns of single games among all the others."""
    what = f"a turn after {turns} of one of {games} games"
    return (
        middle(taken, f"{what}, median of {len(taken)}"),
        Figure(f"{what}, the slowest", max(taken), "ms", _AIMED),
    )


def _play_on(house: Service, clock: ManualClock, kept: Archive, name: str) -> float:
    """The processor time that the archive takes for a turn of a game, once it was played, in seconds."""
    _play(house, clock, name, 1)
    return _time_with_children(lambda: archiving.renew(house, kept))[1]


def _long(house: Service, clock: ManualClock, kept: Archive, turns: int) -> tuple[Figure, ...]:
    taken = _play_on(house, clock, kept, "long")
    _, idle = _time_with_children(lambda: archiving.renew(house, kept))
    page, data = (
        (kept.folder / "games" / "long" / name).stat().st_size / 1000 for name in ("index.html", "game.json")
    )
    return (
        Figure(f"turn {turns} of a long game", taken * 1000, "ms", _AIMED),
        Figure("nothing new", idle * 1000, "ms"),
        Figure("the page of the long game", page, "KB"),
        Figure("its game.json", data, "KB", f"both at most {PAGE_AIM_KB:.0f}"),
    )


def _time_with_children(action: Callable[[], object]) -> tuple[float, float]:
    """Return how many seconds an action took, and how many of processor time, its processes' too."""
    worked, start = _processor_seconds(), perf_counter()
    action()
    return perf_counter() - start, _processor_seconds() - worked


def _processor_seconds() -> float:
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)
