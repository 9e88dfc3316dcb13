"""The rules version of a game: program and data. Where they have changed, the game's log is verified."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

from adjudicator import __version__
from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.turns.log import replay
from games.data import digest
from games.protocol import Game
from games.record import canonical

Log = Sequence[tuple[LogEntry, bytes]]


def rules_version(game: Game) -> str:
    """The program's version, and what the data of a kind come to; nothing where it is code."""
    return f"{__version__} {_data_digest(game.package, game.folders)}".strip()


def is_data_changed(game: Game, proven: str) -> bool:
    """Return whether the data of a kind differ from those by which a game was verified."""
    return proven.partition(" ")[2] != rules_version(game).partition(" ")[2]


def verify_log(game: Game, position: GamePosition, log: Callable[[], Log]) -> str | None:
    """Return why a game's log does not lead to where it stands; None if it does. log: reads it."""
    try:
        replay_result = replay(game, position.name, position.secret, log(), position.head_sha)
    except Exception as fault:  # rules that are not the log's own may do anything
        return f"{type(fault).__name__}: {fault}"
    if replay_result.fault is not None:
        return replay_result.fault
    if not replay_result.states or replay_result.states[-1] != canonical(position.state):
        return "the game does not stand where its log ends"
    return None


def is_ruling_fixed(game: Game, position: GamePosition, log: Callable[[], Log]) -> bool:
    """Return whether a log that comes out otherwise is sound, and its kind's data are those it was played by.

    Then a ruling has been mended in the program: what was played stays as it was played.
    """
    if position.proven and is_data_changed(game, position.proven):
        return False
    try:
        return _is_sound(position, log())
    except Exception:  # an entry that cannot be read may hold anything
        return False


def _is_sound(position: GamePosition, log: Log) -> bool:
    """Return whether each entry names the one before, and each state has the hash that its entry names."""
    previous = ""
    for entry, written in log:
        if entry.previous_sha != previous or entry.state_sha != hashlib.sha256(written).hexdigest():
            return False
        previous = entry.sha
    return bool(log) and previous == position.head_sha and log[-1][1] == canonical(position.state)


@cache
def _data_digest(package: str, folders: tuple[str, ...]) -> str:
    return (
        hashlib.sha256("".join(digest(package, folder) for folder in folders).encode()).hexdigest()
        if folders
        else ""
    )
