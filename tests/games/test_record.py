"""Properties of frozen values besides their canonical form."""

import subprocess
import sys

TWO_AT_ONCE = """
import sys
from threading import Barrier, Thread
from games.record import Record, load, revive

sys.setswitchinterval(1e-6)
WANTED = " | ".join(["tuple[int, ...]", "str", "None"])
read = []


def wide(number):
    def fields(kind):
        return {"__annotations__": dict.fromkeys("abcdefgh", kind)}

    leaf = type(f"Leaf{number}", (Record,), fields(WANTED), frozen=True, kw_only=True)
    return type(f"Wide{number}", (Record,), fields(leaf), frozen=True, kw_only=True)


def meet(kind, together, way, value):
    together.wait()
    try:
        way(kind, value)
    except ValueError:
        read.append(kind)


for number in range(50):
    kind, together = wide(number), Barrier(4)
    ways = (load, b'{"a": 1}'), (revive, {"a": 1})
    threads = [Thread(target=meet, args=(kind, together, *way)) for way in ways * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
assert len(read) == 200, len(read)
"""


def test_two_threads_meet_a_type_at_once() -> None:
    """Criers read the same kind of post at the same moment; the library alone would end the process there."""
    met = subprocess.run([sys.executable, "-c", TWO_AT_ONCE], capture_output=True, text=True, check=False)
    assert (met.returncode, met.stderr) == (0, "")
