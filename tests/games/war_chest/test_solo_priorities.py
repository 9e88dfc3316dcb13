"""The automaton's lists of priorities: attacks, deployments, moves and recruits with their criteria."""

import pytest

from games.record import replace_fields
from games.war_chest import automaton as mind
from games.war_chest.board import distances, nearest
from games.war_chest.events import (
    Attacked,
    Bolstered,
    Controlled,
    Deployed,
    Idle,
    Moved,
    Recruited,
)
from games.war_chest.model import AUTOMATON, PLAYER, FollowUp
from tests.games.war_chest.table import (
    NAMES,
    RULES,
    answer,
    counts,
    criteria,
    dice,
    order,
    play,
    royal,
    solo,
    total,
)

# Definitions: clause 7.4.


@pytest.mark.clause("war-chest", "7.4.attack", "7.4.bolster")
def test_who_is_able_to_attack():
    """Neighbours; a Crossbowman also at two hexes in a free line. The Cavalry's tactic does not count."""
    assert answer(solo(ai="Crossbowman d4", player="Archer d2", reveal="Crossbowman")).at("d2") == ""
    barred = solo(ai="Crossbowman d4, Scout d3", player="Archer d2", reveal="Crossbowman")
    assert [step.act for step in mind.automaton_answers(barred)[0].order.steps] == ["move"]
    askew = solo(ai="Crossbowman d4", player="Archer e2", reveal="Crossbowman")
    assert answer(askew).told(Attacked) == []
    ridden = answer(solo(ai="Cavalry c6", player="Archer d5", reveal="Cavalry"))
    assert ridden.told(Attacked) == []
    for unit, at in (("Crossbowman", "d1"), ("Crossbowman", "d7"), ("Swordsman", "d2")):
        far = mind.automaton_answers(solo(ai=f"{unit} d4", player=f"Archer {at}", reveal=unit))
        assert {step.act for one in far for step in one.order.steps} == {"move"}, f"{unit} at {at}"
    safe = answer(solo(ai="Scout c6", reveal="Scout", hand="Royal Coin"))
    assert safe.told(Bolstered) == []


@pytest.mark.clause("war-chest", "7.4.knight", "7.6.knight")
def test_a_knight_makes_a_single_coin_bolster():
    for unit, at in (("Cavalry", "d3"), ("Crossbowman", "d2")):
        state = solo(ai=f"{unit} d4", player=f"Knight {at}", reveal=unit)
        assert mind.automaton_answers(state)[0].order == order(f"bolster {unit}")
        after = answer(state)
        assert after.at("d4") == f"ai {unit} x2"
        assert after.told(Attacked) == []
    chosen = solo(ai="Scout d4", player="Knight c3, Archer d3", reveal="Scout")
    assert answer(chosen).told(Bolstered)


@pytest.mark.clause("war-chest", "7.4.closest")
def test_distances_go_around_whoever_stands_in_the_way():
    free = distances("d4", {"d4"})
    assert (free["d4"], free["d7"], free["a1"]) == (0, 3, 3)
    ring = distances("d4", {"d4", "d5"})
    assert (ring["d5"], ring["d6"], ring["d7"]) == (1, 3, 4)
    shut = distances("d7", {"d6", "c6", "e6"})
    assert nearest(shut, ("d4",)) is None
    assert nearest(shut, ("d6", "d4")) == 1


@pytest.mark.clause("war-chest", "7.4.tie")
def test_a_tie_is_drawn_by_lot():
    """Two equal starts of the automaton: both are chosen sooner or later, and never a third hex."""
    state = solo(reveal="Swordsman")
    allowed = [one.order for one in mind.automaton_answers(state)]
    chosen = {answer(state, dice(number)).told(Deployed)[0].at for number in range(20)}
    assert chosen == {one.at for one in allowed}


# Deployment, attack, movement, recruiting: clauses 7.5 to 7.9.


