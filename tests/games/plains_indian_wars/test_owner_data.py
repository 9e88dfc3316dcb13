"""Plains Indian Wars with an owner's data: missing fields, faults, and the data that a game keeps."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.data import read_text
from games.plains_indian_wars import GAMES
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.model import CardId, Region
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.owner_data import BOXES, FILES, PRINTED, box
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.rules import PlainsRules
from games.protocol import Invalid
from games.record import replace_fields
from tests.kit.dice import any_dice
from tests.kit.owner_data import find_differences, find_differences_after, options_with_files, play_game

(GAME,) = GAMES
RULES = PlainsRules()
BORDERS = [
    [*border.split("-"), "sourced"]
    for border in (
        *("N1-N2", "N1-S1", "N1-ROCKIES", "N2-N3", "N3-N4", "N4-N5", "N5-STL"),
        *("N1-SAC", "S1-S2", "S2-S3", "S3-S4", "S4-S5", "S5-STL"),
    )
]
INVENTED: dict[str, Any] = {
    "map.json": {
        "regions": [{"id": "N4", "key": 5, "aliases": ["The Fork"]}],
        "railroad": {"spaces_in_a_section": 4, "mountain_spaces": 3, "limit": 2, "built_by_brown": [0, 1, 2]},
    },
    "dice.json": {"dice": {"Blue": {"faces": ["hit", "hit", "hit", "hit", "blank", "treaty", "blank"]}}},
    "cards.json": {
        "hand": 2,
        "events": 3,
        "decks": {
            "Cavalry": {
                "cards": [
                    {"id": "CAV-01", "cubes": 6, "moves": 3},
                    {"id": "CAV-02", "aliases": ["Printed Fort"], "cubes": 1},
                    {
                        "id": "CAV-11",
                        "effect": {"op": "custer", "cubes": 5, "points": 1},
                        "text": "Five ride.",
                    },
                ]
            },
            "Northern": {"cards": [{"id": "NPT-02", "cubes": 9, "groups": 1}]},
        },
    },
    "scenarios.json": {
        "supply": {"Brown": 22},
        "scenarios": {
            "1": {"places": {"STL": {"Blue": 4, "Brown": 2}}, "wagons": 3},
            "2.1": {"turns": 5, "limits": {"plains": 4, "belt": 3}},
        },
    },
}
"""Invented numbers, in rows with only some fields."""


def told(files: dict[str, Any]) -> str:
    """Return the fault of files: where, what, and what to write instead; "" without a fault."""
    return refusal(json.dumps({"files": files}), BOXES.complete_text)


def refusal(text: str, read: Callable[[str], object]) -> str:
    """Return why a text can't be read; "" if it can."""
    try:
        read(text)
    except Invalid as fault:
        return f"{fault.what}: {fault.why} ({fault.instead})"
    return ""


def card(deck: str, **row: Any) -> dict[str, Any]:
    return {"cards.json": {"decks": {deck: {"cards": [row]}}}}


def line(**row: Any) -> dict[str, Any]:
    return {"map.json": {"railroad": row}}


def scenario(key: str, **row: Any) -> dict[str, Any]:
    return {"scenarios.json": {"scenarios": {key: row}}}


def upgraded(name: str, document: Any) -> Any:
    """Return our data as a later version might have them."""
    if name == "map.json":
        document["borders"] = document["borders"][:-4]
        document["railroad"].update(limit=1, built_by_brown=[0, 0, 1])
    if name == "dice.json":
        for die in document["dice"].values():
            die["faces"] = ["hit", "blank"]
    if name == "cards.json":
        for deck in document["decks"].values():
            for row in deck["cards"]:
                row["cubes"] = row.get("cubes", 0) + 2 if row["kind"] == "action" else 0
    if name == "scenarios.json":
        document["supply"] = {colour: count + 1 for colour, count in document["supply"].items()}
        for row in document["scenarios"].values():
            row.update(card_dice=1)
    return document


