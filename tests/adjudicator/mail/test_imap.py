"""The mailbox on a real Dovecot: fetching, moving, and broken connections."""

import random
import smtplib
import threading
from datetime import datetime

import pytest

from adjudicator.config.secrets import Secret
from adjudicator.config.servers import Imap
from adjudicator.errors import LoginFault, PostFault
from adjudicator.mail.imap import BATCH, MAX_FETCHED_LETTER_BYTES, Backoff, ImapConnection, ImapMailbox
from games.record import replace_fields
from tests.kit.certificates import issue
from tests.kit.network_proxy import breakable_proxy
from tests.kit.servers import PASSWORD

pytestmark = pytest.mark.usefixtures("many_logins")


def letter(number: int = 1, text: str = "W SNT - MEN") -> bytes:
    return (
        f"From: iroquois@example.test\r\nMessage-ID: <{number}@example.test>\r\n"
        f"Subject: orders\r\n\r\n{text}\r\n"
    ).encode()


@pytest.fixture
def user(dovecot):
    return dovecot.somebody()


@pytest.fixture
def at(dovecot, user):
    """Their mailbox, over STARTTLS."""
    return Imap(
        "localhost",
        dovecot.imap,
        "starttls",
        user,
        Secret("text", PASSWORD),
        ca_file=dovecot.papers.authority,
    )


def quick(at, **options):
    """A mailbox that comes back to a failed server at once."""
    patience = Backoff(random.Random(1))
    patience.note_failure = lambda at_least=0.0: 0.0
    return ImapMailbox(at, connect_seconds=300, read_seconds=300, patience=patience, **options)


def none_known(places):
    return frozenset()


def bodies(letters):
    return [one.raw.rpartition(b"\r\n\r\n")[2].strip() for one in letters]


def poll(box, known=none_known):
    """One poll, all letters of it marked as kept in the end."""
    arrived = list(box.new_letters(known))
    box.mark_kept([one.place for one in arrived])
    return arrived


# Letters.


def test_letters_come_in_their_order_and_are_moved_unseen(dovecot, user, at):
    for number in range(3):
        dovecot.deliver(user, letter(number, f"letter {number}"))
    assert bodies(poll(quick(at))) == [b"letter 0", b"letter 1", b"letter 2"]
    assert dovecot.letters(user) == []
    kept = dovecot.letters(user, "Turnpost")
    assert len(kept) == 3
    line = ImapConnection(at)
    line.open("Turnpost")
    assert len(line.numbers("UNSEEN")) == 3
    line.hang_up()
    assert poll(quick(at)) == []


def test_the_time_is_when_the_server_took_it(dovecot, user, at, monkeypatch):
    """In any time zone, and whatever the email says."""
    line = ImapConnection(at)
    line._imap.append("INBOX", letter(), msg_time=datetime.fromisoformat("2026-07-24T18:00:00+02:00"))
    line._imap.append("INBOX", letter(2), msg_time=datetime.fromisoformat("2026-01-24T18:00:00-05:00"))
    line.hang_up()
    assert [one.received for one in poll(quick(at))] == [1_784_908_800_000, 1_769_295_600_000]


def test_the_bytes_are_those_of_the_server(dovecot, user, at):
    dovecot.deliver(user, letter(), to=f"{user}+beaver.iroquois.abcdefghijkl2@example.test")
    (arrived,) = poll(quick(at))
    assert arrived.raw.endswith(letter())
    assert b"Delivered-To: " + user.encode() + b"+beaver.iroquois.abcdefghijkl2@" in arrived.raw
    assert arrived.mailbox == f"imap:{user}@localhost"


