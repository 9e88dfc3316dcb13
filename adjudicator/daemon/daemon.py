"""The daemon: ticks that call the service, a bell for new letters, an orderly end. What is due is a row."""

from __future__ import annotations

import errno
import gc
import logging
import os
import resource
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import TYPE_CHECKING

from apscheduler.schedulers.background import BackgroundScheduler

import games
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.daemon import metrics
from adjudicator.errors import Fault, PostFault, Refusal
from adjudicator.mail import local_server as post_office
from adjudicator.messages import sentence
from adjudicator.model.mail import JOBS, POLL, PROCESS, SEND
from adjudicator.storage import attachments, metadata, pruning

if TYPE_CHECKING:
    from adjudicator.service import Service

# Messages to systemd (sd_notify): the service is ready, alive, stopping. Without systemd, nothing.


FRACTION = 3
"""So often within the time that systemd allows it is told that the service lives."""


class SystemdNotifier:
    """Tells systemd how the service is; silent where the environment names no socket for it.

    The socket's name is a path, or begins with @ (an abstract one). A socket that does not take what it is
    told is no reason for the service to stop.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._socket = environ.get("NOTIFY_SOCKET", "")
        allowed = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        if self._socket and self._socket[0] not in "/@":
            raise Refusal(f"NOTIFY_SOCKET {self._socket}", "that isn't the name of a socket", "Leave it to systemd")
        self._seconds = int(allowed) / 1e6 / FRACTION if allowed.isdigit() and mine and int(allowed) else None

    @property
    def seconds(self) -> float | None:
        """The time between two calls of `beat`; None: nobody waits for it."""
        return self._seconds if self._socket else None

    def ready(self, status: str) -> None:
        """All runs."""
        self._tell(f"READY=1\nSTATUS={status}")

    def beat(self, is_well: Callable[[], bool]) -> None:
        """It is alive, if that is so: who hangs is started again."""
        if is_well():
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """It is about to end."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._socket:
            return
        name = "\0" + self._socket[1:] if self._socket.startswith("@") else self._socket
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as connection:
            try:
                connection.sendto(text.encode(), name)
            except OSError:
                return


PROCESS_SECONDS, HEARTBEAT_SECONDS = 5, 300
TICK_HANGS_AFTER_SECONDS = 900.0
"""Whatever takes longer than that hangs: no poll and no batch of letters may take half as long."""

LEAVE_SECONDS = 5.0
"""So long the end waits for a thread that listens to a server."""

SIGNAL_SECONDS = 1.0
"""So late a signal may be noticed."""

ARCHIVE_SECONDS = 5.0
"""How often it is looked whether there is anything new for the archive."""

PRESENCE_SECONDS, HEAR_SECONDS = 10, 5.0
"""How often a worker says that it lives and looks for the dead; how long it listens at a stretch."""

log = logging.getLogger(__name__)


