"""Every game: a folder for each, or for a family of them; the files here are shared by all.

A folder is found because it is there: its package defines ``GAMES``, a tuple of `protocol.Game`. There is no
list to keep.
"""

import pkgutil
from functools import cache
from importlib import import_module

from games.protocol import Game, Invalid


def kinds() -> dict[str, Game]:
    """Every kind of game found in this package's path, by name, in order. Raises Invalid for a name twice."""
    return dict(_found(tuple(__path__)))


def find(name: str) -> Game | None:
    """The game of that kind or alias, whatever its capitals; None if there is none."""
    wanted = name.strip().lower()
    for kind, game in kinds().items():
        if wanted == kind or wanted in game.about.aliases:
            return game
    return None


@cache
def _found(path: tuple[str, ...]) -> tuple[tuple[str, Game], ...]:
    games: dict[str, Game] = {}
    for folder in pkgutil.iter_modules(path):
        if not folder.ispkg:
            continue
        for game in getattr(import_module(f"games.{folder.name}"), "GAMES", ()):
            for name in (game.about.kind, *game.about.aliases):
                if any(name == kind or name in other.about.aliases for kind, other in games.items()):
                    raise Invalid(f"games.{folder.name}", f"a kind called {name} is there already")
            games[game.about.kind] = game
    return tuple(sorted(games.items()))
