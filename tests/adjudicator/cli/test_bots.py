"""Choosing bots at the terminal: for a whole game or one seat, and how they are shown."""

import json

import pytest

from games import kinds
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.test_game_changes import minutes

TEMPERS = ("raider", "settler", "guardian")


def bots(terminal: Terminal, game: str) -> dict[str, tuple[str, str | None, str | None]]:
    """Return the level, the personality and the draw of each seat's bot."""
    seats = terminal.told(f"game show {game}")["seats"]
    return {seat["seat"]: (seat["bot"], seat["temperament"], seat["drawn"]) for seat in seats}


def test_all_bots_of_a_new_game_are_chosen_at_once(beaver: Terminal) -> None:
    said = beaver.says("game new standard lynx --bots intermediate --temperament raider")
    assert "Each is a bot (intermediate, raider)." in said
    assert set(bots(beaver, "lynx").values()) == {("intermediate", "raider", None)}
    assert "bot (intermediate, raider)" in beaver.says("game show lynx")
    assert set(bots(beaver, "beaver").values()) == {("intermediate", None, None)}, "where nothing is said"


def test_drawn_temperaments_differ_and_are_shown_to_the_gamesmaster(beaver: Terminal) -> None:
    beaver.says("game new standard lynx --bots beginner --temperament drawn")
    found = bots(beaver, "lynx")
    assert {temper for _, temper, _ in found.values()} == {"drawn"}
    assert {drawn for _, _, drawn in found.values()} <= set(TEMPERS)
    _, _, drawn = found["Austria"]
    assert f"bot (beginner, {drawn}, drawn)" in beaver.says("seat show lynx austria")
    beaver.says("seat bot lynx austria beginner")
    beaver.says("seat bot lynx austria intermediate drawn")
    assert bots(beaver, "lynx")["Austria"] == ("intermediate", "drawn", drawn), "no second try"


def test_a_game_that_waits_for_people_keeps_its_bots(beaver: Terminal) -> None:
    beaver.says("game new standard otter --open --players 3 --bots intermediate --temperament settler")
    offered = beaver.told("game show otter")
    assert (offered["bot"], offered["temperament"]) == ("intermediate", "settler")
    beaver.says("game start otter")
    assert set(bots(beaver, "otter").values()) == {("intermediate", "settler", None)}


def test_the_bot_of_a_seat_is_changed_and_noted(beaver: Terminal) -> None:
    said = beaver.says('seat bot beaver dakota intermediate guardian --why "too easy"')
    assert said.strip() == "A bot (intermediate, guardian) now plays Dakota in beaver."
    assert bots(beaver, "beaver")["Dakota"] == ("intermediate", "guardian", None)
    assert "Dakota: its bot is intermediate, guardian" in minutes(beaver)[-1]


