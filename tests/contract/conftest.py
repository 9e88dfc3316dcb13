"""Adds the toy to the kinds of the product."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit import pictures
from tests.kit.toy import toy_found


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """Add the toy's folder to those in which kinds are found."""
    with toy_found():
        yield


FURTHER_BOARDS = ("chaos", "fleet-rome")
"""Further boards of an engine: `make quick` leaves them to `make test`."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark slow tests."""
    kind = getattr(item, "callspec", None) and item.callspec.params.get("kind")
    if kind in FURTHER_BOARDS and Path(__file__).parent in item.path.parents:
        item.add_marker(pytest.mark.long)


skip_drawing = pictures.skip_drawing
