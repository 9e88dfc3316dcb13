"""Types at a real terminal."""

import os
import pty
import time
from collections.abc import Sequence

from tests.kit.gm_process import gm_forker

HIDING_SECONDS = 0.5


def typed_at_terminal(
    words: Sequence[str], keys: str, answers: Sequence[tuple[str, str]] = ()
) -> tuple[int, str]:
    """Run `gm` at a terminal of its own. keys: what is typed at once.

    answers: what is typed later, each after a text on the screen. A hidden question forgets what was typed
    before it. Returns its exit code and the screen.
    """
    ours, theirs = pty.openpty()
    running = gm_forker().start(words, (theirs, theirs, theirs))
    os.close(theirs)
    os.write(ours, keys.encode())
    screen, seen, waiting = b"", 0, list(answers)
    while True:
        if waiting and (at := screen.find(waiting[0][0].encode(), seen)) >= 0:
            seen = at + 1
            # The question is shown just before the terminal stops showing what is typed.
            time.sleep(HIDING_SECONDS)
            os.write(ours, waiting.pop(0)[1].encode())
        try:
            piece = os.read(ours, 4096)
        except OSError:  # Linux tells so that the other end is closed.
            break
        if not piece:
            break
        screen += piece
    os.close(ours)
    return running.wait(), screen.decode("utf-8", "replace")
