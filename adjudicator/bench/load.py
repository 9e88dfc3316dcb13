"""How a service bears load: games whose letters come, and whose turns end, all together."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import psycopg
from peewee import fn

from adjudicator.bench.sink import sink
from adjudicator.clock import DAY
from adjudicator.errors import Refusal
from adjudicator.gamesmaster import conduct
from adjudicator.house import House, open_house
from adjudicator.kinds import kind_named
from adjudicator.ledger.game_acts import TakeSeat
from adjudicator.ledger.jobs import PROCESS
from adjudicator.ledger.letters import Arrived
from adjudicator.ledger.looks import AT_ONCE
from adjudicator.reports.chart import line_chart
from adjudicator.settings.service import load_settings
from adjudicator.signs.addresses import reply_address, reply_token
from adjudicator.store import acts, inbox, outbox
from adjudicator.store.database import POSTGRESQL
from adjudicator.store.tables import GameRow
from games.protocol import Seat

Hand = subprocess.Popen[str]
WARM = 3
"""So many games a worker are played first, and not measured: boards, templates, fonts are loaded by then."""

PATIENCE_SECONDS = 3 * 3600
_PAUSE_SECONDS = 0.05
_TICKS = os.sysconf("SC_CLK_TCK")
_CONFIG = """
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
class Load:
    """What one run found out. adjudicated, read: how often that was begun, whatever came of it.

    Processor time is that of the workers; memory the most that one of them took; growth that of the database
    for each turn, from the letters that ordered it to its reports.
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


def measure(kind: str, games: int, workers: int, database: str | None = None) -> Load:
    """One run. database: a server on which a database can be made, which goes again; None: a file.

    Raises Refusal for what cannot be measured.
    """
    if not Path("/proc/self/stat").exists():
        raise Refusal(
            "gm bench load", "reads the processor time of its workers from /proc", "run it on Linux"
        )
    if database is None and workers > 1:
        raise Refusal("--workers", "books in a file have one worker", "give --database postgresql://…")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="turnpost-load-")))
        smtp = stack.enter_context(sink())
        url = stack.enter_context(_made(database)) if database else "turnpost.db"
        (folder / "gm.toml").write_text(_CONFIG.format(database=url, smtp=smtp))
        house = open_house(load_settings(folder / "gm.toml"))
        stack.callback(house.database.close)
        return _run(house, folder, kind, games, workers)


def chart(found: Sequence[Load]) -> str:
    """Processor time a turn over the number of games, as SVG: a line for each number of workers."""
    series = {
        f"{count} worker{'s' if count > 1 else ''}, {engine}": [
            (one.games, one.cpu_ms_a_turn) for one in found if (one.workers, one.engine) == (count, engine)
        ]
        for count, engine in dict.fromkeys((one.workers, one.engine) for one in found)
    }
    note = "from the deadline of all to the last report"
    return line_chart("Processor time a turn", note, "games", "milliseconds", series)


def _run(house: House, folder: Path, kind: str, games: int, workers: int) -> Load:
    warm = [f"warm-{number}" for number in range(WARM * workers)]
    names = [f"load-{number}" for number in range(games)]
    for name in (*warm, *names):
        _begin(house, kind, name)
    with ExitStack() as stack:
        hands = [stack.enter_context(_worker(folder / "gm.toml")) for _ in range(workers)]
        _letters(house, warm, hands)
        _turns(house, warm, hands)
        before = _size(house, folder)
        letters_seconds, letters_cpu = _letters(house, names, hands)
        turns_seconds, turns_cpu = _turns(house, names, hands)
        growth = _size(house, folder) - before
        memory = max(_memory_kb(hand.pid) for hand in hands)
        done: Counter[str] = Counter()
        for hand in hands:
            done += _ended(hand)
    all_letters, seats = sum(inbox.counts(house.database).values()), len(_seats(house, names[0]))
    unread = all_letters - games * seats
    return Load(
        games=games,
        workers=workers,
        engine="PostgreSQL" if house.database.is_shared else "SQLite",
        letters=games * seats,
        turns=games,
        adjudicated=done["turn played"] - len(warm),
        read=done["letter read"] - unread,
        letters_seconds=letters_seconds,
        turns_seconds=turns_seconds,
        letters_a_second=games * seats / letters_seconds,
        turns_a_second=games / turns_seconds,
        cpu_ms_a_letter=letters_cpu * 1000 / (games * seats),
        cpu_ms_a_turn=turns_cpu * 1000 / games,
        memory_mb=memory / 1024,
        growth_kb_a_turn=growth / 1024 / games,
        cores=len(os.sched_getaffinity(0)),
    )


def _begin(house: House, kind: str, name: str) -> None:
    """A game with a person in each seat, which waits for its deadline."""
    conduct.new_game(house, conduct.GameRequest(kind, name, terms={"early": "no"}))
    people = [
        TakeSeat(game=name, by="gm", seat=seat, address=f"{seat.lower()}.{name}@example.net")
        for seat in _seats(house, name)
    ]
    acts.perform(house.database, people, (), house.clock.now())


def _seats(house: House, name: str) -> Sequence[Seat]:
    return tuple(conduct.position_of(house, name).chairs)


def _letters(house: House, names: Sequence[str], hands: Sequence[Hand]) -> tuple[float, float]:
    """Everybody's orders come at once. Seconds until all were answered, and of the workers' processors."""
    now = house.clock.now()
    letters = [_order(house, name, seat, now) for name in names for seat in _seats(house, name)]
    with house.database.writing():
        for start in range(0, len(letters), 500):
            inbox.keep(house.database, letters[start : start + 500], now)
        # Nobody sees one of them before all are there: from then on it is measured.
        began = _Began(hands)
    if house.database.is_shared:
        with psycopg.connect(house.settings.database, autocommit=True) as asked:
            # A server in use has done so by itself.
            asked.execute("ANALYZE")
    return _timed(house, began, lambda: _is_quiet(house))


def _order(house: House, name: str, seat: Seat, now: int) -> Arrived:
    position = conduct.position_of(house, name)
    turn = kind_named(position.kind).rules.turn(position.state).short
    token = reply_token(house.office.key, name, seat, position.chairs[seat].generation, turn)
    to = reply_address(house.office.address, name, seat, token)
    sender = f"{seat.lower()}.{name}@example.net"
    text = (
        f"From: {sender}\r\nTo: {to}\r\nSubject: orders\r\nMessage-ID: <1.{sender}>\r\n"
        "Content-Type: text/plain\r\n\r\nall hold\r\n"
    )
    return Arrived(mailbox="bench", place=f"{name}/{seat}", received=now, raw=text.encode())


def _turns(house: House, names: Sequence[str], hands: Sequence[Hand]) -> tuple[float, float]:
    """All deadlines are over at once. Seconds until the last report was sent, and of processors."""
    over, wanted = house.clock.now() - DAY, _entries(house) + len(names)
    with house.database.writing():
        for start in range(0, len(names), 500):
            here = GameRow.name.in_(list(names[start : start + 500]))
            house.database.run(
                GameRow.update(deadline=over, look_at=AT_ONCE, rev=GameRow.rev + 1).where(here)
            )
    began = _Began(hands)
    house.poll()
    return _timed(house, began, lambda: _entries(house) >= wanted and _is_quiet(house))


class _Began:
    """The instant from which something is measured, and what the workers' processors had done by then."""

    def __init__(self, hands: Sequence[Hand]) -> None:
        self._hands, self._busy, self._at = hands, _busy(hands), time.monotonic()

    def since(self) -> tuple[float, float]:
        """Seconds, and of the workers' processors."""
        return time.monotonic() - self._at, _busy(self._hands) - self._busy


