"""Incidents: their start is noted, they are reported once, and they end when it works again."""

from adjudicator.storage import outbox, workers
from tests.kit.database_values import NOW, outgoing_letter


def test_a_trouble_lasts_since_it_began(database):
    first = workers.note(database, "letters in", "it is down", NOW)
    again = workers.note(database, "letters in", "it is still down", NOW + 60_000)
    assert (first.since, again.since, again.last) == (NOW, NOW, NOW + 60_000)
    assert workers.find(database, "letters in").why == "it is still down"


def test_troubles_are_listed_the_longest_first(database):
    workers.note(database, "letters out", "refused", NOW + 1)
    workers.note(database, "letters in", "down", NOW)
    assert [one.name for one in workers.current_incidents(database)] == ["letters in", "letters out"]
    workers.over(database, "letters in")
    assert [one.name for one in workers.current_incidents(database)] == ["letters out"]
    assert workers.find(database, "letters in") is None


def test_what_was_told_is_noted_with_the_letter_that_tells_it(database):
    trouble = workers.note(database, "letters in", "down", NOW)
    workers.tell(database, trouble, "trouble/1", [outgoing_letter("trouble/1", to="gm@example.org")], NOW)
    assert workers.note(database, "letters in", "down", NOW + 1).told == ("trouble/1",)
    assert [letter.key for letter in outbox.claim(database, NOW)] == ["trouble/1"]


def test_a_new_trouble_is_told_anew(database):
    trouble = workers.note(database, "letters in", "down", NOW)
    workers.tell(database, trouble, "trouble/1", [outgoing_letter("trouble/1", to="gm@example.org")], NOW)
    workers.over(database, "letters in")
    assert workers.note(database, "letters in", "down", NOW + 1).told == ()
