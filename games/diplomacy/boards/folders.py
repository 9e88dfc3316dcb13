"""The folders of variants: their files, their base variants, and their editions.

A variant is read from a folder of this package, or from the texts of files that come from elsewhere: a folder
of the GM, or the copy that a game keeps of the variant it began with.
"""

import hashlib
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games import language
from games.data import files, folders, read_json, read_text, read_toml
from games.diplomacy.boards.languages import LANGUAGE_FILE
from games.diplomacy.boards.misfits import shorten
from games.messages import sentence
from games.protocol import Edition, Invalid
from games.record import Value, canonical

DIPLOMACY_PACKAGE = "games.diplomacy"
MAP_FILE, RULEBOOK_FILE, OUTLINE_FILE = "map.json", "rulebook.toml", "outline.geojson"
RULES_FILE = "rules.md"
REQUIRED_FILES = (MAP_FILE, RULEBOOK_FILE)

# Only what decides a turn makes another edition. Names, drawings and advice for bots can be improved while
# games run. A key that isn't listed here decides.
_NAMES_AND_DRAWING: Mapping[str, frozenset[str]] = {
    MAP_FILE: frozenset({"name", "title", "designer", "year", "counts", "size", "projection", "outline"}),
    "provinces": frozenset({"name", "abbr", "aliases", "label", "radius", "anchors"}),
    "powers": frozenset(
        {"name", "aliases", "letter", "colour", "ink", "hatch", "partners", "danger"},
    ),
    RULEBOOK_FILE: frozenset({"source", "aliases", "turn_name", "season_names", "why"}),
    "options": frozenset({"meaning", "ruling"}),
}


def names() -> tuple[str, ...]:
    """Return the names of the variants in this package, in order."""
    return folders(DIPLOMACY_PACKAGE, "variants")


class VariantFolders(Value, frozen=True):
    """The folders that a variant is read from: those of this package, and others.

    others: by the name of a folder, the texts of its files by name. They take the place of files of this
    package.
    """

    others: Mapping[str, Mapping[str, str]] = {}

    def has_own(self, name: str) -> bool:
        """Return whether this package has a folder of that name."""
        return name in names()

    def text(self, name: str, file: str) -> str:
        """Return the text of a variant's file. Raises Invalid if it is missing."""
        texts = self.others.get(name, {})
        if file in texts:
            return texts[file]
        if not self.has_own(name):
            needed = sentence("diplomacy.variants.files", files=language.join_list(REQUIRED_FILES))
            raise Invalid(file, sentence("diplomacy.variants.missing"), needed)
        return read_text(DIPLOMACY_PACKAGE, f"variants/{name}/{file}")

    def value(self, name: str, file: str) -> Any:
        """Return the plain value of a variant's file. Raises Invalid, with the place of the fault."""
        if file in self.others.get(name, {}):
            return read_plain(file, self.text(name, file))
        return _value_in_package(name, file)

    def file_names(self, name: str) -> tuple[str, ...]:
        """Return the names of a variant's files, in order."""
        own = files(DIPLOMACY_PACKAGE, f"variants/{name}") if self.has_own(name) else ()
        return tuple(sorted({*own, *self.others.get(name, {})}))

    def languages(self, name: str) -> Mapping[str, Any]:
        """Return the plain values of a variant's language files, by name."""
        return {
            file: self.value(name, file) for file in self.file_names(name) if LANGUAGE_FILE.fullmatch(file)
        }

    def check(self, name: str, file: str) -> None:
        """Raise Invalid if a file's base isn't a variant of this package, or of the other folders."""
        if not isinstance(name, str) or not (self.has_own(name) or name in self.others):
            raise Invalid(
                f"{file}: base",
                sentence("diplomacy.variants.no_variant", name=shorten(name)),
                sentence("diplomacy.judge.known", names=language.join_list(names())),
            )

    def chart(self, name: str) -> Any:
        """Return the plain value of a variant's map.json, with the outline of a folder from elsewhere."""
        chart = self.value(name, MAP_FILE)
        if OUTLINE_FILE in self.others.get(name, {}) and isinstance(chart, dict):
            return {**chart, "shapes": self.value(name, OUTLINE_FILE)}
        return chart

    def merge_base(self, raw: Any, file: str, above: tuple[str, ...] = ()) -> Any:
        """Return a file's value. With the key ``base`` it only has the differences from that variant.

        The aliases of the base variant aren't inherited. above: the variants that are based on this one.
        """
        base = raw.get("base") if isinstance(raw, dict) else None
        if base is None:
            return raw
        self.check(base, file)
        if base in above:
            why = sentence("diplomacy.variants.base_of_itself", name=base)
            known = sentence("diplomacy.judge.known", names=language.join_list(names()))
            raise Invalid(f"{file}: base", why, known)
        low = self.chart(base) if file == MAP_FILE else self.value(base, file)
        below = self.merge_base(low, file, (*above, base))
        below = {key: value for key, value in below.items() if (file, key) != (RULEBOOK_FILE, "aliases")}
        drawn = {"outline": below.get("outline") or base} if file == MAP_FILE else {}
        return {**below, **drawn, **{key: value for key, value in raw.items() if key != "base"}}

    def base_names(self, name: str) -> tuple[str, ...]:
        """Return the names of a variant and of all its base variants, its own first."""
        found = {name: None}
        waiting = [name]
        while waiting:
            folder = waiting.pop(0)
            bases = [self.value(folder, file).get("base") for file in (MAP_FILE, RULEBOOK_FILE)]
            waiting += dict.fromkeys(base for base in bases if base and base not in found)
            found |= dict.fromkeys(waiting)
        return tuple(found)

    def edition(self, name: str) -> Edition:
        """Return the edition of a variant: the digest of what decides, and the files for a game to keep.

        Names and drawings are kept only if they don't come with this package. Raises Invalid.
        """
        merged = {file: self.merge_base(self.value(name, file), file) for file in (MAP_FILE, RULEBOOK_FILE)}
        kept = {
            f"{folder}/{file}": self.text(folder, file)
            for folder in self.base_names(name)
            for file in self._kept_files(folder)
        }
        deciding = canonical({file: _deciding(value, file) for file, value in merged.items()})
        return Edition(sha=hashlib.sha256(deciding).hexdigest(), files=kept)

    def _kept_files(self, folder: str) -> Iterator[str]:
        """Yield the names of the files that a game keeps of one folder."""
        for file in self.file_names(folder):
            comes_along = file in self.others.get(folder, {}) and is_variant_file(file)
            if file in (MAP_FILE, RULEBOOK_FILE) or comes_along:
                yield file


