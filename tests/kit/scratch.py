"""Where tests write: in memory where there is plenty, so that nobody waits for a disk to have written.

That books outlive a machine that loses its power is for no test to see; that they outlive a process is seen
there as well.
"""

import os
import shutil
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")
_ENOUGH_BYTES = 6_000_000_000
"""A run of the suite writes less than 1 GB, and memory is needed for other things too."""


def settle() -> None:
    """Have temporary files of this process, and of those that it begins, lie in memory if that can be.

    Whoever names a folder for them in TMPDIR has them there.
    """
    if "TMPDIR" not in os.environ and _is_spacious(_MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY)


def _is_spacious(folder: Path) -> bool:
    """Return whether programs can lie there too, and there is room."""
    if not os.access(folder, os.W_OK):
        return False
    is_for_programs = not os.statvfs(folder).f_flag & os.ST_NOEXEC
    return is_for_programs and shutil.disk_usage(folder).free >= _ENOUGH_BYTES
