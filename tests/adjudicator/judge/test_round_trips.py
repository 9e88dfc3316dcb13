"""The judge accepts `next` of any turn of any game, and gives the same results as the service."""

import json
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import games
from adjudicator.judge import Ask, answer_question, find_bot, find_judge
from adjudicator.model.games import GamePosition, PlayedTurn
from adjudicator.turns.log import orders_of
from adjudicator.turns.runner import play_turns, position_after
from games.judging import GivenDice, JudgeKeys
from games.protocol import Invalid, Judge
from games.record import as_json
from games.war_chest.owner_data import PRINTED
from tests.kit.handbook import DOCS
from tests.kit.memory_repository import NOON, new_position

PLAYED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("standard", {"last_year": 1903}),
    ("indianomacy", {"last_year": 4}),
    *(("plains-indian-wars", {"scenario": scenario}) for scenario in ("1", "2.1", "2.4", "2.7")),
    ("war-chest", {"level": "advanced", "royal_mode": "mass_recruit"}),
    ("war-chest", {"ladder": "tuned", "level": "advanced", "royal_guard": "ask"}),
    ("war-chest", {"opponent": "human"}),
    ("great-war", {}),
    ("great-war", {"ask": "yes", "side": "central"}),
    ("boer-war", {}),
    ("boer-war", {"mode": "both", "pool": "stop_left_in_cup"}),
)
"""Games of every engine, with options under which other things happen."""


@cache
def play_game(number: int) -> tuple[GamePosition, tuple[PlayedTurn, ...]]:
    """A game as the service's own loop plays it, by bots, from its opening to its end."""
    kind, options = PLAYED[number]
    start = new_position(kind, options=options)
    position, steps = start, list[PlayedTurn]()
    while position.is_running:
        done = play_turns(games.kinds()[kind], position, NOON, ripe=False)
        assert done is not None
        steps += done.steps
        position = position_after(position, done)
    return start, tuple(steps)


@cache
def judge(kind: str) -> Ask:
    return find_judge(kind)


def ask_through_bytes(ask: Ask, question: Any) -> dict[str, Any]:
    """Return an answer through bytes both ways; it can be answered."""
    said, good = answer_question(ask, json.dumps(question).encode())
    assert good, said
    found: dict[str, Any] = json.loads(json.dumps(said))
    return found


@cache
def validator(kind: str, part: str) -> Draft202012Validator:
    """A validator of one part of the schema: ``question``, ``answer``."""
    whole = json.loads((DOCS / "judge.schema.json").read_text())
    return Draft202012Validator({"$ref": f"#/$defs/{kind} {part}", "$defs": whole["$defs"]})


def question(kind: str, state: Any) -> dict[str, Any]:
    """A state as the judge's question, through bytes."""
    whatif = games.kinds()[kind].whatif
    assert isinstance(whatif, Judge)
    found: dict[str, Any] = json.loads(json.dumps(whatif.question(state)))
    return found


@given(st.data())
def test_any_turn_of_any_game_is_judged_as_the_service_played_it(data: st.DataObject) -> None:
    """With the orders and rolls of the log, from the position as the judge's `next` gives it."""
    number = data.draw(st.integers(0, len(PLAYED) - 1), "game")
    kind = PLAYED[number][0]
    _, steps = play_game(number)
    step = steps[data.draw(st.integers(0, len(steps) - 1), "turn")]
    game = games.kinds()[kind]
    given_by = orders_of(game, step.entry)
    orders = {seat: [game.notation.write(one) for one in some] for seat, some in given_by.items()}
    dice = {throw.label: list(throw.numbers) for throw in step.entry.throws if "bot/" not in throw.label}
    asking = {**question(kind, step.before), "orders": orders}
    if kind != "standard":
        asking["dice"] = dice
    said = ask_through_bytes(judge(kind), asking)
    validator(kind, "question").validate(asking)
    validator(kind, "answer").validate(said)
    result = game.rules.result(step.after)
    assert said["next"] == question(kind, step.after)
    assert said.get("winners") == (None if result is None else list(result.winners))
    if "events" in said:
        assert [one["event"] for one in said["events"]] == [as_json(one) for one in step.events]
        assert said["thrown"] == dice
        assert {row["outcome"] for row in said["results"]} <= {"taken"}
        assert [due["seat"] for due in said["due"]] == [due.seat for due in game.rules.due(step.after)]


