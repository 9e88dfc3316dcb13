"""Templates into text, HTML and SVG: a game's own before the house's, and nothing undefined."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    FunctionLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
    select_autoescape,
)

from adjudicator.clock import format_instant
from adjudicator.kept_templates import CompiledTemplates
from adjudicator.reports import compiled, typeset
from adjudicator.reports.inline_css import class_attributes
from adjudicator.reports.named import leading_names, split_at_names
from adjudicator.reports.phone_layout import folds, is_short, rows_whole, whole
from adjudicator.reports.table_changes import CHANGE_COLUMN_TITLE
from adjudicator.reports.times import overdue_line
from games.protocol import Game

_SERVICE_TEMPLATES = "templates"
_FILTERS: Mapping[str, Callable[..., Any]] = {
    "paragraph": typeset.paragraph,
    "letter_text": typeset.letter_text,
    "blocks": typeset.blocks,
    "told": typeset.report_sentence,
    "quoted": typeset.quote_rows,
    "bbcode": typeset.bbcode,
    "markdown": typeset.markdown,
    "reasons": typeset.reasons,
    "throws": typeset.throws,
    "text_table": typeset.table,
    "order_length": typeset.order_length,
    "spoken": format_instant,
    "overdue": overdue_line,
    "whole": whole,
    "rows_whole": rows_whole,
    "parted": split_at_names,
    "leading": leading_names,
    "any": any,
}
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "numeric_columns": typeset.numeric_columns,
    "folds": folds,
    "is_short": is_short,
    "inlined": class_attributes,
}
_GLOBALS: Mapping[str, object] = {
    **_FUNCTIONS,
    "BAR": typeset.ROW_BAR,
    "WIDTH": typeset.TEXT_COLUMNS,
    "SIGN": CHANGE_COLUMN_TITLE,
}


def render(game: Game | None, name: str, context: Mapping[str, Any]) -> str:
    """The template of that name, filled: "report.txt", "letters/verdict.html".

    A game's own template of the same name stands before the house's, which it can reach as "house/" and the
    name. HTML leaves with its styles written into its elements too, for mail programs that read no style
    sheet. Raises jinja2.TemplateError for a template that does not exist, is broken, or wants what is not in
    the context.
    """
    text = _environment(game.package if game else None, name.endswith((".html", ".svg"))).get_template(name)
    return text.render(context)


def check(game: Game | None) -> tuple[str, ...]:
    """Read every template of a game (None: of the house). Returns what is wrong with each that is broken."""
    package, inside = (game.package, "templates") if game else (_SERVICE_TEMPLATES, "")
    broken = []
    for name in _names(files(package).joinpath(inside)):
        if name.endswith((".txt", ".html", ".svg")):
            environment = _environment(game.package if game else None, not name.endswith(".txt"))
            try:
                environment.get_template(name)
            except (TemplateError, OSError) as fault:
                broken.append(f"{name}: {fault}")
    return tuple(broken)


def _names(folder: Traversable, above: str = "") -> Iterator[str]:
    for file in folder.iterdir() if folder.is_dir() else ():
        yield from _names(file, f"{above}{file.name}/") if file.is_dir() else (above + file.name,)


class _Templates(compiled.Environment):
    """Templates that look up what all of them share in one place, and not in two for each letter."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return what a template finds beside its context; nothing is added to that once one is loaded."""
        return {**self.globals, **(d or {})}


@cache
def _environment(package: str | None, marked_up: bool) -> _Templates:
    house = _folder(_SERVICE_TEMPLATES, "")
    own = [_folder(package, "templates/")] if package else []
    environment = _Templates(
        loader=ChoiceLoader([*own, house, PrefixLoader({"house": house})]),
        autoescape=select_autoescape(enabled_extensions=("html", "svg"), default=False)
        if marked_up
        else False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        # They are part of the installation, and not looked after on the disk for every letter.
        auto_reload=False,
    )
    environment.filters.update(_FILTERS)
    environment.globals.update(_GLOBALS)
    environment.bytecode_cache = _bytecode_cache(marked_up)
    return environment


@cache
def _bytecode_cache(marked_up: bool) -> CompiledTemplates:
    functions = (*_FILTERS.values(), *_FUNCTIONS.values())
    return CompiledTemplates(compiled.compilation_key(functions, marked_up))


def _folder(package: str, inside: str) -> BaseLoader:
    return FunctionLoader(_finder(package, inside))


def _finder(package: str, inside: str) -> Callable[[str], str | None]:
    def find(name: str) -> str | None:
        """The source of a template in the package, or None where it has none of that name."""
        file = files(package).joinpath(inside + name)
        if not file.is_file():
            return None
        return file.read_text(encoding="utf-8")

    return find
