"""The base game: board, set-up, rounds, and the uses of a coin."""

import pytest

from games.dice import SealedDice
from games.record import replace_fields
from games.war_chest.board import AXIAL, CENTRE_HEX, HEXES, NEIGHBOURS, distance, hexes_between, next_in_line
from games.war_chest.components import ROYAL_COIN
from games.war_chest.events import Attacked, Controlled, Drew, Ended, Recruited, Refused, Round, Spent
from games.war_chest.model import GOLD, SILVER
from games.war_chest.owner_data import PRINTED
from tests.games.war_chest.table import (
    RULES,
    coins,
    dice,
    duel,
    options,
    order,
    play,
    refusal,
    total,
    with_coins,
)

KIND = "war-chest"


@pytest.mark.clause("war-chest", "2.board")
def test_the_board_has_37_hexes():
    assert len(HEXES) == 37
    assert all(distance(CENTRE_HEX, one) <= 3 for one in HEXES)
    assert [len(NEIGHBOURS[one]) for one in ("d4", "a1", "d7", "b1")] == [6, 3, 3, 4]
    assert (AXIAL["a1"], AXIAL["d4"], AXIAL["g4"], AXIAL["d7"]) == ((-3, 3), (0, 0), (3, -3), (0, -3))


def test_lines_are_the_six_directions():
    assert hexes_between("d4", "d6") == ("d5",)
    assert hexes_between("d4", "e5") is None
    assert hexes_between("d4", "d5") == ()
    assert hexes_between("a1", "g3") is None
    assert len(hexes_between("a1", "g4")) == 5
    assert next_in_line("d4", "d5") == "d6"
    assert next_in_line("d4", "d7") is None


@pytest.mark.clause("war-chest", "2.locations", "2.top", "3.1")
def test_ten_hexes_are_locations_two_of_them_each_sides():
    state = duel()
    assert len(PRINTED.locations) == 10
    assert CENTRE_HEX not in PRINTED.locations
    assert {AXIAL[one] for one in PRINTED.board.neutral} == {
        (3, -2),
        (-3, 2),
        (-2, 0),
        (2, 0),
        (1, -1),
        (-1, 1),
    }
    turned = {(-q, -r) for q, r in (AXIAL[one] for one in PRINTED.locations)}
    assert turned == {AXIAL[one] for one in PRINTED.locations}
    assert [state.markers(GOLD), state.markers(SILVER), PRINTED.board.markers] == [2, 2, 6]
    assert [AXIAL[one] for one in PRINTED.board.top] == [(-1, -2), (2, -3)]


def opened(seed: int = 1, **given: str):
    return RULES.setup(options(**given), SealedDice(b"secret", "base", seed)).state


@pytest.mark.clause("war-chest", "3.2", "3.4")
def test_two_persons_draft_from_eight_cards():
    """They pick 1, 2, 2, 2 and 1 cards. The second picker has the initiative and begins."""
    state = opened(opponent="human")
    first, second = state.picks[0][0], state.picks[1][0]
    assert [count for _, count in state.picks] == [1, 2, 2, 2, 1]
    assert [seat for seat, _ in state.picks] == [first, second, first, second, first]
    assert len(state.offer) == 8
    while state.picks:
        (due,) = RULES.due(state)
        assert (due.seat, due.takes) == state.picks[0]
        picks = [order(f"pick {PRINTED.units[card].name}") for card in state.offer[-due.takes :]]
        state = RULES.adjudicate(state, {due.seat: picks}, dice(state.number)).state
    assert [len(side.cards) for side in state.sides.values()] == [4, 4]
    assert not set(state.sides[GOLD].cards) & set(state.sides[SILVER].cards)
    assert state.mover == state.initiative == second


