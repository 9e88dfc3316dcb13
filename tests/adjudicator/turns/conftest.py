"""The toy is played like any other game."""

from collections.abc import Iterator

import pytest

from tests.kit import pictures
from tests.kit.toy import toy_found


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """Add the toy's folder to those in which kinds are found."""
    with toy_found():
        yield


skip_drawing = pictures.skip_drawing
