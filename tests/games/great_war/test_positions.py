"""Fourteen positions with the AI's plays, the results of `gm bot`, and its errors for wrong questions."""

from typing import Any

import pytest

from games.great_war.judge import GreatWarWhatIf
from games.great_war.model import PLAYER
from games.protocol import Invalid
from games.record import canonical, load
from tests.games.great_war.front import GAME, ids

ASKED = GreatWarWhatIf({})


def asked(kind: str, side: str = "central", role: str = "defender", **more: Any) -> dict[str, Any]:
    """Return a question with its cards from texts."""
    lists = ("ai_hand", "ai_play", "enemy_play", "enemy_hand", "neutral", "nationality", "bonus", "events")
    said = {
        key: ids(value) if key in lists and isinstance(value, str) else value for key, value in more.items()
    }
    return {"kind": kind, "ai_side": side, "ai_role": role, **said}


def lays(text: str, how: str = "plus") -> list[dict[str, Any]]:
    """Return plays from a text: ``B-QD:base B-KS>B-8D``."""
    found = []
    for one in text.split():
        card, _, hit = one.partition(">")
        card, _, said = card.partition(":")
        effects = [["cancel", hit]] if hit else []
        found.append({"card": card, "how": said or how, "effects": effects})
    return found


POSITIONS = {
    "links to fortifications, and cavalry to any land card": (
        asked("opening", die=1, ai_play="R-9D", ai_hand="B-7D R-4D B-5C R-QS R-10H R-JS R-4S B11"),
        {"lays": lays("B-7D B-5C R-4D"), "ai_total": 33, "ai_hand_left": ids("R-QS R-JS R-10H R-4S B11")},
    ),
    "the three kinds, then chains": (
        asked(
            "opening",
            die=4,
            ai_hand="B-8D B-4D R-3D B-8C R-9H R-KS R-QH R-4S B13",
            options={"chains": "yes"},
        ),
        {
            "lays": lays("B-8D:opening B-4D:opening R-3D:opening R-KS B-8C R-9H"),
            "ai_total": 57,
            "ai_hand_left": ids("R-QH R-4S B13"),
        },
    ),
    "two of the three kinds, and nobody to bear the gun": (
        asked("opening", die=5, ai_hand="R-4D B-3D B-8C R-QS R-KS R-10C R-JD B13 B09"),
        {"lays": lays("R-4D B-3D", "opening"), "ai_total": 11, "enemy_total": 0},
    ),
    "the base that brings seven": (
        asked("opening", "entente", die=6, ai_hand="B-8C R-6H B-4H R-2C B-3C B-QD B-KS B-4S B09"),
        {"lays": lays("B-QD:base B-KS B-8C R-6H B-4H B-3C R-2C"), "ai_total": 58, "enemy_total": 0},
    ),
    "works that an attacker has to replace": (
        asked(
            "draw", "entente", "attacker", die=2, neutral="B-7D B-8D R-4D B-3D R-6D R-6C R-5H B-2H",
            nationality="B-QS B-KH B-5S", bonus="B09 B09",
        ),
        {
            "placed": [], "hand": ids("B-KH B-QS B-5S B-8D B-3D R-5H R-6C B09 B09"),
            "discarded": ids("B-7D R-4D R-6D"),
        },
    ),
    "most cards, two of them cancelling": (
        asked(
            "round", "entente", "attacker", round=1, enemy_play="B-8D R-7D R-9S R-3D",
            ai_hand="B-QD B-10H B-KS B-10S B-AS B-6C B-2C B-4S B09",
        ),
        {
            "lays": lays("B-QD:base B-KS>B-8D B-10S B-10H>R-9S B-6C B-2C"), "ai_total": 60, "enemy_total": 14,
            "ai_hand_left": ["B-AS", "B-4S", "B09"],
        },
    ),
    "two cards before one that moves more": (
        asked(
            "round", role="attacker", round=1, enemy_play="B-10S B-QS",
            ai_hand="R-4S W03 R-AS R-10C R-QS R-JS R-2S B09 B-JK2",
        ),
        {"lays": lays("R-4S:base W03"), "ai_total": 11, "enemy_total": 24},
    ),
    "of equal swings the one that cancels": (
        asked("round", round=2, ai_play="R-3D", enemy_play="B-7S B-QS", ai_hand="R-10C B-2H B11"),
        {
            "lays": [{"card": "B-2H", "how": "base", "effects": [["cancel", "B-7S"]]}],
            "ai_total": 8, "enemy_total": 13,
        },
    ),
    "a leader and two that he leads": (
        asked(
            "round", round=2, ai_play="B-9D", enemy_play="B-KH B-QD B-10H",
            ai_hand="R-JS B-9S R-10S R-QS R-4S R-KS B09",
        ),
        {"ai_total": 49, "enemy_total": 25, "ai_hand_left": ids("B-9S R-QS R-4S B09")},
    ),
    "a third one by improved doctrine": (
        asked(
            "round", round=2, ai_play="B-9D", enemy_play="B-KH B-QD B-10H",
            ai_hand="R-JS B-9S R-10S R-QS R-4S R-AS B04",
        ),
        {"ai_total": 74, "enemy_total": 25, "ai_hand_left": ["R-4S"]},
    ),
    "a leader who is cancelled": (
        asked(
            "round", round=2, ai_play="B-9D", enemy_play="B-KH B-QD B-10H", enemy_hand="B-JK1",
            enemy_cancels_leader=True, ai_hand="R-JS B-9S R-10S R-QS R-6D",
        ),
        {
            "lays": [
                *lays("R-JS:base"),
                {"card": "B-JK1", "how": "react", "effects": [["cancel", "R-JS"]]},
                *lays("R-6D"),
            ],
            "ai_total": 20, "enemy_total": 40,
        },
    ),
    "a bonus card before a joker": (
        asked("jack_reaction", ai_hand="B07 R-JK1 R-QS", enemy_play="B-JH"), {"play": "B07"},
    ),
    "a second die": (
        asked("bonus", dice=[4, 3], ai_play="R-QS", enemy_play="B-KH B-QD", ai_hand="B08 R-JK1"),
        {
            "rolls_used": 2, "class": "joker", "ai_total": 14, "enemy_total": 14,
            "lays": [{"card": "R-JK1", "how": "bonus_phase", "effects": [["cancel", "B-KH"]]}],
        },
    ),
    "a blockade before the totals": (
        asked(
            "score", ai_play=["B-9D", "R-QS", {"card": "R-KH", "up": False}], enemy_play="B-QS B-KH B-2S B-AS"
        ),
        {
            "blockades": [["B-2S", "R-QS"]], "totals": {"human": 45, "ai": 12}, "winner": "human",
            "captured": [], "points": 0,
        },
    ),
}  # fmt: skip
"""By topic, the question and the required part of the result."""


