"""`gm bench mail` at the command line, with a few emails."""

import json
import re
import socket
import time

import pytest
from typer.testing import CliRunner

from adjudicator.bench import mail
from adjudicator.cli.app import app
from adjudicator.errors import Refusal


@pytest.mark.parametrize(("server", "kind"), [("Dovecot", "indianomacy"), ("Maildir", "standard")])
def test_letters_are_measured_beside_the_bare_libraries(server, kind, monkeypatch):
    if server == "Maildir":
        monkeypatch.setattr(mail, "is_installed", lambda: False)
    elif not mail.is_installed():
        pytest.skip("Dovecot is not installed")
    done = CliRunner().invoke(app, ["bench", "mail", kind, "--letters", "12", "--json"])
    assert done.exit_code == 0, done.output
    figures = {one["what"]: one for one in json.loads(done.stdout)}
    assert server in figures["fetched and stored"]["note"]
    assert ("to fetch, by the bare library" in figures) == (server == "Dovecot")
    assert "the aim is 2.5: " in figures["from the mailbox to the reply"]["note"]
    both = figures["fetched and stored"]["value"] + figures["read and answered into the outbox"]["value"]
    assert figures["from the mailbox to the reply"]["value"] == pytest.approx(both)
    assert all(one["value"] > 0 for one in figures.values())


def test_a_kind_whose_turn_a_letter_plays_is_refused(monkeypatch):
    monkeypatch.setattr(mail, "is_installed", lambda: False)
    with pytest.raises(Refusal, match="an email runs the turn"):
        mail.measure_mail("great-war", 1)


def test_what_is_measured_is_processor_time_and_not_how_long_the_machine_was_at_something_else():
    asleep = mail._time_per_letter("a nap", 1, lambda: time.sleep(0.2), "of nobody")
    assert asleep.value < 100
    (wall,) = re.fullmatch(r"of nobody; ([\d.]+) on the wall", asleep.note).groups()
    assert float(wall) >= 200


def test_the_port_of_the_bench_s_server_is_given_to_nobody_else():
    """A server may still listen there, if it asks to reuse the address."""
    with mail._port() as port, socket.socket() as somebody, socket.socket() as server:
        with pytest.raises(OSError, match="in use"):
            somebody.bind(("127.0.0.1", port))
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port))
        server.listen()


@pytest.mark.parametrize("orders", [["W Atlantis - Mu"], []])
def test_letters_that_are_not_taken_are_no_measure(orders, monkeypatch):
    """Rejecting an email takes less time than answering it."""
    monkeypatch.setattr(mail, "is_installed", lambda: False)
    monkeypatch.setattr(mail, "_orders", lambda *_: orders)
    try:
        mail.measure_mail("indianomacy", 4)
        told = "nothing"
    except AssertionError as fault:
        told = str(fault)
    assert f"wrote {orders}, but " in told