def _busy(hands: Sequence[Hand]) -> float:
    return sum(_cpu_seconds(hand.pid) for hand in hands)


def _timed(house: House, began: _Began, is_done: Callable[[], bool]) -> tuple[float, float]:
    house.database.ring(PROCESS)
    while not is_done():
        if began.since()[0] > PATIENCE_SECONDS:
            raise Refusal("gm bench load", "is not done after three hours", "take fewer games")
        time.sleep(_PAUSE_SECONDS)
    return began.since()


def _entries(house: House) -> int:
    with house.database.session():
        return int(house.database.first(GameRow.select(fn.SUM(GameRow.entries).alias("sum"))).sum)


def _is_quiet(house: House) -> bool:
    """Whether every letter was read, and every one of ours sent."""
    if inbox.unhandled(house.database, limit=1):
        return False
    counts = outbox.counts(house.database)
    return not any(counts[state] for state in ("ready", "sending", "unsure"))


@contextmanager
def _worker(config: Path) -> Iterator[Hand]:
    words = [sys.executable, "-m", "adjudicator.bench.load_worker", str(config)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def _ended(hand: Hand) -> Counter[str]:
    return Counter(json.loads(hand.communicate()[0].splitlines()[-1]))


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _memory_kb(pid: int) -> int:
    """The most that a process ever took."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0])


def _size(house: House, folder: Path) -> int:
    """What the books take, in bytes."""
    if not house.database.is_shared:
        return sum(file.stat().st_size for file in folder.glob("turnpost.db*"))
    with psycopg.connect(house.settings.database) as asked:
        row = asked.execute("SELECT pg_database_size(current_database())").fetchone()
    assert row is not None
    return int(row[0])


@contextmanager
def _made(server: str) -> Iterator[str]:
    """The URL of a new database on a server."""
    if not server.startswith(POSTGRESQL):
        raise Refusal(f"--database {server}", "is no PostgreSQL", "write postgresql://user@host/name")
    name = f"turnpost_load_{token_hex(4)}"
    base, _, _ = server.rpartition("/")
    with psycopg.connect(server, autocommit=True) as asked:
        asked.execute(f"CREATE DATABASE {name}".encode())
        try:
            yield f"{base}/{name}"
        finally:
            asked.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def plain(found: Sequence[Load]) -> list[dict[str, object]]:
    """The same for programs."""
    return [asdict(one) for one in found]
