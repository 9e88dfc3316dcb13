"""The sixteen units with their tactics, attributes and restrictions."""

import pytest

from games.record import replace_fields
from games.war_chest.components import ROYAL_COIN
from games.war_chest.events import Attacked, Drew, Idle, Lost, Paid, Recruited
from games.war_chest.model import GOLD, SILVER, UseDrawn
from tests.games.war_chest.table import RULES, coins, duel, order, play, refusal, total


@pytest.mark.clause("war-chest", "6.archer")
def test_the_archer_shoots_two_hexes_over_anything():
    state = duel(gold="Archer d4, Scout d5", silver="Knight d6 x2, Ensign e5, Cavalry e4", hand="Archer")
    assert play(state, "Archer attacks e5").at("e5") == ""
    assert refusal(state, "Archer attacks e4") == "no-normal-attack"
    over = play(duel(gold="Archer d4, Scout d5", silver="Ensign d6", hand="Archer"), "Archer attacks d6")
    assert over.at("d6") == ""
    aside = play(duel(gold="Archer d4", silver="Ensign e5", hand="Archer"), "Archer attacks Ensign")
    assert aside.at("e5") == ""
    assert (
        refusal(
            duel(gold="Archer d4, Marshall d3", silver="Scout d5", hand="Marshall"),
            "Marshall orders Archer attacks d5",
        )
        == "no-normal-attack"
    )


@pytest.mark.clause("war-chest", "6.berserker")
def test_the_berserker_pays_coins_for_maneuvers():
    state = duel(gold="Berserker d3 x3", silver="Scout d5", hand="Berserker")
    after = play(state, "Berserker - d4, then attacks d5, then - d5")
    assert after.at("d5") == "gold Berserker"
    assert [event.left for event in after.told(Paid)] == [2, 1]
    assert after.state.sides[GOLD].face_up == ("berserker",) * 3
    assert total(after.state) == total(state)
    assert refusal(state, "Berserker - d4, then - d3, then - d4, then - d3") == "last-coin"
    assert refusal(duel(gold="Berserker d3", hand="Berserker"), "Berserker - d4, then - d5") == "last-coin"


@pytest.mark.clause("war-chest", "6.berserker", "6.knight")
def test_the_berserkers_coin_is_paid_before_the_knight_is_attacked():
    state = duel(gold="Berserker d3 x2", silver="Knight d5", hand="Berserker")
    assert refusal(state, "Berserker - d4, then attacks d5") == "knight"
    state = duel(gold="Berserker d3 x3", silver="Knight d5", hand="Berserker")
    assert play(state, "Berserker - d4, then attacks d5").at("d5") == ""


@pytest.mark.clause("war-chest", "6.cavalry")
def test_the_cavalry_moves_and_attacks():
    state = duel(gold="Cavalry d3", silver="Scout d5", hand="Cavalry")
    after = play(state, "Cavalry - d4, then attacks d5")
    assert (after.at("d4"), after.at("d5")) == ("gold Cavalry", "")
    assert refusal(state, "Cavalry - c3, then attacks d5") == "too-far"
    assert refusal(state, "Cavalry attacks d5") == "too-far"
    assert (
        refusal(duel(gold="Cavalry d4", silver="Scout d5", hand="Cavalry"), "Cavalry attacks d5, then - d3")
        == "too-much"
    )


@pytest.mark.clause("war-chest", "6.crossbowman")
def test_the_crossbowman_shoots_in_a_straight_line():
    state = duel(gold="Crossbowman d4", silver="Scout d6, Ensign e5", hand="Crossbowman")
    assert play(state, "Crossbowman attacks d6").at("d6") == ""
    assert (
        refusal(duel(gold="Crossbowman d4", silver="Ensign e5", hand="Crossbowman"), "Crossbowman attacks e5")
        == "no-straight-line"
    )
    blocked = duel(gold="Crossbowman d4, Archer d5", silver="Scout d6", hand="Crossbowman")
    assert refusal(blocked, "Crossbowman attacks d6") == "line-blocked"
    near = duel(gold="Crossbowman d4", silver="Scout d5", hand="Crossbowman")
    assert play(near, "Crossbowman attacks d5").at("d5") == ""