def test_a_row_has_what_is_known_and_inherits_the_rest() -> None:
    found = box(options_with_files(GAME, INVENTED))
    first, second = (found.materials.cards[CardId(one)] for one in ("CAV-01", "CAV-02"))
    assert (first.cubes, first.groups, first.moves, first.name) == (6, 3, 3, "Fort Leavenworth")
    assert (second.cubes, second.moves, second.aliases) == (1, 2, ("Printed Fort",))
    assert found.materials.cards[CardId("SET-01")] == PRINTED.materials.cards[CardId("SET-01")]
    assert found.materials.faces["Green"] == PRINTED.materials.faces["Green"]
    assert len(found.materials.faces["Blue"]) == 7
    assert found.board.places[Region("N4")].key == 5
    assert found.board.near == PRINTED.board.near
    assert found.materials.scenarios["1"].places == {"STL": {"Blue": 4, "Brown": 2}}
    assert found.materials.scenarios["2.2"] == PRINTED.materials.scenarios["2.2"]


def test_what_an_owner_writes_down_is_not_assumed() -> None:
    """Our assumed limits don't change an owner's number."""
    found = box(options_with_files(GAME, INVENTED)).materials
    assert PRINTED.materials.cards[CardId("NPT-02")].mark == "assumed"
    assert found.cards[CardId("NPT-02")].mark == "sourced"
    assert all(one.cubes_of_card(found.cards[CardId("NPT-02")]) == 9 for one in found.scenarios.values())


def test_borders_are_given_whole() -> None:
    found = box(options_with_files(GAME, {"map.json": {"borders": BORDERS}})).board
    assert found.near[Region("N1")] == ("N2", "S1", "ROCKIES", "SAC")
    assert found.near[Region("N12")] == ()


def test_a_line_of_other_spaces_is_drawn_along_ours() -> None:
    """The spaces go from the first place of the plains to the last, and likewise in the mountains."""
    ours, theirs = PRINTED.board.chart.railroad, box(options_with_files(GAME, INVENTED)).board.chart.railroad
    assert (theirs.plains_spaces, len(theirs.at)) == (20, 23)
    assert (theirs.at[0], theirs.at[19], theirs.at[20], theirs.at[22]) == (
        *(ours.at[0], ours.at[24]),
        *(ours.at[25], ours.at[29]),
    )


