"""Variants of a game: folders of data that a game can read, and those that are installed."""

from __future__ import annotations

import logging
import re
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import games
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.reports import maps
from games import language
from games.data import read_toml
from games.dice import SealedDice
from games.options import settle
from games.protocol import ForeignFormats, Game, ImportedVariant, Invalid, ProposedBorders, Survey, View
from games.record import Value, replace_fields
from orders import commands, words

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

log = logging.getLogger(__name__)

MAX_VARIANT_FILE_BYTES = 5_000_000
BOARD_SUFFIXES = (".map", ".json")
"""The endings of the names of other programs' boards."""
SUFFIXES = (".json", ".toml", ".geojson", ".md")
"""The endings of the names of a variant's files."""


def check_variant(folder: Path) -> Survey:
    """Return the survey of the variant in a folder. Raises Refusal for any error in it."""
    return check_files(folder.name, read_files(folder))


def check_files(name: str, files: Mapping[str, str]) -> Survey:
    """Return the survey of a variant's files, by name. Raises Refusal for any error in them.

    name: of their folder.
    """
    readers = dict.fromkeys(game.survey for game in games.kinds().values() if game.survey is not None)
    try:
        survey = next(reader(files) for reader in readers)
    except Invalid as fault:
        raise Refusal(f"variant {name}: {fault.what}", fault.why, fault.instead) from fault
    conflicts = tuple(_name_conflicts(survey.game))
    if conflicts and conflicts[0].startswith(f"{survey.game.about.kind} "):
        raise Refusal(f"variant {name}: map.json: name", conflicts[0], "Choose another name")
    warnings = tuple(f"rulebook.toml: aliases: {conflict}, and stays so" for conflict in conflicts)
    return replace_fields(survey, findings=(*survey.findings, *_ambiguous_names(survey.game), *warnings))


def _name_conflicts(game: Game) -> Iterator[str]:
    """Yield a sentence for each of the variant's names that another kind of game already has, its own name
    first."""
    for name in (game.about.kind, *game.about.aliases):
        other = games.find(name)
        # A kind with exactly this name is probably the same variant, already installed.
        if other is not None and other.about.kind != game.about.kind:
            yield f"{name} is {other.about.title} already"


# Boards of other programs.


def import_board(file: Path, drawing: Path | None = None) -> ImportedVariant:
    """Return the variant of another program's board. Raises Refusal with the file and the line.

    Files that it names are read from its folder; a board that isn't there may be one of ours. drawing: an SVG
    file for it.
    """
    imported = _read_board_file(file)
    if drawing is None:
        return imported
    drawn = _draw(imported.files["map.json"], drawing, None)
    return ImportedVariant(files={**imported.files, **drawn.files}, notes=(*imported.notes, *drawn.notes))


def _read_board_file(file: Path) -> ImportedVariant:
    formats = next(game.exchange for game in games.kinds().values() if game.exchange is not None)
    try:
        return formats.read_board(file.stem, _read_text(file), partial(_read_beside, file))
    except Invalid as fault:
        raise Refusal(f"Can't import {file.name}: {fault.what}", fault.why, fault.instead) from fault


def _read_beside(file: Path, name: str) -> str:
    """Return the text of a file in the same folder, or one of our boards. Raises Invalid."""
    other = file.with_name(Path(name).name)
    if other.is_file():
        return _read_text(other)
    ours = games.find(Path(name).stem)
    if ours is None or ours.exchange is None:
        raise Invalid(name, f"{file.name} needs it", f"put {name} beside {file.name}")
    return ours.exchange.write_board()[0]


def _read_text(file: Path) -> str:
    if file.suffix not in BOARD_SUFFIXES:
        raise Refusal(
            f"Can't import {file.name}",
            "its name ends in neither .map nor .json",
            "Boards come as .map files or as variant documents in JSON",
        )
    try:
        if file.stat().st_size > MAX_VARIANT_FILE_BYTES:
            raise Refusal(f"Can't import {file.name}", "it has more than 5 MB")
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as fault:
        raise Refusal(f"Can't read {file}", f"{fault.strerror}") from fault


def draw_board(folder: Path, drawing: Path, tolerance: float | None = None) -> ImportedVariant:
    """Return the files of a variant's folder that an SVG drawing changes. Raises Refusal."""
    return _draw(_read_limited(folder / "map.json"), drawing, tolerance)


