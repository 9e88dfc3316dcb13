"""Emails without Message-ID and Date: repeated content counts again, however it arrives.

The third of three emails repeats the first, and the last one is in force. Emails that arrive twice because a
server missed our confirmation still count once.
"""

import imaplib
import os
import shutil
import smtplib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import games
from adjudicator.config.secrets import Secret
from adjudicator.config.servers import Imap
from adjudicator.mail.imap import ImapMailbox
from adjudicator.mail.local_server import LocalServer
from adjudicator.mail.maildir import write_letter
from adjudicator.storage import inbox
from tests.kit.attack_service import IROQUOIS, AttackedService, attacked_service, begin_games
from tests.kit.servers import PASSWORD, Dovecot

pytestmark = pytest.mark.usefixtures("many_logins")

SAID = ("Mohawk - Delaware", "Mohawk - Pequot", "Mohawk - Delaware")
TRACE = "Received: from example.net by mx.example.org with SMTP id {id}; Mon, 05 Jan 2026 18:00:00 +0000\r\n"


@pytest.fixture(scope="module")
def template_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A service to be copied."""
    folder = tmp_path_factory.mktemp("nameless")
    begin_games(folder / "template_folder", ["demo"])
    return folder


@pytest.fixture
def it(template_folder: Path, tmp_path: Path) -> Iterator[AttackedService]:
    """A service with a game in which the Iroquois are a person's."""
    with attacked_service(
        Path(shutil.copytree(template_folder / "template_folder", tmp_path / "service"))
    ) as besieged:
        yield besieged


def letter(it: AttackedService, said: str) -> bytes:
    return f"From: {IROQUOIS}\r\nTo: {it.reply()}\r\nSubject: orders\r\n\r\n{said}\r\n".encode()


def say(it: AttackedService, arrives: Callable[[bytes], object]) -> None:
    """The three letters, one handled after the other; all within one second."""
    for said in SAID:
        arrives(letter(it, said))
        it.service.poll()
        it.service.process()
        it.clock.advance(7)


def list_mohawk_orders(it: AttackedService) -> list[str]:
    """Return the orders of the Mohawk."""
    written = map(games.kinds()["indianomacy"].notation.write, it.position().filed["Iroquois"])
    return [order for order in written if order.startswith("W MHK")]


def count(it: AttackedService) -> int:
    return len(inbox.list_letters(it.service.database, 100))


def test_by_the_embedded_server(it: AttackedService) -> None:
    server = LocalServer("127.0.0.1", 0, "gm@example.org", it.folder / "in", it.folder / "mail", it.clock)
    server.start()
    try:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=600, local_hostname="localhost") as client:
            say(it, lambda raw: client.sendmail(IROQUOIS, [it.reply()], raw))
    finally:
        server.stop()
    assert (count(it), list_mohawk_orders(it)) == (3, ["W MHK - DEL"])


def test_by_a_pipe(it: AttackedService) -> None:
    say(it, it.service.receive)
    assert (count(it), list_mohawk_orders(it)) == (3, ["W MHK - DEL"])


def test_by_a_maildir(it: AttackedService) -> None:
    """As written by a script that gives all emails one name."""

    def script(raw: bytes) -> None:
        write_letter(it.folder / "in", "orders", raw)
        os.utime(it.folder / "in" / "new" / "orders", ns=(it.clock.now() * 10**6,) * 2)

    say(it, script)
    assert (count(it), list_mohawk_orders(it)) == (3, ["W MHK - DEL"])


def test_by_imap(it: AttackedService, dovecot: Dovecot) -> None:
    user = dovecot.somebody()
    at = Imap("127.0.0.1", dovecot.imap, "none", user, Secret("text", PASSWORD))
    it.service = replace(it.service, mailbox=ImapMailbox(at))

    def append(raw: bytes) -> None:
        with imaplib.IMAP4("127.0.0.1", dovecot.imap, timeout=600) as box:
            box.login(user, PASSWORD)
            box.append("INBOX", "", '"05-Jan-2026 18:00:00 +0000"', raw)

    say(it, append)
    assert (count(it), list_mohawk_orders(it)) == (3, ["W MHK - DEL"])
    it.service.mailbox.close()


def test_a_folder_numbered_afresh_makes_no_second_letter(it: AttackedService, dovecot: Dovecot) -> None:
    """The server's trace headers identify an email under another number."""
    user = dovecot.somebody()
    at = Imap("127.0.0.1", dovecot.imap, "none", user, Secret("text", PASSWORD))
    it.service = replace(it.service, mailbox=ImapMailbox(at))
    dovecot.deliver(user, letter(it, SAID[0]))
    for one in it.service.mailbox.new_letters(lambda places: ()):
        inbox.store_letters(it.service.database, [one], it.clock.now())
    dovecot.forget_numbers(user)
    assert it.service.poll() == 0
    assert count(it) == 1
    it.service.mailbox.close()


def test_a_mail_server_that_did_not_hear_us_hands_the_same_letter_over(it: AttackedService) -> None:
    first, second = (TRACE.format(id=number).encode() + letter(it, SAID[0]) for number in (1, 2))
    assert it.service.receive(first)
    it.clock.advance(60_000)
    assert not it.service.receive(first)
    assert it.service.receive(second), "another letter that says the same"


def test_a_mail_program_that_looked_at_a_file_made_no_second_letter_of_it(it: AttackedService) -> None:
    write_letter(it.folder / "in", "1.orders", letter(it, SAID[0]))
    (seen,) = it.service.mailbox.new_letters(lambda places: ())
    inbox.store_letters(it.service.database, [seen], it.clock.now())
    (it.folder / "in" / "new" / "1.orders").rename(it.folder / "in" / "cur" / "1.orders:2,S")
    assert it.service.poll() == 0


def test_a_post_office_whose_folder_was_taken_away_makes_it_again(it: AttackedService) -> None:
    server = LocalServer("127.0.0.1", 0, "gm@example.org", it.folder / "in", it.folder / "mail", it.clock)
    server.start()
    try:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=600, local_hostname="localhost") as client:
            client.sendmail(IROQUOIS, [it.reply()], letter(it, SAID[0]))
            shutil.rmtree(it.folder / "in")
            client.mail(IROQUOIS)
            client.rcpt(it.reply())
            assert client.data(letter(it, SAID[1]))[0] == 250
    finally:
        server.stop()
    assert it.service.poll() == 1