def test_an_overlarge_letter_is_fetched_in_part(dovecot, user, at):
    dovecot.deliver(
        user, letter(1, "x" * 70 + "\r\n" + ("y" * 70 + "\r\n") * (2 * MAX_FETCHED_LETTER_BYTES // 72))
    )
    dovecot.deliver(user, letter(2, "small"))
    large, small = poll(quick(at))
    assert len(large.raw) == MAX_FETCHED_LETTER_BYTES + 1
    assert b"Message-ID: <1@example.test>" in large.raw
    assert bodies([small]) == [b"small"]
    assert len(dovecot.letters(user, "Turnpost")[0]) > 1.9 * MAX_FETCHED_LETTER_BYTES


def test_a_backlog_comes_in_batches(dovecot, user, at):
    with smtplib.LMTP("127.0.0.1", dovecot.lmtp, local_hostname="localhost") as server:
        for number in range(2 * BATCH + 3):
            server.sendmail("a@example.test", [f"{user}@example.test"], letter(number, f"letter {number}"))
    box, asked = quick(at), []

    def known(places):
        asked.append(len(places))
        return frozenset()

    fetched = []
    for one in box.new_letters(known):
        fetched.append(one)
        box.mark_kept([one.place])
    assert asked == [BATCH, BATCH, 3]
    assert bodies(fetched) == [f"letter {number}".encode() for number in range(2 * BATCH + 3)]
    assert dovecot.letters(user) == []


def test_what_is_known_is_not_fetched_again_but_moved(dovecot, user, at):
    """The service died after it kept the first letter, and before it was moved."""
    dovecot.deliver(user, letter(1))
    (first,) = quick(at).new_letters(none_known)
    dovecot.deliver(user, letter(2, "second"))
    assert bodies(quick(at).new_letters(lambda places: {first.place} & set(places))) == [b"second"]
    assert len(dovecot.letters(user)) == 1
    assert dovecot.letters(user, "Turnpost")[0].endswith(b"W SNT - MEN\n")


def test_a_place_names_folder_validity_and_number(dovecot, user, at):
    dovecot.deliver(user, letter())
    (first,) = quick(at).new_letters(none_known)
    folder, validity, number = first.place.split("/")
    assert (folder, number) == ("INBOX", "1")
    dovecot.forget_numbers(user)
    (again,) = quick(at).new_letters(lambda places: {first.place} & set(places))
    assert again.place.split("/")[1] != validity
    assert again.raw == first.raw


def test_a_place_that_was_numbered_afresh_is_left_alone(dovecot, user, at):
    """Its number may be another letter's now."""
    dovecot.deliver(user, letter())
    box = quick(at)
    (first,) = box.new_letters(none_known)
    dovecot.forget_numbers(user)
    box.mark_kept([first.place])
    assert len(dovecot.letters(user)) == 1
    assert len(poll(box)) == 1
    assert dovecot.letters(user) == []


def test_marking_may_be_repeated(dovecot, user, at):
    dovecot.deliver(user, letter())
    box = quick(at)
    (one,) = poll(box)
    box.mark_kept([one.place])
    assert len(dovecot.letters(user, "Turnpost")) == 1


def test_several_folders(dovecot, user, at):
    at = replace_fields(at, folders=("INBOX", "Junk/Möglich"), kept="Archiv/Über uns")
    line = ImapConnection(at)
    line.make("Junk/Möglich")
    line._imap.append("Junk/Möglich", letter(2, "suspected"))
    line.hang_up()
    dovecot.deliver(user, letter(1, "trusted"))
    assert bodies(poll(quick(at))) == [b"trusted", b"suspected"]
    line = ImapConnection(at)
    line.open("Archiv/Über uns")
    assert len(line.numbers()) == 2
    line.hang_up()
    assert poll(quick(at)) == []


@pytest.mark.parametrize(("without", "left"), [(b" MOVE", 0), (b" MOVE UIDPLUS", 1)])
def test_servers_that_cannot_move(dovecot, user, at, without, left):
    """Copied, then taken away; where only everything marked could be taken away, it stays, marked."""
    dovecot.deliver(user, letter())
    with breakable_proxy(dovecot.imap) as between:
        between.replaced = {
            word: b" X" + b"Y" * (len(word) - 2) for word in map(b" ".__add__, without.split())
        }
        box = quick(replace_fields(at, host="127.0.0.1", port=between.port, tls="none"))
        arrived = poll(box)
        assert len(arrived) == 1
        places = {one.place for one in arrived}
        assert list(box.new_letters(lambda asked: places & set(asked))) == []
        assert list(box.new_letters(lambda asked: places & set(asked))) == []
    assert len(dovecot.letters(user)) == left
    assert len(dovecot.letters(user, "Turnpost")) == 1


def test_a_letter_is_looked_up_by_its_message_id(dovecot, user, at):
    box = quick(at)
    ids = ["<1@example.test>", "<2@example.test>", "<3@example.test>"]
    assert box.arrival_times(ids) == {}
    dovecot.deliver(user, letter())
    (first,) = poll(box)
    dovecot.deliver(user, letter(2))
    assert set(box.arrival_times(ids)) == set(ids[:2])
    assert box.arrival_times(ids)[ids[0]] == first.received


# The line.


def test_tls_from_the_first_byte(dovecot, user, at):
    dovecot.deliver(user, letter())
    assert len(poll(quick(replace_fields(at, tls="tls", port=dovecot.imaps)))) == 1


def test_a_stranger_s_certificate_is_not_trusted(at, tmp_path):
    other = issue(tmp_path / "others").authority
    with pytest.raises(LoginFault, match="certificate can't be trusted"):
        list(quick(replace_fields(at, ca_file=other)).new_letters(none_known))


def test_a_certificate_for_another_name_is_not_trusted(at):
    with pytest.raises(PostFault, match="certificate"):
        list(quick(replace_fields(at, host="127.1")).new_letters(none_known))


def test_a_server_that_hides_starttls_gets_no_password(dovecot, at):
    with breakable_proxy(dovecot.imap) as between:
        between.replaced = {b" STARTTLS": b" XXXXXXXX"}
        with pytest.raises(LoginFault, match="lacks a capability"):
            quick(replace_fields(at, port=between.port)).try_out()


def test_a_wrong_password_is_told_apart(at):
    with pytest.raises(LoginFault, match="the login was rejected") as caught:
        quick(replace_fields(at, password=Secret("text", "wrong"))).try_out()
    assert caught.value.retry_after == 900
    assert "wrong" not in str(caught.value)


def test_a_password_that_cannot_be_had(at, monkeypatch):
    monkeypatch.delenv("NOBODY_SET_THIS", raising=False)
    with pytest.raises(LoginFault, match="the environment has no variable NOBODY_SET_THIS"):
        quick(replace_fields(at, password=Secret("env", "NOBODY_SET_THIS"))).try_out()


def test_a_server_that_is_merely_busy_is_no_refusal(dovecot, at):
    with breakable_proxy(dovecot.imap) as between:
        between.replaced = {b"NO [AUTHENTICATIONFAILED]": b"NO [UNAVAILABLE] XXXXXXXX"}
        there = replace_fields(
            at, host="127.0.0.1", port=between.port, tls="none", password=Secret("text", "wrong")
        )
        with pytest.raises(PostFault, match="UNAVAILABLE") as caught:
            quick(there).try_out()
    assert not isinstance(caught.value, LoginFault)


def test_a_server_that_is_down(at):
    with pytest.raises(PostFault, match="can't be reached"):
        quick(replace_fields(at, port=1)).try_out()


def test_a_name_that_nobody_has(at):
    with pytest.raises(PostFault, match="can't be looked up"):
        quick(replace_fields(at, host="imap.invalid")).try_out()


def test_a_server_that_falls_silent_is_given_up(dovecot, at):
    with breakable_proxy(dovecot.imap) as between:
        between.jammed = True
        box = ImapMailbox(replace_fields(at, port=between.port), connect_seconds=0.3, read_seconds=0.3)
        with pytest.raises(PostFault, match="didn't reply in time"):
            box.try_out()


def test_a_broken_connection_is_a_fault_and_the_next_poll_goes_on(dovecot, user, at):
    for number in range(BATCH + 2):
        dovecot.deliver(user, letter(number, f"letter {number}"))
    box, arrived = quick(at), []
    letters = box.new_letters(none_known)
    arrived.append(next(letters))
    box.mark_kept([arrived[0].place])
    assert dovecot.hang_up() >= 1
    with pytest.raises(PostFault, match="connection broke"):
        box.mark_kept([next(letters).place])
    letters.close()
    rest = poll(box)
    assert len(rest) == BATCH + 1
    assert dovecot.letters(user) == []


def test_a_letter_that_the_server_cannot_give_keeps_no_other_from_coming(dovecot, user, at):
    """Its file cannot be read. The poll is not over while it lies there: it may hold orders."""
    for number in range(4):
        dovecot.deliver(user, letter(number, f"letter {number}"))
    quick(at).arrival_times(["<any@example.test>"])
    (bad,) = (file for file in dovecot.mailbox(user).glob("*/*.M*") if b"letter 1" in file.read_bytes())
    bad.chmod(0)
    box, arrived = quick(at), []

    def look_through():
        for one in box.new_letters(none_known):
            arrived.append(one)
            box.mark_kept([one.place])

    for _ in range(3):
        with pytest.raises(PostFault) as fault:
            look_through()
    assert bodies(arrived) == [b"letter 0", b"letter 2", b"letter 3"]
    assert "email 2 in the folder INBOX can't be fetched" in str(fault.value)
    (bad,) = dovecot.mailbox(user).glob("*/*.M*")
    bad.chmod(0o600)
    assert bodies(poll(box)) == [b"letter 1"]


def test_a_server_that_failed_is_left_alone_for_a_while(dovecot, at):
    with breakable_proxy(1) as nobody:
        patience = Backoff()
        patience.note_failure = lambda at_least=0.0: 3600.0
        box = ImapMailbox(replace_fields(at, port=nobody.port), patience=patience)
        for _ in range(3):
            with pytest.raises(PostFault):
                list(box.new_letters(none_known))
        assert nobody.connections == 1


# Being told.


class Bell:
    """Counts its rings."""

    def __init__(self):
        self.rung = threading.Semaphore(0)
        self.stop = threading.Event()

    def watch(self, box):
        """Have it rung from a thread, until the end of the test."""
        self.thread = threading.Thread(target=box.watch, args=(self.rung.release, self.stop))
        self.thread.start()
        return self

    def rings(self, seconds=300):
        return self.rung.acquire(timeout=seconds)


@pytest.fixture
def bell():
    made = Bell()
    yield made
    made.stop.set()
    made.thread.join(timeout=300)
    assert not made.thread.is_alive()


def test_a_new_letter_rings_at_once(dovecot, user, at, bell):
    bell.watch(quick(at))
    assert bell.rings(), "what may have come before is looked for"
    dovecot.deliver(user, letter())
    assert bell.rings()


def test_idle_is_renewed(dovecot, user, at, bell, monkeypatch):
    renewed, listen = threading.Semaphore(0), ImapConnection.listen
    monkeypatch.setattr(ImapConnection, "listen", lambda line: (listen(line), renewed.release()))
    bell.watch(quick(at, idle_seconds=0.05))
    assert bell.rings()
    assert renewed.acquire(timeout=300)
    for number in range(3):
        assert renewed.acquire(timeout=300)
        dovecot.deliver(user, letter(number))
        assert bell.rings()


def test_a_line_that_breaks_while_it_listens_is_dialled_again(dovecot, user, at, bell):
    box = quick(at)
    box._patience.lot.uniform = lambda low, high: 0.01
    bell.watch(box)
    assert bell.rings()
    dovecot.hang_up()
    assert bell.rings(), "it listens again, and what may have come meanwhile is looked for"
    dovecot.deliver(user, letter())
    assert bell.rings()


def test_a_server_without_idle_is_only_looked_into(dovecot, at, bell):
    with breakable_proxy(dovecot.imap) as between:
        between.replaced = {b" IDLE": b" XXXX"}
        bell.watch(quick(replace_fields(at, host="127.0.0.1", port=between.port, tls="none")))
        bell.thread.join(timeout=300)
        assert not bell.thread.is_alive()
    assert not bell.rings(0)


# What is found to work.


def test_it_is_tried_out(dovecot, user, at):
    dovecot.deliver(user, letter())
    assert quick(at).try_out() == (
        f"login of {user} at localhost:{dovecot.imap}, under STARTTLS",
        "folder INBOX, with 1 emails",
        "folder Turnpost, for emails that we have stored",
    )


def test_a_folder_that_is_not_there(at):
    with pytest.raises(PostFault, match="rejected a command"):
        quick(replace_fields(at, folders=("INBOX", "Nowhere"))).try_out()
