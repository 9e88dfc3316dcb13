"""War Chest with the data of an owner's box: optional fields, rejected files, stored games."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.data import read_text
from games.protocol import Invalid
from games.war_chest.board import Hex
from games.war_chest.components import ARCHER, PACKAGE, SCOUT, SWORDSMAN
from games.war_chest.model import AUTOMATON, PLAYER
from games.war_chest.notation import WarChestNotation
from games.war_chest.owner_data import BOXES, PRINTED, box
from games.war_chest.report_text import WarChestTelling
from tests.games.war_chest.table import GAME, RULES
from tests.kit.dice import any_dice
from tests.kit.owner_data import find_differences, find_differences_after, options_with_files, play_game

INVENTED: dict[str, Any] = {
    "units.json": {
        "units": [
            {"id": "archer", "coins": 7, "aliases": ["bowman"]},
            {"id": "swordsman", "coins": 3},
            {"id": "scout", "automaton": False},
        ]
    },
    "board.json": {"neutral": ["g3", "a2", "b4", "f2", "e4", "d4"], "markers": 5, "hand": 4},
    "lineups.json": {
        "lineups": {
            "crecy": [["archer", "scout", "lancer", "knight"], ["ensign", "cavalry", "pikeman", "marshall"]]
        }
    },
    "solo.toml": "[royal_coins]\nbeginner = 3\n",
}
"""Invented numbers. Each row has only the changed fields."""


def told(files: dict[str, Any]) -> str:
    """Return why files are rejected, with the place and the remedy; "" if they are accepted."""
    try:
        options_with_files(GAME, files)
    except Invalid as fault:
        return f"{fault.what}: {fault.why} ({fault.instead})"
    return ""


def refusal(text: str, read: Callable[[str], object]) -> str:
    """Return why a text is rejected; "" if it is accepted."""
    try:
        read(text)
    except Invalid as fault:
        return fault.why
    return ""


def units(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"units.json": {"units": [*rows]}}


def upgraded(name: str, document: Any) -> Any:
    """Return our data as a later version might have them."""
    if name == "units.json":
        for row in document["units"]:
            row.update(coins=row["coins"] + 1, automaton=row["id"] != "archer", aliases=[])
    if name == "board.json":
        document.update(markers=4, hand=2, bottom=["b1"], neutral=[*document["neutral"], "e1"])
    return document


def test_a_row_has_what_is_known_and_inherits_the_rest() -> None:
    found = box(options_with_files(GAME, INVENTED))
    assert (found.units[ARCHER].coins, found.units[SWORDSMAN].coins) == (7, 3)
    assert found.units[ARCHER].tactic == PRINTED.units[ARCHER].tactic
    assert found.units[SWORDSMAN].aliases == PRINTED.units[SWORDSMAN].aliases
    assert SCOUT not in found.deck
    assert found.board.bottom == PRINTED.board.bottom
    assert "d4" in found.locations
    assert "c3" not in found.locations
    assert dict(found.numbers.royal_coins) == {"beginner": 3, "intermediate": 1, "advanced": 2}
    assert found.lineups["first-game"] == PRINTED.lineups["first-game"]


def test_the_rules_go_by_the_owners_numbers() -> None:
    """Coins in bag and supply, the hand, the markers, and the names of units in emails."""
    state = RULES.setup(options_with_files(GAME, INVENTED, units="crecy"), any_dice()).state
    side = state.sides[PLAYER]
    assert side.supply[ARCHER] == 5
    assert state.sides[AUTOMATON].bag.count("royal") + (state.revealed == "royal") == 3  # type: ignore[arg-type]
    view = RULES.view(state, PLAYER)
    (term,) = [term for term in WarChestNotation().lexicon(view) if term.id == "archer"]
    assert term.names == ("Archer", "bowman")
    assert (
        WarChestTelling()
        .introduction(view, PLAYER)[0]
        .startswith("You win when you have placed all 5 of your control markers")
    )
    assert WarChestTelling().setting(view, PLAYER).count("you draw four coins")
    beside = RULES.adjacent_places(view, "d3")
    assert beside is not None
    assert {one.place for one in beside if one.how == "a location"} == {Hex("d4")}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            units({"id": "archer", "coins": "many"}),
            "option data: units.json: units: archer: Expected `int`, got `str` - at `$.coins`",
        ),
        (
            units({"id": "archer", "cost": 3}),
            "units.json: units: archer: Object contains unknown field `cost`",
        ),
        (
            units({"id": "bowman"}),
            "units.json: units: bowman: there is no such row (ids stay as they are: archer,",
        ),
        (units({"coins": 3}), 'units.json: units: row 1: has no id (begin it with {"id": ...})'),
        (units({"id": "scout"}, {"id": "scout"}), "units.json: units: scout: stands there twice"),
        (
            units({"id": "scout", "name": "Spy"}),
            "units: scout: its name is Spy and must be Scout (leave name out)",
        ),
        (
            units({"id": "scout", "coins": 1}),
            "units.json: scout: its coins are 1, and 2 of them go into the bag",
        ),
        (units({"id": "scout", "most_on_board": 6}), "scout: its most_on_board is 6 and must be from 1 to 5"),
        (
            units({"id": "archer", "automaton": True}),
            "archer: its automaton is true, but the solo sheet does not",
        ),
        (
            units({"id": "archer", "aliases": ["Scout"]}),
            "archer: its aliases have Scout, which is also a name of another coin",
        ),
        ({"units.json": {"units": {}}}, "units.json: units: should be a list of rows in brackets"),
        ({"units.json": []}, "units.json: should be an object in braces"),
        ({"board.json": {"top": ["c6", "z9"]}}, "board.json: top: the board has no hex z9"),
        ({"board.json": {"top": ["c6", "b1"]}}, "board.json: bottom: b1 is in the file twice"),
        ({"board.json": {"markers": 2}}, "board.json: bottom: it has 2 starts and must have from 1 to 1"),
        ({"board.json": {"markers": 11}}, "board.json: markers: each side has 11, but there are only 10"),
        ({"board.json": {"hand": 0}}, "board.json: hand: it is 0 and must be at least 1"),
        ({"board.json": '{"hand" 3}'}, "board.json: is no JSON at line 1, column 9"),
        ({"solo.toml": "hand = "}, "solo.toml: is no TOML: Invalid value"),
        (
            {"solo.toml": "[royal_coins]\nbeginner = -1"},
            "solo.toml: royal_coins: beginner: it is -1 and cannot",
        ),
        ({"solo.toml": "[royal_coins]\nmaster = 1"}, "solo.toml: royal_coins: master: there is no such row"),
        (
            {"solo.toml": "[royal_mode.printed]\nadvanced = 'dance'"},
            "royal_mode: printed: advanced: dance isn't one of",
        ),
        (
            {"solo.toml": "[draft]\nkept = 9"},
            "draft: kept: it is 9 and must be from 1 to 7, the automaton's units",
        ),
        (
            {"solo.toml": "[draft]\nshown = 13"},
            "draft: shown: it is 13, must be at least 4, and leave the AI",
        ),
        ({"solo.toml": "[draft.duel]\nshown = 7"}, "draft: duel: shown: it is 7 and must be from 8 to 16"),
        (
            {"solo.toml": "[draft.duel]\npicks = [4, 3]"},
            "draft: duel: picks: each player should pick 4 in all",
        ),
        ({"solo.toml": "[end]\nturns = 0"}, "solo.toml: end: turns: it is 0 and must be at least 1"),
        (
            {"lineups.json": {"lineups": {"crecy": [["archer"], ["scout"]]}}},
            "crecy: each side should have 4 units",
        ),
        (
            {"lineups.json": {"lineups": {"crecy": [["archer"] * 4, ["elf"] * 4]}}},
            "crecy: archer is in the file twice",
        ),
        ({"coins.json": {}}, "coins.json: this game has no such file (its files are units.json, board.json,"),
    ],
)
def test_what_is_wrong_names_its_file_its_row_and_its_field(files: dict[str, Any], said: str) -> None:
    assert said in told(files)


@pytest.mark.parametrize("text", ["{", "[]", '{"files": 3}'])
def test_a_text_without_files_is_refused(text: str) -> None:
    with pytest.raises(Invalid, match="option data"):
        BOXES.complete_text(text)


def test_the_automaton_has_no_unit_that_does_not_attack() -> None:
    """Its list makes every unit attack its neighbours."""
    assert "the automaton needs normal attacks" in told(units({"id": "scout", "normal_attack": False}))
    assert told(units({"id": "scout", "normal_attack": False, "automaton": False})) == ""


def test_what_a_game_keeps_is_whole_and_bears_its_hash() -> None:
    """The same files give the same text. A changed text that claims to be whole is rejected."""
    kept = json.loads(str(options_with_files(GAME, INVENTED)["data"]))
    assert set(kept["files"]) == {"units.json", "board.json", "lineups.json", "solo.toml"}
    assert len(kept["files"]["units.json"]["units"]) == 16
    assert kept["sha256"] == json.loads(str(options_with_files(GAME, INVENTED)["data"]))["sha256"]
    assert kept["sha256"] != json.loads(str(options_with_files(GAME, {})["data"]))["sha256"]
    kept["files"]["board.json"]["hand"] = 2
    assert "says that it is whole, and is not" in refusal(json.dumps(kept), lambda text: box({"data": text}))


def test_a_text_that_says_it_is_whole_is_checked_when_a_game_begins() -> None:
    kept = json.loads(str(options_with_files(GAME, INVENTED)["data"]))
    assert BOXES.complete_text(json.dumps(kept)) == options_with_files(GAME, INVENTED)["data"]
    kept["files"]["units.json"]["units"][0]["name"] = "Spy"
    assert refusal(json.dumps(kept), BOXES.complete_text) == "its name is Spy and must be Archer"


@pytest.mark.parametrize("opponent", ["ai", "human"])
def test_a_game_with_an_owners_files_is_the_same_after_our_data_have_changed(
    opponent: str, tmp_path: Path
) -> None:
    """Bots play a game with invented numbers. Its log gives the same game with other data of ours."""
    log = play_game(GAME, options_with_files(GAME, INVENTED, opponent=opponent), "house")
    assert len(log.states) > 10
    assert find_differences(log) is None
    assert find_differences_after(log, tmp_path, upgraded) is None


def test_a_game_without_files_follows_our_data(tmp_path: Path) -> None:
    """This shows that the test above can fail."""
    options = {**options_with_files(GAME, {}), "units": "first-game"}
    del options["data"]
    assert find_differences_after(play_game(GAME, options, "house"), tmp_path, upgraded) == 0


def test_our_own_files_are_a_box() -> None:
    """Our own files are accepted as an owner's, and change nothing."""
    ours = {
        name: read_text(PACKAGE, f"data/{name}")
        for name in ("units.json", "board.json", "lineups.json", "solo.toml")
    }
    assert box({"data": BOXES.complete_text(json.dumps({"files": ours}))}) == PRINTED