@pytest.mark.clause("war-chest", "6.ensign", "5.granted")
def test_the_ensign_moves_another_unit_near_it():
    state = duel(gold="Ensign d4, Scout d6, Archer a1", silver="Knight b1", hand="Ensign")
    assert play(state, "Ensign orders Scout - d5").at("d5") == "gold Scout"
    assert refusal(state, "Ensign orders Scout - d7") == "out-of-earshot"
    assert refusal(state, "Ensign orders Archer - b2") == "out-of-earshot"
    assert refusal(state, "Ensign orders Scout attacks d5") == "not-what-it-grants"
    assert refusal(state, "Ensign orders Knight - b2") == "not-on-board"
    assert play(state, "Ensign - d5").at("d5") == "gold Ensign"


@pytest.mark.clause("war-chest", "6.ensign", "5.granted")
def test_no_tactic_is_granted():
    state = duel(gold="Ensign d4, Light Cavalry d5, Scout c4", silver="Knight b4", hand="Ensign, Scout")
    assert refusal(state, "Ensign orders Light Cavalry - d5, then - d6") != ""
    assert refusal(state, "Ensign orders Light Cavalry - d6, then - d5") == "too-much"
    assert refusal(state, "Scout orders Ensign - d3") == "leads-nobody"


@pytest.mark.clause("war-chest", "6.footman")
def test_two_footmen_stand_on_the_board_and_act_together():
    state = duel(gold="Footman d4", silver="Scout d6", hand="Footman, Footman")
    two = play(state, "deploy Footman e1").state
    assert len(two.units(GOLD)) == 2
    two = replace_fields(two, mover=GOLD)
    after = play(two, "Footman d4 - d5, and Footman e1 - e2")
    assert (after.at("d5"), after.at("e2")) == ("gold Footman", "gold Footman")
    third = duel(gold="Footman d4, Footman d5", hand="Footman")
    assert refusal(third, "deploy Footman e1") == "on-board-already"
    assert refusal(third, "Footman - d3") == "which-one"
    assert refusal(third, "bolster Footman") == "which-one"
    assert play(third, "bolster Footman d5").at("d5") == "gold Footman x2"
    assert refusal(third, "Footman d4 - d3, and Footman d3 - d2") == "not-there"
    assert refusal(third, "Footman d6 - d7") == "not-there"


@pytest.mark.clause("war-chest", "6.footman")
def test_footmen_act_in_any_order_and_of_any_kind():
    state = duel(gold="Footman d4, Footman e4", silver="Scout d5", hand="Footman")
    after = play(state, "Footman e4 controls, and Footman d4 attacks d5")
    assert after.state.control["e4"] == GOLD
    assert after.at("d5") == ""
    after = play(state, "Footman e4 - e5, and Footman d4 - e4")
    assert after.at("e4") == "gold Footman"
    assert refusal(state, "Footman d4 - e4, and Footman e4 - e5") == "hex-occupied"


@pytest.mark.clause("war-chest", "6.knight")
def test_only_a_bolstered_unit_attacks_the_knight():
    for unit, at in (("Scout", "d5"), ("Crossbowman", "d6"), ("Archer", "d6")):
        state = duel(gold=f"{unit} d4", silver=f"Knight {at}", hand=unit)
        assert refusal(state, f"{unit} attacks {at}") == "knight"
        state = duel(gold=f"{unit} d4 x2", silver=f"Knight {at}", hand=unit)
        assert play(state, f"{unit} attacks {at}").at(at) == ""


@pytest.mark.clause("war-chest", "6.knight", "6.pikeman")
def test_pikes_hurt_the_knight_all_the_same():
    after = play(duel(gold="Knight d4", silver="Pikeman d5", hand="Knight"), "Knight attacks d5")
    assert (after.at("d4"), after.at("d5")) == ("", "")


@pytest.mark.clause("war-chest", "6.lancer")
def test_the_lancer_charges_straight_ahead():
    state = duel(gold="Lancer d2", silver="Scout d5, Ensign e3", hand="Lancer")
    assert play(state, "Lancer - d4, then attacks d5").at("d5") == ""
    assert play(state, "Lancer - d3, then - d4, then attacks d5").at("d4") == "gold Lancer"
    one = play(duel(gold="Lancer d2", silver="Scout d4", hand="Lancer"), "Lancer - d3, then attacks Scout")
    assert (one.at("d3"), one.at("d4")) == ("gold Lancer", "")
    assert refusal(state, "Lancer - d3, then attacks e3") == "not-straight-ahead"
    assert refusal(state, "Lancer - e3, then attacks d5") != ""
    assert (
        refusal(duel(gold="Lancer d4", silver="Scout d5", hand="Lancer"), "Lancer attacks d5")
        == "no-normal-attack"
    )
    assert play(state, "Lancer - d3").at("d3") == "gold Lancer"


