"""The help of each command has an example that works as typed, and `--json`."""

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from adjudicator import __version__
from adjudicator.cli.app import COMMAND_SUMMARIES, app

ROOT: Any = get_command(app)
CONTEXT: Any = ROOT.make_context("gm", ["rules"])


def leaves(group: Any = ROOT, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Every command that does something, with the words it is called by."""
    for name in group.list_commands(CONTEXT):
        command = group.get_command(CONTEXT, name)
        words = (*path, name)
        if hasattr(command, "list_commands"):
            yield from leaves(command, words)
        else:
            yield " ".join(words), command


TREE = dict(leaves())


def run_gm(*words: str) -> Any:
    """Run the command line and return its output."""
    return CliRunner().invoke(app, list(words), prog_name="gm")


def examples(text: str) -> list[str]:
    """The examples of a help text, without the remarks beside them."""
    return [
        re.split(r"\s{3,}| [<>] ", line.strip())[0] for line in text.splitlines() if line.startswith("  gm ")
    ]


def test_the_tree_is_that_of_the_manual() -> None:
    assert list(TREE) == [
        "demo",
        "init",
        "login",
        "logout",
        "serve",
        "watch",
        "status",
        "doctor",
        "run poll",
        "run process",
        "run send",
        "receive",
        "game new",
        "game list",
        "game show",
        "game replay",
        "game log",
        "game undo",
        "game rollback",
        "game export",
        "game import",
        "game start",
        "game terms",
        "game invite",
        "game pause",
        "game resume",
        "game end",
        "game delete",
        "game update-variant",
        "game grant",
        "game revoke",
        "game gms",
        "seat assign",
        "seat bot",
        "seat bots",
        "seat replace",
        "seat kick",
        "seat rekey",
        "seat waiting",
        "seat admit",
        "seat show",
        "player list",
        "player ban",
        "player unban",
        "player show",
        "player set",
        "player merge",
        "player export",
        "player forget",
        "player keep",
        "press send",
        "press show",
        "channel list",
        "channel test",
        "forum list",
        "forum link",
        "forum unlink",
        "forum show",
        "forum poster",
        "forum forget",
        "turn process",
        "turn preview",
        "turn deadline",
        "turn extend",
        "turn hold",
        "orders show",
        "orders set",
        "orders clear",
        "orders read",
        "edit",
        "dice show",
        "dice set-next",
        "dice verify",
        "map",
        "report",
        "site build",
        "rules",
        "variant check",
        "variant import",
        "variant draw",
        "variant borders",
        "variant export",
        "variant list",
        "variant add",
        "variant remove",
        "judge",
        "bot",
        "tournament",
        "backup",
        "restore",
        "migrate",
        "bench adjudicate",
        "bench decisions",
        "bench mail",
        "bench reading",
        "bench report",
        "bench site",
        "bench start",
        "bench turn",
        "bench load",
        "man",
        "mail list",
        "mail show",
        "mail retry",
        "mail drop",
        "mail revive",
        "mail read",
        "mail compose",
    ]


@pytest.mark.parametrize("path", TREE)
def test_each_command_tells_an_example_of_itself(path: str) -> None:
    shown = run_gm(*path.split(), "--help")
    assert shown.exit_code == 0
    assert re.search(rf"^    gm (--config \S+ )?{path}\b", shown.output, re.MULTILINE)


@pytest.mark.parametrize("path", TREE)
def test_each_command_prints_for_programs_too(path: str) -> None:
    assert "--json" in [flag for param in TREE[path].params for flag in param.opts]


def every_example() -> list[str]:
    """The examples of all commands, nouns and `gm` itself, each once."""
    nouns = [ROOT.get_command(CONTEXT, name) for name in COMMAND_SUMMARIES]
    pages = [ROOT, *nouns, *TREE.values()]
    return sorted({line for page in pages for line in examples(page.epilog or "")})


@pytest.mark.parametrize("line", every_example())
def test_each_example_can_be_typed(line: str) -> None:
    words = shlex.split(re.sub("--config [^ ]+ ", "", line))[1:]
    command, context = ROOT, CONTEXT
    while hasattr(command, "list_commands"):
        command = command.get_command(context, words.pop(0))
    assert command.make_context(command.name, words, parent=CONTEXT).args == []


@pytest.mark.parametrize("name", COMMAND_SUMMARIES)
def test_the_list_says_what_the_command_says(name: str) -> None:
    """The summaries are in a table, so that no command has to be imported for them."""
    first = ROOT.get_command(CONTEXT, name).help.strip().splitlines()[0]
    assert first == COMMAND_SUMMARIES[name]


def test_help_imports_no_more_than_it_needs() -> None:
    script = (
        "import sys\n"
        "from adjudicator.cli import lazy_import\nlazy_import.begin()\n"
        "from adjudicator.cli.app import app\n"
        "from adjudicator.cli.lazy_import import LazyModule\n"
        "try:\n    app(['--help'], prog_name='gm')\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'rich', 'msgspec', 'peewee', 'games', 'orders', 'jinja2', 'asyncio'}\n"
        "heavy |= {'adjudicator.service'}\n"
        "run = {name for name, module in sys.modules.items() if type(module) is not LazyModule}\n"
        "print('imported:', sorted(heavy & run))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "imported: []" in done.stdout


def test_wrong_usage_is_two() -> None:
    unknown = run_gm("gaem")
    assert unknown.exit_code == 2
    assert "Did you mean 'game'?" in unknown.stderr
    assert run_gm("game", "show").exit_code == 2
    assert run_gm("game", "list", "--nonsense").exit_code == 2
    assert run_gm("rules", "--clauses").exit_code == 2
    assert run_gm("game", "new", "indianomacy", "--option", "last_year").exit_code == 2
    assert run_gm("map", "beaver", "--out", "beaver.jpg").exit_code == 2
    assert run_gm("mail", "list", "--limit", "0").exit_code == 2


def test_nothing_typed_is_answered_with_help() -> None:
    shown = run_gm()
    assert shown.exit_code == 2
    assert "gm demo" in shown.output


def test_the_version() -> None:
    shown = run_gm("--version")
    assert (shown.exit_code, shown.stdout) == (0, f"gm {__version__}\n")


def test_python_m_adjudicator_is_gm() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "adjudicator", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"gm {__version__}\n"
