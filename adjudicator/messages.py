"""The message catalogue: every sentence of the service, by slug (templates/messages/).

Each area has a file such as ``inbound.toml``, with one table per topic. An entry is a sentence with
placeholders. It may contain Jinja, or have one sentence per plural form (see `games.messages`). To change the
wording, change only these files.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files

import jinja2

from adjudicator import compile_cache, template_cache
from games import language
from games.messages import PluralSentence, Sentence, parse_entry
from games.record import canonical, read_json

Entry = str | Mapping[str, str]
"""An entry as the catalogue has it: a sentence, or a sentence for each plural form."""

_MESSAGES_PACKAGE = "templates"


def sentence(slug: str, /, **values: object) -> str:
    """Return the sentence of a slug such as ``inbound.joining.taken``, with the values filled in.

    Raises KeyError for an unknown slug and jinja2.UndefinedError for a missing value. The sentence is plain
    text: callers must escape it for HTML.
    """
    template = _find_sentence(slug)
    if not isinstance(template, Sentence | PluralSentence):  # so jinja2 isn't loaded for the others
        return template.render(values)
    try:
        return template.fill(values)
    except KeyError as fault:
        raise jinja2.UndefinedError(f"{slug} has no value for {fault}") from fault


def sentences(room: str) -> dict[str, Entry]:
    """Return all entries of an area by slug, with their placeholders.

    Raises FileNotFoundError for an unknown area.
    """
    return _parse_sentences(room, files(_MESSAGES_PACKAGE).joinpath("messages", f"{room}.toml").read_bytes())


def _parse_sentences(room: str, page: bytes) -> dict[str, Entry]:
    tables = tomllib.loads(page.decode())
    return {
        f"{room}.{module}.{slug}": entry for module, table in tables.items() for slug, entry in table.items()
    }


def sentence_files() -> dict[str, str]:
    """Return the catalogue files by area as text, even if they can't be parsed."""
    entries = files(_MESSAGES_PACKAGE).joinpath("messages").iterdir()
    rooms = sorted((file for file in entries if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in rooms}


@cache
def _load_sentences(room: str) -> dict[str, Entry]:
    """Return an area's entries from the disk cache, because parsing takes a thirtieth of a turn."""
    page = files(_MESSAGES_PACKAGE).joinpath("messages", f"{room}.toml").read_bytes()
    made_of = f"{room}\0{sys.version}\0".encode() + page
    name = f"messages-{hashlib.sha256(made_of).hexdigest()}"
    content = compile_cache.load(name)
    if content is not None:
        cached_sentences: dict[str, Entry] = read_json(content)
        return cached_sentences
    new_sentences = _parse_sentences(room, page)
    compile_cache.save(name, canonical(new_sentences))
    return new_sentences


@cache
def _find_sentence(slug: str) -> Sentence | PluralSentence | jinja2.Template:
    """Return the entry of a slug. Only an entry that contains more than placeholders is a Jinja template."""
    entry = parse_entry(_load_sentences(slug.partition(".")[0])[slug])
    if isinstance(entry, Sentence) and any("{" in part for part in entry.words):
        return _environment().get_template(slug)
    return entry


LANGUAGE_FILTERS: Mapping[str, Callable[..., str]] = {
    "list_and": language.join_list,
    "list_or": partial(language.join_list, joint="or"),
    "number": language.format_number,
}
"""Filters for entries with Jinja, and for templates: lists and numbers in the language of our texts."""


@cache
def _environment() -> jinja2.Environment:
    made_of = "\0".join(["catalogue", *template_cache.template_dependencies(())])
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        auto_reload=False,
        loader=jinja2.FunctionLoader(_template_text),
        bytecode_cache=template_cache.CompiledTemplates(made_of.encode()),
    )
    environment.filters.update(LANGUAGE_FILTERS)
    return environment


def _template_text(slug: str) -> str | None:
    entry = _load_sentences(slug.partition(".")[0]).get(slug)
    return entry if isinstance(entry, str) else None


def as_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
