"""Pictures and files are stored once: emails are split and joined again to the last byte."""

import os

import pytest

from adjudicator.mail.envelope import encode_letter
from adjudicator.model.mail import Attachment, LetterDraft
from adjudicator.storage import attachments, inbox, outbox, pruning, stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import EnclosedRow, LetterRow, OutRow, PartRow
from games.record import replace_fields
from tests.kit.database_values import NOW, RED, letter, new_game, outgoing_letter

DAY = 86_400_000
PNG = os.urandom(90_000)
SVG = b"<svg>" + b"<path d='M10 20 L30 40'/>" * 6_000 + b"</svg>"


def report(number, **fields):
    """A report as it is sealed: text, a page, a picture in it, a drawing beside it."""
    values = {
        "key": f"demo/report/{number}",
        "to": f"red{number}@example.org",
        "subject": "A report",
        "text": f"To reader {number}\n" + "A VIE - GAL moved\n" * 300,
        "html": f"<p>{number}</p>" + "<p>A VIE - GAL moved</p>\n" * 400 + "<img src='cid:map'>",
        "picture": PNG,
        "attached": (Attachment(name="map.svg", media="image/svg+xml", content=SVG),),
        "game": "demo",
        "seat": RED,
    }
    outgoing = LetterDraft(**{**values, **fields})
    return encode_letter(
        outgoing, key=b"k" * 32, service_address="gm@example.org", service_name="Turnpost", now=NOW
    )


@pytest.fixture
def seven_reports(database):
    """Books with a game, and a report of a turn to seven readers."""
    stored_games.create(database, new_game(), [], NOW)
    reports = [report(number) for number in range(7)]
    outbox.put(database, reports, NOW)
    return reports


def size(database, model, column):
    return sum(len(bytes(getattr(row, column))) for row in database.run(model.select()))


def test_what_all_get_is_kept_once_and_each_letter_goes_out_as_it_was(database, seven_reports):
    assert database.count(PartRow.select()) == 2
    assert [one.raw for one in outbox.claim(database, NOW)] == [one.raw for one in seven_reports]
    whole = sum(len(one.raw) for one in seven_reports)
    kept = size(database, OutRow, "data") + size(database, PartRow, "data")
    assert (whole, kept) > (2_000_000, 0)
    assert kept < 60_000 * len(seven_reports) / 2


ODD = {
    "nothing": b"",
    "plain": b"plain",
    "what looks like a recipe": b"\0parts1\0 is no letter",
    "no base64": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"!" * 5000 + b"\r\n--",
    "one long line": b"Content-Transfer-Encoding: base64\r\n\r\n" + b"QUJD" * 2000 + b"\r\n--=_x--\r\n",
    "a head alone": b"Content-Transfer-Encoding: base64\r\n",
    "any bytes": bytes(range(256)) * 40,
    "cut off": report(1).raw[:-3],
    "bare line ends": report(1).raw.replace(b"\r\n", b"\n"),
    "a file like a boundary": report(
        1, attached=(Attachment(name="a", media="b/c", content=b"--" + PNG),)
    ).raw,
}


@pytest.mark.parametrize("what", ODD)
def test_whatever_a_letter_holds_it_comes_back_to_the_last_byte(database, what):
    raw = ODD[what]
    kept, enclosed = attachments.split_letter(raw)
    with database.writing():
        attachments.keep(database, enclosed)
    assert attachments.join_letter(database, kept) == raw
    assert raw.startswith(attachments.text_before_parts(kept)[:100])


def test_a_letter_that_goes_again_has_a_header_more(database, seven_reports):
    (first, *_) = outbox.claim(database, NOW)
    outbox.begin(database, first.key, NOW)
    outbox.recover(database, NOW, at_start=True)
    (unsure,) = outbox.unsure(database, NOW)
    outbox.clear_up(database, unsure.number, "marked", NOW)
    assert outbox.show(database, unsure.number).sealed.raw == outbox.REPEATED + first.raw


def test_letters_of_before_are_read_as_they_are(database, seven_reports):
    database.run(OutRow.update(data=seven_reports[0].raw).where(OutRow.number == 1))
    assert outbox.show(database, 1).sealed.raw == seven_reports[0].raw


def done_with(database):
    """All letters have gone, and those that came are read."""
    database.run(OutRow.update(state="sent"))
    database.run(LetterRow.update(disposition="read", handled=NOW))


def test_bytes_are_kept_for_a_while_and_pictures_as_long_as_the_game_runs(database, seven_reports):
    inbox.store_letters(database, [letter()], NOW)
    done_with(database)
    assert pruning.prune(database, NOW, pictures=True) == 0
    assert pruning.prune(database, NOW + 1, pictures=True) == 8
    assert {one.sealed.raw for one in outbox.list_posted(database)} == {b""}
    assert {one.raw for one in inbox.list_letters(database)} == {b""}
    assert DatabaseRepository(database).sheet(seven_reports[0].message_id) is None or not size(
        database, OutRow, "data"
    )
    assert DatabaseRepository(database).is_ours(seven_reports[0].message_id)
    assert database.count(PartRow.select()) == 2
    database.run(stored_games.GameRow.update(status="finished"))
    assert pruning.prune(database, NOW + 1, pictures=True) == 0
    assert database.count(PartRow.select()) == 0


def test_what_waits_is_kept_however_old_it_is(database, seven_reports):
    inbox.store_letters(database, [letter()], NOW)
    assert pruning.prune(database, NOW + 999 * DAY, pictures=False) == 0
    assert [one.raw for one in outbox.claim(database, NOW)] == [one.raw for one in seven_reports]


def test_a_picture_goes_with_its_last_letter_if_it_is_said_so(database, seven_reports):
    done_with(database)
    pruning.prune(database, NOW + 1, pictures=False)
    assert (database.count(PartRow.select()), database.count(EnclosedRow.select())) == (0, 0)


def test_a_game_that_is_deleted_takes_its_letters_along(database, seven_reports):
    outbox.put(database, [replace_fields(outgoing_letter("of-nobody"), game=None, seat=None)], NOW)
    inbox.store_letters(database, [letter()], NOW)
    database.run(LetterRow.update(disposition="read", game="demo", speaker="red@example.org"))
    stored_games.delete(database, "demo", "gm", "a trial", NOW)
    assert [one.sealed.key for one in outbox.list_posted(database)] == ["of-nobody"]
    (came,) = inbox.list_letters(database)
    assert (came.raw, came.speaker) == (b"", None)
    assert inbox.store_letters(database, [letter()], NOW) == 0, "it is known still"
    assert database.count(PartRow.select()) == 0


def test_the_log_is_touched_by_none_of_it(database, seven_reports):
    before = stored_games.log(database, "demo")
    done_with(database)
    pruning.prune(database, NOW + 1, pictures=False)
    assert stored_games.log(database, "demo") == before
    assert DatabaseRepository(database).position("demo").head_sha == before[-1][0].sha


def test_the_sizes_add_up(database, seven_reports):
    found = pruning.sizes(database, NOW)
    assert found.letters_out == size(database, OutRow, "data")
    drawn = sum(len(row.drawing or b"") for row in database.run(PartRow.select()))
    assert found.parts == size(database, PartRow, "data") + drawn
    assert found.a_day == found.letters_out // 7
    assert found.all > found.letters_out + found.parts
