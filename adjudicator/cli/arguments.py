"""Parts of help texts: examples to type, and the options that all commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.admin import overrides
from adjudicator.errors import Refusal
from adjudicator.reports import maps


def _completes(names: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes an argument in a shell.

    names: a function of `connect`, imported when it is called.
    """

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        names_found: Any = getattr(import_module("adjudicator.cli.connect"), names)(ctx)
        return [name for name in names_found if name.startswith(incomplete.lower())]

    return complete


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
"""The option of every command that prints for programs too."""

GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE", help='An option of this game; "gm rules KIND" lists them. May be repeated.'
    ),
]
"""The rules that a game is played by, where its kind leaves a choice."""

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help='The name of a game; "gm game list" shows them.',
        autocompletion=_completes("game_names"),
    ),
]
OneGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="The name of a game, or --all.",
        autocompletion=_completes("game_names"),
    ),
]
"""A game, where an option may mean several of them."""

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help='The game to play; "gm rules" lists them.',
        autocompletion=_completes("kind_names"),
    ),
]
SeatName = Annotated[
    str,
    typer.Argument(
        metavar="SEAT",
        help='The name of a seat; "gm game show" lists them.',
        autocompletion=_completes("seat_names"),
    ),
]


def example(*lines: str, then: str | None = None) -> str:
    """The end of a help text: the examples as they are typed, and the next step in a sentence."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    shown = "\n".join(["\b", title, *("  " + line for line in lines)])
    return f"{shown}\n\n{then}" if then else shown


def pair(text: str) -> tuple[str, str]:
    """The two sides of KEY=VALUE. Raises typer.BadParameter for anything else."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise typer.BadParameter(f'"{text}" isn\'t KEY=VALUE')
    return key.strip(), value.strip()


def noun(summary: str, *lines: str) -> typer.Typer:
    """The commands about one thing. summary: what they are for; lines: examples."""
    app = typer.Typer(
        help=summary,
        epilog=example(*lines),
        no_args_is_help=True,
        rich_markup_mode=None,
        add_completion=False,
    )
    app.callback()(_no_options)
    return app


def alone() -> typer.Typer:
    """A command that stands alone, without a noun: its one function says what it does."""
    return typer.Typer(rich_markup_mode=None, add_completion=False)


def _no_options() -> None:
    # With a callback of its own, a noun with a single verb is still a noun.
    pass


# Raw arguments: texts are taken as they were typed, without a library to convert them.


TEXTS: tuple[object, ...] = (str, list[str])


def use_raw_arguments(command: Any) -> Any:
    """Return the same command of Typer, with those below it, whose parameters take texts as they are."""
    listed = command.get_params
    command.get_params = lambda ctx: light(listed(ctx))
    for subcommand in getattr(command, "commands", {}).values():
        use_raw_arguments(subcommand)
    return command


def light(params: Sequence[Any]) -> Any:
    """The same parameters of Typer, which ask pydantic only for what they have to convert."""
    for param in params:
        known = getattr(param, "get_runtime_param", None)
        if known is not None and not isinstance(known.__self__, _ParameterConverter):
            param.get_runtime_param = _ParameterConverter(param).itself
    return params


class _ParameterConverter:
    """The conversion of one parameter. param: of Typer, which still converts what is no text."""

    def __init__(self, param: Any) -> None:
        self._converts = param.get_runtime_param
        self._is_text = param.type_descriptor.annotation in TEXTS
        self._many = bool(getattr(param, "multiple", False)) or param.nargs == -1

    def itself(self) -> _ParameterConverter:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return what the command gets for what the parser found."""
        if value is None:
            return () if self._many else None
        if self._is_text and self._are_texts(value):
            return list(value) if self._many else value
        return self._converts().coerce(value, param=param, ctx=ctx)

    def _are_texts(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)


# Confirmations that the terminal asks for; options answer them too.


Why = Annotated[
    str | None,
    typer.Option("--why", metavar="TEXT", help="The reason, for the log (default: you are asked)."),
]
Silent = Annotated[
    bool, typer.Option("--silent", help="Leave this out of the next report. The log keeps it.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")]


def warrant(why: str | None, silent: bool) -> overrides.OverrideReason:
    """Why something is done, as the option says it or as the GM answers."""
    if why is None and sys.stdin.isatty():
        why = typer.prompt("Why? This is logged")
    if why is None or not why.strip():
        raise typer.BadParameter('give a reason, which is logged: --why "misread order"', param_hint="--why")
    from adjudicator.cli import connect  # Help needs no service.

    return overrides.OverrideReason(" ".join(why.split()), silent, connect.gm_name(os.environ))


def confirm(question: str, yes: bool, what: str) -> None:
    """Go on if it is meant. what: as a refusal names it. Where nobody can be asked, `--yes` is needed."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("add --yes to confirm (there is no terminal to ask on)", param_hint="--yes")
    if not typer.confirm(question):
        raise Refusal("Cancelled", f"{what} wasn't changed")


# Write a drawing into a file, as SVG or PNG by the file's name.


def check_name(out: Path | None, option: str) -> None:
    """Refuse a file that is to be neither SVG nor PNG. option: as it was typed, ``--out``."""
    if out is not None and out.suffix.lower() not in (".svg", ".png"):
        raise typer.BadParameter(f"{out.name} must end in .svg or .png", param_hint=option)


def write_image(out: Path, drawn: str) -> None:
    """Write a drawing into a file, as the SVG that it is or as a PNG. Raises Refusal."""
    try:
        out.write_bytes(maps.png(drawn) if out.suffix.lower() == ".png" else drawn.encode())
    except OSError as fault:
        raise Refusal(f"Can't write {out}", f"{fault.strerror}") from fault
