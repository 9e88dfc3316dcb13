"""Public reports for a channel, which is a list or a forum."""

from email import message_from_bytes, policy
from zoneinfo import ZoneInfo

import pytest

from adjudicator.config.channels import Channel
from adjudicator.mail.envelope import encode_letter
from adjudicator.messages import sentence
from adjudicator.reports.maps import Drawing
from adjudicator.reports.posts import channel_letter
from adjudicator.reports.report import compile_report

LIST = "turns@lists.example.org"
DRAWN = Drawing("<svg/>", b"PNG")


@pytest.fixture
def posted(kit):
    """Makes the letter to a channel in a form, and its bytes as the channel gets them."""

    def make(markup):
        report = compile_report(kit.game(), kit.position(), kit.played(), None)
        zone = ZoneInfo("Europe/Amsterdam")
        letter = channel_letter(kit.game(), report, Channel(LIST, markup), DRAWN, zone)
        raw = encode_letter(letter, key=b"k", service_address="gm@example.org", service_name="T", now=0).raw
        return letter, message_from_bytes(raw, policy=policy.default)

    return make


@pytest.mark.parametrize("markup", ["text", "bbcode", "markdown"])
def test_a_post_bears_no_mark_of_bulk_mail_and_still_our_own(posted, markup):
    """Forums refuse what a machine sent to many; our own mark keeps it from coming back."""
    letter, message = posted(markup)
    assert letter.to == LIST
    assert message["Auto-Submitted"] == "no"
    assert message["X-Loop"] == "gm@example.org"
    assert [message[name] for name in ("Precedence", "List-Id", "X-Auto-Response-Suppress", "Reply-To")] == [
        None
    ] * 4
    assert message["Subject"].startswith("A year of ")
    assert message["Subject"].endswith("[demo Y1P]")


def test_a_list_gets_the_letter_that_observers_get(posted):
    letter, message = posted("text")
    assert sentence("reports.report.reader", seat=None) in letter.text
    assert "18:20 CEST" in letter.text
    assert [part.get_content_type() for part in message.walk() if not part.is_multipart()] == [
        "text/plain",
        "text/html",
        "image/png",
    ]


@pytest.mark.parametrize(("markup", "mark"), [("bbcode", "[u]picker"), ("markdown", "<ins>picker")])
def test_a_forum_gets_its_marks_and_the_map_beside(posted, markup, mark):
    letter, message = posted(markup)
    assert mark in letter.text
    assert letter.html is None
    (picture,) = message.iter_attachments()
    assert (picture.get_filename(), picture.get_payload(decode=True)) == ("demo-Y1P.png", b"PNG")


def test_nobody_s_secrets_are_posted(posted):
    """Orchard hides what one of its players found."""
    for markup in ("text", "bbcode", "markdown"):
        letter, _ = posted(markup)
        assert "wasps" not in letter.text + (letter.html or "")
        assert "Order sheet" not in letter.text
