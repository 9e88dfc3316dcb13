"""Types at a real terminal."""

import os
import pty
from collections.abc import Sequence

from tests.kit.gm_process import gm_forker


def typed_at_terminal(words: Sequence[str], keys: str) -> tuple[int, str]:
    """Run `gm` at a terminal of its own. keys: what is typed. Returns its exit code and the screen."""
    ours, theirs = pty.openpty()
    running = gm_forker().start(words, (theirs, theirs, theirs))
    os.close(theirs)
    os.write(ours, keys.encode())
    screen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # Linux tells so that the other end is closed.
            break
        if not piece:
            break
        screen += piece
    os.close(ours)
    return running.wait(), screen.decode("utf-8", "replace")