@pytest.mark.clause("war-chest", "6.lancer")
def test_the_lancers_way_must_be_free():
    state = duel(gold="Lancer d2, Archer d3", silver="Scout d5", hand="Lancer")
    assert refusal(state, "Lancer - d4, then attacks d5") == "hex-occupied"
    assert (
        refusal(
            duel(gold="Lancer d2", silver="Scout f3", hand="Lancer"),
            "Lancer - e3, then - e4, then attacks f3",
        )
        == "no-straight-line"
    )
    assert (
        refusal(duel(gold="Lancer d1", silver="Scout d5", hand="Lancer"), "Lancer - d4, then attacks d5")
        == "no-straight-line"
    )


@pytest.mark.clause("war-chest", "6.light_cavalry")
def test_the_light_cavalry_makes_two_steps():
    state = duel(gold="Light Cavalry d4", hand="Light Cavalry")
    assert play(state, "Light Cavalry - d5, then - e5").at("e5") == "gold Light Cavalry"
    assert play(state, "Light Cavalry - d6").at("d6") == "gold Light Cavalry"
    assert play(state, "Light Cavalry - d5, then - d4").at("d4") == "gold Light Cavalry"
    assert play(state, "Light Cavalry - d5").at("d5") == "gold Light Cavalry"
    assert refusal(state, "Light Cavalry - d7") == "too-far"


@pytest.mark.clause("war-chest", "6.marshall", "5.granted")
def test_the_marshall_lets_another_unit_attack():
    state = duel(gold="Marshall d4, Scout d6, Lancer c4", silver="Ensign d7, Knight b4", hand="Marshall")
    assert play(state, "Marshall orders Scout attacks d7").at("d7") == ""
    assert refusal(state, "Marshall orders Lancer attacks b4") == "no-normal-attack"
    assert refusal(state, "Marshall orders Scout - d5") == "not-what-it-grants"
    far = duel(gold="Marshall d3, Scout d6", silver="Ensign d7", hand="Marshall")
    assert refusal(far, "Marshall orders Scout attacks d7") == "out-of-earshot"
    shot = duel(gold="Marshall d3, Crossbowman d4", silver="Ensign d6", hand="Marshall")
    assert refusal(shot, "Marshall orders Crossbowman attacks d6") == "too-far"


@pytest.mark.clause("war-chest", "5.attributes", "6.swordsman", "6.berserker")
def test_attributes_work_after_granted_maneuvers():
    state = duel(gold="Marshall d3, Swordsman d4", silver="Ensign d5", hand="Marshall")
    after = play(state, "Marshall orders Swordsman attacks d5, then - d5")
    assert after.at("d5") == "gold Swordsman"
    state = duel(gold="Ensign d3, Berserker d4 x2", hand="Ensign")
    assert play(state, "Ensign orders Berserker - d5, then - d6").at("d6") == "gold Berserker"


@pytest.mark.clause("war-chest", "6.mercenary")
def test_a_mercenary_acts_when_it_is_recruited():
    state = duel(gold="Mercenary d4", silver="Scout d5", hand="Royal Coin")
    after = play(state, "recruit Mercenary with Royal Coin, then Mercenary attacks d5")
    assert after.at("d5") == ""
    assert after.told(Recruited)
    assert play(state, "recruit Mercenary with Royal Coin").at("d5") == "silver Scout"
    assert (
        refusal(
            duel(gold="Mercenary d4, Archer d3", hand="Royal Coin"),
            "recruit Archer with Royal Coin, then Mercenary - d5",
        )
        == "no-follow-up"
    )
    off = duel(gold="Archer d4", hand="Mercenary, Royal Coin")
    assert refusal(off, "recruit Mercenary with Royal Coin, then Mercenary - d5") == "not-on-board"


@pytest.mark.clause("war-chest", "6.pikeman", "5.attributes")
def test_pikes_cost_an_attacker_next_to_them_a_coin():
    state = duel(gold="Swordsman d4", silver="Pikeman d5 x2", hand="Swordsman")
    after = play(state, "Swordsman attacks d5")
    assert (after.at("d4"), after.at("d5")) == ("", "silver Pikeman")
    assert after.told(Attacked)[0].riposte == 0
    assert after.state.sides[GOLD].removed["swordsman"] == 1
    assert refusal(state, "Swordsman attacks d5, then - d3") == "will-be-lost"
    far = play(duel(gold="Archer d4", silver="Pikeman d6", hand="Archer"), "Archer attacks d6")
    assert (far.at("d4"), far.at("d6")) == ("gold Archer", "")


