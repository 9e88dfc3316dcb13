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


def completes(names: str) -> Callable[[typer.Context, str], list[str]]:
    """Return a function that completes an argument in a shell.

    names: a function of `connect`, imported when it is called.
    """

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        names_found: Any = getattr(import_module("adjudicator.cli.connect"), names)(ctx)
        return [name for name in names_found if name.startswith(incomplete.lower())]

    return complete


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, for programs.")]
"""The option of every command that has output for programs too."""

GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE", help='An option of this game; "gm rules KIND" lists them. May be repeated.'
    ),
]
"""The option for the rules of a game, if its kind has several."""

GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help='The name of a game; "gm game list" shows them.',
        autocompletion=completes("game_names"),
    ),
]
OneGame = Annotated[
    str | None,
    typer.Argument(
        metavar="GAME",
        help="The name of a game, or --all.",
        autocompletion=completes("game_names"),
    ),
]
"""The option for a game, if the command can be about several."""

Kind = Annotated[
    str,
    typer.Argument(
        metavar="KIND",
        help='The game to play; "gm rules" lists them.',
        autocompletion=completes("kind_names"),
    ),
]
SeatName = Annotated[
    str,
    typer.Argument(
        metavar="SEAT",
        help='The name of a seat; "gm game show" lists them.',
        autocompletion=completes("seat_names"),
    ),
]


def example(*lines: str, then: str | None = None) -> str:
    """Return the end of a help text: the examples as they are typed, and the next step in a sentence."""
    title = "Example:" if len(lines) == 1 else "Examples:"
    shown = "\n".join(["\b", title, *("  " + line for line in lines)])
    return f"{shown}\n\n{then}" if then else shown


def pair(text: str) -> tuple[str, str]:
    """Return the two sides of KEY=VALUE. Raises typer.BadParameter for anything else."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise typer.BadParameter(f'"{text}" isn\'t KEY=VALUE')
    return key.strip(), value.strip()


def noun(summary: str, *lines: str) -> typer.Typer:
    """Return the commands about one thing. summary: their purpose. lines: examples."""
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
    """Return an application for a single command, whose function has its description."""
    return typer.Typer(rich_markup_mode=None, add_completion=False)


def _no_options() -> None:
    # With its own callback, a noun with a single verb is still a noun.
    pass


# Raw arguments: texts are passed on as typed, without a library that converts them.


TEXTS: tuple[object, ...] = (str, list[str])


def use_raw_arguments(command: Any) -> Any:
    """Return the same Typer command, with its subcommands, whose parameters accept texts as they are."""
    listed = command.get_params
    command.get_params = lambda ctx: light(listed(ctx))
    for subcommand in getattr(command, "commands", {}).values():
        use_raw_arguments(subcommand)
    return command


def light(params: Sequence[Any]) -> Any:
    """Return the same Typer parameters, which use pydantic only for values that need a conversion."""
    for param in params:
        known = getattr(param, "get_runtime_param", None)
        if known is not None and not isinstance(known.__self__, _ParameterConverter):
            param.get_runtime_param = _ParameterConverter(param).itself
    return params


class _ParameterConverter:
    """The conversion of one parameter. param: Typer's parameter, which still converts anything but text."""

    def __init__(self, param: Any) -> None:
        self._converts = param.get_runtime_param
        self._is_text = param.type_descriptor.annotation in TEXTS
        self._many = bool(getattr(param, "multiple", False)) or param.nargs == -1

    def itself(self) -> _ParameterConverter:
        return self

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the command's value for the parser's result."""
        if value is None:
            return () if self._many else None
        if self._is_text and self._are_texts(value):
            return list(value) if self._many else value
        return self._converts().coerce(value, param=param, ctx=ctx)

    def _are_texts(self, value: Any) -> bool:
        if self._many:
            return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)


# Confirmations that the terminal asks for. Options answer them too.


Why = Annotated[
    str | None,
    typer.Option("--why", metavar="TEXT", help="The reason, for the log (default: you are asked)."),
]
Silent = Annotated[
    bool, typer.Option("--silent", help="Leave this out of the next report. The log keeps it.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask for confirmation.")]


def warrant(why: str | None, silent: bool) -> overrides.OverrideReason:
    """Return the reason for an action, from the option or from the GM's answer."""
    if why is None and sys.stdin.isatty():
        why = typer.prompt("Why? This is logged")
    if why is None or not why.strip():
        raise typer.BadParameter('give a reason, which is logged: --why "misread order"', param_hint="--why")
    from adjudicator.cli import connect  # Help needs no service.

    return overrides.OverrideReason(" ".join(why.split()), silent, connect.gm_name(os.environ))


def confirm(question: str, yes: bool, what: str) -> None:
    """Ask for confirmation. what: the action, for a refusal. Without a terminal, `--yes` is required."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise typer.BadParameter("add --yes to confirm (there is no terminal to ask on)", param_hint="--yes")
    if not typer.confirm(question):
        raise Refusal("Cancelled", f"{what} wasn't changed")


# Writing a drawing to a file, as SVG or PNG by the file's name.


def check_name(out: Path | None, option: str) -> None:
    """Raise Refusal if a file is neither SVG nor PNG. option: the option as typed, ``--out``."""
    if out is not None and out.suffix.lower() not in (".svg", ".png"):
        raise typer.BadParameter(f"{out.name} must end in .svg or .png", param_hint=option)


def write_image(out: Path, drawn: str) -> None:
    """Write a drawing to a file, as the given SVG or as a PNG. Raises Refusal."""
    try:
        out.write_bytes(maps.png(drawn) if out.suffix.lower() == ".png" else drawn.encode())
    except OSError as fault:
        raise Refusal(f"Can't write {out}", f"{fault.strerror}") from fault
