"""People in the archive: who agreed is named, with a page; nobody else."""

from adjudicator.gamesmaster import lifecycle
from adjudicator.ledger.people_acts import NotePerson, SetCustoms
from adjudicator.ledger.society import Customs, Person
from adjudicator.site.game_page import person_page
from adjudicator.store import people

MARIANNE = "marianne@example.net"


def note(room, **said):
    """What is known of her."""
    with room.house.database.writing():
        person = Person(address=MARIANNE, **said)
        people.do(room.house.database, NotePerson(by=MARIANNE, person=person))


def told(room):
    """All that the archive says."""
    room.build()
    return room.text


def test_who_has_not_agreed_is_not_named(room):
    """Though the gamesmaster knows the name; and whoever takes it back is named no more."""
    room.begin("standard", "vienna", france=MARIANNE)
    note(room, name="Marianne Été")
    assert "Marianne" not in told(room)
    note(room, name="Marianne Été", public=True)
    page = room.site / person_page("Marianne Été")
    assert "France: <a href" in (told(room) and room.page("vienna"))
    assert "vienna" in page.read_text()
    assert page.name.startswith("marianne-ete-")
    note(room, name="Marianne Été", public=False)
    assert "Marianne" not in told(room)
    assert not page.exists()


def test_an_anonymous_game_names_players_when_it_is_over(room):
    """Not before, whatever they agreed to."""
    room.begin("standard", "vienna", france=MARIANNE)
    with room.house.database.writing():
        customs = SetCustoms(by="gm", game="vienna", customs=Customs(anonymous=True))
        people.do(room.house.database, customs)
    note(room, name="Marianne", public=True)
    room.play("vienna")
    assert "Marianne" not in told(room)
    lifecycle.end(room.house, "vienna", ["France"], "enough")
    assert ">Marianne</a>" in told(room)
