"""The Second Boer War with an owner's data: inherited fields, errors, and the data that a game keeps."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import games.boer_war as package
from games.boer_war import GAMES
from games.boer_war.battles import hand_size
from games.boer_war.components import PACKAGE, CardId, EventId, LeaderId, Point
from games.boer_war.model import best_command, move_allowance
from games.boer_war.notation import BoerWarNotation
from games.boer_war.owner_data import BOXES, FILES, PRINTED, box_of
from games.boer_war.paths import path_to, supplied_points
from games.boer_war.report_text import BoerWarTelling
from games.boer_war.rules import CAMPAIGN, BoerWarRules
from games.data import read_text
from games.options import settle
from games.own_box import DATA, sha256
from games.protocol import Invalid
from games.record import UNSET, as_json, replace_fields
from tests.games.boer_war.field import war
from tests.games.boer_war.test_battles import battle
from tests.kit.dice import any_dice
from tests.kit.owner_data import find_differences, find_differences_after, options_with_files, play_game

(GAME,) = GAMES
RULES, NOTATION, TELLING = BoerWarRules(), BoerWarNotation(), BoerWarTelling()
LINKS = [as_json(way) for way in PRINTED.materials.ways]
ACROSS = {"a": "EST", "b": "WIN", "rail": True, "mark": "S"}
"""An invented railway over the mountains."""
INVENTED: dict[str, Any] = {
    "map.json": {
        "points": [
            {"id": "LAD", "resistance": 9, "fort": 4, "aliases": ["The Printed Town"]},
            {"id": "GRE", "flags": ["target", "camp site"], "terrain": "hills"},
        ],
        "links": [*LINKS, ACROSS],
    },
    "leaders.json": {
        "leaders": [
            {"id": "BUL", "command": 3, "move": 4, "sp": 5, "aliases": ["Sir Reverse"]},
            {"id": "JOU", "at": "PRE", "sp": 2},
        ],
        "garrisons": [{"at": "CPT", "sp": 3, "mark": "S"}, {"at": "LAD", "sp": 2, "mark": "S"}],
    },
    "cards.json": {"cards": [{"id": "I1", "values": {"empire": [7, 7], "boers": [0, 6]}}]},
    "events.json": {"events": [{"id": "E01", "uses": 2, "number": 4, "aliases": ["The Printed Corps"]}]},
    "numbers.json": {
        "battle": {"hand": 5, "garrison_command": 2},
        "moving": {"rail": 9, "supply": 1},
        "siege": {"step": 1, "least": 3},
        "victory": {"targets": 11, "sieges": 4, "centres": 0, "broken": 0, "gone": 1},
        "markers": {"blockhouses": 3},
    },
}
"""Invented numbers. Each row has only some of its fields."""


def told(files: dict[str, Any]) -> str:
    """Return the error in files, with its place and the fix, or "" without an error."""
    return refusal(json.dumps({"files": files}), BOXES.complete_text)


def refusal(text: str, read: Callable[[str], object]) -> str:
    """Return the error of a text, or "" without an error."""
    try:
        read(text)
    except Invalid as fault:
        return f"{fault.what}: {fault.why} ({fault.instead})"
    return ""


def row(file: str, **fields: Any) -> dict[str, Any]:
    """Return a file with one row of its list."""
    return {f"{file}.json": {{"map": "points"}.get(file, file): [fields]}}


def numbers(table: str, **fields: Any) -> dict[str, Any]:
    return {"numbers.json": {table: fields}}


def opened(**options: Any) -> Any:
    """Return the first position of a game with the invented box."""
    return RULES.setup(options_with_files(GAME, INVENTED, **options), any_dice()).state


def upgraded(name: str, document: Any) -> Any:
    """Return our data as a later version might have them."""
    if name == "map.json":
        document["links"] = [link for link in document["links"] if link["rail"] or "C" in link["a"]]
        for place in document["points"]:
            place.update(terrain="hills", flags=["port", "political"], control="boers")
    if name == "leaders.json":
        for leader in document["leaders"]:
            leader.update(command=0, move=1, capacity=9)
        document["garrisons"] = []
    if name == "cards.json":
        for card in document["cards"]:
            card["values"] = {"empire": [0, 0], "boers": [9, 9]}
    if name == "events.json":
        for event in document["events"]:
            event.update(uses=0, number=0)
    if name == "numbers.json":
        document["victory"].update(targets=1, sieges=1, unbeaten=0)
        document["battle"].update(hand=1)
    return document


def test_a_row_has_what_is_known_and_inherits_the_rest() -> None:
    found = box_of(options_with_files(GAME, INVENTED)).materials
    buller, ours = found.leaders[LeaderId("BUL")], PRINTED.materials.leaders[LeaderId("BUL")]
    assert (buller.command, buller.move, buller.sp) == (3, 4, 5)
    assert (buller.name, buller.capacity, buller.lands) == (ours.name, ours.capacity, ours.lands)
    assert (ours.mark, buller.mark) == ("A", "S")
    assert found.leaders[LeaderId("ROB")] == PRINTED.materials.leaders[LeaderId("ROB")]
    assert found.cards[CardId("I1")].values == {"empire": (7, 7), "boers": (0, 6)}
    assert found.cards[CardId("I2")] == PRINTED.materials.cards[CardId("I2")]
    assert (found.numbers.battle.hand, found.numbers.battle.beyond) == (5, 2)
    assert found.numbers.attrition == PRINTED.materials.numbers.attrition


def test_links_are_given_whole() -> None:
    ground = box_of(options_with_files(GAME, INVENTED)).board
    assert ground.is_rail(Point("EST"), Point("WIN"))
    assert len(ground.links) == len(PRINTED.board.links) + 1
    assert (
        ground.distance(Point("EST"), Point("WIN")) == 1 < PRINTED.board.distance(Point("EST"), Point("WIN"))
    )


def test_the_set_up_is_the_owners() -> None:
    state = opened()
    assert state.leaders[LeaderId("JOU")].at == "PRE"
    assert state.leaders[LeaderId("JOU")].sp == 2
    assert state.garrisons == {"CPT": 3, "LAD": 2}


def test_the_rules_go_by_the_owners_numbers() -> None:
    """Check Command, Move, the hand, the end of a siege, supply and events.

    Each is from a file of its own.
    """
    state, ours = opened(), RULES.setup(options_with_files(GAME, {}), any_dice()).state
    buller = LeaderId("BUL")
    placed = {**state.leaders, buller: replace_fields(state.leaders[LeaderId("WHI")], at=Point("EST"), sp=5)}
    state, ours = replace_fields(state, leaders=placed), replace_fields(ours, leaders=placed)
    assert (best_command(state, (buller,)), best_command(ours, (buller,))) == (3, 1)
    assert (move_allowance(state, buller), move_allowance(ours, buller)) == (4, 2)
    assert (best_command(state, ()), best_command(ours, ())) == (2, 1)
    assert (hand_size(state, 12), hand_size(ours, 12)) == (5, 8)
    assert state.board.places[Point("LAD")].resistance == 9
    assert len(supplied_points(state)) < len(supplied_points(ours))
    assert path_to(replace_fields(state, side="empire"), buller, Point("WIN")) is not None
    assert path_to(replace_fields(ours, side="empire"), buller, Point("WIN")) is None
    assert (state.box.events[EventId("E01")].uses, ours.box.events[EventId("E01")].uses) == (2, 1)


def test_letters_and_reports_go_by_the_owners_box() -> None:
    """Orders know printed names and the new railway, the map shows it, and the welcome names the box."""
    state = opened()
    view = RULES.view(state, state.seat("boers"))
    terms = {term.id: term.names for term in NOTATION.lexicon(view)}
    assert "The Printed Town" in terms["LAD"]
    assert "Sir Reverse" in terms["BUL"]
    assert "The Printed Corps" in terms["E01"]
    assert "WIN-EST" in terms["EST-WIN"]
    turned = NOTATION.build(view, "cut", {"a1": "WIN", "b1": "EST"})
    assert NOTATION.write(turned) == "CUT EST-WIN"
    beside = RULES.adjacent_places(view, "EST")
    assert beside is not None
    assert ("Winburg (WIN)", "by rail") in [(one.place, one.how) for one in beside]
    drawn, ours = (
        TELLING.scene(view, ()),
        TELLING.scene(RULES.setup(options_with_files(GAME, {}), any_dice()).state, ()),
    )
    assert drawn is not None
    assert ours is not None
    assert len(drawn["rails"]) > len(ours["rails"])
    assert "an owner's box" in TELLING.introduction(view, state.seat("boers"))[-1]
    assert CAMPAIGN.apart == (DATA,), "RECORD counts such games apart"


def test_a_battle_is_told_with_what_stands_on_the_owners_cards() -> None:
    """The event has the values, because its sentence needs them. For our own cards it has none."""
    for options, printed, said in (
        (options_with_files(GAME, INVENTED), (7, 4), "Guards Brigade 7"),
        ({}, UNSET, "Guards Brigade 3"),
    ):
        state = war("OLI COL 2", "MET NAA 2", side="empire", standing=("OLI",), options=options)
        fought, _ = battle(state, "MOVE MET COL", ("C1 I1 T3", 5), ("A1 I2 T1", 3))
        assert fought.attacker.printed == printed
        assert fought.attacker.points == (11 if options else 7)
        line = TELLING.tell(fought, None)
        assert line is not None
        assert said in line.text


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            row("leaders", id="BUL", move="two"),
            "leaders.json: leaders: BUL: Expected `int`, got `str` - at `$.move`",
        ),
        (row("leaders", id="BUL", cost=1), "BUL: Object contains unknown field `cost`"),
        (row("leaders", id="XXX"), "leaders.json: leaders: XXX: there is no such row"),
        (
            row("leaders", id="BUL", name="Sir Reverse"),
            "its name is Sir Reverse and must be Sir Redvers Buller",
        ),
        (row("leaders", id="BUL", side="boers"), "its side is boers and must be empire (leave side out)"),
        (
            row("leaders", id="BUL", sp=9),
            "leaders.json: leaders: BUL: sp: it is 9, but this leader can lead 8 at most",
        ),
        (row("leaders", id="WHI", sp=0), "WHI: sp: a leader on the map has 1 at least"),
        (
            row("leaders", id="WHI", at="PRE"),
            "WHI: at: PRE is not controlled by the empire: see control in map.json",
        ),
        (row("leaders", id="WHI", at="XXX"), "WHI: at, lands and district: there is no point XXX"),
        (row("leaders", id="BUL", lands=["XXX"]), "BUL: at, lands and district: there is no point XXX"),
        (
            row("leaders", id="BUL", turn=5),
            "BUL: turn and round: a leader arrives in Turn 1 to 4, round 1 to 11",
        ),
        (row("leaders", id="BUL", move=0), "BUL: move: it is 0 and must be 1 at least"),
        (row("leaders", id="BUL", command=-1), "BUL: command: it is -1 and cannot be below 0"),
        (
            row("leaders", id="BOT", joins=["BUL"]),
            "BOT: joins: a leader can only join leaders of the same side",
        ),
        (row("leaders", id="BOT", joins=["XXX"]), "BOT: joins: there is no leader XXX"),
        (
            {"leaders.json": {"garrisons": [{"at": "PRE", "sp": 1, "mark": "S"}]}},
            "garrisons: PRE: it is not controlled by the empire",
        ),
        (
            {"leaders.json": {"garrisons": [{"at": "XXX", "sp": 1, "mark": "S"}]}},
            "garrisons: XXX: there is no point XXX",
        ),
        (
            {"leaders.json": {"garrisons": [{"at": "CPT", "sp": 0, "mark": "S"}]}},
            "garrisons: CPT: a point has one garrison, of 1 SP at least",
        ),
        (row("map", id="LAD", terrain="swamp"), "map.json: points: LAD: Invalid enum value 'swamp'"),
        (row("map", id="LAD", region="cape"), "its region is cape and must be natal (leave region out)"),
        (row("map", id="LAD", fort=-1), "map.json: points: LAD: fort: it is -1 and cannot be below 0"),
        (
            {"map.json": {"links": [*LINKS, {**ACROSS, "b": "XXX"}]}},
            "map.json: links: EST-XXX: there is no point XXX",
        ),
        ({"map.json": {"links": [*LINKS, LINKS[0]]}}, "joins a point to itself, or is there twice"),
        (
            {"map.json": {"links": [*LINKS, {**ACROSS, "b": "EST"}]}},
            "EST-EST: joins a point to itself, or is there twice",
        ),
        (
            {"map.json": {"links": [one for one in LINKS if "OOK" not in (one["a"], one["b"])]}},
            "map.json: links: OOK: no way leads there from CPT",
        ),
        (
            {"map.json": {"points": [{"id": one, "flags": []} for one in ("BLO", "PRE", "JOH")]}},
            "map.json: points: none of them has the flag political",
        ),
        (row("cards", id="I1", empire="Mine"), "its empire is Mine and must be Guards Brigade"),
        (
            row("cards", id="I1", values={"empire": [1, 1]}),
            "cards.json: cards: I1: values: it has none for the boers",
        ),
        (
            row("cards", id="I1", values={"empire": [1, -1], "boers": [1, 1]}),
            "cards.json: cards: I1: values: one is -1 and cannot be below 0",
        ),
        (numbers("battle", hand=14), "cards.json: cards: a battle might draw"),
        (
            row("events", id="E01", takes=["links"]),
            "its takes is ['links'] and must be ['leaders', 'points']",
        ),
        (row("events", id="E06", uses=3), "E06: uses: it is about 2 points, and is played 3 times"),
        (row("events", id="E01", turns=[5]), "events.json: events: E01: turns: they are numbers from 1 to 4"),
        (row("events", id="E01", number=-1), "E01: number: it is -1 and cannot be below 0"),
        (row("events", id="E07", points=["XXX"]), "E07: points: there is no point XXX"),
        (row("events", id="E07", points=[]), "E07: points: it is about points, and names none"),
        (row("events", id="B06", leaders=["XXX"]), "B06: leaders: there is no leader XXX"),
        (
            row("events", id="B06", leaders=["BUL"]),
            "B06: leaders: they must be leaders of the event's own side",
        ),
        (numbers("rounds", of_a_side=12), "its of_a_side is 12 and must be 11 (leave of_a_side out)"),
        (numbers("battle", hand=0), "numbers.json: battle: hand: it is 0 and must be 1 at least"),
        (numbers("victory", targets=-1), "numbers.json: victory: targets: it is -1 and must be 0 at least"),
        (numbers("battle", hands=8), "numbers.json: battle: Object contains unknown field `hands`"),
        (numbers("scattered", one_of=0), "scattered: one_of: it is 0 and must be 1 at least"),
        (
            numbers("battle", losses=[{"low": 1, "loser": 1, "winner": 1}]),
            "battle: losses: the first row begins at 0",
        ),
        (
            numbers("skirmish", losses=[{"low": 0, "loser": 1, "winner": -1}]),
            "skirmish: losses: winner: it is -1 and cannot be below 0",
        ),
        (numbers("transition", roster=["BOT"]), "rising: least can't be above most, nor most above the 3 SP"),
        (numbers("transition", roster=["XXX"]), "transition: roster: there is no leader XXX"),
        (numbers("transition", roster=["BUL"] * 10), "transition: roster: they must be Boers, each once"),
        (numbers("rising", least=19), "numbers.json: rising: least can't be above most"),
        (numbers("arriving", cape="XXX"), "numbers.json: arriving: there is no point XXX"),
        (numbers("leader_test", out=7), "leader_test: out: a die has 6 sides"),
        (numbers("attrition", rounds=[12]), "attrition: rounds: they are numbers from 1 to 11"),
        (numbers("victory", centres=4), "victory: centres: it is 4, and the map has 3"),
        (numbers("first", siege={}), "numbers.json: first: its siege is {} and must be"),
        (numbers("even", skirmish={}), "numbers.json: even: its skirmish is {} and must be"),
        (
            {"numbers.json": {"turns": []}},
            "numbers.json: turns: there must be four, with our numbers and dates",
        ),
        ({"numbers.json": {"sieges": {}}}, "numbers.json: Object contains unknown field `sieges`"),
        ({"chart.json": {}}, "chart.json: this game has no such file (its files are map.json, leaders.json"),
    ],
)
def test_what_is_wrong_names_its_file_its_row_and_its_field(files: dict[str, Any], said: str) -> None:
    assert said in told(files)


def test_what_a_game_keeps_is_whole_and_bears_its_hash() -> None:
    kept = json.loads(str(options_with_files(GAME, numbers("battle", hand=5))["data"]))
    assert set(kept["files"]) == set(FILES.sheets)
    assert len(kept["files"]["map.json"]["points"]) == len(PRINTED.board.places)
    kept["files"]["numbers.json"]["battle"]["hand"] = 8
    assert "says that it is whole, and is not" in refusal(
        json.dumps(kept), lambda text: box_of({"data": text})
    )


@pytest.mark.parametrize("mode", ["war", "both"])
def test_a_game_with_an_owners_files_is_the_same_after_our_data_have_changed(
    mode: str, tmp_path: Path
) -> None:
    """Bots play a war with invented numbers. Then its log gives the same game with other data of ours."""
    log = play_game(GAME, options_with_files(GAME, INVENTED, mode=mode), "commander")
    assert max(json.loads(state)["turn"] for state in log.states) == 4
    assert find_differences(log) is None
    assert find_differences_after(log, tmp_path, upgraded) is None


def test_a_game_without_files_follows_our_data(tmp_path: Path) -> None:
    """This shows that the test above can fail."""
    log = play_game(GAME, {"mode": "war", "pool": "unflipped_2", "numbers": "even"}, "commander")
    assert find_differences(log) is None
    assert find_differences_after(log, tmp_path, upgraded) == 0


def test_our_own_files_are_a_box() -> None:
    """An owner can give our own files back, and nothing changes."""
    ours = {name: read_text(PACKAGE, f"data/{name}") for name in FILES.sheets}
    found = box_of({"data": BOXES.complete_text(json.dumps({"files": ours}))})
    assert found.materials == PRINTED.materials
    assert (found.board.near, found.board.links) == (PRINTED.board.near, PRINTED.board.links)


def test_a_position_may_bring_the_owners_files() -> None:
    """The position in a reply can be a question again, with a cut on the owner's railway."""
    assert GAME.whatif is not None
    state = replace_fields(opened(), cuts=("EST-WIN",))
    question = GAME.whatif.question(state)
    assert refusal("", lambda _: GAME.whatif.position(question)) == ""
    assert GAME.whatif.position(question) == state
    del question["options"]["data"]
    assert "cuts" in refusal("", lambda _: GAME.whatif.position(question))


