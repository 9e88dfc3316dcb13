"""The game against the automaton: set-up, its turn, and its decision list."""

import pytest

from games.dice import SealedDice
from games.record import changed
from games.war_chest import solo as mind
from games.war_chest.board import distances, nearest
from games.war_chest.components import DECK, ROYAL, UNITS
from games.war_chest.events import (
    Attacked,
    Bolstered,
    Controlled,
    Deployed,
    Drew,
    Idle,
    Moved,
    Passed,
    Recruited,
    Refused,
    Revealed,
)
from games.war_chest.model import AUTOMATON, PLAYER, Again, FollowUp
from games.war_chest.sequence import rally, skipped
from games.war_chest.setup import royal_mode
from tests.games.war_chest.table import (
    NAMES,
    RULES,
    answer,
    coins,
    counts,
    dice,
    options,
    order,
    play,
    refusal,
    solo,
    total,
    with_coins,
)


def opened(seed: int = 1, **given: str):
    return RULES.setup(options(**given), SealedDice(b"secret", "solo", seed)).state


def criteria(after) -> list[str]:
    """The criteria that decided, in order."""
    return [weighed.criterion for event in after.events for weighed in getattr(event, "why", ())]


# Set-up: clause 7.1.


@pytest.mark.clause("war-chest", "7.1.1", "7.1.2")
def test_the_automaton_has_four_cards_of_its_deck_and_six_others_are_shown():
    state = opened()
    theirs = state.sides[AUTOMATON].cards
    assert len(set(theirs)) == 4
    assert set(theirs) <= set(DECK)
    assert len(DECK) == 7
    assert len(state.offer) == 6
    assert not set(state.offer) & set(theirs)
    assert {card for seed in range(40) for card in opened(seed).offer} == set(UNITS)
    picks = [order(f"pick {UNITS[card].name}") for card in state.offer[:4]]
    after = RULES.adjudicate(state, {PLAYER: picks}, dice()).state
    side, ours = after.sides[AUTOMATON], after.sides[PLAYER]
    assert ours.cards == state.offer[:4]
    assert len(ours.bag) == 9
    assert [(*side.bag, after.revealed).count(card) for card in theirs] == [2] * 4
    assert side.supply == {card: UNITS[card].coins - 2 for card in theirs}


@pytest.mark.clause("war-chest", "3.lineup")
def test_a_lineup_gives_the_automaton_what_it_can_play():
    first = opened(units="first-game")
    assert first.sides[AUTOMATON].cards == ("swordsman", "pikeman", "crossbowman", "light_cavalry")
    assert first.sides[PLAYER].cards == ("archer", "cavalry", "lancer", "scout")
    other = opened(units="bannockburn")
    assert other.sides[PLAYER].cards == ("archer", "cavalry", "lancer", "footman")
    assert other.sides[AUTOMATON].cards[:3] == ("light_cavalry", "pikeman", "swordsman")
    assert {opened(seed, units="bannockburn").sides[AUTOMATON].cards[3] for seed in range(30)} == {
        "crossbowman",
        "knight",
        "scout",
    }


@pytest.mark.clause("war-chest", "7.1.3")
def test_the_automaton_begins():
    state = opened(units="first-game")
    assert (state.mover, RULES.due(state)[0].seat) == (AUTOMATON, AUTOMATON)
    assert [state.markers(PLAYER), state.markers(AUTOMATON)] == [2, 2]


@pytest.mark.clause("war-chest", "7.1.4", "7.3.ladder")
def test_a_level_is_a_number_of_royal_coins_or_a_manner():
    for level, count in (("beginner", 0), ("intermediate", 1), ("advanced", 2)):
        state = opened(units="random", level=level)
        assert (*state.sides[AUTOMATON].bag, state.revealed).count(ROYAL) == count
        tuned = opened(units="random", level=level, ladder="tuned")
        assert ROYAL not in (*tuned.sides[AUTOMATON].bag, tuned.revealed)
    from_ladder = [
        mode(level=level, ladder=ladder)
        for ladder in ("printed", "tuned")
        for level in ("beginner", "intermediate", "advanced")
    ]
    assert from_ladder == ["recruit"] * 4 + ["mass_recruit", "maneuver_all"]
    assert mode(level="advanced", ladder="tuned", royal_mode="recruit") == "recruit"


def mode(**given: str) -> str:
    return royal_mode(options(**given))


# Turns: clause 7.2.