def test_the_rules_go_by_the_owners_numbers() -> None:
    """They change the set-up, the hand, the neighbours, and the names of cards."""
    state = RULES.setup(options_with_files(GAME, INVENTED), any_dice()).state
    assert state.cubes[Region("STL")] == {"Blue": 4, "Brown": 2}
    assert state.ready["Brown"] == 22 - 2
    assert all(len(hand) == 2 for hand in state.hands.values())
    (due,) = RULES.due(state)
    view = RULES.view(state, due.seat)
    names = {term.id: term.names for term in PlainsNotation().lexicon(view)}
    assert names["CAV-02"][-1] == "Printed Fort"
    assert "The Fork" in names["N4"]
    assert "an owner's box" in PlainsTelling().introduction(view, due.seat)[-1]
    drawn = PlainsTelling().scene(view, ())
    assert drawn is not None
    assert len(drawn["spaces"]) == 23
    assert "up to three of the hand" in str(PlainsTelling().tables(replace_fields(view, disc="Blue")))
    bordered = RULES.setup(options_with_files(GAME, {"map.json": {"borders": BORDERS}}), any_dice()).state
    beside = RULES.adjacent_places(RULES.view(bordered, due.seat), "N12")
    assert beside == ()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            card("Cavalry", id="CAV-01", cubes="six"),
            "Cavalry: cards: CAV-01: Expected `int`, got `str` - at `$.cubes`",
        ),
        (card("Cavalry", id="CAV-01", cost=1), "CAV-01: Object contains unknown field `cost`"),
        (card("Cavalry", id="CAV-99"), "cards.json: decks: Cavalry: cards: CAV-99: there is no such row"),
        (
            card("Cavalry", id="CAV-01", name="Fort Knox"),
            "its name is Fort Knox and must be Fort Leavenworth",
        ),
        (card("Cavalry", id="CAV-01", kind="event"), "its kind is event and must be action (leave kind out)"),
        (
            card("Cavalry", id="CAV-01", cubes=-1),
            "cards.json: decks: Cavalry: CAV-01: its cubes, groups and moves",
        ),
        (card("Cavalry", id="CAV-01", city="N4"), "CAV-01: city: N4 isn't a city: write STL or SAC"),
        (
            card("Cavalry", id="CAV-11", effect={"op": "rails"}),
            "CAV-11: effect: op: only the numbers of an effect can",
        ),
        (
            card("Cavalry", id="CAV-11", effect=None),
            "CAV-11: effect: Events have one, and action cards have none",
        ),
        (
            card("Cavalry", id="CAV-11", effect={"op": "custer", "cubes": -3}),
            "effect: cubes: it is -3 and can't",
        ),
        (
            card("Cavalry", id="CAV-11", text="{all} ride"),
            "CAV-11: text: it can have braces only for {dice} and",
        ),
        (card("Cavalrie", id="CAV-01"), "cards.json: decks: Cavalrie: there is no such row"),
        (
            {"cards.json": {"hand": 0}},
            "cards.json: hand: it is 0 and must be from 1 to 15, the number of Cavalry cards",
        ),
        ({"cards.json": {"events": -1}}, "cards.json: events: it is -1 and can't be below 0"),
        ({"cards.json": {"decks": {"Cavalry": {"colour": "Brown"}}}}, "its colour is Brown and must be Blue"),
        ({"dice.json": {"dice": {"Blue": {"faces": ["blank"]}}}}, "dice.json: Blue: faces: it has no hit"),
        (
            {"dice.json": {"dice": {"Blue": {"faces": ["six"]}}}},
            "dice.json: dice: Blue: Invalid enum value 'six'",
        ),
        (
            {"map.json": {"regions": [{"id": "N4", "zone": "S"}]}},
            "its zone is S and must be N (leave zone out)",
        ),
        (
            {"map.json": {"regions": [{"id": "N4", "key": -1}]}},
            "regions: N4: key: it is -1 and can't be below 0",
        ),
        (
            {"map.json": {"borders": [["N1", "X9", "sourced"]]}},
            "map.json: border N1-X9: doesn't join two regions",
        ),
        (line(limit=0), "map.json: railroad: limit: it is 0 and must be at least 1"),
        (line(built_by_brown=[]), "railroad: built_by_brown: it needs a number, 0 or more, for each number"),
        (line(mountain_success=[]), "railroad: mountain_success: it names no face"),
        (line(at=[[1.0, 2.0]]), "map.json: railroad: at: it has 1 places, but the line has 30 spaces"),
        (line(sections=[["N5", "S5"]]), "map.json: railroad: its sections is [['N5', 'S5']] and must be"),
        (
            {"map.json": {"trails": {"north": {"steps": [{"id": "W-N1", "next": []}]}}}},
            "W-N1: next: it must lead on to 1 step",
        ),
        (
            {"map.json": {"trails": {"north": {"steps": [{"id": "W-N1", "number": 6}]}}}},
            "numbers of its steps must be those of the night die",
        ),
        (
            {"map.json": {"trails": {"north": {"steps": [{"id": "W-N1", "region": "N1"}]}}}},
            "its region is N1 and",
        ),
        (scenario("3", turns=1), "scenarios.json: scenarios: 3: there is no such row"),
        (scenario("1", plays="Nations"), "its plays is Nations and must be US (leave plays out)"),
        (
            scenario("1", places={"STL": {"Blue": 99}}),
            "1: places: 99 Blue cubes are there, but the box has only 25",
        ),
        (scenario("1", places={"X": {"Blue": 1}}), "scenarios.json: 1: places: there is no region X"),
        (
            scenario("2.1", places={"N1": {"Orange": 1}}),
            "2.1: places: N1: Orange doesn't play in this scenario",
        ),
        (scenario("1", wagons=-1), "scenarios.json: 1: wagons: it is -1 and can't be below 0"),
        (scenario("1", limits={"plains": 4}), "scenarios.json: 1: limits: it should have plains, belt, us"),
        (scenario("1", turns=3), "1: turns: it is 3, but ours is 0: write 0 only if ours is 0"),
        (scenario("1", card_dice=0), "scenarios.json: 1: card_dice: it is 0 and must be at least 1"),
        (
            scenario("1", raids={"sides": 20, "cubes": 1}),
            "raids and belt_raids: dice need a side for each region",
        ),
        (scenario("1", bands={"sides": 20, "cubes": 1}), "1: bands: dice need a side for each region"),
        (
            scenario("2.1", bands=None),
            "scenarios.json: 2.1: bands: a scenario needs them exactly if ours has them",
        ),
        (scenario("2.1", places={"STL": {"White": 3}}), "2.1: trains: their cubes aren't all in STL"),
        (scenario("2.5", works=None), "2.5: works: its sides and colours can't differ from ours"),
        (scenario("2.7", campaign=None), "2.7: campaign: only the cubes of its columns can differ"),
        (
            {"geography.json": {}},
            "geography.json: this game has no such file (its files are map.json, cards.json",
        ),
    ],
)
def test_what_is_wrong_names_its_file_its_row_and_its_field(files: dict[str, Any], said: str) -> None:
    assert said in told(files)


