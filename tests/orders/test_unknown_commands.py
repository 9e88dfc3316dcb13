"""No command is swallowed: words of other hosts and near misses in capitals are answered; no turn waits."""

import pytest

from games.data import read_toml
from orders.commands import PLAYER_COMMANDS, command_elsewhere
from tests.kit.dry_runs import read_text
from tests.orders.plain import reading


def unknown(text):
    return [one.args for one in reading(text).unknown]


def test_in_the_reading_they_have_a_verb_of_their_own():
    said = read_text("A PAR - BUR\nPAUSE\nSTATUS\nHLEP")
    assert [(one["verb"], one["args"]) for one in said["commands"]] == [
        ("STATUS", []),
        ("UNKNOWN", ["PAUSE"]),
        ("UNKNOWN", ["HLEP", "HELP"]),
    ]
    assert [one["grade"] for one in said["orders"]] == ["taken"], "nothing else waits for an answer"


@pytest.mark.parametrize(
    "text",
    [
        "OK SEE YOU NEXT TURN",
        "I WILL SUPPORT YOU INTO DELAWARE THIS TIME\nBLOCK DAKOTA FOR ME",
        "BLOCK HURON AND I GET TO KEEP ALL OF THE LAKES",
        "BLOCK him there and you get all of it",
        "REPORT from the front: all is well",
        "I think that we should\nBLOCK Dakota",
        "pause",
        "Extend your hand",
        "MAY",
    ],
)
def test_prose_stays_prose(text):
    found = reading(text)
    assert (found.unknown, found.orders, found.commands) == ((), (), ())


def test_a_near_miss_in_capitals_names_the_command():
    assert unknown("STAUTS\nLSIT\nLSIT") == [("STAUTS", "STATUS"), ("LSIT", "LIST")]


def test_a_misspelt_password_is_not_among_its_words():
    (command,) = reading("SIGNONN beaver Iroquois hunter2").unknown
    assert "hunter2" not in f"{command}"


def test_the_list_has_no_command_of_ours_and_each_phrase_is_found():
    phrases = [one for some in read_toml("orders", "other_hosts.toml").values() for one in some]
    assert len(phrases) == len(set(phrases)) > 80
    ours = (verb.name for verb in PLAYER_COMMANDS if verb.strict is None)
    assert {one.upper() for one in phrases}.isdisjoint(ours), "a strict one leaves lines that are none"
    assert all(command_elsewhere(one.upper(), lambda _key: False) == one.upper() for one in phrases)
