"""The GM's overrides at the command line: edits, orders, dice, previews, the log, and undoing."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from adjudicator.messages import sentence
from tests.adjudicator.cli.conftest import Terminal
from tests.adjudicator.cli.test_game_changes import minutes

pytestmark = pytest.mark.usefixtures("undrawn")

PLACE = 'edit beaver place W Pima for Iroquois --why "lost in the mail"'


def units(beaver: Terminal, seat: str = "iroquois") -> list[str]:
    """Return the units for which a seat has to give orders, by their usual names."""
    return list(beaver.told(f"orders show beaver {seat}")[0]["missing"])


def kinds(beaver: Terminal) -> list[str]:
    """The kinds of the entries of the log."""
    return [entry["kind"] for entry in beaver.told("game log beaver")]


# Edits.


def test_an_edit_is_made_logged_and_undone(beaver: Terminal) -> None:
    said = beaver.says(PLACE)
    assert said.splitlines()[0] == "Done: place W PIM for Iroquois (entry 1 of the log of beaver)"
    assert "W Pima" in units(beaver)
    entry = beaver.told("game log beaver --entry 1")
    assert (entry["kind"], entry["by"], entry["why"], entry["what"], entry["silent"]) == (
        *("edit", "gm", "lost in the mail", "place W PIM for Iroquois"),
        False,
    )
    beaver.says('game undo beaver --why "it came after all"')
    assert "W Pima" not in units(beaver)
    counting = {entry["entry"]: entry["counts"] for entry in beaver.told("game log beaver")}
    assert counting == {0: True, 1: False, 2: True}
    assert beaver.told("game replay beaver")["difference"] is None


def test_a_reason_is_asked_for(beaver: Terminal) -> None:
    result = beaver.gm("edit beaver remove Mohawk")
    assert result.exit_code == 2
    assert "give a reason, which is logged" in result.stderr
    assert kinds(beaver) == ["setup"]


def test_an_edit_is_read_like_an_order_and_refused_in_words(beaver: Terminal) -> None:
    assert beaver.refused("edit beaver place W Mohawk for Dakota --why x").splitlines() == [
        "Can't place W MHK for Dakota: a War Party of Iroquois is in Mohawk already. "
        "Take it off first: remove MHK.",
    ]
    assert beaver.refused("edit beaver dance --why x").startswith('Can\'t read the change "dance"')
    assert "free MHK" in beaver.says("edit beaver free Mohawk --why x")
    assert beaver.refused("edit otter free Mohawk --why x").startswith('No game called "otter"')


def test_help_lists_the_changes_of_the_game_that_is_named(beaver: Terminal) -> None:
    for name in ("beaver", "indianomacy"):
        shown = beaver.says(f"edit {name} --help")
        assert f"Changes in {name}, each with other ways to write it:" in shown
        assert "Apache owns San Carlos" in shown
        assert "canoes" in shown
        assert "remove dislodged" in shown
    assert "Changes in" not in beaver.says("edit --help")
    assert "Changes in" not in beaver.says("edit nothing --help")
    assert "canoes" not in beaver.says("edit standard --help")


# Orders.


def test_orders_are_set_shown_and_cleared(beaver: Terminal) -> None:
    orders = '"Mohawk - Delaware, Oneida S Mohawk - Delaware" "Seneca - Pequot"'
    said = beaver.says(f"orders set beaver iroquois {orders} --why phone")
    assert "    unlawful, as W SEN - PEQ: Seneca doesn't border Pequot" in said
    assert said.rstrip().endswith("W MHK - DEL\n  W ONE S W MHK - DEL")
    shown = beaver.told("orders show beaver")
    assert [one["seat"] for one in shown] == ["Iroquois"]
    assert shown[0]["orders"] == ["W MHK - DEL", "W ONE S W MHK - DEL"]
    beaver.says("orders set beaver iroquois Oneida H --why phone")
    assert beaver.told("orders show beaver iroquois")[0]["orders"] == ["W MHK - DEL", "W ONE H"]
    beaver.says("orders set beaver iroquois Mohawk H --afresh --why phone")
    assert beaver.told("orders show beaver iroquois")[0]["orders"] == ["W MHK H"]
    beaver.says("orders clear beaver iroquois --why wish --yes")
    assert beaver.told("orders show beaver iroquois")[0]["orders"] == []
    beaver.says("game undo beaver --why unwish")
    assert beaver.told("orders show beaver iroquois")[0]["orders"] == ["W MHK H"]


def test_orders_may_hang_on_something(beaver: Terminal) -> None:
    beaver.says('orders set beaver iroquois "PHASE F1M" "Mohawk H" "ENDPHASE" --why plan')
    assert beaver.told("orders show beaver iroquois")[0]["orders"] == ["PHASE F1M: W MHK H"]


def test_where_nothing_can_be_filed_nothing_is_logged(beaver: Terminal) -> None:
    result = beaver.gm('orders set beaver iroquois "Seneca - Pequot" --why phone')
    assert result.exit_code == 1
    assert "Nothing was changed for Iroquois." in result.stdout
    beaver.says("orders clear beaver iroquois --why nothing --yes")
    assert kinds(beaver) == ["setup"]


def test_bots_order_for_themselves_and_commands_are_for_players(beaver: Terminal) -> None:
    assert "a bot plays it" in beaver.refused('orders set beaver dakota "Santee H" --why x')
    assert "this is a command, not an order" in beaver.refused("orders set beaver iroquois STATUS --why x")


@pytest.mark.parametrize(
    ("change", "suggestion"),
    [
        ("place W Paris for Dakota", None),
        ("place W Pimma for Dakota", "PLACE W PIM FOR Dakota"),
        ("place W Pim for Dakottas", "PLACE W PIM FOR Dakota"),
        ("place W Pima for Dokata", "PLACE W PIM FOR Dakota"),
        ("remove Mohok", "remove MHK"),
        ("plase W Pima for Dakota", "PLACE W PIM FOR Dakota"),
    ],
)
def test_a_name_that_is_only_near_is_refused_with_what_it_may_be(
    beaver: Terminal, change: str, suggestion: str | None
) -> None:
    """The gamesmaster's commands do not guess: once Paris was Sarcee."""
    before = beaver.says("game show beaver --json")
    said = beaver.refused(f'edit beaver {change} --why "misread order"')
    assert suggestion is None or suggestion.lower() in said.lower()
    assert beaver.says("game show beaver --json") == before


