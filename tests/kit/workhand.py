"""A worker in a process of its own, as `gm serve` is one, that stops or dies at a step, and counts the steps.

python -m tests.kit.workhand FOLDER LEASE_MS STEP SIGNAL: says "ready", and "there" before it sends itself the
signal at the step; at its orderly end the counts, in JSON.
"""

import json
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from adjudicator.caretaker.daemon import serve
from adjudicator.house import open_house
from adjudicator.settings.service import load_settings

NEVER = "never"
ENDLESS_SECONDS = 120


@dataclass
class Workhand:
    """A worker that runs."""

    process: subprocess.Popen[str]

    def says(self) -> str:
        """What it says next, "" if it died."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def goes_on(self) -> None:
        """It is woken."""
        self.process.send_signal(signal.SIGCONT)

    def ends(self) -> Counter[str]:
        """Stop it in good order. How often it passed which step."""
        self.process.send_signal(signal.SIGTERM)
        said = self.process.communicate(timeout=ENDLESS_SECONDS)[0]
        assert self.process.returncode == 0, said
        return Counter(json.loads(said.splitlines()[-1]))


@contextmanager
def workhand(
    folder: Path, lease_ms: int = 300_000, step: str = NEVER, by: signal.Signals = signal.SIGSTOP
) -> Iterator[Workhand]:
    """One that has begun to work when this is entered, unless its step came first."""
    words = [sys.executable, "-m", "tests.kit.workhand", str(folder), str(lease_ms), step, str(by.value)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            one = Workhand(process)
            assert one.says() == "ready"
            yield one
        finally:
            if process.poll() is None:
                process.kill()


def work(folder: Path, lease_ms: int, step: str, by: int) -> None:
    """Work until SIGTERM."""
    passed: Counter[str] = Counter()

    def reached(name: str) -> None:
        passed[name] += 1
        if name == step and passed[name] == 1:
            print("there", flush=True)
            # This thread stops here and now; of a process it might be another, and this one a little later.
            signal.pthread_kill(threading.get_ident(), by)

    house = open_house(load_settings(folder / "gm.toml"), reached=reached)
    serve(replace(house, lease=lease_ms), ready=lambda: print("ready", flush=True))
    print(json.dumps(passed), flush=True)


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