def test_who_picks_too_few_is_asked_for_the_rest():
    state = opened(opponent="human")
    state = RULES.adjudicate(
        state, {state.picks[0][0]: [order(f"pick {PRINTED.units[state.offer[0]].name}")]}, dice()
    ).state
    seat = state.picks[0][0]
    twice = [order(f"pick {PRINTED.units[state.offer[0]].name}")] * 2
    assert [one.code for one in RULES.concerns(state, seat, twice)] == ["picked-twice"]
    state = RULES.adjudicate(state, {seat: twice}, dice()).state
    assert state.picks[0] == (seat, 1)
    assert len(state.sides[seat].cards) == 1
    absent = next(card for card in PRINTED.units if card not in state.offer)
    assert refusal(state, f"pick {PRINTED.units[absent].name}") == "not-offered"
    assert refusal(state, "pass") == "draft-first"


@pytest.mark.clause("war-chest", "3.3", "3.2", "3.4")
def test_bags_and_supplies_are_filled():
    """A bag has two coins of each card and a Royal Coin. A line-up has the sides of the rulebook."""
    state = opened(opponent="human", units="crecy")
    gold = state.sides[GOLD]
    assert gold.cards == ("archer", "ensign", "knight", "royal_guard")
    assert len(gold.bag) + len(gold.hand) == 9
    assert sorted((*gold.bag, *gold.hand)).count(ROYAL_COIN) == 1
    assert gold.supply == {"archer": 2, "ensign": 3, "knight": 2, "royal_guard": 3}
    assert sum(unit.coins for unit in PRINTED.units.values()) == 74
    assert {opened(seed, opponent="human", units="crecy").initiative for seed in range(9)} == {GOLD, SILVER}


def test_cards_at_random_are_different_for_both():
    state = opened(opponent="human", units="random")
    assert len({*state.sides[GOLD].cards, *state.sides[SILVER].cards}) == 8


@pytest.mark.clause("war-chest", "4.draw", "4.alternate")
def test_a_round_is_three_coins_each_in_turn():
    state = opened(opponent="human", units="crecy")
    first = state.mover
    asked = []
    for _ in range(6):
        (due,) = RULES.due(state)
        asked.append(due.seat)
        after = play(state, f"pass with {_name(state.sides[due.seat].hand[0])}")
        state = after.state
    assert asked == [first, state.other(first)] * 3
    assert after.told(Round) == [Round(first=first)]
    assert [len(side.hand) for side in state.sides.values()] == [3, 3]


def _name(coin):
    return PRINTED.units[coin].name if coin in PRINTED.units else "Royal Coin"


@pytest.mark.clause("war-chest", "4.alternate")
def test_who_has_coins_left_plays_on_alone():
    state = duel(gold="Archer d4", hand="Archer, Royal Coin")
    state = state.with_side(SILVER, replace_fields(state.sides[SILVER], hand=()))
    state = play(state, "pass with Archer").state
    assert state.mover == GOLD
    assert state.sides[GOLD].hand == (ROYAL_COIN,)


@pytest.mark.clause("war-chest", "4.refill")
def test_the_discard_pile_goes_into_the_bag_while_drawing():
    state = duel(hand="Royal Coin")
    silver = replace_fields(state.sides[SILVER], hand=())
    gold = replace_fields(
        state.sides[GOLD],
        cards=("archer",),
        bag=coins("Archer"),
        face_up=coins("Archer"),
        face_down=coins("Archer"),
    )
    state = state.with_side(SILVER, silver).with_side(GOLD, gold)
    after = play(state, "pass with Royal Coin")
    side = after.state.sides[GOLD]
    assert "archer" in side.hand
    assert len(side.hand) == 3
    assert len(side.bag) == 1
    assert (side.face_up, side.face_down) == ((), ())
    assert Drew(seat=GOLD, count=3, refilled=True) in after.events


@pytest.mark.clause("war-chest", "4.win", "4.marker")
def test_the_sixth_marker_wins_at_once():
    state = duel(gold="Scout f5", hand="Scout", control="gold e4, gold b4, gold c3")
    after = play(state, "Scout controls")
    assert after.events[-1] == Ended(winners=(GOLD,), reason="markers")
    assert after.state.markers(SILVER) == 1
    assert RULES.result(after.state).winners == (GOLD,)
    assert RULES.due(after.state) == ()