@pytest.mark.parametrize(
    ("orders", "suggestion"),
    [
        ('"Mohok - Delaware"', "W MHK - DEL"),
        ('"Mohawk - Delawar"', "W MHK - DEL"),
        ('"Oneida H" "Mohok H"', "W MHK H"),
        ('"10 61"', "W MHK - DEL"),
    ],
)
def test_orders_that_are_only_near_are_refused_whole(beaver: Terminal, orders: str, suggestion: str) -> None:
    said = beaver.refused(f"orders set beaver iroquois {orders} --why phone")
    assert suggestion in said
    assert "W ONE H" not in beaver.says("orders show beaver iroquois")


def test_orders_set_after_others_came_in_are_not_undone_over_them(beaver: Terminal) -> None:
    beaver.says("orders set beaver iroquois Mohawk H --why one")
    beaver.says("orders set beaver iroquois Oneida H --why two")
    assert "they have changed again since" in beaver.refused("game undo beaver --entry 1 --why x")


# Dice, and what a turn would come to.


def storm(beaver: Terminal) -> list[Any]:
    """Return the rolls of the storm that the next turn would bring, by number."""
    throws = beaver.told("turn preview beaver")["throws"]
    return [throw["numbers"] for throw in throws if throw["label"] == "storm/b/U1"]