@pytest.mark.clause("war-chest", "6.pikeman")
def test_pikes_against_pikes_go_no_further():
    state = duel(gold="Pikeman d4 x2", silver="Scout d5", hand="Pikeman")
    assert play(state, "Pikeman attacks d5").at("d4") == "gold Pikeman x2"
    state = duel(gold="Knight d4 x3", silver="Pikeman d5 x3", hand="Knight")
    after = play(state, "Knight attacks d5")
    assert (after.at("d4"), after.at("d5")) == ("gold Knight x2", "silver Pikeman x2")


def guard(choice: str, supply: int = 3):
    state = duel(gold="Swordsman d4", silver="Royal Guard d5", hand="Swordsman", royal_guard=choice)
    side = replace_fields(state.sides[SILVER], supply={"royal_guard": supply})
    return state.with_side(SILVER, side)


@pytest.mark.clause("war-chest", "6.royal_guard")
def test_the_owner_of_a_royal_guard_is_asked_what_it_loses():
    state = guard("ask")
    asked = play(state, "Swordsman attacks d5")
    assert asked.told(Attacked)[0].source is None
    (due,) = RULES.due(asked.state)
    assert (due.seat, due.kind) == (SILVER, "the Royal Guard's loss")
    kept = play(asked.state, "lose a coin of the supply")
    assert kept.at("d5") == "silver Royal Guard"
    assert kept.state.sides[SILVER].supply == {"royal_guard": 2}
    assert kept.told(Lost)[0].source == "supply"
    gone = play(asked.state, "lose a coin of the stack")
    assert gone.at("d5") == ""
    assert total(kept.state) == total(gone.state) == total(state)
    assert RULES.due(gone.state)[0].seat == SILVER


@pytest.mark.clause("war-chest", "6.royal_guard", "V.silence")
def test_an_option_speaks_for_the_royal_guard():
    assert play(guard("stack"), "Swordsman attacks d5").at("d5") == ""
    saved = play(guard("supply"), "Swordsman attacks d5")
    assert saved.at("d5") == "silver Royal Guard"
    assert saved.state.sides[SILVER].removed["royal_guard"] == 1
    assert play(guard("supply", supply=0), "Swordsman attacks d5").at("d5") == ""
    asked = play(guard("ask"), "Swordsman attacks d5").state
    assert RULES.default(asked, RULES.due(asked)[0]) == (order("lose a coin of the stack"),)


@pytest.mark.clause("war-chest", "V.chain")
def test_what_the_royal_guard_made_impossible_is_left_out():
    """The Swordsman wanted the guard's hex, but the guard's owner lost a coin of the supply instead."""
    asked = play(guard("ask"), "Swordsman attacks d5, then - d5")
    after = play(asked.state, "lose a coin of the supply")
    assert after.at("d4") == "gold Swordsman"
    assert after.told(Idle) == [Idle(seat=GOLD, card="swordsman", code="hex-occupied")]
    after = play(asked.state, "lose a coin of the stack")
    assert after.at("d5") == "gold Swordsman"
    assert refusal(guard("supply"), "Swordsman attacks d5, then - d5") == "hex-occupied"


def test_the_guards_owner_is_asked_only_when_it_was_attacked():
    assert refusal(duel(gold="Royal Guard d4", hand="Royal Coin"), "lose a coin of the stack") == "not-asked"


@pytest.mark.clause("war-chest", "6.royal_march", "5.royal")
def test_the_royal_coin_moves_the_royal_guard_home():
    state = duel(gold="Royal Guard d1", hand="Royal Coin, Royal Guard")
    after = play(state, "Royal Guard marches to e1")
    assert after.at("e1") == "gold Royal Guard"
    assert after.state.sides[GOLD].face_up == (ROYAL_COIN,)
    two = duel(gold="Royal Guard d2", hand="Royal Coin")
    assert play(two, "Royal Guard marches to d1, then e1").at("e1") == "gold Royal Guard"
    assert play(two, "Royal Guard marches to b1").at("b1") == "gold Royal Guard"
    assert refusal(state, "Royal Guard marches to d2") == "not-your-location"
    assert refusal(two, "Royal Guard - e2") == "no-coin"
    assert refusal(duel(gold="Royal Guard d4", hand="Royal Coin"), "Royal Guard marches to e1") == "too-far"
    assert (
        refusal(duel(gold="Royal Guard d1, Scout e1", hand="Royal Coin"), "Royal Guard marches to e1")
        == "hex-occupied"
    )


