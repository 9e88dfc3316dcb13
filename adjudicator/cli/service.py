"""``gm run``, ``serve``, ``watch`` and ``demo``: run a service, and show what it does, one line per event."""

from __future__ import annotations

import json
import logging
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adjudicator import clock as clocks
from adjudicator import logs
from adjudicator.admin import website
from adjudicator.auth import tokens
from adjudicator.cli import lazy_import
from adjudicator.cli.arguments import GameName, Json, alone, example, noun
from adjudicator.cli.connect import config_of, open_service, open_store
from adjudicator.cli.output import clean, console, document, pluralise, say
from adjudicator.daemon import daemon
from adjudicator.errors import Fault, Refusal
from adjudicator.model import addresses
from adjudicator.storage import inbox, metadata, outbox, queries, stored_games, workers

if TYPE_CHECKING:
    from datetime import tzinfo
    from typing import TextIO

    from adjudicator.clock import Millis
    from adjudicator.model.games import GamePosition
    from adjudicator.service import Service
    from adjudicator.storage.database import Database


# ``gm run``: do one of the service's jobs once, for cron or to see its effect.


run_app = noun(
    "Do one job of the service once: poll, process or send.",
    "gm run poll",
    "gm run process",
    "gm run send",
)

MOST_LETTERS = 10_000
"""The maximum number of emails that are listed after one run."""


class Alarms(logging.Handler):
    """Counts logged errors about emails or games."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.count = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Count an error."""
        self.count += 1


@run_app.command(epilog=example("gm run poll", then='Then "gm run process" reads the emails.'))
def poll(ctx: typer.Context, as_json: Json = False) -> None:
    """Fetch and store every email that has arrived in the mailbox."""
    with open_service(ctx) as service:
        _wake(service)
        count = service.poll()
        waiting = len(inbox.waiting_letters(service.database, MOST_LETTERS))
    if as_json:
        document({"kept": count, "waiting": waiting})
        return
    say(f"{pluralise(count, 'new email')} stored, {waiting} to be read.")


@run_app.command(epilog=example("gm run process", then='Then "gm run send" sends the replies and reports.'))
def process(ctx: typer.Context, as_json: Json = False) -> None:
    """Read the stored emails, and process the turns that are due.

    A turn is due when all its orders are in, or when its deadline and grace period have passed and the
    mailbox has been polled since.
    """
    alarms = Alarms()
    logging.getLogger("adjudicator").addHandler(alarms)
    try:
        with open_service(ctx) as service:
            _wake(service)
            now = service.clock.now()
            before = _entries(service)
            service.process(now)
            daemon.tidy(service)
            letters = [
                letter
                for letter in inbox.list_letters(service.database, MOST_LETTERS)
                if letter.handled == now
            ]
            turns = {name: count - before.get(name, 1) for name, count in _entries(service).items()}
    finally:
        logging.getLogger("adjudicator").removeHandler(alarms)
    played = {name: count for name, count in turns.items() if count}
    if as_json:
        done = [
            {"letter": letter.number, "disposition": letter.disposition, "why": letter.why}
            for letter in letters
        ]
        document({"letters": done, "turns": played, "alarms": alarms.count})
    else:
        say(f"{pluralise(len(letters), 'email')} read, {pluralise(sum(played.values()), 'turn')} processed.")
        say(
            *(
                f"  email {letter.number}: {letter.disposition}{_add_reason(letter.why)}"
                for letter in reversed(letters)
            )
        )
        say(*(f"  game {name}: {pluralise(count, 'turn')}" for name, count in played.items()))
    if alarms.count:
        raise typer.Exit(1)


@run_app.command(epilog=example("gm run send", then='"gm mail list --out" shows the state of each email.'))
def send(ctx: typer.Context, as_json: Json = False) -> None:
    """Send the emails that are ready, then the posts to channels."""
    with open_service(ctx) as service:
        sent = service.send()
        posted = service.post_to_channels()
        counts = outbox.counts(service.database)
        stuck = outbox.put_off(service.database, ("ready",))
    if as_json:
        document({"sent": sent, "posted": posted, "outbox": counts, "stuck": stuck.why if stuck else None})
    else:
        say(f"{pluralise(sent, 'email')} sent, {counts['ready']} ready, {counts['failed']} failed.")
        if posted:
            say(f"{pluralise(posted, 'post')} posted to channels.")
    if stuck and not sent:
        if as_json:
            raise typer.Exit(1)
        raise Fault(f"Can't send {pluralise(stuck.count, 'email')}", stuck.why)


