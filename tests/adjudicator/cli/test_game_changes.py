"""``gm game`` terms, pause, resume, end, delete, start: the life of a game."""

import json
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal

pytestmark = pytest.mark.usefixtures("undrawn")

ENDED = sentence("outbound.notifications.ended_by_gm")


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def minutes(terminal: Terminal, name: str = "beaver") -> list[str]:
    """Return the entries of a game's log besides its turns, one per line."""
    shown = terminal.says(f"game log {name}").partition("Manual changes:")[2]
    return [" ".join(line.split()[2:]) for line in shown.splitlines()[2:]]


def letters(terminal: Terminal) -> list[dict[str, Any]]:
    """The letters to be sent, oldest first, each with its text."""
    listed = terminal.told("mail list --out --limit 99")
    shown = [terminal.told(f"mail show {one['number']} --out") for one in listed]
    return sorted(shown, key=lambda one: one["number"])


def last_letter(terminal: Terminal) -> str:
    """The last letter to be sent, in words, after its subject."""
    letter = letters(terminal)[-1]
    return f"{letter['subject']}: {' '.join(letter['text'].split())}"


def test_a_game_begins_with_the_terms_that_are_given(terminal: Terminal) -> None:
    """Its first deadline heeds them: two days that count, then eight in the evening."""
    said = "--term moves=48h --term days_off=sat,sun --term hours=20:00 --term zone=Europe/Amsterdam"
    game = terminal.told(f"game new indianomacy otter {said} --term early=no")
    assert game["early"] is False
    due = instant(game["deadline"])
    assert (due.weekday() < 5, due.minute, due.second) == (True, 0, 0)
    terms = terminal.told("game terms otter")
    assert (terms["moves"], terms["days_off"], terms["hours"], terms["early"]) == (
        "48h",
        "sat,sun",
        "20:00",
        "no",
    )
    assert terms["grace"] == "12h"


def test_terms_are_shown_with_what_they_mean(beaver: Terminal) -> None:
    shown = beaver.says("game terms beaver")
    assert "moves       72h" in shown
    assert "weekdays without play" in shown


def test_terms_are_changed_and_count_from_the_next_turn_on(beaver: Terminal) -> None:
    before = beaver.told("game show beaver")["deadline"]
    terms = beaver.told('game terms beaver moves=24h press=none nmr=gm --why "agreed on"')
    assert (terms["moves"], terms["press"], terms["nmr"]) == ("24h", "none", "gm")
    assert beaver.told("game show beaver")["deadline"] == before
    assert minutes(beaver)[-1] == "gm terms: moves=24h, nmr=gm, press=none agreed on"
    told = last_letter(beaver)
    assert sentence("reports.times.new_terms_subject") in told
    assert "moves=24h: how long a turn waits for orders" in told
    assert sentence("reports.times.gamesmaster_says", why="agreed on") in told
    beaver.says("turn process beaver --yes")
    again = beaver.told("game show beaver")
    assert again["turn"]["kind"] == "moves"
    assert instant(again["deadline"]) < instant(before)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("game terms otter", 'No game called "otter"'),
        ("game terms beaver moves=soon --why x", 'Setting moves: "soon" isn\'t a duration'),
        ("game terms beaver snacks=many --why x", "Setting snacks: games have no such setting"),
        (
            "game terms beaver moves=72h --why x",
            "Nothing to change in game beaver: it already has these settings",
        ),
        ("game new indianomacy otter --term hours=late", 'Setting hours: "late" isn\'t an hour of the day'),
        ("game resume beaver", "Can't resume game beaver: it is neither paused nor suspended"),
        ("game start beaver", "Can't start game beaver: it has already started"),
        ("game start otter", "Can't start game otter: no game is called otter"),
        ("game end beaver --winner huron --why x --yes", 'Game beaver has no seat "huron"'),
        ("game delete otter --why x --yes", 'No game called "otter"'),
        ("game new indianomacy beaver --open", 'Can\'t call a game "beaver": another game has that name'),
        ("game new indianomacy Beaver.1 --open", 'Can\'t call a game "Beaver.1"'),
        ("game new indianomacy otter --open --players 9", "Can't wait for 9 players: the game has 8 seats"),
        (
            'game new indianomacy otter --open --starts "2020-01-01 20:00"',
            "Can't start the game then: that time has passed",
        ),
        ("game new chess otter --open", 'No game is called "chess"'),
    ],
)
def test_what_cannot_be_done_is_refused(beaver: Terminal, line: str, complaint: str) -> None:
    assert beaver.refused(line).startswith(complaint)


