"""Types at a real terminal."""

import os
import pty
import re
import time
from collections.abc import Sequence

from tests.kit.gm_process import gm_forker

HIDING_SECONDS = 0.5


def typed_at_terminal(
    words: Sequence[str], keys: str, answers: Sequence[tuple[str, str]] = ()
) -> tuple[int, str]:
    """Run `gm` at its own terminal. keys: typed at once.

    answers: typed later, each after a text on the screen; a hidden question discards earlier typing. Returns
    its exit code and the screen.
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


def screen_of(written: str) -> list[str]:
    """Return the lines that a terminal shows after a text with codes that erase the current line."""
    lines = [""]
    for piece in re.split(r"(\r\x1b\[2K|\n|\x1b\[[0-9;]*m)", written):
        if piece == "\n":
            lines.append("")
        elif piece == "\r\x1b[2K":
            lines[-1] = ""
        elif not piece.startswith("\x1b"):
            lines[-1] += piece
    return lines if lines[-1] else lines[:-1]
