"""A first email from a stranger: the reply lists the games, and each of its lines starts one."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

import games
from adjudicator.inbound import unknown_senders
from adjudicator.inbound.unknown_senders import MAX_INTRODUCTIONS_PER_DAY
from adjudicator.messages import sentence
from adjudicator.outbound import composer
from adjudicator.storage import inbox
from tests.kit.service_harness import HOUR, LocalService, local_service, text_of

DAY = 24 * HOUR
SERVICE, NEWCOMER = "gm@example.org", "newcomer@example.org"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(composer.maps, "svg", lambda *told: None)
    with local_service(tmp_path) as opened:
        yield opened


def says(
    place: LocalService, text: str, subject: str = "a question", sender: str = NEWCOMER
) -> list[EmailMessage]:
    """Send an email to the service's own address and return the answer."""
    count = len(place.mail(sender))
    place.clock.advance(1000)
    place.write(sender, SERVICE, text, subject)
    place.work()
    return place.mail(sender)[count:]


def find_new_lines(letter: EmailMessage) -> list[str]:
    """Return the lines of an email that can be sent back, as written."""
    return re.findall(r"^\W*NEW [a-z-]+$", text_of(letter), re.MULTILINE)


QUESTIONS = ("HELP", "NEW", "NEW chess", "Hello! How can I play a game here? Thank you.")


@pytest.mark.parametrize("question", QUESTIONS)
def test_whoever_asks_is_told_what_to_write(place: LocalService, question: str) -> None:
    (answer,) = says(place, question)
    assert [line.split()[-1] for line in find_new_lines(answer)] == sorted(games.kinds())
    if question == "NEW chess":
        what, why = sentence("inbound.new_game.kind", kind="chess"), sentence("inbound.new_game.no_such_kind")
        said = sentence("inbound.new_game.not_begun", what=what, why=why, instead="")
        assert said in " ".join(text_of(answer).split())


@pytest.mark.parametrize("question", ["HELP", "NEW"])
def test_each_line_sent_back_begins_that_game(place: LocalService, question: str) -> None:
    (answer,) = says(place, question)
    lines = find_new_lines(answer)
    assert len(lines) == len(games.kinds())
    for line in lines:
        place.clock.advance(DAY)
        place.answer(NEWCOMER, answer, line)
        place.work()
    begun = [place.service.repository.position(name) for name in place.service.repository.games()]
    assert sorted(one.kind for one in begun if one is not None) == sorted(games.kinds())
    assert all(one is not None and one.is_running for one in begun)


def test_help_and_then_new_are_both_answered(place: LocalService) -> None:
    """And the chosen game begins afterwards: no reply replaces another."""
    for text in ("HELP", "NEW", "NEW war-chest"):
        assert len(says(place, text)) == 1, text
    asked = sentence("inbound.unknown_senders.asked_subject", verbs=["NEW"])
    assert place.mail(NEWCOMER)[-1]["Subject"] == asked


@pytest.mark.parametrize("subject", ["NEW war-chest", "NEW", "new game"])
def test_a_game_named_in_the_subject_and_below_is_begun_once(place: LocalService, subject: str) -> None:
    (asked,) = says(place, "NEW war-chest", subject)
    assert text_of(asked).count("NEW war-chest") == 1
    place.answer(NEWCOMER, asked, "")
    place.work()
    assert place.service.repository.games() == ("war-chest-1",)


def test_two_games_asked_for_below_are_two(place: LocalService) -> None:
    (asked,) = says(place, "NEW war-chest\nNEW war-chest second", "NEW")
    place.answer(NEWCOMER, asked, "")
    place.work()
    assert place.service.repository.games() == ("second", "war-chest-1")


def test_a_line_in_the_subject_alone_is_enough(place: LocalService) -> None:
    (asked,) = says(place, "Thank you!", "NEW war-chest")
    assert "| NEW war-chest" in text_of(asked)


def test_what_an_address_can_draw_in_a_day_is_little(place: LocalService) -> None:
    """A few replies of each kind, whoever writes in its name; the GM can read the rest."""
    for number in range(5):
        for text in ("HELP", "LIST", "NEW", "NEW chess", "How do I play?", f"NEW war-chest game-{number}"):
            says(place, text)
    assert (
        len(place.mail(NEWCOMER))
        == unknown_senders.MAX_WISHES_PER_DAY
        + unknown_senders.MAX_QUESTIONS_PER_DAY
        + MAX_INTRODUCTIONS_PER_DAY
    )
    place.clock.advance(DAY)
    assert len(says(place, "How do I play?")) == 1
    plain = inbox.list_letters(place.service.database, limit=99, disposition="quarantined")
    assert len(plain) >= 5, "what is written in plain words is for the gamesmaster, too"


def test_a_flood_of_addresses_draws_no_more_than_so_many(
    place: LocalService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Advertisements are mailed in the names of thousands; what goes back to these has a bound."""
    monkeypatch.setattr(unknown_senders, "MAX_STRANGERS_PER_DAY", 3)
    told = sum(len(says(place, "Buy now!", sender=f"victim-{n}@example.org")) for n in range(30))
    assert told <= 3 * MAX_INTRODUCTIONS_PER_DAY


def test_a_machine_that_writes_in_plain_words_is_not_told(place: LocalService) -> None:
    place.write(NEWCOMER, SERVICE, "I am on holiday.", "Out of office", Auto_Submitted="auto-replied")
    place.work()
    assert place.mail(NEWCOMER) == []
