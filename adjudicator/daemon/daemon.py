"""The daemon: periodic jobs of the service, notifications of new emails, an orderly end."""

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
from adjudicator import variants
from adjudicator.clock import DAY, HOUR, Millis
from adjudicator.daemon import metrics
from adjudicator.errors import Fault, PostFault, Refusal
from adjudicator.mail import local_server as post_office
from adjudicator.messages import sentence
from adjudicator.model.mail import JOBS, POLL, PROCESS, SEND
from adjudicator.storage import attachments, metadata, people, pruning

if TYPE_CHECKING:
    from pathlib import Path

    from adjudicator.service import Service

# Messages to systemd (sd_notify): the service is ready, alive, stopping. Without systemd, nothing is sent.


FRACTION = 3
"""The number of signs of life within the time that systemd allows."""


class SystemdNotifier:
    """Tells systemd the state of the service. Does nothing if the environment names no socket.

    The socket's name is a path, or begins with @ (an abstract one). An error at the socket doesn't stop the
    service.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._socket = environ.get("NOTIFY_SOCKET", "")
        allowed = environ.get("WATCHDOG_USEC", "")
        mine = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        if self._socket and self._socket[0] not in "/@":
            raise Refusal(
                f"NOTIFY_SOCKET {self._socket}", "that isn't the name of a socket", "Leave it to systemd"
            )
        self._seconds = int(allowed) / 1e6 / FRACTION if allowed.isdigit() and mine and int(allowed) else None

    @property
    def seconds(self) -> float | None:
        """Return the time between two calls of `beat`, or None if no watchdog waits for it."""
        return self._seconds if self._socket else None

    def ready(self, status: str) -> None:
        """Tell systemd that the service is ready."""
        self._tell(f"READY=1\nSTATUS={status}")

    def beat(self, is_well: Callable[[], bool]) -> None:
        """Tell systemd that the service is alive, if it is. A hanging service is restarted."""
        if is_well():
            self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Tell systemd that the service is stopping."""
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
"""A job that takes longer hangs. No poll and no batch of emails may take half as long."""

LEAVE_SECONDS = 5.0
"""The time that the end waits for a thread that listens to a server."""

SIGNAL_SECONDS = 1.0
"""The longest delay before a signal is noticed."""

ARCHIVE_SECONDS = 5.0
"""The interval of checks for news for the archive."""

PRESENCE_SECONDS, HEAR_SECONDS = 10, 5.0
"""The intervals at which a worker reports and looks for dead workers, and the time it listens at once."""

log = logging.getLogger(__name__)


def serve(
    service: Service,
    stop: threading.Event | None = None,
    ready: Callable[[], None] = lambda: None,
    jobs: Collection[str] = JOBS,
    seconds: float = PROCESS_SECONDS,
    archive: Callable[[], object] | None = None,
) -> None:
    """Run until SIGTERM, SIGINT or `stop`: poll, process and send, each only once at a time.

    A mailbox that announces new emails has them processed at once. It is still polled now and then. A failing
    job is logged and tried again in the next round. SIGHUP: look for variants again.

    ready: called when everything runs. jobs: which jobs to do, while other workers on the same database do
    the same or the rest. seconds: the interval of checks for due turns and emails to send. archive: updates
    the archive, if there is one.
    """
    stop, heart = stop or threading.Event(), SystemdNotifier()
    tally = StepCounter(service.reached)
    service = replace(service, reached=tally)
    with ExitStack() as open_things:
        if threading.current_thread() is threading.main_thread():
            _listen_to_signals(stop, service.settings.variants)
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
            # The local server's emails are in our folder, which would otherwise be polled only now and
            # then.
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
        # From here on, the callbacks wake every thread in reverse order, for any end of the service.
        open_things.callback(rounds.leave)
        open_things.callback(service.mailbox.close)
        open_things.callback(_wake_ear, service)
        open_things.callback(stop.set)
        log.info("serving %s", service.service_context.address)
        ready()
        heart.ready(f"serving {service.service_context.address}")
        # Another thread may get a signal, and that wouldn't end an unlimited wait in this one.
        while not stop.wait(SIGNAL_SECONDS):
            pass
        heart.stopping()
        log.info("stopping")


