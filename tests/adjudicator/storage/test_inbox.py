"""Incoming emails are stored once and processed once."""

import pytest

from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.games import FileOrders, SetReady, SetWait, TakeSeat
from adjudicator.model.mail import LetterOutcome
from adjudicator.storage import inbox, outbox, stored_games
from adjudicator.storage.queries import DatabaseRepository
from games.record import replace_fields
from orders.mail.letter import fingerprint
from tests.kit.database_values import BLUE, NOW, RED, keep, letter, new_game, outgoing_letter, take


def test_a_letter_is_kept_once(database):
    kept = keep(database, letter())
    assert kept is not None
    assert kept.fingerprint == fingerprint(letter().raw)
    assert kept.raw == letter().raw
    assert keep(database, letter()) is None
    assert keep(database, letter(place="new/2")) is None
    assert inbox.waiting_letters(database) == (kept,)


def test_another_letter_at_the_same_place_is_kept(database):
    """A file name that comes back with another letter must not lose it."""
    assert keep(database, letter("Take 1"))
    assert keep(database, letter("Take 2"))
    assert len(inbox.waiting_letters(database)) == 2


def test_a_repeated_message_id_does_not_lose_a_letter(database):
    """Mail programs that send again from a template repeat it."""
    first, second = letter("Take 1", message_id="<same@x>"), letter("Take 2", message_id="<same@x>")
    assert fingerprint(first.raw) != fingerprint(second.raw)
    assert keep(database, first)
    assert keep(database, second)


@pytest.mark.parametrize(
    ("old", "new"), [("<1@", "<2@"), ("10:00", "10:01"), ("red@", "blue@"), ("Take 1", "Take 2")]
)
def test_message_id_date_sender_and_body_make_the_letter(old, new):
    raw = letter().raw
    assert old.encode() in raw
    assert fingerprint(raw) != fingerprint(raw.replace(old.encode(), new.encode()))


def test_fingerprints_do_not_depend_on_the_way(database):
    """Trace headers, folding and line ends aren't part of the email."""
    one = letter(message_id="<long@x>").raw
    other = letter(message_id="\r\n <long@x>", extra="Received: from there\r\nDelivered-To: gm@x\r\n").raw
    assert fingerprint(one) == fingerprint(other) == fingerprint(one.replace(b"\r\n", b"\n"))


@pytest.mark.parametrize("raw", [b"", b"\r\n\r\n", b"\0\xff", b"no header at all", b"Date:\n" * 20_000])
def test_whatever_arrives_has_a_fingerprint(database, raw):
    assert len(fingerprint(raw)) == 64
    assert keep(database, replace_fields(letter(), raw=raw))
    assert inbox.waiting_letters(database)[0].raw == raw


def test_letters_wait_in_the_order_in_which_servers_took_them(database):
    for place, received in enumerate((NOW + 5, NOW, NOW + 5, NOW - 1)):
        keep(database, letter(f"Take {place}", received=received))
    bodies = [kept.raw.split(b"Take ")[1][:1] for kept in inbox.waiting_letters(database)]
    assert bodies == [b"3", b"1", b"0", b"2"]
    assert len(inbox.waiting_letters(database, limit=2)) == 2


def test_strikes_are_counted(database):
    one, other = keep(database, letter("Take 1")), keep(database, letter("Take 2"))
    for _ in range(3):
        inbox.strike(database, [one.number, other.number])
    inbox.forgive(database, [other.number])
    assert [kept.tries for kept in inbox.waiting_letters(database)] == [3, 2]
    assert inbox.show(database, one.number).tries == 3


def file_orders(*counts, turn="T0", seat=RED):
    orders = tuple({"type": "Take", "count": count} for count in counts)
    return FileOrders(game="demo", by="red@example.org", seat=seat, turn=turn, orders=orders)


def read(*acts):
    return LetterOutcome(disposition="read", speaker="red@example.org", game="demo", seat=RED, acts=acts)


@pytest.fixture
def stored_email(database):
    """A game, and a letter for it that waits."""
    stored_games.create(database, new_game(), (), NOW)
    return keep(database, letter())


