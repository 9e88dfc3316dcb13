"""Due decisions as tables: retreats with their destinations, possible adjustments, and the leader."""

import pytest

import games
from games.diplomacy.events import Captured
from games.protocol import Seat

ITALY, AUSTRIA, TURKEY = Seat("Italy"), Seat("Austria"), Seat("Turkey")


def state(kind="standard", **question):
    game = games.kinds()[kind]
    return game, game.whatif.position(question)


def table(title, game, view):
    found = [one for one in game.telling.tables(view) if one.title == title]
    return found[0].rows if found else None


def test_a_dislodged_unit_stands_with_the_places_that_are_open_to_it():
    game, view = state(
        phase="S1901R",
        units={"Italy": ["A Vienna"]},
        dislodged={
            "Austria": [{"unit": "A Vienna", "by_from": "Tyrolia", "retreats": ["Bohemia", "Galicia"]}]
        },
    )
    assert table("Retreats due", game, view) == (("Austria", "army in Vienna", "Bohemia or Galicia"),)
    assert table("Adjustments due", game, view) is None


def test_builds_stand_with_the_places_where_they_are_possible():
    game, view = state(
        phase="W1901A",
        units={"Austria": ["A Vienna"], "Italy": ["A Rome", "A Naples"], "Turkey": ["A Bulgaria"]},
        centres={
            "Austria": ["Vienna", "Budapest", "Trieste"],
            "Italy": ["Rome"],
            "Turkey": ["Bulgaria", "Greece"],
        },
    )
    assert table("Adjustments due", game, view) == (
        ("Austria", "two builds", "Budapest and Trieste"),
        ("Italy", "one disband", "any unit"),
        ("Turkey", "nothing", "no free home centre"),
    )


def test_a_nation_under_the_wrath_of_the_gods_is_told_so():
    """Indianomacy §5: who broke the taboo builds nothing for two Winters."""
    game, view = state(
        "indianomacy",
        phase="W2A",
        units={"Iroquois": ["W Mohawk"]},
        centres={"Iroquois": ["Mohawk", "Seneca"]},
        build_ban={"Iroquois": 3},
        taboo=False,
    )
    assert table("Adjustments due", game, view) == (
        ("Iroquois", "nothing", "no builds until after the Winter of year 3"),
    )


def test_a_phase_of_movement_owes_no_table():
    game, view = state(phase="S1901M", units={"Austria": ["A Vienna"]})
    assert table("Adjustments due", game, view) is table("Retreats due", game, view) is None


@pytest.mark.parametrize(
    ("centres", "said"),
    [
        ({"Italy": ["Rome", "Venice"], "Austria": ["Vienna"]}, "Italy leads with two centres."),
        ({"Italy": ["Rome"], "Austria": ["Vienna"]}, "Austria and Italy lead with one centre each."),
        (
            {"Italy": ["Rome"], "Austria": ["Vienna"], "Turkey": ["Ankara"], "France": ["Paris"]},
            "Four powers lead with one centre each.",
        ),
    ],
)
def test_who_leads_is_news_once_a_centre_was_taken(centres, said):
    game, view = state(phase="S1902M", units={"Italy": ["A Rome"]}, centres=centres)
    taken = Captured(centre="ROM", was=None, now=ITALY)
    assert game.telling.lead(view, (taken,)) == said
    assert game.telling.lead(view, ()) == ""
