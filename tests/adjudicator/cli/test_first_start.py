"""The first start on a mailbox in use: earlier emails stay where they are, and nobody gets an email."""

import imaplib
import shutil
import smtplib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adjudicator.cli.app import app
from adjudicator.clock import DAY, HOUR, MINUTE, WallClock, datetime_of
from adjudicator.mail.maildir import make_maildir, write_letter
from adjudicator.messages import sentence
from adjudicator.storage import metadata
from adjudicator.storage.database import open_database
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.mail import letter
from tests.kit.servers import DOMAIN, PASSWORD, Dovecot

pytestmark = pytest.mark.usefixtures("many_logins")

OLD_EMAILS = 600
KINDS = sentence("inbound.unknown_senders.welcome_subject")


@pytest.fixture
def user(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> str:
    """A person with a mailbox, whose password is in the environment."""
    monkeypatch.setenv("GM_IMAP_PASSWORD", PASSWORD)
    return dovecot.somebody()


def init(folder: Path, *words: str) -> Result:
    """Run `gm init` and return its output."""
    fixed = ["init", f"--folder={folder}", "--no-local", "--outbox=maildir:./mail/out", "--yes"]
    return CliRunner().invoke(app, [*fixed, *words], prog_name="gm")


def init_on_server(folder: Path, dovecot: Dovecot, user: str) -> Terminal:
    """A service on a mailbox of Dovecot, whose emails go into a folder."""
    inbox = f"--inbox=imap://{user}@localhost:{dovecot.imap}"
    done = init(folder, inbox, f"--address={user}@{DOMAIN}", f"--ca-file={dovecot.papers.authority}")
    assert done.exit_code == 0, done.output
    return Terminal(folder)


def init_on_folder(folder: Path) -> Terminal:
    """A service between two Maildirs."""
    done = init(folder, "--address=gm@example.org")
    assert done.exit_code == 0, done.output
    return Terminal(folder)


def go_round(terminal: Terminal) -> None:
    """Have the service do all its jobs once."""
    for job in ("poll", "process", "send"):
        terminal.says(f"run {job}")


def stranger(number: int, date: int | None = None) -> bytes:
    """An email of somebody who has never heard of us."""
    now = WallClock().now() if date is None else date
    return letter(f"See you on Friday, {number}.", sender=f"friend{number}@example.net", date=now)


def sent_to(folder: Path) -> list[str]:
    """Return the addresses to which the service has written."""
    files = (folder / "mail" / "out" / "new").glob("*")
    return sorted(line[4:] for file in files for line in file.read_text().splitlines() if line[:4] == "To: ")


def unseen(dovecot: Dovecot, user: str) -> int:
    """Return the number of unread emails in the INBOX."""
    with imaplib.IMAP4("localhost", dovecot.imap) as mailbox:
        mailbox.login(user, PASSWORD)
        mailbox.select("INBOX", readonly=True)
        return len(mailbox.search(None, "UNSEEN")[1][0].split())


def findings(terminal: Terminal, about: str) -> list[str]:
    """Return the doctor's findings about a topic."""
    return [one["said"] for one in terminal.told("doctor --wait 0") if one["about"] == about]


def test_six_hundred_emails_stay_unread_in_the_inbox(tmp_path: Path, dovecot: Dovecot, user: str) -> None:
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp, local_hostname="localhost") as server:
        for number in range(OLD_EMAILS):
            server.sendmail("a@example.test", [f"{user}@{DOMAIN}"], stranger(number))
    terminal = init_on_server(tmp_path, dovecot, user)
    go_round(terminal)
    assert len(dovecot.letters(user)) == unseen(dovecot, user) == OLD_EMAILS
    assert dovecot.letters(user, "Turnpost") == []
    assert terminal.told("mail list") == []
    assert sent_to(tmp_path) == []


def test_an_email_that_comes_afterwards_is_answered(tmp_path: Path, dovecot: Dovecot, user: str) -> None:
    """Also in the second in which the service was set up: servers note no smaller time."""
    dovecot.deliver(user, stranger(1))
    terminal = init_on_server(tmp_path, dovecot, user)
    dovecot.deliver(user, stranger(2))
    go_round(terminal)
    assert sent_to(tmp_path) == ["friend2@example.net"]
    assert len(dovecot.letters(user)) == 1
    assert len(dovecot.letters(user, "Turnpost")) == 1


def test_a_clock_of_the_server_that_is_slow_loses_nothing(
    tmp_path: Path, dovecot: Dovecot, user: str
) -> None:
    terminal = init_on_server(tmp_path, dovecot, user)
    append(dovecot, user, stranger(1), WallClock().now() - 3 * MINUTE)
    go_round(terminal)
    assert sent_to(tmp_path) == ["friend1@example.net"]


def test_old_emails_that_are_moved_into_the_inbox_are_left_alone(
    tmp_path: Path, dovecot: Dovecot, user: str
) -> None:
    """The server keeps the time at which it took them."""
    terminal = init_on_server(tmp_path, dovecot, user)
    append(dovecot, user, stranger(1), WallClock().now() - DAY)
    go_round(terminal)
    assert sent_to(tmp_path) == []
    assert len(dovecot.letters(user)) == 1


def test_a_folder_that_is_numbered_afresh_is_told_by_the_time(
    tmp_path: Path, dovecot: Dovecot, user: str
) -> None:
    """An email that came afterwards may have a smaller number then than the next one was to get before."""
    for number in range(5):
        append(dovecot, user, stranger(number), WallClock().now() - HOUR)
    expunge(dovecot, user, "1:4")
    terminal = init_on_server(tmp_path, dovecot, user)
    dovecot.forget_numbers(user)
    append(dovecot, user, stranger(9), WallClock().now() + MINUTE)
    go_round(terminal)
    assert sent_to(tmp_path) == ["friend9@example.net"]
    assert len(dovecot.letters(user)) == 1


