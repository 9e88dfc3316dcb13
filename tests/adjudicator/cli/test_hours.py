"""``gm turn`` deadline, extend, hold: the GM changes the time of a turn, and all players get an email."""

from datetime import datetime, timedelta

import pytest

from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.test_game_changes import instant, last_letter, minutes

pytestmark = pytest.mark.usefixtures("undrawn")

FAR = "2036-12-01"
"""A Monday."""


def deadline(terminal: Terminal) -> datetime:
    return instant(terminal.told("game show beaver")["deadline"])


def test_a_deadline_is_set(beaver: Terminal) -> None:
    told = beaver.told(f'turn deadline beaver "{FAR} 20:00" --why "agreed on"')
    assert told["deadline"] == f"{FAR}T20:00:00+00:00"
    letter = last_letter(beaver)
    assert "Spring, year 1, moves: a new deadline" in letter
    moved = sentence(
        "reports.times.moved", turn="Spring, year 1, moves", deadline="Monday 1 December 2036, 20:00 UTC"
    )
    assert moved in letter
    assert sentence("reports.times.gamesmaster_says", why="agreed on") in letter
    assert minutes(beaver) == [
        "gm Iroquois to somebody",
        "gm S1M: deadline Monday 1 December 2036, 20:00 UTC agreed on",
    ]


def test_it_is_read_by_the_clocks_of_the_game(beaver: Terminal) -> None:
    beaver.says("game terms beaver zone=America/New_York --why x")
    told = beaver.told(f'turn deadline beaver "{FAR} 20:00" --why x')
    assert told["deadline"] == "2036-12-02T01:00:00+00:00"


def test_an_earlier_one_has_to_be_meant(beaver: Terminal) -> None:
    beaver.says(f'turn deadline beaver "{FAR} 20:00" --why x')
    refused = beaver.refused(f'turn deadline beaver "{FAR} 19:00" --why x')
    assert "earlier than Monday 1 December 2036, 20:00 UTC, which the players expect" in refused
    assert "Add --earlier" in refused
    beaver.says(f'turn deadline beaver "{FAR} 19:00" --why x --earlier')
    assert deadline(beaver) == instant(f"{FAR}T19:00:00+00:00")


def test_one_on_a_day_that_does_not_count_has_to_be_meant(beaver: Terminal) -> None:
    beaver.says("game terms beaver days_off=mon hours=18:00 --why x")
    refused = beaver.refused(f'turn deadline beaver "{FAR} 20:00" --why x')
    assert "falls on a day that this game skips" in refused
    assert "Use Tuesday 2 December 2036, 18:00 UTC" in refused
    beaver.says(f'turn deadline beaver "{FAR} 20:00" --why x --any-day')
    assert deadline(beaver) == instant(f"{FAR}T20:00:00+00:00")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('turn deadline beaver "2020-01-01 20:00" --why x', "that time has passed"),
        ("turn deadline beaver soon --why x", '"soon": it isn\'t a time that we can read'),
        ('turn deadline otter "20:00" --why x', 'No game called "otter"'),
        ("turn extend beaver long --why x", 'Length long: "long" isn\'t a duration'),
        ("turn extend beaver 0h --why x", 'Length 0h: "0h" isn\'t a duration'),
        ("turn extend otter 24h --why x", 'No game called "otter"'),
        ("turn hold otter --why x", 'No game called "otter"'),
        ("turn hold beaver --off", "Can't resume game beaver: it is neither paused nor suspended"),
    ],
)
def test_what_cannot_be_done_is_refused(beaver: Terminal, line: str, complaint: str) -> None:
    assert complaint in beaver.refused(line)


@pytest.mark.parametrize(
    "line", ['turn deadline beaver "20:00"', "turn extend beaver 24h", "turn hold beaver"]
)
def test_a_reason_is_wanted(beaver: Terminal, line: str) -> None:
    assert beaver.gm(line).exit_code == 2


def test_a_turn_is_given_more_time(beaver: Terminal) -> None:
    before = deadline(beaver)
    told = beaver.told('turn extend beaver 1d12h --why "a storm"')
    assert instant(told["deadline"]) - before == timedelta(hours=36)
    assert "The GM says: a storm" in last_letter(beaver)
    assert minutes(beaver)[-1] == "gm S1M: deadline extended by 36h a storm"


def test_more_time_is_counted_on_days_that_count(beaver: Terminal) -> None:
    beaver.says(f'turn deadline beaver "{FAR} 20:00" --why x')
    beaver.says("game terms beaver days_off=tue,wed --why x")
    beaver.says("turn extend beaver 24h --why x")
    assert deadline(beaver) == instant("2036-12-04T20:00:00+00:00")


def test_a_turn_is_held_until_it_is_let_go_on(beaver: Terminal) -> None:
    before = deadline(beaver)
    assert "is on hold" in beaver.says('turn hold beaver --why "a map is wrong"')
    assert beaver.told("game show beaver")["stopped"]["kind"] == "hold"
    assert "The turn is on hold, by gm: a map is wrong" in beaver.says("game show beaver")
    held = sentence("reports.times.stopped_subject", paused=False, turn="Spring, year 1, moves")
    assert held in last_letter(beaver)
    assert "is already on hold" in beaver.refused("turn hold beaver --why again")
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    beaver.mail(reply, "all hold\n")
    beaver.says("run poll")
    beaver.says("run process")
    assert beaver.told("game show beaver")["turns_played"] == 0
    beaver.says("turn hold beaver --off")
    assert deadline(beaver) - before < timedelta(minutes=5)
    beaver.says("run process")
    assert beaver.told("game show beaver")["turns_played"] >= 1


def test_a_held_turn_goes_on_with_a_new_deadline_or_more_time(beaver: Terminal) -> None:
    beaver.says("turn hold beaver --why x")
    beaver.says("turn extend beaver 24h --why x")
    assert beaver.told("game show beaver")["stopped"] is None
    beaver.says("turn hold beaver --why x")
    beaver.says(f'turn deadline beaver "{FAR} 20:00" --why x')
    assert beaver.told("game show beaver")["stopped"] is None


def test_a_held_turn_is_played_by_hand_and_the_next_has_its_time(beaver: Terminal) -> None:
    beaver.says("turn hold beaver --why x")
    beaver.says("turn process beaver --yes")
    after = beaver.told("game show beaver")
    assert after["stopped"] is None
    assert after["deadline"] is not None


def test_zones_are_called_as_in_emails(beaver: Terminal) -> None:
    beaver.says('game terms beaver zone=EST --why "we play there"')
    assert "America/New_York" in beaver.says("game terms beaver")
    assert (
        beaver.told("turn deadline beaver '2027-07-01 20:00' --why x")["deadline"]
        == "2027-07-02T00:00:00+00:00"
    )
    assert beaver.told("player set iroquois@example.org --zone EST")["zone"] == "America/New_York"
    assert "Europe/Berlin" in beaver.refused("player set iroquois@example.org --zone Europe/Berln")
    assert "Europe/Berlin" in beaver.refused("game terms beaver zone=Berln --why x")
