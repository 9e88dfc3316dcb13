"""A plan for a round in one email. It goes on after GO!, ends after STOP, and waits if it's not possible."""

from dataclasses import replace
from typing import Any

import pytest

import games
from adjudicator.model.games import AdjudicationResult, GamePosition
from adjudicator.turns.log import RecordingDice
from adjudicator.turns.runner import play_turns
from games.boer_war.events import Drawn, Refused
from games.boer_war.model import BOERS
from games.dice import SealedDice
from games.protocol import Objection
from tests.games.boer_war.field import RULES, order, told, war
from tests.games.boer_war.field import play as played_out
from tests.kit.memory_repository import NOON, new_position

SECRETS = tuple(f"secret {number}".encode() for number in range(40))


def sent(secret: bytes, *texts: str) -> tuple[GamePosition, AdjudicationResult]:
    """Send the first email of the Boers in a game against the bot, and return its effects."""
    position = new_position("boer-war", people={"Boers": "boers@example.net"}, secret=secret)
    orders = tuple(order(text, position.state) for text in texts)
    position = replace(position, filed={BOERS: orders})
    done = play_turns(games.kinds()["boer-war"], position, NOON, ripe=False)
    assert done is not None
    return position, done


def actions(done: AdjudicationResult) -> int:
    """Return the number of actions in the Boers' first round."""
    return sum(step.turn.short.startswith("T1B1") for step in done.steps)


def with_actions(number: int) -> bytes:
    """Return a secret that gives the Boers' first round a number of actions."""
    for secret in SECRETS:
        dice = [RecordingDice(SealedDice(secret, "demo", entry)) for entry in (1, 2)]
        first = dice[0].roll("T1/B1/next action/1", 8) <= 4
        second = dice[1].roll("T1/B1/next action/2", 7) <= 3
        if number == (1 if not first else 2 if not second else 3):
            return secret
    raise AssertionError("no such secret")


PLAN = ("MOVE OLI SMI ALI", "MOVE SCH SPR COL", "ENTRENCH COL")


@pytest.mark.clause("boer-war", "2.8.plan")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_plan_goes_as_far_as_the_draws_let_it(number: int) -> None:
    """The report mentions dropped orders. Then the Empire's bot acts, and the Boers are due again."""
    _, done = sent(with_actions(number), *PLAN)
    assert actions(done) == number
    assert done.filed == {}
    dropped = [item for step in done.steps for item in step.dropped.get(BOERS, ())]
    assert dropped == [order(text, done.state) for text in PLAN[number:]]
    assert done.due[0].seat == BOERS
    assert done.state.round == 2


@pytest.mark.clause("boer-war", "2.8.plan", "2.8.chance")
def test_on_go_a_letter_with_one_action_is_asked_for_more() -> None:
    """The report shows the pool of the draw."""
    _, done = sent(with_actions(2), PLAN[0])
    assert (done.state.done, done.state.side) == (1, "boers")
    (drawn,) = [event for step in done.steps for event in step.events if isinstance(event, Drawn)]
    assert (drawn.go, drawn.stop, drawn.goes_on) == (4, 4, True)


@pytest.mark.clause("boer-war", "14.wrong")
def test_a_plan_that_has_become_impossible_is_held_up() -> None:
    """The action is due again, and the orders after it wait."""
    _, done = sent(with_actions(3), "MOVE OLI SMI ALI", "MOVE OLI SMI DEW LAB SEN WIN", "PASS")
    assert (done.state.done, done.state.side) == (1, "boers")
    assert done.filed[BOERS] == tuple(
        order(text, done.state) for text in ("MOVE OLI SMI DEW LAB SEN WIN", "PASS")
    )


def foreseen(state: Any, text: str, *before: str) -> Objection | None:
    """Return the objection to an order after other orders of the same email."""
    return RULES.foresee(state, BOERS, order(text, state), [order(one, state) for one in before])


@pytest.mark.clause("boer-war", "2.8.plan")
def test_what_comes_later_in_a_letter_is_looked_at_where_it_will_stand() -> None:
    """A second march starts at the end of the first. A second reinforcement is not possible."""
    state = war("OLI SMI 2, JOU VOL 2", pools={"boers": 4})
    assert foreseen(state, "MOVE OLI ALI QUE ELN", "MOVE OLI SMI ALI") is None
    found = foreseen(state, "MOVE OLI QUE ELN", "MOVE JOU NEW")
    assert found is None
    found = foreseen(state, "REINFORCE OLI", "REINFORCE JOU")
    assert found is not None
    assert found.code == "reinforced-already"
    found = foreseen(state, "MOVE OLI SPR COL NAA DEA", "MOVE JOU NEW", "STANCE OLI STAND")
    assert found is not None
    assert found.code == "too-far"


@pytest.mark.clause("boer-war", "2.8.plan")
def test_what_comes_after_dice_is_left_open() -> None:
    """After a storm or an impossible order the position is unknown."""
    state = war("CRO ZEE 4", garrisons="MAF 1")
    assert foreseen(state, "MOVE CRO MAF VRY", "MOVE CRO MAF STORM") is None
    assert foreseen(state, "MOVE CRO PRE", "MOVE CRO CPT") is None


@pytest.mark.clause("boer-war", "14.free")
def test_more_than_a_round_and_handing_over_without_a_march_are_odd() -> None:
    """The objection comes before the turn runs."""
    state = war("JOU VOL 5, MEY VOL 2")
    four = [order("PASS", state)] * 4
    assert [one.code for one in RULES.concerns(state, BOERS, four)] == ["more-than-a-round"]
    alone = [order("TRANSFER JOU MEY 1", state)]
    assert [one.code for one in RULES.concerns(state, BOERS, alone)] == ["nothing-moves"]
    assert RULES.concerns(state, BOERS, [*alone, order("MOVE MEY NEW", state)]) == ()


@pytest.mark.clause("boer-war", "14.silence")
def test_silence_is_a_pass() -> None:
    """It's true in each round."""
    state = war("JOU VOL 5")
    (due,) = RULES.due(state)
    outcome = played_out(state, "PASS")
    assert RULES.default(state, due) == (order("PASS", state),)
    assert told(outcome, Refused) == []
