"""Pages out of their templates: each a file by itself, with a policy that lets nothing else in.

Styles and scripts stand in the page and are named in its policy by their hashes: so it works from a folder as
from a server, and a browser asks nobody for anything.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from adjudicator.clock import Millis, moment
from adjudicator.reports.typeset import bbcode, blocks, numeric_columns, table

_FOLDER = "site"


def page(template: str, context: Mapping[str, Any], *, script: str = "", style: str = "") -> bytes:
    """A page of templates/site/. script: the name of the one file that runs in it; style: besides site.css.

    Raises jinja2.TemplateError for a template that wants what is not in the context.
    """
    styles = [one for one in (source("site.css"), style) if one]
    scripts = [source(script)] if script else []
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            policy=_policy(scripts, styles),
            styles=[Markup(one) for one in styles],
            scripts=[Markup(one) for one in scripts],
        )
    )
    return text.encode()


def plain(template: str, context: Mapping[str, Any]) -> bytes:
    """What is no page: a feed, a map of the site."""
    return _environment().get_template(template).render(context).encode()


@cache
def source(name: str) -> str:
    """A file of templates/site/ as it is."""
    return files("templates").joinpath(_FOLDER, name).read_text(encoding="utf-8")


@cache
def seal() -> str:
    """What changes when a template does: pages that were made of others have to be made again."""
    folder = files("templates").joinpath(_FOLDER)
    names = sorted(one.name for one in folder.iterdir())
    told = "\0".join(f"{name}\0{source(name)}" for name in names)
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def data(value: object) -> Markup:
    """A value as JSON inside a page, where no text of a player's can end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def day(at: Millis) -> str:
    """An instant as a page tells it: "24 July 2026"."""
    there = moment(at)
    return f"{there.day} {there:%B %Y}"


def hour(at: Millis) -> str:
    """An instant to the minute: "24 July 2026, 20:00 UTC"."""
    return f"{day(at)}, {moment(at):%H:%M} UTC"


def iso(at: Millis) -> str:
    """An instant as programs read it."""
    return moment(at).strftime("%Y-%m-%dT%H:%M:%SZ")


def _policy(scripts: list[str], styles: list[str]) -> str:
    """What the page may do: run its own script, wear its own styles; load, send and frame nothing."""
    parts = [
        "default-src 'none'",
        f"script-src {_hashes(scripts)}",
        f"style-src {_hashes(styles)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join(parts)


def _hashes(texts: list[str]) -> str:
    return " ".join(f"'sha256-{_hash(text)}'" for text in texts) or "'none'"


@cache
def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        day=day, hour=hour, iso=iso, data=data, blocks=blocks, bbcode=bbcode, text_table=table
    )
    environment.globals.update(numeric_columns=numeric_columns)
    return environment
