"""A browser for the pages of reports, of the archive, and of order sheets."""

from collections.abc import Iterator

import pytest

from tests.kit import browser, same_dice, servers

no_secret_is_drawn, counted_anew = same_dice.no_secret_is_drawn, same_dice.counted_anew


@pytest.fixture(scope="session")
def chromium() -> Iterator[browser.Chromium]:
    """A browser without a window, one for each process of tests."""
    yield from servers.running(browser.chromium)
