"""Groups that are too large for their region: the reply to their order says so, before the turn runs."""

import pytest

import games
from games.plains_indian_wars.events import TurnedBack
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, State
from tests.kit.nations import plan_phase
from tests.kit.nations import state as nations_state
from tests.kit.nations import table as nations_table
from tests.kit.plains import carried_out as us_phase
from tests.kit.plains import events_of_type, left_out, orders, state, table

PLAINS = games.kinds()["plains-indian-wars"]
TRAIN = {"trains": {"north": "N5"}}


def remarks(now: State, *lines: str) -> list[tuple[str, str]]:
    """Return each order that the plan would leave out, in whole or in part, and why; "" names no order."""
    plan = orders(now, *lines)
    seat = US_SEAT if now.options["scenario"] == "1" else NATIONS_SEAT
    view = PLAINS.rules.view(now, seat)
    assert all(PLAINS.rules.check(view, seat, order) is None for order in plan)
    return [
        (
            lines[concern.about[0]] if concern.drops else "",
            PLAINS.telling.advise(view, concern).problem,
        )
        for concern in PLAINS.rules.concerns(view, seat, plan)
    ]


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.end")
def test_a_group_that_would_all_go_back_is_left_out_before_the_turn_runs():
    now = nations_state("2.1", "N9: 2 Green; N8: 6 Green; N5: 4 Brown 2 White", **TRAIN)
    plan = ("play Little Wolf", "move 2 Green N9 - N8")
    back = (
        "Pine Ridge (N8) has room for only 6 cubes of a tribe once all have moved: 2 Green would go back to "
    )
    assert remarks(now, *plan) == [("move 2 Green N9 - N8", f"{back}Yankton (N9)")]
    assert remarks(now, "play Little Wolf", "move all Green N9 - N8") == [
        ("move all Green N9 - N8", f"{back}Yankton (N9)")
    ]
    assert remarks(now, *plan, "move 2 Green N8 - N10") == [], "those who leave make room"
    assert remarks(now, "play Little Wolf", "place 2 Green N8") == [
        ("place 2 Green N8", f"{back}the Ready Box")
    ]
    # The phase itself does what it did before.
    play = nations_table("2.1", "N9: 2 Green; N8: 6 Green; N5: 4 Brown 2 White", **TRAIN)
    plan_phase(play, *plan)
    assert [(one.start, one.to, one.count) for one in events_of_type(play, TurnedBack)] == [("N8", "N9", 2)]


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.end")
def test_a_group_with_room_for_some_is_carried_out_and_the_reply_says_how_far():
    now = nations_state("2.1", "N9: 4 Green; N8: 4 Green; N5: 4 Brown 2 White", **TRAIN)
    back = (
        "Pine Ridge (N8) has room for only 6 cubes of a tribe once all have moved: 2 Green would go back to "
    )
    assert remarks(now, "play Little Wolf", "move 4 Green N9 - N8") == [("", f"{back}Yankton (N9).")]
    assert remarks(now, "play Little Wolf", "move 2 Green N9 - N8") == []


@pytest.mark.clause("plains-indian-wars", "PIW2.limit.end", "PIW1.move.limit")
def test_a_group_larger_than_any_room_is_named_before_the_plan_has_its_card():
    now = nations_state("2.1", "N9: 6 Green; N5: 4 Brown 2 White", **TRAIN)
    plan = ("place 2 Green N9", "move 8 Green N9 - N8")
    back = (
        "Pine Ridge (N8) has room for only 6 cubes of a tribe once all have moved: 2 Green would go back to "
    )
    assert remarks(now, *plan) == [("", f"{back}Yankton (N9).")]
    us = state("STL: 10 Blue")
    full = "Omaha (N5) has room for only 8 more: the limit is eight U.S. cubes"
    assert remarks(us, "move 9 Blue STL - N5") == [("move 9 Blue STL - N5", full)]
    assert remarks(us, "move all Blue STL - N5") == [("move all Blue STL - N5", full)]
    assert remarks(us, "move 8 Blue STL - N5") == []


@pytest.mark.clause("plains-indian-wars", "PIW1.move.limit")
def test_a_us_group_without_room_spends_no_activation():
    """Pike's group finds five cubes in N5. The two groups of the card are left for other regions."""
    cubes, plan = (
        "STL: 4 Blue; N5: 5 Blue; S3: 1 Blue; S8: 1 Blue",
        ("move 4 Blue STL - N5", "move 1 Blue S3 - S2"),
    )
    now = state(cubes)
    full = "Omaha (N5) has room for only 3 more: the limit is eight U.S. cubes"
    assert remarks(now, "play CAV-01", *plan) == [("move 4 Blue STL - N5", full)]
    play = us_phase(table(cubes), "play CAV-01", *plan, "move 1 Blue S8 - S7")
    assert left_out(play) == ["no-room"]
