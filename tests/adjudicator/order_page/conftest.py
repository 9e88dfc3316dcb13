"""A browser for the page, and a service that gets its letters."""

from collections.abc import Iterator

import pytest

from tests.kit import browser, servers


@pytest.fixture(scope="session")
def chromium() -> Iterator[browser.Chromium]:
    """A browser without a window, one for each process of tests."""
    yield from servers.running(browser.chromium)
