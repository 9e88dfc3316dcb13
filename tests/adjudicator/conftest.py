"""A browser for the pages of reports, of the archive, and of order sheets."""

from collections.abc import Iterator

import pytest

from tests.kit import browser, servers


@pytest.fixture(scope="session")
def chromium() -> Iterator[browser.Chromium]:
    """A browser without a window, one for each process of tests."""
    yield from servers.running(browser.chromium)
