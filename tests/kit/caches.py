"""Puts the caches of commands into a folder of this test run instead of the home folder."""

import os
import shutil
import tempfile

_PLACE = "XDG_CACHE_HOME"
_OURS = "TURNPOST_CACHES"


def begin() -> bool:
    """Use the folder from now on. Returns whether this process is the first, which has to call `end`."""
    is_first = _OURS not in os.environ
    if is_first:
        os.environ[_OURS] = os.environ[_PLACE] = tempfile.mkdtemp(prefix="caches-")
    return is_first


def end() -> None:
    """Delete the folder."""
    shutil.rmtree(os.environ.pop(_OURS))
    del os.environ[_PLACE]
