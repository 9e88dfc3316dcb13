"""Round the Gulf: a board of our own that shows what the files of a variant can say."""

import json
from pathlib import Path
from typing import Any

import pytest

import games
from games.dice import SealedDice
from games.diplomacy import look_over
from games.diplomacy.exchange.drawings import read_drawing
from games.options import settle_for_new_game
from tests.kit.bot_games import rounds
from tests.kit.made_boards import asked, outcomes

GAME = games.kinds()["gulf"]
BOARD: Any = GAME.rules.board
FOLDER = Path(games.__file__).parent / "diplomacy" / "variants" / "gulf"
DRAWING = Path(__file__).parents[2] / "drawings" / "gulf" / "gulf.svg"
ask = asked(GAME)


def winners(year: int, **owned: str) -> list[str] | None:
    """The winners at the end of a Fall in which the powers own these centres; None while the game goes on."""
    centres = {power: names.split() for power, names in owned.items()}
    units = {power: [f"A {names[0]}"] for power, names in centres.items()}
    answer = ask(phase=f"F{year}M", units=units, centres=centres, orders={})
    found: list[str] | None = answer.get("winners")
    return found


def test_the_drawing_makes_the_board_and_the_check_finds_nothing_odd() -> None:
    files = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.iterdir()}
    drawn = read_drawing(files["map.json"], DRAWING.read_text(encoding="utf-8")).files
    assert json.loads(drawn["map.json"]) == json.loads(files["map.json"])
    outlines = [json.loads(text) for text in (drawn["outline.geojson"], files["outline.geojson"])]
    assert outlines[0]["features"] == outlines[1]["features"]
    assert outlines[0]["closed"] == outlines[1]["closed"]
    assert look_over(files).findings == ()


@pytest.mark.clause("gulf", "Gulf-powers")
def test_four_powers_start_with_a_unit_off_a_centre_each() -> None:
    for power in BOARD.powers.values():
        assert len(power.centres) == len(power.starts) == 3
        assert sum(unit[2:] not in BOARD.centres for unit in power.starts) == 1
    assert len(BOARD.powers) == 4
    assert len(BOARD.places) == 41


@pytest.mark.clause("gulf", "Gulf-builds")
def test_a_power_builds_in_captured_homes_and_not_on_other_centres() -> None:
    answer = ask(
        phase="W3A",
        units={"Highland": ["A SUM"]},
        centres={"Highland": ["SUM", "REE", "SEA"]},
        orders={"Highland": ["Build A REE", "Build F SEA"]},
    )
    assert answer["next"]["units"]["Highland"] == ["A REE", "A SUM"]


@pytest.mark.clause("gulf", "Gulf-fort")
def test_the_fort_is_held_again_unless_somebody_stays_for_the_fall() -> None:
    units = {"Highland": ["A GRA", "A VAL"], "neutral": ["A NEC"]}
    centres = {"Highland": ["GRA", "SUM"]}
    orders = {"Highland": ["A GRA - NEC", "A VAL S A GRA - NEC"]}
    taken = ask(phase="S1M", units=units, centres=centres, orders=orders)
    assert outcomes(taken)["A GRA - NEC"] == "moved"
    left = ask(**taken["next"], orders={"Highland": ["A NEC - GRA"]})["next"]
    assert left["units"]["neutral"] == ["A NEC"]
    kept = ask(**taken["next"], orders={"Highland": ["A NEC H"]})["next"]
    assert "NEC" in kept["centres"]["Highland"]
    assert "neutral" not in kept["units"]


@pytest.mark.clause("gulf", "Gulf-coasts")
def test_no_fleet_passes_the_neck() -> None:
    units = {"Moorland": ["F NEC/OC", "F BOG"]}
    orders = {"Moorland": ["F NEC/OC - NGU", "F BOG - NEC/OC"]}
    assert set(outcomes(ask(phase="S1M", units=units, orders=orders)).values()).isdisjoint({"moved"})
    done = outcomes(ask(phase="S1M", units=units, orders={"Moorland": ["F NEC/OC - NWO", "F BOG - NEC/GC"]}))
    assert set(done.values()) == {"moved"}


