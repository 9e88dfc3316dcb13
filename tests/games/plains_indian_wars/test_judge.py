"""Positions of Plains Indian Wars in JSON: they are read, rejected by path, and ordered for by the bot."""

import json

import pytest
from typer.testing import CliRunner

from adjudicator.cli.app import app
from games.plains_indian_wars.bots import PlainsBot
from games.plains_indian_wars.judge import PlainsWhatIf
from games.plains_indian_wars.model import NATIONS_SEAT
from games.protocol import Invalid
from tests.kit.mail import letter
from tests.kit.nations import RULES

WHATIF = PlainsWhatIf({"plain": PlainsBot()})
TRAIL = {
    "scenario": "2.1",
    "turn": 3,
    "trains": {"north": "Cheyenne"},
    "cubes": {"N3": {"White": 8, "Brown": 6, "blue": 4}, "Pine Ridge": {"green": 4}, "Platte": {"Green": 2}},
    "hands": {"Northern": ["Sitting Bull", "NPT-11"]},
    "played": {"Northern": ["Gall"]},
    "fallen": {"Green": 5},
}


def test_a_position_is_completed():
    """Regions and cards have names. Boxes and decks get the cubes and cards that are nowhere else."""
    state = WHATIF.position(TRAIL)
    assert state.trains == {"north": "N3"}
    assert state.cubes["N3"] == {"White": 8, "Brown": 6, "Blue": 4}
    assert (state.cubes["N8"], state.cubes["N4"]) == ({"Green": 4}, {"Green": 2})
    assert (state.ready, state.fallen) == ({"Green": 19}, {"Green": 5})
    assert state.hands == {"Northern": ("NPT-02", "NPT-11")}
    assert len(state.decks["Northern"]) == 12
    assert [due.seat for due in RULES.due(state)] == [NATIONS_SEAT]


def test_columns_parties_and_the_us_have_positions_too():
    hills = WHATIF.position(
        {
            "scenario": "2.7",
            "columns": {"White": {"at": "N11", "cubes": {"White": 3}}},
            "hands": {"Northern": ["Gall"]},
        }
    )
    assert hills.columns["White"].at == "N11"
    rails = WHATIF.position(
        {
            "scenario": "2.4",
            "disc": "Orange",
            "parties": {"union": 2},
            "union": 7,
            "hands": {"Southern": ["Satank"]},
        }
    )
    assert (rails.parties, rails.union) == ({"union": 1}, 7)
    us = WHATIF.position({"disc": "Blue", "hands": {"Cavalry": ["Fort Laramie"]}})
    assert us.options == {"scenario": "1", "doubles": "rerolled"}


@pytest.mark.parametrize(
    ("question", "path", "why"),
    [
        ({"scenario": "2.9"}, "scenario", "there is no scenario 2.9"),
        ({"scenario": "2.1"}, "", "no player decides then"),
        ({"scenario": "2.4", "disc": "Blue"}, "disc", "no player decides then"),
        ({"disc": "Blue"}, "disc", "no player decides then"),
        ({**TRAIL, "weather": "fine"}, "weather", "there is no such key"),
        ({**TRAIL, "cubes": {"N13": {}}}, "cubes.N13", "there is no region N13"),
        ({**TRAIL, "cubes": {"N1": {"Pink": 1}}}, "cubes.N1.Pink", "there is no colour Pink"),
        ({**TRAIL, "cubes": {"N1": {"Green": -1}}}, "cubes.N1.Green", "-1 is too small"),
        (
            {**TRAIL, "hands": {"Northern": ["Cochise"]}},
            "hands.Northern[0]",
            "the Northern deck has no Cochise",
        ),
        ({**TRAIL, "trains": {"south": "S4"}}, "trains.south", "there is no such key"),
        (
            {**TRAIL, "scenario": "2.7", "trains": {}, "columns": {"White": {}}},
            "columns.White.at",
            "is missing",
        ),
    ],
)
def test_what_is_wrong_is_named_by_its_path(question, path, why):
    with pytest.raises(Invalid) as fault:
        WHATIF.position(question)
    assert fault.value.what == path
    assert why in fault.value.why


def test_the_bot_answers_with_orders_and_reasons():
    told = WHATIF.bot(TRAIL)
    assert told["orders"][0] == "play Sitting Bull"
    assert set(told["reasons"]) == set(told["orders"])
    assert all(told["reasons"].values())


def test_a_letter_is_read_in_a_position(tmp_path):
    """An email to the nations is read at the command line."""
    (tmp_path / "position.json").write_text(json.dumps(TRAIL))
    (tmp_path / "letter.eml").write_bytes(letter("play Sitting Bull\nsend 4 Green from Pine Ridge to N3"))
    line = f"mail read {tmp_path}/letter.eml --kind plains-indian-wars --seat nations"
    shown = CliRunner().invoke(
        app, [*line.split(), "--position", f"{tmp_path}/position.json"], prog_name="gm"
    )
    assert shown.exit_code == 0, shown.output
    told = json.loads(shown.stdout)
    assert [one["read_as"] for one in told["orders"]] == ["play Sitting Bull", "move 4 Green N8 - N3"]
    assert {one["grade"] for one in told["orders"]} == {"taken"}
