"""Emails about a finished game, a paused game, and a proposed draw."""

import re
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import deadlines, game_admin
from adjudicator.messages import sentence
from adjudicator.reports.times import why_no_deadline
from tests.kit.service_harness import LocalService, local_service, text_of

FRANCE, GERMANY, ITALY = "france@example.org", "germany@example.org", "italy@example.org"
RUNS_EARLY = r"\bruns? earl(y|ier)\b"
WHY = "France has not paid for the beer"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A service without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    with local_service(tmp_path) as it:
        yield it


def begin(place: LocalService, kind: str, people: dict[str, str]) -> None:
    """Begin a game called fox, and write to its people."""
    game_admin.new_game(place.service, game_admin.GameRequest(kind, "fox"), secret=b"f" * 32)
    for seat, address in people.items():
        game_admin.assign(place.service, "fox", seat, address)
    place.work()


def newest(place: LocalService, address: str) -> str:
    """Return the newest email to somebody, on one line."""
    return " ".join(text_of(place.mail(address)[-1]).split())


def writes(place: LocalService, address: str, text: str, to: EmailMessage | None = None) -> None:
    place.clock.advance(60_000)
    place.answer(address, to or place.mail(address)[-1], text)
    place.work()


# The last email.


@pytest.mark.parametrize(
    ("kind", "seat", "decides"),
    [
        ("standard", "France", "Adjustments due"),
        ("war-chest", "player", "Your decisions now"),
        ("great-war", "player", "Your decisions now"),
        ("plains-indian-wars", "US", "Your decisions now"),
        ("boer-war", "Boers", "Decisions of the Boers now"),
    ],
)
def test_the_last_email_asks_nothing_and_promises_nothing(
    place: LocalService, kind: str, seat: str, decides: str
) -> None:
    begin(place, kind, {seat: FRANCE})
    if kind not in ("standard", "war-chest"):  # these ask it in later turns
        assert decides.upper() in newest(place, FRANCE).upper()
    game_admin.end(place.service, "fox", [], WHY)
    place.work()
    told = newest(place, FRANCE)
    assert decides.upper() not in told.upper()
    assert sentence("reports.report.bots_play", over=False, seats=[""]).strip(".") not in told
    assert WHY not in told, "it is for the log alone"
    assert WHY not in str(place.mail(FRANCE)[-1]["Subject"])
    assert sentence("outbound.notifications.ended_by_gm") in told


def test_the_log_keeps_why_the_gamesmaster_ended_a_game(place: LocalService) -> None:
    begin(place, "standard", {"France": FRANCE})
    game_admin.end(place.service, "fox", [], WHY)
    entries = [entry for entry, _ in place.service.repository.log("fox")]
    assert entries[-1].why == WHY


# A pause.


def test_emails_of_a_paused_game_say_that_it_is_paused(place: LocalService) -> None:
    """The reply to orders, and the welcome of somebody who comes meanwhile."""
    begin(place, "standard", {"France": FRANCE, "Germany": GERMANY})
    deadlines.pause(place.service, "fox", "rest")
    place.work()
    stop = game_admin.position_of(place.service, "fox").timing.stop
    assert stop is not None
    paused = why_no_deadline(stop)
    writes(place, FRANCE, "A PAR - BUR")
    assert paused in newest(place, FRANCE)
    game_admin.assign(place.service, "fox", "Italy", ITALY)
    place.work()
    assert paused in newest(place, ITALY)
    assert not re.search(RUNS_EARLY, newest(place, ITALY))
    assert re.search(RUNS_EARLY, sentence("reports.report.early")), "as games that go on say it"


# A draw.


def proposals(place: LocalService, address: str) -> int:
    """Return how many emails have told somebody that a draw is proposed."""
    subject = sentence("outbound.notifications.proposed_subject", to=None, draw=True)
    return sum(str(one["Subject"]).startswith(subject) for one in place.mail(address))


def test_a_draw_is_mailed_to_the_others_only(place: LocalService) -> None:
    people = {"France": FRANCE, "Germany": GERMANY, "Italy": ITALY}
    begin(place, "standard", people)
    writes(place, FRANCE, "DRAW")
    assert [proposals(place, one) for one in people.values()] == [0, 1, 1]
    assert sentence("inbound.draws.agrees", majority=False, seats="") in newest(place, FRANCE)
    writes(place, GERMANY, "DRAW")
    assert [proposals(place, one) for one in people.values()] == [0, 1, 1], "that is Germany's secret"
