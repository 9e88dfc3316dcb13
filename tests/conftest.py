"""What all tests share: profiles of generated examples, real servers, and notes of which test proves what."""

import os
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.kit import clauses, servers

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=150, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write what tests compare with afresh")
    parser.addoption("--write-clauses", action="store_true", help="note which tests prove which clauses")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--write-clauses"):
        clauses.write()


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
