"""By what a game is played: the program and its kind's data. Where they have changed its log is proved."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

from adjudicator import __version__
from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.log import replay
from games.data import digest
from games.protocol import Game
from games.record import canonical

Log = Sequence[tuple[Entry, bytes]]


def grounds(game: Game) -> str:
    """The program's version, and what the data of a kind come to; nothing where it is code."""
    return f"{__version__} {_data(game.package, game.folders)}".strip()


def have_changed(game: Game, proven: str) -> bool:
    """Whether the data of a kind are others than those by which a game was proved."""
    return proven.partition(" ")[2] != grounds(game).partition(" ")[2]


def unproven(game: Game, position: Position, log: Callable[[], Log]) -> str | None:
    """Why a game's log does not lead to where it stands; None where it does. log: reads it."""
    try:
        found = replay(game, position.name, position.secret, log(), position.head_sha)
    except Exception as fault:  # rules that are not the log's own may do anything
        return f"{type(fault).__name__}: {fault}"
    if found.fault is not None:
        return found.fault
    if not found.states or found.states[-1] != canonical(position.state):
        return "the game does not stand where its log ends"
    return None


def is_mended(game: Game, position: Position, log: Callable[[], Log]) -> bool:
    """Whether a log that comes out otherwise is sound, and its kind's data are those by which it was played.

    Then a ruling has been mended in the program: what was played stays as it was played.
    """
    if position.proven and have_changed(game, position.proven):
        return False
    try:
        return _is_sound(position, log())
    except Exception:  # an entry that cannot be read may hold anything
        return False


def _is_sound(position: Position, log: Log) -> bool:
    """Whether each entry names the one before, and each state has the hash that its entry names."""
    previous = ""
    for entry, written in log:
        if entry.previous_sha != previous or entry.state_sha != hashlib.sha256(written).hexdigest():
            return False
        previous = entry.sha
    return bool(log) and previous == position.head_sha and log[-1][1] == canonical(position.state)


@cache
def _data(package: str, folders: tuple[str, ...]) -> str:
    return (
        hashlib.sha256("".join(digest(package, one) for one in folders).encode()).hexdigest()
        if folders
        else ""
    )
