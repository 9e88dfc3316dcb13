"""The daemon: ticks that call the house, a bell for new letters, an orderly end. What is due is a row."""

import logging
import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import FrameType

from apscheduler.schedulers.background import BackgroundScheduler

from adjudicator.caretaker.heartbeat import Heart
from adjudicator.caretaker.metrics import Endpoint
from adjudicator.caretaker.tidying import LOOK_SECONDS, tidy
from adjudicator.errors import Fault
from adjudicator.house import House
from adjudicator.post.local import LocalServer

PROCESS_SECONDS, SEND_SECONDS, HEARTBEAT_SECONDS = 5, 5, 300
STUCK_SECONDS = 900.0
"""Whatever takes longer than that hangs: no poll and no batch of letters may take half as long."""

LEAVE_SECONDS = 5.0
"""So long the end waits for a thread that listens to a server."""

log = logging.getLogger(__name__)


def serve(
    house: House,
    stop: threading.Event | None = None,
    ready: Callable[[], None] = lambda: None,
    heart: Heart | None = None,
) -> None:
    """Run until SIGTERM, SIGINT or `stop`: poll, process and send, none of them twice at once.

    A mailbox that can tell of new letters has them read and answered at once; it is looked into now and then
    all the same. ready: called when everything runs. A tick that fails is logged; the next one tries again.
    heart: through which systemd is told how it is.
    """
    stop, heart = stop or threading.Event(), heart or Heart()
    with ExitStack() as open_things:
        if threading.current_thread() is threading.main_thread():
            _stop_on_signals(stop)
        _open_office(house, open_things)
        if house.settings.metrics is not None:
            open_things.callback(Endpoint(house, house.settings.metrics).close)
        house.recover()
        rounds = Rounds(house)
        scheduler = _scheduler(rounds, heart)
        scheduler.start()
        open_things.callback(scheduler.shutdown, wait=True)
        bell = threading.Thread(target=rounds.answer, args=(stop,), name="bell", daemon=True)
        postman = threading.Thread(target=rounds.post, args=(stop,), name="postman", daemon=True)
        watch = threading.Thread(
            target=house.mailbox.watch, args=(rounds.ring, stop), name="watch", daemon=True
        )
        for thread, patience in ((bell, None), (postman, None), (watch, LEAVE_SECONDS)):
            thread.start()
            open_things.callback(thread.join, patience)
        # However the end came.
        open_things.callback(rounds.leave)
        open_things.callback(stop.set)
        log.info("serving %s", house.office.address)
        ready()
        heart.ready(f"serving {house.office.address}")
        stop.wait()
        heart.stopping()
        log.info("stopping")


@dataclass
class Tick:
    """One of the jobs that come round, by its name; never done twice at once. seconds: how often."""

    name: str
    work: Callable[[], object]
    seconds: float
    busy: threading.Lock = field(default_factory=threading.Lock)
    began: float | None = None

    def hangs(self) -> bool:
        """Whether it was begun so long ago that it will hardly end."""
        began = self.began
        return began is not None and time.monotonic() - began > STUCK_SECONDS

    def __call__(self) -> None:
        """Do it; the world's faults are logged and pass."""
        with self.busy:
            self.began = time.monotonic()
            try:
                self.work()
            except Fault as fault:
                log.warning("%s: %s", self.name, fault)
            except Exception:  # a bug in one tick must not end the service
                log.exception("%s", self.name)
            finally:
                self.began = None


class Rounds:
    """The jobs of the house: each at its own interval, and all of them, in order, when the bell rings.

    processed: letters and turns were seen to since something was last sent.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self.ticks = (
            Tick("poll", house.poll, house.settings.poll / 1000),
            Tick("process", self._process, PROCESS_SECONDS),
            Tick("send", house.send, SEND_SECONDS),
        )
        self.tidying = Tick("tidying", lambda: tidy(house), LOOK_SECONDS)
        self._rung = threading.Event()
        self.processed = threading.Event()

    def _process(self) -> None:
        # Before a turn is played by its deadline it is known whether we were away.
        self._house.wake()
        self._house.process()
        self.processed.set()

    def ring(self) -> None:
        """There may be new letters."""
        self._rung.set()

    def is_well(self) -> bool:
        """Whether none of the jobs hangs."""
        return not any(tick.hangs() for tick in self.ticks)

    def answer(self, stop: threading.Event) -> None:
        """Go round once at the start, and whenever the bell rings, until `stop`."""
        while not stop.is_set():
            for tick in self.ticks:
                tick()
            self._rung.wait()
            self._rung.clear()

    def post(self, stop: threading.Event) -> None:
        """Send what came of it whenever letters and turns were seen to, until `stop`.

        By itself sending might have come round just before; and no turn is to wait for a server that hangs.
        """
        _, _, send = self.ticks
        while self.processed.wait() and not stop.is_set():
            self.processed.clear()
            send()

    def leave(self) -> None:
        """Whoever waits for something is to notice the end."""
        self._rung.set()
        self.processed.set()


def _open_office(house: House, open_things: ExitStack) -> None:
    local = house.settings.local
    if local is not None:
        address = house.office.address
        server = LocalServer(local.host, local.port, address, local.inbox, local.folder, house.clock)
        server.start()
        open_things.callback(server.stop)


def _scheduler(rounds: Rounds, heart: Heart) -> BackgroundScheduler:
    # Memory store and interval ticks only: a job store that is lost or shared loses or doubles deadlines.
    scheduler = BackgroundScheduler(
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}, timezone="UTC"
    )
    heartbeat = Tick("heartbeat", lambda: log.info("alive"), HEARTBEAT_SECONDS)
    beat = Tick("watchdog", lambda: heart.beat(rounds.is_well), heart.seconds or HEARTBEAT_SECONDS)
    for tick in (*rounds.ticks, rounds.tidying, heartbeat, beat):
        scheduler.add_job(tick, "interval", seconds=tick.seconds, id=tick.name)
    return scheduler


def _stop_on_signals(stop: threading.Event) -> None:
    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
