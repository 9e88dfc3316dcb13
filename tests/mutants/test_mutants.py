"""Planted faults: the named test notices each wrong rule in the lists of this folder.

Most are planted in a fork_server, a process that has collected the named tests and forks for each fault. A
fault that needs an import is planted in a copy of the checkout.
"""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace
from itertools import count, groupby
from pathlib import Path

import pytest

from tests.kit.cached_services import PLACE, PLANTED
from tests.mutants.planting import ROOT, read_faults

PACKAGES = ("games", "orders", "adjudicator")
FAULTS = {fault.name: fault for fault in read_faults()}
NAMED = {
    file: list(tests)
    for file, tests in groupby(
        sorted({fault.test for fault in FAULTS.values()}), lambda test: test.partition("::")[0]
    )
}
LENT = {"tests/deploy", "tests/earlier", "tests/kit", "tests/peer", "tests/toy"}
"""What the named tests take from elsewhere among the tests."""

FOLDERS = (*PACKAGES, "templates", "docs", *sorted(LENT | {"/".join(file.split("/")[:2]) for file in NAMED}))
CANOES = FAULTS["canoes: two canoe-fleets enter one place"]
DAYS = count(1)
DAY = 86_400 * 10**9


@contextmanager
def asking(*command, **place):
    """A process that answers a line of JSON with another, as a function. place: variables besides ours."""
    # Where CI is set pytest tells long values apart line by line, which took half a minute for one fault.
    around = {**os.environ, PLANTED: "yes", "CI": "", **place}
    words, pipe = [sys.executable, *command], subprocess.PIPE
    with subprocess.Popen(words, cwd=ROOT, env=around, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def ask(**question):
            process.stdin.write(json.dumps(question) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


# The faults of a list may be dealt to another process than those of the next: what is begun for one stays.
@pytest.fixture(scope="session")
def fork_server(request, tmp_path_factory):
    """Runs tests of this checkout, with a fault or without; those of the files that this session is about."""
    about = [item.callspec.params for item in request.session.items if hasattr(item, "callspec")]
    faults = [FAULTS[given["name"]] for given in about if given.get("name") in FAULTS]
    files = {given.get("file") for given in about} & set(NAMED) | {
        fault.test.partition("::")[0] for fault in (CANOES, *faults)
    }
    named = [test for file in sorted(files) for test in NAMED[file]]
    folder = tmp_path_factory.mktemp("fork_server")
    with asking("-m", "tests.mutants.fork_server", f"--basetemp={folder / 'runs'}", *named) as ask:
        yield ask


@pytest.fixture(scope="session")
def elsewhere(tmp_path_factory):
    """Runs a test in a copy of what it needs, in a file of which a fault is written."""
    copy = tmp_path_factory.mktemp("faults") / "sound"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("*.png"))
    for file in ("pyproject.toml", "tests/__init__.py"):
        shutil.copy(ROOT / file, copy / file)
    # The copy is our own: bytecode is written there whatever the environment says. And all begins there.
    own = {"PYTHONDONTWRITEBYTECODE": "", PLACE: str(copy)}
    with asking(str(Path(__file__).with_name("runner.py")), **own) as ask:

        def run(fault):
            with spoilt(copy / fault.file, fault):
                return ask(folder=str(copy), tests=[fault.test])

        yield run


@contextmanager
def spoilt(path, fault):
    """Give a file a fault inside the context, and a new age, since bytecode is identified by age and size."""
    text, age = path.read_text(encoding="utf-8"), path.stat().st_mtime_ns
    path.write_text(fault.plant(text), encoding="utf-8")
    os.utime(path, ns=(age, age + next(DAYS) * DAY))
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")
        os.utime(path, ns=(age, age))


@pytest.fixture
def notices(fork_server, request):
    """Asserts that a fault is noticed by its test; returns where it was planted."""

    def check(fault):
        where, answer = "fork_server", planted(fork_server, fault)
        if answer["outcome"] in ("unplanted", "passed"):
            # Only an import plants it, only a process that the test starts shows it, or warmth hides it.
            where, answer = "elsewhere", request.getfixturevalue("elsewhere")(fault)
        assert answer["outcome"] == "failed", f"{fault.test} is {answer['outcome']}\n{answer['printed']}"
        assert "AssertionError" in answer["printed"] or "ValueError" in answer["printed"], answer["printed"]
        return where

    return check


def planted(fork_server, fault):
    """Return what the fork_server says of a fault."""
    text = fault.plant((ROOT / fault.file).read_text(encoding="utf-8"))
    return fork_server(tests=[fault.test], file=fault.file, text=text)


@pytest.mark.parametrize(
    "file",
    [
        *(pytest.param(next(iter(files)), id=folder) for folder, files in groupby(NAMED, os.path.dirname)),
        *(pytest.param(file, id=f"{file} whole", marks=pytest.mark.soak) for file in NAMED),
    ],
)
def test_without_a_fault_the_named_tests_pass(fork_server, file, request):
    """One test of each folder stands for all of them, which also run in the suite, though not in a
    fork_server.
    """
    whole = request.node.get_closest_marker("soak")
    answer = fork_server(tests=NAMED[file][: None if whole else 1], file="", text="")
    assert answer["outcome"] == "passed", answer["printed"]


@pytest.mark.parametrize("name", FAULTS)
def test_the_fault_is_noticed(notices, name):
    notices(FAULTS[name])


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_each_fault_is_noticed_where_it_is_imported(elsewhere):
    """The long form, in which nothing is left of the sound functions: some seconds for each of hundreds."""
    assert [name for name, fault in FAULTS.items() if elsewhere(fault)["outcome"] != "failed"] == []


def test_a_change_that_is_none_is_noticed_by_nobody(fork_server, notices):
    """It is reported like a fault that its test doesn't notice."""
    harmless = replace(CANOES, by="if 1 < len(season.landing[goal]):")
    assert planted(fork_server, harmless)["outcome"] == "passed"
    with pytest.raises(
        AssertionError, match="test_C8_two_canoes_to_one_place_stand_each_other_off is passed"
    ):
        notices(harmless)


def test_a_crash_is_no_notice(fork_server, notices):
    crash = replace(CANOES, by="if len(season.no_such_thing) > 1:")
    assert planted(fork_server, crash)["outcome"] == "failed"
    with pytest.raises(AssertionError, match="AttributeError"):
        notices(crash)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "boer_box: a box of before that tells nothing of repairs has them done by a throw", id="a class"
        ),
        pytest.param("budget: what lies below each line is looked through anew", id="a decorator"),
        pytest.param("canoes: no storm in Summer", id="data"),
    ],
)
def test_what_only_an_import_can_plant_is_not_planted_without(fork_server, name):
    assert planted(fork_server, replace(FAULTS[name], test=CANOES.test))["outcome"] == "unplanted"


@pytest.mark.parametrize(
    ("name", "where"),
    [
        pytest.param("reading: a picture in a line hides its order", "fork_server", id="nothing is left"),
        pytest.param("bots: armies swim", "fork_server", id="a constant is given anew"),
        pytest.param(
            "catalogue: one order is missing in the plural", "fork_server", id="a template is read anew"
        ),
        pytest.param(
            "boer_war: talks of games of before are held with more Boers in the field",
            "elsewhere",
            id="answers are",
        ),
    ],
)
def test_what_ran_already_is_planted_elsewhere_where_that_hides_it(notices, name, where):
    assert notices(FAULTS[name]) == where
