"""Caches of commands lie in a folder of this run of tests, and in nobody's home."""

import os
import shutil
import tempfile

_PLACE = "XDG_CACHE_HOME"
_OURS = "TURNPOST_CACHES"


def begin() -> bool:
    """From now on it lies there. Whether this process is the first, who has to `end` it."""
    is_first = _OURS not in os.environ
    if is_first:
        os.environ[_OURS] = os.environ[_PLACE] = tempfile.mkdtemp(prefix="caches-")
    return is_first


def end() -> None:
    """Throw it away."""
    shutil.rmtree(os.environ.pop(_OURS))
    del os.environ[_PLACE]
