"""Undeliverable emails are noted at the seats, and too many disable an address. On both databases."""

import pytest

from adjudicator.model.mail import BOUNCE_WINDOW_MS, Bounce, LetterOutcome, Receipt
from adjudicator.storage import bounces, inbox, outbox
from adjudicator.storage.bounces import DatabaseBounceRepository
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.stored_games import create
from tests.kit.database_values import NOW, RED, letter, new_game, outgoing_letter

RED_AT = "red@example.org"


@pytest.fixture
def database_with_emails(database):
    """A database with a game and three letters to Red."""
    create(database, new_game(), [outgoing_letter(f"demo/{number}/report/Red") for number in range(3)], NOW)
    return database


def bounce(letter=1, hard=True, dead=False, why="550 no such user"):
    return Bounce(letter=letter, address=RED_AT, hard=hard, why=why, dead=dead)


def trouble(database):
    return DatabaseRepository(database).position("demo").assignments[RED].trouble


def keys(database, now=NOW):
    return [one.key for one in outbox.claim(database, now)]


def test_a_letter_is_found_by_where_it_comes_back_to(database_with_emails):
    found = DatabaseBounceRepository(database_with_emails).sent_letter("gm@service.example")
    assert (found.number, found.to, found.game, found.seat) == (1, RED_AT, "demo", RED)
    assert DatabaseBounceRepository(database_with_emails).sent_letter("gm+b.x.y@service.example") is None


def test_what_came_back_counts_once_a_letter(database_with_emails):
    bounces.note(database_with_emails, bounce(1, hard=False, why="421"), NOW)
    bounces.note(database_with_emails, bounce(1, why="550"), NOW + 5)
    bounces.note(database_with_emails, bounce(1, hard=False, why="421"), NOW + 6)
    bounces.note(database_with_emails, bounce(2, hard=False, why="421"), NOW + 7)
    repository = DatabaseBounceRepository(database_with_emails)
    assert [(one.letter, one.hard, one.why) for one in repository.bounces_since(RED_AT, NOW)] == [
        (1, True, "421"),
        (2, False, "421"),
    ]
    assert [one.letter for one in repository.bounces_since(RED_AT, NOW + 7)] == [2]
    assert repository.bounces_since("blue@example.org", NOW) == ()


def refuse(database, *numbers, now=NOW):
    for posted in outbox.claim(database, now):
        if int(posted.key.split("/")[1]) in numbers:
            outbox.begin(database, posted.key, now, False)
            outbox.settle(database, [Receipt(key=posted.key, outcome="refused", why="550 unknown")], now, 0)


def test_what_our_own_server_refuses_counts_as_much_as_what_comes_back(database_with_emails):
    refuse(database_with_emails, 0, 1)
    repository = DatabaseBounceRepository(database_with_emails)
    assert [(one.letter, one.hard, one.why) for one in repository.bounces_since(RED_AT, NOW)] == [
        (1, True, "550 unknown"),
        (2, True, "550 unknown"),
    ]
    assert not repository.is_disabled(RED_AT)
    bounces.note(database_with_emails, bounce(2), NOW)
    outbox.put(
        database_with_emails,
        [outgoing_letter("demo/7/report/Red"), outgoing_letter("demo/8/report/Red")],
        NOW,
    )
    refuse(database_with_emails, 7, now=NOW + outbox.SEND_LEASE_MS)
    assert repository.is_disabled(RED_AT)
    assert keys(database_with_emails, NOW + BOUNCE_WINDOW_MS) == []


def test_refusals_of_long_ago_are_forgotten(database_with_emails):
    refuse(database_with_emails, 0, 1)
    refuse(database_with_emails, 2, now=NOW + BOUNCE_WINDOW_MS + outbox.SEND_LEASE_MS)
    assert not DatabaseBounceRepository(database_with_emails).is_disabled(RED_AT)


def test_what_was_refused_is_shown_at_the_seat_and_what_was_put_off_is_not(database_with_emails):
    bounces.note(database_with_emails, bounce(1, hard=False), NOW)
    assert trouble(database_with_emails) is None
    bounces.note(database_with_emails, bounce(1), NOW)
    assert trouble(database_with_emails) == "550 no such user"


def test_that_a_server_takes_one_more_letter_proves_nothing(database_with_emails):
    """It will send that back too. Only after a fortnight it counts as good news."""
    bounces.note(database_with_emails, bounce(1), NOW)
    for moment, told in ((NOW, "550 no such user"), (NOW + BOUNCE_WINDOW_MS, None)):
        outbox.put(database_with_emails, [outgoing_letter(f"demo/{moment}/report/Red")], moment)
        claimed = outbox.claim(database_with_emails, moment)
        outbox.settle(database_with_emails, [Receipt(key=one.key, outcome="sent") for one in claimed], moment)
        assert trouble(database_with_emails) == told


def test_nothing_is_sent_to_an_address_that_was_given_up(database_with_emails):
    bounces.note(database_with_emails, bounce(1, dead=True), NOW)
    assert DatabaseBounceRepository(database_with_emails).is_disabled(RED_AT)
    assert [
        (one.address, one.since, one.why) for one in bounces.disabled_addresses(database_with_emails)
    ] == [(RED_AT, NOW, "550 no such user")]
    outbox.put(database_with_emails, [outgoing_letter("demo/9/report/Blue", to="blue@example.org")], NOW)
    assert keys(database_with_emails) == ["demo/9/report/Blue"]
    assert bounces.enable_address(database_with_emails, RED_AT)
    assert len(keys(database_with_emails)) == 3, "what was written for it meanwhile"
    assert trouble(database_with_emails) is None
    assert not bounces.enable_address(database_with_emails, RED_AT)
    assert DatabaseBounceRepository(database_with_emails).bounces_since(RED_AT, 0) == ()


def test_a_letter_that_speaks_for_its_seat_shows_that_somebody_is_there(database_with_emails):
    bounces.note(database_with_emails, bounce(1, dead=True), NOW)
    for place, (handled, dead) in enumerate(
        (
            (LetterOutcome("quarantined", None, RED_AT, "demo", RED), True),
            (LetterOutcome("read", None, RED_AT), True),
            (LetterOutcome("read", None, "blue@example.org", "demo", RED), True),
            (LetterOutcome("read", None, RED_AT, "demo", RED), False),
        )
    ):
        inbox.store_letters(database_with_emails, [letter(message_id=f"<{place}@x>", place=str(place))], NOW)
        (kept,) = inbox.waiting_letters(database_with_emails)
        inbox.settle(database_with_emails, kept, handled, inbox.LetterEffects(), NOW)
        assert DatabaseBounceRepository(database_with_emails).is_disabled(RED_AT) == dead


def test_a_report_is_settled_with_what_it_says(database_with_emails):
    inbox.store_letters(database_with_emails, [letter()], NOW)
    (kept,) = inbox.waiting_letters(database_with_emails)
    inbox.settle(
        database_with_emails,
        kept,
        LetterOutcome("ignored", "it came back", bounce=bounce(2)),
        inbox.LetterEffects(),
        NOW,
    )
    assert [
        one.letter for one in DatabaseBounceRepository(database_with_emails).bounces_since(RED_AT, 0)
    ] == [2]
