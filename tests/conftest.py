"""What all tests share: profiles of generated examples, and the notes of which test proves which clause."""

import os

import pytest
from hypothesis import settings

from tests.kit import clauses

settings.register_profile("dev", max_examples=30, deadline=None)
settings.register_profile("ci", max_examples=150, deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "dev")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-golden", action="store_true", help="write what tests compare with afresh")
    parser.addoption("--write-clauses", action="store_true", help="note which tests prove which clauses")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--write-clauses"):
        clauses.write()