def _job_threads(
    rounds: JobLoop, jobs: Collection[str], stop: threading.Event
) -> Iterator[tuple[threading.Thread, float | None]]:
    """Yield the threads that react at once, each with the seconds to wait for its end (None: no limit)."""
    # Each channel has its own thread: a hanging channel delays no emails and no other channel.
    for tick in rounds.channel_senders:
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
    """Counts how often a worker has passed each of the service's steps. then: called for each step too."""

    def __init__(self, then: Callable[[str], None]) -> None:
        self.done: Counter[str] = Counter()
        self._then = then

    def __call__(self, step: str) -> None:
        """Count a step."""
        self.done[step] += 1
        self._then(step)


class ArchiveUpdater:
    """A job that updates the archive after turns and emails, and once at the start."""

    def __init__(self, tally: StepCounter, build: Callable[[], object]) -> None:
        self._tally = tally
        self._seen: int | None = None
        self._tick = PeriodicJob("archive", build, ARCHIVE_SECONDS)

    def __call__(self) -> None:
        """Update the archive if something has happened since."""
        now = self._tally.done["turn committed"] + self._tally.done["letter handled"]
        if now != self._seen:
            self._seen = now
            self._tick()


@dataclass
class PeriodicJob:
    """A periodic job with a name, run only once at a time. seconds: its interval."""

    name: str
    work: Callable[[], object]
    seconds: float
    busy: threading.Lock = field(default_factory=threading.Lock)
    began: float | None = None

    def hangs(self) -> bool:
        """Return whether it has been running so long that it probably hangs."""
        began = self.began
        return began is not None and time.monotonic() - began > TICK_HANGS_AFTER_SECONDS

    def __call__(self) -> None:
        """Run the job. External errors are logged and pass."""
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
    """The jobs of the service: each at its own interval, and all of them in order at a notification.

    jobs: the jobs of this worker. processed: emails or turns were processed since the last sending.
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
        channel_senders = service.channel_senders if SEND in jobs else ()
        self.channel_senders = tuple(
            PeriodicJob(f"channel {sender.channel.name}", sender.send, seconds) for sender in channel_senders
        )
        self._rung = threading.Event()
        self._is_kept = False
        self._bell = threading.Lock()
        self.processed = threading.Event()

    def _process(self) -> None:
        # The service must know whether it was down before it runs a turn at its deadline.
        self.service.resume_after_downtime()
        self.service.process()
        # Otherwise a sender would query the database after every email sent by another worker.
        if not self.service.mail_sender.has_nothing_to_send():
            self.processed.set()

    def notify(self) -> None:
        """Note that there may be new emails."""
        with self._bell:
            self._is_kept = False
            self._rung.set()

    def is_well(self) -> bool:
        """Return whether none of the jobs hangs."""
        return not any(tick.hangs() for tick in self.ticks)

    def answer(self, stop: threading.Event) -> None:
        """Run all jobs at the start and at each notification, until `stop`."""
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
        """Run the jobs that other workers on the database send notifications about, until `stop`."""
        while not stop.is_set():
            try:
                for what in self.service.database.wait_for_notification(HEAR_SECONDS):
                    self._handle_notification(what)
            except Fault as fault:
                log.warning("can't read notifications: %s", fault)
                stop.wait(HEAR_SECONDS)
                with suppress(Fault):
                    self.service.heartbeat.resume()
                # Notifications sent meanwhile were missed.
                self.notify()

    def _handle_notification(self, what: str) -> None:
        if what == PROCESS:
            # The emails are in the database after a poll, so nobody needs to poll again.
            with self._bell:
                self._is_kept = not self._rung.is_set()
                self._rung.set()
        elif what == SEND:
            self.processed.set()

    def post(self, stop: threading.Event) -> None:
        """Send the results whenever emails and turns were processed, until `stop`.

        The periodic job alone could have run just before, and no turn may wait for a hanging server.
        """
        (send,) = (tick for tick in self.ticks if tick.name == SEND)
        while self.processed.wait() and not stop.is_set():
            self.processed.clear()
            send()

    def run_channel(self, tick: PeriodicJob, stop: threading.Event) -> None:
        """Post what is ready to one channel, now and then, until `stop`."""
        while not stop.is_set():
            tick()
            stop.wait(tick.seconds)

    def leave(self) -> None:
        """Wake all threads that wait, so that they notice the end."""
        self._rung.set()
        self.processed.set()


class SharedMailServer:
    """The built-in mail server of a machine: one worker runs it, and another takes over when that one
    ends."""

    def __init__(self, server: post_office.LocalServer) -> None:
        self._server = server
        self.is_open = False

    def on_arrival(self, call: Callable[[], None]) -> None:
        """Register a function to call whenever it has received an email for the GM."""
        self._server.on_arrival(call)

    def open(self) -> None:
        """Open it. Raises PostFault if the port is taken."""
        self._server.start()
        self.is_open = True

    def open_if_free(self) -> None:
        """Open it unless it is open, here or in another process."""
        if not self.is_open:
            with suppress(PostFault):
                self.open()
                log.info("this worker runs the built-in mail server")

    def close(self) -> None:
        """Close it if it is open here."""
        if self.is_open:
            self._server.stop()


def office_of_machine(service: Service) -> SharedMailServer | None:
    """Return the built-in mail server, if any: open, unless another worker of this machine runs it.

    Raises PostFault if its port is taken and no other worker uses the database.
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
        log.warning("can't sign off from the database: %s", fault)