def _wake(service: Service) -> None:
    """If a timetable starts the rounds, an overdue round shows that the machine was down."""
    if service.settings.rounds:
        service.resume_after_downtime()


def _entries(service: Service) -> dict[str, int]:
    return stored_games.entries(service.database)


def _add_reason(why: str | None) -> str:
    return f" ({why.splitlines()[0]})" if why else ""


# ``gm serve``: run the service until it gets a signal to stop.


serve_app = alone()


@serve_app.command(
    epilog=example(
        "gm serve",
        "gm --config /etc/turnpost/gm.toml serve",
        "gm serve --log-format json",
        "gm serve --jobs process,send",
        then=(
            "It logs to standard error and stops cleanly on Ctrl-C or SIGTERM. On a terminal it shows a line "
            "per event, and the state of the service at the bottom. To start it with the machine, see "
            "deploy/turnpost.service."
        ),
    )
)
def serve(
    ctx: typer.Context,
    log_format: Annotated[
        str | None,
        typer.Option(
            metavar="text|json",
            help="The form of log entries: text lines or JSON objects (default: text; short on a terminal).",
        ),
    ] = None,
    jobs: Annotated[
        str, typer.Option(metavar="JOBS", help="The jobs of this worker: one or more of poll, process, send.")
    ] = "poll,process,send",
    as_json: Json = False,
) -> None:
    """Run the service: fetch mail, process turns, send mail.

    It checks for email every few seconds, processes each turn that is due, and sends what is ready. You can
    stop it at any moment: nothing is lost and nothing is done twice. With PostgreSQL several workers can run
    on one or more machines; --jobs chooses the jobs of each.
    """
    wanted = {job.strip() for job in jobs.split(",")}
    if not wanted or wanted - {"poll", "process", "send"}:
        raise typer.BadParameter("use one or more of poll,process,send", param_hint="--jobs")
    if log_format not in (None, "text", "json"):
        raise typer.BadParameter("use text or json", param_hint="--log-format")
    line = log_on_terminal() if log_format is None else None
    if line is None:
        logs.configure_logging("json" if log_format == "json" else "text")

    def run(stop: threading.Event) -> None:
        with open_service(ctx) as service, ExitStack() as shown:
            daemon.settle_down(service.repository.kinds())
            archive = website.archive_task(service) if "process" in wanted else None

            def ready() -> None:
                _announce(service, as_json)
                if line is not None:
                    shown.enter_context(status_line(service, line))

            daemon.serve(service, stop, ready=ready, jobs=wanted, archive=archive)

    daemon.patiently(run)
    if not as_json:
        say("Stopped.")


def _announce(service: Service, as_json: bool) -> None:
    local = service.settings.local
    listen = f"{local.host}:{local.port}" if local else None
    if as_json:
        document(
            {
                "serving": service.service_context.address,
                "listen": listen,
                "config": str(service.settings.file),
            }
        )
        return
    say(f"Serving {service.service_context.address}.")
    if listen:
        say(f"Mail programs on this machine can send email through SMTP at {listen}.")
    say("Press Ctrl-C to stop.")


# ``gm demo``: play the demonstration, or check one.


demo_app = alone()


@demo_app.command(
    epilog=example(
        "gm demo",
        "gm demo --check",
        then="Then open the file that it names first, and browse the folder.",
    )
)
def demo(
    folder: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write to.")] = Path("demo"),
    check: Annotated[bool, typer.Option("--check", help="Verify what an earlier demo wrote there.")] = False,
    as_json: Json = False,
) -> None:
    """Watch two game-years being played by email on this machine.

    It starts a service on loopback; three scripted players write to it, and bots play the other nations. The
    folder then has all emails, the last report and the maps. --check replays the game from its log and
    verifies that each email there is one that was sent.
    """
    lazy_import.all_loaded()
    from adjudicator import demo as demonstration  # A service needs none of its imports.

    run = demonstration.check_demo if check else demonstration.play_demo
    code = run(folder, console(stderr=as_json))
    if as_json:
        document({"folder": str(folder.resolve()), "checked": check, "done": code == 0})
    raise typer.Exit(code)


# What `gm serve` and `gm watch` show while they run.


