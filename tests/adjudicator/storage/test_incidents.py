"""Incidents: noted since when, told once, over when it works again."""

from adjudicator.storage import incidents, outbox
from tests.kit.books import NOW, sealed


def test_a_trouble_lasts_since_it_began(database):
    first = incidents.note(database, "letters in", "it is down", NOW)
    again = incidents.note(database, "letters in", "it is still down", NOW + 60_000)
    assert (first.since, again.since, again.last) == (NOW, NOW, NOW + 60_000)
    assert incidents.find(database, "letters in").why == "it is still down"


def test_troubles_are_listed_the_longest_first(database):
    incidents.note(database, "letters out", "refused", NOW + 1)
    incidents.note(database, "letters in", "down", NOW)
    assert [one.name for one in incidents.current_incidents(database)] == ["letters in", "letters out"]
    incidents.over(database, "letters in")
    assert [one.name for one in incidents.current_incidents(database)] == ["letters out"]
    assert incidents.find(database, "letters in") is None


def test_what_was_told_is_noted_with_the_letter_that_tells_it(database):
    trouble = incidents.note(database, "letters in", "down", NOW)
    incidents.tell(database, trouble, sealed("trouble/1", to="gm@example.org"), NOW)
    assert incidents.note(database, "letters in", "down", NOW + 1).told == ("trouble/1",)
    assert [letter.key for letter in outbox.claim(database, NOW)] == ["trouble/1"]


def test_a_new_trouble_is_told_anew(database):
    trouble = incidents.note(database, "letters in", "down", NOW)
    incidents.tell(database, trouble, sealed("trouble/1", to="gm@example.org"), NOW)
    incidents.over(database, "letters in")
    assert incidents.note(database, "letters in", "down", NOW + 1).told == ()
