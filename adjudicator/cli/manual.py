"""Manual pages (man(7)), made from the help of each command."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator import __version__
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.output import document, pluralise, say
from adjudicator.errors import Refusal

PROGRAM_NAME = "gm"
ENVIRONMENT: Mapping[str, str] = {
    "GM_CONFIG": "The settings file to use without --config.",
    "GM_IMAP_PASSWORD, GM_SMTP_PASSWORD": "The passwords of inbox and outbox, if gm.toml names them.",
    "GM_DATABASE": "The database, if gm.toml names this variable.",
    "NOTIFY_SOCKET, WATCHDOG_USEC": "Set by systemd, so that gm serve can report that it is ready and alive.",
}
EXIT_CODE_MEANINGS: Mapping[str, str] = {
    "0": "Done.",
    "1": "Refused or failed; the reason is printed.",
    "2": "The command line has an error.",
}
"""The exit codes of every command. A command with further codes describes them itself."""


def pages(root: Any, context: Any) -> dict[str, str]:
    """Return all pages by their names, ``gm`` and ``gm-game``. root, context: of the whole command line."""
    page_texts = {PROGRAM_NAME: _front(root, context)}
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        page_texts[f"{PROGRAM_NAME}-{name}"] = _page(command, name, _inside(command, name, context))
    return page_texts


def _inside(command: Any, name: str, context: Any) -> Any:
    return command.context_class(command, info_name=name, parent=context)


def _front(root: Any, context: Any) -> str:
    names = root.list_commands(context)
    summaries = [(f"gm-{name}(1)", _summary(root.get_command(context, name))) for name in names]
    return _text(
        *_title(PROGRAM_NAME, "play-by-e-mail adjudicator"),
        *_section("SYNOPSIS", [f"\\fBgm\\fR {_escape_roff('[OPTIONS] COMMAND [ARGUMENTS]')}"]),
        *_section("DESCRIPTION", _prose(root.help)),
        *_section("OPTIONS", _options(root, context)),
        *_section("COMMANDS", _tagged_paragraphs(summaries)),
        *_section("EXAMPLES", _examples(root.epilog)),
        *_section("EXIT STATUS", _tagged_paragraphs(EXIT_CODE_MEANINGS.items())),
        *_section("ENVIRONMENT", _tagged_paragraphs(ENVIRONMENT.items())),
        *_section(
            "FILES",
            _tagged_paragraphs([("gm.toml", "The settings of a service, each with a comment.")]),
        ),
    )


def _page(command: Any, name: str, context: Any) -> str:
    """Return the page of a command, or of a noun with its verbs."""
    verbs = list(_verbs(command, name, context))
    body = [line for verb in verbs for line in _verb(*verb)] if verbs else _plain(command, context)
    return _text(
        *_title(f"{PROGRAM_NAME}-{name}", _summary(command)), *body, *_section("SEE ALSO", ["\\fBgm\\fR(1)"])
    )


def _verbs(command: Any, name: str, context: Any) -> Iterator[tuple[str, Any, Any]]:
    if hasattr(command, "list_commands"):
        for verb in command.list_commands(context):
            subcommand = command.get_command(context, verb)
            yield f"{name} {verb}", subcommand, _inside(subcommand, verb, context)


def _plain(command: Any, context: Any) -> list[str]:
    return [
        *_section("SYNOPSIS", [_synopsis(context.info_name, command, context)]),
        *_section("DESCRIPTION", _prose(command.help)),
        *_section("OPTIONS", _options(command, context)),
        *_section("EXAMPLES", _examples(command.epilog)),
    ]


def _verb(path: str, command: Any, context: Any) -> list[str]:
    return [
        *_section(f"gm {path}", [_synopsis(path, command, context)]),
        ".PP",
        *_prose(command.help),
        *_options(command, context),
        ".PP",
        *_examples(command.epilog),
    ]


def _title(name: str, summary: str) -> list[str]:
    source = f"Turnpost {__version__}"
    return [
        f'.TH "{_escape_roff(name.upper())}" 1 "" "{_escape_roff(source)}" "Turnpost"',
        *_section("NAME", [f"{_escape_roff(name)} \\- {_escape_roff(summary.rstrip('.'))}"]),
    ]


def _section(name: str, lines: Iterable[str]) -> list[str]:
    body = list(lines)
    return [f'.SH "{_escape_roff(name)}"', *body] if body else []


def _synopsis(path: str, command: Any, context: Any) -> str:
    pieces = " ".join(command.collect_usage_pieces(context))
    return f"\\fB{_escape_roff(f'gm {path}')}\\fR {_escape_roff(pieces)}".rstrip()


def _options(command: Any, context: Any) -> list[str]:
    records = (param.get_help_record(context) for param in command.get_params(context))
    return _tagged_paragraphs(record for record in records if record is not None)


def _tagged_paragraphs(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return words in bold, each with its meaning indented below it."""
    return [
        line
        for word, meaning in rows
        for line in (".TP", f"\\fB{_escape_roff(word)}\\fR", *_prose(meaning or "."))
    ]


def _prose(text: str | None) -> list[str]:
    """Return paragraphs with filled lines."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", (text or "").strip()):
        lines += [".PP"] if lines else []
        lines += [_escape_roff(" ".join(paragraph.split()))]
    return lines


def _examples(epilog: str | None) -> list[str]:
    """Return the examples as they are typed, and the sentence below them."""
    shown, _, then = (epilog or "").removeprefix("\b\n").partition("\n\n")
    lines = [line.removeprefix("  ") for line in shown.splitlines() if line.startswith("  ")]
    typed = [".EX", *map(_escape_roff, lines), ".EE"] if lines else []
    return [*typed, *([".PP", *_prose(then)] if then else [])]


def _summary(command: Any) -> str:
    return str(command.help or "").strip().splitlines()[0]


def _text(*lines: str) -> str:
    return "\n".join(lines) + "\n"


def _escape_roff(text: str) -> str:
    """Return text without roff commands. Its minus signs can still be copied."""
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("–", "\\(en")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


# ``gm man``: write the manual pages of all commands, for man(1).


man_app = alone()


@man_app.command(
    epilog=example(
        "gm man --to ~/.local/share/man",
        "gm man --to /usr/local/share/man",
        "gm man game > gm-game.1",
        then='Then "man gm" shows the first page, and "man gm-game" the page of gm game.',
    )
)
def man(
    ctx: typer.Context,
    command: Annotated[
        str, typer.Argument(metavar="[COMMAND]", help="The command whose page to print (default: gm itself).")
    ] = "",
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR", help="The folder to write all pages to, in its folder man1."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print a manual page, or write all of them for man."""
    root = ctx.find_root()
    page_texts = pages(root.command, root)
    if to is not None:
        folder = _write_pages(page_texts, to / "man1")
        if as_json:
            document({"folder": str(folder), "pages": sorted(page_texts)})
        else:
            say(f"Wrote {pluralise(len(page_texts), 'page')} to {folder}.")
        return
    name = f"{PROGRAM_NAME}-{command}" if command else PROGRAM_NAME
    if name not in page_texts:
        raise Refusal(f'No command called "{command}"', "", 'Use "gm --help" to see them all')
    if as_json:
        document({"name": name, "page": page_texts[name]})
    else:
        typer.echo(page_texts[name], nl=False)


def _write_pages(page_texts: dict[str, str], folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, page in page_texts.items():
            (folder / f"{name}.1").write_text(page, encoding="utf-8")
    except OSError as fault:
        raise Refusal(f"Can't write {folder}", f"it can't be written: {fault.strerror}") from fault
    return folder
