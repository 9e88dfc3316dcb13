"""Every game: a folder for each, or for a family of them; the files here are shared by all.

A folder is found because it is there: its package defines ``GAMES``, a tuple of `protocol.Game`. There is no
list to keep. What is there and cannot be played costs itself, and no other kind.
"""

import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module

from games.protocol import Game, Unfit


def kinds() -> dict[str, Game]:
    """Every kind of game found in this package's path that can be played, by name, in order."""
    return dict(_found(tuple(__path__)).games)


def unfit() -> tuple[Unfit, ...]:
    """What was found there and cannot be played, or not wholly as it says, and why."""
    return _found(tuple(__path__)).unfit


def find(name: str) -> Game | None:
    """The game of that kind or alias, whatever its capitals; None if there is none."""
    wanted = name.strip().lower()
    for kind, game in kinds().items():
        if wanted == kind or wanted in game.about.aliases:
            return game
    return None


@dataclass(frozen=True)
class _Found:
    """All that lies in a path. games: by name, in order."""

    games: tuple[tuple[str, Game], ...]
    unfit: tuple[Unfit, ...]


@cache
def _found(path: tuple[str, ...]) -> _Found:
    games: dict[str, Game] = {}
    unfit: list[Unfit] = []
    for folder, found in _packages(path):
        if isinstance(found, Unfit):
            unfit.append(found)
        elif found.about.kind in games:
            unfit.append(Unfit(found.about.kind, folder, "there is a kind of that name already"))
        else:
            games[found.about.kind] = found
    taken = dict.fromkeys(games, "")
    for kind, game in games.items():
        free = tuple(alias for alias in game.about.aliases if taken.setdefault(alias, kind) == kind)
        if lost := [alias for alias in game.about.aliases if alias not in free]:
            why = f"it cannot be called {', '.join(lost)} as well: so is another kind"
            unfit.append(Unfit(kind, game.package, why, lame=True))
            games[kind] = replace(game, about=replace(game.about, aliases=free))
    return _Found(tuple(sorted(games.items())), tuple(unfit))


def _packages(path: tuple[str, ...]) -> Iterator[tuple[str, Game | Unfit]]:
    """The games of each package, and what is wrong there, each with the package's name."""
    for folder in pkgutil.iter_modules(path):
        if not folder.ispkg:
            continue
        name = f"games.{folder.name}"
        try:
            package = import_module(name)
        except Exception as fault:  # whatever is wrong with one game, the others are played
            yield name, Unfit(folder.name, name, f"{type(fault).__name__}: {fault}")
            continue
        yield from ((name, one) for one in (*getattr(package, "GAMES", ()), *getattr(package, "UNFIT", ())))
