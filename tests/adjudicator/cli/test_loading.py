"""The modules that a command loads, counted because seconds depend on the machine."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.main import get_command

from adjudicator.cli.app import COMMAND_SUMMARIES, app
from adjudicator.cli.lazy_import import ROOTS, STANDARD
from tests.adjudicator.cli.conftest import Terminal

HEAVY = {
    *("pydantic", "rich.console", "peewee", "psycopg", "jinja2", "asyncio", "email.parser", "smtplib"),
    *("imapclient", "aiosmtplib", "aiosmtpd", "apscheduler", "PIL", "resvg_py", "rapidfuzz", "selectolax"),
    *("css_inline", "adjudicator.service", "adjudicator.inbound.pipeline", "adjudicator.reports.report"),
}
"""What help has no need of. A module that waits to be asked for something is not loaded."""

NEWER = 10 * (sys.version_info >= (3, 12))
"""So many modules more of its own a newer Python may load: it does for what we ask of any."""

FORCED = {"random", "shutil", "tempfile"} if sys.version_info[:2] in ((3, 12), (3, 13)) else set()
"""What importlib.resources asks something of as soon as it is imported itself, so that it cannot wait."""

# Each command in a child of its own, of a process that has loaded what all of them need.
LOADED = """
import gc, json, os, sys
from adjudicator.cli.lazy_import import LazyModule
from adjudicator.cli import app

if sys.argv[2]:
    from adjudicator.cli import lazy_import
    lazy_import.begin()
    from adjudicator.cli import commands
for words in json.loads(sys.argv[1]):
    if os.fork():
        assert os.wait()[1] == 0, words
        continue
    sys.argv = ["gm", *words]
    searched = sum(one["collections"] for one in gc.get_stats())
    try:
        app.main()
    except SystemExit as end:
        code = end.code or 0
    modules = {name: one for name, one in sys.modules.items() if type(one) is not LazyModule}
    made = {
        f"{one.__module__}.{one.__qualname__}"
        for module in modules.values()
        for one in vars(module).values()
        if isinstance(one, type) and "__dataclass_fields__" in vars(one)
    }
    searched = sum(one["collections"] for one in gc.get_stats()) - searched
    print("LOADED", json.dumps([list(modules), list(made), searched]))
    sys.stdout.flush()
    os._exit(code)
"""


class Loaded(NamedTuple):
    """The work of a process of `gm` until its answer.

    modules: executed ones; dataclasses: those created; searches: garbage collections.
    """

    modules: set[str]
    dataclasses: set[str]
    searches: int


def loaded(folder: Path, *commands: Sequence[str], parsed: bool = False) -> list[Loaded]:
    """Return the work of each command's process. parsed: commands that need the full parser."""
    script = [sys.executable, "-c", LOADED, json.dumps(commands), "parsed" * parsed]
    done = subprocess.run(script, cwd=folder, capture_output=True, text=True, check=True)
    lines = [line.split(" ", 1)[1] for line in done.stdout.splitlines() if line.startswith("LOADED")]
    return [Loaded(set(modules), set(made), count) for modules, made, count in map(json.loads, lines)]


def deepest(command: object) -> list[str]:
    """Return the words of the last command below one: the first word loads the modules of all of them."""
    below = getattr(command, "commands", {})
    return [last := list(below)[-1], *deepest(below[last])] if below else []


@pytest.fixture(scope="module")
def helps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Loaded]:
    """Return what the help of each module's last command loads."""
    root = get_command(app)
    asked = [[name, *deepest(root.get_command(None, name)), "--help"] for name in COMMAND_SUMMARIES]
    return dict(
        zip(COMMAND_SUMMARIES, loaded(tmp_path_factory.mktemp("help"), *asked, parsed=True), strict=True)
    )


@pytest.mark.parametrize("name", COMMAND_SUMMARIES)
def test_help_loads_the_command_line_alone(name: str, helps: dict[str, Loaded]) -> None:
    assert helps[name].modules & HEAVY == set()
    assert len(helps[name].modules) < 305 + NEWER
    assert helps[name].searches == 0


LOOKS = ("status", "game show beaver", "orders show beaver", "player list", "player show player@example.org")
MAIL = ("mail list", "mail list --out")
PLAYED = "turn process beaver --yes"
ASKED = (*LOOKS, *MAIL, PLAYED)

DATACLASSES = 6
"""So many of our own and of libraries a look may make."""
DATACLASSES_OF_A_TURN = 10
"""So many a turn may: what is changed in a hundred places, or keeps a secret out of its text."""


@pytest.fixture(scope="module")
def loaded_modules(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Loaded]:
    """Return the modules loaded to show a game of War Chest."""
    folder = tmp_path_factory.mktemp("service")
    for line in ("init --address gm@example.org --local --yes", "game new war-chest beaver"):
        Terminal(folder).says(line)
    Terminal(folder).says("seat assign beaver player player@example.org")
    return dict(zip(ASKED, loaded(folder, *(line.split() for line in ASKED)), strict=True))


