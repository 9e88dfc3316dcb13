"""NEW by email: the daily limits of new games, in all and from a domain without known players."""

import pytest

from adjudicator.messages import sentence
from adjudicator.model.games import BeginGame
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.people import TellGamesmaster
from tests.adjudicator.inbound.conftest import IROQUOIS, MemoryPipeline
from tests.kit.memory_repository import NOON

DAY = 86_400_000
DOMAIN = IROQUOIS.rpartition("@")[2]


def begins(handled: LetterOutcome) -> bool:
    """Return whether an email begins a game."""
    return any(isinstance(act, BeginGame) for act in handled.acts)


def told_gm(handled: LetterOutcome) -> list[str]:
    """Return the keys of the emails to the GM that an email causes."""
    return [act.key for act in handled.acts if isinstance(act, TellGamesmaster)]


def is_put_off(handled: LetterOutcome) -> bool:
    """Return whether the reply asks to try again tomorrow."""
    (answer,) = handled.answers
    return sentence("inbound.new_game.try_tomorrow") in " ".join(answer.text.split())


def record_new_games(context: MemoryPipeline, count: int, domain: str, at: int = NOON - 1000) -> None:
    """Record that so many people of a domain each began a game by email."""
    context.repository.begun += [(f"player{number}@{domain}", at) for number in range(count)]


def test_three_hundred_games_a_day_are_enough(context: MemoryPipeline) -> None:
    context.repository.known_domains.add(DOMAIN)
    record_new_games(context, 299, "example.com")
    assert begins(context.writes("NEW cairn"))
    record_new_games(context, 1, "example.org")
    refused = context.writes("NEW cairn")
    assert not begins(refused)
    assert is_put_off(refused)
    assert len(told_gm(refused)) == 1


def test_twenty_games_a_day_from_a_domain_of_nobody_known(context: MemoryPipeline) -> None:
    record_new_games(context, 19, DOMAIN)
    assert begins(context.writes("NEW cairn"))
    record_new_games(context, 1, DOMAIN)
    refused = context.writes("NEW cairn")
    assert not begins(refused)
    assert is_put_off(refused)
    assert len(told_gm(refused)) == 1


@pytest.mark.parametrize(
    ("count", "domain", "at"),
    [
        (200, "example.com", NOON - 1000),
        (200, DOMAIN, NOON - DAY - 1000),
        (200, f"not{DOMAIN}", NOON - 1000),
    ],
    ids=["of another domain", "of the day before", "of a domain with a similar name"],
)
def test_what_does_not_count(context: MemoryPipeline, count: int, domain: str, at: int) -> None:
    record_new_games(context, count, domain, at)
    assert begins(context.writes("NEW cairn"))


def test_a_domain_of_players_has_room_for_more(context: MemoryPipeline) -> None:
    """A club, or a large provider."""
    context.repository.known_domains.add(DOMAIN)
    record_new_games(context, 150, DOMAIN)
    assert begins(context.writes("NEW cairn"))


def test_several_in_one_email_count_one_by_one(context: MemoryPipeline) -> None:
    record_new_games(context, 18, DOMAIN)
    handled = context.writes("NEW cairn\nNEW cairn\nNEW cairn")
    assert sum(isinstance(act, BeginGame) for act in handled.acts) == 2
    assert is_put_off(handled)


def test_what_is_no_wish_for_a_game_is_answered_as_ever(context: MemoryPipeline) -> None:
    """NEW alone lists the games."""
    record_new_games(context, 500, "example.com")
    handled = context.writes("NEW")
    assert not is_put_off(handled)
    assert told_gm(handled) == []


def test_the_gm_is_told_once_a_day(context: MemoryPipeline) -> None:
    """The same email is named twice on one day, and another on the next."""
    record_new_games(context, 300, "example.com")
    first, second = context.writes("NEW cairn"), context.writes("NEW cairn")
    assert told_gm(first) == told_gm(second)
    record_new_games(context, 300, "example.com", NOON + DAY - 2000)
    third = context.writes("NEW cairn", received=NOON + DAY - 1000)
    assert told_gm(third) != told_gm(first)
