"""Parts of emails: used again during deletion, lost, damaged, or of a deleted game."""

import os
import threading

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import Attachment, LetterDraft, Receipt
from adjudicator.storage import attachments, inbox, outbox, pruning, stored_games
from adjudicator.storage.database import BoundedCache, open_database
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import EnclosedRow, LetterRow, OutRow, PartRow
from games.record import replace_fields
from tests.kit.database_values import NOW, RED, letter, new_game, outgoing_letter

FILE = Attachment(name="map.png", media="image/png", content=os.urandom(9_000))
OWN = "gm@example.org"


def report(key, content=FILE):
    """A letter with a file, of the game that every test has."""
    outgoing = LetterDraft(
        key=key,
        to=f"{key}@example.org",
        subject="x",
        text="News.\n",
        attached=(content,),
        game="demo",
        seat=RED,
    )
    return encode_letter(outgoing, key=b"k", service_address=OWN, service_name="Turnpost", now=NOW)


@pytest.fixture(autouse=True)
def just_started(monkeypatch):
    """A repository without caches: everything is read from the database."""
    monkeypatch.setattr(attachments, "_PARTS_CACHE", BoundedCache(32))


@pytest.fixture
def two_reports(database):
    """Books with a game, and two reports with the same file."""
    stored_games.create(database, new_game(), [], NOW)
    reports = [report("one"), report("two")]
    outbox.put(database, reports, NOW)
    return reports


def test_a_file_that_is_used_again_just_now_is_not_thrown_away(postgresql):
    """Two workers: one writes a report with a picture, the other forgets the last letter that had it."""
    database = open_database(postgresql.fresh())
    try:
        outbox.put(database, [report("one")], NOW)
        database.run(OutRow.update(state="sent", game=None))

        def forget():
            pruning.prune(database, NOW + 1, pictures=False)
            database.close()

        other = threading.Thread(target=forget)
        with database.writing():
            outbox.put(database, [report("two")], NOW + 1)
            other.start()
            other.join()
        assert [one.raw for one in outbox.claim(database, NOW + 1)] == [report("two").raw]
        assert pruning.prune(database, NOW + 1, pictures=False) == 0
        assert database.count(PartRow.select()) == 1
    finally:
        database.close()


@pytest.mark.parametrize("harm", ["lost", "damaged", "recipe"])
def test_a_letter_whose_file_is_lost_fails_alone(database, two_reports, harm):
    """The others are sent, the GM is told, and the rest of it can be read."""
    outbox.put(
        database,
        [outgoing_letter("plain"), report("other", replace_fields(FILE, content=os.urandom(9_000)))],
        NOW,
    )
    (sha,) = attachments.split_letter(two_reports[0].raw)[1]
    if harm == "lost":
        database.run(PartRow.delete().where(PartRow.sha == sha))
    elif harm == "damaged":
        database.run(PartRow.update(data=b"z nonsense").where(PartRow.sha == sha))
    else:
        database.run(OutRow.update(data=b"\0parts1\0 nonsense").where(OutRow.key.in_(["one", "two"])))
    assert [one.key for one in outbox.claim(database, NOW)] == ["plain", "other"]
    failed = outbox.untold(database, OWN)
    assert [(one.sealed.key, one.state, one.settled) for one in failed] == [
        ("one", "failed", NOW),
        ("two", "failed", NOW),
    ]
    said = "is damaged" if harm == "recipe" else "no longer on the books"
    assert all(said in str(one.why) for one in failed)
    assert (b"News." in failed[0].sealed.raw) == (harm != "recipe")
    assert len(outbox.list_posted(database)) == 4
    assert outbox.claim(database, NOW + outbox.SEND_LEASE_MS * 2)[0].key == "plain", (
        "what failed is not taken again"
    )


def test_of_a_letter_that_is_damaged_nothing_else_is_asked_in_vain(database, two_reports):
    database.run(OutRow.update(data=b"\0parts1\0 nonsense", state="unsure"))
    assert DatabaseRepository(database).sheet(two_reports[0].message_id) == ()
    for one in outbox.unsure(database, NOW):
        outbox.clear_up(database, one.number, "marked", NOW)
    assert outbox.claim(database, NOW) == ()
    assert outbox.counts(database)["failed"] == 2


def test_what_is_damaged_is_not_joined_for_what_it_was(database, two_reports):
    """A file that is another than its SHA-256 says goes to nobody."""
    (sha,) = attachments.split_letter(two_reports[0].raw)[1]
    database.run(PartRow.update(data=b"=other").where(PartRow.sha == sha))
    assert outbox.claim(database, NOW) == ()


def test_a_letter_that_waits_outlives_the_game_it_is_read_for(database, two_reports):
    inbox.store_letters(database, [letter()], NOW)
    database.run(LetterRow.update(game="demo"))
    stored_games.delete(database, "demo", "gm", "a trial", NOW)
    (waits,) = inbox.waiting_letters(database)
    assert waits.raw == letter().raw


def test_that_letters_of_a_deleted_game_failed_is_forgotten_with_them(database, two_reports):
    """Their numbers can be used again, and new failures are reported."""
    outbox.settle(database, [Receipt(key="two", outcome="refused", why="550")], NOW)
    (failed,) = outbox.untold(database, OWN)
    outbox.put(database, [outgoing_letter(outbox.notice_key(failed.number))], NOW)
    database.run(OutRow.update(game=None, seat=None).where(OutRow.key == outbox.notice_key(failed.number)))
    stored_games.delete(database, "demo", "gm", "a trial", NOW)
    assert outbox.list_posted(database) == ()
    outbox.put(database, [outgoing_letter("a"), outgoing_letter("b")], NOW)
    outbox.settle(database, [Receipt(key=key, outcome="refused", why="550") for key in "ab"], NOW)
    assert [one.sealed.key for one in outbox.untold(database, OWN)] == ["a", "b"]


def test_forgetting_goes_through_the_letters_once(database, two_reports, monkeypatch):
    """However many have been forgotten before: each batch begins after the one before."""
    monkeypatch.setattr(pruning, "PRUNE_BATCH_ROWS", 2)
    outbox.put(database, [report(f"k{number}") for number in range(5)], NOW)
    outbox.put(database, [replace_fields(outgoing_letter("last"), game=None)], NOW)
    database.run(OutRow.update(state="sent").where(OutRow.key != "k1"))
    assert pruning.prune(database, NOW + 1, pictures=False) == 7
    assert [one.raw for one in outbox.claim(database, NOW)] == [report("k1").raw]
    assert database.count(EnclosedRow.select()) == database.count(PartRow.select()) == 1
