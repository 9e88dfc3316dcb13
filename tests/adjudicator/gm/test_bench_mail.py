"""`gm bench mail` at the command line, with a few letters."""

import json
import os

import pytest
from typer.testing import CliRunner

from adjudicator.bench import dovecot
from adjudicator.gm.app import app


@pytest.mark.parametrize("server", ["Dovecot", "Maildir"])
def test_letters_are_measured_beside_the_bare_libraries(server, monkeypatch):
    if server == "Maildir":
        monkeypatch.setattr(dovecot, "is_here", lambda: False)
    elif not dovecot.is_here():
        leave_out = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        leave_out("Dovecot is not installed")
    done = CliRunner().invoke(app, ["bench", "mail", "--letters", "12", "--json"])
    assert done.exit_code == 0, done.output
    figures = {one["what"]: one for one in json.loads(done.stdout)}
    assert server in figures["fetched and kept"]["note"]
    assert ("to fetch, by the bare library" in figures) == (server == "Dovecot")
    assert "the aim is 2.5: " in figures["from the mailbox to the answer"]["note"]
    both = figures["fetched and kept"]["value"] + figures["read and answered into the outbox"]["value"]
    assert figures["from the mailbox to the answer"]["value"] == pytest.approx(both)
    assert all(one["value"] > 0 for one in figures.values())