@pytest.mark.clause("war-chest", "7.5")
@pytest.mark.parametrize(
    ("position", "at", "criterion"),
    [
        pytest.param({"ai": "Knight b4", "control": "ai b4"}, "f5", "7.5.1", id="any other location"),
        pytest.param({"control": "ai e4"}, "e4", "7.5.2", id="an enemy location"),
        pytest.param({"player": "Archer b4"}, "c6", "7.5.3", id="an enemy-occupied location"),
        pytest.param(
            {"player": "Archer b4", "ai": "Knight e4"},
            "c6",
            "7.5.3",
            id="where a friend stands no enemy does",
        ),
        pytest.param({"control": "ai b4, ai e4"}, "e4", "7.5.4", id="the centre"),
        pytest.param({"ai": "Knight c6"}, "f5", "7.5", id="the only one"),
    ],
)
def test_the_order_of_priorities_for_deployment(position, at, criterion):
    after = answer(solo(reveal="Swordsman", **position))
    assert (after.told(Deployed)[0].at, criteria(after)) == (at, [criterion])


@pytest.mark.clause("war-chest", "7.5.scout", "7.5.zero")
def test_the_scout_is_deployed_next_to_friends_even_on_a_location():
    after = answer(solo(ai="Cavalry d4", reveal="Scout"))
    assert (after.told(Deployed)[0].at, criteria(after)) == ("c3", ["7.5.2"])
    other = answer(solo(ai="Cavalry d4", reveal="Swordsman"))
    assert other.told(Deployed)[0].at in ("c6", "f5")


@pytest.mark.clause("war-chest", "7.6")
@pytest.mark.parametrize(
    ("position", "at", "criterion"),
    [
        pytest.param(
            {"ai": "Crossbowman d5", "player": "Archer d3, Lancer e4", "reveal": "Crossbowman"},
            "e4",
            "7.6.1",
            id="next to it",
        ),
        pytest.param({"control": "ai e4"}, "e4", "7.6.2", id="on a friendly location"),
        pytest.param({"control": "player e4"}, "e4", "7.6.3", id="on an enemy location"),
        pytest.param({}, "e4", "7.6.4", id="on a neutral location"),
        pytest.param({"player": "Archer d6, Lancer d4"}, "d4", "7.6.5", id="closest to the centre"),
        pytest.param({"player": "Archer d6"}, "d6", "7.6", id="the only one"),
    ],
)
def test_the_order_of_priorities_for_attacks(position, at, criterion):
    after = answer(
        solo(**{"ai": "Scout d5", "player": "Archer e4, Lancer d4", "reveal": "Scout", **position})
    )
    assert (after.told(Attacked)[0].to, criteria(after)) == (at, [criterion])


@pytest.mark.clause("war-chest", "7.6.fresh")
def test_a_target_is_chosen_anew_before_each_attack():
    """The first target has fallen back to the third place of the list."""
    state = solo(ai="Scout d5", player="Archer e4 x2, Lancer d4", reveal="Scout")
    first = answer(state)
    assert first.told(Attacked)[0].to == "e4"
    left = replace_fields(
        first.state, stacks=tuple(s for s in first.state.stacks if s.card != NAMES["Archer"])
    )
    again = answer(replace_fields(left, mover=AUTOMATON, revealed=NAMES["Scout"], agenda=()))
    assert again.told(Attacked)[0].to == "d4"


@pytest.mark.clause("war-chest", "7.6.loss")
def test_the_automaton_does_not_mind_pikes():
    after = answer(solo(ai="Scout d4", player="Pikeman d3", reveal="Scout"))
    assert (after.at("d3"), after.at("d4")) == ("", "")
    assert after.state.sides[AUTOMATON].removed == {"scout": 1}


@pytest.mark.clause("war-chest", "7.6.swordsman")
def test_the_swordsman_moves_on_after_its_attack():
    state = solo(ai="Swordsman d4", player="Archer d3", reveal="Swordsman")
    attacked = answer(state)
    assert attacked.state.agenda == (FollowUp(seat=AUTOMATON, card=NAMES["Swordsman"]),)
    moved = answer(attacked.state)
    assert moved.told(Moved)[0].at == "d4"
    assert moved.state.mover == PLAYER
    stays = answer(solo(ai="Swordsman e4", player="Archer e3", reveal="Swordsman"))
    assert stays.told(Idle)[0].code == "stays"
    assert stays.state.mover == PLAYER
    off = answer(solo(ai="Swordsman e4", player="Archer e3", reveal="Swordsman", control="ai e4"))
    assert answer(off.state).told(Moved)
    bolstered = answer(solo(ai="Swordsman d4", player="Knight d3", reveal="Swordsman"))
    assert bolstered.state.mover == PLAYER


