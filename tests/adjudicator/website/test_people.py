"""People in the archive: only those who agreed are named, and have a page."""

from adjudicator.admin import game_admin, website
from adjudicator.messages import sentence
from adjudicator.model.people import GamePolicy, NotePerson, Person, SetCustoms
from adjudicator.storage import people
from adjudicator.website.game_page import person_page
from tests.kit.service_harness import local_service, text_of

MARIANNE = "marianne@example.net"


def note(room, **said):
    """Return the person's data."""
    with room.service.database.writing():
        person = Person(address=MARIANNE, **said)
        people.apply_action(room.service.database, NotePerson(by=MARIANNE, person=person))


def read_archive(room):
    """All that the archive says."""
    room.build()
    return room.text


def test_who_has_not_agreed_is_not_named(room):
    """Even if the GM knows the name; a person who withdraws consent isn't named any longer."""
    room.begin("standard", "vienna", france=MARIANNE)
    note(room, name="Marianne Été")
    assert "Marianne" not in read_archive(room)
    note(room, name="Marianne Été", public=True)
    page = room.site / person_page("Marianne Été")
    assert "France: <a href" in (read_archive(room) and room.page("vienna"))
    assert "vienna" in page.read_text()
    assert page.name.startswith("marianne-ete-")
    note(room, name="Marianne Été", public=False)
    assert "Marianne" not in read_archive(room)
    assert not page.exists()


def test_an_anonymous_game_names_players_when_it_is_over(room):
    """Not before, whatever they agreed to."""
    room.begin("standard", "vienna", france=MARIANNE)
    with room.service.database.writing():
        customs = SetCustoms(by="gm", game="vienna", customs=GamePolicy(anonymous=True))
        people.apply_action(room.service.database, customs)
    note(room, name="Marianne", public=True)
    room.play("vienna")
    assert "Marianne" not in read_archive(room)
    game_admin.end(room.service, "vienna", ["France"], "enough")
    assert ">Marianne</a>" in read_archive(room)


def test_by_letter_somebody_agrees_and_takes_it_back(tmp_path):
    """LETTERS PUBLIC above the quoted welcome: a page of hers, and links. PRIVATE: no word of her."""
    with local_service(tmp_path / "service") as place:
        game_admin.new_game(place.service, game_admin.GameRequest("war-chest", "coins"), secret=b"s" * 32)
        game_admin.assign(place.service, "coins", "player", MARIANNE)
        with place.service.database.writing():
            known = NotePerson(by="gm", person=Person(address=MARIANNE, name="Marianne Été"))
            people.apply_action(place.service.database, known)
        place.work()
        welcome = place.mail(MARIANNE)[-1]

        def say(text):
            place.clock.advance(1000)
            place.answer(MARIANNE, welcome, text)
            place.work()
            website.build(place.service, tmp_path / "site")
            return " ".join(text_of(place.mail(MARIANNE)[-1]).split())

        hers, front, game = (
            tmp_path / "site" / name
            for name in (person_page("Marianne Été"), "index.html", "games/coins/index.html")
        )
        assert sentence("inbound.letters.archive", public=False, name="") in say("LETTERS")
        assert not hers.exists()
        assert sentence("inbound.letters.archive", public=True, name="Marianne Été") in say("LETTERS PUBLIC")
        assert hers.exists()
        assert "games/coins/index.html" in hers.read_text()
        assert f'<a href="../../{person_page("Marianne Été")}">Marianne Été</a>' in game.read_text()
        assert "<option>Marianne Été</option>" in front.read_text()
        assert sentence("inbound.letters.archive", public=False, name="") in say("LETTERS PRIVATE")
        assert not hers.exists()
        files = [one for one in (tmp_path / "site").rglob("*") if one.is_file()]
        assert not [one for one in files if b"Marianne" in one.read_bytes()]
