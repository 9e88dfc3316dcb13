"""The judge's answer for orders that failed when they were carried out, or succeeded in part."""

import json
from typing import Any

import pytest

from adjudicator.judge import answer_question, find_judge


def ask_judge(kind: str, question: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question."""
    said, good = answer_question(find_judge(kind), json.dumps(question).encode())
    assert good, said
    return dict(said)


def play_turns_without_orders(kind: str, turns: int = 0, seed: int = 3, **options: str) -> dict[str, Any]:
    """The answer that tells of a game some turns after its beginning, in which nobody ordered anything."""
    said = ask_judge(kind, {"begin": True, "seed": seed, "options": options})
    for _ in range(turns):
        said = ask_judge(kind, said["next"])
    return said


def fates(kind: str, said: dict[str, Any], *orders: str) -> list[tuple[str, str]]:
    """Return the results of the orders of a position's due seats, each with its reason."""
    seat = said["due"][0]["seat"]
    answered = ask_judge(kind, {**said["next"], "orders": {seat: list(orders)}})
    assert [row["order"] for row in answered["results"]] == list(orders)
    return [(row["outcome"], row["reason"] or "") for row in answered["results"]]


TAKEN = ("taken", "")


@pytest.mark.parametrize(
    ("orders", "found"),
    [
        (("place 4 Brown STL", "place 2 Brown SAC"), [TAKEN, ("void", "no more can be placed")]),
        (("place 3 Brown STL", "place 2 Brown SAC"), [TAKEN, ("taken", "only 1 more can be placed")]),
        (
            ("move 3 Brown STL - N5", "move 2 Brown STL - S5"),
            [TAKEN, ("void", "St. Louis has no Brown that can move")],
        ),
        (("place 1 Brown STL", "place 1 Brown SAC", "move 4 Brown STL - N5"), [TAKEN, TAKEN, TAKEN]),
    ],
)
def test_a_plan_of_the_settlers(orders, found):
    """Four cubes, three groups, one move: each order is right by itself."""
    settlers = play_turns_without_orders("plains-indian-wars", 2)
    assert settlers["next"]["disc"] == "Brown"
    assert fates("plains-indian-wars", settlers, "play Homestead Act", *orders) == [TAKEN, *found]


@pytest.mark.parametrize(
    ("orders", "found"),
    [
        (("place 4 Green N1", "place 1 Green N2"), [TAKEN, ("void", "no more can be placed")]),
        (("move 2 Green N6 - N7",), [("void", "South Pass (N6) has only 1 Green that can move")]),
    ],
)
def test_a_plan_of_the_nations(orders, found):
    nations = play_turns_without_orders("plains-indian-wars", scenario="2.1")
    card = ask_judge("plains-indian-wars", nations["next"])["events"][0]["text"].removesuffix(" was played.")
    assert fates("plains-indian-wars", nations, f"play {card}", *orders) == [TAKEN, *found]


def test_a_card_that_nothing_links_is_left_out_of_a_round():
    hand = play_turns_without_orders("great-war", seed=2)
    ((outcome, reason),) = fates("great-war", hand, "ATTACK 1ST: B-QD + B-JC")
    assert outcome == "taken"
    assert "B-JC" in reason
    assert fates("great-war", hand, "ATTACK 1ST: B-QD") == [TAKEN]


def test_a_round_of_which_no_card_can_be_laid_is_void():
    """A Joker is its base, and the card that was to be it stays in the hand."""
    hand = play_turns_without_orders("great-war", seed=3)
    joker, attack = fates("great-war", hand, "CANCEL BEST WITH B-JK2 1ST", "ATTACK 1ST: B-10H")
    assert joker == TAKEN
    assert attack[0] == "void"
    assert "B-10H" in attack[1]


def test_sp_that_are_handed_over_where_nothing_moves():
    empire = play_turns_without_orders("boer-war", 1)
    assert empire["due"][0]["seat"] == "Empire"
    ((outcome, reason),) = fates("boer-war", empire, "TRANSFER WHI MUR 1")
    assert (outcome, bool(reason)) == ("void", True)
    assert fates("boer-war", empire, "PASS") == [TAKEN]


def test_a_card_that_is_picked_twice():
    draft = play_turns_without_orders("war-chest")
    first, second, again, third = fates(
        "war-chest", draft, *("pick Lancer", "pick Scout", "pick Lancer", "pick Marshall")
    )
    assert (first, second, third) == (TAKEN, TAKEN, TAKEN)
    assert again[0] == "void"
    assert "Lancer" in again[1]
