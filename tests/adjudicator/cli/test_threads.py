"""``gm orders read``: orders from a forum, with the replies that emails get."""

import pytest

from adjudicator.admin.forums import COMMAND_IN_FORUM
from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal

THREAD = """The deadline is near!

jane wrote:
[quote=gm]Mohawk - Abnaki[/quote]
Mohawk - Delaware
Oneida - Chickasaw
WAIT

stranger:
Seneca - Erie
"""


@pytest.fixture
def thread(beaver: Terminal) -> str:
    """A file with a thread in it."""
    file = beaver.folder / "thread.txt"
    file.write_text(THREAD)
    return str(file)


def read_saved_orders(terminal: Terminal) -> list[str]:
    (sight,) = terminal.told("orders show beaver iroquois")
    return list(sight["orders"])


def test_lawful_orders_are_filed_and_each_line_is_answered_as_in_a_letter(
    beaver: Terminal, thread: str
) -> None:
    said = beaver.says(f"orders read beaver --from {thread} --who jane=iroquois")
    assert read_saved_orders(beaver) == ["W MHK - DEL", "# not taken: Oneida - Chickasaw"]
    for words in (
        sentence("reports.transcript.in_force", said="W MHK - DEL"),
        "Oneida - Chickasaw",
        "✗ Not possible: Oneida doesn't border Chickasaw",
        COMMAND_IN_FORUM.format(verb="WAIT"),
    ):
        assert words in " ".join(said.split())
    assert "Left out: 1 line from line 1, because no author is named above it." in said
    assert "Left out: 1 line from line 9, because stranger isn't a player." in said
    assert "Saved orders of 1 seat in beaver." in said


def test_the_answer_is_the_one_that_a_letter_gets(beaver: Terminal, thread: str) -> None:
    beaver.says(f"orders read beaver --from {thread} --who jane=iroquois --mail")
    beaver.says("run send")
    newest = max(beaver.told("mail list --out"), key=lambda one: one["number"])
    assert (newest["to"], newest["seat"]) == ("iroquois@example.org", "Iroquois")
    shown = beaver.told(f"mail show {newest['number']} --out")["text"]
    assert sentence("reports.transcript.in_force", said="W MHK - DEL") in shown
    assert "Order sheet" in shown


def test_a_dry_run_files_nothing(beaver: Terminal, thread: str) -> None:
    told = beaver.told(f"orders read beaver --from {thread} --who jane=iroquois --dry-run")
    assert told["filed"] is False
    assert [one["grade"] for one in told["seats"][0]["orders"]] == ["taken", "unlawful"]
    assert read_saved_orders(beaver) == []


def test_a_single_post_may_be_said_to_be_a_seat_s(beaver: Terminal) -> None:
    post = beaver.folder / "post.txt"
    post.write_text("Hello all,\nMohawk - Delaware\n")
    told = beaver.told(f"orders read beaver --from {post} --seat iroquois")
    assert told["seats"][0]["changed"] is True
    assert read_saved_orders(beaver) == ["W MHK - DEL"]
    again = beaver.says(f"orders read beaver --from {post} --seat iroquois")
    assert "Nothing changed in beaver." in again


@pytest.mark.parametrize(
    ("text", "options", "complaint"),
    [
        ("Mohawk - Delaware", "", "no line names a player of the game"),
        ("Dakota: Santee H", "", "a bot plays it"),
        ("jane: Santee H", "--who jane=beaver", 'has no seat "beaver"'),
    ],
)
def test_what_cannot_be_read_is_refused(beaver: Terminal, text: str, options: str, complaint: str) -> None:
    file = beaver.folder / "thread.txt"
    file.write_text(text)
    assert complaint in beaver.refused(f"orders read beaver --from {file} {options}")
    assert read_saved_orders(beaver) == []


def test_files_and_names_that_are_none_are_refused(beaver: Terminal, thread: str) -> None:
    assert "Can't read" in beaver.refused("orders read beaver --from nowhere.txt")
    (beaver.folder / "latin.txt").write_bytes(b"Iroquois: caf\xe9 - M\xfcnchen")
    assert "isn't UTF-8 text" in beaver.refused(f"orders read beaver --from {beaver.folder / 'latin.txt'}")
    assert beaver.gm(f"orders read beaver --from {thread} --who jane").exit_code == 2