def serve(
    service: Service,
    stop: threading.Event | None = None,
    ready: Callable[[], None] = lambda: None,
    jobs: Collection[str] = JOBS,
    seconds: float = PROCESS_SECONDS,
    archive: Callable[[], object] | None = None,
) -> None:
    """Run until SIGTERM, SIGINT or `stop`: poll, process and send, none of them twice at once.

    A mailbox that can tell of new emails has them read and answered at once; it is polled from time to time
    all the same. A job that fails is logged; the next round tries again.

    ready: called when everything runs; jobs: which of them to do, while other workers on the same database do
    the same or the rest; seconds: how often to check for due turns and emails to send; archive: brings the
    archive up to date, if there is one.
    """
    stop, heart = stop or threading.Event(), SystemdNotifier()
    tally = StepCounter(service.reached)
    service = replace(service, reached=tally)
    with ExitStack() as open_things:
        if threading.current_thread() is threading.main_thread():
            _stop_on_signals(stop)
        service_context = office_of_machine(service) if POLL in jobs else None
        if service_context is not None:
            open_things.callback(service_context.close)
        if service.settings.metrics is not None:
            endpoint = metrics.Endpoint(service, service.settings.metrics)
            open_things.callback(endpoint.close)
            log.info("metrics on port %d", endpoint.port)
        service.recover(tuple(job for job in JOBS if job in jobs))
        open_things.callback(_leave, service)
        rounds = JobLoop(service, jobs, seconds)
        if service_context is not None:
            # Its emails lie in a folder of our own, which we would poll only from time to time.
            service_context.on_arrival(rounds.notify)
        scheduler = _scheduler(rounds, heart, tally, service_context)
        if archive is not None:
            updater = ArchiveUpdater(tally, archive)
            scheduler.add_job(updater, "interval", seconds=ARCHIVE_SECONDS, id="archive")
        scheduler.start()
        open_things.callback(scheduler.shutdown, wait=True)
        for thread, join_seconds in _job_threads(rounds, jobs, stop):
            thread.start()
            open_things.callback(thread.join, join_seconds)
        # From here on the callbacks wake every thread, in the reverse order, whatever ends the service.
        open_things.callback(rounds.leave)
        open_things.callback(service.mailbox.close)
        open_things.callback(_wake_ear, service)
        open_things.callback(stop.set)
        log.info("serving %s", service.service_context.address)
        ready()
        heart.ready(f"serving {service.service_context.address}")
        # A signal may reach another thread, and would not wake this one from a wait without an end.
        while not stop.wait(SIGNAL_SECONDS):
            pass
        heart.stopping()
        log.info("stopping")


def _job_threads(
    rounds: JobLoop, jobs: Collection[str], stop: threading.Event
) -> Iterator[tuple[threading.Thread, float | None]]:
    """Yield the threads that react at once, each with the seconds to wait for its end (None: no limit)."""
    # Each channel has a thread of its own: one that hangs keeps no letter, and no other channel, waiting.
    for tick in rounds.criers:
        yield _thread(tick.name, rounds.run_channel, tick, stop), LEAVE_SECONDS
    yield _thread("bell", rounds.answer, stop), None
    if SEND in jobs:
        yield _thread("postman", rounds.post, stop), None
    if rounds.service.database.is_shared:
        yield _thread("ear", rounds.listen, stop), LEAVE_SECONDS
    if POLL in jobs:
        yield _thread("watch", rounds.service.mailbox.watch, rounds.notify, stop), LEAVE_SECONDS


def _thread(name: str, target: Callable[..., object], *args: object) -> threading.Thread:
    return threading.Thread(target=target, args=args, name=name, daemon=True)


class StepCounter:
    """A counter of how often a worker has passed each of the service's steps. then: is called besides."""

    def __init__(self, then: Callable[[str], None]) -> None:
        self.done: Counter[str] = Counter()
        self._then = then

    def __call__(self, step: str) -> None:
        """One more."""
        self.done[step] += 1
        self._then(step)


class ArchiveUpdater:
    """A job that brings the archive up to date after turns and letters, and once at the start."""

    def __init__(self, tally: StepCounter, build: Callable[[], object]) -> None:
        self._tally = tally
        self._seen: int | None = None
        self._tick = PeriodicJob("archive", build, ARCHIVE_SECONDS)

    def __call__(self) -> None:
        """Do it, if anything has come about since."""
        now = self._tally.done["turn committed"] + self._tally.done["letter handled"]
        if now != self._seen:
            self._seen = now
            self._tick()


@dataclass
class PeriodicJob:
    """One of the jobs that come round, by its name; never done twice at once. seconds: how often."""

    name: str
    work: Callable[[], object]
    seconds: float
    busy: threading.Lock = field(default_factory=threading.Lock)
    began: float | None = None

    def hangs(self) -> bool:
        """Return whether it was begun so long ago that it will hardly end."""
        began = self.began
        return began is not None and time.monotonic() - began > TICK_HANGS_AFTER_SECONDS

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


