"""Benchmark of a service under load: games whose emails arrive, and whose turns end, all at once."""

import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Literal

import psycopg
from peewee import AutoField, Model, fn

from adjudicator.admin import game_admin
from adjudicator.bench.adjudication import spell
from adjudicator.bench.mail import sink
from adjudicator.clock import DAY
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import serve, settle_down
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import CHECK_AT_ONCE, GamePosition, TakeSeat
from adjudicator.model.mail import DROPPED, PROCESS, SEND, IncomingLetter
from adjudicator.reports.charts import line_chart
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, stored_games
from adjudicator.storage.archive import ALL_TABLES
from adjudicator.storage.database import POSTGRESQL, Database
from adjudicator.storage.tables import ChairRow, GameRow, LetterRow
from games.dice import SealedDice
from games.protocol import Seat

# The workers of `gm bench load`, each a process: started, paused, measured, ended.


Hand = subprocess.Popen[str]

PAUSE_SECONDS = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")


@contextmanager
def start_worker(config: Path) -> Iterator[Hand]:
    """Start a worker, and yield it once it looks for work. At the end, kill it if it still runs."""
    words = [sys.executable, "-m", "adjudicator.bench.load", str(config)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def end_worker(worker: Hand) -> Counter[str]:
    """End a worker and return how often it passed each step of the service."""
    return Counter(json.loads(worker.communicate()[0].splitlines()[-1]))


@contextmanager
def pause_workers(service: Service, hands: Sequence[Hand]) -> Iterator[None]:
    """Keep workers on a server idle inside the context.

    Waits until no worker holds a job, because a job of a stopped worker stays locked for minutes.
    """
    _tell(hands, signal.SIGSTOP)
    while hands and not _is_database_idle(service):
        _tell(hands, signal.SIGCONT)
        time.sleep(PAUSE_SECONDS)
        _tell(hands, signal.SIGSTOP)
    try:
        yield
    finally:
        _tell(hands, signal.SIGCONT)


def _tell(hands: Sequence[Hand], number: signal.Signals) -> None:
    for worker in hands:
        worker.send_signal(number)


def _is_database_idle(service: Service) -> bool:
    """Return whether no other process holds a job or has an open transaction."""
    with service.database.session():
        if not is_quiet(service):
            return False
    with psycopg.connect(service.settings.database) as asked:
        row = asked.execute(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
        ).fetchone()
    return row == (0,)


def is_quiet(service: Service) -> bool:
    """Return whether all emails are read, no game is being processed, and all outgoing emails are sent."""
    in_hand = GameRow.select().where(GameRow.worker.is_null(False))
    if inbox.waiting_letters(service.database, limit=1) or service.database.count(in_hand):
        return False
    counts = outbox.counts(service.database)
    return not any(counts[state] for state in ("ready", "sending", "unsure"))


def busy(hands: Sequence[Hand]) -> float:
    """Return the processor time of some workers so far, in seconds."""
    return sum(_cpu_seconds(worker.pid) for worker in hands)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_kb(worker: Hand) -> int:
    """Return the maximum memory that a worker has used."""
    lines = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    return int(dict(line.split(":", 1) for line in lines)["VmHWM"].split()[0])


OrderStyle = Literal["hold", "dense"]
"""The orders of a load: "all hold" on the first turn, or after some turns a bot's orders, each text new."""

TURNS_BEFORE_DENSE = 6
"""Bots play this many turns before dense orders are sent, so that units stand side by side."""

WARM_UP_GAMES = 3
"""Each worker first plays this many games alone, unmeasured, to load boards, templates and fonts."""

PATIENCE_SECONDS = 3 * 3600
_RESPITE = 20
"""The pause before asking again whether all is done, as a multiple of the time that asking took."""
_ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_PLAYERS_DOMAIN = "example.net"
_SECRET = b"bench"
_LOAD_CONFIG = """
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "smtp://127.0.0.1:{smtp}"
probe = false
[deadlines]
moves = "72h"
grace = "0h"
"""


@dataclass(frozen=True)
class LoadRun:
    """The figures of one run. games: the games with a turn due. letters, turns: the measured numbers.

    adjudicated, read: how often these steps began, including repetitions. Processor time is that of the
    workers. memory: the maximum of one worker. grown: the growth of the database per turn, from the emails
    with the orders to the reports, without the preparation of the measurement.
    """

    games: int
    workers: int
    engine: str
    letters: int
    turns: int
    adjudicated: int
    read: int
    letters_seconds: float
    turns_seconds: float
    letters_a_second: float
    turns_a_second: float
    cpu_ms_a_letter: float
    cpu_ms_a_turn: float
    memory_mb: float
    growth_kb_a_turn: float
    cores: int
    orders: OrderStyle = "hold"


@dataclass(frozen=True)
class Load:
    """What a run sends. kind: of all games; games: their number; orders: what the players write."""

    kind: str
    games: int
    orders: OrderStyle = "hold"


def measure_load(load: Load, workers: int, database: str | None = None, first: int | None = None) -> LoadRun:
    """Measure one run. database: a server for a temporary database. None: a file.

    first: measure the emails and turns of this many games while those of all other games wait. None: measure
    all. Raises Refusal for values that can't be measured.
    """
    if not Path("/proc/self/stat").exists():
        raise Refusal(
            "Can't run gm bench load here",
            "it reads the processor time of its workers from /proc",
            "Run it on Linux",
        )
    if database is None and workers > 1:
        raise Refusal(
            "--workers",
            "a database in a file serves one worker only",
            "Add --database postgresql://user@host/name",
        )
    with ExitStack() as stack:
        stack.enter_context(_clean_up_on_signal())
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="turnpost-load-")))
        smtp = stack.enter_context(sink())
        url = stack.enter_context(_new_database(database)) if database else "turnpost.db"
        (folder / "gm.toml").write_text(_LOAD_CONFIG.format(database=url, smtp=smtp))
        service = open_service(load_settings(folder / "gm.toml"))
        stack.callback(service.database.close)
        return _run(service, folder, load, workers, first)


