"""The wording of the catalogue looked over: whoever broke a sentence is told which one."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from jinja2 import Environment, TemplateSyntaxError, meta

from adjudicator import messages

_READING = Environment(autoescape=False)


def broken_wording() -> tuple[str, ...]:
    """Return what is wrong with the catalogue as it is installed, each with its file and its slug."""
    return tuple(faults(messages.sentence_files(), slugs_in_code()))


def faults(texts: Mapping[str, str], wanted: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield what is wrong with the texts of the catalogue's files, by package.

    wanted: every slug that the house says, with the values that it fills in.
    """
    for room, text in texts.items():
        file = f"messages/{room}.toml"
        asked = {slug: values for slug, values in wanted.items() if slug.startswith(f"{room}.")}
        try:
            entries = dict(_flat(room, tomllib.loads(text)))
        except tomllib.TOMLDecodeError as fault:
            yield f"{file}: {fault}"
            continue
        yield from (f"{file}: {slug} is missing" for slug in asked if slug not in entries)
        for slug, sentence in entries.items():
            yield from (f"{file}: {slug}{fault}" for fault in _faults(sentence, asked.get(slug)))


def _flat(above: str, table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, value in table.items():
        slug = f"{above}.{name}"
        yield from _flat(slug, value) if isinstance(value, dict) else ((slug, value),)


def _faults(sentence: object, values: frozenset[str] | None) -> Iterator[str]:
    if values is None:
        yield " is said nowhere"
    elif not isinstance(sentence, str):
        yield ": it is no text; put it into quotation marks"
    else:
        try:
            places = meta.find_undeclared_variables(_READING.parse(sentence))
        except TemplateSyntaxError as fault:
            yield f": {fault.message}"
            return
        known = ", ".join(sorted(values)) or "none"
        yield from (
            f": there is no {{{{ {place} }}}}; its values: {known}" for place in sorted(places - values)
        )


@cache
def slugs_in_code() -> Mapping[str, frozenset[str]]:
    """Return every slug that the code says, with the values that all its callers fill in."""
    values_by_slug: dict[str, frozenset[str]] = {}
    for text in _code(files("adjudicator")):
        for slug, values in _sentence_calls(ast.parse(text)) if "sentence(" in text else ():
            values_by_slug[slug] = values_by_slug.get(slug, values) & values
    return values_by_slug


def _code(folder: Traversable) -> Iterator[str]:
    for file in folder.iterdir():
        if file.is_dir():
            yield from _code(file)
        elif file.name.endswith(".py"):
            yield file.read_text(encoding="utf-8")


def _sentence_calls(module: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "sentence":
            yield ast.literal_eval(node.args[0]), frozenset(keyword.arg or "" for keyword in node.keywords)
