"""Maildirs: read in order of arrival, nothing deleted, and written completely."""

import os
import stat

import pytest

from adjudicator.errors import PostFault
from adjudicator.mail import maildir
from adjudicator.mail.maildir import MaildirCarrier, MaildirMailbox, make_maildir, write_letter
from adjudicator.model.mail import OutgoingMessage

NOW = 1_795_000_000_000


def nothing(places):
    """No place is known."""
    return ()


def whatever(letter):
    """Every letter may go out."""
    return True


@pytest.fixture
def box(tmp_path):
    return MaildirMailbox(tmp_path / "in")


def drop(path, name, raw=b"letter", seconds=None):
    """A file that somebody put there."""
    (path / name).write_bytes(raw)
    if seconds is not None:
        os.utime(path / name, (seconds, seconds))


def test_letters_come_in_the_order_of_their_arrival(tmp_path, box):
    new, cur = tmp_path / "in" / "new", tmp_path / "in" / "cur"
    drop(new, f"{NOW + 2000}.aa.turnpost", b"third")
    drop(new, "dropped by hand", b"second", seconds=(NOW + 1000) // 1000)
    drop(cur, "opened in mutt:2,S", b"first", seconds=NOW // 1000)
    drop(new, ".hidden")
    (new / "folder").mkdir()
    letters = list(box.new_letters(nothing))
    assert [letter.raw.splitlines()[-1] for letter in letters] == [b"first", b"second", b"third"]
    assert [letter.received for letter in letters] == [NOW, NOW + 1000, NOW + 2000]
    assert {letter.mailbox for letter in letters} == {box.name}


def test_a_kept_letter_is_tidied_away_and_not_deleted(tmp_path, box):
    drop(tmp_path / "in" / "new", "one", b"1")
    drop(tmp_path / "in" / "cur", "two:2,", b"2")
    for letter in list(box.new_letters(nothing)):
        box.mark_kept([letter.place])
        box.mark_kept([letter.place])
    assert list(box.new_letters(nothing)) == []
    kept = {file.name: file.read_bytes() for file in (tmp_path / "in" / ".Kept" / "cur").iterdir()}
    assert kept == {"one:2,S": b"1", "two:2,S": b"2"}


def test_a_name_that_comes_back_replaces_no_letter(tmp_path, box):
    for raw in (b"1", b"2", b"3"):
        drop(tmp_path / "in" / "new", "same", raw)
        box.mark_kept(["new/same"])
    kept = sorted((tmp_path / "in" / ".Kept" / "cur").iterdir())
    assert sorted(file.read_bytes() for file in kept) == [b"1", b"2", b"3"]


def test_a_letter_that_vanishes_meanwhile_is_passed_over(tmp_path, box):
    for name in ("a", "b"):
        drop(tmp_path / "in" / "new", name, name.encode(), seconds=NOW // 1000)
    letters = box.new_letters(nothing)
    assert next(letters).raw.endswith(b"\na")
    (tmp_path / "in" / "new" / "b").unlink()
    assert list(letters) == []


def test_a_huge_letter_is_cut(tmp_path, box, monkeypatch):
    monkeypatch.setattr(maildir, "SIZE_LIMIT_BYTES", 10)
    drop(tmp_path / "in" / "new", "huge", b"x" * 100)
    (huge,) = box.new_letters(nothing)
    assert huge.raw.endswith(b"\n" + b"x" * 10), "named, and no more of it"


def test_a_maildir_that_is_gone_is_a_fault_of_the_post(tmp_path, box):
    (tmp_path / "in" / "cur").rmdir()
    with pytest.raises(PostFault) as caught:
        list(box.new_letters(nothing))
    assert caught.value.retry_after == 60.0
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PostFault):
        MaildirMailbox(tmp_path / "file")


def letter(key, raw=b"raw"):
    return OutgoingMessage(key=key, message_id="<1@x>", sender="gm@x", to="a@b", raw=raw)


def test_a_sink_keeps_each_letter_once(tmp_path):
    sink = MaildirCarrier(tmp_path / "out")
    receipts = sink.deliver([letter("a", b"1"), letter("b", b"2")], whatever)
    assert [(receipt.key, receipt.outcome) for receipt in receipts] == [("a", "sent"), ("b", "sent")]
    sink.deliver([letter("a", b"1")], whatever)
    new, cur = tmp_path / "out" / "new", tmp_path / "out" / "cur"
    assert sorted(file.read_bytes() for file in new.iterdir()) == [b"1", b"2"]
    for file in list(new.iterdir()):
        file.rename(cur / (file.name + ":2,S"))
    sink.deliver([letter("a", b"1"), letter("b", b"2")], whatever)
    assert list(new.iterdir()) == []


def test_a_sink_that_cannot_write_holds_its_letters(tmp_path):
    sink = MaildirCarrier(tmp_path / "out")
    (tmp_path / "out" / "tmp").rmdir()
    receipts = sink.deliver([letter("a")], whatever)
    assert receipts[0].outcome == "held"
    assert "tmp" in receipts[0].why


def test_a_letter_is_written_whole(tmp_path):
    make_maildir(tmp_path / "m")
    write_letter(tmp_path / "m", "one", b"first")
    write_letter(tmp_path / "m", "one", b"second")
    assert (tmp_path / "m" / "new" / "one").read_bytes() == b"second"
    assert list((tmp_path / "m" / "tmp").iterdir()) == []


def test_a_new_one_is_for_its_owner_alone(tmp_path):
    """Letters with reply tokens will lie in it."""
    make_maildir(tmp_path / "mail" / "in")
    assert stat.S_IMODE((tmp_path / "mail" / "in").stat().st_mode) == 0o700
    (tmp_path / "mail" / "in").chmod(0o770)
    make_maildir(tmp_path / "mail" / "in")
    assert stat.S_IMODE((tmp_path / "mail" / "in").stat().st_mode) == 0o770, "what somebody settled stays"
