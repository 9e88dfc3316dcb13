"""Orders in advance, by email: sent, confirmed, saved, and executed in their turn."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.model.orders_on_file import write_item
from adjudicator.storage import stored_games
from games.protocol import Seat
from orders.mail.body import sheet_of
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.kit.toy import toy_found

PLAYER, IROQUOIS = "player@example.org", "iroquois@example.org"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """A service where the toy is played, by a person whose hand is diorite, emerald, flint and marble."""
    with toy_found(), local_service(tmp_path) as found:
        game_admin.new_game(
            found.service,
            game_admin.GameRequest("cairn", "solo", {"turns": "12"}),
            secret=b"the secret of a cairn",
        )
        game_admin.assign(found.service, "solo", "player", PLAYER)
        game_admin.new_game(
            found.service, game_admin.GameRequest("indianomacy", "beaver"), secret=b"the secret of a year"
        )
        game_admin.assign(found.service, "beaver", "iroquois", IROQUOIS)
        found.work()
        yield found


def say(place: LocalService, address: str, text: str) -> list[EmailMessage]:
    """Answer the latest letter, let the house work, and read what comes."""
    before = place.mail(address)
    place.clock.advance(60_000)
    place.answer(address, before[-1], text)
    place.work()
    return place.mail(address)[len(before) :]


def words(letter: EmailMessage) -> str:
    return " ".join(text_of(letter).split())


def read_saved_orders(place: LocalService, game: str, seat: str) -> list[str]:
    """Return the saved orders of a seat, as written."""
    position = game_admin.position_of(place.service, game)
    kind = game_admin.find_kind(position.kind)
    return [write_item(kind, item) for item in position.filed.get(Seat(seat), ())]


QUEUE = """\
drop marble
if agate is on top then
  drop emerald
else
  drop flint
endif
stop if chalk is on top
rest
"""


def test_a_letter_holds_a_plan_for_several_turns(place: LocalService) -> None:
    """The IF is decided when its turn comes, the STOP stops, and what is behind it stays on file."""
    answer, report = say(place, PLAYER, QUEUE)
    assert "orders: 5 accepted" in answer["Subject"]
    assert ("✓ " + sentence("reports.transcript.in_force", said="IF agate is on top: drop emerald")) in words(
        answer
    )
    assert ("✓ " + sentence("reports.transcript.in_force", said="ELSE: drop flint")) in words(answer)
    assert sheet_of(text_of(answer)) == (), "the turns run at once, and nothing can be changed any more"
    log = stored_games.log(place.service.database, "solo")
    assert [entry.turn for entry, _ in log] == ["T1", "T1", "T2", "T3", "T4"]
    told = words(report)
    assert "dropped the emerald, and holds 2." in told
    assert sentence("reports.report.passed", order="IF NOT agate is on top THEN drop flint ENDIF") in told
    assert (
        "We stopped, as you asked (STOP IF chalk is on top), before this order: rest. It and the orders"
        in told
    )
    assert read_saved_orders(place, "solo", "player") == ["STOP IF chalk is on top", "rest"]
    assert sheet_of(text_of(report)) == ("STOP IF chalk is on top", "rest")


def test_who_was_stopped_goes_on_by_writing_again(place: LocalService) -> None:
    """The sheet as it came says nothing; a new queue replaces what is left of the old one."""
    say(place, PLAYER, QUEUE)
    assert [one["Subject"].partition(" [")[0] for one in say(place, PLAYER, "")] == ["Re: no orders found"]
    assert read_saved_orders(place, "solo", "player") == ["STOP IF chalk is on top", "rest"]
    _, report = say(place, PLAYER, "rest")
    assert "Turn 5" in text_of(report)
    assert read_saved_orders(place, "solo", "player") == []


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("rest\nstop if chalk is on top\nrest", 3),
        ("drop marble\nand then we shall see what comes", 1),
    ],
    ids=["a STOP below", "talk below an order that names something"],
)
def test_an_order_is_taken_whatever_stands_below_it(place: LocalService, text: str, count: int) -> None:
    answer, *_ = say(place, PLAYER, text)
    assert f"orders: {count} accepted" in answer["Subject"]


def test_a_word_that_may_begin_a_sentence_is_asked_back(place: LocalService) -> None:
    answer, *_ = say(place, PLAYER, "rest\nuntil we know what is on top")
    assert "orders: 1 to fix" in answer["Subject"]
    assert "accepted" not in answer["Subject"]


PLAN = """\
IF NOT Delaware has a unit THEN
Mohawk - Delaware
ELSE
Mohawk H
ENDIF
Oneida H, Onondaga H, Seneca H

PHASE fall 1 moves
Oneida - Delaware
IF W Huron THEN Seneca - Huron ELSE Seneca H ENDIF
PHASE S9M
Oneida H
"""


def test_orders_are_kept_for_the_turn_that_they_are_for(place: LocalService) -> None:
    """The report of the turn before shows them as that turn's orders; missing ones are still due.

    A mistake in one of them holds even the present turn.
    """
    (answer,) = say(place, IROQUOIS, PLAN)
    assert "orders: 2 to fix, 8 accepted" in answer["Subject"]
    assert ("✓ " + sentence("reports.transcript.in_force", said="PHASE F1M IF W HUR: W SEN - HUR")) in words(
        answer
    )
    assert "Those are the turns from S1M to W6A" in words(answer)
    assert "| ✓ W Mohawk: IF W DEL THEN W MHK H ENDIF" in text_of(answer)
    _, report, *_ = say(place, IROQUOIS, "READY")
    assert " [beaver S1M Iroquois #" in report["Subject"], "the turn that is told"
    filed = [
        "PHASE F1M: W ONE - DEL",
        "PHASE F1M: IF W HUR THEN W SEN - HUR ENDIF",
        "PHASE F1M: IF NOT W HUR THEN W SEN H ENDIF",
    ]
    assert read_saved_orders(place, "beaver", "Iroquois") == filed
    sheet = sheet_of(text_of(report))
    assert "W ONE - DEL" in sheet
    assert "IF NOT W HUR THEN W SEN H ENDIF" in sheet
    (again,) = say(place, IROQUOIS, "ORDERS")
    assert "– W Oneida: W ONE - DEL (saved before)" in words(again)
    assert "Missing: W Mohawk, W Onondaga" in words(again)
    assert not [one for one in say(place, IROQUOIS, "CLEAR") if "PHASE" in text_of(one)]
    assert read_saved_orders(place, "beaver", "Iroquois") == []
