"""Puts temporary files in memory if there is plenty, so that tests don't wait for the disk.

No test can check that a database survives a power failure. They can check that it survives a process.
"""

import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ENOUGH_BYTES = 6_000_000_000
"""The required free memory: a run writes less than 1 GB, and memory is needed for other things too."""


def settle() -> None:
    """Put temporary files of this process and its children in memory if possible.

    A folder in TMPDIR has priority.
    """
    if "TMPDIR" not in os.environ and _is_spacious(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _is_spacious(folder: Path) -> bool:
    """Return whether programs can run there too, and there is room."""
    if not os.access(folder, os.W_OK):
        return False
    is_for_programs = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return is_for_programs and shutil.disk_usage(folder).free >= _ENOUGH_BYTES