def test_a_preview_shows_all_reports_and_changes_nothing(beaver: Terminal) -> None:
    beaver.says(PLACE)
    looks = ("game log beaver", "game show beaver", "mail list --out")
    before = [beaver.told(one) for one in looks]
    shown = beaver.says("turn preview beaver")
    assert " [beaver S1M Iroquois #…]\n" in shown
    assert "There is now a War Party of Iroquois in Pima. (lost in the mail)" in shown
    assert shown.rstrip().endswith("Nothing was saved or sent. To run the turn: gm turn process beaver")
    assert [beaver.told(one) for one in looks] == before
    told = beaver.told("turn preview beaver --seat iroquois")
    assert [one["seat"] for one in told["reports"]] == ["Iroquois"]
    assert told["played"][0] == "S1M"
    assert "No report for Dakota" in beaver.refused("turn preview beaver --seat dakota")


def test_a_silent_edit_is_in_the_log_and_not_in_the_report(beaver: Terminal) -> None:
    beaver.says(PLACE + " --silent")
    assert "lost in the mail" not in beaver.says("turn preview beaver")
    assert beaver.told("game log beaver --entry 1")["silent"] is True


def test_a_die_is_set_thrown_and_shown_as_set(beaver: Terminal) -> None:
    beaver.says('edit beaver place W Hudson Bay for Iroquois --why "a crossing"')
    ((sealed,),) = storm(beaver)
    number = 3 if sealed != 3 else 4
    assert beaver.refused("dice set-next beaver storm/b/W1 3 --why x").startswith(
        "Roll storm/b/W1: the saved orders don't lead to this roll"
    )
    assert "only one number from 1 to 6" in beaver.refused("dice set-next beaver storm/b/U1 7 --why x")
    beaver.says(f'dice set-next beaver storm/b/U1 {number} --why "thrown at the table"')
    assert storm(beaver) == [[number]]
    assert beaver.told("dice show beaver")["set"] == {"storm/b/U1": [number]}
    beaver.says("game undo beaver --why no")
    assert storm(beaver) == [[sealed]]
    beaver.says(f'dice set-next beaver storm/b/U1 {number} --why "thrown at the table"')
    beaver.says("turn process beaver --yes")
    shown = beaver.told("dice show beaver")
    assert shown["set"] == {}
    assert shown["secret"] is None
    (thrown,) = [throw for throw in shown["throws"] if throw["label"] == "storm/b/U1"]
    assert (thrown["numbers"], thrown["forced"]) == ([number], True)
    assert beaver.told("game replay beaver")["difference"] is None
    letters = beaver.told("mail list --out")
    report = next(one["number"] for one in letters if not one["subject"].startswith("Press:"))
    text = " ".join(beaver.told(f"mail show {report} --out")["text"].split())
    assert sentence("reports.by_hand.throw_set", label="storm/b/U1", numbers=[number]) in text
    assert beaver.says("dice show beaver").rstrip().endswith("by hand")


def test_numbers_are_numbers(beaver: Terminal) -> None:
    assert beaver.gm("dice set-next beaver storm/b/U1 six --why x").exit_code == 2
    assert "from 1 up" in beaver.refused("dice set-next beaver storm/b/U1 0 --why x --yes")


# Back.


def test_a_rollback_files_orders_again_holds_the_turn_and_tells_the_players(beaver: Terminal) -> None:
    beaver.says("orders set beaver iroquois Mohawk - Delaware --why one")
    beaver.says("turn process beaver --yes")
    beaver.says("turn process beaver --yes")
    letters = len(beaver.told("mail list --out"))
    assert beaver.gm("game rollback beaver S1M --why wrong").exit_code == 2
    said = beaver.says("game rollback beaver s1m --why wrong --yes")
    assert said.splitlines()[0].startswith("Rolled beaver back to Spring, year 1, moves (S1M), entry ")
    assert "Saved again: the orders of Iroquois." in said
    show = beaver.told("game show beaver")
    assert (show["turn"]["short"], show["turns_played"]) == ("S1M", 0)
    assert beaver.told("orders show beaver iroquois")[0]["orders"][0] == "W MHK - DEL"
    new = beaver.told("mail list --out")[: len(beaver.told("mail list --out")) - letters]
    assert [one["to"] for one in new] == ["iroquois@example.org"]
    text = " ".join(beaver.told(f"mail show {new[0]['number']} --out")["text"].split())
    assert "The GM has rolled the game back to Spring, year 1, moves: wrong" in text
    assert "W MHK - DEL" in text
    beaver.says("run process")
    assert beaver.told("game show beaver")["turn"]["short"] == "S1M"
    beaver.says("turn process beaver --yes")
    assert beaver.told("game show beaver")["turn"]["short"] != "S1M"
    assert beaver.told("game replay beaver")["difference"] is None