def chart(runs: Sequence[LoadRun]) -> str:
    """Return a chart as SVG: processor time per turn by number of games, a line per number of workers.

    Both axes are logarithmic.
    """
    tens = all(10 ** _zeros(run.games) == run.games for run in runs)
    series = {
        f"{engine}, {count}{', dense' * (orders == 'dense')}": sorted(
            (_zeros(run.games) if tens else run.games, run.cpu_ms_a_turn)
            for run in runs
            if (run.workers, run.engine, run.orders) == (count, engine, orders)
        )
        for count, engine, orders in dict.fromkeys((run.workers, run.engine, run.orders) for run in runs)
    }
    note = "from the common deadline to the last report; a line for each database and number of workers"
    across = "games (2: a hundred, 3: a thousand, 4: ten thousand)" if tens else "games"
    return line_chart("Processor time per turn", note, across, "milliseconds", series)


def _zeros(count: int) -> int:
    return len(str(count)) - 1


def keep(file: Path, run: LoadRun) -> tuple[LoadRun, ...]:
    """Store a run in a JSON file, replacing one of the same size and orders. Returns all runs in the file.

    Raises Refusal for a file that holds anything else.
    """
    try:
        there = [LoadRun(**fields) for fields in json.loads(file.read_text())] if file.exists() else []
    except (ValueError, TypeError) as fault:
        raise Refusal(
            f"Can't add to {file}", "it doesn't hold runs of gm bench load", "Name another file"
        ) from fault
    kept = {(each.orders, each.engine, each.workers, each.games): each for each in (*there, run)}
    lines = (f" {json.dumps(_round_figures(kept[case]))}" for case in sorted(kept))
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n")
    return tuple(kept[case] for case in sorted(kept))


def _round_figures(run: LoadRun) -> dict[str, object]:
    return {
        name: round(value, 2) if isinstance(value, float) else value for name, value in asdict(run).items()
    }