@pytest.mark.clause("great-war", "GW-F.1", "GW-5.3", "GW-6.6", "GW-7.6", "GW27", "GW29", "GW33")
@pytest.mark.parametrize("name", POSITIONS)
def test_a_position_is_answered(name):
    question, expected = POSITIONS[name]
    answer = ASKED.bot(question)
    assert {key: answer[key] for key in expected} == expected
    assert answer["reason"][-1] == "."


@pytest.mark.clause("great-war", "GW-6.3", "GW-6.7", "GW-6.8")
def test_the_order_in_which_a_leader_leads():
    answer = ASKED.bot(POSITIONS["a third one by improved doctrine"][0])
    assert [(one["card"], one["how"]) for one in answer["lays"]] == [
        ("R-JS", "base"), ("B04", "with_leader"), ("R-10S", "led"),
        ("R-AS", "led"), ("R-QS", "led"), ("B-9S", "plus"),
    ]  # fmt: skip
    assert answer["lays"][2]["effects"] == [["cancel", "B-KH"]]


def test_other_questions():
    """These are events, and results without a play."""
    assert ASKED.bot(asked("event", event="E03", ai_hand="B06 B05"))["cancel_with"] == "B05"
    assert ASKED.bot(asked("event", event="E17", ai_hand="B05"))["cancel_with"] is None
    assert ASKED.bot(asked("jack_reaction", ai_hand="R-QS", enemy_play="B-JH"))["play"] is None
    assert ASKED.bot(asked("jack_reaction", ai_hand="B07", enemy_play="B-QS"))["play"] is None
    nothing = ASKED.bot(asked("bonus", ai_hand="R-QS"))
    assert (nothing["rolls_used"], nothing["class"], nothing["lays"]) == (0, None, [])
    assert ASKED.bot(asked("bonus", dice=[3], ai_hand="B09"))["class"] is None
    assert ASKED.bot(asked("bonus", dice=[2], ai_hand="R-JK1"))["class"] is None
    level = ASKED.bot(asked("score", ai_play="R-QD", enemy_play="B-QS"))
    assert (level["winner"], level["captured"]) == (None, [])
    assert "equal" in level["reason"]


