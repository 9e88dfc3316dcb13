"""Every game: a folder for each, or for a family of them; the files here are shared by all.

A folder is found because it is there: its package defines ``GAMES``, a tuple of `protocol.Game`. There is no
list to keep.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module, resources

from games.protocol import Game, Invalid


def kinds() -> Mapping[str, Game]:
    """Every kind of game found in this package's path, by name, in order.

    One asked for by its name is found without loading all. Raises Invalid for a name twice when all are.
    """
    return _kinds(tuple(__path__))


def find(name: str) -> Game | None:
    """The game of that kind or alias, whatever its capitals; None if there is none."""
    wanted = name.strip().lower()
    for kind, game in kinds().items():
        if wanted == kind or wanted in game.about.aliases:
            return game
    return None


class _Kinds(Mapping[str, Game]):
    """The kinds of the folders of a path, each loaded when it is asked for."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self._path = path
        self._met: dict[str, Game] = {}
        self._all: dict[str, Game] | None = None

    def __getitem__(self, kind: str) -> Game:
        found = self._met.get(kind)
        return found if found is not None else self._sought(kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    def _sought(self, kind: str) -> Game:
        if self._all is None:
            for folder in sorted(self._folders(), key=lambda name: not _is_likely(name, kind)):
                for game in _games_of(folder):
                    self._met.setdefault(game.about.kind, game)
                if kind in self._met:
                    return self._met[kind]
        return self._whole()[kind]

    def _whole(self) -> dict[str, Game]:
        if self._all is None:
            games: dict[str, Game] = {}
            for folder in self._folders():
                for game in _games_of(folder):
                    for name in (game.about.kind, *game.about.aliases):
                        if any(name == kind or name in other.about.aliases for kind, other in games.items()):
                            raise Invalid(f"games.{folder}", f"a kind called {name} is there already")
                    games[game.about.kind] = game
            self._all = dict(sorted(games.items()))
            self._met = self._all
        return self._all

    def _folders(self) -> list[str]:
        return [folder.name for folder in pkgutil.iter_modules(self._path) if folder.ispkg]


_kinds = cache(_Kinds)


def _games_of(folder: str) -> tuple[Game, ...]:
    found: tuple[Game, ...] = getattr(import_module(f"games.{folder}"), "GAMES", ())
    return found


def _is_likely(folder: str, kind: str) -> bool:
    """Whether a folder looks as if the kind were in it: by its name, or by that of a variant's folder."""
    root = resources.files("games").joinpath(folder)
    return folder == kind.replace("-", "_") or root.joinpath("variants", kind).is_dir()