@pytest.mark.clause("war-chest", "6.scout")
def test_the_scout_is_deployed_next_to_friends():
    state = duel(gold="Archer d4", silver="Ensign d5", hand="Scout, Archer")
    assert play(state, "deploy Scout d3").at("d3") == "gold Scout"
    assert play(state, "deploy Scout b1").at("b1") == "gold Scout"
    assert refusal(state, "deploy Scout d5") == "hex-occupied"
    assert refusal(state, "deploy Scout d6") == "not-yours-to-deploy"


@pytest.mark.clause("war-chest", "6.swordsman")
def test_the_swordsman_may_move_after_its_attack():
    state = duel(gold="Swordsman d4", silver="Scout d5", hand="Swordsman")
    assert play(state, "Swordsman attacks d5, then - d5").at("d5") == "gold Swordsman"
    assert play(state, "Swordsman attacks d5").at("d4") == "gold Swordsman"
    assert refusal(state, "Swordsman attacks d5, then attacks d5") == "only-a-move"
    assert refusal(state, "Swordsman - d3, then - d2") == "too-much"


def priest(
    *,
    bag: str = "Scout",
    face_up: str = "",
    silver: str = "Scout d5",
    at: str = "d4",
    hand: str = "Warrior Priest, Ensign",
):
    state = duel(gold=f"Warrior Priest {at}", silver=silver, hand=hand)
    side = replace_fields(state.sides[GOLD], bag=coins(bag), face_up=coins(face_up))
    return state.with_side(GOLD, side)


@pytest.mark.clause("war-chest", "6.warrior_priest")
def test_the_warrior_priest_brings_another_coin():
    after = play(priest(bag="Archer"), "Warrior Priest attacks d5")
    assert after.state.agenda == (UseDrawn(seat=GOLD),)
    assert after.state.sides[GOLD].drawn == "archer"
    assert RULES.view(after.state, SILVER).sides[GOLD].drawn == "?"
    (due,) = RULES.due(after.state)
    assert (due.seat, due.kind) == (GOLD, "the coin drawn")
    assert refusal(after.state, "pass with Ensign") == "no-coin"
    used = play(after.state, "deploy Archer e1")
    assert used.at("e1") == "gold Archer"
    assert used.state.sides[GOLD].hand == ("ensign",)
    assert RULES.due(used.state)[0].seat == SILVER
    assert play(after.state, "pass").state.sides[GOLD].face_down == ("archer",)


@pytest.mark.clause("war-chest", "6.warrior_priest")
def test_control_brings_a_coin_too_and_a_priest_that_fell_none():
    after = play(priest(at="e4"), "Warrior Priest controls")
    assert after.state.sides[GOLD].drawn == "scout"
    again = play(priest(at="e4", bag="Warrior Priest"), "Warrior Priest controls").state
    twice = play(again, "Warrior Priest - e5")
    assert twice.state.agenda == ()
    fallen = play(priest(silver="Pikeman d5"), "Warrior Priest attacks d5")
    assert fallen.state.sides[GOLD].drawn is None
    moved = play(priest(), "Warrior Priest - d3")
    assert moved.state.sides[GOLD].drawn is None


@pytest.mark.clause("war-chest", "6.priest_refill")
def test_the_coin_just_played_may_be_drawn_again():
    after = play(priest(bag="", face_up=""), "Warrior Priest attacks d5")
    assert after.state.sides[GOLD].drawn == "warrior_priest"
    assert Drew(seat=GOLD, count=1, refilled=True, priest=True) in after.events
    won = priest(at="e4")
    won = replace_fields(won, control={**won.control, "b4": GOLD, "c3": GOLD, "a2": GOLD})
    ended = play(won, "Warrior Priest controls")
    assert ended.state.winners == (GOLD,)
    assert ended.state.sides[GOLD].drawn is None


@pytest.mark.clause("war-chest", "5.attributes")
def test_a_granted_attack_of_the_priest_brings_a_coin():
    state = duel(gold="Marshall d3, Warrior Priest d4", silver="Scout d5", hand="Marshall")
    state = state.with_side(GOLD, replace_fields(state.sides[GOLD], bag=coins("Marshall")))
    after = play(state, "Marshall orders Warrior Priest attacks d5")
    assert after.state.sides[GOLD].drawn == "marshall"
