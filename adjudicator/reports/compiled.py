"""Compiled templates of letters, and the key of everything that their code depends on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jinja2

from adjudicator.kept_templates import template_dependencies
from adjudicator.reports import inline_css

_HTML = ".html"


class Environment(jinja2.Environment):
    """Writes styles into the elements of HTML before it is compiled, and not where that was done before."""

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """The source of a template as it is compiled."""
        source = super().preprocess(source, name, filename)
        return inline_css.inline_styles(source) if name and name.endswith(_HTML) else source


def compilation_key(functions: Iterable[Callable[..., Any]], marked_up: bool) -> bytes | None:
    """Return the key of everything a template's code depends on beside its text, or None if it is unknown.

    functions: those that templates call. What they make of constants is compiled in, so their files, as
    they are on the disk now, count. The library, Python, the style sheet and the code that applies it
    count too.
    """
    names = {function.__module__ for function in functions} - {any.__module__}
    called = [Path(sys.modules[name].__file__ or "") for name in sorted(names)]
    try:
        parts = [str(marked_up), *template_dependencies(called)]
    except OSError:  # they lie in an archive
        return None
    if marked_up:
        parts.append(inline_css.style_key())
    return "\0".join(parts).encode()