@pytest.mark.clause("war-chest", "4.marker")
def test_five_markers_do_not_win():
    state = duel(gold="Scout f5", hand="Scout", control="gold e4, gold b4")
    after = play(state, "Scout controls")
    assert RULES.result(after.state) is None
    assert after.told(Controlled)[0].was == SILVER
    assert after.told(Controlled)[0].markers == 5


@pytest.mark.clause("war-chest", "4.hidden")
def test_hand_bag_and_face_down_coins_are_hidden():
    state = duel(gold="Archer d4", hand="Archer, Scout")
    state = state.with_side(
        GOLD, replace_fields(state.sides[GOLD], bag=coins("Archer"), face_down=coins("Scout"))
    )
    for viewer in (SILVER, None):
        seen = RULES.view(state, viewer).sides[GOLD]
        assert {*seen.hand, *seen.bag, *seen.face_down} == {"?"}
        assert [len(seen.hand), len(seen.bag), len(seen.face_down)] == [2, 1, 1]
        assert seen.supply == state.sides[GOLD].supply
    assert RULES.view(state, GOLD).sides[GOLD] == state.sides[GOLD]


@pytest.mark.clause("war-chest", "5.coin", "5.pass")
def test_a_coin_passed_with_is_discarded_face_down():
    after = play(duel(gold="Archer d4", hand="Archer"), "pass with Archer")
    assert after.state.sides[GOLD].face_down == ("archer",)
    assert after.told(Spent) == [Spent(seat=GOLD, coin="archer", seen_by=frozenset({GOLD}))]


@pytest.mark.clause("war-chest", "5.coin", "5.move")
def test_a_move_is_one_step_to_an_empty_hex_paid_face_up():
    state = duel(gold="Scout d4 x2, Archer d5", silver="Knight e4", hand="Scout")
    after = play(state, "Scout - d3")
    assert after.at("d3") == "gold Scout x2"
    assert after.at("d4") == ""
    assert after.state.sides[GOLD].face_up == ("scout",)
    assert refusal(state, "Scout - d2") == "too-far"
    assert refusal(state, "Scout - d5") == "hex-occupied"
    assert refusal(state, "Scout - e4") == "hex-occupied"


@pytest.mark.clause("war-chest", "5.match")
def test_only_coins_of_its_type_order_a_unit_about():
    state = duel(gold="Scout d4, Archer d5", hand="Scout, Royal Coin")
    assert refusal(state, "Archer - d6") == "no-coin"
    assert refusal(state, "bolster Archer") == "no-coin"
    assert refusal(state, "deploy Knight b1") == "no-coin"
    assert refusal(duel(gold="Archer d5", hand="Scout"), "Scout - d4") == "not-on-board"


@pytest.mark.clause("war-chest", "5.deploy", "5.coin")
def test_a_unit_is_deployed_on_an_own_empty_location():
    state = duel(gold="Archer e1", hand="Knight, Archer")
    after = play(state, "deploy Knight b1")
    assert after.at("b1") == "gold Knight"
    assert "knight" not in after.state.sides[GOLD].face_up
    assert refusal(state, "deploy Knight e1") == "hex-occupied"
    assert refusal(state, "deploy Knight c3") == "not-yours-to-deploy"
    assert refusal(state, "deploy Knight f5") == "not-yours-to-deploy"
    assert refusal(state, "deploy Archer b1") == "on-board-already"


@pytest.mark.clause("war-chest", "5.deploy")
def test_a_destroyed_unit_comes_again():
    state = with_coins(duel(gold="Pikeman d2", silver="Scout d3", hand="Pikeman, Pikeman"), GOLD)
    after = play(state, "Pikeman attacks d3")
    assert after.at("d3") == ""
    assert after.state.sides[SILVER].removed == {"scout": 1}
    lost = replace_fields(after.state, stacks=(), mover=GOLD)
    assert refusal(lost, "deploy Pikeman b1") == ""


