"""The page of stable interfaces is accurate, and nothing that was promised is gone.

promised.json beside this file has the promises in more detail than the page: every option of every command,
every key, every migration. `make golden` adds new ones and removes none. Those added since the last release
may be removed by hand.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

import games
from adjudicator.admin.transfer import EXPORT_SCHEMA_NAMES, GameExport
from adjudicator.cli.app import COMMAND_SUMMARIES, app
from adjudicator.config.servers import MAILBOX_KEYS
from adjudicator.config.service import CONFIG_TABLES, SEVERAL
from adjudicator.judge import answer_question, find_bot, find_judge
from games.protocol import Judge
from games.record import schema
from tests.kit.handbook import DOCS
from tests.kit.standard import BOARD

ROOT = Path(__file__).parents[2]
PAGE = (DOCS / "stability.md").read_text()
PROMISED = Path(__file__).with_name("promised.json")
ROWS = {
    what.strip(): set(keys.split("` `")) for what, keys in re.findall(r"^\| (.+?) \| `(.+)` \|$", PAGE, re.M)
}

BEATEN = {
    "phase": "S1M",
    "units": {"Iroquois": ["W Mohawk"], "Dakota": ["W Pequot", "W Abnaki"]},
    "orders": {"Dakota": ["Pequot - Mohawk", "Abnaki S Pequot - Mohawk"]},
    "options": {"bay_exit": "other-shore"},
    "seed": 7,
}
SUNK = {
    "phase": "S1M",
    "units": {"Iroquois": ["W b"]},
    "bay_entered": {"b": "S1M"},
    "dice": {"storm/b/U1": 1},
}
WON = {"phase": "W1901A", "units": {"France": ["A PAR"]}}
LETTER = b"From: a@example.org\n\nMohok - Delaware\npress to Dakota\nsee you at the bay\nendpress\n"


@cache
def run_json(*words: str, given: bytes | str = "") -> Any:
    """The JSON that a command prints."""
    done = CliRunner().invoke(app, list(words), input=given)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def ask_judge(kind: str, question: object) -> Any:
    """Ask `gm judge` and return its answer."""
    return run_json("judge", kind, given=json.dumps(question))


def keys(*found: dict[str, object]) -> set[str]:
    """All keys of some objects."""
    return {key for one in found for key in one}


@cache
def formats() -> dict[str, set[str]]:
    """Return the keys of everything written as JSON, by the names on the page."""
    won = ask_judge("standard", {**WON, "centres": {"France": list(BOARD.centres)}})
    there = [ask_judge("indianomacy", BEATEN), ask_judge("indianomacy", SUNK), won]
    begun = ask_judge("boer-war", {"begin": True})
    over = {"turn": 4, "leaders": {}, "done": 2, "counters": {"boers": [0, 0, 0], "empire": [0, 0, 1]}}
    ended = ask_judge("boer-war", {**over, "side": "empire", "orders": {"Empire": ["PASS"]}})
    others = (begun, ended)
    read = run_json("mail", "read", "-", "--kind", "indianomacy", "--seat", "iroquois", given=LETTER)
    return {
        "`gm judge`, the answer": keys(*there),
        "one of its results": keys(*(one for said in there for one in said["results"])),
        "its `next`": keys(*(said["next"] for said in there)),
        "`gm judge` of other games, the answer": keys(*others),
        "one of their results": keys(*(one for said in others for one in said["results"])),
        "`gm bot`, the answer for a seat": keys(
            run_json("bot", "indianomacy", given=json.dumps({**BEATEN, "orders": {}, "seat": "Dakota"}))
        ),
        "`gm mail read`": keys(read),
        "one of its orders": keys(*read["orders"]),
        "one of its commands": keys(*read["commands"]),
        "what could not be answered": keys(answer_question(find_judge("standard"), b"[")[0]),
        "a clause of `gm rules KIND --clauses --json`": keys(
            *run_json("rules", "standard", "--clauses", "--json")
        ),
        "a kind of `gm rules --json`": keys(*run_json("rules", "--json")),
    }


def questions() -> Iterator[tuple[str, set[str]]]:
    """Return the keys of each kind's questions, as its refusal of an unknown key lists them."""
    for kind, game in games.kinds().items():
        asks = {"bot": find_bot} | ({"judge": find_judge} if isinstance(game.whatif, Judge) else {})
        for word, ask in asks.items():
            said, is_answer = answer_question(ask(kind), b'{"no such key": 1}')
            assert not is_answer
            yield f"gm {word} {kind}", set(re.findall(r"\w+", said["error"].partition("known are")[2]))


def typed(group: Any, path: str = "gm") -> Iterator[tuple[str, set[str]]]:
    """Each command with its options and arguments."""
    context = group.make_context(path, [], resilient_parsing=True)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from typed(command, f"{path} {name}")
        else:
            yield (
                f"{path} {name}",
                {text for param in command.params for text in (*param.opts, *param.secondary_opts)},
            )


def live() -> dict[str, dict[str, set[str]]]:
    """Everything that can be promised, as it is now."""
    export = schema(GameExport, EXPORT_SCHEMA_NAMES)["$defs"]
    steps = (ROOT / "adjudicator" / "storage" / "migrations").glob("[0-9]*.py")
    return {
        "commands": dict(typed(get_command(app))),
        "gm.toml": {
            name: set(known)
            for name, known in {**CONFIG_TABLES, **{f"[{one}]": SEVERAL[one] for one in SEVERAL}}.items()
        },
        "questions": dict(questions()),
        "formats": formats(),
        "export": {name: set(one["properties"]) for name, one in export.items() if "properties" in one},
        "options": {kind: {one.name for one in game.about.options} for kind, game in games.kinds().items()},
        "database": {step.name: {hashlib.sha256(step.read_bytes()).hexdigest()} for step in steps},
    }


def test_nothing_that_was_promised_is_gone(request: pytest.FixtureRequest) -> None:
    now = live()
    promised = json.loads(PROMISED.read_text()) if PROMISED.exists() else {}
    if request.config.getoption("--write-golden"):
        for part, things in now.items():
            ours = promised.setdefault(part, {})
            for name, words in things.items():
                # A step of the database is one digest, and keeps it.
                if part != "database" or name not in ours:
                    ours[name] = sorted({*ours.get(name, ()), *words})
        PROMISED.write_text(json.dumps(promised, indent=1, sort_keys=True) + "\n")
    gone = [
        f"{part}: {name} {word}"
        for part, things in promised.items()
        for name, words in things.items()
        for word in (words or [""])
        if name not in now[part] or (word and word not in now[part][name])
    ]
    assert gone == []
    assert set(promised) == set(now)


def test_the_page_names_every_command() -> None:
    (told,) = re.findall(r"^The commands:\n\n(.*?)\n\n", PAGE, re.M | re.S)
    assert re.findall(r"`(\w+)`", told) == list(COMMAND_SUMMARIES)


def test_the_page_names_every_key_of_a_format() -> None:
    assert {what: found for what, found in ROWS.items() if not what.startswith("`[")} == formats()


def test_the_page_names_every_key_of_gm_toml() -> None:
    told = {name.strip("`"): found for name, found in ROWS.items() if name.startswith("`[")}
    assert told == {f"[{name}]": set(known) for name, known in CONFIG_TABLES.items()} | {
        "[[inbox.also]]": set(MAILBOX_KEYS),
        **{f"[[{name}]]": set(known) for name, known in SEVERAL.items()},
    }
