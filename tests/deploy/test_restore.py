"""A deployed service is lost with all its files, and the game continues on another machine."""

import json
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from tests.deploy.conftest import PATIENCE, Program
from tests.kit.mail import letter

pytestmark = PATIENCE
ORDERS = "Mohawk H\nOneida H\nOnondaga - Delaware\nSeneca H"


@dataclass(frozen=True)
class Deployed:
    """A service in a folder: its letters come by the pipe and go into a Maildir."""

    program: Program
    folder: Path

    def told(self, *words: str) -> Any:
        """Return a command's JSON."""
        return json.loads(self.program.says(self.folder, *words, "--json"))

    def receives(self, to: str, text: str, number: int) -> Any:
        """A letter of the Iroquois comes, and is seen to at once."""
        raw = letter(text, sender="iroquois@example.org", to=to, number=number)
        words = ("receive", "--process", "--send", "--json")
        return json.loads(self.program.says(self.folder, *words, given=raw))

    def letters(self) -> list[EmailMessage]:
        """Return the emails to them."""
        files = (self.folder / "mail" / "out" / "new").iterdir()
        letters = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
        return [one for one in letters if one["To"] == "iroquois@example.org"]


@pytest.fixture(scope="module")
def before(program_loaded: Program, tmp_path_factory: pytest.TempPathFactory) -> Deployed:
    """A game in its second turn, one seat a person's."""
    program, here = program_loaded, Deployed(program_loaded, tmp_path_factory.mktemp("before"))
    program.run(here.folder, "init", "--no-local", "--yes", "--timezone", "UTC")
    program.run(here.folder, "game", "new", "indianomacy", "beaver")
    program.run(here.folder, "seat", "assign", "beaver", "iroquois", "iroquois@example.org")
    address = here.told("seat", "show", "beaver", "iroquois")["reply_address"]
    here.receives(address, ORDERS, 1)
    return here


def test_the_game_goes_on_elsewhere(before: Deployed, tmp_path: Path) -> None:
    program = before.program
    ours = [one for one in before.letters() if " [beaver S1M Iroquois" in one["Subject"]]
    (report,) = [one for one in ours if not str(one["Subject"]).startswith(("Re:", "Welcome"))]
    address = str(report["Reply-To"])
    program.run(before.folder, "backup", "last.backup")
    state = before.told("game", "show", "beaver")
    sent = {one["Message-ID"] for one in before.letters()}

    # Nothing is carried over but the copy; gm.toml comes out of it.
    after = Deployed(program, tmp_path / "elsewhere")
    after.folder.mkdir()
    (after.folder / "last.backup").write_bytes((before.folder / "last.backup").read_bytes())
    said = program.says(after.folder, "restore", "last.backup", "--yes")
    assert re.search(r"^Wrote gm.toml as it was", said, re.MULTILINE)
    assert "1 game paused: beaver" in said

    findings = after.told("doctor", "--wait", "0")
    assert [one for one in findings if one["grade"] == "bad"] == []
    restored = after.told("game", "show", "beaver")
    assert restored.pop("stopped")["kind"] == "pause"
    assert state.pop("stopped") is None
    assert restored == state
    program.run(after.folder, "game", "replay", "beaver")

    # Her letter to the address of a report that the lost machine sent.
    assert after.receives(address, "READY", 2) == {"new": True}
    assert after.told("game", "show", "beaver")["turn"] == state["turn"], "nothing runs yet"
    program.run(after.folder, "game", "resume", "--all")
    program.run(after.folder, "run", "process")
    program.run(after.folder, "run", "send")
    assert after.told("game", "show", "beaver")["turn"] != state["turn"]
    assert after.told("mail", "list")[0]["seat"] == "Iroquois"
    fresh = {one["Message-ID"] for one in after.letters()}
    assert fresh, "the next report came"
    assert fresh & sent == set(), "and none came twice"
    # A letter that was on the books before the loss still is.
    first = letter(ORDERS, sender="iroquois@example.org", number=1)
    assert json.loads(program.says(after.folder, "receive", "--json", given=first)) == {"new": False}
