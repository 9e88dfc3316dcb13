"""The game against the automaton: set-up, its turn, and its decision list."""

import pytest

from games.dice import SealedDice
from games.record import replace_fields
from games.war_chest import automaton as mind
from games.war_chest.components import ROYAL_COIN
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
from games.war_chest.model import AUTOMATON, PLAYER, Again, Recruit
from games.war_chest.owner_data import PRINTED
from games.war_chest.sequence import rally, skip_idle_decisions
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
    royal,
    solo,
    with_coins,
)


def opened(seed: int = 1, **given: str):
    return RULES.setup(options(**given), SealedDice(b"secret", "solo", seed)).state


# Set-up: clause 7.1.


@pytest.mark.clause("war-chest", "7.1.1", "7.1.2")
def test_the_automaton_has_four_cards_of_its_deck_and_six_others_are_shown():
    state = opened()
    theirs = state.sides[AUTOMATON].cards
    assert len(set(theirs)) == 4
    assert set(theirs) <= set(PRINTED.deck)
    assert len(PRINTED.deck) == 7
    assert len(state.offer) == 6
    assert not set(state.offer) & set(theirs)
    assert {card for seed in range(40) for card in opened(seed).offer} == set(PRINTED.units)
    picks = [order(f"pick {PRINTED.units[card].name}") for card in state.offer[:4]]
    after = RULES.adjudicate(state, {PLAYER: picks}, dice()).state
    side, ours = after.sides[AUTOMATON], after.sides[PLAYER]
    assert ours.cards == state.offer[:4]
    assert len(ours.bag) == 9
    assert [(*side.bag, after.revealed).count(card) for card in theirs] == [2] * 4
    assert side.supply == {card: PRINTED.units[card].coins - 2 for card in theirs}


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
        assert (*state.sides[AUTOMATON].bag, state.revealed).count(ROYAL_COIN) == count
        tuned = opened(units="random", level=level, ladder="tuned")
        assert ROYAL_COIN not in (*tuned.sides[AUTOMATON].bag, tuned.revealed)
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
        PLAYER, replace_fields(state.sides[PLAYER], bag=coins("Archer, Archer, Knight, Royal Coin"))
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


@pytest.mark.clause("war-chest", "7.3.1", "7.9")
def test_a_royal_coin_recruits_one_coin_or_passes():
    after = answer(royal("Scout d4, Knight d5", "recruit"))
    assert [event.card for event in after.told(Recruited)] == ["scout"]
    assert after.state.sides[AUTOMATON].face_up == ("scout", ROYAL_COIN)
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
    assert state.sides[AUTOMATON].face_up == (ROYAL_COIN,)
    bare = answer(royal("", "maneuver_all", cards=(NAMES["Scout"],), supply=counts("Scout 3")))
    assert bare.told(Recruited)


@pytest.mark.clause("war-chest", "7.3.order", "7.6.loss")
def test_a_unit_that_fell_on_the_way_is_left_out():
    state = royal("Swordsman d4", "maneuver_all", player="Pikeman d3")
    state = replace_fields(state, agenda=(*state.agenda, Again(seat=AUTOMATON, card=NAMES["Swordsman"])))
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
    assert [type(a.order).__name__ for a in mind.automaton_answers(stuck)] == ["Maneuver"]
    idle = solo(
        ai="Scout d7",
        player="Knight d6, Knight c6, Knight e6",
        reveal="Royal Coin",
        royal_mode="maneuver_all",
    )
    state, told = skip_idle_decisions(rally(idle))
    assert [event.code for event in told] == ["no-way"]
    assert state.agenda == ()


@pytest.mark.clause("war-chest", "7.3.2", "7.3.3")
def test_a_unit_that_is_not_on_the_board_is_deployed_if_it_can_be():
    assert answer(solo(reveal="Swordsman")).told(Deployed)
    full = solo(ai="Scout c6, Knight f5", reveal="Swordsman")
    assert {type(one.order) for one in mind.automaton_answers(full)} == {Recruit}
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
    assert {type(one.order) for one in mind.automaton_answers(shut_in)} == {Recruit}
    after = answer(shut_in)
    assert after.told(Moved) == []
    assert after.told(Recruited)
    assert "scout" in after.state.sides[AUTOMATON].face_up


def test_what_the_list_does_not_allow_is_told_and_the_list_followed():
    """Also for a player in the automaton's seat."""
    state = solo(ai="Scout d4", reveal="Scout")
    assert refusal(state, "Scout - d5") == "not-on-the-list"
    outcome = RULES.adjudicate(state, {AUTOMATON: [order("Scout - d5")]}, dice())
    assert isinstance(outcome.events[0], Refused)
    assert any(isinstance(event, Moved) for event in outcome.events)
