"""What all tests share: profiles of generated examples, real servers, and notes of which test proves what."""

import gc
import os
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.kit import caches, clauses, moulds, passwords, pictures, scratch, servers

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=40, deadline=None, derandomize=True)
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
    for kept in (pictures, moulds, caches):
        if kept.begin():
            config.add_cleanup(kept.end)
    if config.getoption("--write-clauses"):
        clauses.write()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays: leave it out of every later search for garbage.

    Where faults are planted, whoever plants them looks for functions among it first, and then does the same.
    """
    if moulds.PLANTED not in os.environ:
        gc.collect()
        gc.freeze()
    gc.enable()


class Shares(LoadScopeScheduling):
    """Deals tests out to processes by what they share: fixtures of a file, games of a kind, planted faults.

    The longest heaps are dealt first, so that no process is left alone with one at the end.
    """

    def _split_scope(self, nodeid: str) -> str:
        return _heap(nodeid)


def _heap(nodeid: str) -> str:
    for shared, pattern in _SHARED.items():
        if found := pattern.match(nodeid):
            return f"{shared} {found[1]}"
    return nodeid.partition("::")[0]


_SHARED = {
    "the laws of": re.compile(r"tests/contract/.*\[([a-z-]+)\]$"),
}

_SECONDS = {
    "tests/faults/test_faults.py": 180,
    "tests/house/test_workers.py": 50,
    "tests/house/test_three_workers.py": 40,
    "tests/house/test_campaign.py": 35,
    "tests/deploy/test_restore.py": 30,
    "tests/house/test_scenario.py": 25,
    "tests/adjudicator/reports/test_chromium.py": 25,
    "tests/adjudicator/order_page/test_decisions.py": 25,
    "tests/adjudicator/gm/test_bench_load.py": 25,
    "tests/deploy/test_containers.py": 25,
    "tests/house/test_channels.py": 25,
    "tests/house/test_error_flag.py": 20,
    "tests/adjudicator/order_page/test_pages.py": 15,
    "tests/adjudicator/site/test_chromium.py": 15,
    "tests/house/test_budget.py": 15,
    "tests/house/test_kill.py": 15,
    "tests/adjudicator/store/test_moving.py": 15,
    "tests/house/test_growth.py": 15,
    "tests/docs/test_variants.py": 15,
    "tests/house/test_fuzz.py": 15,
    "tests/deploy/test_units.py": 12,
    "tests/house/test_alone.py": 12,
    "tests/house/test_attacks.py": 12,
    "tests/games/diplomacy/test_properties.py": 12,
    "tests/house/test_looking.py": 12,
    "tests/adjudicator/gm/test_doctor.py": 10,
    "tests/adjudicator/order_page/test_letters.py": 10,
    "tests/docs/test_site.py": 10,
    "tests/adjudicator/gm/test_serve.py": 10,
    "tests/house/test_season_of_life.py": 10,
}
"""How long the longest files take, roughly: few tests may take minutes, or wait for servers."""
_A_TEST = 0.1
"""So many seconds are reckoned for any other test."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where there are several processes, lay the heaps out as they are dealt: the longest first."""
    if not hasattr(config, "workerinput"):
        return
    heaps = Counter(_heap(item.nodeid) for item in items)
    seconds = {heap: _SECONDS.get(heap, _A_TEST * count) for heap, count in heaps.items()}
    items.sort(key=lambda item: -seconds[_heap(item.nodeid)])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Shares:
    """Who deals the tests out, where there are several processes."""
    config.option.loadscopereorder = False
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