def test_a_rollback_is_taken_back(beaver: Terminal) -> None:
    beaver.says("turn process beaver --yes")
    before = beaver.told("game show beaver")
    beaver.says("game rollback beaver S1M --why wrong --yes --no-tell")
    beaver.says('game undo beaver --why "right after all"')
    after = beaver.told("game show beaver")
    assert after["tables"] == before["tables"]
    assert (after["turn"], after["turns_played"]) == (before["turn"], before["turns_played"])
    assert beaver.told("game replay beaver")["difference"] is None


def test_a_game_that_is_over_goes_on_after_a_rollback(terminal: Terminal) -> None:
    """A game that ended by its rules, or by the GM's decision."""
    terminal.says("game new indianomacy brief --option last_year=1")
    while terminal.told("game show brief")["status"] == "running":
        terminal.says("turn process brief --yes")
    end = terminal.told("game show brief")
    said = terminal.says("game rollback brief F1M --why wrong --yes")
    assert "The secret of its dice is public" in said
    assert terminal.told("game show brief")["status"] == "running"
    terminal.says("game undo brief --why right")
    assert terminal.told("game show brief")["result"] == end["result"] is not None
    assert terminal.told("dice show brief")["secret"] is not None
    terminal.says("game rollback brief F1M --why wrong --yes")
    terminal.says("game end brief --why enough --yes")
    terminal.says("game rollback brief S1M --why wrong --yes")
    assert terminal.told("game show brief")["turn"]["short"] == "S1M"
    assert "had ended the game before" in terminal.refused("game undo brief --why x")
    assert terminal.told("game replay brief")["difference"] is None


def test_only_what_was_played_is_rolled_back(beaver: Terminal) -> None:
    assert beaver.refused("game rollback beaver S1M --why x --yes").splitlines() == [
        'Game beaver has no turn "S1M". No turn has run yet.'
    ]
    assert "nothing was changed by hand since the last turn" in beaver.refused("game undo beaver --why x")
    beaver.says(PLACE)
    assert "can be undone: 1" in beaver.refused("game undo beaver --entry 9 --why x")
    assert "has no entry 9" in beaver.refused("game log beaver --entry 9")


def test_the_log_is_a_table_for_people(beaver: Terminal) -> None:
    beaver.says(PLACE)
    lines = beaver.says("game log beaver").splitlines()
    assert lines[0].split() == ["entry", "at", "kind", "turn", "by", "what", "why"]
    assert "place W PIM for Iroquois" in lines[2]
    entry = beaver.says("game log beaver --entry 1")
    assert "previous_sha256" in entry


def test_the_log_has_the_reasons_of_the_bots_for_the_gamesmaster(beaver: Terminal) -> None:
    """At once: players get them when the game is over."""
    beaver.says("turn process beaver --yes")
    told = beaver.told("game log beaver --entry 1")["reasons"]
    assert "Iroquois" not in told, "a person's"
    order, why = next(iter(told["Dakota"].items()))
    assert f"Dakota: {order} ({why})" in " ".join(beaver.says("game log beaver --entry 1").split())
    assert why not in " ".join(beaver.says("report beaver").split())


# From one installation to another.


