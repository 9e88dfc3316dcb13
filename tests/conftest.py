"""What all tests share: profiles of generated examples, real servers, and notes of which test proves what."""

import os
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.kit import clauses, moulds, passwords, pictures, scratch, servers

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=150, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write what tests compare with afresh")
    parser.addoption("--write-clauses", action="store_true", help="note which tests prove which clauses")


def pytest_configure(config: pytest.Config) -> None:
    scratch.settle()
    passwords.begin()
    for kept in (pictures, moulds):
        if kept.begin():
            config.add_cleanup(kept.end)
    if config.getoption("--write-clauses"):
        clauses.write()


class Shares(LoadScopeScheduling):
    """Deals tests out to processes by what they share: fixtures of a file, games of a kind, planted faults.

    The largest heaps are dealt first, so that no process is left alone with one at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        for shared, pattern in _SHARED.items():
            if found := pattern.match(nodeid):
                return f"{shared} {found[1]}"
        return nodeid.partition("::")[0]


_SHARED = {
    "the laws of": re.compile(r"tests/contract/.*\[([a-z-]+)\]$"),
}


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shares:
    """Who deals the tests out, where there are several processes."""
    return Shares(config, log)


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
