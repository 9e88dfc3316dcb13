"""Several mailboxes as one, and rate limits for providers."""

import threading
from pathlib import Path

import pytest

from adjudicator.clock import HOUR, MINUTE, ManualClock
from adjudicator.config.servers import Rate
from adjudicator.errors import PostFault
from adjudicator.mail.maildir import DoubtPolicy, Mailboxes, MaildirMailbox, write_letter
from adjudicator.mail.smtp import RateLimiter, Server, SmtpCarrier
from adjudicator.model.mail import OutgoingMessage


class Down(MaildirMailbox):
    """A mailbox whose server is down."""

    def new_letters(self, known):
        raise PostFault("imap", "it does not answer")
        yield

    def arrival_times(self, message_ids):
        raise PostFault("imap", "it does not answer")


def boxes(folder: Path, *kinds: type[MaildirMailbox]) -> Mailboxes:
    """Mailboxes of those kinds, with a letter in each."""
    made = []
    for number, kind in enumerate(kinds):
        made.append(kind(folder / str(number)))
        write_letter(folder / str(number), f"{number}", f"Message-ID: <{number}@x>\r\n\r\n{number}".encode())
    return Mailboxes(made)


def bodies(letters):
    return [letter.raw[-1:].decode() for letter in letters]


def test_letters_come_from_each_and_are_tidied_where_they_lay(tmp_path):
    box = boxes(tmp_path, MaildirMailbox, MaildirMailbox, MaildirMailbox)
    found = list(box.new_letters(lambda places: ()))
    assert bodies(found) == ["0", "1", "2"]
    assert {letter.mailbox for letter in found} == {box.name} == {f"maildir:{tmp_path}/0"}
    assert len({letter.place for letter in found}) == 3
    assert found[0].place == "new/0", "as it was when it was the only one"
    box.mark_kept([found[0].place, found[2].place])
    assert bodies(box.new_letters(lambda places: ())) == ["1"]


def test_each_is_asked_for_the_places_that_are_its_own(tmp_path):
    box = boxes(tmp_path, MaildirMailbox, MaildirMailbox)
    asked: list[str] = []

    class Asking(MaildirMailbox):
        def new_letters(self, known):
            asked.extend(known(["new/1", "new/2"]))
            return iter(())

    box._boxes["other"] = Asking(tmp_path / "9")
    list(box.new_letters(lambda places: ["other|new/2", "new/1"]))
    assert asked == ["new/2"]


def test_one_that_is_down_does_not_keep_the_others_back(tmp_path):
    """But the poll has failed, so it runs no turn."""
    box = boxes(tmp_path, Down, MaildirMailbox)
    letters = box.new_letters(lambda places: ())
    assert bodies([next(letters)]) == ["1"]
    said = ""
    try:
        assert list(letters) == []
    except PostFault as fault:
        said = str(fault)
    assert "does not answer" in said


def test_a_letter_is_looked_for_in_each(tmp_path):
    box = boxes(tmp_path, MaildirMailbox, MaildirMailbox)
    assert set(box.arrival_times(["<0@x>", "<1@x>", "<2@x>"])) == {"<0@x>", "<1@x>"}
    broken = boxes(tmp_path / "more", Down, MaildirMailbox)
    assert set(broken.arrival_times(["<1@x>"])) == {"<1@x>"}
    with pytest.raises(PostFault):
        broken.arrival_times(["<1@x>", "<2@x>"])


def test_all_are_tried_out_and_watched(tmp_path):
    box = boxes(tmp_path, MaildirMailbox, MaildirMailbox)
    assert len(box.try_out()) == 2
    box.watch(lambda: None, threading.Event())
    box.close()


# Pacing.

RATES = {"gmail.com": Rate(2, 60_000), "*": Rate(3, 1_000)}


def test_a_domain_takes_no_more_than_its_rate():
    pacing = RateLimiter(RATES)
    assert [pacing.wait("a@gmail.com", at) for at in (0, 10, 20)] == [0, 0, 59_980]
    assert pacing.wait("b@gmail.com", 59_999) == 1
    assert [pacing.wait("b@gmail.com", 60_000), pacing.wait("b@gmail.com", 60_001)] == [0, 9]


def test_each_of_the_others_has_a_rate_of_its_own():
    pacing = RateLimiter(RATES)
    assert [pacing.wait(f"a@{name}", 0) for name in "xxxxyyy"] == [0, 0, 0, 1_000, 0, 0, 0]
    assert [RateLimiter({}).wait("a@x", 0) for _ in range(100)] == [0] * 100


def test_letters_that_are_too_many_wait_and_the_others_go(relay, port):
    server, clock = relay(), ManualClock(1_000_000)
    plain = Server("127.0.0.1", port, tls="none", timeout_s=5)
    out = SmtpCarrier(plain, DoubtPolicy("marked"), pace=RATES, clock=clock)

    def sent(*addresses):
        letters = [
            OutgoingMessage(
                key=f"{clock.now()}/{place}", message_id="<k@x>", sender="gm@example.org", to=to, raw=b"x\r\n"
            )
            for place, to in enumerate(addresses)
        ]
        return out.deliver(letters, lambda letter: True)

    receipts = sent("a@gmail.com", "b@gmail.com", "c@gmail.com", "d@example.org")
    assert [receipt.outcome for receipt in receipts] == ["sent", "sent", "held", "sent"]
    assert (receipts[2].retry_at, receipts[2].why) == (
        1_060_000,
        "the rate limit of gmail.com is reached for now",
    )
    clock.set(1_060_000)
    assert sent("c@gmail.com")[0].outcome == "sent"
    assert len(server.taken) == 4


def test_a_limit_on_all_emails() -> None:
    """It counts what the limit of a domain lets pass, and no more."""
    pacing = RateLimiter({"gmail.com": Rate(1, MINUTE), "total": Rate(3, HOUR)})
    addresses = ["a@gmail.com", "b@gmail.com", "c@example.org", "d@example.org", "e@example.org"]
    waits = [pacing.wait(address, 0) for address in addresses]
    assert waits == [0, MINUTE, 0, 0, HOUR]
    assert pacing.wait("e@example.org", HOUR) == 0