def test_a_letter_is_settled_with_all_it_does(database, stored_email):
    repository = DatabaseRepository(database)
    acts = (
        file_orders(2),
        SetWait(game="demo", by="red", seat=RED, wait=True, turn="T0"),
        SetReady(game="demo", by="red", seat=RED, ready=True),
        TakeSeat(game="demo", by="red", seat=BLUE, address="blue@example.org", password="scrypt$x"),
    )
    inbox.settle(
        database,
        stored_email,
        read(*acts),
        inbox.LetterEffects([outgoing_letter("letter/1/verdict")]),
        NOW + 9,
    )
    position = repository.position("demo")
    assert position.filed == {RED: (take(2),)}
    assert position.rev == 4
    assert (position.assignments[RED].wait, position.assignments[RED].ready) == (True, True)
    blue = position.assignments[BLUE]
    assert (blue.address, blue.password, blue.bot) == ("blue@example.org", "scrypt$x", "easy")
    assert inbox.waiting_letters(database) == ()
    shown = inbox.show(database, stored_email.number)
    assert (shown.disposition, shown.speaker, shown.game, shown.seat, shown.handled) == (
        "read",
        "red@example.org",
        "demo",
        RED,
        NOW + 9,
    )
    assert [letter.key for letter in outbox.claim(database, NOW + 9)] == ["letter/1/verdict"]
    assert repository.replies_since("red@example.org", NOW) == 1
    assert repository.replies_since("red@example.org", NOW + 10) == 0
    assert repository.letters_since("red@example.org", NOW + 9) == 1
    assert repository.letters_since("red@example.org", NOW + 10) == 0


def test_a_letter_cannot_be_settled_twice(database, stored_email):
    inbox.settle(database, stored_email, read(file_orders(2)), inbox.LetterEffects(), NOW)
    with pytest.raises(WriteConflict):
        inbox.settle(
            database, stored_email, read(file_orders(3)), inbox.LetterEffects([outgoing_letter("again")]), NOW
        )
    assert DatabaseRepository(database).position("demo").filed == {RED: (take(2),)}
    assert outbox.list_posted(database) == ()


@pytest.mark.parametrize(
    "act",
    [
        file_orders(1, turn="T1"),
        SetReady(game="demo", by="red", seat=RED, ready=True, turn="T1"),
        SetWait(game="demo", by="red", seat=RED, wait=True, turn="T1"),
    ],
)
def test_an_act_of_another_turn_leaves_the_letter_to_be_read_again(database, stored_email, act):
    with pytest.raises(WriteConflict):
        inbox.settle(
            database,
            stored_email,
            read(file_orders(2), act),
            inbox.LetterEffects([outgoing_letter("verdict")]),
            NOW,
        )
    position = DatabaseRepository(database).position("demo")
    assert (position.filed, position.rev) == ({}, 0)
    assert inbox.waiting_letters(database) == (stored_email,)
    assert outbox.list_posted(database) == ()


@pytest.mark.parametrize(
    ("act", "what"),
    [
        (replace_fields(file_orders(1), game="nowhere"), 'No game called "nowhere"'),
        (file_orders(1, seat="Green"), 'has no seat "Green"'),
    ],
)
def test_acts_need_a_game_and_a_seat(database, stored_email, act, what):
    with pytest.raises(Refusal, match=what):
        inbox.settle(database, stored_email, read(act), inbox.LetterEffects(), NOW)
    assert inbox.waiting_letters(database) == (stored_email,)


def test_no_orders_clear_the_file(database, stored_email):
    inbox.settle(database, stored_email, read(file_orders(2), file_orders()), inbox.LetterEffects(), NOW)
    assert DatabaseRepository(database).position("demo").filed == {}


def test_a_seat_that_changes_hands_makes_old_tokens_void(database, stored_email):
    def seated(address):
        act = TakeSeat(game="demo", by="gm", seat=RED, address=address)
        inbox.settle(database, keep(database, letter(str(address))), read(act), inbox.LetterEffects(), NOW)
        return DatabaseRepository(database).position("demo").assignments[RED]

    assert seated("red@example.org").generation == 1
    assert seated("other@example.org").generation == 2
    assert seated(None).generation == 3
    assert seated("third@example.org").generation == 3


def test_quarantine_keeps_the_letter_and_tells(database, stored_email):
    inbox.quarantine(
        database, stored_email.number, "boom \udcff", NOW, [outgoing_letter("quarantine/1", to="gm@x.org")]
    )
    assert inbox.waiting_letters(database) == ()
    shown = inbox.show(database, stored_email.number)
    assert (shown.disposition, shown.why, shown.raw) == ("quarantined", "boom ?", stored_email.raw)
    assert [letter.to for letter in outbox.claim(database, NOW)] == ["gm@x.org"]
    assert DatabaseRepository(database).replies_since("gm@x.org", 0) == 0
    with pytest.raises(WriteConflict):
        inbox.quarantine(database, stored_email.number, "again", NOW)


def test_letters_are_listed_latest_first_and_cut(database):
    for number in range(3):
        keep(database, letter(f"{number}" * 100_000))
    listed = inbox.list_letters(database, limit=2)
    assert [shown.number for shown in listed] == [3, 2]
    assert {len(shown.raw) for shown in listed} == {65536}
    assert len(inbox.show(database, 3).raw) > 100_000
    assert inbox.show(database, 4) is None
