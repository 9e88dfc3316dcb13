"""Benchmark of ``gm``'s start: the time until a command has printed its output."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import process_time

# The figures of a benchmark with their unit, and the timers behind them.


@dataclass(frozen=True)
class Figure:
    """One figure: what was measured, its value and unit, and a note."""

    what: str
    value: float
    unit: str
    note: str = ""


def time_actions(actions: Iterable[Callable[[], object]]) -> list[float]:
    """Return the processor time of each action in milliseconds, run one after the other."""
    taken = []
    for action in actions:
        start = process_time()
        action()
        taken.append((process_time() - start) * 1000)
    return taken


def middle(taken: list[float], what: str, note: str = "") -> Figure:
    """Return the median of some times in milliseconds."""
    return Figure(what=what, value=median(taken), unit="ms", note=note)


def late(taken: list[float], what: str, note: str = "") -> Figure:
    """Return the 95th percentile of some times in milliseconds."""
    return Figure(what=what, value=quantiles(taken, n=20)[-1], unit="ms", note=note)


def ratio(what: str, first: Figure, other: Figure) -> Figure:
    """Return how many times as long as another thing a thing takes."""
    return Figure(what=what, value=first.value / other.value, unit="times")


START_AIM_MS = 300.0
"""The aim in milliseconds for `gm --help`, and for a turn of a solo game."""
LOOKS_MS = 150.0
"""The aim in milliseconds for `gm status` and similar commands."""

TIMED_COMMANDS: tuple[tuple[str, Sequence[str], str], ...] = (
    ("gm --help", ("--help",), "nothing but the command line is loaded"),
    ("gm game --help", ("game", "--help"), "the commands of games, and nothing of the service"),
    ("gm rules", ("rules",), "every game is loaded"),
    ("gm status", ("status",), "of one game"),
    ("gm game show", ("game", "show", "fox"), "the same game"),
    ("gm orders show", ("orders", "show", "fox"), "the same game"),
    ("gm player list", ("player", "list"), "of two people"),
    ("gm player show", ("player", "show", "player@example.org"), "one of them"),
    ("gm mail list", ("mail", "list"), "no incoming email"),
    ("gm mail list --out", ("mail", "list", "--out"), "two, and one more with each turn"),
    ("gm turn process", ("turn", "process", "owl", "--yes"), "of a solo game; no picture is drawn yet"),
)
_VIEW_COMMANDS = 7
"""The number of commands, before the last, that only look at a service."""

_SERVICE = (
    "init --address gm@example.org --local --yes",
    "game new {kind} fox",
    "seat assign fox {seat} player@example.org",
    "game new {solo} owl",
    "seat assign owl {alone} alone@example.org",
)


def measure_start(times: int, kind: str, seat: str, solo: tuple[str, str]) -> tuple[Figure, ...]:
    """Return medians and 95th percentiles of several runs of each command, over whole processes.

    In processor time, with the commands alternating, in a separate service with a game of that kind. solo:
    the kind of a game for one player, and the seat of its player.
    """
    taken: dict[str, list[float]] = {what: [] for what, _, _ in TIMED_COMMANDS}
    bare: list[float] = []
    named = {"kind": kind, "seat": seat, "solo": solo[0], "alone": solo[1]}
    with TemporaryDirectory() as folder:
        for typed in _SERVICE:
            _run(["-m", "adjudicator", *typed.format(**named).split()], Path(folder))
        for _ in range(times):
            bare.append(_run_time(["-c", ""], Path(folder)))
            for what, words, _ in TIMED_COMMANDS:
                taken[what].append(_run_time(["-m", "adjudicator", *words], Path(folder)))
    middles = {what: middle(taken[what], what, note) for what, _, note in TIMED_COMMANDS}
    first, *others, turn = middles.values()
    slowest = max(others[-_VIEW_COMMANDS:], key=lambda figure: figure.value)
    return (
        first,
        _within(first, START_AIM_MS, f"of {START_AIM_MS:g} ms"),
        *others,
        _within(slowest, LOOKS_MS, f"of {LOOKS_MS:g} ms, {slowest.what}"),
        turn,
        _within(turn, START_AIM_MS, f"of {START_AIM_MS:g} ms"),
        *(_late(taken[what], what) for what in middles),
        middle(bare, "Python alone", "included in each of the others"),
    )


def _within(figure: Figure, aim: float, what: str) -> Figure:
    share = figure.value / aim
    return Figure(what, share, "times", "within the aim" if share <= 1 else "above the aim")


def _late(taken: list[float], what: str) -> Figure:
    return late(taken if len(taken) > 1 else taken * 2, f"{what}, 95th percentile")


def _run_time(words: Sequence[str], folder: Path) -> float:
    """Return the processor time of one run of Python, in milliseconds."""
    before = os.times()
    _run(words, folder)
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return used * 1000


def _run(words: Sequence[str], folder: Path) -> None:
    # Commands run in a folder where they find no gm.toml but the benchmark's.
    own = {name: value for name, value in os.environ.items() if name != "GM_CONFIG"}
    subprocess.run([sys.executable, *words], cwd=folder, env=own, stdout=subprocess.DEVNULL, check=True)