def test_a_seat_that_somebody_holds_has_its_bot_for_later(beaver: Terminal) -> None:
    said = beaver.says("seat bot beaver iroquois intermediate")
    assert "If no player holds Iroquois in beaver, a bot (intermediate) will play it." in said
    assert "bot (intermediate)" in beaver.says("seat show beaver iroquois")
    beaver.says("seat kick beaver iroquois --no-offer --why left")
    assert beaver.told("seat show beaver iroquois")["player"] == "bot"
    assert bots(beaver, "beaver")["Iroquois"] == ("intermediate", None, None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("game new standard lynx --bots expert", "this game doesn't have that bot"),
        ("game new standard lynx --temperament grumpy", "Use one of: raider, settler, guardian, drawn"),
        ("game new standard lynx --open --bots expert", "this game doesn't have that bot"),
        ("game new war-chest lynx --temperament drawn", "bots of War Chest have none"),
        ("seat bot beaver dakota expert", f"Use one of: {', '.join(kinds()['indianomacy'].bots)}"),
        ("seat bot beaver dakota beginner grumpy", "this game doesn't have that personality"),
        ("seat bot beaver prussia beginner", 'has no seat "prussia"'),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(beaver: Terminal, line: str, said: str) -> None:
    assert said in " ".join(beaver.refused(line).split())
    assert "lynx" not in [one["game"] for one in beaver.told("game list")]


def test_the_levels_and_temperaments_of_a_kind_are_listed(beaver: Terminal) -> None:
    said = beaver.says("rules indianomacy")
    assert "Bots: beginner, intermediate" in said
    assert "Personalities: raider, settler, guardian, or drawn" in said
    assert beaver.told("rules indianomacy")["temperaments"] == list(TEMPERS)
    assert "temperaments" not in beaver.says("rules war-chest")


def test_nobody_changes_the_bots_of_a_game_that_is_over(beaver: Terminal) -> None:
    beaver.says("game end beaver --why enough --yes")
    assert "the game is over" in beaver.refused("seat bot beaver dakota intermediate")


def test_what_was_drawn_is_proved_without_a_service(beaver: Terminal) -> None:
    beaver.says("game new standard lynx --temperament drawn")
    file = beaver.folder / "lynx.json"
    file.write_text(beaver.says("game export lynx"))
    drawn = {seat: temper for seat, (_, _, temper) in bots(beaver, "lynx").items()}
    assert beaver.told(f"dice verify {file}")["temperaments"] == drawn
    said = " ".join(beaver.says(f"dice verify {file}").split())
    assert f"It drew these personalities: Austria {drawn['Austria']}, England" in said


# Programs of the GM's own, which gm.toml names.


PROGRAM = """
[[bot]]
name = "mine"
command = "true --play"
memory = 64

[[bot]]
name = "lost"
command = "no-such-program --play"
"""


@pytest.fixture
def programs(beaver: Terminal) -> Terminal:
    """A service whose gm.toml names a program that is installed, and one that isn't."""
    beaver.config.write_text(beaver.config.read_text() + PROGRAM)
    return beaver


def test_programs_are_listed_and_agreed_to(programs: Terminal) -> None:
    rows = {row["name"]: row for row in programs.told("seat bots")}
    assert rows["mine"] == {
        "name": "mine",
        "command": "true --play",
        "seconds": 10,
        "memory": 64,
        "agreed": False,
    }
    assert "no: gm seat bots --agree mine" in programs.says("seat bots")
    assert 'No bot called "other"' in programs.refused("seat bots --agree other")
    programs.says("seat bots --agree mine")
    agreed = {row["name"]: row["agreed"] for row in programs.told("seat bots")}
    assert agreed == {"mine": True, "lost": False}


def test_a_service_without_programs_says_how_to_add_one(beaver: Terminal) -> None:
    assert "Add [[bot]] with a name and a command" in beaver.says("seat bots")


def test_status_names_the_programs_that_nobody_has_agreed_to(programs: Terminal) -> None:
    assert programs.told("status")["bots_not_agreed"] == ["mine", "lost"]
    line = "Your bot mine isn't started. If you know its command: gm seat bots --agree mine"
    assert line in programs.says("status")
    programs.says("seat bots --agree mine")
    assert programs.told("status")["bots_not_agreed"] == ["lost"]
    assert line not in programs.says("status")


def test_doctor_names_programs_without_agreement_and_those_that_are_missing(programs: Terminal) -> None:
    programs.says("seat bots --agree mine")

    def findings() -> dict[str, tuple[str, str, str]]:
        found = json.loads(programs.gm("doctor --json").stdout)
        rows = [row for row in found if row["about"] == "bots"]
        return {row["said"].split()[2]: (row["grade"], row["said"], row["instead"]) for row in rows}

    assert findings()["mine"][0] == "good"
    grade, what, instead = findings()["lost"]
    assert (grade, "you haven't agreed to it on this machine" in what) == ("odd", True)
    assert instead.startswith("gm seat bots --agree lost")
    programs.says("seat bots --agree lost")
    grade, what, instead = findings()["lost"]
    assert (grade, instead) == ("bad", "Give its path, or install it")
    assert "the program no-such-program isn't installed" in what