def test_an_export_is_imported_elsewhere_and_proved(beaver: Terminal, terminal_elsewhere: Terminal) -> None:
    beaver.says(PLACE)
    beaver.says("turn process beaver --yes")
    beaver.says('orders set beaver iroquois "Mohawk H" --why phone')
    beaver.says('press send beaver "The deadline moves to Friday."')
    file = beaver.folder / "beaver.json"
    assert (
        beaver.says(f"game export beaver --out {file}")
        == f"Wrote beaver to {file}, with 4 entries of its log.\n"
    )
    document = json.loads(file.read_text())
    assert document["turnpost"] == 2
    said = terminal_elsewhere.says(f"game import {file}")
    assert "all positions identical" in said
    looks = ("game log beaver", "orders show beaver iroquois", "dice show beaver", "press show beaver")
    for line in looks:
        assert terminal_elsewhere.told(line) == beaver.told(line)
    here, there = beaver.told("game show beaver"), terminal_elsewhere.told("game show beaver")
    assert here == there
    assert terminal_elsewhere.told("game replay beaver")["difference"] is None
    again = terminal_elsewhere.refused(f"game import {file}")
    assert again.startswith('Can\'t call a game "beaver": another game has that name')
    ahead = terminal_elsewhere.told("turn preview beaver")
    assert ahead == beaver.told("turn preview beaver")
    assert ahead["reports"]


def test_players_are_written_to_from_the_new_place_when_wished(
    beaver: Terminal, terminal_elsewhere: Terminal
) -> None:
    file = beaver.folder / "beaver.json"
    beaver.says(f"game export beaver --out {file}")
    terminal_elsewhere.says(f"game import {file} --tell")
    (letter,) = terminal_elsewhere.told("mail list --out")
    assert letter["to"] == "iroquois@example.org"
    assert "The game has moved to gm@example.org" in letter["subject"]


def test_a_public_export_holds_neither_people_nor_the_secret(beaver: Terminal) -> None:
    beaver.says("orders set beaver iroquois Mohawk H --why phone")
    printed = beaver.says("game export beaver --public")
    document = json.loads(printed)
    assert document["secret"] is None
    assert document["filed"] == {}
    assert "iroquois@example.org" not in printed
    file = beaver.folder / "public.json"
    file.write_text(printed)
    proof = beaver.told(f"dice verify {file}")
    assert (proof["fault"], proof["sealed"]) == (None, False)
    assert "is a public export" in beaver.refused(f"game import {file}")


def test_dice_are_verified_against_the_commitment_of_the_letters(beaver: Terminal) -> None:
    beaver.says('edit beaver place W Hudson Bay for Iroquois --why "a crossing"')
    beaver.says("turn process beaver --yes")
    file = beaver.folder / "beaver.json"
    beaver.says(f"game export beaver --out {file}")
    said = beaver.says(f"dice verify {file}")
    assert "all as the sealed secret determines." in said
    sealed = beaver.told("dice show beaver")["commitment"]
    assert beaver.told(f"dice verify {file} --commitment {sealed}")["fault"] is None
    other = beaver.refused(f"dice verify {file} --commitment {'0' * 64}")
    assert (
        other == "Game beaver failed verification: the secret is not the one whose SHA-256 was published.\n"
    )


def test_what_is_no_export_is_refused(beaver: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "no.json"
    for text, why in (
        ("{", "isn't JSON"),
        ("[]", "isn't an exported game"),
        ('{"turnpost": 3}', "has version 3"),
        ('{"turnpost": 1}', "is damaged"),
    ):
        file.write_text(text)
        assert why in beaver.refused(f"dice verify {file}")
        assert beaver.refused(f"game import {file}").startswith(f"Can't import {file}")
    assert "Can't read" in beaver.refused(f"game import {tmp_path / 'none.json'}")


def test_the_log_says_which_gamesmaster_it_was(beaver: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GM_NAME", "  York ")
    beaver.says(PLACE)
    beaver.says('game pause beaver --why "holidays"')
    assert [entry["by"] for entry in beaver.told("game log beaver")] == ["gm", "gm York"]
    assert minutes(beaver)[-1] == "gm York paused holidays"
    beaver.says("game replay beaver")


def test_a_damaged_log_is_not_exported_and_is_told_as_damage(beaver: Terminal) -> None:
    with closing(sqlite3.connect(beaver.folder / "turnpost.db")) as repository, repository:
        repository.execute("update entry set state = x'7b22a2' where number = 0")
    assert "its position after entry 0 of the log is damaged" in beaver.refused("game export beaver")