OURS_ALONE = {"board", "event_text", "judge", "map", "model", "notation", "owner_data", "phrases"}
"""The modules that use our own data, only for names, sides and codes, which all boxes share."""


def test_what_an_owner_may_change_is_asked_of_a_position() -> None:
    folder = Path(package.__file__).parent
    asking = {
        file.stem
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("materials", "board")
    }
    assert asking <= OURS_ALONE


def test_a_box_that_was_kept_before_has_the_numbers_of_then_in_their_places() -> None:
    """The data have no table `weighed` and no number for the lead of camps at the end."""
    kept = json.loads(BOXES.complete_text(json.dumps({"files": {}})))
    document = kept["files"]["numbers.json"]
    then = document.pop("weighed")
    document |= {"rising": then["rising"], "victory": then["victory"]}
    document["victory"].pop("camps_last", None)
    kept["sha256"] = sha256(kept["files"])

    def begun(**options: Any) -> Any:
        return RULES.setup(settle(GAME.about.options, options), any_dice()).state.box.numbers

    before = begun(numbers="weighed", data=json.dumps(kept))
    assert (before.rising.least, before.victory.camps_last, before.victory.unbeaten) == (14, 0, 22)
    assert before.victory == begun(numbers="weighed").victory != begun().victory


@pytest.mark.parametrize("numbers", ["even", "weighed", "first"])
def test_a_box_that_was_kept_before_has_the_railways_of_then(numbers: str) -> None:
    """The data have no fields about repairs and about the ends of blockhouse lines."""
    kept = json.loads(BOXES.complete_text(json.dumps({"files": {}})))
    document = kept["files"]["numbers.json"]
    even = document.pop("even")
    document |= {table: even[table] for table in ("markers", "blockhouse", "skirmish", "rising", "victory")}
    for table in (document["first"], document["weighed"]):
        for field in ("markers", "blockhouse", "skirmish", "needs"):
            del table[field]
    kept["sha256"] = sha256(kept["files"])
    options = settle(GAME.about.options, {"numbers": numbers, "data": json.dumps(kept)})
    found = RULES.setup(options, any_dice()).state.box.numbers
    assert (found.markers.repaired, found.markers.repair_near, found.markers.mends) == (2, 1, 0)
    assert (found.blockhouse.ends, found.blockhouse.quiet, found.blockhouse.loses) == (0, 0, 2)
    assert (found.victory.unbeaten_first, found.skirmish.evades) == (0, 5)