def _scheduler(
    rounds: JobLoop, heart: SystemdNotifier, tally: StepCounter, service_context: SharedMailServer | None
) -> BackgroundScheduler:
    # Memory store and interval triggers only: a job store that is lost or shared would lose or double jobs.
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


def _listen_to_signals(stop: threading.Event, variants_folder: Path) -> None:
    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    # A variant that was added can be begun, and one that was changed is another edition, from now on.
    signal.signal(signal.SIGHUP, lambda _number, _frame: variants.use_variants(variants_folder))


# File handles: a service that lacks them at its start waits.


AGAIN_SECONDS = 2.0
MIN_FREE_HANDLES = 24
"""A service can't start with fewer: it needs sockets, the database, a mailbox."""


def patiently(work: Callable[[threading.Event], None], stop: threading.Event | None = None) -> None:
    """Run a function that needs file handles. If there are none, say so, wait and retry until `stop`.

    work: gets `stop`. Its other exceptions are raised.
    """
    stop = stop or threading.Event()
    while True:
        try:
            return work(stop)
        except (OSError, Fault) as fault:
            if not is_out_of_handles(fault):
                raise
            log.warning(
                "no file handles are left (%s): trying again in %d s; `ulimit -n` shows the limit",
                fault,
                AGAIN_SECONDS,
            )
        if stop.wait(AGAIN_SECONDS):
            return None


def is_out_of_handles(fault: BaseException | None) -> bool:
    """Return whether something failed because there were no file handles left."""
    seen: BaseException | None = fault
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in (errno.EMFILE, errno.ENFILE):
            return True
        seen = seen.__cause__ or seen.__context__
    # A database doesn't say why it can't open its files.
    if not isinstance(fault, Fault) or not os.path.isdir("/proc/self/fd"):
        return False
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return most - len(os.listdir("/proc/self/fd")) < MIN_FREE_HANDLES


# Periodic clean-up: it deletes the bytes of emails that are older than [keep] allows.


TIDY_INTERVAL: Millis = DAY
TIDY_CHECK_SECONDS = HOUR // 1000
"""The interval of checks whether a day has passed."""


def tidy(service: Service) -> int:
    """Delete old data if this wasn't done within a day. Return the number of emails.

    Of pictures sent more than a day ago, only the drawing is kept.
    """
    keep, now = service.settings.keep, service.clock.now()
    last = metadata.last_tidied(service.database)
    if last is not None and now - last < TIDY_INTERVAL:
        return 0
    with service.database.session():
        before = None if keep.letters is None else now - keep.letters
        count = 0 if before is None else pruning.prune(service.database, before, pictures=keep.pictures)
        attachments.press(service.database, now - TIDY_INTERVAL)
        service.forgetter.schedule_unused(now)
        people.drop_former_turnouts(service.database)
        metadata.note_tidied(service.database, now)
    if count:
        log.info(sentence("service.tidying.forgotten", letters=count))
    return count


# Less garbage collection: objects that live as long as the service are not scanned again.


GC_THRESHOLD = 20_000
"""The number of new objects before a collection of the young ones. An email creates some thousands."""


def settle_down(kinds: Iterable[str]) -> None:
    """Load the games in use, and exclude all current objects from later garbage collections.

    For a process that handles many emails. A short command doesn't need it.
    """
    for kind in kinds:
        games.kinds().get(kind)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_THRESHOLD, 20, 20)
