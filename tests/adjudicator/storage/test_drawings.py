"""Pictures of processed emails are stored as small drawings, and drawn again to the last byte."""

import hashlib
import os
import threading
from itertools import product

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import Attachment, LetterDraft, PictureSource
from adjudicator.storage import attachments, outbox, pruning, stored_games
from adjudicator.storage.database import BoundedCache, open_database
from adjudicator.storage.tables import EnclosedRow, OutRow, PartRow
from games.record import replace_fields
from tests.kit.database_values import NOW, RED, new_game

DAY = 86_400_000
BOARD = [f"<path id='{place}' d='{os.urandom(60).hex()}'/>" for place in range(400)]


def svg(turn):
    """A board of which little changes from one turn to the next."""
    lines = list(BOARD)
    lines[turn * 7 % 400] = f"<text>{turn}</text>"
    lines.insert(turn, f"<circle cx='{turn}'/>")
    return "\n".join(["<svg>", *lines, "</svg>"])


def draw(drawing, width_px):
    """A picture: the same of the same drawing, and as large as pictures are."""
    return hashlib.shake_256(f"{width_px}{drawing}".encode()).digest(60_000)


def report(key, turn=0, game="demo", **fields):
    png = draw(svg(turn), 1200)
    outgoing = LetterDraft(
        key=key, to="red@example.org", subject="x", text="News.\n", html="<img src='cid:map'>", picture=png,
        game=game, seat=RED, **fields
    )  # fmt: skip
    letter = encode_letter(
        outgoing, key=b"k", service_address="gm@example.org", service_name="Turnpost", now=NOW
    )
    drawn = PictureSource(sha=hashlib.sha256(png).hexdigest(), svg=svg(turn), width_px=1200)
    return replace_fields(letter, drawn=(drawn,))


@pytest.fixture(autouse=True)
def just_started(monkeypatch):
    """A repository without caches: everything is read from the database."""
    monkeypatch.setattr(attachments, "_PARTS_CACHE", BoundedCache(1))


@pytest.fixture
def six_reports(database):
    """Books with a game, and a report of each of six turns that has gone."""
    database.draw = draw
    stored_games.create(database, new_game(), [], NOW)
    reports = [report(f"k{turn}", turn) for turn in range(6)]
    outbox.put(database, reports, NOW)
    database.run(OutRow.update(state="sent", settled=NOW))
    return reports


def raws(database):
    """All letters, as they are shown."""
    return [outbox.show(database, number).sealed.raw for number in range(1, 7)]


def test_of_pictures_that_went_the_drawing_is_left_and_makes_the_same_letter(database, six_reports):
    assert attachments.press(database, NOW + 1) == 6
    assert raws(database) == [one.raw for one in six_reports]
    rows = list(database.run(PartRow.select()))
    assert sorted(bool(row.base) for row in rows) == [False, *[True] * 5]
    assert {len(row.data) for row in rows} == {0}
    short = [len(row.drawing) for row in rows if row.base]
    assert max(short) < 500, short
    assert attachments.press(database, NOW + 2) == 0
    listed = outbox.list_posted(database)
    assert all(b"News." in one.sealed.raw and len(one.sealed.raw) < 9_000 for one in listed), (
        "nothing is drawn"
    )


@pytest.mark.parametrize("state", ["ready", "sending", "unsure", "sent"])
def test_what_a_letter_waits_for_stays_as_it_is(database, six_reports, state):
    later = {"state": state, "settled": NOW + 9 if state == "sent" else None}
    database.run(OutRow.update(**later).where(OutRow.key == "k3"))
    database.draw = None
    assert attachments.press(database, NOW + 1) == 5
    assert outbox.show(database, 4).sealed.raw == six_reports[3].raw


def test_what_is_sent_again_is_there_again(database, six_reports):
    """A picture that was done with goes to another reader: from its bytes, not from a drawing."""
    attachments.press(database, NOW + 1)
    database.draw = None
    outbox.put(database, [report("again0", 0), report("again3", 3)], NOW + 2)
    claimed = outbox.claim(database, NOW + 2)
    assert [one.raw for one in claimed] == [report("again0", 0).raw, report("again3", 3).raw]
    database.run(OutRow.update(state="sent", settled=NOW + 2))
    database.draw = draw
    assert attachments.press(database, NOW + 3) == 2
    assert raws(database) == [one.raw for one in six_reports]


def test_each_game_by_itself_and_none_loses_what_it_differs_from(database, six_reports):
    other = [report(f"o{turn}", turn + 50, game=None) for turn in range(2)]
    outbox.put(database, other, NOW)
    database.run(OutRow.update(state="sent", settled=NOW))
    attachments.press(database, NOW + 1)
    database.run(OutRow.delete().where(OutRow.key == "k0"))
    with database.writing():
        assert attachments.forget(database) == 0, "others differ from it"
    assert outbox.show(database, 3).sealed.raw == six_reports[2].raw
    database.run(OutRow.delete().where(OutRow.game == "demo"))
    for left in (5, 1):
        with database.writing():
            assert attachments.forget(database) == left
    assert database.count(PartRow.select()) == 2


def test_a_drawing_that_goes_along_is_kept_as_a_drawing_too(database):
    files = [Attachment(name="m.svg", media="image/svg+xml", content=svg(turn).encode()) for turn in range(2)]
    letters = [report(f"k{turn}", 7, attached=(file,)) for turn, file in enumerate(files)]
    outbox.put(database, letters, NOW)
    database.run(OutRow.update(state="sent", settled=NOW))
    database.draw = draw
    assert attachments.press(database, NOW + 1) == 3
    assert [outbox.show(database, number).sealed.raw for number in (1, 2)] == [one.raw for one in letters]
    assert pruning.sizes(database, NOW).parts < 60_000


def test_a_program_that_draws_otherwise_shows_it_and_sends_it_to_nobody(database, six_reports):
    attachments.press(database, NOW + 1)
    database.draw = lambda drawing, width_px: b"another picture"
    assert b"News." in raws(database)[0]
    database.run(OutRow.update(state="ready", lease=None).where(OutRow.number == 1))
    assert outbox.claim(database, NOW + 1) == ()
    assert outbox.show(database, 1).state == "failed"


def test_a_picture_that_is_used_again_just_now_keeps_its_bytes(postgresql):
    database = open_database(postgresql.fresh())
    try:
        outbox.put(database, [report("k0", game=None)], NOW)
        database.run(OutRow.update(state="sent", settled=NOW))
        pressed = []

        def press():
            pressed.append(attachments.press(database, NOW + 1))
            database.close()

        other = threading.Thread(target=press)
        with database.writing():
            outbox.put(database, [report("k1", game=None)], NOW)
            other.start()
            other.join()
        assert pressed == [0]
        assert [one.raw for one in outbox.claim(database, NOW)] == [report("k1", game=None).raw]
        assert database.count(EnclosedRow.select()) == 2
    finally:
        database.close()


OLD = ["", "a", "a\nb\nc\nd", "a\na\na\nb"]
NEW = ["", "b\na", "a\nb\nx\nc\nd\na\nb", "x\ny", "a\na"]


@pytest.mark.parametrize(("old", "new"), list(product(OLD, NEW)))
def test_whatever_changed_it_is_told_from_what_it_was(old, new):
    pieces = attachments._differing(new, old)
    base = old.split("\n")
    assert "\n".join(line for piece in pieces for line in attachments._lines(piece, base)) == new
