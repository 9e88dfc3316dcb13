"""A worker of `gm bench load`, in a process of its own: as ``gm serve``, but it looks more often.

python -m adjudicator.bench.load_worker CONFIG: says "ready", works until its input ends, and says how
often it passed which of the house's steps.
"""

import json
import logging
import sys
import threading
from collections import Counter
from pathlib import Path

from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import serve
from adjudicator.daemon.gc_tuning import settle_down
from adjudicator.model.jobs import PROCESS, SEND
from adjudicator.service import open_service

POLL_SECONDS = 1.0
"""How often it looks: what a bench measures is neither the wait for the next look, nor looks in vain."""


def work(config: Path) -> None:
    """Work until whoever measures closes our input, or is no more."""
    stop = threading.Event()
    passed: Counter[str] = Counter()

    def reached(step: str) -> None:
        passed[step] += 1

    # That it is still at work when it is to look again is no news here.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    house = open_service(load_settings(config), reached=reached)
    settle_down(house.books.kinds())
    threading.Thread(target=_until_our_input_ends, args=(stop,), daemon=True).start()
    serve(house, stop, ready=lambda: print("ready", flush=True), jobs=(PROCESS, SEND), seconds=POLL_SECONDS)
    print(json.dumps(passed), flush=True)


def _until_our_input_ends(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()


if __name__ == "__main__":
    work(Path(sys.argv[1]))