def _draw(board: str, drawing: Path, tolerance: float | None) -> ImportedVariant:
    formats = next(game.exchange for game in games.kinds().values() if game.exchange is not None)
    try:
        return formats.read_drawing(board, _read_limited(drawing), tolerance)
    except Invalid as fault:
        raise Refusal(f"{drawing.name}: {fault.what}", fault.why, fault.instead) from fault


def propose_borders(folder: Path, drawing: Path) -> tuple[ProposedBorders, ...]:
    """Return the borders of each province of a folder as a drawing shows them. Raises Refusal."""
    formats = next(game.exchange for game in games.kinds().values() if game.exchange is not None)
    try:
        return formats.propose_borders(_read_limited(folder / "map.json"), _read_limited(drawing))
    except Invalid as fault:
        raise Refusal(f"{drawing.name}: {fault.what}", fault.why, fault.instead) from fault


def _read_limited(file: Path) -> str:
    """Return the text of a file. Raises Refusal."""
    try:
        if file.stat().st_size > MAX_VARIANT_FILE_BYTES:
            raise Refusal(f"Can't read {file}", "it has more than 5 MB", "Simplify the drawing")
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it isn't in UTF-8"
        raise Refusal(f"Can't read {file}", f"{why}") from fault


def export_board(game: Game) -> tuple[str, tuple[str, ...]]:
    """Return a game's board as a .map file, and sentences on what it can't say. Raises Refusal."""
    return _formats_of(game).write_board()


def export_folder(game: Game, folder: Path) -> Sequence[str]:
    """Write the files of a game's variant into a new folder, and return their names. Raises Refusal."""
    texts = _formats_of(game).write_files()
    if folder.exists():
        raise Refusal(f"Can't write {folder}", "it exists already", "Name another folder")
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [*texts]


def _formats_of(game: Game) -> ForeignFormats[Any]:
    """Return the formats of other programs for a game. Raises Refusal if there are none."""
    if game.exchange is None:
        raise Refusal(f"Can't export {game.about.kind}", "it isn't a board of armies and fleets")
    return game.exchange


# Names that mean something else too.


_STRUCTURE_SORTS = ("if", "then", "else", "endif", "phase", "spring", "fall", "winter")
_ENGLISH_STRUCTURE = (
    *("if", "then", "else", "elseif", "end if", "endif", "end", "and", "or", "not", "phase", "stop"),
    *("spring", "summer", "autumn", "fall", "winter"),
)
_MIN_LETTERS = {"province": 2, "nation": 4}
"""The length from which a name is checked. Nations also have beginnings of their names, of any length."""


def _ambiguous_names(game: Game) -> Iterator[str]:
    """Yield a sentence for each name of two things, and for each name that an email can mean otherwise."""
    state = game.rules.setup(settle(game.about.options, {}), SealedDice(b"survey", game.about.kind, 0)).state
    view = game.rules.view(state, None)
    ids_by_name: dict[tuple[str, tuple[str, ...]], dict[str, str]] = {}
    shown: dict[str, str] = {}
    for entry in game.notation.lexicon(view):
        shown.setdefault(entry.id, entry.names[0])
        for name in entry.names:
            if len(name) >= _MIN_LETTERS.get(entry.sort, 1):
                ids_by_name.setdefault((entry.sort, words.keys(name)), {}).setdefault(entry.id, name)
    meanings = _meanings(game, view)
    for (_, key), names in ids_by_name.items():
        name = next(iter(names.values()))
        if len(names) > 1:
            several = language.join_list([shown[one] for one in names])
            yield f'"{name}" means {several}, so we ask the player which of them'
        if meaning := meanings.get(key):
            owner = shown[next(iter(names))]
            of = f" ({owner})" if owner != name else ""
            yield f'"{name}"{of} is also {meaning}, so some lines can be misread'


