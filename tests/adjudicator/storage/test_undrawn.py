"""Emails whose pictures are drawn when they are sent equal those with pictures drawn at once."""

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import LetterDraft
from adjudicator.reports.maps import DeferredPicture, Picture, sources
from adjudicator.storage import attachments, outbox
from adjudicator.storage.database import BoundedCache
from adjudicator.storage.tables import EnclosedRow, OutRow, PartRow
from games.record import replace_fields
from tests.adjudicator.storage.test_drawings import draw, svg
from tests.kit.database_values import NOW, RED


@pytest.fixture(autouse=True)
def just_started(monkeypatch):
    """A repository without caches: everything is read from the database."""
    monkeypatch.setattr(attachments, "_PARTS_CACHE", BoundedCache(1))


def letter(key, picture, to="red@example.org", front=None):
    outgoing = LetterDraft(
        key=key, to=to, subject="x", text="News.\n", html="<img src='cid:map'><img src='cid:front'>",
        picture=picture, front=front, game="demo", seat=RED,
    )  # fmt: skip
    sealed = encode_letter(
        outgoing, key=b"k", service_address="gm@example.org", service_name="Turnpost", now=NOW
    )
    return replace_fields(sealed, drawn=sources([picture, front]))


def later(key, turn=0, **named):
    return letter(key, DeferredPicture.from_svg(svg(turn), 1200), **named)


def at_once(key, turn=0, **named):
    return letter(key, Picture.of(draw(svg(turn), 1200), svg(turn), 1200), **named)


def draw_all(database):
    waiting = attachments.pending_pictures(database)
    for one in waiting:
        attachments.draw(database, one, draw(one.svg, one.width_px))
    return len(waiting)


def rows(database):
    """Everything that is kept of letters and their parts."""
    letters = [bytes(row.data) for row in database.run(OutRow.select().order_by(OutRow.number))]
    found = database.run(PartRow.select().order_by(PartRow.sha))
    enclosed = database.run(EnclosedRow.select().order_by(EnclosedRow.letter, EnclosedRow.sha))
    kept = [(row.sha, bytes(row.data), bytes(row.drawing), row.base) for row in found]
    return letters, kept, [(row.letter_id, row.sha) for row in enclosed]


def test_a_letter_goes_when_its_picture_is_drawn(database):
    outbox.put(database, [later("one")], NOW)
    assert outbox.claim(database, NOW) == ()
    assert [one.svg for one in attachments.pending_pictures(database)] == [svg(0)]
    assert draw_all(database) == 1
    (claimed,) = outbox.claim(database, NOW)
    assert claimed.raw == at_once("one").raw
    assert draw_all(database) == 0


def test_then_the_books_are_as_if_it_had_been_drawn_at_once(database):
    front = DeferredPicture.from_svg(svg(9), 600)
    outbox.put(database, [later("one", front=front), later("two"), later("three", 3)], NOW)
    assert draw_all(database) == 3
    found = rows(database)
    database.run(OutRow.delete())
    database.run(EnclosedRow.delete())
    database.run(PartRow.delete())
    front = Picture.of(draw(svg(9), 600), svg(9), 600)
    outbox.put(database, [at_once("one", front=front), at_once("two"), at_once("three", 3)], NOW)
    first = min(row.number for row in database.run(OutRow.select())) - 1
    letters, kept, enclosed = rows(database)
    assert found == (letters, kept, [(number - first, sha) for number, sha in enclosed])


def test_a_letter_without_one_does_not_wait_for_others(database):
    outbox.put(database, [later("one"), at_once("two", 2, to="blue@example.org")], NOW)
    assert [one.key for one in outbox.claim(database, NOW)] == ["two"]
    draw_all(database)
    assert [one.key for one in outbox.claim(database, NOW)] == ["one"]


def test_it_is_drawn_for_whoever_looks_at_it_before(database):
    database.draw = draw
    outbox.put(database, [later("one")], NOW)
    assert outbox.show(database, 1).sealed.raw == at_once("one").raw
    (listed,) = outbox.list_posted(database)
    assert b"News." in listed.sealed.raw
    assert len(attachments.pending_pictures(database)) == 1, "what is looked at is not what goes"


def test_two_that_draw_the_same_do_not_disturb_each_other(database):
    outbox.put(database, [later("one")], NOW)
    (waits,) = attachments.pending_pictures(database)
    attachments.draw(database, waits, draw(waits.svg, waits.width_px))
    attachments.draw(database, waits, draw(waits.svg, waits.width_px))
    (claimed,) = outbox.claim(database, NOW)
    assert claimed.raw == at_once("one").raw
    assert [row.sha for row in database.run(PartRow.select())] == [
        row.sha for row in database.run(EnclosedRow.select())
    ]


def test_no_other_picture_is_kept_as_what_differs_from_one_that_waits(database):
    outbox.put(database, [later("waits", 1), at_once("gone", 2)], NOW)
    database.run(OutRow.update(state="sent", settled=NOW).where(OutRow.key == "gone"))
    assert attachments.press(database, NOW + 1) == 1
    assert [row.base for row in database.run(PartRow.select().where(PartRow.base.is_null(False)))] == []
    draw_all(database)
    database.draw = draw
    assert outbox.show(database, 2).sealed.raw == at_once("gone", 2).raw


def test_it_stays_while_a_letter_has_it_and_goes_with_the_last(database):
    outbox.put(database, [later("one")], NOW)
    with database.writing():
        assert attachments.forget(database) == 0
    database.run(OutRow.delete())
    database.run(EnclosedRow.delete())
    with database.writing():
        assert attachments.forget(database) == 1
