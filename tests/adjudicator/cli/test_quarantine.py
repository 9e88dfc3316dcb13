"""``gm mail retry``, ``drop`` and ``revive``: the GM's decisions about quarantined emails."""

import pytest

from adjudicator.config.service import load_settings
from adjudicator.model.mail import Bounce
from adjudicator.service import Service, open_service
from adjudicator.storage import bounces
from tests.adjudicator.cli.conftest import Terminal
from tests.kit.mail import letter


@pytest.fixture
def waiting(beaver: Terminal) -> Terminal:
    """The game, and a letter with orders that came through a list."""
    listed = letter("Mohawk - Delaware", sender="pbem@example.com", headers={"List-Id": "<l.example.com>"})
    beaver.drop(listed)
    beaver.says("run poll")
    beaver.says("run process")
    return beaver


def test_what_was_set_aside_is_listed_and_says_why(waiting: Terminal) -> None:
    (one,) = waiting.told("mail list --only quarantined")
    assert one["why"] == "it came through a mailing list"
    assert waiting.told("mail list --only read") == []
    assert waiting.says("mail list --only read") == "No email is read.\n"
    assert "quarantined" in waiting.says("mail --help")
    assert waiting.gm("mail list --only lost").exit_code == 2
    assert waiting.gm("mail list --out --only read").exit_code == 2


def test_a_letter_is_read_by_the_gamesmasters_word(waiting: Terminal) -> None:
    said = waiting.says("mail retry 1 --as iroquois")
    assert said == "Email 1: read, for Iroquois in beaver.\n"
    assert "W MHK - DEL" in str(waiting.told("seat show beaver iroquois"))
    answers = waiting.told("mail show 1")["answers"]
    assert [one["to"] for one in answers] == ["iroquois@example.org"], "not to who wrote"


def test_without_a_word_all_is_asked_of_it_again(waiting: Terminal) -> None:
    told = waiting.told("mail retry 1")
    assert (told["decided"], told["why"]) == ("quarantined", "it came through a mailing list")


def test_what_was_read_is_not_read_again(waiting: Terminal) -> None:
    waiting.says("mail retry 1 --as beaver/iroquois")
    for line in ("mail retry 1", "mail drop 1", "mail retry 1 --as iroquois"):
        assert "was read" in waiting.refused(line)


def test_a_letter_is_put_away(waiting: Terminal) -> None:
    assert waiting.says("mail drop 1") == "Email 1: dropped (it came through a mailing list).\n"
    assert waiting.told("mail list --only quarantined") == []
    assert waiting.told("status")["letters_in"]["dropped"] == 1
    assert "was dropped" in waiting.refused("mail retry 1")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("mail retry 2", "No incoming email 2"),
        ("mail drop 2", "No incoming email 2"),
        ("mail retry 1 --as nobody", "No seat called"),
        ("mail retry 1 --as nowhere/iroquois", "No seat called"),
        ("mail revive nobody@example.org", "isn't disabled"),
    ],
)
def test_what_cannot_be_done_says_why(waiting: Terminal, line: str, why: str) -> None:
    assert why in waiting.refused(line)


def test_a_seat_of_several_games_has_to_be_named(waiting: Terminal) -> None:
    waiting.says("game new indianomacy otter")
    assert "Use one of: beaver/iroquois, otter/iroquois" in waiting.refused("mail retry 1 --as iroquois")
    assert waiting.told("mail retry 1 --as otter/iroquois")["game"] == "otter"


def opened_service(terminal: Terminal) -> Service:
    return open_service(load_settings(terminal.config))


def test_an_address_that_was_given_up_is_taken_up_again(beaver: Terminal) -> None:
    service = opened_service(beaver)
    bounce = Bounce(letter=1, address="iroquois@example.org", hard=True, why="550 no such user", dead=True)
    bounces.note(service.database, bounce, service.clock.now())
    service.database.close()
    assert beaver.told("run send")["sent"] == 0
    assert "Disabled addresses: iroquois@example.org" in beaver.refused("mail revive other@example.org")
    assert (
        beaver.says("mail revive iroquois@example.org")
        == "Delivery to iroquois@example.org is enabled again.\n"
    )
    assert beaver.told("run send")["sent"] == 1