@pytest.mark.parametrize("line", LOOKS)
def test_what_only_looks_loads_books_and_the_kinds_of_their_games(
    line: str, loaded_modules: dict[str, Loaded]
) -> None:
    modules = loaded_modules[line].modules
    assert modules & HEAVY <= {"peewee"}
    seldom = {"playhouse.migrations", "typer", "typing_extensions", *STANDARD - {"hashlib", "textwrap"}}
    assert sorted(modules & seldom - FORCED) == []
    assert not {name for name in modules if name.startswith(("orders.mail.", "adjudicator.mail"))}
    assert not modules & {"adjudicator.auth.tokens", "adjudicator.storage.archive", "orders.words"}
    assert len(modules) < 290 + NEWER
    assert len([name for name in modules if name.startswith(ROOTS)]) < 130
    assert {name for name in modules if name.startswith("games.") and name.count(".") == 1} <= {
        *(
            "games.war_chest",
            "games.judging",
            "games.protocol",
            "games.record",
            "games.data",
            "games.dice",
        ),
        *("games.options", "games.own_box", "games.paths", "games.priorities", "games.close_up"),
        *("games.pool", "games.json_reader", "games.language", "games.map_telling", "games.messages"),
        "games.order_kinds",
    }


@pytest.mark.parametrize("line", LOOKS)
def test_what_only_looks_compiles_few_classes_and_looks_for_no_garbage(
    line: str, loaded_modules: dict[str, Loaded]
) -> None:
    """The methods of a dataclass are written and compiled at each start."""
    assert len(loaded_modules[line].dataclasses) <= DATACLASSES, sorted(loaded_modules[line].dataclasses)
    assert loaded_modules[line].searches == 0


@pytest.mark.parametrize("line", MAIL)
def test_a_list_of_letters_opens_their_heads_and_no_game(
    line: str, loaded_modules: dict[str, Loaded]
) -> None:
    modules = loaded_modules[line].modules
    # A subject may hold a password behind a word that is nearly SIGNON.
    assert modules & HEAVY <= {"peewee", "rapidfuzz"}
    assert not {name for name in modules if name.startswith(("adjudicator.mail", "games.war_chest"))}
    assert "typer" not in modules
    assert len(modules) < 300


def test_a_turn_played_by_hand_needs_no_server_and_no_reader_of_letters(
    loaded_modules: dict[str, Loaded],
) -> None:
    found = loaded_modules[PLAYED].modules
    wanted = {"peewee", "jinja2", "PIL", "adjudicator.reports.report", "css_inline", "selectolax"}
    assert found & HEAVY <= wanted
    ours = {"adjudicator.mail.envelope", "adjudicator.reports.posts", "adjudicator.reports.verdict"}
    rooms = (
        "adjudicator.mail.",
        "adjudicator.inbound.commands",
        "adjudicator.order_page.",
        "orders.commands",
    )
    assert {name for name in found if name.startswith(rooms)} <= ours
    assert not found & {
        "typer",
        "PIL.Image",
        "resvg_py",
        "logging.handlers",
        "adjudicator.outbound.notifications",
    }
    assert len(found) < 480
    assert len(loaded_modules[PLAYED].dataclasses) <= DATACLASSES_OF_A_TURN, sorted(
        loaded_modules[PLAYED].dataclasses
    )


def test_of_the_commands_about_a_thing_only_that_one_is_built_which_is_called() -> None:
    root = get_command(app)
    for words in (["game", "show", "beaver"], ["game", "replay", "beaver"], ["turn", "preview", "beaver"]):
        name, noun, rest = root.resolve_command(root.make_context("gm", [], resilient_parsing=True), words)
        assert (name, list(noun.commands), rest) == (words[0], [words[1]], words[1:])
    _, noun, _ = root.resolve_command(root.make_context("gm", [], resilient_parsing=True), ["game", "sohw"])
    assert len(noun.commands) > 9, "what is misspelt is looked for among all"


ONE_BOARD = """
import sys
from adjudicator.cli.lazy_import import LazyModule
from adjudicator.cli import lazy_import

lazy_import.begin()
import games
from games.diplomacy.boards import folders, variants

games.kinds()["standard"]
print(variants.load.cache_info().currsize)
bots = [name for name, one in sys.modules.items() if name.startswith("games.diplomacy.bots.")]
print(*(name for name in bots if type(sys.modules[name]) is not LazyModule))
list(games.kinds())
print(variants.load.cache_info().currsize == len(folders.names()))
"""


def test_a_board_that_is_asked_for_is_the_only_one_compiled_and_brings_no_bots() -> None:
    done = subprocess.run([sys.executable, "-c", ONE_BOARD], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n") == ["1", "", "True", ""]
