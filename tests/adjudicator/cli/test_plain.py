"""Plain commands are answered without the parser of all commands, with identical output."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from adjudicator.cli import app
from tests.adjudicator.cli.conftest import Terminal


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("status", ("show_status", (), None, False)),
        ("--config gm.toml game show beaver --json", ("show_game", ("beaver",), "gm.toml", True)),
        ("--config=a.toml orders show fox dakota", ("show_orders", ("fox", "dakota"), "a.toml", False)),
        ("orders show --json beaver", ("show_orders", ("beaver",), None, True)),
        ("player show france@example.org", ("show_person", ("france@example.org",), None, False)),
        ("turn process beaver --json", ("process", ("beaver",), None, True)),
    ],
)
def test_a_look_is_read(line: str, asked: tuple[object, ...]) -> None:
    look = app.read(shlex.split(line), {})
    assert look is not None
    assert (look.kind.function, look.names, look.config, look.as_json) == asked


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
        *(
            "mail list --limit 3",
            "mail list --only ready",
            "mail list x",
            "player list x",
            "turn process -n b",
        ),
        *("--version status", "game --json show beaver", "game show beaver -h", "game show --help"),
    ],
)
def test_everything_else_is_left_to_the_parser(line: str) -> None:
    assert app.read(shlex.split(line), {}) is None


def test_an_option_is_read_wherever_it_stands() -> None:
    for line in ("turn process fox -y --json", "turn process --yes fox --json", "turn process --json -y fox"):
        look = app.read(line.split(), {})
        assert look is not None
        assert (look.names, look.flags) == (("fox",), {"as_json", "yes"})
    out = app.read(["mail", "list", "--out"], {})
    assert out is not None
    assert out.flags == {"out"}


def test_what_is_asked_at_a_terminal_is_left_to_the_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    assert app.read(["turn", "process", "fox"], {}) is not None
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    assert app.read(["turn", "process", "fox"], {}) is None
    assert app.read(["turn", "process", "fox", "--yes"], {}) is not None
    assert app.read(["game", "show", "fox"], {}) is not None


def test_a_shell_that_completes_is_left_to_the_parser() -> None:
    assert app.read(["status"], {"_GM_COMPLETE": "complete_bash"}) is None


@pytest.mark.parametrize(
    "line",
    [
        *("status", "status --json", "game show beaver", "game show beaver --json", "orders show beaver"),
        *("orders show beaver iroquois --json", "game show bever", "game show bever --json"),
        *("game list", "game list --json"),
        "orders show beaver nobody",
        *("player list", "player list --json", "player show iroquois@example.org"),
        *("player show iroquois@example.org --json", "player show nobody@example.org", "player show nobody"),
        *("mail list", "mail list --json", "mail list --out", "mail list --out --json"),
        *("turn process bever --yes", "turn process bever --json"),
    ],
)
def test_the_answer_is_that_of_the_parser(
    line: str, beaver: Terminal, capsys: pytest.CaptureFixture[str]
) -> None:
    parsed = beaver.gm(line)
    look = app.read(["--config", str(beaver.config), *shlex.split(line)], {})
    assert look is not None
    code = app.answer(look)
    printed = capsys.readouterr()
    assert (code, printed.out, printed.err) == (parsed.exit_code, parsed.stdout, parsed.stderr)


@pytest.mark.parametrize("line", ["turn process beaver --yes", "turn process beaver --json"])
def test_a_turn_is_played_as_by_the_parser(
    line: str, beaver: Terminal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Terminal(Path(shutil.copytree(beaver.folder, tmp_path / "other")))
    parsed = other.gm(line)
    look = app.read(["--config", str(beaver.config), *shlex.split(line)], {})
    assert look is not None
    assert app.answer(look) == parsed.exit_code == 0
    played, there = capsys.readouterr().out, parsed.stdout
    assert _undated(played) == _undated(there)
    assert [one["turns_played"] for one in (at.told("game show beaver") for at in (beaver, other))] == [1, 1]
    letters = [[one["subject"].split("#")[0] for one in at.told("mail list --out")] for at in (beaver, other)]
    assert letters[0] == letters[1] != []


def _undated(text: str) -> str:
    return re.sub(r"\d\d:\d\d(:\d\d)?", "", text)
