"""Variants of a game: folders of data that a game can read."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import games
from adjudicator.errors import Refusal
from adjudicator.reports import maps
from games import language
from games.data import read_toml
from games.dice import SealedDice
from games.options import settle
from games.protocol import ForeignFormats, Game, ImportedVariant, Invalid, ProposedBorders, Survey, View
from games.record import replace_fields
from orders.commands import PLAYER_COMMANDS
from orders.words import keys

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
                ids_by_name.setdefault((entry.sort, keys(name)), {}).setdefault(entry.id, name)
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
        keys(word): "a word of conditions"
        for form in game.notation.conditions
        for word in re.split(r"[()\[\]|]", re.sub(r"\{[^}]*\}", "|", form.pattern))
    }
    meanings |= {
        keys(word): "a word that begins orders" for form in forms for word in _openings(form.pattern)
    }
    meanings |= {keys(word): "a word for IF, PHASE or a season" for word in (*structure, *_ENGLISH_STRUCTURE)}
    meanings |= {
        keys(word): f"the command {verb.name}"
        for verb in PLAYER_COMMANDS
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