@contextmanager
def _clean_up_on_signal() -> Iterator[None]:
    """On a signal that ends this process, end its workers and drop its database first."""

    exits: list[SystemExit] = []

    def end(number: int, _frame: FrameType | None) -> None:
        for signal_number in before:
            signal.signal(signal_number, signal.SIG_IGN)  # a second signal would interrupt the cleanup
        exits.append(SystemExit(128 + number))
        raise exits[0]

    ending = [
        signal_number for signal_number in _ENDING if signal.getsignal(signal_number) is not signal.SIG_IGN
    ]  # as under nohup
    before = {signal_number: signal.signal(signal_number, end) for signal_number in ending}
    try:
        yield
    except Exception:
        if exits:  # the signal caused this error, for example by interrupting a query
            raise exits[0] from None
        raise
    finally:
        for signal_number, handler in before.items():
            signal.signal(signal_number, handler)


def _run(service: Service, folder: Path, load: Load, workers: int, first: int | None) -> LoadRun:
    games = load.games
    names = [f"load-{number}" for number in range(games)]
    _begin_all(service, load, names)
    first = None if first is None or first >= games else first
    with ExitStack() as stack:
        hands: list[Hand] = []
        for number in range(workers):
            worker = stack.enter_context(start_worker(folder / "gm.toml"))
            with pause_workers(service, hands):
                _warm_up(service, load, worker, number)
            hands.append(worker)
        first_letters, size = _read(service), partial(_size, service, folder)
        letters = _letters(service, _write_all(service, load, names), hands, first, size)
        turns = _turns(service, names, hands, first, size)
        memory = max(memory_kb(worker) for worker in hands)
        done: Counter[str] = Counter()
        for worker in hands:
            done += end_worker(worker)
    return LoadRun(
        games=games,
        workers=workers,
        engine="PostgreSQL" if service.database.is_shared else "SQLite",
        letters=letters.count,
        turns=turns.count,
        adjudicated=done["turn played"] - WARM_UP_GAMES * workers,
        read=done["letter read"] - first_letters,
        letters_seconds=letters.seconds,
        turns_seconds=turns.seconds,
        letters_a_second=letters.count / letters.seconds,
        turns_a_second=turns.count / turns.seconds,
        cpu_ms_a_letter=letters.cpu * 1000 / letters.count,
        cpu_ms_a_turn=turns.cpu * 1000 / turns.count,
        memory_mb=memory / 1024,
        growth_kb_a_turn=(letters.grown + turns.grown) / 1024,
        cores=len(os.sched_getaffinity(0)),
        orders=load.orders,
    )


@dataclass(frozen=True)
class _BatchTimes:
    """The time that a number of emails or turns took. grown: the growth of the database per game."""

    count: int
    seconds: float
    cpu: float
    grown: float


def _warm_up(service: Service, load: Load, worker: Hand, number: int) -> None:
    """Have a worker do every task once, so that loading doesn't slow down its first measured turns."""
    warm = [f"warm-{number}-{place}" for place in range(WARM_UP_GAMES)]
    for name in warm:
        _begin(service, load, name)
    _letters(service, _write_all(service, load, warm), [worker])
    _turns(service, warm, [worker])


def _begin_all(service: Service, load: Load, names: Sequence[str]) -> None:
    """Start one game, and copy it to the other names if its dice don't depend on the name."""
    first, *others = names
    _begin(service, load, first)
    if has_rules_dice(service, first):
        for name in others:
            _begin(service, load, name)
        return
    double(service.database, first, others)
    address = fn.LOWER(ChairRow.seat).concat(".").concat(ChairRow.game).concat(f"@{_PLAYERS_DOMAIN}")
    with service.database.writing():
        service.database.run(ChairRow.update(address=address))


def _begin(service: Service, load: Load, name: str) -> None:
    """Start a game with a player on each seat, which waits for its deadline.

    For dense orders, bots play it until units have met and may move.
    """
    game_admin.new_game(service, game_admin.GameRequest(load.kind, name, terms={"early": "no"}))
    if load.orders == "dense":
        _play_until_dense(service, name)
    people = [
        TakeSeat(game=name, by="gm", seat=seat, address=_address(seat, name))
        for seat in game_admin.position_of(service, name).assignments
    ]
    stored_games.perform(service.database, people, (), service.clock.now())