def test_what_a_game_keeps_is_whole_and_bears_its_hash() -> None:
    kept = json.loads(str(options_with_files(GAME, INVENTED)["data"]))
    assert set(kept["files"]) == set(FILES.sheets)
    assert len(kept["files"]["map.json"]["regions"]) == len(PRINTED.board.places)
    kept["files"]["cards.json"]["hand"] = 3
    assert "says that it is whole, and is not" in refusal(json.dumps(kept), lambda text: box({"data": text}))


@pytest.mark.parametrize("key", ["1", "2.1", "2.4", "2.7"])
def test_a_game_with_an_owners_files_is_the_same_after_our_data_have_changed(
    key: str, tmp_path: Path
) -> None:
    """Bots play a game with invented numbers, and then its log is played again on other data."""
    log = play_game(GAME, options_with_files(GAME, INVENTED, scenario=key), "plain")
    assert len(log.states) > 3
    assert find_differences(log) is None
    assert find_differences_after(log, tmp_path, upgraded) is None


def test_a_game_without_files_follows_our_data(tmp_path: Path) -> None:
    """Its log gives another game on other data."""
    log = play_game(GAME, {"scenario": "2.1"}, "plain")
    assert find_differences(log) is None
    assert find_differences_after(log, tmp_path, upgraded) == 0


def test_our_own_files_are_a_box() -> None:
    """An owner can give back every file of the package, and nothing changes."""
    ours = {name: read_text(PACKAGE, f"data/{name}") for name in FILES.sheets}
    found = box({"data": BOXES.complete_text(json.dumps({"files": ours}))})
    assert (found.board, found.materials) == (PRINTED.board, PRINTED.materials)


def test_a_position_may_bring_the_owners_files() -> None:
    """The position in a turn's reply can be asked about again."""
    assert GAME.whatif is not None
    state = RULES.setup(options_with_files(GAME, INVENTED, scenario="2.1"), any_dice()).state
    question = GAME.whatif.question(state)  # type: ignore[attr-defined]
    assert GAME.whatif.position(question).options["data"] == state.options["data"]  # type: ignore[attr-defined]


def test_trains_need_their_cubes_and_dice_a_hit() -> None:
    """Without them a train couldn't move, and a fight might never end."""
    assert "trains: their cubes" in told(scenario("2.1", places={"STL": {"White": 3}}))
    assert "it has no hit" in told({"dice.json": {"dice": {"Blue": {"faces": ["blank"]}}}})