@pytest.mark.clause("war-chest", "7.6.swordsman", "6.royal_guard")
def test_a_guard_that_stands_bars_the_swordsmans_way():
    """The player is asked in the middle of the automaton's turn."""
    state = solo(ai="Swordsman d2", player="Royal Guard e1", reveal="Swordsman")
    asked = answer(state)
    assert RULES.due(asked.state)[0].seat == PLAYER
    kept = play(asked.state, "lose a coin of the supply")
    assert kept.at("e1") == "player Royal Guard"
    gone = play(asked.state, "lose a coin of the stack")
    assert kept.told(Idle) == [Idle(seat=AUTOMATON, card=NAMES["Swordsman"], code="no-way")]
    assert kept.state.mover == PLAYER
    assert answer(gone.state).at("e1") == "ai Swordsman"


@pytest.mark.clause("war-chest", "7.7.1")
@pytest.mark.parametrize(
    ("position", "target", "criterion"),
    [
        pytest.param({}, "e4", "7.7.1.1", id="closest"),
        pytest.param({"control": "player b4, ai e4"}, "b4", "7.7.1.2", id="an enemy location"),
        pytest.param(
            {"control": "ai e4", "player": "Archer b4"}, "b4", "7.7.1.3", id="an enemy-occupied location"
        ),
        pytest.param({"ai": "Scout f5"}, "e4", "7.7.1.4", id="closest to the centre"),
    ],
)
def test_the_order_of_priorities_for_targets(position, target, criterion):
    after = answer(solo(**{"ai": "Scout d5", "reveal": "Scout", **position}))
    why = after.told(Moved)[0].why[0]
    assert (why.taken, why.criterion) == (target, criterion)


@pytest.mark.clause("war-chest", "7.7.1", "7.4.closest")
def test_the_closest_target_is_so_around_whoever_stands_in_the_way():
    """From c6 b4 is two hexes away and e4 three, but friends block both paths to b4."""
    after = answer(solo(ai="Scout c6, Knight c5, Pikeman b5", reveal="Scout"))
    why = after.told(Moved)[0].why[0]
    assert (why.taken, why.criterion) == ("e4", "7.7.1.1")


@pytest.mark.clause("war-chest", "7.7.1", "7.4.skip")
def test_a_criterion_that_nothing_meets_is_skipped():
    """No location at the same distance is an enemy's, so the second criterion removes none."""
    why = answer(solo(ai="Scout f5", reveal="Scout")).told(Moved)[0].why[0]
    assert (why.narrowed, why.left) == ((1, 4), ("e4",))


@pytest.mark.clause("war-chest", "7.7.1")
def test_a_target_is_chosen_anew_before_each_move():
    first = answer(solo(ai="Scout c6", reveal="Scout"))
    assert first.told(Moved)[0].why[0].taken == "b4"
    taken = {**first.state.control, "b4": AUTOMATON}
    again = answer(replace_fields(first.state, control=taken, mover=AUTOMATON, revealed=NAMES["Scout"]))
    assert again.told(Moved)[0].why[0].taken != "b4"


@pytest.mark.clause("war-chest", "7.7.2")
@pytest.mark.parametrize(
    ("position", "criterion"),
    [
        pytest.param({"control": "player e4"}, "7.7.2.1", id="another enemy location"),
        pytest.param({}, "7.7.2.2", id="another neutral location"),
        pytest.param(
            {"control": "ai e4, ai c3, player a2, player f2, player g3", "player": "Archer d3"},
            "7.7.2.3",
            id="an enemy unit",
        ),
        pytest.param(
            {"control": "ai e4, ai c3, player a2, player f2, player g3"}, "7.7.2.4", id="the centre"
        ),
    ],
)
def test_the_order_of_priorities_for_steps(position, criterion):
    """From c6 towards b4, through c5 or b5."""
    after = answer(solo(ai="Scout c6", reveal="Scout", **position))
    why = after.told(Moved)[0].why
    assert (why[0].taken, why[1].taken, why[1].criterion) == ("b4", "c5", criterion)


@pytest.mark.clause("war-chest", "7.7.2")
def test_the_target_is_no_other_enemy_location():
    """Both steps are equally near to e1. The other enemy location is b1, and d2 is nearer to it."""
    found = mind.automaton_answers(solo(ai="Scout d3", control="ai c3", reveal="Scout"))
    steps = {one.why[0].taken: (one.why[1].taken, one.why[1].criterion) for one in found}
    assert steps["e1"] == ("d2", "7.7.2.1")