def _play_until_dense(service: Service, name: str) -> None:
    """Have bots play some turns of a game, up to one that asks for the same kinds of orders as the first.

    Raises Refusal if the game ends before.
    """
    begun = _order_kinds(game_admin.position_of(service, name))
    for played in count():
        position = game_admin.position_of(service, name)
        if not position.is_running:
            raise Refusal(
                f"Can't send dense orders for {name}", "bots end the game early", 'Use "gm bench load"'
            )
        if played >= TURNS_BEFORE_DENSE and _order_kinds(position) == begun:
            return
        game_admin.play_now(service, name)


def _order_kinds(position: GamePosition) -> frozenset[str]:
    """Return the kinds of orders that a game waits for."""
    dues = position.game.rules.due(position.state)
    return frozenset(kind for due in dues for kind in due.accepts)


def _address(seat: str, name: str) -> str:
    return f"{seat.lower()}.{name}@{_PLAYERS_DOMAIN}"


def _write_all(
    service: Service, load: Load, names: Sequence[str]
) -> Sequence[tuple[str, Sequence[IncomingLetter]]]:
    """Return the emails of each game, by its name."""
    now, write = service.clock.now(), _dense_orders if load.orders == "dense" else _all_hold
    return [
        (name, [_letter(service, name, like, seat, text, now) for seat, text in write(like, number)])
        for number, (name, like) in enumerate(_positions(service, names))
    ]


def _letters(
    service: Service,
    games: Sequence[tuple[str, Sequence[IncomingLetter]]],
    hands: Sequence[Hand],
    first: int | None = None,
    size: Callable[[], int] = lambda: 0,
) -> _BatchTimes:
    """Send all orders at once. Returns the time until all, or those of the first games, had replies."""
    now, before, empty = service.clock.now(), _read(service), size()
    names = [name for name, _ in games]
    letters = [letter for _, written in games for letter in written]
    with service.database.writing():
        for start in range(0, len(letters), 500):
            inbox.store_letters(service.database, letters[start : start + 500], now)
        # No worker sees an email before all are there. The measurement starts then.
        began = _MeasureStart(hands)
    _tidy(service)
    kept, ours = size(), 0
    if first is not None:
        enough = before + len(letters) * first // len(names)
        _wait_until(service, began, lambda: _read(service) >= enough)
        ours = _grown_by(service, size, _put_away)
    seconds, cpu = _wait_until(service, began, lambda: is_quiet(service))
    count = _read(service) - before
    read = count * len(names) / len(letters)
    return _BatchTimes(count, seconds, cpu, (kept - empty) / len(names) + (size() - kept - ours) / read)


def _grown_by(service: Service, size: Callable[[], int], act: Callable[[Service], None]) -> int:
    """Return by how much the database grows by an action that no worker does."""
    before = size()
    act(service)
    _tidy(service)
    return size() - before


def _tidy(service: Service) -> None:
    """Have a server vacuum and analyse its tables, as a server in use has done by itself."""
    if service.database.is_shared:
        with psycopg.connect(service.settings.database, autocommit=True) as asked:
            asked.execute("VACUUM (ANALYZE)")


def _put_away(service: Service) -> None:
    """Mark emails that no worker holds, so that no worker reads them."""
    waiting = LetterRow.disposition.is_null() & LetterRow.worker.is_null()
    with service.database.writing():
        gone = LetterRow.update(disposition=DROPPED, handled=service.clock.now())
        service.database.run(gone.where(waiting))


def _positions(service: Service, names: Sequence[str]) -> Iterator[tuple[str, GamePosition]]:
    """Yield games with their positions. Copies of one game share its position."""
    alike = not has_rules_dice(service, names[0])
    first = game_admin.position_of(service, names[0])
    yield from ((name, first if alike else game_admin.position_of(service, name)) for name in names)


def _all_hold(position: GamePosition, _number: int) -> Iterator[tuple[Seat, str]]:
    """Yield each seat of a game with the shortest orders there are."""
    yield from ((seat, "all hold") for seat in position.assignments)


