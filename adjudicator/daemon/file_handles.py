"""File handles, of which a process has only so many: a service that lacks them at its start waits."""

import errno
import logging
import os
import resource
import threading
from collections.abc import Callable

from adjudicator.errors import Fault

AGAIN_SECONDS = 2.0
MIN_FREE_HANDLES = 24
"""With fewer left a service cannot begin: sockets to listen at, the books, a mailbox."""

log = logging.getLogger(__name__)


def patiently(work: Callable[[threading.Event], None], stop: threading.Event | None = None) -> None:
    """Do what needs file handles; where there are none, say so, wait, and begin again, until `stop`.

    work: is given `stop`. Whatever else it raises is raised.
    """
    stop = stop or threading.Event()
    while True:
        try:
            return work(stop)
        except (OSError, Fault) as fault:
            if not is_out_of_handles(fault):
                raise
            log.warning(
                "no file handles are left (%s): beginning again in %d s; `ulimit -n` says how many there are",
                fault,
                AGAIN_SECONDS,
            )
        if stop.wait(AGAIN_SECONDS):
            return None


def is_out_of_handles(fault: BaseException | None) -> bool:
    """Return whether something failed since no file handle was left."""
    seen: BaseException | None = fault
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in (errno.EMFILE, errno.ENFILE):
            return True
        seen = seen.__cause__ or seen.__context__
    # A database does not say why it cannot open its files.
    return isinstance(fault, Fault) and _free_handles() < MIN_FREE_HANDLES


def _free_handles() -> int:
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most - len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else MIN_FREE_HANDLES