@pytest.mark.parametrize("save", ["human", ["human"], {"human": 1}])
def test_what_is_saved_from_capture(save):
    answer = ASKED.bot(asked("score", ai_play="R-QS R-KS R-AS", enemy_play="B-KH B-QS", save=save))
    assert (answer["captured"], answer["points"]) == (["B-QS"], 13)


def test_rows_may_be_given_in_full():
    """The row gives present points, and the way a leader was played, for Improved Doctrine."""
    row = [{"card": "R-JS", "round": 2, "how": "base"}, {"card": "R-AS", "bp": 3, "round": 2, "how": "led"}]
    answer = ASKED.bot(asked("bonus", dice=[2], ai_play=row, ai_hand="B04 R-QS R-KS"))
    assert [one["card"] for one in answer["lays"]] == ["B04", "R-KS"]
    assert answer["ai_total"] == 11 + 3 + 2 + 15


def test_events_in_force_count():
    answer = ASKED.bot(asked("round", round=2, events="E04 E10", ai_hand="R-AS R-QD"))
    assert [one["card"] for one in answer["lays"]] == ["R-QD"]
    assert answer["ai_total"] == 11


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"kind": "dance"}, "kind"),
        ({"kind": None}, "kind"),
        ({"ai_side": "moon"}, "ai_side"),
        ({"ai_role": "umpire"}, "ai_role"),
        ({"round": 3}, "round"),
        ({"ai_hand": ["R-XX"]}, "ai_hand[0]"),
        ({"ai_hand": "R-QS"}, "ai_hand"),
        ({"ai_play": [{"card": "R-QS", "how": "thrown"}]}, "ai_play[0].how"),
        ({"ai_play": [{"up": True}]}, "ai_play[0].card"),
        ({"moon": 1}, "moon"),
        ({"kind": "opening", "die": 7}, "die"),
        ({"kind": "opening"}, "die"),
        ({"kind": "bonus", "ai_hand": ["B09"]}, "dice"),
        ({"kind": "bonus", "dice": [0], "ai_hand": ["B09"]}, "dice[0]"),
        ({"kind": "event"}, "event"),
        ({"kind": "score", "save": "moon"}, "save"),
    ],
)
def test_what_is_wrong_with_a_question_is_named_by_its_path(change, at):
    with pytest.raises(Invalid) as fault:
        ASKED.bot(asked("round", ai_hand="R-QS") | change)
    assert fault.value.what == at


def test_a_question_without_a_side_is_refused():
    with pytest.raises(Invalid, match="ai_side: is missing"):
        ASKED.bot({"kind": "round"})


def test_a_position_is_one_in_which_a_letter_can_be_read():
    state = ASKED.position(asked("round", "central", "defender", round=1, enemy_hand="B-QS", ai_play="R-9D"))
    assert state.armies[PLAYER].hand == ("B-QS",)
    assert GAME.rules.due(state)[0].accepts[0] == "Lay"
    assert load(GAME.state_type, canonical(state)) == state
