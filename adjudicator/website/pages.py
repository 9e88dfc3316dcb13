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

from adjudicator.clock import Millis, datetime_of
from adjudicator.reports.typeset import bbcode, blocks, numeric_columns, table

_SITE_TEMPLATES = "site"


def page(template: str, context: Mapping[str, Any], *, script: str = "", style: str = "") -> bytes:
    """A page of templates/site/. script: the name of the one file that runs in it; style: besides site.css.

    Raises jinja2.TemplateError for a template that wants what is not in the context.
    """
    styles = [style_text for style_text in (source("site.css"), style) if style_text]
    scripts = [source(script)] if script else []
    text = (
        _environment()
        .get_template(template)
        .render(
            context,
            policy=_policy(scripts, styles),
            styles=[Markup(style_text) for style_text in styles],
            scripts=[Markup(script_text) for script_text in scripts],
        )
    )
    return text.encode()


def plain(template: str, context: Mapping[str, Any]) -> bytes:
    """Render a template that is no page: a feed, a map of the site."""
    return _environment().get_template(template).render(context).encode()


@cache
def source(name: str) -> str:
    """A file of templates/site/ as it is."""
    return files("templates").joinpath(_SITE_TEMPLATES, name).read_text(encoding="utf-8")


@cache
def template_mark() -> str:
    """Return a mark that changes when a template does: then all pages have to be made again."""
    folder = files("templates").joinpath(_SITE_TEMPLATES)
    names = sorted(file.name for file in folder.iterdir())
    sources = "\0".join(f"{name}\0{source(name)}" for name in names)
    return hashlib.sha256(sources.encode()).hexdigest()[:16]


def data(value: object) -> Markup:
    """A value as JSON inside a page, where no text of a player's can end it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def day(at: Millis) -> str:
    """An instant as a page tells it: "24 July 2026"."""
    there = datetime_of(at)
    return f"{there.day} {there:%B %Y}"


def hour(at: Millis) -> str:
    """An instant to the minute: "24 July 2026, 20:00 UTC"."""
    return f"{day(at)}, {datetime_of(at):%H:%M} UTC"


def iso(at: Millis) -> str:
    """An instant as programs read it."""
    return datetime_of(at).strftime("%Y-%m-%dT%H:%M:%SZ")


def _policy(scripts: list[str], styles: list[str]) -> str:
    """Return what the page may do: run its own script and styles; load, send and frame nothing."""
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