@pytest.mark.clause("gulf", "Gulf-canal")
def test_fleets_pass_canal_town_and_convoy_there() -> None:
    through = ask(phase="S1M", units={"Lowland": ["F CAN"]}, orders={"Lowland": ["F CAN - SEO"]})
    assert outcomes(through) == {"F CAN - SEO": "moved"}
    units = {"Lowland": ["A GUL", "F SGU", "F CAN", "F SEO"]}
    way = "A GUL - PAL"
    convoys = [f"F {at} C {way}" for at in ("SGU", "CAN", "SEO")]
    done = outcomes(ask(phase="S1M", units=units, orders={"Lowland": [way, *convoys]}))
    assert done[way] == "moved"


@pytest.mark.clause("gulf", "Gulf-cliff")
def test_armies_go_down_the_cliff_and_never_back() -> None:
    down = ask(phase="S1M", units={"Woodland": ["A OAS"]}, orders={"Woodland": ["A OAS - DES"]})
    assert outcomes(down) == {"A OAS - DES": "moved"}
    back = ask(phase="S1M", units={"Woodland": ["A DES"]}, orders={"Woodland": ["A DES - OAS"]})
    assert set(outcomes(back).values()).isdisjoint({"moved"})


@pytest.mark.clause("gulf", "Gulf-desert")
def test_the_desert_is_no_province() -> None:
    outline = json.loads((FOLDER / "outline.geojson").read_text(encoding="utf-8"))
    assert [*outline["closed"]] == ["The Salt Desert"]
    assert not any("Desert" in place.name for place in BOARD.places.values() if place.id != "DES")


@pytest.mark.clause("gulf", "Gulf-victory")
@pytest.mark.parametrize(
    ("year", "highland", "lowland", "expected"),
    [
        (3, "GRA NCA SUM REE SEA WHA STR GUL PAL TUR", "OAK SCA MIL PEA WCA STO", None),
        (3, "GRA NCA SUM REE SEA WHA STR GUL PAL TUR CAN", "OAK SCA MIL PEA WCA STO ECA", ["Highland"]),
        (3, "CAN NEC OAS STR", "DYK", None),
        (3, "CAN NEC OAS STR GUL", "DYK", ["Highland"]),
        (3, "GRA NCA SUM SEA WHA", "DYK", None),
        (3, "GRA NCA SUM SEA WHA STR", "DYK", ["Highland"]),
        (12, "GRA NCA SUM SEA WHA", "DYK", ["Highland"]),
        (16, "GRA NCA SUM SEA", "DYK", ["Highland"]),
        (24, "GRA NCA SUM", "DYK REE", None),
        (25, "GRA NCA SUM", "DYK REE", ["Highland"]),
        (25, "GRA NCA", "DYK REE", None),
    ],
)
def test_each_way_to_win(year: int, highland: str, lowland: str, expected: list[str] | None) -> None:
    assert winners(year, Highland=highland, Lowland=lowland) == expected


def test_bots_play_a_game_to_its_end() -> None:
    """All of their orders are possible."""
    options = settle_for_new_game(GAME.about, {"last_year": 30})
    for played in rounds(GAME, b"a whole game", bot="intermediate", options=options):
        for due, choices in played.asked:
            assert all(GAME.rules.check(played.before, due.seat, choice.order) is None for choice in choices)
        last = played.after
    result = GAME.rules.result(last)
    assert result is not None
    assert result.winners


def test_a_game_begins_with_twelve_units_and_the_garrison() -> None:
    state: Any = GAME.rules.setup({}, SealedDice(b"x", "gulf", 0)).state
    assert len(state.units) == 13