STATUS_SECONDS, WATCH_SECONDS = 2.0, 2.0
_ERASE, _DIM, _PLAIN = "\r\x1b[2K", "\x1b[7m", "\x1b[0m"
_UNSEEN = ("alive", "serving ")
"""Events that only show that the service runs, as the status line does: a message, and how another begins."""


# The status line of ``gm serve``.


def status_text(database: Database, address: str, zone: tzinfo, now: Millis) -> str:
    """Return the state of the service in one line: mailbox, games, next deadline, waiting emails."""
    with database.session():
        last, count = metadata.last_poll(database), queries.running(database)
        due, troubles = queries.next_deadline(database), workers.current_incidents(database)
        waiting_in, waiting_out = inbox.counts(database)["waiting"], outbox.counts(database)["ready"]
    parts = [address]
    if troubles:
        parts.append(
            f"PROBLEM: {troubles[0].name} since {_clock_time(troubles[0].since, zone)}, see gm doctor"
        )
    parts.append("mailbox not read yet" if last is None else f"mailbox read {_ago(now - last)}")
    parts.append(pluralise(count, "game"))
    if due is not None:
        parts.append(f"next deadline {clocks.format_instant(due[1], zone)} ({due[0]})")
    parts.append(f"emails waiting: {waiting_in} to read, {waiting_out} to send")
    return " | ".join(parts)


