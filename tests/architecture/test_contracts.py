"""The import contracts hold, and a breach of each is noticed."""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kit.source_files import PACKAGES, ROOT

PLANTED: dict[str, tuple[tuple[str, str], ...]] = {
    "layers": (
        ("games.protocol", "orders.words"),
        ("orders.words", "adjudicator.clock"),
        ("games.diplomacy.rules", "adjudicator.model.games"),
    ),
    "packages": (
        ("adjudicator.reports.order_sheet", "adjudicator.turns.gather"),
        ("adjudicator.mail.maildir", "adjudicator.storage.tables"),
        ("adjudicator.turns.runner", "adjudicator.inbound.filters"),
        ("adjudicator.clock", "adjudicator.service"),
        ("adjudicator.model.addresses", "adjudicator.auth.tokens"),
    ),
    "circles": (
        ("adjudicator.admin.game_admin", "adjudicator.admin.seats"),
        ("adjudicator.outbound.composer", "adjudicator.outbound.notifications"),
        ("adjudicator.model.deadlines", "adjudicator.model.repository"),
    ),
    "pure_decisions": (
        ("adjudicator.inbound.filters", "adjudicator.storage.queries"),
        ("adjudicator.turns.runner", "adjudicator.mail.maildir"),
        ("adjudicator.reports.messages", "smtplib"),
        ("adjudicator.inbound.filing", "peewee"),
    ),
    "website": (
        ("adjudicator.website.build", "adjudicator.storage.stored_games"),
        ("adjudicator.website.public_game", "adjudicator.model.games"),
    ),
    "independent_games": (
        ("games.newcomer", "games.diplomacy.boards.board"),
        ("games.diplomacy.model", "games.newcomer.model"),
    ),
    "pure": (
        ("games.diplomacy.adjudication.resolver", "random"),
        ("games.newcomer", "pathlib"),
        ("orders.words", "time"),
        ("orders.reading.forms", "jinja2"),
    ),
    "names": (
        ("adjudicator.service", "games.diplomacy.rules"),
        ("adjudicator.inbound.pipeline", "games.newcomer"),
        ("orders.reading.letter_reader", "games.diplomacy.model"),
        ("orders.words", "games.options"),
    ),
}
"""By contract: who imports what he must not. The newcomer is a game that arrives in the copy."""


def contracts() -> dict[str, str]:
    """The names of the contracts by id, as pyproject.toml has them."""
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return {one["id"]: one["name"] for one in tables["tool"]["importlinter"]["contracts"]}


def lint(folder: Path, *contract: str) -> tuple[int, str]:
    """The exit code and the words of lint-imports in a folder, without what it remembers of other runs."""
    limits = [word for one in contract for word in ("--contract", one)]
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache", *limits],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python files of the product in a folder of their own, with one game more."""
    folder = tmp_path_factory.mktemp("tree")
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "pyproject.toml", folder / "pyproject.toml")
    newcomer = folder / "games" / "newcomer"
    newcomer.mkdir()
    (newcomer / "__init__.py").write_text("from games.newcomer.model import PIECES\n")
    (newcomer / "model.py").write_text("PIECES = ()\n")
    return folder


@contextmanager
def planted(folder: Path, imports: tuple[tuple[str, str], ...]) -> Iterator[None]:
    """While it lasts, each of the modules has one import more."""
    before = {}
    for importer, imported in imports:
        path = folder.joinpath(*importer.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        before[file] = file.read_text(encoding="utf-8")
        file.write_text(f"{before[file]}\nimport {imported}\n", encoding="utf-8")
    try:
        yield
    finally:
        for file, text in before.items():
            file.write_text(text, encoding="utf-8")


def test_all_contracts_hold(copy: Path) -> None:
    """In the tree as it is, and with a game that has just arrived."""
    code, said = lint(copy)
    assert code == 0, said
    assert f"Contracts: {len(contracts())} kept, 0 broken." in said


def test_each_contract_is_broken_below() -> None:
    """Every contract has been seen to fail."""
    assert set(PLANTED) == set(contracts())


@pytest.mark.parametrize("contract", PLANTED)
def test_a_broken_contract_is_reported(copy: Path, contract: str) -> None:
    """Every planted import is named, under the contract that it breaks."""
    with planted(copy, PLANTED[contract]):
        code, said = lint(copy, contract)
    assert code == 1
    assert f"{contracts()[contract]} BROKEN" in said
    for importer, imported in PLANTED[contract]:
        circle = f"No cycles are allowed in {importer.rpartition('.')[0]}."
        assert (circle if contract == "circles" else f"{importer} -> {imported} (l.") in said, said
