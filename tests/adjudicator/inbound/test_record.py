"""RECORD by email: a player's own record, to their own address."""

from dataclasses import replace

import pytest

from adjudicator.messages import sentence
from adjudicator.model.mail import LetterOutcome
from games.record import replace_fields
from tests.adjudicator.inbound.conftest import IROQUOIS, PASSWORD, MemoryPipeline
from tests.kit.mail import letter
from tests.kit.memory_repository import OFFICE, address_for, new_position


@pytest.fixture
def veteran(context: MemoryPipeline) -> MemoryPipeline:
    """Iroquois has won a game of War Chest, which is over."""
    position = new_position("war-chest", "otter", {"player": IROQUOIS})
    state = replace_fields(position.state, number=30, ended="markers", winners=("player",))
    context.repository.positions["otter"] = replace(position, status="over", state=state)
    return context


def said(handled: LetterOutcome) -> str:
    """The text of the one answer, in words."""
    (answer,) = handled.answers
    return " ".join(answer.text.split())


@pytest.mark.parametrize("text", ["RECORD", "my record", "record please"])
def test_a_player_is_told_what_he_achieved_in_all_his_games(veteran: MemoryPipeline, text: str) -> None:
    """In a reply to any game."""
    told = said(veteran.writes(text))
    assert "War Chest" in told
    assert (
        sentence("reports.campaign_record.best", end="won", number="30", thing="turns", game="otter") in told
    )


def test_who_has_finished_nothing_is_told_what_would_count(context: MemoryPipeline) -> None:
    told = said(context.writes("RECORD"))
    assert "Your record is empty so far." in told
    assert "Plains Indian Wars" in told


def test_a_letter_in_another_address_brings_the_record_to_its_owner_alone(veteran: MemoryPipeline) -> None:
    """A token shows that somebody saw our letter: the answer goes to the seat's own address."""
    to = address_for(veteran.repository.positions["demo"], "Iroquois")
    (answer,) = veteran.takes(letter("RECORD", sender="thief@example.com", to=to)).answers
    assert answer.to == IROQUOIS
    assert "in otter" in answer.text


def test_a_password_shows_who_writes_and_not_what_else_the_seats_address_plays(
    veteran: MemoryPipeline,
) -> None:
    """A password of one seat shows only the writer's own games, and none of the seat's other player."""
    raw = letter(f"SIGNON demo Iroquois {PASSWORD}\nRECORD", sender="thief@example.com", to=OFFICE.address)
    (answer,) = veteran.takes(raw).answers
    assert answer.to == "thief@example.com"
    assert "otter" not in answer.text


def test_a_line_of_talk_is_no_question(veteran: MemoryPipeline) -> None:
    assert "otter" not in said(veteran.writes("record of the season: we hold on\nMohawk H"))
