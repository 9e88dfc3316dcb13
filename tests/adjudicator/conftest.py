"""Browsers for the pages of reports, of the archive, and of orders."""

from collections.abc import Iterator

import pytest

from tests.kit import browser, fixed_dice, servers
from tests.kit import firefox as mozilla

count_secrets, restart_counting = fixed_dice.count_secrets, fixed_dice.restart_counting


@pytest.fixture(scope="session")
def chromium() -> Iterator[browser.Chromium]:
    """A headless browser, one for each test process."""
    yield from servers.running(browser.chromium)


@pytest.fixture(scope="session")
def firefox() -> Iterator[mozilla.Firefox]:
    """Another browser, for what each of them does in its own way: storage, fingers, laying out."""
    yield from servers.running(mozilla.firefox)
