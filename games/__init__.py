"""Every game: a folder for each, or for a family of them; the files here are shared by all.

A folder is found because it is there: its package defines ``GAMES``, a tuple of `protocol.Game`; that of a
family may find one of them ``alone``. There is no list to keep. What is there and cannot be played costs
itself, and no other kind.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from importlib import import_module, resources

from games.protocol import Game, Unfit
from games.record import changed


def kinds() -> Mapping[str, Game]:
    """Every kind of game found in this package's path that can be played, by name, in order.

    One asked for by its name is found without loading all.
    """
    return _kinds(tuple(__path__))


def unfit() -> tuple[Unfit, ...]:
    """What was found there and cannot be played, or not wholly as it says, and why."""
    return _kinds(tuple(__path__)).unfit()


def folders() -> tuple[str, ...]:
    """The folders in which kinds are found, those of variants too: where they are others, so are the kinds.

    None is loaded for it.
    """
    return _kinds(tuple(__path__)).folders


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
        self._unfit: list[Unfit] = []

    def __getitem__(self, kind: str) -> Game:
        found = self._met.get(kind)
        return found if found is not None else self._sought(kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._whole())

    def __len__(self) -> int:
        return len(self._whole())

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders of kinds, and within them of their variants."""
        found = self._folders()
        for folder in list(found):
            variants = resources.files("games").joinpath(folder, "variants")
            if variants.is_dir():
                found += [f"{folder}/{one.name}" for one in variants.iterdir() if one.name[:1] not in "_."]
        return tuple(sorted(found))

    def unfit(self) -> tuple[Unfit, ...]:
        """What is there and cannot be played, or not wholly as it says."""
        self._whole()
        return tuple(self._unfit)

    def _sought(self, kind: str) -> Game:
        if self._all is None:
            for folder in sorted(self._folders(), key=lambda name: not _is_likely(name, kind)):
                for game in _found_in(folder, kind):
                    if not isinstance(game, Unfit):
                        self._met.setdefault(game.about.kind, game)
                if kind in self._met:
                    return self._met[kind]
        return self._whole()[kind]

    def _whole(self) -> dict[str, Game]:
        if self._all is None:
            games: dict[str, Game] = {}
            for folder in self._folders():
                for found in _found_in(folder):
                    if isinstance(found, Unfit):
                        self._unfit.append(found)
                    elif found.about.kind in games:
                        why = "there is a kind of that name already"
                        self._unfit.append(Unfit(found.about.kind, f"games.{folder}", why))
                    else:
                        games[found.about.kind] = found
            self._part_aliases(games)
            self._all = dict(sorted(games.items()))
            self._met = self._all
        return self._all

    def _part_aliases(self, games: dict[str, Game]) -> None:
        """Leave each alias to the first who has it; a kind's own name goes before."""
        taken = dict.fromkeys(games, "")
        for kind, game in games.items():
            free = tuple(alias for alias in game.about.aliases if taken.setdefault(alias, kind) == kind)
            if lost := [alias for alias in game.about.aliases if alias not in free]:
                why = f"it cannot be called {', '.join(lost)} as well: so is another kind"
                self._unfit.append(Unfit(kind, game.package, why, lame=True))
                games[kind] = replace(game, about=changed(game.about, aliases=free))

    def _folders(self) -> list[str]:
        return [folder.name for folder in pkgutil.iter_modules(self._path) if folder.ispkg]


_kinds = cache(_Kinds)


def _found_in(folder: str, kind: str | None = None) -> tuple[Game | Unfit, ...]:
    """The games of a package, and what is wrong there. kind: that one only, where it is found alone."""
    name = f"games.{folder}"
    try:
        package = import_module(name)
    except Exception as fault:  # whatever is wrong with one game, the others are played
        return (Unfit(folder, name, f"{type(fault).__name__}: {fault}"),)
    if kind is not None and (alone := getattr(package, "alone", None)) is not None:
        found = alone(kind)
        return () if found is None else (found,)
    return (*getattr(package, "GAMES", ()), *getattr(package, "UNFIT", ()))


def _is_likely(folder: str, kind: str) -> bool:
    """Whether a folder looks as if the kind were in it: by its name, or by that of a variant's folder."""
    root = resources.files("games").joinpath(folder)
    return folder == kind.replace("-", "_") or root.joinpath("variants", kind).is_dir()