@pytest.mark.parametrize(
    "line",
    [
        "game terms beaver moves=48h",
        "game terms beaver moves --why x",
        "game pause beaver",
        "game end beaver --yes",
        "game end beaver --why x",
        "game delete beaver --yes",
        "game delete beaver --why x",
    ],
)
def test_a_reason_and_a_yes_are_wanted_where_nobody_can_be_asked(beaver: Terminal, line: str) -> None:
    assert beaver.gm(line).exit_code == 2
    assert beaver.told("game show beaver")["stopped"] is None


def test_a_pause_stops_the_clock_and_keeps_the_time_that_was_left(beaver: Terminal) -> None:
    before = beaver.told("game show beaver")
    assert "is paused" in beaver.says("game pause beaver --why holidays")
    paused = beaver.told("game show beaver")
    assert (paused["deadline"], paused["status"]) == (None, "running")
    assert (paused["stopped"]["kind"], paused["stopped"]["why"]) == ("pause", "holidays")
    assert "Paused, by gm: holidays" in beaver.says("game show beaver")
    assert beaver.says("game show beaver").splitlines()[0].endswith(", paused")
    assert beaver.says("game list").splitlines()[1].split()[3] == "paused"
    assert beaver.says("status").splitlines()[1].split()[2] == "paused"
    assert beaver.told("status")["games"][0]["stopped"] == "paused"
    told = last_letter(beaver)
    assert "The game is paused" in told
    assert "The GM says: holidays" in told
    assert "is already paused" in beaver.refused("game pause beaver --why again")
    assert "is paused" in beaver.refused("turn process beaver --yes")
    assert "is paused" in beaver.refused("turn extend beaver 24h --why x")
    after = beaver.told('game resume beaver --why "all are back"')
    assert after["stopped"] is None
    kept = instant(after["deadline"]) - instant(before["deadline"])
    assert timedelta(0) <= kept < timedelta(minutes=5)
    told = last_letter(beaver)
    assert sentence("reports.times.resumed_subject", turn="") in told
    assert sentence("reports.times.gamesmaster_says", why="all are back") in told
    assert minutes(beaver)[-2:] == ["gm paused holidays", "gm resumed all are back"]


def test_orders_are_taken_while_a_game_is_paused(beaver: Terminal) -> None:
    reply = beaver.told("seat show beaver iroquois")["reply_address"]
    beaver.says("game pause beaver --why holidays")
    beaver.mail(reply, "Mohawk - Delaware\nall others hold\nREADY\n")
    beaver.says("run poll")
    beaver.says("run process")
    assert "W MHK - DEL" in beaver.told("seat show beaver iroquois")["orders"]
    assert beaver.told("game show beaver")["turns_played"] == 0
    beaver.says("game resume beaver")
    beaver.says("run process")
    assert beaver.told("game show beaver")["turns_played"] >= 1


def test_a_game_is_ended_by_hand_and_its_log_says_so(beaver: Terminal) -> None:
    over = beaver.told('game end beaver --winner iroquois --why "all others concede" --yes')
    assert over["status"] == "finished"
    assert over["result"] == {
        "winners": ["Iroquois"],
        "reason": ENDED,
    }
    assert sentence("reports.results.won", winners="Iroquois", why=ENDED) in last_letter(beaver)
    assert f"Won by Iroquois: {ENDED}" in beaver.says("game show beaver")
    assert beaver.told("game replay beaver")["difference"] is None
    for line in (
        "game pause beaver --why x",
        "game end beaver --why x --yes",
        "seat kick beaver iroquois --why x",
    ):
        assert "the game is over" in beaver.refused(line)


def test_a_game_that_nobody_has_won(beaver: Terminal) -> None:
    over = beaver.told('game end beaver --why "given up by all" --yes')
    assert over["result"] == {"winners": [], "reason": ENDED}


