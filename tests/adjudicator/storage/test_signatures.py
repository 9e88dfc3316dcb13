"""Signed content of accepted emails, and confirmed emails. On both databases."""

import pytest

from adjudicator.clock import DAY
from adjudicator.errors import WriteConflict
from adjudicator.model.mail import IncomingLetter, LetterOutcome
from adjudicator.model.people import ConfirmEmail, NoteSignature
from adjudicator.storage import inbox, people
from adjudicator.storage.inbox import LetterEffects
from adjudicator.storage.queries import DatabaseRepository
from orders.mail.letter import fingerprint
from tests.kit.database_values import NOW, RED
from tests.kit.mail import letter

RAW = letter("SIGNON demo Red three-stones\nA 1")


def noted(content="c1", email="one", at=NOW):
    return NoteSignature(by="red@example.org", content=content, letter=email, at=at)


def test_what_is_signed_is_accepted_in_one_email(database):
    repository = DatabaseRepository(database)
    assert repository.accepted_in("c1") is None
    people.apply_action(database, noted())
    assert (repository.accepted_in("c1"), repository.accepted_in("c2")) == ("one", None)
    with pytest.raises(WriteConflict, match="in another one"):
        people.apply_action(database, noted(email="two"))
    assert repository.accepted_in("c1") == "one"


def test_what_was_signed_is_known_longer_than_any_copy_could_count(database):
    people.apply_action(database, noted())
    people.apply_action(database, noted("c2", "two", NOW + people.KEPT_FOR))
    assert people.KEPT_FOR > 8 * DAY
    assert people.accepted_in(database, "c1") == "one"
    people.apply_action(database, noted("c3", "three", NOW + people.KEPT_FOR + 1))
    assert people.accepted_in(database, "c1") is None


def test_an_email_that_is_confirmed_is_read_and_its_password_forgotten(database):
    inbox.store_letters(database, [IncomingLetter(mailbox="in", place="1", received=NOW, raw=RAW)], NOW)
    (kept,) = inbox.waiting_letters(database)
    mark = fingerprint(RAW)
    repository = DatabaseRepository(database)
    assert repository.quarantined_letter(mark) is None, "it waits to be read"
    inbox.settle(database, kept, LetterOutcome("quarantined", "who knows"), LetterEffects(), NOW)
    found = repository.quarantined_letter(mark)
    assert found is not None
    assert (found.raw, found.received, found.fingerprint, found.seat) == (RAW, NOW, mark, None)
    confirm = ConfirmEmail(
        by="red@example.org", why="confirmed", letter=mark, game="demo", seat=RED, at=NOW + 1
    )
    people.apply_action(database, confirm)
    (shown,) = inbox.list_letters(database)
    assert (shown.disposition, shown.why, shown.game, shown.seat) == ("read", "confirmed", "demo", RED)
    assert (shown.speaker, shown.handled) == ("red@example.org", NOW + 1)
    assert b"three-stones" not in shown.raw
    assert repository.quarantined_letter(mark) is None
    with pytest.raises(WriteConflict, match="was settled"):
        people.apply_action(database, confirm)
