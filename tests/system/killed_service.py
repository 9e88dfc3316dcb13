"""A service in its own process, which kills itself at a named point: see test_kill.

Run by itself it forks such services and those of `tests.kit.crashing_service`: loading takes longer than a
run.
"""

import os
import signal
from dataclasses import dataclass
from pathlib import Path

from adjudicator.clock import ManualClock
from adjudicator.config.service import load_settings
from adjudicator.service import open_service
from tests.kit import crashing_service


@dataclass(frozen=True)
class Round:
    """One round of the service of a folder, which dies as it passes a step for the time-th time."""

    folder: str
    now: int
    step: str = "never"
    time: int = 0


def live(life: Round) -> None:
    """Recover, then poll, process and send once each, two letters at a time."""
    passed = 0

    def reached(name: str) -> None:
        nonlocal passed
        passed += name == life.step
        if name == life.step and passed == life.time:
            os.kill(os.getpid(), signal.SIGKILL)

    service = open_service(load_settings(Path(life.folder) / "gm.toml"), ManualClock(life.now), reached)
    service.recover()
    service.poll()
    service.process()
    service.send(limit=2)


if __name__ == "__main__":
    crashing_service.fork_runs(
        lambda wish: (
            live(Round(**wish))
            if "step" in wish
            else crashing_service.run_service(crashing_service.run_from_json(wish))
        )
    )
