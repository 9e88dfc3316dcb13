"""A browser for the pages of reports, of the archive, and of orders."""

from collections.abc import Iterator

import pytest

from tests.kit import browser, same_dice, servers

count_secrets, restart_counting = same_dice.count_secrets, same_dice.restart_counting


@pytest.fixture(scope="session")
def chromium() -> Iterator[browser.Chromium]:
    """A headless browser, one for each test process."""
    yield from servers.running(browser.chromium)