@pytest.mark.clause("war-chest", "7.2.turns", "5.claim")
def test_sides_take_turns_and_nobody_has_the_initiative():
    state = solo(player="Archer d1", hand="Archer, Royal Coin")
    state = with_coins(state, AUTOMATON, bag=coins("Knight, Knight"), cards=("knight",), supply={"knight": 2})
    assert refusal(state, "claim initiative with Archer") == "no-initiative"
    asked = []
    for text in ("pass with Archer", "", "pass with Royal Coin", ""):
        asked.append(RULES.due(state)[0].seat)
        state = (play(state, text) if text else answer(state)).state
    assert asked == [PLAYER, AUTOMATON] * 2


@pytest.mark.clause("war-chest", "7.2.human")
def test_an_empty_hand_is_filled_before_the_coin_is_played():
    state = solo(ai="Scout d4", hand="", reveal="Scout")
    state = state.with_side(
        PLAYER, changed(state.sides[PLAYER], bag=coins("Archer, Archer, Knight, Royal Coin"))
    )
    after = answer(state)
    assert after.told(Drew) == [Drew(seat=PLAYER, count=3)]
    assert len(after.state.sides[PLAYER].hand) == 3
    assert RULES.due(after.state)[0].seat == PLAYER
    kept = solo(ai="Scout d4", hand="Royal Coin", reveal="Scout")
    assert answer(kept).told(Drew) == []


@pytest.mark.clause("war-chest", "7.2.skip")
def test_a_person_without_any_coin_is_left_out():
    state = solo(ai="Scout d4", hand="", reveal="Scout")
    after = answer(state)
    assert RULES.due(after.state)[0].seat == AUTOMATON


@pytest.mark.clause("war-chest", "7.2.1", "7.1.royals", "7.2.2")
def test_an_empty_bag_is_filled_again_with_one_more_royal_coin():
    state = solo(player="Archer d1", hand="Archer, Royal Coin")
    state = with_coins(
        state, AUTOMATON, cards=("knight",), supply={"knight": 1}, face_up=coins("Knight, Royal Coin, Knight")
    )
    after = play(state, "pass with Archer")
    (told,) = after.told(Revealed)
    side = after.state.sides[AUTOMATON]
    assert told.reloaded
    assert sorted((*side.bag, told.coin)) == ["knight", "knight", "royal", "royal"]
    assert side.face_up == ()
    again = play(answer(after.state).state, "pass with Royal Coin")
    assert not again.told(Revealed)[0].reloaded


@pytest.mark.clause("war-chest", "7.2.3", "7.2.bolster", "7.6.knight")
def test_the_coin_goes_to_the_discard_pile_unless_it_went_onto_the_board():
    moved = answer(solo(ai="Scout d4", reveal="Scout"))
    assert moved.state.sides[AUTOMATON].face_up == ("scout",)
    deployed = answer(solo(reveal="Scout"))
    assert deployed.state.sides[AUTOMATON].face_up == ()
    bolstered = answer(solo(ai="Scout d4", player="Knight d3", reveal="Scout"))
    assert bolstered.at("d4") == "ai Scout x2"
    assert bolstered.state.sides[AUTOMATON].face_up == ()


@pytest.mark.clause("war-chest", "7.2.open", "4.hidden")
def test_all_coins_of_the_automaton_are_open():
    state = opened(units="first-game")
    assert RULES.view(state, PLAYER).sides[AUTOMATON] == state.sides[AUTOMATON]
    assert RULES.view(state, AUTOMATON).sides[PLAYER].bag == ("?",) * 9


# On coin reveal: clause 7.3.


def royal(ai: str, given: str, **zones: object):
    state = solo(ai=ai, player=str(zones.pop("player", "")), reveal="Royal Coin", royal_mode=given)
    side = changed(state.sides[AUTOMATON], **zones)
    state = state.with_side(AUTOMATON, side)
    return skipped(rally(state))[0]


@pytest.mark.clause("war-chest", "7.3.1", "7.9")
def test_a_royal_coin_recruits_one_coin_or_passes():
    after = answer(royal("Scout d4, Knight d5", "recruit"))
    assert [event.card for event in after.told(Recruited)] == ["scout"]
    assert after.state.sides[AUTOMATON].face_up == ("scout", ROYAL)
    assert after.state.mover == PLAYER
    after = answer(royal("Scout d4", "recruit", supply={"scout": 0}))
    assert after.told(Passed) == [Passed(seat=AUTOMATON, reason="nothing-to-recruit")]


