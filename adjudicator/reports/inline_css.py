"""The styles of the HTML letters, written into the elements of a template when it is loaded.

Many mail programs read no style sheet, and so each element has its style. The work is done once for a
template, and no letter pays for it: rules of the house's style sheet name an element or one class, and
nothing that stands around it. Of the sheet itself letters have no more than what hangs on the screen: all
else would be said twice.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import css_inline
from markupsafe import Markup

from adjudicator import compile_cache

STYLE_PAGE = "page.html"
_LIGHT_STYLE_SHEET = re.compile(r"<style>(.*?)(?:@media.*?)?</style>", re.DOTALL)
_BY_DAY = re.compile(r"<style>.*?(?=@media|</style>)", re.DOTALL)
_OPEN_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>")
_CLASS_ATTRIBUTE = re.compile(r'\bclass="([^"{]*)"')
_STYLE_ATTRIBUTE = re.compile(r'\s*\bstyle="([^"{]*)"')
_STYLED_TAGS = frozenset({"body", "h1", "h2", "h3", "p"})
"""The elements that the style sheet names as such."""


def inline_styles(source: str) -> str:
    """The source of a template, each element with its style, as far as its class stands in the source."""
    return _OPEN_TAG.sub(_add_style, _BY_DAY.sub("<style>\n", source))


def class_attributes(classes: str) -> Markup:
    """Return the attributes of an element with classes that are known only when a letter is written."""
    style = style_of("div", classes)
    return Markup(f'class="{classes}" style="{style}"' if style else f'class="{classes}"')


@cache
def style_of(tag: str, classes: str, own: str = "") -> str:
    """Return what the service's style sheet says of an element. own: its own style, which goes before.

    It is kept for the commands to come: the library takes longer to load than all else does here.
    """
    asked = "\0".join([style_key(), tag, classes, own])
    name = f"style-{hashlib.sha256(asked.encode()).hexdigest()}"
    cached_style = compile_cache.load(name)
    if cached_style is not None:
        return cached_style.decode()
    style = _compute_style(tag, classes, own)
    compile_cache.save(name, style.encode())
    return style


def _compute_style(tag: str, classes: str, own: str) -> str:
    # Cells are dropped outside a table, and no rule names an element but those of _STYLED.
    name = tag if tag in _STYLED_TAGS - {"body"} else "div"
    sheet = sheet_by_day()
    if tag == "body":
        sheet = re.sub(r"\bbody\b", "div", sheet)
    piece = _inliner().inline_fragment(f'<{name} class="{classes}" style="{own}"></{name}>', sheet)
    match = re.search(r' style="([^"]*)"', piece)
    return match.group(1).strip() if match else ""


@cache
def style_key() -> str:
    """Return the key of what styles depend on: the page with the style sheet, and the library as it is on
    disk.
    """
    page = files("templates").joinpath(STYLE_PAGE).read_text(encoding="utf-8")
    # Asked for its place alone, a module that waits is not loaded.
    library = Path(css_inline.__spec__.origin or "")
    file_stat = library.stat()
    return f"{page}\0{library} {file_stat.st_mtime_ns} {file_stat.st_size}"


@cache
def sheet_by_day() -> str:
    """The rules of the house's style sheet that hold whatever the screen."""
    page = files("templates").joinpath(STYLE_PAGE).read_text(encoding="utf-8")
    match = _LIGHT_STYLE_SHEET.search(page)
    assert match is not None, f"{STYLE_PAGE} has a style sheet"
    return match.group(1)


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(load_remote_stylesheets=False)


def _add_style(tag_match: re.Match[str]) -> str:
    tag, rest = tag_match.group(1), tag_match.group(2)
    named = _CLASS_ATTRIBUTE.search(rest)
    if named is None and (tag not in _STYLED_TAGS or 'class="' in rest):
        return tag_match.group()
    own = _STYLE_ATTRIBUTE.search(rest)
    style = style_of(tag, named.group(1) if named else "", own.group(1) if own else "")
    return f'<{tag}{_STYLE_ATTRIBUTE.sub("", rest)} style="{style}">' if style else tag_match.group()
