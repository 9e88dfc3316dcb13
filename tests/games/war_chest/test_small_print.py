"""Cases that only a mistake could cause: a missing coin, a task that waits, a stack hit twice."""

import pytest

from games.dice import SealedDice
from games.record import replace_fields
from games.war_chest import automaton as mind
from games.war_chest.board import Hex
from games.war_chest.events import Idle, Moved
from games.war_chest.execution import carry_out
from games.war_chest.legality import ManeuverWalk, coins
from games.war_chest.model import AUTOMATON, PLAYER, Do, Lose, UseDrawn
from games.war_chest.owner_data import PRINTED
from tests.games.war_chest.table import NAMES, RULES, dice, options, order, refusal, solo


def opened(seed: int = 1, **given: str):
    return RULES.setup(options(**given), SealedDice(b"secret", "small print", seed)).state


def test_a_draft_is_named_after_whose_pick_it_is():
    state = opened(opponent="human")
    assert RULES.turn(state).name == f"Draft, {state.picks[0][0]}"


@pytest.mark.clause("war-chest", "3.lineup")
@pytest.mark.parametrize("name", sorted(PRINTED.lineups))
def test_every_lineup_has_four_cards_a_side(name):
    """Cards that the automaton can't play are replaced at random, up to four in all."""
    state = opened(units=name)
    assert [len(state.sides[seat].cards) for seat in (PLAYER, AUTOMATON)] == [4, 4]


def test_a_drawn_coin_that_is_gone_leaves_none_to_play():
    state = replace_fields(solo(player="Warrior Priest d3"), agenda=(UseDrawn(seat=PLAYER),))
    assert coins(state, PLAYER) == ()


def test_nothing_is_lost_while_another_decision_waits():
    state = replace_fields(solo(player="Royal Guard d3"), agenda=(UseDrawn(seat=PLAYER),))
    given = Lose(source="supply")
    found = RULES.check(RULES.view(state, PLAYER), PLAYER, given)
    assert found is not None
    assert found.code == "not-asked"


def test_a_way_that_leads_to_no_hex_is_asked_for():
    state = solo(player="Scout d3", ai="Archer d5", hand="Scout, Royal Coin")
    assert refusal(state, "Scout - Archer") == "where-to"


def test_a_stack_that_is_hit_is_one_coin_lower_each_time():
    state = solo(player="Scout d3", ai="Archer d4 x3")
    walk = ManeuverWalk(state, PLAYER)
    (unit,) = (stack for stack in state.stacks if stack.seat == PLAYER)
    heights = []
    for _ in range(3):
        target = walk.stacks.get(Hex("d4"))
        assert target is not None
        walk.strike(unit, target)
        heights.append(walk.stacks[Hex("d4")].height if Hex("d4") in walk.stacks else 0)
    assert heights == [2, 1, 0]


def test_the_list_is_followed_with_its_own_reason():
    """The first of several answers, with its reason."""
    state = solo(ai="Scout d4", reveal="Scout")
    outcome = RULES.adjudicate(state, {AUTOMATON: [order("Scout - d5")]}, dice())
    (moved,) = (event for event in outcome.events if isinstance(event, Moved))
    first = mind.automaton_answers(state)[0]
    assert (moved.to, moved.why) == (first.order.steps[0].to, first.why)


def test_a_task_whose_unit_is_gone_is_left_out():
    state = solo(ai="Scout d4, Knight d6", reveal="Scout")
    lost = Do(seat=AUTOMATON, card=NAMES["Knight"], at=Hex("c4"), act="move", to=Hex("c5"))
    after = carry_out(
        replace_fields(state, agenda=(lost,)), AUTOMATON, mind.automaton_answers(state)[0].order, dice()
    )
    assert not any(isinstance(event, Idle) for event in after.events)
    assert [stack.at for stack in after.state.stacks if stack.card == NAMES["Knight"]] == ["d6"]


def knight(act: str, to: str) -> Do:
    """Return a task of the automaton's Knight on c4."""
    return Do(seat=AUTOMATON, card=NAMES["Knight"], at=Hex("c4"), act=act, to=Hex(to))


def carried_out_first(ai: str, player: str, *tasks: Do):
    """Return the outcome of tasks that wait while the Scout acts."""
    state = solo(ai=ai, player=player, reveal="Scout")
    return carry_out(
        replace_fields(state, agenda=tasks), AUTOMATON, mind.automaton_answers(state)[0].order, dice()
    )


@pytest.mark.clause("war-chest", "V.chain")
def test_a_task_is_not_done_by_whoever_stands_there_instead():
    """The Knight has left c4, and an Archer of the player is there now."""
    tasks = knight("move", "c5"), knight("move", "c5")
    after = carried_out_first("Scout f4, Knight d6", "Archer c4", *tasks)
    assert [stack.at for stack in after.state.stacks if stack.card == NAMES["Archer"]] == ["c4"]


@pytest.mark.clause("war-chest", "V.chain")
def test_a_unit_whose_step_is_barred_makes_none_of_those_after_it():
    tasks = knight("move", "c3"), knight("move", "c3"), knight("move", "c5")
    after = carried_out_first("Scout f5, Knight c4", "Archer c3", *tasks)
    assert [event.code for event in after.events if isinstance(event, Idle)] == ["hex-occupied"]
    assert [stack.at for stack in after.state.stacks if stack.card == NAMES["Knight"]] == ["c4"]
