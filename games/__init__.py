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
from types import ModuleType
from typing import TYPE_CHECKING

from games.protocol import Game, Invalid, KindLabel, UnplayableKind
from games.record import replace_fields

if TYPE_CHECKING:
    # Importing it takes as long as the rest of this module.
    from importlib.resources.abc import Traversable

VariantTexts = Mapping[str, Mapping[str, str]]
"""Folders of variants by name, each with the texts of its files by name."""

_variants_from_elsewhere: VariantTexts = {}


def use_variants(variants: VariantTexts) -> None:
    """Make these variants playable beside the games of this package. A game that has a name keeps it.

    They take the place of those given before. Each is compiled when it is first asked for. Call it once when
    a process begins, and again when the files have changed.
    """
    global _variants_from_elsewhere
    _variants_from_elsewhere = variants
    _kinds.cache_clear()


def variants_in_use() -> VariantTexts:
    """Return the variants from elsewhere that can be played, by name."""
    return _variants_from_elsewhere


def kinds() -> Mapping[str, Game]:
    """Return every kind of game in this package's path that can be played, by name, in order.

    A lookup by name loads only as much as it needs.
    """
    return _kinds(tuple(__path__))


def labels() -> Mapping[str, KindLabel]:
    """Return the labels of all kinds by name. A variant from elsewhere isn't compiled for this."""
    return _kinds(tuple(__path__)).labels


def unplayable_kinds() -> tuple[UnplayableKind, ...]:
    """Return the kinds that can't be played at all or only in part, with the reasons."""
    return _kinds(tuple(__path__)).unplayable()


def why_unplayable(kind: str) -> UnplayableKind | None:
    """Return why a kind can't be played. None if it can, or if there is none of that name."""
    return _kinds(tuple(__path__)).why_unplayable(kind)


def folders() -> tuple[str, ...]:
    """Return the folders of kinds and of variants, without loading any. If they change, the kinds change."""
    return _kinds(tuple(__path__)).folders


def names() -> Mapping[str, str]:
    """Return every name of a kind, with the kind: its own, and its aliases. Names are in lower case."""
    return _kinds(tuple(__path__)).names


def find(name: str) -> Game | None:
    """Return the game of a kind or an alias in any case; None if there is none."""
    wanted = name.strip().lower()
    # Most are called by their own name, which loads one board and reads no other.
    game = kinds().get(wanted)
    if game is None and (kind := names().get(wanted)) is not None:
        game = kinds().get(kind)
    return game


def edition_game(kind: str, files: Mapping[str, str], *, is_new: bool = False) -> Game:
    """Return the game that the files of an edition make. Raises Invalid.

    files: as in `protocol.Edition`. is_new: check them as those of a new variant.
    """
    copy: dict[str, dict[str, str]] = {}
    for path, text in files.items():
        folder, _, file = path.partition("/")
        copy.setdefault(folder, {})[file] = text
    families = _kinds(tuple(__path__)).families()
    for family in families:
        game: Game = family.read_edition(kind, copy, is_new=is_new)
        return game
    raise Invalid(kind, "no kind of game here has variants")


class _GameKinds(Mapping[str, Game]):
    """The kinds in the folders of a path, and variants. Each is loaded when it is asked for."""

    def __init__(self, path: tuple[str, ...], others: VariantTexts) -> None:
        self._path = path
        self._others = others
        self._met: dict[str, Game] = {}
        self._own: dict[str, Game] | None = None
        self._unfit: list[UnplayableKind] = []
        self._unfit_others: dict[str, UnplayableKind] = {}

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
            variants = _variants_of(folder)
            if variants.is_dir():
                names += [
                    f"{folder}/{variant.name}"
                    for variant in variants.iterdir()
                    if variant.name[:1] not in "_."
                ]
        return tuple(sorted([*names, *self._others]))

    def unplayable(self) -> tuple[UnplayableKind, ...]:
        """Return the kinds that can't be played at all or only in part."""
        self._load_all()
        return (*self._unfit, *self._unfit_others.values())

    def why_unplayable(self, kind: str) -> UnplayableKind | None:
        """Return why a kind can't be played, or None. Of the variants from elsewhere, only it is loaded."""
        self.get(kind)
        known = (*self._unfit, *self._unfit_others.values())
        return next((unfit for unfit in known if unfit.kind == kind and not unfit.lame), None)

    @cached_property
    def labels(self) -> Mapping[str, KindLabel]:
        """The labels by name, without variants that can't even be read."""
        own = {
            kind: KindLabel(game.about.title, game.about.designer, game.about.aliases)
            for kind, game in self._load_own().items()
        }
        read = {
            kind: family.read_label(files)
            for family in (self.families() if self._others else ())
            for kind, files in self._others.items()
        }
        others = {kind: label for kind, label in read.items() if label is not None}
        return dict(sorted({**others, **own}.items()))

    @cached_property
    def names(self) -> Mapping[str, str]:
        """Every name of a kind, with the kind. An alias belongs to the first kind that has it, ours first."""
        own_first = sorted(self.labels, key=lambda kind: kind not in self._load_own())
        aliases = [(alias, kind) for kind in own_first for alias in self.labels[kind].aliases]
        return {**dict(reversed(aliases)), **{kind: kind for kind in self.labels}}

    def families(self) -> tuple[ModuleType, ...]:
        """Return the packages whose kinds are folders of data."""
        has_variants = (name for name in self._folders() if _variants_of(name).is_dir())
        return tuple(import_module(f"games.{name}") for name in has_variants)

    def _load_one(self, kind: str) -> Game:
        if self._own is None:
            folders = sorted(self._folders(), key=lambda name: not _is_likely(name, kind))
            if not _is_likely(folders[0], kind) and kind in self._others:
                return self._load_other(kind)
            for folder in folders:
                for game in _games_in(folder, kind):
                    if not isinstance(game, UnplayableKind):
                        self._met.setdefault(game.about.kind, game)
                if kind in self._met:
                    return self._met[kind]
        own = self._load_own()
        return own[kind] if kind in own else self._load_other(kind)

    def _load_other(self, kind: str) -> Game:
        """Load a variant from elsewhere. Raises KeyError if it isn't there or can't be played."""
        if kind in self._unfit_others:
            raise KeyError(kind)
        files = self._others[kind]
        for family in self.families():
            game: Game | UnplayableKind = family.read_other(kind, files)
            if isinstance(game, UnplayableKind):
                self._unfit_others[kind] = game
                raise KeyError(kind)
            self._met[kind] = game
        return self._met[kind]

    def _load_all(self) -> dict[str, Game]:
        games = dict(self._load_own())
        for kind in self._others:
            if kind in games:
                why = "there is a kind of that name already"
                self._unfit_others.setdefault(kind, UnplayableKind(kind, f"variants/{kind}", why, lame=True))
            elif (other := self.get(kind)) is not None:
                games[kind] = other
        return dict(sorted(games.items()))

    def _load_own(self) -> dict[str, Game]:
        if self._own is None:
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
            self._own = dict(sorted(games.items()))
            self._met |= self._own
        return self._own

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


@cache
def _kinds(path: tuple[str, ...]) -> _GameKinds:
    return _GameKinds(path, _variants_from_elsewhere)


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
    return folder == kind.replace("-", "_") or _variants_of(folder).joinpath(kind).is_dir()


def _variants_of(folder: str) -> "Traversable":
    return resources.files("games").joinpath(folder, "variants")
