"""Common to all tests: profiles of generated examples, real servers, and markers for clauses."""

import gc
import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.kit import cached_services, caches, clauses, passwords, pictures, scratch, servers

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=20, deadline=None, derandomize=True)
settings.register_profile("soak", max_examples=1500, deadline=None)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write what tests compare with afresh")
    parser.addoption("--write-clauses", action="store_true", help="note which tests prove which clauses")


YOUNG = 20_000
"""So many new objects may come before the young ones are looked through: with 700, twelve thousand tests
that lie in memory are gone through so often that an eighth of all processor time went there."""


def pytest_configure(config: pytest.Config) -> None:
    gc.set_threshold(YOUNG, 20, 20)
    gc.disable()  # what is collected stays: a fifth of the time went in looking through it
    scratch.settle()
    passwords.begin()
    for kept in (pictures, cached_services, caches):
        if kept.begin():
            config.add_cleanup(kept.end)
    if config.getoption("--write-clauses"):
        clauses.write()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays: leave it out of every later search for garbage.

    Where faults are planted, whoever plants them looks for functions among it first, and then does the same.
    """
    if cached_services.PLANTED not in os.environ:
        gc.collect()
        gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def dovecot() -> Iterator[servers.Dovecot]:
    """Dovecot, one for each process of tests; take a user of your own by `somebody`."""
    yield from servers.running(servers.dovecot)


@pytest.fixture(scope="session")
def postfix(dovecot: servers.Dovecot) -> Iterator[servers.Postfix]:
    """Postfix in front of `dovecot`."""
    yield from servers.running(lambda: servers.postfix(dovecot))


@pytest.fixture(scope="session")
def postgresql() -> Iterator[servers.PostgreSQL]:
    """PostgreSQL; take a database of your own by `fresh`."""
    yield from servers.running(servers.postgresql)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which suites were left out, and what they need."""
    reasons = Counter(
        report.longrepr[2].partition(servers.LEFT_OUT)[2]
        for report in terminalreporter.stats.get("skipped", ())
        if servers.LEFT_OUT in report.longrepr[2]
    )
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"LEFT OUT: {count} tests, because {reason}", yellow=True)
