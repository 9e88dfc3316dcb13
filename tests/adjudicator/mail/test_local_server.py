"""The built-in server: emails of any mail program are on disk before it confirms, once each."""

import smtplib
from email import message_from_bytes

import pytest

from adjudicator.clock import ManualClock
from adjudicator.errors import PostFault, Refusal
from adjudicator.mail import local_server
from adjudicator.mail.local_server import LocalServer
from adjudicator.mail.maildir import MaildirMailbox
from adjudicator.mail.smtp import Server, deliver
from adjudicator.model.mail import OutgoingMessage
from orders.mail.headers import has_plain_line_ends, line_end_of

NOW = 1_795_000_000_000
LETTER = "From: iro@players.example\r\nMessage-ID: <1@p>\r\nSubject: orders\r\n\r\nW SNT - MEN\r\n.\r\n"


@pytest.fixture
def clock():
    return ManualClock(NOW)


def embedded(tmp_path, port, clock):
    return LocalServer("127.0.0.1", port, "GM@example.org", tmp_path / "in", tmp_path / "players", clock)


@pytest.fixture
def server(tmp_path, port, clock):
    running = embedded(tmp_path, port, clock)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def send(server, port):
    """Send a letter as a mail program would."""

    def send(to, text=LETTER, sender="iro@players.example"):
        with smtplib.SMTP("127.0.0.1", port, timeout=300, local_hostname="localhost") as client:
            client.sendmail(sender, [to] if isinstance(to, str) else to, text)

    return send


def arrived(tmp_path):
    return list(MaildirMailbox(tmp_path / "in").new_letters(lambda places: ()))


def test_each_email_to_the_gamesmaster_is_told_of_when_it_is_on_the_disk(tmp_path, send, server):
    """The GM needn't look for them; emails to players aren't announced."""
    seen = []
    server.on_arrival(lambda: seen.append(len(list((tmp_path / "in" / "new").iterdir()))))
    send("gm@example.org")
    send("player@example.org")
    send("gm+demo.iroquois.token@example.org")
    assert seen == [1, 2]


def test_letters_to_the_gamesmaster_go_into_the_inbox(tmp_path, send, clock):
    send("gm@example.org")
    clock.advance(1000)
    send("Gm+demo.iroquois.token@EXAMPLE.org")
    letters = arrived(tmp_path)
    assert [letter.received for letter in letters] == [NOW, NOW + 1000]
    opened = [message_from_bytes(letter.raw) for letter in letters]
    assert [one["Delivered-To"] for one in opened] == ["gm@example.org", "Gm+demo.iroquois.token@EXAMPLE.org"]
    assert {one["Return-Path"] for one in opened} == {"<iro@players.example>"}
    assert "18 Nov 2026" in opened[0]["Received"]
    assert letters[0].raw.endswith(LETTER.encode())


def test_letters_to_players_go_into_their_own_maildirs(tmp_path, send):
    send(["Iro@Players.example", "gma@example.org", "gm@example.com"])
    folders = sorted(path.name for path in (tmp_path / "players").iterdir())
    assert folders == ["gm@example.com", "gma@example.org", "iro@players.example"]
    for folder in folders:
        (file,) = (tmp_path / "players" / folder / "new").iterdir()
        assert file.read_bytes().endswith(LETTER.encode())
    assert arrived(tmp_path) == []


def test_the_same_bytes_again_are_one_letter(tmp_path, send, server, port, clock):
    send("gm@example.org")
    clock.advance(60_000)
    send("gm@example.org")
    (letter,) = arrived(tmp_path)
    MaildirMailbox(tmp_path / "in").mark_kept([letter.place])
    send("gm@example.org")
    assert arrived(tmp_path) == []
    server.stop()
    again = embedded(tmp_path, port, clock)
    again.start()
    send("gm@example.org")
    assert arrived(tmp_path) == []
    send("gm@example.org", LETTER + "more\r\n")
    assert len(arrived(tmp_path)) == 1
    again.stop()
    server.start()


def test_a_bounce_has_no_return_path(tmp_path, send):
    send("gm@example.org", sender="")
    assert message_from_bytes(arrived(tmp_path)[0].raw)["Return-Path"] == "<>"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_is_added_ends_its_lines_as_the_letter_does(tmp_path, send, end):
    send("gm@example.org", LETTER.replace("\r\n", end).encode())
    (letter,) = arrived(tmp_path)
    assert has_plain_line_ends(letter.raw)
    assert line_end_of(letter.raw) == end.encode()


def test_lines_without_end_are_taken(tmp_path, send):
    send("gm@example.org", LETTER + "x" * 20_000)
    assert b"x" * 20_000 in arrived(tmp_path)[0].raw


def test_too_large_a_letter_is_refused(tmp_path, server, port, clock, monkeypatch):
    server.stop()
    monkeypatch.setattr(local_server, "SIZE_LIMIT_BYTES", 50_000)
    small = embedded(tmp_path, port, clock)
    small.start()
    with smtplib.SMTP("127.0.0.1", port, timeout=300, local_hostname="localhost") as client:
        client.docmd("EHLO me")
        client.docmd("MAIL FROM:<iro@players.example>")
        client.docmd("RCPT TO:<gm@example.org>")
        code, _ = client.data("x\r\n" * 60_000)
    small.stop()
    server.start()
    assert code == 552
    assert arrived(tmp_path) == []


@pytest.mark.parametrize(
    "to", ["../../etc/x@example.org", "/x@example.org", "x@[127.0.0.1]", "a..b@example.org"]
)
def test_addresses_that_are_no_folders_are_refused(tmp_path, send, to):
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(to)
    assert not (tmp_path / "players").exists()


def test_a_letter_that_cannot_be_written_is_not_said_to_be(tmp_path, send):
    (tmp_path / "in").write_bytes(b"a file where the Maildir should be")
    with pytest.raises(smtplib.SMTPDataError, match="could not be written") as caught:
        send("gm@example.org")
    assert caught.value.smtp_code == 451
    (tmp_path / "in").unlink()
    send("gm@example.org")
    assert len(arrived(tmp_path)) == 1


def test_our_own_carrier_reaches_players_through_it(tmp_path, server, port):
    letter = OutgoingMessage(
        key="k", message_id="<1@x>", sender="gm@example.org", to="iro@players.example", raw=LETTER.encode()
    )
    for _ in range(2):
        (receipt,) = deliver([letter], Server("127.0.0.1", port, tls="none"))
        assert receipt.outcome == "sent"
    (file,) = (tmp_path / "players" / "iro@players.example" / "new").iterdir()
    assert file.read_bytes().endswith(LETTER.encode())


def test_it_stays_on_this_machine(tmp_path, clock):
    with pytest.raises(Refusal, match=r"127\.0\.0\.1"):
        LocalServer("0.0.0.0", 2525, "gm@example.org", tmp_path, tmp_path, clock)


def test_a_port_that_is_taken_is_a_fault(tmp_path, server, port, clock):
    second = embedded(tmp_path, port, clock)
    with pytest.raises(PostFault, match=str(port)):
        second.start()
