"""Positions of the Boer War in JSON: their states, the orders of a bot, and errors."""

import pytest

from games.boer_war import GAMES
from games.boer_war.model import SIDES
from games.boer_war.setup import OPTIONS
from games.options import settle
from games.pool import RoundCounters
from games.protocol import Invalid
from tests.games.boer_war.field import RULES, on_books

ASK = GAMES[0].whatif
RELIEF = {
    "side": "empire",
    "done": 1,
    "leaders": {
        "BUL": {"at": "EST", "sp": 8},
        "BOT": {"at": "COS", "sp": 3},
        "WHI": {"at": "LAD", "sp": 3},
        "MEY": {"at": "LAD", "sp": 2},
    },
    "garrisons": {},
    "sieges": {"LAD": 2},
    "control": {"COS": "boers"},
}


def at_fault(question) -> str:
    """Return the path of the error in a question, or "nothing"."""
    try:
        ASK.position(question)
    except Invalid as wrong:
        return wrong.what
    return "nothing"


def test_what_is_not_said_is_as_at_the_beginning():
    opening = RULES.setup(dict(settle(OPTIONS, {})), None).state
    state = ASK.position({"pools": {"boers": 8, "empire": 6}})
    assert state == opening


def test_a_position_is_read_whole():
    state = ASK.position(
        {
            **RELIEF,
            "turn": 2,
            "counters": {"empire": [2, 3, 1]},
            "scattered": {"boers": 2},
            "boxes": {"boers": ["CRO"]},
            "gone": ["SYM"],
            "trenches": {"boers": ["COS"]},
            "cuts": ["MOD-ORS"],
            "fallen": ["MAF"],
            "played": {"E02": 1},
            "kept": {"E02": ""},
            "used": ["reinforce"],
            "options": {"pool": "stop_left_in_cup"},
        }
    )
    assert (state.turn, state.side, state.done, state.round) == (2, "empire", 1, 6)
    assert state.counters["empire"] == RoundCounters(ones=2, twos=3, threes=1)
    assert state.leaders["BUL"].sp == 8
    assert state.sieges == {"LAD": 2}
    assert state.control["COS"] == "boers"
    assert state.control["DUR"] == "empire"
    assert state.boxes == {"boers": ("CRO",), "empire": ()}
    assert state.cuts == ("ORS-MOD",)
    assert state.options["pool"] == "stop_left_in_cup"
    assert state.brought == {side: on_books(state, side) for side in SIDES}
    assert RULES.due(state)[0].seat == "Empire"


def test_control_of_all_points_is_said_at_once():
    state = ASK.position({"turn": 3, "control": {"*": "empire", "REI": "boers"}, "leaders": {}})
    assert set(state.control.values()) == {"boers", "empire"}
    assert state.control["PRE"] == "empire"
    assert state.control["REI"] == "boers"


@pytest.mark.clause("boer-war", "13.2")
def test_a_bot_says_what_it_orders_and_why():
    assert ASK.bot(RELIEF) == {
        "orders": ["MOVE BUL LAD"],
        "reasons": {"MOVE BUL LAD": "Relieve a besieged town: the highest value"},
        "decisions": [
            {"clause": "13.2.3", "criterion": "the highest value", "choices": ["MOVE BUL LAD"]},
        ],
    }
    by_seat = {key: value for key, value in RELIEF.items() if key != "side"} | {"seat": "Empire"}
    assert ASK.bot(by_seat) == ASK.bot(RELIEF)
    assert ASK.bot({"options": {"mode": "table"}})["orders"] == ["DONE"]


@pytest.mark.parametrize(
    ("question", "at"),
    [
        ({"turns": 1}, "turns"),
        ({"turn": 5}, "turn"),
        ({"side": "british"}, "side"),
        ({"side": "empire", "seat": "Boers"}, "seat"),
        ({"seat": "player"}, "seat"),
        ({"done": 3}, "done"),
        ({"counters": {"boers": [5, 0, 0]}}, "counters.boers"),
        ({"counters": {"boers": [4, 4]}}, "counters.boers"),
        ({"counters": {"boers": [0, 0, 0]}}, "counters"),
        ({"leaders": {"XXX": {"at": "DUR", "sp": 1}}}, "leaders.XXX"),
        ({"leaders": {"BUL": {"at": "XXX", "sp": 1}}}, "leaders.BUL.at"),
        ({"leaders": {"BUL": {"at": "DUR"}}}, "leaders.BUL.sp"),
        ({"leaders": {"BUL": {"at": "DUR", "sp": 0}}}, "leaders.BUL.sp"),
        ({"leaders": {"BUL": {"at": "DUR", "sp": 9}}}, "leaders.BUL.sp"),
        ({"leaders": {"BOT": {"at": "DUR", "sp": 2}}}, "leaders: DUR"),
        ({"leaders": {}, "sieges": {"LAD": 1}}, "sieges.LAD"),
        ({"garrisons": {"KIM": 0}}, "garrisons.KIM"),
        ({"control": {"COS": "zulu"}}, "control.COS"),
        ({"cuts": ["COL-FAU"]}, "cuts[0]"),
        ({"played": {"E99": 1}}, "played.E99"),
        ({"options": {"pool": "urn"}}, "options.pool"),
        ({"options": {"speed": "high"}}, "options.speed"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(question, at):
    assert at_fault(question) == at
