"""Forum posts as emails: read by the same reader, with a unique address per account."""

from dataclasses import replace

import pytest

from adjudicator.mail.discourse import WrittenPost, letter_of_post, place_name, poster_address
from adjudicator.model.addresses import valid_address
from orders.mail.body import fresh_lines
from orders.mail.letter import open_letter

POST = WrittenPost(
    number="812",
    version=1,
    poster="Jane_Doe",
    text="Mohawk - Delaware\nOneida H — as agreed\n",
    at=1_767_636_000_000,
)


def test_a_post_is_read_as_a_letter() -> None:
    letter = open_letter(letter_of_post(POST, "beaver", "club", "gm+forum.aaaaaaaaaaaaa@example.org"))
    assert letter.sender == poster_address("jane_doe", "club")
    assert letter.recipients == ("gm+forum.aaaaaaaaaaaaa@example.org",)
    assert [line.text for line in fresh_lines(letter)] == ["Mohawk - Delaware", "Oneida H — as agreed"]
    assert (letter.date, letter.defects) == (POST.at, ())
    assert letter.subject == "Re: [beaver]"


def test_an_edited_post_is_another_letter() -> None:
    """Also where its writer was so quick that the forum counts no new version."""
    for edited in (replace(POST, version=2), replace(POST, text="Mohawk H\n")):
        assert place_name("77", edited) != place_name("77", POST)
        first, second = (
            open_letter(letter_of_post(one, "beaver", "club", "gm@example.org")) for one in (POST, edited)
        )
        assert first.message_id != second.message_id


def test_nothing_of_a_post_writes_headers() -> None:
    wicked = replace(POST, poster="x\r\nFrom: gm@example.org", number="1>\r\nBcc: a@b.example")
    letter = open_letter(letter_of_post(wicked, "beaver", "club", "gm@example.org"))
    assert letter.sender == poster_address(wicked.poster, "club")
    assert (letter.defects, letter.recipients) == ((), ("gm@example.org",))


@pytest.mark.parametrize("account", ["jane", "jane-doe", "jane doe", "jane=20=doe", "jané", "a@b.example"])
def test_accounts_are_told_apart(account: str) -> None:
    others = {"jane", "jane-doe", "jane doe", "jane=20=doe", "jané", "a@b.example"} - {account}
    named = poster_address(account, "club")
    assert valid_address(named) == named
    assert named not in {poster_address(one, "club") for one in others}
    assert named != poster_address(account, "other")
