"""All games: a folder for each game or family of games, and files that all of them share.

Any package in this folder that defines ``GAMES``, a tuple of `protocol.Game`, is a game. A family's package
may also define ``alone``, which loads one of its kinds. There is no list of games to maintain. A kind that
can't be played affects no other kind.
"""

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property
from importlib import import_module, resources

from games.protocol import Game, UnplayableKind
from games.record import replace_fields


def kinds() -> Mapping[str, Game]:
    """Return every kind of game in this package's path that can be played, by name, in order.

    A lookup by name loads only as much as it needs.
    """
    return _kinds(tuple(__path__))


def unplayable_kinds() -> tuple[UnplayableKind, ...]:
    """Return the kinds that can't be played at all or only in part, with the reasons."""
    return _kinds(tuple(__path__)).unplayable()


def folders() -> tuple[str, ...]:
    """Return the folders of kinds and of variants, without loading any. If they change, the kinds change."""
    return _kinds(tuple(__path__)).folders


def find(name: str) -> Game | None:
    """Return the game of a kind or an alias in any case; None if there is none."""
    wanted = name.strip().lower()
    for kind, game in kinds().items():
        if wanted == kind or wanted in game.about.aliases:
            return game
    return None


class _GameKinds(Mapping[str, Game]):
    """The kinds in the folders of a path. Each is loaded when it is asked for."""

    def __init__(self, path: tuple[str, ...]) -> None:
        self._path = path
        self._met: dict[str, Game] = {}
        self._all: dict[str, Game] | None = None
        self._unfit: list[UnplayableKind] = []

    def __getitem__(self, kind: str) -> Game:
        game = self._met.get(kind)
        return game if game is not None else self._load_one(kind)

    def __iter__(self) -> Iterator[str]:
        return iter(self._load_all())

    def __len__(self) -> int:
        return len(self._load_all())

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """The folders of kinds, and the folders of their variants."""
        names = self._folders()
        for folder in list(names):
            variants = resources.files("games").joinpath(folder, "variants")
            if variants.is_dir():
                names += [
                    f"{folder}/{variant.name}"
                    for variant in variants.iterdir()
                    if variant.name[:1] not in "_."
                ]
        return tuple(sorted(names))

    def unplayable(self) -> tuple[UnplayableKind, ...]:
        """Return the kinds that can't be played at all or only in part."""
        self._load_all()
        return tuple(self._unfit)

    def _load_one(self, kind: str) -> Game:
        if self._all is None:
            for folder in sorted(self._folders(), key=lambda name: not _is_likely(name, kind)):
                for game in _games_in(folder, kind):
                    if not isinstance(game, UnplayableKind):
                        self._met.setdefault(game.about.kind, game)
                if kind in self._met:
                    return self._met[kind]
        return self._load_all()[kind]

    def _load_all(self) -> dict[str, Game]:
        if self._all is None:
            games: dict[str, Game] = {}
            for folder in self._folders():
                for game in _games_in(folder):
                    if isinstance(game, UnplayableKind):
                        self._unfit.append(game)
                    elif game.about.kind in games:
                        why = "there is a kind of that name already"
                        self._unfit.append(UnplayableKind(game.about.kind, f"games.{folder}", why))
                    else:
                        games[game.about.kind] = game
            self._part_aliases(games)
            self._all = dict(sorted(games.items()))
            self._met = self._all
        return self._all

    def _part_aliases(self, games: dict[str, Game]) -> None:
        """Leave each alias to the first kind that has it. A kind's own name has priority."""
        taken = dict.fromkeys(games, "")
        for kind, game in games.items():
            free = tuple(alias for alias in game.about.aliases if taken.setdefault(alias, kind) == kind)
            if lost := [alias for alias in game.about.aliases if alias not in free]:
                why = f"it cannot be called {', '.join(lost)} as well: so is another kind"
                self._unfit.append(UnplayableKind(kind, game.package, why, lame=True))
                games[kind] = replace(game, about=replace_fields(game.about, aliases=free))

    def _folders(self) -> list[str]:
        return [folder.name for folder in pkgutil.iter_modules(self._path) if folder.ispkg]


_kinds = cache(_GameKinds)


def _games_in(folder: str, kind: str | None = None) -> tuple[Game | UnplayableKind, ...]:
    """Return the games of a package, and its faults. kind: only this one, if it can be loaded alone."""
    name = f"games.{folder}"
    try:
        package = import_module(name)
    except Exception as fault:  # A fault of any sort in one game must not affect the others.
        return (UnplayableKind(folder, name, f"{type(fault).__name__}: {fault}"),)
    if kind is not None and (alone := getattr(package, "alone", None)) is not None:
        game = alone(kind)
        return () if game is None else (game,)
    return (*getattr(package, "GAMES", ()), *getattr(package, "UNFIT", ()))


def _is_likely(folder: str, kind: str) -> bool:
    """Return whether the kind is probably in a folder, by the folder's name or that of a variant in it."""
    root = resources.files("games").joinpath(folder)
    return folder == kind.replace("-", "_") or root.joinpath("variants", kind).is_dir()
