"""Common to all tests: profiles of generated examples, real servers, and markers for clauses."""

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterator

import pytest
from hypothesis import settings

from tests.kit import cached_services, caches, clauses, headers, passwords, pictures, servers, temporary_files
from tests.kit.kinds import FEWER_POWERS, OWN_BOARDS

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=1500, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write what tests compare with afresh")
    parser.addoption("--write-clauses", action="store_true", help="note which tests prove which clauses")


YOUNG = 20_000
"""The number of new objects before a collection of the young ones. With 700, twelve thousand tests in
memory were scanned so often that it took an eighth of the processor time.
"""


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(YOUNG, 20, 20)
    gc.disable()  # the collected tests stay, and scanning them took a fifth of the time
    temporary_files.settle()
    passwords.begin()
    headers.begin()
    for kept in (pictures, cached_services, caches):
        if kept.begin():
            config.add_cleanup(kept.end)
    if config.getoption("--write-clauses"):
        clauses.write()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Exclude the collected tests from every later garbage collection, because they stay.

    A process that plants faults searches them for functions first, and then does the same.
    """
    if cached_services.PLANTED not in os.environ:
        gc.collect()
        gc.freeze()
    gc.enable()


EACH_KIND = (
    "architecture/test_clauses.py",
    "adjudicator/cli/test_rules.py",
    "adjudicator/reports/test_first_letters.py",
    "games/diplomacy/test_fewer_powers.py",
    "games/test_introductions.py",
    "system/test_texts_of_boards.py",
)
"""The tests that run in the suite for each kind, even for further boards of armies and fleets."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave further boards of armies and fleets to the soak: tests of every kind see little new there."""
    params = getattr(getattr(item, "callspec", None), "params", {}).values()
    if not item.path.as_posix().endswith(EACH_KIND) and any(
        isinstance(value, str) and value.partition(" ")[0] in {*FEWER_POWERS, *OWN_BOARDS} for value in params
    ):
        item.add_marker(pytest.mark.soak)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped test into a failed one under CI, where everything that tests need is installed."""
    report = yield
    if report.skipped and not hasattr(report, "wasxfail") and os.environ.get("CI") == "true":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} may not be skipped under CI: {report.longrepr}"
    return report


@pytest.fixture(scope="session")
def dovecot() -> Iterator[servers.Dovecot]:
    """Dovecot, one for each test process. Get a new user with `somebody`."""
    yield from servers.running(servers.dovecot)


@pytest.fixture(scope="session")
def postfix(dovecot: servers.Dovecot) -> Iterator[servers.Postfix]:
    """Postfix in front of `dovecot`."""
    yield from servers.running(lambda: servers.postfix(dovecot))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[servers.PostgreSQL]:
    """PostgreSQL. Get a new database with `fresh`."""
    yield from servers.running(servers.postgresql)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report which suites were skipped, and what they need."""
    reasons = Counter(
        report.longrepr[2].partition(servers.LEFT_OUT)[2]
        for report in terminalreporter.stats.get("skipped", ())
        if servers.LEFT_OUT in report.longrepr[2]
    )
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"LEFT OUT: {count} tests, because {reason}", yellow=True)