@pytest.mark.clause("war-chest", "5.bolster", "5.coin")
def test_a_coin_is_added_without_limit():
    after = play(duel(gold="Scout d4 x4", hand="Scout"), "bolster Scout")
    assert after.at("d4") == "gold Scout x5"
    assert after.state.sides[GOLD].face_up == ()


@pytest.mark.clause("war-chest", "5.claim")
def test_the_initiative_is_claimed_once_in_a_round():
    state = replace_fields(duel(gold="Scout d4", hand="Scout, Scout"), initiative=SILVER)
    after = play(state, "claim initiative with Scout")
    assert after.state.initiative == GOLD
    assert after.state.sides[GOLD].face_down == ("scout",)
    assert refusal(after.state, "claim initiative with Royal Coin") == "claimed-already"
    assert refusal(duel(gold="Scout d4", hand="Scout"), "claim initiative with Scout") == "initiative-yours"
    ended = play(after.state, "pass with Royal Coin").state
    ended = play(ended, "pass with Scout")
    assert ended.told(Round) == [Round(first=GOLD)]
    assert ended.state.claimed is False


@pytest.mark.clause("war-chest", "5.recruit", "5.coin")
def test_any_coin_recruits_any_coin_of_the_supply():
    state = duel(gold="Scout d4, Archer d5", hand="Scout")
    after = play(state, "recruit Archer with Scout")
    side = after.state.sides[GOLD]
    assert (side.face_up, side.face_down) == (("archer",), ("scout",))
    assert side.supply["archer"] == state.sides[GOLD].supply["archer"] - 1
    assert after.told(Recruited) == [Recruited(seat=GOLD, card="archer")]
    bare = with_coins(state, GOLD, supply={"archer": 0, "scout": 1})
    assert refusal(bare, "recruit Archer with Scout") == "supply-empty"
    assert refusal(state, "recruit Knight with Scout") == "supply-empty"


@pytest.mark.clause("war-chest", "5.control", "4.marker")
def test_control_takes_a_location_from_nobody_or_the_opponent():
    after = play(duel(gold="Scout e4", hand="Scout"), "Scout controls")
    assert after.state.control["e4"] == GOLD
    after = play(duel(gold="Scout f5", hand="Scout"), "Scout controls")
    assert after.state.control["f5"] == GOLD
    assert refusal(duel(gold="Scout e1", hand="Scout"), "Scout controls") == "yours-already"
    assert refusal(duel(gold="Scout d4", hand="Scout"), "Scout controls") == "no-location"
    assert refusal(duel(gold="Scout e4", hand="Scout"), "Scout controls f5") == "stands-elsewhere"


@pytest.mark.clause("war-chest", "5.attack")
def test_an_attack_removes_one_coin_for_good():
    state = duel(gold="Scout d4", silver="Ensign d5 x2", hand="Scout, Scout")
    after = play(state, "Scout attacks d5")
    assert after.at("d5") == "silver Ensign"
    assert after.at("d4") == "gold Scout"
    assert after.state.sides[SILVER].removed == {"ensign": 1}
    assert after.told(Attacked)[0].left == 1
    after = play(replace_fields(after.state, mover=GOLD), "Scout attacks Ensign")
    assert after.at("d5") == ""
    assert after.state.sides[SILVER].removed == {"ensign": 2}


@pytest.mark.clause("war-chest", "5.attack")
def test_only_enemies_next_to_a_unit_are_attacked():
    state = duel(gold="Scout d4, Knight d3", silver="Ensign d6", hand="Scout")
    assert refusal(state, "Scout attacks d6") == "too-far"
    assert refusal(state, "Scout attacks d3") == "no-target"
    assert refusal(state, "Scout attacks d5") == "no-target"
    assert refusal(state, "Scout attacks Archer") == "no-target"