def _meanings(game: Game, view: View) -> Mapping[tuple[str, ...], str]:
    """Return what words mean at the head of a line or in a condition, by their keys, in every language."""
    native = game.notation.native(view, next(iter(game.about.seats(settle(game.about.options, {})))))
    forms = native[0] if native else game.notation.forms
    tables = read_toml("orders", "structure.toml").values()
    structure = [word for table in tables for sort in _STRUCTURE_SORTS for word in table[sort]]
    meanings = {
        words.keys(word): "a word of conditions"
        for form in game.notation.conditions
        for word in re.split(r"[()\[\]|]", re.sub(r"\{[^}]*\}", "|", form.pattern))
    }
    meanings |= {
        words.keys(word): "a word that begins orders" for form in forms for word in _openings(form.pattern)
    }
    meanings |= {
        words.keys(word): "a word for IF, PHASE or a season" for word in (*structure, *_ENGLISH_STRUCTURE)
    }
    meanings |= {
        words.keys(word): f"the command {verb.name}"
        for verb in commands.PLAYER_COMMANDS
        for pattern in verb.patterns
        for word in _openings(pattern)
    }
    return meanings


def _openings(pattern: str) -> Sequence[str]:
    """Return the words that a pattern may begin with."""
    group = re.match(r"\(([^)]*)\)", pattern)
    return group[1].split("|") if group else [re.split(r"[\[{(]", pattern)[0]]


def draw_opening(survey: Survey) -> str:
    """Return the variant's opening as SVG. Raises Refusal if the survey says that it can't be drawn."""
    game = survey.game
    dice = SealedDice(b"survey", game.about.kind, 0)
    state = game.rules.setup(settle(game.about.options, {}), dice).state
    try:
        drawn = maps.svg(game, game.rules.view(state, None), (), game.rules.turn(state).name)
    except (Invalid, KeyError) as fault:
        why = fault.why if isinstance(fault, Invalid) else f"outline.geojson doesn't contain {fault.args[0]}"
        raise Refusal(f"Can't draw {game.about.title}", why) from fault
    if drawn is None:
        raise Refusal(f"Can't draw {game.about.title}", "outline.geojson is missing")
    return drawn


def _read_zip(file: Path) -> dict[str, str]:
    """Return the texts of a variant's files in a ZIP file, whose folders don't matter."""
    texts: dict[str, str] = {}
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                name = info.filename.rpartition("/")[2]
                if not name.endswith(SUFFIXES) or info.file_size > MAX_VARIANT_FILE_BYTES:
                    continue
                if name in texts:
                    raise Refusal(f"Can't read {file}", f"it has several files called {name}")
                texts[name] = archive.read(info).decode("utf-8")
    except (zipfile.BadZipFile, OSError, UnicodeDecodeError, RuntimeError, NotImplementedError) as fault:
        instead = "Name a folder with map.json and rulebook.toml, or a ZIP file of one"
        raise Refusal(f"Can't read {file}", str(fault), instead) from fault
    return texts


def read_files(folder: Path) -> dict[str, str]:
    """Return the texts of a variant's files by name, from a folder or a ZIP file. Raises Refusal."""
    if folder.is_file():
        return _read_zip(folder)
    if not folder.is_dir():
        raise Refusal(f"Can't read {folder}", "it isn't a folder")
    texts = {}
    for path in sorted(folder.iterdir()):
        if path.suffix in SUFFIXES and path.stat().st_size <= MAX_VARIANT_FILE_BYTES:
            try:
                texts[path.name] = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as fault:
                raise Refusal(f"Can't read {path}", str(fault)) from fault
    return texts


# The variants that are no part of this program: in the GM's folder, and in installed packages.


ENTRY_POINT = "turnpost.variants"
_NAME_RE = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def is_variant_name(text: str) -> bool:
    """Return whether a variant's folder can have this name."""
    return _NAME_RE.fullmatch(text) is not None


class InstalledVariants(Mapping[str, Mapping[str, str]]):
    """The variants from elsewhere by name, each with the texts of its files. Each is read when it is needed.

    folder: the GM's own. A variant of a package isn't used if the folder has one of the same name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def _places(self) -> Mapping[str, tuple[Traversable, str]]:
        """The folder of each variant by name, and where it comes from."""
        own = {entry.name: (entry, str(self.folder)) for entry in _folders_in(self.folder)}
        return dict(sorted({**_packaged(), **own}.items()))

    def __getitem__(self, name: str) -> Mapping[str, str]:
        return _FileTexts(self._places[name][0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def origin(self, name: str) -> str:
        """Return where a variant comes from: the GM's folder, or a package. Raises KeyError."""
        return self._places[name][1]


