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

from adjudicator import kept

PAGE = "page.html"
_SHEET = re.compile(r"<style>(.*?)(?:@media.*?)?</style>", re.DOTALL)
_BY_DAY = re.compile(r"<style>.*?(?=@media|</style>)", re.DOTALL)
_TAG = re.compile(r"<([a-z][a-z0-9]*)\b([^<>]*)>")
_CLASS = re.compile(r'\bclass="([^"{]*)"')
_STYLE = re.compile(r'\s*\bstyle="([^"{]*)"')
_STYLED = frozenset({"body", "h1", "h2", "h3", "p"})
"""The elements that the style sheet names as such."""


def inline_styles(source: str) -> str:
    """The source of a template, each element with its style, as far as its class stands in the source."""
    return _TAG.sub(_dressed, _BY_DAY.sub("<style>\n", source))


def inlined(classes: str) -> Markup:
    """The attributes of an element with classes that are known only when a letter is written."""
    style = style_of("div", classes)
    return Markup(f'class="{classes}" style="{style}"' if style else f'class="{classes}"')


@cache
def style_of(tag: str, classes: str, own: str = "") -> str:
    """What the house's style sheet says of an element. own: its own style, which goes before.

    It is kept for the commands to come: the library takes longer to load than all else does here.
    """
    asked = "\0".join([made_of(), tag, classes, own])
    name = f"style-{hashlib.sha256(asked.encode()).hexdigest()}"
    found = kept.read(name)
    if found is not None:
        return found.decode()
    style = _worked_out(tag, classes, own)
    kept.keep(name, style.encode())
    return style


def _worked_out(tag: str, classes: str, own: str) -> str:
    # Cells are dropped outside a table, and no rule names an element but those of _STYLED.
    name = tag if tag in _STYLED - {"body"} else "div"
    sheet = sheet_by_day()
    if tag == "body":
        sheet = re.sub(r"\bbody\b", "div", sheet)
    piece = _inliner().inline_fragment(f'<{name} class="{classes}" style="{own}"></{name}>', sheet)
    found = re.search(r' style="([^"]*)"', piece)
    return found.group(1).strip() if found else ""


@cache
def made_of() -> str:
    """What styles depend on: the page that has the style sheet, and the library, as it is on the disk now."""
    page = files("templates").joinpath(PAGE).read_text(encoding="utf-8")
    # Asked for its place alone, a module that waits is not loaded.
    library = Path(css_inline.__spec__.origin or "")
    found = library.stat()
    return f"{page}\0{library} {found.st_mtime_ns} {found.st_size}"


@cache
def sheet_by_day() -> str:
    """The rules of the house's style sheet that hold whatever the screen."""
    page = files("templates").joinpath(PAGE).read_text(encoding="utf-8")
    found = _SHEET.search(page)
    assert found is not None, f"{PAGE} has a style sheet"
    return found.group(1)


@cache
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(load_remote_stylesheets=False)


def _dressed(found: re.Match[str]) -> str:
    tag, rest = found.group(1), found.group(2)
    named = _CLASS.search(rest)
    if named is None and (tag not in _STYLED or 'class="' in rest):
        return found.group()
    own = _STYLE.search(rest)
    style = style_of(tag, named.group(1) if named else "", own.group(1) if own else "")
    return f'<{tag}{_STYLE.sub("", rest)} style="{style}">' if style else found.group()