@pytest.mark.clause("war-chest", "7.3.mass")
def test_a_royal_coin_recruits_en_masse():
    state = royal("Scout d4, Knight d5, Pikeman a4", "mass_recruit")
    found = []
    while state.mover == AUTOMATON:
        after = answer(state)
        found += [event.card for event in after.told(Recruited)]
        state = after.state
    assert (len(found), found[0]) == (3, "scout")
    alone = answer(royal("", "mass_recruit", cards=(NAMES["Scout"],), supply=counts("Scout 3")))
    assert [event.card for event in alone.told(Recruited)] == ["scout"]
    assert alone.state.mover == PLAYER
    last = answer(royal("Scout d4, Knight d5", "mass_recruit", supply=counts("Scout 1, Knight 0")))
    assert [event.card for event in last.told(Recruited)] == ["scout"]
    assert last.state.mover == PLAYER


@pytest.mark.clause("war-chest", "7.3.all", "7.3.order")
def test_a_royal_coin_makes_every_unit_maneuver_in_the_order_of_its_cards():
    state = royal(
        "Scout e4, Knight d5, Cavalry c4",
        "maneuver_all",
        cards=tuple(NAMES[n] for n in ("Knight", "Scout", "Cavalry")),
    )
    assert [task.card for task in state.agenda] == ["knight", "scout", "cavalry"]
    acted = []
    while state.mover == AUTOMATON:
        after = answer(state)
        acted += [event.card for event in after.events if isinstance(event, Moved | Controlled)]
        state = after.state
    assert acted == ["knight", "scout", "cavalry"]
    assert state.sides[AUTOMATON].face_up == (ROYAL,)
    bare = answer(royal("", "maneuver_all", cards=(NAMES["Scout"],), supply=counts("Scout 3")))
    assert bare.told(Recruited)


@pytest.mark.clause("war-chest", "7.3.order", "7.6.loss")
def test_a_unit_that_fell_on_the_way_is_left_out():
    state = royal("Swordsman d4", "maneuver_all", player="Pikeman d3")
    state = changed(state, agenda=(*state.agenda, Again(seat=AUTOMATON, card=NAMES["Swordsman"])))
    after = answer(state)
    assert after.at("d4") == ""
    assert after.state.mover == PLAYER
    assert after.told(Idle) == []


@pytest.mark.clause("war-chest", "7.3.all", "7.3.royal")
def test_under_a_royal_coin_a_knight_is_no_target_for_a_single_coin():
    state = royal("Scout d4", "maneuver_all", player="Knight d5")
    after = answer(state)
    assert after.told(Moved)
    assert after.told(Bolstered) == []
    strong = answer(royal("Scout d4 x2", "maneuver_all", player="Knight d5"))
    assert strong.told(Attacked)
    stuck = royal("Scout d7", "maneuver_all", player="Knight d6, Archer c6, Lancer e6")
    assert [type(a.order).__name__ for a in mind.answers(stuck)] == ["Maneuver"]
    idle = solo(
        ai="Scout d7",
        player="Knight d6, Knight c6, Knight e6",
        reveal="Royal Coin",
        royal_mode="maneuver_all",
    )
    state, told = skipped(rally(idle))
    assert [event.code for event in told] == ["no-way"]
    assert state.agenda == ()


@pytest.mark.clause("war-chest", "7.3.2", "7.3.3")
def test_a_unit_that_is_not_on_the_board_is_deployed_if_it_can_be():
    assert answer(solo(reveal="Swordsman")).told(Deployed)
    full = solo(ai="Scout c6, Knight f5", reveal="Swordsman")
    after = answer(full)
    assert after.told(Deployed) == []
    assert [event.card for event in after.told(Recruited)] == ["swordsman"]
    assert after.told(Idle) == [Idle(seat=AUTOMATON, card=NAMES["Swordsman"], code="no-hex")]
    assert "swordsman" in after.state.sides[AUTOMATON].face_up


@pytest.mark.clause("war-chest", "7.3.4a", "7.3.4b", "7.3.5", "8.one")
def test_win_attack_control_in_this_order():
    winning = solo(ai="Scout e4", player="Archer e5", reveal="Scout", control="ai b4, ai c3, ai g3")
    assert answer(winning).state.winners == (AUTOMATON,)
    fight = solo(ai="Scout e4", player="Archer e5", reveal="Scout", control="ai b4, ai c3")
    assert answer(fight).at("e5") == ""
    assert answer(fight).told(Controlled) == []
    calm = answer(solo(ai="Scout e4", reveal="Scout"))
    assert calm.state.control["e4"] == AUTOMATON
    other = solo(ai="Scout e4, Knight d7", player="Archer a1", reveal="Knight", control="ai b4, ai c3, ai g3")
    assert answer(other).told(Controlled) == []


