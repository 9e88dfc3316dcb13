"""How long it takes until ``gm`` says something: the first thing that a newcomer feels."""

import os
import subprocess
import sys
from collections.abc import Sequence

from adjudicator.bench.figures import Figure, middle

AIM_MS = 300.0
COMMANDS: tuple[tuple[str, Sequence[str], str], ...] = (
    ("gm --help", ("--help",), "nothing but the command line is loaded"),
    ("gm game --help", ("game", "--help"), "the commands of games, and nothing of the house"),
    ("gm rules", ("rules",), "every game is loaded and asked"),
)


def measure(times: int) -> tuple[Figure, ...]:
    """Medians of so many runs of each, from the start of a process to its end, in processor time."""
    first, *others = (
        middle([_taken(["-m", "adjudicator", *words]) for _ in range(times)], what, note)
        for what, words, note in COMMANDS
    )
    bare = middle([_taken(["-c", ""]) for _ in range(times)], "Python alone", "of which each needs so much")
    share = first.value / AIM_MS
    aim = Figure(f"of {AIM_MS:g} ms", share, "times", "within the aim" if share <= 1 else "above the aim")
    return (first, aim, *others, bare)


def _taken(words: Sequence[str]) -> float:
    """The processor time of one run of Python, in milliseconds."""
    before = os.times()
    subprocess.run([sys.executable, *words], stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    used = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    return used * 1000