def _dense_orders(position: GamePosition, number: int) -> Iterator[tuple[Seat, str]]:
    """Yield each seat with a bot's orders, other ones for each number, in a spelling that was never read."""
    game = position.game
    bot = next(iter(game.bots.values()))
    for due in game.rules.due(position.state):
        view = game.rules.view(position.state, due.seat)
        dice = SealedDice(_SECRET, f"{number}/{due.seat}", position.entries)
        orders = [game.notation.write(choice.order) for choice in bot.orders(view, due, dice)]
        yield due.seat, "\r\n".join(spell(order, number + 1) for order in orders)


def _letter(
    service: Service, name: str, position: GamePosition, seat: Seat, text: str, now: int
) -> IncomingLetter:
    """Return a player's email with orders."""
    turn = find_kind(position.kind).rules.turn(position.state).short
    generation = position.assignments[seat].generation
    token = reply_token(service.service_context.key, name, seat, generation, turn)
    to, sender = reply_address(service.service_context.address, name, seat, token), _address(seat, name)
    raw = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <1.{sender}>\r\n"
        f"Content-Type: text/plain\r\n\r\n{text}\r\n"
    )
    return IncomingLetter(mailbox="bench", place=f"{name}/{seat}", received=now, raw=raw.encode())


def _turns(
    service: Service,
    names: Sequence[str],
    hands: Sequence[Hand],
    first: int | None = None,
    size: Callable[[], int] = lambda: 0,
) -> _BatchTimes:
    """Pass all deadlines at once. Returns the time until all reports, or the first games', were sent."""
    over, before = service.clock.now() - DAY, _entries(service)
    with service.database.writing():
        for start in range(0, len(names), 500):
            here = GameRow.name.in_(list(names[start : start + 500]))
            service.database.run(
                GameRow.update(deadline=over, look_at=CHECK_AT_ONCE, rev=GameRow.rev + 1).where(here)
            )
    began, due, ours = _MeasureStart(hands), size(), 0
    service.poll()
    wanted = before + (len(names) if first is None else first)
    _wait_until(service, began, lambda: _entries(service) >= wanted)
    if first is not None:
        ours = _grown_by(service, size, _put_off)
    seconds, cpu = _wait_until(service, began, lambda: is_quiet(service))
    count = _entries(service) - before
    return _BatchTimes(count, seconds, cpu, (size() - due - ours) / count)


def _put_off(service: Service) -> None:
    """Postpone the games that no worker holds, so that no worker looks at them."""
    later = GameRow.update(look_at=service.clock.now() + DAY)
    with service.database.writing():
        service.database.run(later.where(GameRow.worker.is_null() & (GameRow.look_at <= service.clock.now())))


class _MeasureStart:
    """The start of a measurement: the time, and the workers' processor time so far."""

    def __init__(self, hands: Sequence[Hand]) -> None:
        self._hands, self._busy, self._at = hands, busy(hands), time.monotonic()

    def since(self) -> tuple[float, float]:
        """Return the seconds since the start, on the wall and of the workers' processors."""
        return time.monotonic() - self._at, busy(self._hands) - self._busy


def _wait_until(service: Service, began: _MeasureStart, is_done: Callable[[], bool]) -> tuple[float, float]:
    service.database.notify(PROCESS)
    with service.database.session():
        asked = time.monotonic()
        while not is_done():
            if began.since()[0] > PATIENCE_SECONDS:
                raise Refusal("gm bench load", "it didn't finish in three hours", "Use fewer games")
            # With many games, asking takes the workers' processors for long.
            time.sleep(max(PAUSE_SECONDS, _RESPITE * (time.monotonic() - asked)))
            asked = time.monotonic()
    return began.since()


def _entries(service: Service) -> int:
    with service.database.session():
        return int(service.database.first(GameRow.select(fn.SUM(GameRow.entries).alias("sum"))).sum)


def _read(service: Service) -> int:
    return inbox.counts(service.database)["read"]


