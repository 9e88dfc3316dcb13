"""``gm mail`` and ``gm run``: incoming, processed and outgoing emails, and how they are shown."""

import smtplib

import pytest

from adjudicator.admin import game_admin
from adjudicator.auth.tokens import redact_text
from adjudicator.cli.mail import text_of
from adjudicator.clock import DAY
from adjudicator.config.service import load_settings
from adjudicator.mail.maildir import write_letter
from adjudicator.messages import sentence
from adjudicator.service import open_service
from adjudicator.storage import metadata
from orders.mail.letter import open_letter
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.ports import free_ports

TOKEN = "abcdefghijkl2"


@pytest.fixture
def answered_game(beaver: Terminal) -> Terminal:
    """The game, in which the Iroquois wrote and were answered."""
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    tagged = f"Re: [beaver S1M Iroquois #{reply.split('.')[2].partition('@')[0]}] Welcome"
    beaver.mail(reply, "SIGNON beaver Iroquois hush-hush\nMohawk - Delaware\nOneida - Nowhere\n", tagged)
    beaver.says("run poll")
    beaver.says("run process")
    return beaver


def test_each_job_says_what_it_did(beaver: Terminal) -> None:
    assert beaver.says("run poll") == "0 new emails stored, 0 to be read.\n"
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    beaver.mail(reply, "Mohawk - Delaware")
    assert beaver.says("run poll") == "1 new email stored, 1 to be read.\n"
    assert beaver.says("run process") == "1 email read, 0 turns processed.\n  email 1: read\n"
    assert beaver.says("run send") == "2 emails sent, 0 ready, 0 failed.\n"
    assert len(list((beaver.folder / "mail" / "out" / "new").iterdir())) == 2


def test_each_job_tells_programs_too(beaver: Terminal) -> None:
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    beaver.mail(reply, "READY")
    assert beaver.told("run poll") == {"kept": 1, "waiting": 1}
    told = beaver.told("run process")
    assert told == {
        "letters": [{"letter": 1, "disposition": "read", "why": None}],
        "turns": {"beaver": 1},
        "alarms": 0,
    }
    sent = beaver.told("run send")
    # The welcome, the answer, the report, and what a bot proposes.
    assert sent["sent"] == 4
    assert sent["outbox"]["sent"] == 4
    assert sent["stuck"] is None


def test_a_turn_that_was_played_is_told(beaver: Terminal) -> None:
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    beaver.mail(reply, "READY")
    beaver.says("run poll")
    said = beaver.says("run process")
    assert "1 email read, 1 turn processed." in said
    assert "  game beaver: 1 turn\n" in said


def slept(beaver: Terminal) -> None:
    """The service was last awake three months ago."""
    service = open_service(load_settings(beaver.config))
    metadata.note_alive(service.database, service.clock.now() - 90 * DAY)
    service.database.close()


def deadline(beaver: Terminal) -> int:
    """To the millisecond: the argument is the time since the game began, which may be below a second."""
    service = open_service(load_settings(beaver.config))
    at = game_admin.position_of(service, "beaver").deadline
    service.database.close()
    assert at is not None
    return at


@pytest.mark.parametrize("job", ["poll", "process"])
def test_rounds_that_are_long_overdue_give_time_again(beaver: Terminal, job: str) -> None:
    text = beaver.config.read_text(encoding="utf-8")
    beaver.config.write_text(text.replace("[service]\n", '[service]\nrounds = "5m"\n', 1))
    before = deadline(beaver)
    slept(beaver)
    beaver.says(f"run {job}")
    assert deadline(beaver) > before


def test_without_a_timetable_a_round_is_never_overdue(beaver: Terminal) -> None:
    before = deadline(beaver)
    slept(beaver)
    beaver.says("run poll")
    assert deadline(beaver) == before


def test_a_server_that_is_not_there(beaver: Terminal) -> None:
    (closed,) = free_ports(1)
    text = beaver.config.read_text(encoding="utf-8")
    beaver.config.write_text(text.replace("maildir:./mail/out", f"smtp://127.0.0.1:{closed}", 1))
    result = beaver.gm("run send")
    assert result.exit_code == 1
    assert result.stdout == "0 emails sent, 1 ready, 0 failed.\n"
    assert result.stderr.startswith("Can't send 1 email: ")
    with pytest.raises(OSError, match="refused"):
        smtplib.SMTP("127.0.0.1", closed, local_hostname="localhost")


def test_letters_that_came_in(answered_game: Terminal) -> None:
    head, row = answered_game.says("mail list").splitlines()
    assert head.split() == ["number", "received", "from", "subject", "game", "seat", "decided", "why"]
    assert "[beaver S1M Iroquois #…] Welcome" in row
    assert row.endswith("read")
    (told,) = answered_game.told("mail list")
    assert (told["number"], told["from"], told["seat"]) == (1, "iroquois@example.org", "Iroquois")
    assert told["received"].endswith("+00:00")