@pytest.mark.clause("war-chest", "5.tactic", "5.coin")
def test_a_tactic_is_paid_with_its_cards_coin():
    after = play(duel(gold="Light Cavalry d4", hand="Light Cavalry"), "Light Cavalry - d5, then - e5")
    assert after.at("e5") == "gold Light Cavalry"
    assert after.state.sides[GOLD].face_up == ("light_cavalry",)
    assert refusal(duel(gold="Scout d4", hand="Scout"), "Scout - d5, then - e5") == "too-much"


@pytest.mark.clause("war-chest", "5.royal")
def test_the_royal_coin_is_played_face_down():
    state = duel(gold="Scout d4", hand="Royal Coin")
    assert play(state, "recruit Scout with Royal Coin").state.sides[GOLD].face_down == (ROYAL_COIN,)
    assert refusal(state, "Scout - d5") == "no-coin"
    assert refusal(state, "bolster Scout") == "no-coin"
    assert refusal(state, "Scout marches to e1") == "royal-coin"
    state = replace_fields(state, initiative=SILVER)
    assert play(state, "claim initiative with Royal Coin").state.initiative == GOLD


@pytest.mark.clause("war-chest", "V.coin")
def test_a_coin_that_is_not_named_is_the_royal_one_or_the_only_kind():
    assert play(duel(hand="Scout, Royal Coin"), "pass").state.sides[GOLD].face_down == (ROYAL_COIN,)
    assert play(duel(hand="Scout, Scout"), "pass").state.sides[GOLD].face_down == ("scout",)
    assert refusal(duel(hand="Scout, Archer"), "pass") == "which-coin"


@pytest.mark.clause("war-chest", "V.silence")
def test_who_is_silent_passes():
    state = duel(gold="Royal Guard e1", hand="Scout, Royal Coin")
    (due,) = RULES.due(state)
    assert RULES.default(state, due) == (order("pass with Royal Coin"),)
    state = duel(hand="Scout")
    assert RULES.default(state, RULES.due(state)[0]) == (order("pass with Scout"),)
    draft = opened(opponent="human")
    (due,) = RULES.due(draft)
    assert [one.card for one in RULES.default(draft, due)] == [draft.offer[0]]


@pytest.mark.clause("war-chest", "V.refused")
def test_an_impossible_order_is_told_and_its_coin_passed_with():
    state = duel(gold="Scout d4", hand="Scout, Royal Coin")
    outcome = RULES.adjudicate(state, {GOLD: [order("Scout - d7")]}, dice())
    assert [type(event).__name__ for event in outcome.events] == ["Refused", "Spent", "Passed"]
    refused = outcome.events[0]
    assert isinstance(refused, Refused)
    assert refused.code == "too-far"
    assert outcome.state.sides[GOLD].face_down == (ROYAL_COIN,)


@pytest.mark.clause("war-chest", "5.path")
def test_longer_ways_lead_through_empty_hexes():
    state = duel(gold="Light Cavalry d4, Scout d5", silver="Knight e4", hand="Light Cavalry")
    assert refusal(state, "Light Cavalry - d5, then - d6") == "hex-occupied"
    assert refusal(state, "Light Cavalry - d6") == "no-way"
    assert play(state, "Light Cavalry - c5").at("c5") == "gold Light Cavalry"


@pytest.mark.clause("war-chest", "8.draw")
def test_a_game_of_400_turns_is_a_draw():
    state = duel(hand="Royal Coin, Scout")
    state = state.with_side(GOLD, replace_fields(state.sides[GOLD], turns=398))
    after = play(state, "pass with Royal Coin")
    assert RULES.result(after.state) is None
    after = play(play(after.state, "pass with Royal Coin").state, "pass with Scout")
    assert after.events[-1] == Ended(winners=(), reason="turns")
    assert RULES.result(after.state).winners == ()


def test_no_coin_is_lost_in_a_capture():
    state = duel(gold="Scout d4", silver="Ensign d5 x2", hand="Scout")
    assert total(play(state, "Scout attacks d5").state) == total(state)
