"""Positions that break a game's rules: each is refused or adjudicated, and none ends the judge."""

import copy
import json
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.judge import answer_question
from games.messages import sentence
from games.protocol import Invalid
from tests.adjudicator.judge.test_round_trips import PLAYED, judge, play_game, question

NUMBERS = (0, 1, 2, 3, 7, 99, -1, 10**6)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every object or list in a value with a key or an index of it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in inside for place in ((value, key), *places(part))]


def break_position(position: dict[str, Any], random: Random) -> dict[str, Any]:
    """Return a position with one to three values taken out or replaced by others of their type."""
    broken = copy.deepcopy(position)
    for _ in range(random.choice((1, 1, 2, 3))):
        found = places(broken)
        parent, key = random.choice(found)
        value = parent[key]
        if random.randrange(5) == 0:
            del parent[key]
        elif isinstance(value, bool):
            parent[key] = not value
        elif isinstance(value, int):
            parent[key] = random.choice(NUMBERS)
        elif isinstance(value, list):
            parent[key] = random.choice(([], value + value, value[:1], value[1:]))
        elif isinstance(value, dict):
            parent[key] = random.choice(({}, dict([*value.items()][:1])))
        else:
            texts = [other[at] for other, at in found if isinstance(other[at], str)]
            parent[key] = random.choice([*texts, None, ""])
    return broken


@given(st.integers(0, 2**32), st.integers(0, len(PLAYED) - 1))
def test_a_position_that_breaks_the_rules_does_not_end_the_judge(seed, number):
    random = Random(seed)
    start, steps = play_game(number)
    kind = PLAYED[number][0]
    states = [start.state, *(step.after for step in steps)]
    broken = break_position(question(kind, random.choice(states)), random)
    with suppress(Invalid):
        judge(kind)(broken)


def played(kind: str) -> dict[str, Any]:
    """A position a few turns into a game of this kind."""
    number = next(place for place, (name, _) in enumerate(PLAYED) if name == kind)
    _, steps = play_game(number)
    return question(kind, steps[4].after)


def ask(kind: str, position: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question, through bytes."""
    answer: dict[str, Any] = answer_question(judge(kind), json.dumps(position).encode())[0]
    return answer


@pytest.mark.parametrize(
    ("changes", "path", "slug", "values"),
    [
        ({"union": 99}, "union", "spaces", {"spaces": 25}),
        ({"mountains": 99}, "mountains", "spaces", {"spaces": 5}),
        ({"disc": "White"}, "disc", "nobody_asked", {}),
        ({"disc": "Blue", "hands": {}}, "disc", "nobody_asked", {}),
        ({"cubes": {"NE1": {"Green": 1_000}}}, "cubes", "supply", {"colour": "Green", "count": 1_000}),
    ],
)
def test_plains_positions_that_no_game_reaches_are_refused(changes, path, slug, values):
    answer = ask("plains-indian-wars", played("plains-indian-wars") | changes)
    why = sentence(f"plains_indian_wars.judge.{slug}", **values)
    assert (answer.get("at"), answer.get("error", "").split(";")[0]) == (path, why)


def test_a_coin_drawn_without_its_task_is_refused():
    position = played("war-chest")
    side = position["sides"]["player"]
    side["drawn"] = side["cards"][0]
    assert ask("war-chest", position).get("error") == sentence("war_chest.judge.drawn", side="player")


def test_an_event_that_waits_without_a_name_is_refused():
    answer = ask("great-war", played("great-war") | {"waits": True, "event": None})
    assert answer.get("at") == "waits"


def test_a_question_that_fails_unexpectedly_is_answered_and_logged(caplog):
    def fail(_: Any) -> Any:
        raise KeyError("White")

    answer, good = answer_question(fail, json.dumps({}).encode())
    assert not good
    assert "KeyError: 'White'" in answer["error"]
    assert answer["at"] == ""
    assert "KeyError" in caplog.text


def test_a_value_error_of_a_judge_is_not_called_bad_json():
    def fail(_: Any) -> Any:
        raise ValueError("a fault of ours")

    answer, _ = answer_question(fail, b"{}")
    assert "it isn't JSON" not in answer["error"]