def test_letters_that_went_out(answered_game: Terminal) -> None:
    rows = answered_game.says("mail list --out").splitlines()
    assert len(rows) == 3
    assert all("ready" in row for row in rows[1:])
    assert [one["number"] for one in answered_game.told("mail list --out --limit 1")] == [2]


def test_lists_that_are_empty_say_so(terminal: Terminal) -> None:
    assert terminal.says("mail list") == "There are no incoming emails yet.\n"
    assert terminal.says("mail list --out") == "There are no outgoing emails yet.\n"
    assert terminal.told("mail list") == []


def test_a_letter_with_what_was_decided_and_why(answered_game: Terminal) -> None:
    shown = answered_game.says("mail show 1")
    assert "decided:      read" in shown
    assert "Mohawk - Delaware" in shown
    assert "Reply (email 2 of gm mail list --out, ready):" in shown
    assert sentence("reports.transcript.in_force", said="W MHK - DEL") in shown
    assert "Nowhere" in shown.split("Reply (email 2")[1]
    told = answered_game.told("mail show 1")
    assert told["answers"][0]["number"] == 2
    assert told["tries"] == 1


def test_nothing_by_which_one_could_speak_for_a_seat(answered_game: Terminal) -> None:
    token = answered_game.told("seat show beaver iroquois")["reply_address"].split(".")[2].partition("@")[0]
    for line in ("mail show 1", "mail show 1 --out", "mail show 2 --out", "mail list", "mail list --out"):
        shown = answered_game.says(line) + answered_game.says(f"{line} --json")
        assert token not in shown
        assert "hush-hush" not in shown
    assert token in answered_game.says("mail show 2 --out --raw")


def test_raw_is_the_letter_byte_for_byte(answered_game: Terminal) -> None:
    """Except a password, which is deleted once the email is read."""
    came = next((answered_game.folder / "mail" / "in" / ".Kept" / "cur").iterdir()).read_bytes()
    assert b"hush-hush" in came
    assert answered_game.gm("mail show 1 --raw").stdout_bytes == came.replace(b"hush-hush", b"***")


def test_numbers_that_are_not_there(terminal: Terminal) -> None:
    assert terminal.refused("mail show 9") == ('No incoming email 9. Use "gm mail list" to see them.\n')
    assert "No outgoing email 9" in terminal.refused("mail show 9 --out")


def test_a_letter_that_was_ignored_says_why(beaver: Terminal) -> None:
    head = b"From: robot@example.org\r\nAuto-Submitted: auto-replied\r\nSubject: away\x1b[2J\r\n"
    raw = head + b"\r\nI am away\r\n"
    write_letter(beaver.folder / "mail" / "in", "away", raw)
    beaver.says("run poll")
    assert "waiting" in beaver.says("mail list")
    assert "email 1: ignored (" in beaver.says("run process")
    shown = beaver.says("mail show 1")
    assert "decided:      ignored" in shown
    assert "why:          " in shown
    assert "\x1b" not in shown
    assert "defects:      no message-id" in shown


def test_a_letter_in_html_alone_and_its_attachment() -> None:
    raw = (
        b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n"
        b"<p>Mohawk - Delaware</p><blockquote>quoted</blockquote>\r\n--x\r\nContent-Type: image/png\r\n"
        b"Content-Disposition: attachment; filename=a.png\r\n\r\nPNG\r\n--x--\r\n"
    )
    assert text_of(open_letter(raw)).splitlines()[0] == "Mohawk - Delaware"
    assert "> quoted" in text_of(open_letter(raw))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"gm+beaver.iroquois.{TOKEN}@example.org", "gm+beaver.iroquois.…@example.org"),
        (f"[beaver S1M Iroquois #{TOKEN}] hello", "[beaver S1M Iroquois #…] hello"),
        (
            f"<beaver.iroquois.{TOKEN}.0123456789abcdef@example.org>",
            "<beaver.iroquois.….0123456789abcdef@example.org>",
        ),
        ("> first line:  SIGNON beaver Iroquois hush", "> first line:  SIGNON beaver Iroquois …"),
        ("sign on beaver Iroquois hush hush", "sign on beaver Iroquois ***"),
        ("> > SINGON beaver Iroquois hush", "> > SINGON beaver Iroquois ***"),
        ("SIGNON beaver Iroquois\nMohawk - Delaware", "SIGNON beaver Iroquois\nMohawk - Delaware"),
        ("see you at the bay, and bring the canoe", "see you at the bay, and bring the canoe"),
    ],
)
def test_secrets_are_left_out(text: str, shown: str) -> None:
    assert redact_text(text) == shown
