"""A service in a process of its own, which kills itself at a named point: see test_kill.

python -m tests.house.victim FOLDER NOW STEP TIME: dies as it passes STEP for the TIMEth time.
"""

import os
import signal
import sys
from pathlib import Path

from adjudicator.clock import HandClock
from adjudicator.house import open_house
from adjudicator.settings.service import load_settings


def main(folder: Path, now: int, step: str, time: int) -> None:
    """Recover, then poll, process and send once each, two letters at a time."""
    passed = 0

    def reached(name: str) -> None:
        nonlocal passed
        passed += name == step
        if name == step and passed == time:
            os.kill(os.getpid(), signal.SIGKILL)

    house = open_house(load_settings(folder / "gm.toml"), HandClock(now), reached)
    house.recover()
    house.poll()
    house.process()
    house.send(limit=2)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
