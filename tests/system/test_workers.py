"""Several workers on one database, each a process: everything is done once, even if one stops or dies."""

import contextlib
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.clock import DAY, WallClock
from adjudicator.config.service import load_settings
from adjudicator.mail.maildir import write_letter
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import CHECK_AT_ONCE
from adjudicator.model.mail import PROCESS, WAITING
from adjudicator.service import Service, open_service
from adjudicator.storage import inbox, outbox, workers
from adjudicator.storage.database import open_database
from adjudicator.storage.tables import GameRow
from games.protocol import Seat
from tests.kit.servers import PostgreSQL
from tests.kit.worker_process import WorkerPool, WorkerProcess, wait_until

GAMES = ("ash", "elm", "oak", "yew")
PEOPLE = {Seat("Iroquois"): "iroquois", Seat("Dakota"): "dakota"}
CONFIG = """\
[service]
address = "gm@example.org"
database = "{database}"
[inbox]
url = "maildir:./in"
[outbox]
url = "maildir:./out"
"""


@pytest.fixture(scope="module")
def pool() -> Iterator[WorkerPool]:
    """The pool of workers."""
    with WorkerPool("indianomacy") as hires:
        yield hires


@pytest.fixture
def service(tmp_path: Path, postgresql: PostgreSQL) -> Iterator[Service]:
    """A service with games that wait for their deadlines, and nobody who works."""
    (tmp_path / "gm.toml").write_text(CONFIG.format(database=postgresql.fresh()))
    opened = open_service(load_settings(tmp_path / "gm.toml"), WallClock())
    for name in GAMES:
        request = game_admin.GameRequest("indianomacy", name, terms={"early": "no"})
        # The same turn in each of these tests: it is drawn once.
        game_admin.new_game(opened, request, secret=b"of the workers, sealed for them.")
        for seat, who in PEOPLE.items():
            game_admin.assign(opened, name, seat, f"{who}.{name}@example.org")
    yield opened
    opened.database.close()


def arrive(service: Service, folder: Path, count: int) -> int:
    """Letters from everybody, so many from each. Returns how many."""
    total, start = 0, service.clock.now()
    for number in range(count):
        for name in GAMES:
            for seat, who in PEOPLE.items():
                token = reply_token(service.service_context.key, name, seat, 1, "S1M")
                to = reply_address(service.service_context.address, name, seat, token)
                total += 1
                text = (
                    f"From: {who}.{name}@example.org\r\nTo: {to}\r\nSubject: orders\r\n"
                    f"Message-ID: <{number}.{who}.{name}@example.org>\r\n\r\nall hold\r\n"
                )
                write_letter(folder / "in", f"{start + total}.{total}", text.encode())
    return total


def fall_due(service: Service) -> None:
    """All deadlines are over."""
    with service.database.writing():
        over = {"deadline": service.clock.now() - DAY, "look_at": CHECK_AT_ONCE, "rev": GameRow.rev + 1}
        service.database.run(GameRow.update(**over))


def is_read(service: Service, letters: int) -> bool:
    """Return whether so many emails were read."""
    return inbox.counts(service.database)["read"] == letters


def is_done(service: Service) -> bool:
    """Return whether every email was read, every turn ran, and every email of ours was sent."""
    out = outbox.counts(service.database)
    played = all(game_admin.position_of(service, name).played for name in GAMES)
    waits = inbox.counts(service.database)[WAITING]
    return played and not waits and not (out["ready"] or out["sending"] or out["unsure"])


def all_is_once(service: Service, folder: Path, letters: int) -> None:
    """Check that each turn is in the log once, each email was answered once, and each of ours sent once."""
    for name in GAMES:
        assert (
            sum(entry.turn == "S1M" and entry.kind == "turn" for entry, _ in service.repository.log(name))
            == 1
        )
        assert game_admin.position_of(service, name).played == 1
        assert game_admin.prove(service, name).fault is None
    counts = inbox.counts(service.database)
    assert sum(counts.values()) == letters == counts["read"]
    numbers = [one.number for one in inbox.list_letters(service.database, 999)]
    assert all(len(outbox.answers_to(service.database, number)) == 1 for number in numbers)
    assert len(list((folder / "out").glob("*/*"))) == outbox.counts(service.database)["sent"]


