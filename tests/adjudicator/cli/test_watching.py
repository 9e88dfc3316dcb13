"""``gm status --check`` and the counters for Prometheus, for a service in each state."""

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest
from prometheus_client.parser import text_string_to_metric_families

from adjudicator.clock import ManualClock
from adjudicator.config.servers import Listen
from adjudicator.config.service import load_settings
from adjudicator.daemon.daemon import TICK_HANGS_AFTER_SECONDS, JobLoop
from adjudicator.daemon.metrics import LATE, Endpoint, problems
from adjudicator.errors import PostFault
from adjudicator.model.mail import Bounce
from adjudicator.service import Service, open_service
from adjudicator.storage import bounces, metadata
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.mail import letter


@pytest.fixture
def service(beaver: Terminal) -> Iterator[Service]:
    """The service of the game, which has just looked through its mailbox, and its clock to be moved."""
    service = open_service(load_settings(beaver.config))
    service = replace(service, clock=ManualClock(service.clock.now()))
    service.poll()
    yield service
    service.database.close()


def list_problems(service: Service, after: int = 0) -> list[tuple[str, str]]:
    return [(one.grade, one.about) for one in problems(service, service.clock.now() + after)]


def test_a_service_that_does_its_work(beaver: Terminal, service: Service) -> None:
    assert list_problems(service) == []
    assert beaver.says("status --check") == "OK: no problems found.\n"
    assert beaver.told("status --check") == {"grade": "good", "findings": []}


def test_a_service_that_does_not_run(terminal: Terminal) -> None:
    result = terminal.gm("status --check")
    assert result.exit_code == 4
    assert result.stdout.startswith("ERROR mailbox: the mailbox was never polled")


def test_nobody_has_looked_for_a_while(service: Service) -> None:
    assert list_problems(service, LATE) == []
    assert list_problems(service, LATE + 1) == [("bad", "mailbox")]


def test_letters_that_wait_for_the_gamesmaster(beaver: Terminal, service: Service) -> None:
    beaver.drop(letter("Mohawk H", sender="nobody@example.com"))
    service.poll()
    service.process()
    assert list_problems(service) == [("odd", "incoming mail")]
    result = beaver.gm("status --check --json")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["findings"][0]["instead"] == "gm mail list --only quarantined"


def test_troubles_and_addresses_that_were_given_up(service: Service) -> None:
    now = service.clock.now()
    with service.database.session():
        service.outage_alerts.note_failure("letters in", PostFault("imap", "it does not answer"), now)
        dead = Bounce(letter=1, address="iroquois@example.org", hard=True, why="550 no", dead=True)
        bounces.note(service.database, dead, now)
    assert list_problems(service) == [("bad", "trouble"), ("odd", "outgoing mail"), ("odd", "games")]


def test_a_turn_that_is_not_played(service: Service) -> None:
    position = service.repository.position("beaver")
    assert position is not None
    assert position.deadline is not None
    at = position.deadline + position.deadlines.grace + LATE + 1
    metadata.note_poll(service.database, at)
    assert [(one.grade, one.about) for one in problems(service, at)] == [("bad", "games")]
    assert problems(service, at - 1) == ()


def test_a_service_that_cannot_be_looked_at(terminal: Terminal) -> None:
    (terminal.folder / "turnpost.db").write_bytes(b"no database " * 1_000)
    assert terminal.gm("status --check").exit_code == 1


def numbers(endpoint: Endpoint) -> dict[str, float]:
    opener = build_opener(ProxyHandler({}))
    with opener.open(f"http://127.0.0.1:{endpoint.port}/metrics", timeout=300) as page:
        text = page.read().decode()
    return {
        sample.name + "".join(f"[{value}]" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_numbers_for_prometheus(beaver: Terminal, service: Service) -> None:
    beaver.drop(letter("Mohawk H", sender="nobody@example.com", date=service.clock.now()))
    service.poll()
    service.process()
    service.send()
    endpoint = Endpoint(service, Listen("127.0.0.1", 0))
    try:
        shown = numbers(endpoint)
    finally:
        endpoint.close()
    assert shown["turnpost_letters_in_total[quarantined]"] == 1
    # The gamesmaster is told of it, and the stranger what there is to play.
    assert shown["turnpost_letters_out_total[sent]"] == 2
    assert shown["turnpost_letters_to_send[ready]"] == 0
    assert shown["turnpost_games_running"] == 1
    assert shown["turnpost_log_entries_total[indianomacy]"] == 1
    assert shown["turnpost_seconds_since_poll"] == 0
    assert shown["turnpost_troubles"] == shown["turnpost_ailments"] == shown["turnpost_dead_addresses"] == 0


def test_a_port_that_is_taken(service: Service) -> None:
    endpoint = Endpoint(service, Listen("127.0.0.1", 0))
    try:
        with pytest.raises(PostFault, match="metrics"):
            Endpoint(service, Listen("127.0.0.1", endpoint.port))
    finally:
        endpoint.close()


def test_a_round_that_hangs_is_noticed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = JobLoop(service)
    assert rounds.is_well()
    tick = rounds.ticks[0]
    seen: list[bool] = []
    times = iter([0.0, TICK_HANGS_AFTER_SECONDS, TICK_HANGS_AFTER_SECONDS + 1])
    monkeypatch.setattr("adjudicator.daemon.daemon.time.monotonic", lambda: next(times))
    tick.work = lambda: seen.extend([rounds.is_well(), rounds.is_well()])
    tick()
    assert seen == [True, False]
    assert rounds.is_well()


def test_a_service_that_rests_asks_little_and_wakes_no_sender(beaver: Terminal, service: Service) -> None:
    """Counted in statements, since seconds depend on the machine."""
    rounds = JobLoop(service)
    _, process, send = rounds.ticks
    for tick in (process, send, process, send):
        tick()
    rounds.processed.clear()
    asked = list[str]()
    library: Any = service.database._library
    with service.database.session():
        library.connection().set_trace_callback(asked.append)
        process()
        assert not rounds.processed.is_set()
        seen = len(asked)
        send()
        library.connection().set_trace_callback(None)
    assert 0 < seen <= 29, asked
    assert len(asked) - seen <= 11, asked[seen:]


def test_what_was_put_on_the_books_is_answered_in_one_go(beaver: Terminal, service: Service) -> None:
    """The answer does not wait until sending comes round, nor a turn for the server it goes to."""
    beaver.drop(letter("Mohawk H", sender="nobody@example.com"))
    service.poll()
    said, senders, sent = list[str](), list[str](), threading.Event()
    rounds = JobLoop(replace(service, reached=said.append))
    _, process, send = rounds.ticks
    work = send.work
    send.work = lambda: (work(), senders.append(threading.current_thread().name), sent.set())
    process()
    assert rounds.processed.is_set()
    stop = threading.Event()
    postman = threading.Thread(target=rounds.post, args=(stop,), name="postman")
    postman.start()
    try:
        assert sent.wait(timeout=300)
        assert senders == ["postman"]
        assert "report sent" in said
    finally:
        stop.set()
        rounds.leave()
        postman.join()
