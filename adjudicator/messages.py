"""The message catalogue: every sentence of the service, by slug (templates/messages/).

Each area has a file such as ``clerk.toml``, with one table per module. An entry is a Jinja sentence with
placeholders. To change the wording, change only these files.
"""

from __future__ import annotations

import hashlib
import sys
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

import jinja2

from adjudicator import compile_cache, template_cache
from games.messages import Sentence, parse_sentence
from games.record import canonical, read_json

_MESSAGES_PACKAGE = "templates"


def sentence(slug: str, /, **values: object) -> str:
    """Return the sentence of a slug such as ``clerk.joining.taken``, with the values filled in.

    Raises KeyError for an unknown slug and jinja2.UndefinedError for a missing value. The sentence is plain
    text: callers must escape it for HTML.
    """
    template = _find_sentence(slug)
    if isinstance(template, str):
        return template
    if isinstance(template, jinja2.Template):
        if all(type(value) is int for value in values.values()):
            return _render_numbers(slug, **values)
        return template.render(values)
    try:
        return template.fill(values)
    except KeyError as fault:
        raise jinja2.UndefinedError(f"{slug} has no value for {fault}") from fault


@lru_cache(maxsize=256)
def _render_numbers(slug: str, /, **numbers: object) -> str:
    """Return a sentence whose only values are numbers, from a cache, as emails need the same few."""
    template = _find_sentence(slug)
    assert isinstance(template, jinja2.Template), "the others are as quickly joined"
    return template.render(numbers)


_CONSTANTS = frozenset({"true", "false", "none"})


def sentences(room: str) -> dict[str, str]:
    """Return all sentences of an area by slug, with their placeholders.

    Raises FileNotFoundError for an unknown area.
    """
    return _parse_sentences(room, files(_MESSAGES_PACKAGE).joinpath("messages", f"{room}.toml").read_bytes())


def _parse_sentences(room: str, page: bytes) -> dict[str, str]:
    tables = tomllib.loads(page.decode())
    return {
        f"{room}.{module}.{slug}": text for module, table in tables.items() for slug, text in table.items()
    }


def sentence_files() -> dict[str, str]:
    """Return the catalogue files by area as text, even if they can't be parsed."""
    entries = files(_MESSAGES_PACKAGE).joinpath("messages").iterdir()
    rooms = sorted((file for file in entries if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text(encoding="utf-8") for file in rooms}


@cache
def _load_sentences(room: str) -> dict[str, str]:
    """Return an area's sentences from the disk cache, because parsing takes a thirtieth of a turn."""
    page = files(_MESSAGES_PACKAGE).joinpath("messages", f"{room}.toml").read_bytes()
    made_of = f"{room}\0{sys.version}\0".encode() + page
    name = f"messages-{hashlib.sha256(made_of).hexdigest()}"
    content = compile_cache.load(name)
    if content is not None:
        cached_sentences: dict[str, str] = read_json(content)
        return cached_sentences
    new_sentences = _parse_sentences(room, page)
    compile_cache.save(name, canonical(new_sentences))
    return new_sentences


@cache
def _find_sentence(slug: str) -> str | Sentence | jinja2.Template:
    """Return the entry of a slug.

    It is a plain string if it has no placeholders, so no template is compiled.
    """
    text = _load_sentences(slug.partition(".")[0])[slug]
    if "{" not in text:
        return text
    split = parse_sentence(text)
    if any("{" in part for part in split.words) or text.endswith("\n") or _CONSTANTS & {*split.names}:
        return _environment().get_template(slug)
    return split


@cache
def _environment() -> jinja2.Environment:
    made_of = "\0".join(["catalogue", *template_cache.template_dependencies(())])
    return jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        auto_reload=False,
        loader=jinja2.FunctionLoader(lambda slug: _load_sentences(slug.partition(".")[0]).get(slug)),
        bytecode_cache=template_cache.CompiledTemplates(made_of.encode()),
    )


def as_sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
