"""The posters of seats: identified by one-time words, and deleted with the game. On both databases."""

import pytest

from adjudicator.errors import WriteConflict
from adjudicator.model.people import ForgetPoster, GamePolicy, KnowPoster, Poster, SetCustoms
from adjudicator.storage import outbox, people, stored_games
from adjudicator.storage.queries import DatabasePeopleRepository
from games.record import replace_fields
from tests.kit.database_values import NOW, RED, new_game

CLUB = "turns@lists.example.org"


@pytest.fixture
def people_repository(database):
    stored_games.create(database, new_game(), (), NOW)
    return DatabasePeopleRepository(database)


def known(people_repository):
    return [(one.seat, one.name, one.used) for one in people_repository.posters("demo")]


def test_a_poster_is_known_once_for_each_word_and_forgotten(database, people_repository):
    elm = Poster(seat=RED, address="elm@example.org", place=CLUB, name="elm@home.example", used=1, since=NOW)
    first = KnowPoster(by=RED, game="demo", poster=elm, before=0)
    people.apply_action(database, first)
    with pytest.raises(WriteConflict, match="has a new poster"):
        people.apply_action(database, first)
    assert known(people_repository) == [(RED, "elm@home.example", 1)]
    people.apply_action(database, ForgetPoster(by="gm", game="demo", seat=RED))
    assert known(people_repository) == [(RED, "", 1)], "the word stays used up"
    again = replace_fields(elm, name="else@home.example", used=2)
    people.apply_action(database, KnowPoster(by=RED, game="demo", poster=again, before=1))
    assert known(people_repository) == [(RED, "else@home.example", 2)]
    people.merge(database, "elm@example.org", "oak@example.org")
    assert [one.address for one in people_repository.posters("demo")] == ["oak@example.org"]


def test_a_place_knows_the_games_played_there(database, people_repository):
    people.apply_action(database, SetCustoms(by="gm", game="demo", customs=GamePolicy(forum=CLUB)))
    assert people_repository.threads() == {CLUB: ("demo",)}
    people.apply_action(database, SetCustoms(by="gm", game="demo", customs=GamePolicy(press="grey")))
    assert people_repository.threads() == {}


def test_a_topic_is_known_and_goes_with_its_game(database, people_repository):
    assert outbox.topic(database, "demo", "club") is None
    outbox.note_topic(database, "demo", "club", "77")
    outbox.note_topic(database, "demo", "club", "78")
    assert outbox.topic(database, "demo", "club") == "78"
    stored_games.delete(database, "demo", "gm", "a try", NOW)
    assert outbox.topic(database, "demo", "club") is None