class JobLoop:
    """The jobs of the service: each at its own interval, and all of them, in order, when the bell rings.

    jobs: those that are ours. processed: letters and turns were seen to since something was last sent.
    """

    def __init__(
        self, service: Service, jobs: Collection[str] = JOBS, seconds: float = PROCESS_SECONDS
    ) -> None:
        self.service = service
        every = (
            PeriodicJob(POLL, service.poll, service.settings.poll / 1000),
            PeriodicJob(PROCESS, self._process, seconds),
            PeriodicJob(SEND, service.send, seconds),
        )
        self.tidying = PeriodicJob("tidying", lambda: tidy(service), TIDY_CHECK_SECONDS)
        self.ticks = tuple(tick for tick in every if tick.name in jobs)
        criers = service.channel_senders if SEND in jobs else ()
        self.criers = tuple(
            PeriodicJob(f"channel {crier.channel.name}", crier.send, seconds) for crier in criers
        )
        self._rung = threading.Event()
        self._is_kept = False
        self._bell = threading.Lock()
        self.processed = threading.Event()

    def _process(self) -> None:
        # Before a turn is played by its deadline it is known whether we were away.
        self.service.resume_after_downtime()
        self.service.process()
        # Else whoever sends would look into the database each time that somebody else has.
        if not self.service.mail_sender.has_nothing_to_send():
            self.processed.set()

    def notify(self) -> None:
        """Note that there may be new letters."""
        with self._bell:
            self._is_kept = False
            self._rung.set()

    def is_well(self) -> bool:
        """Return whether none of the jobs hangs."""
        return not any(tick.hangs() for tick in self.ticks)

    def answer(self, stop: threading.Event) -> None:
        """Go round once at the start, and whenever the bell rings, until `stop`."""
        is_kept = False
        while not stop.is_set():
            for tick in self.ticks:
                if not (is_kept and tick.name == POLL):
                    tick()
            self._rung.wait()
            with self._bell:
                is_kept, self._is_kept = self._is_kept, False
                self._rung.clear()

    def listen(self, stop: threading.Event) -> None:
        """Do what others who work on the same books ring for, until `stop`."""
        while not stop.is_set():
            try:
                for what in self.service.database.wait_for_notification(HEAR_SECONDS):
                    self._handle_notification(what)
            except Fault as fault:
                log.warning("bell: %s", fault)
                stop.wait(HEAR_SECONDS)
                with suppress(Fault):
                    self.service.heartbeat.resume()
                # What was rung meanwhile nobody has heard.
                self.notify()

    def _handle_notification(self, what: str) -> None:
        if what == PROCESS:
            # The letters are in the database: who polled need not poll again, nor anybody else.
            with self._bell:
                self._is_kept = not self._rung.is_set()
                self._rung.set()
        elif what == SEND:
            self.processed.set()

    def post(self, stop: threading.Event) -> None:
        """Send what came of it whenever letters and turns were seen to, until `stop`.

        By itself sending might have come round just before; and no turn is to wait for a server that hangs.
        """
        (send,) = (tick for tick in self.ticks if tick.name == SEND)
        while self.processed.wait() and not stop.is_set():
            self.processed.clear()
            send()

    def run_channel(self, tick: PeriodicJob, stop: threading.Event) -> None:
        """Post to one channel what is ready for it, now and then, until `stop`."""
        while not stop.is_set():
            tick()
            stop.wait(tick.seconds)

    def leave(self) -> None:
        """Whoever waits for something is to notice the end."""
        self._rung.set()
        self.processed.set()


class SharedMailServer:
    """The embedded mail server of a machine: one worker has it open, and another when that one ends."""

    def __init__(self, server: post_office.LocalServer) -> None:
        self._server = server
        self.is_open = False

    def on_arrival(self, call: Callable[[], None]) -> None:
        """Have something called whenever it has taken an email for the GM."""
        self._server.on_arrival(call)

    def open(self) -> None:
        """Open it. Raises PostFault where the port is taken."""
        self._server.start()
        self.is_open = True

    def open_if_free(self) -> None:
        """Open it unless it is open, here or by another."""
        if not self.is_open:
            with suppress(PostFault):
                self.open()
                log.info("the embedded post office is ours")

    def close(self) -> None:
        """Close it, if it is open here."""
        if self.is_open:
            self._server.stop()