def is_variant_file(file: str) -> bool:
    """Return whether a file of this name can be part of a variant."""
    named = (MAP_FILE, RULEBOOK_FILE, OUTLINE_FILE, RULES_FILE)
    return file in named or LANGUAGE_FILE.fullmatch(file) is not None


def _deciding(value: Any, part: str) -> Any:
    """Return what decides of a plain value. part: the file, or the list that the value is an element of."""
    if not isinstance(value, dict):
        return value
    left_out = _NAMES_AND_DRAWING.get(part, frozenset())
    return {
        key: [_deciding(one, key) for one in entry] if isinstance(entry, list) else entry
        for key, entry in value.items()
        if key not in left_out
    }


def read_plain(file: str, text: str) -> Any:
    """Return the plain value of a file that may come from anybody. Raises Invalid, with the place."""
    return _toml(file, text) if file.endswith(".toml") else _json(file, text)


@cache
def _value_in_package(name: str, file: str) -> Any:
    read = read_toml if file.endswith(".toml") else read_json
    return read(DIPLOMACY_PACKAGE, f"variants/{name}/{file}")


def _json(file: str, text: str) -> Any:
    def unique(entries: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, several in Counter(key for key, _ in entries).items():
            if several > 1:
                why = sentence("diplomacy.variants.key_twice", key=key)
                raise Invalid(file, why, sentence("diplomacy.variants.keep_one_key"))
        return dict(entries)

    def no_number(word: str) -> float:
        why = sentence("diplomacy.variants.no_number", word=word)
        raise Invalid(file, why, sentence("diplomacy.variants.write_number"))

    remedy = sentence("diplomacy.variants.write_json")
    try:
        return json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except json.JSONDecodeError as fault:
        why = sentence("diplomacy.variants.not_json", line=fault.lineno, column=fault.colno, fault=fault.msg)
        raise Invalid(file, why, remedy) from fault
    except (ValueError, RecursionError) as fault:
        raise Invalid(file, sentence("diplomacy.variants.too_deep"), remedy) from fault


def _toml(file: str, text: str) -> Any:
    remedy = sentence("diplomacy.variants.write_toml")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:
        is_deep = isinstance(fault, RecursionError)
        slug = "diplomacy.variants.too_deep" if is_deep else "diplomacy.variants.not_toml"
        raise Invalid(file, sentence(slug, fault=fault), remedy) from fault