def _size(service: Service, folder: Path) -> int:
    """Return the size of the database in bytes."""
    if not service.database.is_shared:
        return sum(file.stat().st_size for file in folder.glob("turnpost.db*"))
    with psycopg.connect(service.settings.database) as asked:
        row = asked.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def _new_database(server: str) -> Iterator[str]:
    """Create a temporary database on a server for a benchmark, and yield its URL."""
    if not server.startswith(POSTGRESQL):
        raise Refusal(
            f"--database {server}",
            "that isn't a PostgreSQL address",
            "Write it like postgresql://user@host/name",
        )
    name = f"turnpost_load_{token_hex(4)}"
    base, _, _ = server.rpartition("/")
    try:
        _ask(server, f"CREATE DATABASE {name}")
        yield f"{base}/{name}"
    finally:
        # This needs another connection: if a signal interrupts the creation, the first one has an answer
        # pending.
        _ask(server, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _ask(server: str, statement: str) -> None:
    with psycopg.connect(server, autocommit=True) as asked:
        asked.execute(statement.encode())


def plain(runs: Sequence[LoadRun]) -> list[dict[str, object]]:
    """Return the runs as plain values, for programs."""
    return [asdict(run) for run in runs]


# Copies of a played game: its rows under other names. The archive handles each copy as if it had been played.


_INSERTED_AT_ONCE = 40


def has_rules_dice(service: Service, name: str) -> bool:
    """Return whether the rules of a game have rolled dice, which depend on the game's name."""
    return any(
        not throw.is_by_bot for entry, _ in stored_games.log(service.database, name) for throw in entry.throws
    )


def double(database: Database, name: str, names: Sequence[str]) -> int:
    """Copy the rows of a game once for each of the other names. Returns the number of rows."""
    count = 0
    with database.writing():
        for model in ALL_TABLES:
            rows = [*_rows(database, model, name)]
            for start in range(0, len(names) if rows else 0, _INSERTED_AT_ONCE):
                copies = [
                    _rename_row(model, row, other_name)
                    for other_name in names[start : start + _INSERTED_AT_ONCE]
                    for row in rows
                ]
                for at in range(0, len(copies), _INSERTED_AT_ONCE):
                    database.run(model.insert_many(copies[at : at + _INSERTED_AT_ONCE]))
                count += len(copies)
    return count


def _rows(database: Database, model: type[Model], name: str) -> Iterator[dict[str, Any]]:
    column = _game_of(model)
    if column is not None:
        yield from database.run(model.select().where(column == name).dicts())


def _game_of(model: type[Model]) -> Any:
    """Return the column that names a game, if a table has one."""
    fields: Any = model._meta.fields
    return fields.get("name" if model is GameRow else "game")


def _rename_row(model: type[Model], row: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a row for another game, with its own number and key."""
    meta: Any = model._meta
    copy = {**row, _game_of(model).name: name}
    if isinstance(meta.primary_key, AutoField):
        del copy[meta.primary_key.name]
    return {**copy, "key": f"{name}/{row['key']}"} if "key" in row else copy


# A worker of `gm bench load`, in its own process: like ``gm serve``, but it polls more often.
# python -m adjudicator.bench.load CONFIG: prints "ready", works until its input ends, and prints how often it
# passed each step of the service.


POLL_SECONDS = 1.0
"""The polling interval: a benchmark measures neither the wait for the next poll nor polls in vain."""


def work(config: Path) -> None:
    """Work until the measuring process closes our input or ends."""
    stop = threading.Event()
    passed: Counter[str] = Counter()

    def reached(step: str) -> None:
        passed[step] += 1

    # The benchmark ignores notes that a worker is alive.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    service = open_service(load_settings(config), reached=reached)
    settle_down(service.repository.kinds())
    threading.Thread(target=_stop_at_end_of_input, args=(stop,), daemon=True).start()
    serve(service, stop, ready=lambda: print("ready", flush=True), jobs=(PROCESS, SEND), seconds=POLL_SECONDS)
    print(json.dumps(passed), flush=True)


def _stop_at_end_of_input(stop: threading.Event) -> None:
    sys.stdin.read()
    stop.set()


if __name__ == "__main__":
    work(Path(sys.argv[1]))
