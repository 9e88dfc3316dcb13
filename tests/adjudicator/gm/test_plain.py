"""Looks that are typed plainly are answered without the parser of all commands, and to the byte alike."""

import shlex

import pytest

from adjudicator.gm import plain
from tests.adjudicator.gm.conftest import Terminal


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("status", ("look_status", (), None, False)),
        ("--config gm.toml game show beaver --json", ("look_game", ("beaver",), "gm.toml", True)),
        ("--config=a.toml orders show fox dakota", ("look_orders", ("fox", "dakota"), "a.toml", False)),
        ("orders show --json beaver", ("look_orders", ("beaver",), None, True)),
    ],
)
def test_a_look_is_read(line: str, asked: tuple[object, ...]) -> None:
    look = plain.read(shlex.split(line), {})
    assert look is not None
    assert (look.kind.module, look.names, look.config, look.as_json) == asked


@pytest.mark.parametrize(
    "line",
    [
        *(
            "",
            "--help",
            "status --help",
            "status --check",
            "status fox",
            "game show",
            "game show a b",
            "game",
        ),
        *("game show -- beaver", "orders show a b c", "orders set beaver france x", "--config", "--config x"),
        *("--version status", "game --json show beaver", "game show beaver -h", "game show --help"),
    ],
)
def test_everything_else_is_left_to_the_parser(line: str) -> None:
    assert plain.read(shlex.split(line), {}) is None


def test_a_shell_that_completes_is_left_to_the_parser() -> None:
    assert plain.read(["status"], {"_GM_COMPLETE": "complete_bash"}) is None


@pytest.mark.parametrize(
    "line",
    [
        *("status", "status --json", "game show beaver", "game show beaver --json", "orders show beaver"),
        *("orders show beaver iroquois --json", "game show bever", "game show bever --json"),
        *("game list", "game list --json"),
        "orders show beaver nobody",
    ],
)
def test_the_answer_is_that_of_the_parser(
    line: str, beaver: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    parsed = beaver.gm(line)
    look = plain.read(["--config", str(beaver.config), *shlex.split(line)], {})
    assert look is not None
    code = plain.answer(look)
    printed = capsys.readouterr()
    assert (code, printed.out, printed.err) == (parsed.exit_code, parsed.stdout, parsed.stderr)
