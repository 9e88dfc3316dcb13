"""How long it takes until ``gm`` says something: the first thing that a newcomer feels."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from adjudicator.bench.figures import Figure, late, middle

AIM_MS = 300.0
LOOKS_MS = 150.0
"""What `gm status` and its like should take at the most."""

COMMANDS: tuple[tuple[str, Sequence[str], str], ...] = (
    ("gm --help", ("--help",), "nothing but the command line is loaded"),
    ("gm game --help", ("game", "--help"), "the commands of games, and nothing of the house"),
    ("gm rules", ("rules",), "every game is loaded and asked"),
    ("gm status", ("status",), "of one game"),
    ("gm game show", ("game", "show", "fox"), "the same game"),
    ("gm orders show", ("orders", "show", "fox"), "the same game"),
)
_LOOKS = 3
"""The last so many only look at a service."""

_SERVICE = (
    "init --address gm@example.org --local --yes",
    "game new {kind} fox",
    "seat assign fox {seat} player@example.org",
)


def measure(times: int, kind: str, seat: str) -> tuple[Figure, ...]:
    """Medians and 95th percentiles of so many runs of each, from the start of a process to its end.

    In processor time, all commands in turn, in a service of its own with a game of that kind.
    """
    taken: dict[str, list[float]] = {what: [] for what, _, _ in COMMANDS}
    bare: list[float] = []
    with TemporaryDirectory() as folder:
        for typed in _SERVICE:
            _run(["-m", "adjudicator", *typed.format(kind=kind, seat=seat).split()], Path(folder))
        for _ in range(times):
            bare.append(_taken(["-c", ""], Path(folder)))
            for what, words, _ in COMMANDS:
                taken[what].append(_taken(["-m", "adjudicator", *words], Path(folder)))
    middles = {what: middle(taken[what], what, note) for what, _, note in COMMANDS}
    first, *others = middles.values()
    slowest = max(others[-_LOOKS:], key=lambda one: one.value)
    return (
        first,
        _within(first, AIM_MS, f"of {AIM_MS:g} ms"),
        *others,
        _within(slowest, LOOKS_MS, f"of {LOOKS_MS:g} ms, {slowest.what}"),
        *(_late(taken[what], what) for what in middles),
        middle(bare, "Python alone", "of which each needs so much"),
    )


def _within(figure: Figure, aim: float, what: str) -> Figure:
    share = figure.value / aim
    return Figure(what, share, "times", "within the aim" if share <= 1 else "above the aim")


def _late(taken: list[float], what: str) -> Figure:
    return late(taken if len(taken) > 1 else taken * 2, f"{what}, 95th percentile")


def _taken(words: Sequence[str], folder: Path) -> float:
    """The processor time of one run of Python, in milliseconds."""
    before = os.times()
    _run(words, folder)
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return used * 1000


def _run(words: Sequence[str], folder: Path) -> None:
    # Where it runs, no gm.toml but its own is to be found.
    own = {name: value for name, value in os.environ.items() if name != "GM_CONFIG"}
    subprocess.run([sys.executable, *words], cwd=folder, env=own, stdout=subprocess.DEVNULL, check=True)
