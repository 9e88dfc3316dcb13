"""The number of games started by email, and the known domains. On both databases."""

import pytest

from adjudicator.model.games import SeatAssignment
from adjudicator.storage import stored_games
from adjudicator.storage.queries import DatabaseRepository
from adjudicator.storage.tables import GameRow
from tests.kit.database_values import BLUE, NOW, RED, new_game

DAY = 86_400_000


def begin(database, name, founder=None, red="red@example.org", at=NOW, played=0):
    """A game, begun by somebody's email or by the GM."""
    assignments = (SeatAssignment(seat=RED, address=red), SeatAssignment(seat=BLUE, bot="easy"))
    stored_games.create(database, new_game(name, founder=founder, assignments=assignments), (), at)
    with database.writing():
        database.run(GameRow.update(played=played, created=at).where(GameRow.name == name))


@pytest.fixture
def repository(database):
    return DatabaseRepository(database)


def test_games_begun_by_email_are_counted(database, repository):
    begin(database, "game-a", "red@example.org", at=NOW)
    begin(database, "game-b", "blue@example.org", at=NOW)
    begin(database, "game-c", "red@example.com", at=NOW)
    begin(database, "game-d", "red@example.org", at=NOW - DAY)
    begin(database, "game-e", None, at=NOW)
    assert repository.games_begun_by_mail_since(NOW) == 3
    assert repository.games_begun_by_mail_since(NOW - DAY) == 4
    assert repository.games_begun_by_mail_since(NOW, "example.org") == 2
    assert repository.games_begun_by_mail_since(NOW, "example.com") == 1
    assert repository.games_begun_by_mail_since(NOW, "ple.org") == 0


@pytest.mark.parametrize(
    ("game", "known"),
    [
        ({"founder": None}, True),
        ({"founder": "blue@example.com"}, True),
        ({"founder": "red@example.org"}, False),
        ({"founder": "other@example.org"}, False),
        ({"founder": "red@example.org", "at": NOW - DAY - 1, "played": 1}, True),
        ({"founder": "red@example.org", "at": NOW - DAY - 1, "played": 0}, False),
        ({"founder": "red@example.org", "at": NOW, "played": 5}, False),
        ({"founder": None, "red": "red@notexample.org"}, False),
        ({"founder": None, "red": "red@mail.example.org"}, False),
    ],
    ids=[
        "the GM gave them the seat",
        "they play in somebody else's game",
        "they began it themselves today",
        "somebody of the same domain began it today",
        "they have played a turn since yesterday",
        "they have not played since yesterday",
        "they play fast",
        "a domain with a similar name",
        "a domain below",
    ],
)
def test_a_domain_is_known_by_its_players(database, repository, game, known):
    """A game that somebody has just begun for themselves makes nobody known."""
    begin(database, "game-a", **game)
    assert repository.is_domain_known("example.org", NOW - DAY) is known