def test_sp_lost_for_good_and_counters_of_a_round_go_out_as_they_came_in() -> None:
    """In the Boer War: a turn without orders in which the Boers draw."""
    left = {"boers": [4, 2, 1], "empire": [1, 2, 3]}
    told = {**question("boer-war", new_position("boer-war").state), "counters": left}
    said = ask_through_bytes(judge("boer-war"), {**told, "lost": {"boers": 2, "empire": 3}})["next"]
    assert said["lost"] == {"boers": 2, "empire": 3}
    assert said["counters"]["empire"] == left["empire"]


def test_what_may_be_missing_may_be_null() -> None:
    """In every game: a key whose value is null is as if it were not there."""
    driven = {"Austria": [{"unit": "A BUD", "by_from": None, "retreats": ["VIE"]}]}
    board = {
        "phase": "S1901R",
        "units": {},
        "orders": {"Austria": ["A BUD - VIE"]},
        "dislodged": driven,
        "centres": None,
        "options": None,
    }
    assert ask_through_bytes(judge("standard"), board)["next"]["units"] == {"Austria": ["A VIE"]}
    for kind, _ in PLAYED:
        said = question(kind, play_game([one for one, _ in PLAYED].index(kind))[0].state)
        plain = ask_through_bytes(judge(kind), said)
        assert ask_through_bytes(judge(kind), {**said, "orders": None}) == plain
    war = {"turn": None, "side": "empire", "leaders": {"BUL": {"at": "DUR", "sp": 4}}, "sieges": None}
    assert ask_through_bytes(find_bot("boer-war"), war) == ask_through_bytes(
        find_bot("boer-war"), {k: v for k, v in war.items() if v}
    )


def opening(kind: str, **options: Any) -> dict[str, Any]:
    """The first position of a game, as the judge gives it."""
    said = ask_through_bytes(judge(kind), {"begin": True, "options": options, "seed": 3})
    found: dict[str, Any] = said["next"]
    return found


def test_what_the_judge_answers_is_asked_of_the_bot_as_it_stands() -> None:
    """With its seed, and with the keys of a question to the judge besides the position."""
    for kind in ("plains-indian-wars", "war-chest", "great-war", "boer-war"):
        first = opening(kind)
        assert first["seed"] == 3
        (due, *_) = ask_through_bytes(judge(kind), {"begin": True, "seed": 3})["due"]
        bare = ask_through_bytes(find_bot(kind), {key: one for key, one in first.items() if key != "seed"})
        assert bare["orders"]
        assert ask_through_bytes(find_bot(kind), {**first, "orders": {due["seat"]: []}, "dice": {}}) == bare


def test_orders_count_as_in_a_letter() -> None:
    """The first legal order of a queue counts, the last of several for one thing; a line that isn't an order
    has its reason.
    """
    war = opening("boer-war")
    lines = ["MOVE NOBODY LAD", "SIEGE DUR", "ENTRENCH PRE", "PASS", "PASS"]
    rows = ask_through_bytes(judge("boer-war"), {**war, "orders": {"boers": lines}})["results"]
    assert [row["outcome"] for row in rows] == ["void", "void", "void", "taken", "waiting"]
    great = opening("great-war")
    hand = great["armies"]["player"]["hand"]
    texts = [f"ATTACK 1ST: {one}" for one in hand] + ["PASS 1ST", "PASS 1ST"]
    said = ask_through_bytes(judge("great-war"), {**great, "orders": {"player": texts}})["results"]
    assert [row["reason"] for row in said if row["outcome"] == "void"][-1] == "replaced by a later order"
    assert [row["outcome"] for row in said].index("taken") == len(texts) - 1


WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("boer-war", {"begin": True, "turn": 2}, "turn"),
    ("boer-war", {"dice": {"battle": 0}}, "dice.battle"),
    ("boer-war", {"orders": {"Empire": ["PASS"]}}, "orders.Empire"),
    ("war-chest", {"stacks": []}, "mover"),
    ("great-war", {"turn": 2}, "stage"),
)


def test_what_is_wrong_is_named_by_its_path() -> None:
    """In a question, in a position, in a roll."""
    for kind, question_asked, at in WRONG:
        said, good = answer_question(judge(kind), json.dumps(question_asked).encode())
        assert not good
        assert said["at"] == at, said
    chest = opening("war-chest", units="random")
    edge = dict.fromkeys(list(PRINTED.locations)[:6], "ai")
    for change, at in (
        ({"control": {"d2": "player"}}, "control"),
        ({"control": {PRINTED.locations[0]: "gold"}}, "control"),
        ({"control": edge}, "control"),
        ({"stacks": [{"seat": "ai", "card": "nobody", "at": "d4"}]}, "stacks[0].card"),
        ({"stacks": [{"seat": "ai", "at": "d4"}]}, "stacks[0].card"),
        ({"sides": {"player": {}}}, "sides"),
        ({"number": "one"}, "number"),
    ):
        said, good = answer_question(judge("war-chest"), json.dumps({**chest, **change}).encode())
        assert (said.get("at"), good) == (at, at is None), (change, said.get("error"))
    great = opening("great-war")
    twice = {seat: {**army, "nation": "entente"} for seat, army in great["armies"].items()}
    plains = opening("plains-indian-wars")
    thrown = ask_through_bytes(judge("plains-indian-wars"), plains)["thrown"]
    label = next(label for label, numbers in thrown.items() if len(numbers) == 1)
    for kind, asking, at in (
        ("great-war", {**great, "armies": twice}, "armies"),
        ("plains-indian-wars", {**plains, "dice": {label: 99}}, f"dice.{label}"),
        ("plains-indian-wars", {**plains, "dice": {label: [1, 2]}}, f"dice.{label}"),
        ("plains-indian-wars", {**plains, "dice": {"not thrown": 99}}, None),
        ("plains-indian-wars", {"standing": {"lose": ["Blue"]}}, "standing.lose"),
        ("plains-indian-wars", {"last": "rain"}, "last"),
    ):
        said, good = answer_question(judge(kind), json.dumps(asking).encode())
        assert (said.get("at"), good) == (at, at is None), (kind, said.get("error"))


def test_what_a_plains_position_says_is_read() -> None:
    """Every key that `next` has, with values that no opening has."""
    whatif = games.kinds()["plains-indian-wars"].whatif
    assert isinstance(whatif, Judge)
    said = {
        **{
            "turn": 6,
            "disc": "Blue",
            "lost": 3,
            "through": 5,
            "custer": True,
            "circled": 2,
            "last": "railroad",
        },
        **{"quiet": ["N3"], "tied": ["N5"], "standing": {"withdraw Blue": ["2"], "lose": LOSING}},
        **{"arrived": {"north": 2}, "gone": {"White": 4}, "hands": {"Cavalry": ["CAV-04"], "Settlers": []}},
        **{"decks": {"Cavalry": ["CAV-01"], "Settlers": ["SET-02"]}},
    }
    told = question("plains-indian-wars", whatif.position(said))
    assert {key: told[key] for key in said} == said


LOSING = ["Purple", "Blue", "Brown"]


def test_no_throw_is_laid_down_that_cannot_be_thrown() -> None:
    """A die has its sides, and several numbers that are drawn are different ones."""
    for laid, count in ((7, 1), ((7, 1), 2), ((1, 1), 2), ((1,), 2), (1, 2)):
        assert not can_be_thrown(laid, count), (laid, count)
    assert GivenDice(JudgeKeys(dice={"shuffle": (6, 1)}), "turn").draw("shuffle", 6, 2) == (6, 1)


def can_be_thrown(laid: Any, count: int) -> bool:
    try:
        return bool(GivenDice(JudgeKeys(dice={"shuffle": laid}), "turn").draw("shuffle", 6, count))
    except Invalid:
        return False
