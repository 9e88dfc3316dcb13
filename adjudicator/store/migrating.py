"""Changes of the tables: which of them a database has seen, and those made that it lacks.

The library for them is loaded when something is to be changed, not whenever books are opened.
"""

from pathlib import Path
from typing import Any

from playhouse.migrations import Runner

TABLE = "migration"


def later(library: Any, folder: Path) -> tuple[str, ...]:
    """The changes that this program does not know: a later one has made them."""
    return tuple(one.name for one in _runner(library, folder).status() if one.path is None)


def make(library: Any, folder: Path) -> tuple[str, ...]:
    """Make those that are missing. Returns their names."""
    return tuple(_runner(library, folder).up())


def _runner(library: Any, folder: Path) -> Runner:
    return Runner(library, str(folder), table_name=TABLE)