class _FileTexts(Mapping[str, str]):
    """The texts of the files in a folder, by name. Each is read when it is asked for."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(sorted(entry.name for entry in self._folder.iterdir() if entry.name.endswith(SUFFIXES)))

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        return _read_variant_text(self._folder.joinpath(name), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _folders_in(folder: Traversable) -> list[Traversable]:
    if not folder.is_dir():
        return []
    return [entry for entry in folder.iterdir() if is_variant_name(entry.name) and entry.is_dir()]


def _packaged() -> dict[str, tuple[Traversable, str]]:
    """Return the variants of installed packages by name. An entry point names a package that has folders."""
    places: dict[str, tuple[Traversable, str]] = {}
    for point in metadata.entry_points(group=ENTRY_POINT):
        try:
            found = _folders_in(resources.files(point.value))
        except (ImportError, OSError, ValueError) as fault:
            log.warning(sentence("service.variants.package_fails", name=point.value, why=str(fault)))
            continue
        places |= {entry.name: (entry, f"the package {point.value}") for entry in found}
    return places


def _read_variant_text(path: Traversable, name: str) -> str:
    """Return the text of a variant's file. Raises Invalid."""
    try:
        content = path.read_bytes()
        if len(content) > MAX_VARIANT_FILE_BYTES:
            raise Invalid(name, f"is larger than {MAX_VARIANT_FILE_BYTES // 1_000_000} MB")
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise Invalid(name, f"cannot be read ({fault})") from fault


def use_variants(folder: Path) -> None:
    """Make the variants in the GM's folder and in packages playable, as they are now."""
    games.use_variants(InstalledVariants(folder))


class ListedVariant(Value, frozen=True):
    """A variant from elsewhere. origin: where it is. why: why it can't be played, or ""."""

    name: str
    title: str
    origin: str
    why: str


def list_variants(folder: Path) -> tuple[ListedVariant, ...]:
    """Return the variants from elsewhere, with the reasons why some can't be played."""
    installed, labels = InstalledVariants(folder), games.labels()
    unfit = {one.kind: one.why for one in games.unplayable_kinds() if one.kind in installed}
    return tuple(
        ListedVariant(
            name, labels[name].title if name in labels else name, installed.origin(name), unfit.get(name, "")
        )
        for name in installed
    )


def add_variant(source: Path, folder: Path, *, replace: bool = False) -> Survey:
    """Check a variant in a folder or a ZIP file and copy it into the GM's folder. Raises Refusal.

    replace: whether it may take the place of one with its name. Games that run keep their own copy.
    """
    files = read_files(source)
    survey = check_files(source.name, files)
    name = survey.game.about.kind
    other = games.find(name)
    if other is not None and name not in InstalledVariants(folder):
        raise Refusal(f"Can't add {source}", f"{name} comes with Turnpost", "Choose another name in map.json")
    place = folder / name
    if place.exists() and not replace:
        instead = "Add --replace to put this one in its place. Games that run keep theirs"
        raise Refusal(f"Can't add {source}", f"there is a variant {name} already in {place}", instead)
    made = folder / f".{name}.new"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        for file, text in files.items():
            (made / file).write_text(text, encoding="utf-8")
        if place.exists():
            shutil.rmtree(place)
        made.rename(place)
    except OSError as fault:
        raise Refusal(f"Can't write {place}", f"{fault.strerror}") from fault
    finally:
        shutil.rmtree(made, ignore_errors=True)
    return survey


def remove_variant(name: str, folder: Path) -> Path:
    """Remove a variant from the GM's folder. Returns its place. Raises Refusal."""
    installed = InstalledVariants(folder)
    place = folder / name
    if name not in installed or not is_variant_name(name) or not place.is_dir():
        own = [one for one in installed if installed.origin(one) == str(folder)]
        instead = f"Variants there: {', '.join(own)}" if own else "There is none"
        raise Refusal(f'No variant "{name}" in {folder}', "", instead)
    try:
        shutil.rmtree(place)
    except OSError as fault:
        raise Refusal(f"Can't remove {place}", f"{fault.strerror}") from fault
    return place
