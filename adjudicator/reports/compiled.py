"""How the templates of letters are compiled, and what their code depends on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import jinja2

from adjudicator.kept_templates import made_with
from adjudicator.reports import inline_css

_HTML = ".html"


class Environment(jinja2.Environment):
    """Writes styles into the elements of HTML before it is compiled, and not where that was done before."""

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """The source of a template as it is compiled."""
        source = super().preprocess(source, name, filename)
        return inline_css.inline_styles(source) if name and name.endswith(_HTML) else source


def made_of(functions: Iterable[Callable[..., Any]], marked_up: bool) -> bytes | None:
    """What a template's code depends on beside its text; None where that cannot be told.

    functions: those that templates call, for what they make of constants is compiled in: so their files, as
    they are on the disk now, count. The library, Python, the style sheet and who writes it in count too.
    """
    names = {function.__module__ for function in functions} - {any.__module__}
    called = [Path(sys.modules[name].__file__ or "") for name in sorted(names)]
    try:
        told = [str(marked_up), *made_with(called)]
    except OSError:  # they lie in an archive
        return None
    if marked_up:
        told.append(inline_css.made_of())
    return "\0".join(told).encode()
