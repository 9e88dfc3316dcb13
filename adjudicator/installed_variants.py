"""The variants that are no part of this program: in the GM's folder, and in installed packages."""

from __future__ import annotations

import logging
import re
import shutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import metadata, resources
from typing import TYPE_CHECKING

import games
from adjudicator import variants
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from games.protocol import Invalid
from games.record import Value

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

    from games.protocol import Survey

log = logging.getLogger(__name__)

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
        return tuple(
            sorted(entry.name for entry in self._folder.iterdir() if entry.name.endswith(variants.SUFFIXES))
        )

    def __getitem__(self, name: str) -> str:
        if name not in self._names:
            raise KeyError(name)
        return _read_text(self._folder.joinpath(name), name)

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


def _read_text(path: Traversable, name: str) -> str:
    """Return the text of a variant's file. Raises Invalid."""
    try:
        content = path.read_bytes()
        if len(content) > variants.MAX_VARIANT_FILE_BYTES:
            raise Invalid(name, f"is larger than {variants.MAX_VARIANT_FILE_BYTES // 1_000_000} MB")
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
    files = variants.read_files(source)
    survey = variants.check_files(source.name, files)
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
