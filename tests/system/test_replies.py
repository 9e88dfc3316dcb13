"""A reply about an email as a whole: replaced orders, rejections, and the quoted sheet."""

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import as_sentence, sentence
from tests.kit.cached_services import cached_beginning
from tests.kit.service_harness import LocalService, local_service, text_of

FRANCE, GERMANY = "france@example.org", "germany@example.org"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[LocalService]:
    """Standard Diplomacy with two people, so that one alone starts no turn."""
    with local_service(tmp_path) as found:
        begin(found)
        yield found


@cached_beginning
def begin(place: LocalService) -> None:
    asked = game_admin.GameRequest("standard", "west", seats={"france": FRANCE, "germany": GERMANY})
    game_admin.new_game(place.service, asked, secret=b"the secret of a year")
    place.work()


def newest(place: LocalService) -> EmailMessage:
    return place.mail(FRANCE)[-1]


def say(place: LocalService, text: str, to: EmailMessage | None = None) -> str:
    """Return the text of the reply to an email from France."""
    place.clock.advance(60_000)
    place.answer(FRANCE, to or newest(place), text)
    place.work()
    return " ".join(text_of(newest(place)).split())


def test_the_rest_holds_says_what_it_replaced(place: LocalService) -> None:
    say(place, "A Mar - Spa\nF Bre - MAO")
    answer = say(place, "A Par - Bur\nthe rest holds")
    assert "✓ A MAR H " + as_sentence(sentence("inbound.filing.in_place_of", order="A MAR - SPA")) in answer
    assert "✓ F BRE H " + as_sentence(sentence("inbound.filing.in_place_of", order="F BRE - MAO")) in answer
    answer = say(place, "A Par - Pic\nthe rest holds")
    assert "This replaces" not in answer, "they held already"


def test_the_same_refusal_is_said_once(place: LocalService) -> None:
    """An email that answers a finished turn as a whole: the reason is below its first line."""
    welcome = newest(place)
    game_admin.play_now(place.service, "west")
    place.work()
    answer = say(place, "A Par - Bur\nA Mar - Spa\nF Bre - MAO", to=welcome)
    assert answer.count(sentence("reports.transcript.late", said="")) == 3
    assert answer.count(as_sentence(sentence("inbound.filing.stale", turn="S1901M"))) == 1


def unthreaded(place: LocalService, to: EmailMessage, sheet: str) -> str:
    """Return the reply to an email that quotes a sheet without naming the email it answers."""
    place.clock.advance(60_000)
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    place.write(FRANCE, str(to["Reply-To"]), f"Here it is.\n\n{quoted}")
    place.work()
    return " ".join(text_of(newest(place)).split())


def sheet_in(letter: EmailMessage, *changes: tuple[str, str]) -> str:
    """The end of a letter, from the title of its sheet on, with lines changed."""
    text = text_of(letter)
    found = text[text.index("Order sheet") :]
    for old, new in changes:
        assert old in found
        found = found.replace(old, new)
    return found


def test_a_sheet_in_a_letter_that_answers_none_is_compared_with_the_seats(place: LocalService) -> None:
    answer = unthreaded(place, newest(place), sheet_in(newest(place), ("A PAR H", "A PAR - BUR")))
    assert "1 accepted." in answer
    assert ("✓ " + sentence("reports.transcript.in_force", said="A PAR - BUR")) in answer


def test_it_is_compared_with_the_sheet_that_it_is_most_like(place: LocalService) -> None:
    """Not only with the current one: text from the older sheet isn't a change."""
    welcome = newest(place)
    say(place, "A Mar - Spa")
    answer = unthreaded(place, welcome, sheet_in(welcome, ("A PAR H", "A PAR - BUR")))
    assert "1 accepted." in answer
    assert "A MAR - SPA (saved before)" in answer


def test_a_sheet_that_cannot_be_compared_is_told_of(place: LocalService) -> None:
    """The sender is known by a password in the email, which is read after its lines."""
    password = "three-canoes"
    say(place, f"PASSWORD {password}")
    sheet = sheet_in(newest(place), ("A PAR H", "A PAR - BUR"))
    quoted = "".join(f"> {line}\n" for line in sheet.splitlines())
    place.clock.advance(60_000)
    place.write(FRANCE, "gm@example.org", f"SIGNON west France {password}\nF Bre - MAO\n\n{quoted}", "hello")
    place.work()
    answer = " ".join(text_of(newest(place)).split())
    assert sentence("inbound.pipeline.sheet_of_no_letter") in answer
    assert ("✓ " + sentence("reports.transcript.in_force", said="F BRE - MAO")) in answer