@pytest.mark.clause("war-chest", "7.3.6", "7.3.7", "7.7.out")
def test_a_unit_moves_or_else_recruits():
    assert answer(solo(ai="Scout d4", reveal="Scout")).told(Moved)
    shut_in = solo(ai="Scout d7, Knight d6, Pikeman c6, Cavalry e6", reveal="Scout")
    after = answer(shut_in)
    assert after.told(Moved) == []
    assert after.told(Recruited)
    assert "scout" in after.state.sides[AUTOMATON].face_up


def test_what_the_list_does_not_allow_is_told_and_the_list_followed():
    """For whoever sits in the automaton's seat."""
    state = solo(ai="Scout d4", reveal="Scout")
    assert refusal(state, "Scout - d5") == "not-on-the-list"
    outcome = RULES.adjudicate(state, {AUTOMATON: [order("Scout - d5")]}, dice())
    assert isinstance(outcome.events[0], Refused)
    assert any(isinstance(event, Moved) for event in outcome.events)


# Definitions: clause 7.4.


@pytest.mark.clause("war-chest", "7.4.attack", "7.4.bolster")
def test_who_is_able_to_attack():
    """A neighbour; for the Crossbowman two hexes in a free line; the Cavalry's tactic does not count."""
    assert answer(solo(ai="Crossbowman d4", player="Archer d2", reveal="Crossbowman")).at("d2") == ""
    barred = solo(ai="Crossbowman d4, Scout d3", player="Archer d2", reveal="Crossbowman")
    assert [step.act for step in mind.answers(barred)[0].order.steps] == ["move"]
    askew = solo(ai="Crossbowman d4", player="Archer e2", reveal="Crossbowman")
    assert answer(askew).told(Attacked) == []
    ridden = answer(solo(ai="Cavalry c6", player="Archer d5", reveal="Cavalry"))
    assert ridden.told(Attacked) == []
    safe = answer(solo(ai="Scout c6", reveal="Scout", hand="Royal Coin"))
    assert safe.told(Bolstered) == []


@pytest.mark.clause("war-chest", "7.4.knight", "7.6.knight")
def test_a_knight_makes_a_single_coin_bolster():
    for unit, at in (("Cavalry", "d3"), ("Crossbowman", "d2")):
        state = solo(ai=f"{unit} d4", player=f"Knight {at}", reveal=unit)
        assert mind.answers(state)[0].order == order(f"bolster {unit}")
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
    """Two starts of the automaton that do not differ: both are chosen sooner or later, and no third one."""
    state = solo(reveal="Swordsman")
    allowed = [one.order for one in mind.answers(state)]
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
    """The one that was attacked before has fallen back to the third place of the list."""
    state = solo(ai="Scout d5", player="Archer e4 x2, Lancer d4", reveal="Scout")
    first = answer(state)
    assert first.told(Attacked)[0].to == "e4"
    left = changed(first.state, stacks=tuple(s for s in first.state.stacks if s.card != NAMES["Archer"]))
    again = answer(changed(left, mover=AUTOMATON, revealed=NAMES["Scout"], agenda=()))
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


@pytest.mark.clause("war-chest", "7.7.1", "7.4.skip")
def test_a_criterion_that_nothing_meets_is_skipped():
    """No location within the same distance is an enemy's: the second criterion sends nobody away."""
    why = answer(solo(ai="Scout f5", reveal="Scout")).told(Moved)[0].why[0]
    assert (why.narrowed, why.left) == ((1, 4), ("e4",))


@pytest.mark.clause("war-chest", "7.7.1")
def test_a_target_is_chosen_anew_before_each_move():
    first = answer(solo(ai="Scout c6", reveal="Scout"))
    assert first.told(Moved)[0].why[0].taken == "b4"
    taken = {**first.state.control, "b4": AUTOMATON}
    again = answer(changed(first.state, control=taken, mover=AUTOMATON, revealed=NAMES["Scout"]))
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


@pytest.mark.clause("war-chest", "7.7.out")
def test_locations_under_own_units_are_no_targets():
    state = solo(ai="Scout d5, Knight e4", reveal="Scout")
    (moved,) = answer(state).told(Moved) or [None]
    assert moved is not None
    assert moved.why[0].taken in ("b4", "c3")


@pytest.mark.clause("war-chest", "7.7.own")
def test_the_units_own_hex_counts_as_empty_while_steps_are_compared():
    """From c2 the way to f2 leads back over d2, which the Scout is leaving; c1 has a way of its own."""
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
