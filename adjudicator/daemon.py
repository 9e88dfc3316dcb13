"""The daemon: ticks that call the house, a heartbeat, an orderly end. What is due is a row, not a timer."""

import logging
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler

from adjudicator.errors import Fault
from adjudicator.house import House
from adjudicator.post.local import LocalServer

POLL_SECONDS, PROCESS_SECONDS, SEND_SECONDS, HEARTBEAT_SECONDS = 5, 5, 5, 300
log = logging.getLogger(__name__)


def serve(
    house: House,
    stop: threading.Event | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Run until SIGTERM, SIGINT or `stop`: poll, process and send, none of them twice at once.

    ready: called when everything runs. A tick that fails is logged, and the next one tries again.
    """
    stop = stop or threading.Event()
    with ExitStack() as open_things:
        if threading.current_thread() is threading.main_thread():
            _stop_on_signals(stop)
        local = house.settings.local
        if local is not None:
            server = LocalServer(
                local.host,
                local.port,
                house.office.address,
                local.inbox,
                local.folder,
                house.clock,
            )
            server.start()
            open_things.callback(server.stop)
        house.recover()
        scheduler = _scheduler(house)
        scheduler.start()
        open_things.callback(scheduler.shutdown, wait=True)
        log.info("serving %s", house.office.address)
        ready()
        stop.wait()
        log.info("stopping")


def _scheduler(house: House) -> BackgroundScheduler:
    # Memory store and interval ticks only: a job store that is lost or shared loses or doubles deadlines.
    scheduler = BackgroundScheduler(
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}, timezone="UTC"
    )
    ticks: tuple[tuple[str, Callable[[], object], int], ...] = (
        ("poll", house.poll, POLL_SECONDS),
        ("process", house.process, PROCESS_SECONDS),
        ("send", house.send, SEND_SECONDS),
        ("heartbeat", lambda: log.info("alive"), HEARTBEAT_SECONDS),
    )
    for name, tick, seconds in ticks:
        scheduler.add_job(_forgiving(name, tick), "interval", seconds=seconds, id=name)
    return scheduler


def _forgiving(name: str, tick: Callable[[], object]) -> Callable[[], None]:
    def run() -> None:
        """One tick; the world's faults are logged and pass."""
        try:
            tick()
        except Fault as fault:
            log.warning("%s: %s", name, fault)
        except Exception:  # a bug in one tick must not end the service
            log.exception("%s", name)

    return run


def _stop_on_signals(stop: threading.Event) -> None:
    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