@pytest.mark.parametrize("count", [3])
def test_workers_share_the_work_and_do_none_of_it_twice(
    service: Service, pool: WorkerPool, tmp_path: Path, count: int
) -> None:
    letters = arrive(service, tmp_path, 3)
    with ExitStack() as stack:
        hands = [stack.enter_context(pool.running_worker(tmp_path)) for _ in range(count)]
        # Whatever is written while a turn is played has it played again: so first the letters.
        wait_until(lambda: is_read(service, letters))
        fall_due(service)
        wait_until(lambda: is_done(service))
        assert len(workers.current_workers(service.database)) == count
        done: Counter[str] = Counter()
        for hand in hands:
            done += hand.ends()
    all_is_once(service, tmp_path, letters)
    assert done["turn played"] == done["turn committed"] == len(GAMES)
    assert done["letter read"] == done["letter handled"] == letters
    assert done["letter kept"] == letters
    assert workers.current_workers(service.database) == ()


def test_who_has_just_begun_is_not_taken_for_dead(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lock that shows a worker's life is held before others can see its row."""
    with contextlib.closing(open_database(service.settings.database)) as other:
        hold = other.hold

        def slowly(what: int, number: int) -> None:
            assert workers.release_dead_workers(service.database, "first") == ()
            hold(what, number)
            assert workers.release_dead_workers(service.database, "first") == ()

        monkeypatch.setattr(other, "hold", slowly)
        workers.enter(other, "second", ("poll",), service.clock.now())
        assert [worker.name for worker in workers.current_workers(service.database)] == ["second"]
        workers.leave(other, "second")


def test_letters_of_one_sender_are_handled_in_their_order(
    service: Service, pool: WorkerPool, tmp_path: Path
) -> None:
    letters = arrive(service, tmp_path, 12)
    fall_due(service)
    with pool.running_worker(tmp_path) as one, pool.running_worker(tmp_path) as another:
        wait_until(lambda: is_done(service))
        assert (one.ends() + another.ends())["letter read"] == letters
    answers: dict[str | None, list[int]] = {}
    for shown in reversed(inbox.list_letters(service.database, 999)):
        (answer,) = outbox.answers_to(service.database, shown.number)
        answers.setdefault(shown.speaker, []).append(answer.number)
    assert len(answers) == len(GAMES) * len(PEOPLE)
    for numbers in answers.values():
        assert numbers == sorted(numbers)


@pytest.mark.parametrize("step", ["letter read", "turn played", "report sending"])
def test_a_worker_that_is_killed_is_succeeded(
    service: Service, pool: WorkerPool, tmp_path: Path, step: str
) -> None:
    """At once, and not when its lease runs out: that others see."""
    letters = arrive(service, tmp_path, 2)
    fall_due(service)
    with pool.running_worker(tmp_path, step=step, by=signal.SIGKILL) as mortal:
        mortal.says("there")
        wait_until(mortal.is_gone)
        with pool.running_worker(tmp_path) as heir:
            wait_until(lambda: is_done(service))
            heir.ends()
    all_is_once(service, tmp_path, letters)


@pytest.mark.parametrize("step", ["letter read", "turn played"])
def test_a_worker_that_is_stopped_longer_than_its_lease_does_no_harm(
    service: Service, pool: WorkerPool, tmp_path: Path, step: str
) -> None:
    """When it is woken it finds that another has done its work."""
    letters = arrive(service, tmp_path, 2)
    fall_due(service)
    with pool.running_worker(tmp_path, lease=200, out_lease=4000, step=step) as sleeper:
        # The other comes when it sleeps: before, it might do all there is to do, and nobody would get there.
        sleeper.says("there")
        with pool.running_worker(tmp_path, lease=200, out_lease=4000) as other:
            _take_over(service, other)
            sleeper.goes_on()
            ends = sleeper.ends()
            other.ends()
    all_is_once(service, tmp_path, letters)
    assert ends[step] > 0


def test_a_signal_ends_a_worker_whichever_of_its_threads_takes_it(
    service: Service, pool: WorkerPool, tmp_path: Path
) -> None:
    """The system hands it to any thread; nothing then wakes the one that waits for it."""
    arrive(service, tmp_path, 1)
    with pool.running_worker(tmp_path, step="letter read", by=signal.SIGTERM) as one:
        assert one.ended()["letter read"] > 0


def _take_over(service: Service, other: WorkerProcess) -> None:
    """Ring until the other has done everything: it need not wait for its next look."""

    def done() -> bool:
        service.database.notify(PROCESS)
        return is_done(service)

    wait_until(done)