def append(dovecot: Dovecot, user: str, raw: bytes, received: int) -> None:
    """Lay an email into the INBOX that the server took at that time."""
    with imaplib.IMAP4("localhost", dovecot.imap) as mailbox:
        mailbox.login(user, PASSWORD)
        mailbox.append("INBOX", "", datetime_of(received), raw)


def expunge(dovecot: Dovecot, user: str, numbers: str) -> None:
    """Delete some emails of the INBOX for good."""
    with imaplib.IMAP4("localhost", dovecot.imap) as mailbox:
        mailbox.login(user, PASSWORD)
        mailbox.select("INBOX")
        mailbox.store(numbers, "+FLAGS", "\\Deleted")
        mailbox.expunge()


def test_init_and_doctor_count_them(tmp_path: Path, dovecot: Dovecot, user: str) -> None:
    for number in range(3):
        dovecot.deliver(user, stranger(number))
    inbox = f"--inbox=imap://{user}@localhost:{dovecot.imap}"
    words = [inbox, f"--address={user}@{DOMAIN}", f"--ca-file={dovecot.papers.authority}"]
    assert init(tmp_path, *words, "--json").exit_code == 0
    done = init(tmp_path, *words, "--force")
    assert "3 emails arrived before" in done.stdout
    terminal = Terminal(tmp_path)
    dovecot.deliver(user, stranger(4))
    (told,) = (said for said in findings(terminal, "inbox") if "before" in said)
    assert told.startswith("3 emails arrived before")


def test_a_maildir_in_use(tmp_path: Path) -> None:
    box = tmp_path / "mail" / "in"
    box.parent.mkdir()
    make_maildir(box)
    for number in range(5):
        write_letter(box, f"{WallClock().now() - HOUR}.{number}", stranger(number))
    write_letter(box, "1764000000.M1P2.host", stranger(5))
    done = init(tmp_path, "--address=gm@example.org", "--json")
    assert '"left": 6' in done.stdout
    terminal = Terminal(tmp_path)
    write_letter(box, f"{WallClock().now()}.6", stranger(6))
    go_round(terminal)
    assert sent_to(tmp_path) == ["friend6@example.net"]
    assert len(list((box / "new").iterdir())) == 6
    (told,) = (said for said in findings(terminal, "inbox") if "before" in said)
    assert told.startswith("6 emails arrived before")


def test_an_empty_mailbox_is_not_spoken_of(tmp_path: Path) -> None:
    done = init(tmp_path, "--address=gm@example.org")
    assert "arrived before" not in done.stdout
    assert not [said for said in findings(Terminal(tmp_path), "inbox") if "before" in said]


# Who has such a mark.


def start_of(terminal: Terminal) -> int | None:
    """When the service was set up, as it remembers."""
    database = open_database(str(terminal.folder / "turnpost.db"))
    start = metadata.service_start(database)
    database.close()
    return None if start is None else start.at


def test_a_second_init_of_a_service_without_a_game_counts(tmp_path: Path) -> None:
    terminal = init_on_folder(tmp_path)
    first = start_of(terminal)
    assert init(tmp_path, "--address=gm@example.org", "--force").exit_code == 0
    assert first is not None
    assert start_of(terminal) > first


@pytest.mark.parametrize(
    "begun", ["game new war-chest beaver", "game new indianomacy beaver --open --players 3"]
)
def test_a_second_init_of_a_service_with_a_game_changes_nothing(tmp_path: Path, begun: str) -> None:
    terminal = init_on_folder(tmp_path)
    first = start_of(terminal)
    terminal.says(begun)
    assert init(tmp_path, "--address=gm@example.org", "--force").exit_code == 0
    assert start_of(terminal) == first


def test_a_database_of_before_has_none_and_reads_all(tmp_path: Path) -> None:
    """Like a database that an earlier program made and that was upgraded."""
    terminal = init_on_folder(tmp_path)
    (tmp_path / "turnpost.db").unlink()
    write_letter(tmp_path / "mail" / "in", f"{WallClock().now() - HOUR}.1", stranger(1))
    go_round(terminal)
    assert start_of(terminal) is None
    assert sent_to(tmp_path) == ["friend1@example.net"]


def test_neither_restore_nor_migrate_sets_one(tmp_path: Path) -> None:
    old = init_on_folder(tmp_path / "old")
    (tmp_path / "old" / "turnpost.db").unlink()
    old.says("game new war-chest beaver")
    old.says(f"backup {tmp_path / 'all.backup'}")
    again = Terminal(tmp_path / "again")
    again.says(f"restore {tmp_path / 'all.backup'} --yes")
    assert start_of(again) is None
    shutil.copy(tmp_path / "old" / "gm.toml", tmp_path / "gm.toml")
    old.says(f"migrate {tmp_path / 'other.db'} --stopped")
    database = open_database(str(tmp_path / "other.db"))
    assert metadata.service_start(database) is None
    database.close()


# Strangers whose emails are old.


@pytest.mark.parametrize(("age", "answered"), [(DAY + MINUTE, 0), (DAY - MINUTE, 1), (-HOUR, 1)])
def test_an_email_of_yesterday_is_not_told_what_there_is_to_play(
    terminal: Terminal, age: int, answered: int
) -> None:
    terminal.drop(stranger(1, date=WallClock().now() - age))
    go_round(terminal)
    assert len(sent_to(terminal.folder)) == answered
    (shown,) = terminal.told("mail list")
    assert shown["decided"] == "quarantined"
