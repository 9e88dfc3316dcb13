"""Message catalogues: every sentence that a game says to people, by slug.

Each game has a file ``messages.toml`` with one table per topic. An entry is a sentence with placeholders such
as ``{{ unit }}``. An entry for a number has one sentence per plural form, and the value ``count`` chooses it:
``coins = { one = "{{ count }} coin", other = "{{ count }} coins" }``.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from games import language
from games.data import LazyMapping, read_text
from games.protocol import Invalid
from games.record import Value

MESSAGES_FILE = "messages.toml"
_PLACEHOLDER = re.compile(r"\{\{ ([a-z_]+) \}\}")
_TABLE = re.compile(r"^(?=\[([a-z_]+)[].])", re.MULTILINE)
"""The place before the head of a table: ``[events]``, or ``[events.totals]`` for a part of it."""


class Sentence(Value, frozen=True):
    """A sentence whose placeholders are plain names. To fill it takes a fiftieth of the time of a template.

    text: as written in the catalogue; pattern: the same with ``%(name)s`` for each placeholder.
    """

    text: str
    pattern: str

    @property
    def words(self) -> tuple[str, ...]:
        """The text before, between and after the placeholders."""
        return tuple(_PLACEHOLDER.split(self.text)[::2])

    def fill(self, values: Mapping[str, object]) -> str:
        """Return the sentence with the values filled in. Raises KeyError for a missing value."""
        return self.pattern % values


class PluralSentence(Value, frozen=True):
    """A sentence with one wording per plural form of the value ``count``."""

    forms: Mapping[str, Sentence]

    def fill(self, values: Mapping[str, Any]) -> str:
        """Return the sentence with the values filled in. Raises KeyError for a missing value."""
        return self.forms[language.plural_form(values["count"])].pattern % values


def parse_sentence(text: str) -> Sentence:
    """Return a sentence of the catalogue, prepared for its values."""
    return Sentence(text, _PLACEHOLDER.sub(r"%(\1)s", text.replace("%", "%%")))


def parse_entry(entry: str | Mapping[str, str]) -> Sentence | PluralSentence:
    """Return an entry of the catalogue, which is a sentence or has one sentence per plural form."""
    if isinstance(entry, str):
        return parse_sentence(entry)
    return PluralSentence({form: parse_sentence(text) for form, text in entry.items()})


def sentence(slug: str, /, **values: object) -> str:
    """Return the sentence of a slug such as ``war_chest.events.deployed``, with the values filled in.

    The first part of the slug is the folder of the game, the second a table of its catalogue. Values that the
    sentence does not use are ignored. Raises KeyError for an unknown slug or a missing value.
    """
    return _find_fill(slug)(values)


@cache
def has_sentence(slug: str) -> bool:
    """Return whether a game's catalogue has an entry for the slug."""
    game, table, entry = slug.split(".")
    return entry in load_messages(f"games.{game}").get(table, {})


@cache
def load_messages(package: str) -> Mapping[str, Mapping[str, Sentence | PluralSentence]]:
    """Return the catalogue of a package by table and entry. Raises Invalid if it has no such file.

    A table is parsed when it is first used, because a command uses a few of forty. A table that is no TOML
    raises Invalid then.
    """
    _, *parts = _TABLE.split(read_text(package, MESSAGES_FILE))
    tables: dict[str, str] = {}
    for table, text in zip(parts[::2], parts[1::2], strict=True):
        tables[table] = tables.get(table, "") + text
    return LazyMapping({table: partial(_parse_table, package, table, text) for table, text in tables.items()})


def fill_of(entry: Sentence | PluralSentence) -> Callable[[Mapping[str, object]], str]:
    """Return the function that fills an entry: for a plain sentence one that calls no Python."""
    return entry.pattern.__mod__ if isinstance(entry, Sentence) else entry.fill


@cache
def _find_fill(slug: str) -> Callable[[Mapping[str, object]], str]:
    game, table, entry = slug.split(".")
    return fill_of(load_messages(f"games.{game}")[table][entry])


def _parse_table(package: str, table: str, text: str) -> Mapping[str, Sentence | PluralSentence]:
    try:
        entries = tomllib.loads(text)[table]
    except tomllib.TOMLDecodeError as fault:
        raise Invalid(MESSAGES_FILE, f"is no TOML in the table {table} of {package}: {fault}") from fault
    return {entry: parse_entry(value) for entry, value in entries.items()}
