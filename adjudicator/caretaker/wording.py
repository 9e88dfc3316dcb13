"""The wording of the catalogue looked over: whoever broke a sentence is told which one."""

import ast
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from jinja2 import Environment, TemplateSyntaxError, meta

from adjudicator import catalogue

_READING = Environment(autoescape=False)


def broken_wording() -> tuple[str, ...]:
    """What is wrong with the catalogue as it is installed, each with its file and its slug."""
    return tuple(faults(catalogue.texts(), wanted()))


def faults(texts: Mapping[str, str], wanted: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """What is wrong with the texts of the catalogue's files, by room.

    wanted: every slug that the house says, with the values that it fills in.
    """
    for room, text in texts.items():
        file = f"messages/{room}.toml"
        asked = {slug: values for slug, values in wanted.items() if slug.startswith(f"{room}.")}
        try:
            said = dict(_flat(room, tomllib.loads(text)))
        except tomllib.TOMLDecodeError as fault:
            yield f"{file}: {fault}"
            continue
        yield from (f"{file}: {slug} is missing" for slug in asked if slug not in said)
        for slug, sentence in said.items():
            yield from (f"{file}: {slug}{fault}" for fault in _faults(sentence, asked.get(slug)))


def _flat(above: str, table: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for name, one in table.items():
        slug = f"{above}.{name}"
        yield from _flat(slug, one) if isinstance(one, dict) else ((slug, one),)


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
def wanted() -> Mapping[str, frozenset[str]]:
    """Every slug that the house says, with the values that all who say it fill in: read off its code."""
    found: dict[str, frozenset[str]] = {}
    for text in _code(files("adjudicator")):
        for slug, values in _said(ast.parse(text)) if "sentence(" in text else ():
            found[slug] = found.get(slug, values) & values
    return found


def _code(folder: Traversable) -> Iterator[str]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _code(one)
        elif one.name.endswith(".py"):
            yield one.read_text(encoding="utf-8")


def _said(module: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "sentence":
            yield ast.literal_eval(node.args[0]), frozenset(one.arg or "" for one in node.keywords)