def _ago(length: Millis) -> str:
    seconds = max(length // 1000, 0)
    return f"{seconds} s ago" if seconds < 120 else f"{seconds // 60} min ago"


def _clock_time(at: Millis, zone: tzinfo) -> str:
    return f"{clocks.datetime_of(at, zone):%H:%M:%S}"


class StatusLine(logging.Handler):
    """Writes events above a status line that stays at the bottom of a terminal.

    Each write erases the line, and draws it again below the new text.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream, self._text, self._lock = stream, "", threading.RLock()

    def emit(self, record: logging.LogRecord) -> None:
        """Write an event with its time. A warning or an error says so."""
        message = tokens.redact_text(record.getMessage()).strip()
        if message == _UNSEEN[0] or message.startswith(_UNSEEN[1]):
            return
        level = "" if record.levelno < logging.WARNING else f"{record.levelname}: "
        reason = f" ({record.exc_info[1]})" if record.exc_info and record.exc_info[1] else ""
        at = clocks.datetime_of(int(record.created * 1000)).astimezone()  # as other programs here show it
        self.write(f"{at:%H:%M:%S}  {level}{message}{reason}")

    def write(self, text: str) -> None:
        """Write lines above the status line."""
        with self._lock:
            self._stream.write(_ERASE + "\n".join(clean(line) for line in text.splitlines()) + "\n")
            self._draw()

    def show(self, text: str) -> None:
        """Replace the status line. An empty text removes it."""
        with self._lock:
            self._text = clean(" ".join(text.split()))
            self._stream.write(_ERASE)
            self._draw()

    def _draw(self) -> None:
        width = shutil.get_terminal_size().columns - 1
        if self._text:
            text = self._text if len(self._text) <= width else f"{self._text[: width - 1]}…"
            self._stream.write(f"{_DIM}{text}{_PLAIN}")
        self._stream.flush()


@contextmanager
def status_line(service: Service, line: StatusLine) -> Iterator[None]:
    """Keep the status line up to date while the service runs."""
    stop = threading.Event()

    def refresh() -> None:
        while not stop.is_set():
            try:
                settings = service.settings
                line.show(status_text(service.database, settings.address, settings.zone, service.clock.now()))
            except Fault as fault:
                line.show(str(fault))
            stop.wait(STATUS_SECONDS)

    thread = threading.Thread(target=refresh, name="status line", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        line.show("")


def log_on_terminal() -> StatusLine | None:
    """Log for a person who watches, if standard error is a terminal. Return the status line, or None."""
    if not sys.stderr.isatty():
        return None
    line = StatusLine(sys.stderr)
    logs.configure_logging()
    logging.basicConfig(level=logging.INFO, handlers=[line], force=True)
    return line


# ``gm watch``: follow one game.

watch_app = alone()


class GameFollower:
    """Finds what is new in one game since the last look.

    Raises Refusal if the game doesn't exist.
    """

    def __init__(self, database: Database, game: str) -> None:
        self._database, self._game = database, game
        self._repository = queries.DatabaseRepository(database)
        self._position = self._look()
        self._emails = self._email_states()
        self._last_entry = self._position.entries

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self._position.status == "finished"

    @property
    def due(self) -> str:
        """Return the turn that is due, by its full name, and the human players whose orders are due."""
        game, state = self._position.game, self._position.state
        if not self._position.is_running:
            return f"the game is {self._position.status}"
        people = {seat for seat, held in self._position.assignments.items() if held.is_person}
        due = dict.fromkeys(each.seat for each in game.rules.due(state) if each.seat in people)
        seats = [addresses.short_seat_name(seat) for seat in due]
        return f"{game.rules.turn(state).name} is due from {', '.join(seats) or 'bots only'}"

    @property
    def deadline(self) -> Millis | None:
        """Return the deadline, if there is one."""
        return self._position.deadline

    def news(self) -> Iterator[tuple[str, str]]:
        """Yield what is new: the kind of event, and a line about it."""
        before, self._position = self._position, self._look()
        states = self._email_states()
        for key, (state, text) in states.items():
            if self._emails.get(key, ("", ""))[0] != state:
                yield "email", text
        self._emails = states
        if self._position.entries != self._last_entry:
            for entry, _ in self._repository.log(self._game):
                if entry.number >= self._last_entry:
                    silent = f"; no orders from {', '.join(entry.silent)}" if entry.silent else ""
                    yield "log", f"log entry {entry.number}: {entry.kind} {entry.turn} by {entry.by}{silent}"
            self._last_entry = self._position.entries
        if self._position.status != before.status:
            yield "status", f"the game is {self._position.status}"

    def _look(self) -> GamePosition:
        with self._database.session():
            position = self._repository.position(self._game)
        if position is None:
            names = ", ".join(self._repository.games()) or "none"
            raise Refusal(f'No game called "{self._game}"', "", f"Games: {names}")
        return position

    def _email_states(self) -> dict[str, tuple[str, str]]:
        """Return the latest emails of the game by a key, each with its state and a line about it."""
        states = {}
        with self._database.session():
            for letter in reversed(inbox.list_letters(self._database, 50)):
                if letter.game == self._game and letter.disposition:
                    seat = f" for {addresses.short_seat_name(letter.seat)}" if letter.seat else ""
                    sender = letter.speaker or "somebody"
                    text = f"email {letter.number} from {sender}{seat}: {letter.disposition}"
                    states[f"in {letter.number}"] = letter.disposition, text
            for posted in reversed(outbox.list_posted(self._database, 50)):
                if posted.sealed.game == self._game and posted.state != "sending":
                    text = f"email to {posted.sealed.to}: {posted.state}"
                    states[f"out {posted.number}"] = posted.state, text
        return states


@watch_app.command(epilog=example("gm watch beaver", then="It stops on Ctrl-C, or when the game ends."))
def watch(
    ctx: typer.Context,
    game: GameName,
    once: Annotated[bool, typer.Option("--once", help="Show the state of the game, and stop.")] = False,
    as_json: Json = False,
) -> None:
    """Follow one game: emails, turns, corrections, deadlines.

    It prints one line per event, as long as it runs. It only reads the database, so you can run it beside gm
    serve. With --json each event is one JSON object on a line.
    """
    with open_store(config_of(ctx)) as store:
        follower = GameFollower(store.database, game)
        say_event = _event_printer(game, store.zone, as_json)
        _say_due(follower, store.zone, say_event)
        deadline, due = follower.deadline, follower.due
        try:
            while not (once or follower.is_over):
                time.sleep(WATCH_SECONDS)
                for kind, text in follower.news():
                    say_event(kind, text)
                if (follower.deadline, follower.due) != (deadline, due):
                    deadline, due = follower.deadline, follower.due
                    _say_due(follower, store.zone, say_event)
        except KeyboardInterrupt:
            return


def _say_due(follower: GameFollower, zone: tzinfo, say_event: Callable[[str, str], None]) -> None:
    at = follower.deadline
    deadline = f", deadline {clocks.format_instant(at, zone)}" if at is not None else ""
    say_event("due", f"{follower.due}{deadline}")


def _event_printer(game: str, zone: tzinfo, as_json: bool) -> Callable[[str, str], None]:
    def say_event(kind: str, text: str) -> None:
        now = clocks.WallClock().now()
        if as_json:
            at = clocks.datetime_of(now).isoformat(timespec="seconds")
            print(
                json.dumps({"at": at, "game": game, "event": kind, "text": text}, ensure_ascii=False),
                flush=True,
            )
        else:
            say(f"{_clock_time(now, zone)}  {text}")

    return say_event
