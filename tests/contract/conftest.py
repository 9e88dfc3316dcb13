"""The toy is found beside the kinds of the product, as if its folder lay among theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.toy import toy_found


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """The toy's folder is one of those in which kinds are found."""
    with toy_found():
        yield


def pytest_itemcollected(item: pytest.Item) -> None:
    """Tests of one kind run in one process: they share the games that are played for them."""
    kind = getattr(item, "callspec", None) and item.callspec.params.get("kind")
    if kind and Path(__file__).parent in item.path.parents:
        item.add_marker(pytest.mark.xdist_group(str(kind)))