@pytest.mark.clause("war-chest", "7.7.out")
def test_locations_under_own_units_are_no_targets():
    state = solo(ai="Scout d5, Knight e4", reveal="Scout")
    (moved,) = answer(state).told(Moved) or [None]
    assert moved is not None
    assert moved.why[0].taken in ("b4", "c3")


@pytest.mark.clause("war-chest", "7.7.own")
def test_the_units_own_hex_counts_as_empty_while_steps_are_compared():
    """From c2 the path to f2 leads back over d2, which the Scout leaves. c1 has its own path."""
    state = solo(ai="Scout d2, Knight e1", player="Archer c5", reveal="Scout")
    step = answer(state).told(Moved)[0].why[1]
    assert (step.taken, step.criterion) == ("c2", "7.7.2.2")


@pytest.mark.clause("war-chest", "7.7.light")
def test_the_light_cavalry_goes_on_toward_the_same_target():
    far = answer(solo(ai="Light Cavalry c6", reveal="Light Cavalry"))
    assert [event.to for event in far.told(Moved)] == ["c5", "b4"]
    assert len(criteria(far)) == 3
    assert far.told(Controlled) == []
    near = answer(solo(ai="Light Cavalry d5", reveal="Light Cavalry"))
    assert len(near.told(Moved)) == 1
    barred = answer(
        solo(
            ai="Light Cavalry a3, Knight b3",
            player="Archer a1, Lancer b2",
            reveal="Light Cavalry",
            control="ai b4",
        )
    )
    assert [event.to for event in barred.told(Moved)] == ["a2"]


@pytest.mark.clause("war-chest", "7.8")
def test_the_cavalry_attacks_after_its_move():
    moved = answer(solo(ai="Cavalry c5", player="Archer b3", reveal="Cavalry"))
    assert moved.at("b4") == "ai Cavalry"
    attacked = answer(moved.state)
    assert attacked.at("b3") == ""
    assert attacked.told(Controlled) == []
    knight = answer(answer(solo(ai="Cavalry c5", player="Knight b3", reveal="Cavalry")).state)
    assert knight.at("b4") == "ai Cavalry x2"
    assert knight.state.sides[AUTOMATON].face_up == ()
    stood = answer(solo(ai="Cavalry d4", player="Archer d3", reveal="Cavalry"))
    assert stood.state.mover == PLAYER
    assert stood.told(Moved) == []


@pytest.mark.clause("war-chest", "7.9", "7.9.maneuvered")
def test_the_order_of_priorities_for_recruiting():
    def chosen(supply: str, removed: str, recent: str) -> tuple[str, list[str]]:
        cards = tuple(counts(supply))
        state = royal(
            "", "recruit", cards=cards, supply=counts(supply), removed=counts(removed), recent=counts(recent)
        )
        after = answer(state)
        return after.told(Recruited)[0].card, criteria(after)

    none = "Scout 0, Knight 0"
    assert chosen("Scout 2, Knight 1", none, none) == ("scout", ["7.9.1"])
    assert chosen("Scout 2, Knight 2", "Scout 0, Knight 1", none) == ("knight", ["7.9.2"])
    assert chosen("Scout 2, Knight 2", none, "Scout 4, Knight 3") == ("scout", ["7.9.3"])
    assert chosen("Scout 2, Knight 0", none, none) == ("scout", ["7.9"])
    after = answer(solo(ai="Scout d4", reveal="Scout"))
    assert after.state.sides[AUTOMATON].recent == {"scout": 1}
    assert answer(solo(reveal="Scout")).state.sides[AUTOMATON].recent == {}


@pytest.mark.clause("war-chest", "7.4.priorities")
def test_each_criterion_keeps_those_that_meet_it():
    after = answer(solo(ai="Cavalry d4", reveal="Scout"))
    (weighed,) = after.told(Deployed)[0].why
    assert (weighed.narrowed, weighed.decided, weighed.left) == ((1, 2), 2, ("c3",))


def test_no_coin_is_lost_in_the_automatons_turn():
    for state in (
        solo(ai="Swordsman d4", player="Pikeman d3", reveal="Swordsman"),
        solo(ai="Cavalry c5", player="Knight b3", reveal="Cavalry"),
        solo(reveal="Scout"),
    ):
        assert total(answer(state).state) == total(state)