def test_a_game_is_struck_from_the_books(beaver: Terminal) -> None:
    assert letters(beaver)
    assert beaver.told("game delete beaver --why trial --yes") == {"game": "beaver", "deleted": True}
    assert 'No game called "beaver"' in beaver.refused("game show beaver")
    assert letters(beaver) == [], "they go with it"
    assert "a deleted game had that name" in beaver.refused("game new indianomacy beaver")
    assert "a deleted game had that name" in beaver.refused("game new indianomacy beaver --open")


def test_a_game_waits_for_people_until_it_is_started(terminal: Terminal) -> None:
    said = terminal.says("game new indianomacy otter --open --players 5 --term press=grey --term moves=48h")
    assert "open for players. 0 of 5 have joined" in said
    assert "JOIN otter" in said
    shown = terminal.told("game show otter")
    assert (shown["status"], shown["needed"], shown["customs"]["press"]) == ("open", 5, "grey")
    assert terminal.says("game list").splitlines()[1].split() == ["otter", "indianomacy", "open", "0", "5"]
    assert [one["status"] for one in terminal.told("game list")] == ["open"]
    assert "a game of that name is open for players" in terminal.refused("game new indianomacy otter")
    begun = terminal.told("game start otter")
    assert begun["turn"]["short"] == "S1M"
    terms = terminal.told("game terms otter")
    assert (terms["moves"], terms["press"]) == ("48h", "grey")
    assert [one["game"] for one in terminal.told("game list")] == ["otter"]


def test_a_game_that_waits_for_people_is_withdrawn(terminal: Terminal) -> None:
    terminal.says('game new indianomacy --open --starts "2036-12-01 20:00"')
    assert "Latest start: Monday 1 December 2036" in terminal.says("game show indianomacy-1")
    terminal.says("game delete indianomacy-1 --why nobody --yes")
    assert "There are no games yet" in terminal.says("game list")


def test_a_game_that_is_over_waits_for_nobody(beaver: Terminal) -> None:
    """In the table of `gm status`, and of its seats."""
    beaver.says('game end beaver --why "a trial" --yes')
    (row,) = beaver.told("status")["games"]
    assert (row["status"], row["turn"], row["deadline"], row["missing"]) == ("finished", None, None, None)
    assert all(not seat["missing"] and not seat["owes"] for seat in beaver.told("game show beaver")["seats"])


def test_a_game_keeps_the_file_that_it_began_with(terminal: Terminal) -> None:
    """The owner changes the file and deletes it: the game can still be verified."""
    file = terminal.folder / "my.json"
    file.write_text('{"cards": [{"id": "B-AS", "bp": 19}]}', encoding="utf-8")
    terminal.says(f"game new great-war otter --option cards={file}")
    terminal.says("turn process otter --yes")
    file.unlink()
    terminal.says("game replay otter")
    file.write_text('{"cards": [{"id": "B-AS", "bp": "many"}]}', encoding="utf-8")
    assert "B-AS: Expected `int`, got `str`" in terminal.refused(f"game new great-war --option cards={file}")


def test_a_game_keeps_the_folder_that_it_began_with(
    terminal: Terminal, terminal_elsewhere: Terminal, tmp_path: Path
) -> None:
    """The owner deletes the changed files: the game can still be verified, here and after an export."""
    box, file = terminal.folder / "mybox", tmp_path / "otter.json"
    box.mkdir()
    asked = f"--option data={box}"
    assert "no file in" in terminal.refused(f"game new war-chest otter {asked}")
    (box / "notes.txt").write_text("Mine.", encoding="utf-8")
    (box / "board.json").write_text('{"hand": 4}', encoding="utf-8")
    terminal.says(f"game new war-chest otter {asked} --option units=random")
    terminal.says("turn process otter --yes")
    (box / "board.json").write_text('{"hand": "many"}', encoding="utf-8")
    assert "board.json: Expected `int`, got `str` - at `$.hand`" in terminal.refused(
        f"game new war-chest {asked}"
    )
    shutil.rmtree(box)
    assert "isn't a folder" in terminal.refused(f"game new war-chest {asked}")
    terminal.says("game replay otter")
    kept = terminal.told("game show otter")["options"]["data"]
    assert json.loads(kept)["files"]["board.json"]["hand"] == 4
    terminal.says(f"game export otter --out {file}")
    terminal_elsewhere.says(f"game import {file}")
    terminal_elsewhere.says("game replay otter")
    assert terminal_elsewhere.told("game show otter")["options"]["data"] == kept
