"""The catalogue: every sentence that the house says itself, by a slug (templates/messages/).

A file for each room, ``clerk.toml``, with a table for each of its modules; what stands in a table is a
sentence with places for values, in Jinja. Whoever wants other words changes these files, and no code.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

import jinja2

from adjudicator import kept, kept_templates
from games.record import Value, canonical, read_json

_FOLDER = "templates"


def sentence(slug: str, /, **values: object) -> str:
    """The sentence of a slug such as ``clerk.joining.taken``, its places filled with the values.

    Raises KeyError for a slug that the catalogue does not have, and jinja2.UndefinedError where a value is
    missing. It is plain text: whoever sets it in HTML escapes it.
    """
    said = _said(slug)
    if isinstance(said, str):
        return said
    if isinstance(said, jinja2.Template) and all(type(value) is int for value in values.values()):
        return _counted(slug, **values)
    return said.render(values)


@lru_cache(maxsize=256)
def _counted(slug: str, /, **numbers: object) -> str:
    """A sentence in which nothing but numbers is filled in: most letters come to one of a few of those."""
    said = _said(slug)
    assert isinstance(said, jinja2.Template), "the others are as quickly joined"
    return said.render(numbers)


_PLACE = re.compile(r"\{\{ ([a-z_]+) \}\}")
_CONSTANTS = frozenset({"true", "false", "none"})


class _Pieces(Value, frozen=True):
    """A sentence with nothing but places in it: to join it takes a tenth of the time of a template.

    words: what stands before, between and behind the places.
    """

    text: str
    words: tuple[str, ...]
    places: tuple[str, ...]

    def render(self, values: dict[str, object]) -> str:
        """The sentence, as the template says it; and what that says where a value is missing."""
        if not values.keys() >= set(self.places):
            return _writing().from_string(self.text).render(values)
        said = [self.words[0]]
        for place, words in zip(self.places, self.words[1:], strict=True):
            said += str(values[place]), words
        return "".join(said)


def sentences(room: str) -> dict[str, str]:
    """All of a room by slug, with their places. Raises FileNotFoundError where the room has none."""
    return _sentences(room, files(_FOLDER).joinpath("messages", f"{room}.toml").read_bytes())


def _sentences(room: str, page: bytes) -> dict[str, str]:
    tables = tomllib.loads(page.decode())
    return {
        f"{room}.{module}.{slug}": text for module, table in tables.items() for slug, text in table.items()
    }


def texts() -> dict[str, str]:
    """What the files of the catalogue hold, by room, whether it can be read or not."""
    found = files(_FOLDER).joinpath("messages").iterdir()
    rooms = sorted((one for one in found if one.name.endswith(".toml")), key=lambda one: one.name)
    return {one.name.removesuffix(".toml"): one.read_text(encoding="utf-8") for one in rooms}


@cache
def _room(room: str) -> dict[str, str]:
    """A room as it is kept for the commands to come: to read three from TOML takes a thirtieth of a turn."""
    page = files(_FOLDER).joinpath("messages", f"{room}.toml").read_bytes()
    made_of = f"{room}\0{sys.version}\0".encode() + page
    name = f"messages-{hashlib.sha256(made_of).hexdigest()}"
    content = kept.read(name)
    if content is not None:
        found: dict[str, str] = read_json(content)
        return found
    said = _sentences(room, page)
    kept.keep(name, canonical(said))
    return said


@cache
def _said(slug: str) -> str | _Pieces | jinja2.Template:
    """What stands there; as it is where it has no places, so that nothing is made ready for it."""
    text = _room(slug.partition(".")[0])[slug]
    if "{" not in text:
        return text
    words, places = _PLACE.split(text)[::2], _PLACE.findall(text)
    if any("{" in one for one in words) or text.endswith("\n") or not _CONSTANTS.isdisjoint(places):
        return _writing().get_template(slug)
    return _Pieces(text, tuple(words), tuple(places))


@cache
def _writing() -> jinja2.Environment:
    made_of = "\0".join(["catalogue", *kept_templates.made_with(())])
    return jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        auto_reload=False,
        loader=jinja2.FunctionLoader(lambda slug: _room(slug.partition(".")[0]).get(slug)),
        bytecode_cache=kept_templates.Compiled(made_of.encode()),
    )


def as_sentence(text: str) -> str:
    """A text with a capital and a full stop."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")