def office_of_machine(service: Service) -> SharedMailServer | None:
    """The embedded post office, if there is one: open, unless another worker of this machine has it open.

    Raises PostFault where its port is taken and nobody else works in the database.
    """
    local = service.settings.local
    if local is None:
        return None
    address = service.service_context.address
    server = post_office.LocalServer(
        local.host, local.port, address, local.inbox, local.folder, service.clock
    )
    service_context = SharedMailServer(server)
    if service.database.is_shared:
        service_context.open_if_free()
    else:
        service_context.open()
    return service_context


def _wake_ear(service: Service) -> None:
    with suppress(Fault):
        service.database.notify("end")


def _leave(service: Service) -> None:
    try:
        service.heartbeat.stop()
    except Fault as fault:
        log.warning("leaving: %s", fault)


def _scheduler(
    rounds: JobLoop, heart: SystemdNotifier, tally: StepCounter, service_context: SharedMailServer | None
) -> BackgroundScheduler:
    # Memory store and interval ticks only: a job store that is lost or shared loses or doubles deadlines.
    scheduler = BackgroundScheduler(
        job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None}, timezone="UTC"
    )
    heartbeat = PeriodicJob("heartbeat", lambda: log.info("alive"), HEARTBEAT_SECONDS)
    beat = PeriodicJob("watchdog", lambda: heart.beat(rounds.is_well), heart.seconds or HEARTBEAT_SECONDS)
    jobs = [tick.name for tick in rounds.ticks]
    present = PeriodicJob(
        "presence", lambda: rounds.service.heartbeat.beat(jobs, tally.done), PRESENCE_SECONDS
    )
    own = (
        [PeriodicJob("post office", service_context.open_if_free, PRESENCE_SECONDS)]
        if service_context is not None
        else []
    )
    for tick in (*rounds.ticks, rounds.tidying, heartbeat, beat, present, *own):
        scheduler.add_job(tick, "interval", seconds=tick.seconds, id=tick.name)
    return scheduler


def _stop_on_signals(stop: threading.Event) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


# File handles: a service that lacks them at its start waits.


AGAIN_SECONDS = 2.0
MIN_FREE_HANDLES = 24
"""With fewer left a service cannot begin: sockets to listen at, the database, a mailbox."""


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


# Periodic clean-up: it deletes the bytes of letters that [keep] no longer keeps.


TIDY_INTERVAL: Millis = DAY
TIDY_CHECK_SECONDS = HOUR // 1000
"""So often it is looked whether a day is over."""


def tidy(service: Service) -> int:
    """Forget what need not be kept, if that was not done within a day. Returns of how many letters.

    Of pictures that went a day ago the drawing is kept alone.
    """
    keep, now = service.settings.keep, service.clock.now()
    last = metadata.last_tidied(service.database)
    if last is not None and now - last < TIDY_INTERVAL:
        return 0
    with service.database.session():
        before = None if keep.letters is None else now - keep.letters
        count = 0 if before is None else pruning.prune(service.database, before, pictures=keep.pictures)
        attachments.press(service.database, now - TIDY_INTERVAL)
        metadata.note_tidied(service.database, now)
    if count:
        log.info(sentence("house.tidying.forgotten", letters=count))
    return count


# Less garbage collection: objects that live as long as the service are not scanned again.


GC_THRESHOLD = 20_000
"""So many new objects may come before the young ones are looked through; a letter makes some thousands."""


def settle_down(kinds: Iterable[str]) -> None:
    """Load the kinds of game that are played, and leave all that is there now out of every later search.

    For a process that is there to work through letters; a command that is over at once has no use for it.
    """
    for kind in kinds:
        games.kinds().get(kind)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)
