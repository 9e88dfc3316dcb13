"""The player's orders: lines of cards, standing orders, conditions, and the parts that are left out."""

import pytest

from games.great_war.components import book
from games.great_war.events import CardLaid, LeaderStopped, LeftOut, Peeked, Standing
from games.great_war.model import (
    AI,
    PLAYER,
    Blockade,
    BonusPlay,
    CardPlay,
    Draw,
    Exchange,
    GuardLeader,
    HandSplit,
    Lay,
    Length,
    StopEvent,
    Strike,
)
from games.protocol import Condition
from games.record import replace_fields
from orders.mail.body import FreshLine
from orders.reading.letter_reader import ParseContext, read_lines
from tests.games.great_war.front import GAME, NOTATION, RULES, dealt, field, order, play

HAND = "B-QS, B-KS, B-10H, B-AS, B-JH, B-4S, B-JK1, B07, B04, B08, B05"
FOE = "R-8C, R-7D, R-KH, R-10S"


def here(**fields):
    return field(**({"hand": HAND, "ai": FOE} | fields))


@pytest.mark.clause("great-war", "M.round")
@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ATTACK 1ST: B-QS + B-10H + B-KS", "ATTACK 1ST: B-QS + B-10H + B-KS"),
        ("attack first b-qs + b-10h > r-8c", "ATTACK 1ST: B-QS + B-10H > R-8C"),
        ("Attack round 1: B-QS + B-10H > best", "ATTACK 1ST: B-QS + B-10H > BEST"),
        ("PLAY 1ST: B-QS", "ATTACK 1ST: B-QS"),
        ("attack B-QS", "ATTACK 1ST: B-QS"),
        ("attack: + B-10H + B-KS", "ATTACK 1ST: + B-10H + B-KS"),
        (
            "ATTACK 2ND: B-JH LEADS B-QD, B-AS > R-10S + B-10H",
            "ATTACK 2ND: B-JH LEADS B-QD, B-AS > R-10S + B-10H",
        ),
        (
            "ATTACK 2ND: B-JH WITH B04 LEADS B-QS, B-AS, B-10C",
            "ATTACK 2ND: B-JH WITH B04 LEADS B-QS, B-AS, B-10C",
        ),
        ("attack 2nd: Foch leads Guynemer, British Infantry", "ATTACK 2ND: B-JH LEADS B-AS, B-QS"),
        ("PLAY 2ND: B-QS + B-JK1 AS WILD", "ATTACK 2ND: B-QS + B-JK1 AS WILD"),
        ("PASS 1ST", "PASS 1ST"),
        ("pass", "PASS 1ST"),
        ("CANCEL R-KH WITH B-JK1", "CANCEL R-KH WITH B-JK1 1ST"),
        ("CANCEL LEADER WITH B07, B-JK1", "CANCEL LEADER WITH B07, B-JK1"),
        ("cancel no leader", "CANCEL NO LEADER"),
        ("CANCEL EVENT WITH B05", "CANCEL EVENT WITH B05"),
        ("BONUS: B09", "BONUS: B09"),
        ("BONUS: B08 > R-KH", "BONUS: B08 > R-KH"),
        ("BONUS: NONE", "BONUS: NONE"),
        ("BONUS: B04 LEADS B-QS", "BONUS: B04 LEADS B-QS"),
        ("BONUS: B-JK1 AS WILD", "BONUS: B-JK1 AS WILD"),
        ("BLOCKADE: B-2S > R-QS", "BLOCKADE: B-2S > R-QS"),
        ("BLOCKADE: B-2S > R-QS, B-3S > BEST", "BLOCKADE: B-2S > R-QS, B-3S > BEST"),
        ("DRAW 4 NATIONALITY 4 NEUTRAL 1 BONUS", "DRAW 4/4/1"),
        ("DRAW 2/6/1", "DRAW 2/6/1"),
        ("EXCHANGE W10 FOR B-QD", "EXCHANGE W10 FOR B-QD"),
        ("EXCHANGE W06 FOR B-JS AND W08 FOR R-JS", "EXCHANGE W06 FOR B-JS AND W08 FOR R-JS"),
        ("TURNS 10", "TURNS 10"),
    ],
)
def test_every_way_to_write_an_order(text, written):
    """The canonical text reads as the same order."""
    state = here()
    assert NOTATION.write(order(state, text)) == written
    assert order(state, written) == order(state, text)


def test_what_some_orders_are():
    state = here()
    assert order(state, "ATTACK 2ND: B-JH WITH B04 LEADS B-QS, B-AS > BEST + B-10H") == Lay(
        role="attack",
        number=2,
        base=CardPlay(card="B-JH"),
        helper="B04",
        led=(CardPlay(card="B-QS"), CardPlay(card="B-AS", aims=("best",))),
        plus=(CardPlay(card="B-10H"),),
    )
    assert order(state, "CANCEL R-KH WITH B-JK1") == Strike(number=1, joker="B-JK1", aim="R-KH")
    assert order(state, "CANCEL LEADER WITH B07") == GuardLeader(cards=("B07",))
    assert order(state, "CANCEL EVENT WITH B05") == StopEvent(card="B05")
    assert order(state, "BONUS: NONE") == BonusPlay()
    assert order(state, "DRAW 3/5/1") == Draw(parts=HandSplit(neutral=3, nationality=5, bonus=1))
    assert order(state, "TURNS 5") == Length(turns=5)
    assert isinstance(order(state, "EXCHANGE W10 FOR B-QD"), Exchange)
    assert isinstance(order(state, "BLOCKADE: B-2S > BEST"), Blockade)
    assert order(field(number=2), "pass").number == 2


def letter(state, *lines):
    """Return the reading of an email's lines."""
    view = RULES.view(state, PLAYER)
    parse_context = ParseContext(
        commands=(),
        forms=NOTATION.forms,
        conditions=NOTATION.conditions,
        lexicon=NOTATION.lexicon(view),
        build=lambda form, slots: NOTATION.build(view, form, slots),
        write=NOTATION.write,
        turns=lambda: RULES.ahead(view),
        phrase=NOTATION.write_condition,
    )
    return read_lines([FreshLine(text=line) for line in lines], parse_context).orders


def test_a_name_that_two_cards_have_is_asked_back():
    """With its rank, the card is clear."""
    state = field(hand="R-10H, R-9H", nation="entente")
    assert [row.grade for row in letter(state, "ATTACK 1ST: Storm Troop")] == ["ambiguous"]
    (row,) = letter(state, "ATTACK 1ST: Storm Troop 9")
    assert (row.grade, row.said) == ("taken", "ATTACK 1ST: R-9H")


def test_a_misspelt_card_makes_no_order_of_the_rest():
    """No part of the line is in force."""
    rows = letter(here(), "ATTACK 1ST: B-QS + B-1OH + B-KS")
    assert rows
    assert not any(row.in_force for row in rows)


@pytest.mark.clause("great-war", "M.if")
def test_both_rounds_and_conditions_in_one_letter():
    rows = letter(
        here(),
        "ATTACK 1ST: B-QS + B-KS + B-10H",
        "IF MARGIN < -12 THEN",
        "  PASS 2ND",
        "ELSE IF AI PLAYED K_ARTILLERY OR B-QS CANCELLED THEN",
        "  ATTACK 2ND: B-AS > BEST",
        "ELSE",
        "  ATTACK 2ND: B-JH LEADS B-QD, B-10C",
        "ENDIF",
        "BONUS: B08 > BEST",
    )
    assert [(row.grade, row.said, row.when.text if row.when else None) for row in rows] == [
        ("taken", "ATTACK 1ST: B-QS + B-KS + B-10H", None),
        ("taken", "PASS 2ND", "IF MARGIN < -12"),
        ("taken", "ATTACK 2ND: B-AS > BEST", "ELSE IF AI PLAYED K_ARTILLERY OR B-QS CANCELLED"),
        ("taken", "ATTACK 2ND: B-JH LEADS B-QD, B-10C", "ELSE"),
        ("taken", "BONUS: B08 > BEST", None),
    ]


@pytest.mark.clause("great-war", "M.if")
@pytest.mark.parametrize(
    ("form", "slots", "true"),
    [
        ("margin", {"op": "<", "n": "5"}, True),
        ("margin", {"op": ">", "n": "4"}, False),
        ("margin", {"op": "=", "n": "1"}, True),
        ("margin", {"op": "<>", "n": "1"}, False),
        ("margin-minus", {"op": ">=", "n": "1"}, True),
        ("margin-minus", {"op": "<=", "n": "1"}, False),
        ("my-total", {"op": "=", "n": "13"}, True),
        ("ai-total", {"op": "=", "n": "12"}, True),
        ("ai-cards", {"op": "=", "n": "2"}, True),
        ("played", {"x": "R-KH"}, True),
        ("played", {"x": "k_artillery"}, True),
        ("played", {"x": "tanks"}, False),
        ("has", {"x": "fortifications"}, True),
        ("has", {"x": "R-KH"}, False),
        ("cancelled", {"x": "R-KH"}, True),
        ("cancelled", {"x": "B-KS"}, True),
        ("cancelled", {"x": "B-QS"}, False),
        ("event", {"event": "E03"}, True),
        ("event", {"event": "E04"}, False),
    ],
)
def test_what_a_condition_asks(form, slots, true):
    state = field(
        me="B-QS", ai="R-9D, R-KH!", ai_hand="R-QS, R-AS", laid=("R-9D", "R-KH"), lost=("B-KS",), force="E03"
    )
    assert RULES.holds(state, PLAYER, Condition(form=form, slots=slots)) is true


@pytest.mark.clause("great-war", "M.if")
def test_an_event_that_waits_can_be_asked_for():
    state = field(event="E06", waits=True)
    assert RULES.holds(state, PLAYER, Condition(form="event", slots={"event": "E06"}))


# Orders that are carried out.


@pytest.mark.clause("great-war", "GW21")
def test_a_target_is_taken_as_named_and_by_default_the_best():
    state = field(me="B-QS", hand="B-10H, B-KS", ai="R-8C, R-6D, R-4D")
    assert play(state, "ATTACK 1ST: + B-10H > R-4D").down(AI) == ["R-4D"]
    assert play(state, "ATTACK 1ST: + B-10H").down(AI) == ["R-8C"]
    done = play(state, "ATTACK 1ST: + B-10H > NONE")
    assert "R-8C" not in done.down(AI)
    done = play(state, "ATTACK 1ST: + B-10H > R-9D")
    assert done.down(AI) == ["R-8C"]
    assert done.codes() == ["no-target"]


@pytest.mark.clause("great-war", "GW44", "GW3")
def test_what_is_not_possible_is_left_out_and_the_rest_stands():
    """The base is left out and no other card replaces it. Cards with another host are played."""
    state = field(me="B-8C", hand="B-10H, B-AS")
    done = play(state, "ATTACK 1ST: B-KS + B-AS + B-10H")
    assert done.laid(PLAYER) == ["B-10H"]
    assert done.codes() == ["not-held", "not-plus"]
    assert all(event.seen_by == frozenset({PLAYER}) for event in done.of(LeftOut))


@pytest.mark.clause("great-war", "GW6", "D.barred")
def test_the_player_as_attacker_lays_no_works_that_are_barred():
    assert play(field(hand="B-9D, B-QS"), "ATTACK 1ST: B-9D").codes() == ["barred"]
    done = play(field(hand="B-9D, B-7D", attacks=False), "DEFEND 1ST: B-9D + B-7D")
    assert done.laid(PLAYER) == ["B-9D", "B-7D"]


def test_a_leader_leads_as_many_as_he_may():
    state = field(hand="B-JH, B-AS, B-AH, B-AD, B-AC, B04")
    done = play(state, "ATTACK 1ST: B-JH LEADS B-AS, B-AH, B-AD")
    assert done.laid(PLAYER) == ["B-JH", "B-AS", "B-AH"]
    assert done.codes() == ["led-too-many"]
    done = play(state, "ATTACK 1ST: B-JH WITH B04 LEADS B-AS, B-AH, B-AD, B-AC")
    assert done.laid(PLAYER) == ["B-JH", "B04", "B-AS", "B-AH", "B-AD"]
    assert [event.link for event in done.of(CardLaid)][1:3] == ["B-JH", "B-JH"]
    done = play(field(hand="B-JH, B-AS, B08"), "ATTACK 1ST: B-JH WITH B08 LEADS B-AS")
    assert done.codes() == ["no-helper"]
    done = play(
        field(hand="W06, B-AS, B-AH, B-AD, B-AC, B04"),
        "ATTACK 1ST: W06 WITH B04 LEADS B-AS, B-AH, B-AD, B-AC",
    )
    assert done.codes() == ["led-too-many"]


@pytest.mark.clause("great-war", "GW-6.2")
def test_cards_after_a_cancelled_leader_stay_in_hand_unless_they_link():
    state = field(me="B-8C", hand="B-JH, B-QS, B-10H", ai_hand="B07")
    done = play(state, "ATTACK 1ST: B-JH LEADS B-QS + B-10H")
    assert done.laid(PLAYER) == ["B-JH", "B-10H"]
    assert "B-QS" in done.state.armies[PLAYER].hand


def test_a_joker_is_the_base_or_a_wild_plus_card():
    state = field(me="B-QS", hand="B-JK1, B-10H, W02", ai="R-KH, R-QS")
    done = play(state, "CANCEL R-KH WITH B-JK1", "ATTACK 1ST: + B-10H")
    assert done.laid(PLAYER) == ["B-JK1", "B-10H"]
    assert done.down(AI) == ["R-KH"]
    assert done.state.total(PLAYER) == 13 + 11
    done = play(state, "CANCEL R-KH WITH B-JK1", "ATTACK 1ST: B-QS + B-10H")
    assert done.codes() == ["joker-is-base"]
    done = play(state, "ATTACK 1ST: + B-JK1 AS WILD + W02 AS WILD")
    assert done.state.total(PLAYER) == 13 + 8 + 10
    assert play(field(hand="B-JK1"), "ATTACK 1ST: + B-JK1 AS WILD").codes() == ["no-wild"]
    assert play(field(hand="B-JK1", me="B-QS!"), "ATTACK 1ST: + B-JK1 AS WILD").codes() == ["no-wild"]
    assert play(field(hand="B-JK1, B-10H"), "ATTACK 1ST: B-10H + B-10H AS WILD").codes() == ["not-held"]
    assert play(field(hand="B-JK1, B-10H, B-9H"), "ATTACK 1ST: B-10H + B-9H AS WILD").codes() == ["no-wild"]


def test_a_card_that_shows_a_hand_shows_it_to_the_player():
    done = play(field(me="B-KS", hand="B-8S", ai_hand="R-QS, R-AS"), "ATTACK 1ST: + B-8S")
    (seen,) = done.of(Peeked)
    assert seen.cards == ("R-AS", "R-QS")
    assert seen.seen_by == frozenset({PLAYER})


@pytest.mark.clause("great-war", "GW-6.4")
def test_the_standing_order_against_leaders():
    """It stays in force until it is used or withdrawn by email."""
    state = field(hand="B07, B-JK1", ai_hand="R-JS, R-QS")
    done = play(state, "CANCEL LEADER WITH B-JK1, B07", "PASS 1ST")
    (stopped,) = done.of(LeaderStopped)
    assert (stopped.seat, stopped.by) == (AI, "B-JK1")
    assert done.state.leader == ()
    assert [event.order for event in done.of(Standing)] == [GuardLeader(cards=("B-JK1", "B07"))]
    kept = play(replace_fields(state, leader=("B07",)), "CANCEL NO LEADER", "PASS 1ST")
    assert not kept.of(LeaderStopped)


@pytest.mark.clause("great-war", "GW30", "GW32")
def test_the_players_bonus_phase():
    def bonus(text, **fields):
        return play(field(**({"stage": "bonus", "number": 2} | fields)), text)

    done = bonus("BONUS: B08 > R-KH", hand="B08", ai="R-KH, R-KS", me="B-QS, B-KH")
    assert [(one.op, one.card) for event in done.of(CardLaid) for one in event.done] == [("cancel", "R-KH")]
    assert bonus("BONUS: NONE", hand="B08", ai="R-KH").laid(PLAYER) == []
    assert bonus("BONUS: B08", hand="B11").codes() == ["not-held"]
    assert bonus("BONUS: B-QS", hand="B-QS").codes() == ["not-in-bonus"]
    done = bonus("BONUS: B04 LEADS B-AS", hand="B04, B-AS, B-QS", me="B-JH")
    assert done.laid(PLAYER) == ["B04", "B-AS"]
    assert bonus("BONUS: B04 LEADS B-AS", hand="B04", me="B-JH").codes() == ["not-held"]
    assert bonus("BONUS: B04 LEADS B-4S", hand="B04, B-4S, B-AS", me="B-JH").codes() == ["not-led"]
    assert bonus("BONUS: B04 LEADS B-AS", hand="B04, B-AS", me="B-QS").codes() == ["no-leader"]
    assert bonus("BONUS: B-JK1 AS WILD", hand="B-JK1", me="B-QS", ai="R-QS").laid(PLAYER) == ["B-JK1"]


@pytest.mark.clause("great-war", "GW33")
def test_the_players_blockade_takes_what_he_names():
    state = field(stage="bonus", number=2, me="B-2S, B-KS", ai="R-QS, R-10C, R-9D")
    done = play(state, "BLOCKADE: B-2S > R-10C")
    assert [event.card for event in done.events if type(event).__name__ == "Blockaded"] == ["R-10C"]


@pytest.mark.clause("great-war", "GW2")
def test_the_split_of_the_next_hand_is_used_once():
    state = play(dealt(), "DRAW 2/6/1", "PASS 1ST").state
    state = play(play(state, "PASS").state).state
    decks = [book()[one].play_deck for one in state.armies[PLAYER].hand]
    assert decks.count("neutral") == 2
    assert state.split is None


# Illegal orders, and the words for them.


@pytest.mark.parametrize(
    ("text", "fields", "code"),
    [
        ("DEFEND 1ST: B-QS", {}, "wrong-role"),
        ("ATTACK 1ST: B-QS", {"number": 2}, "round-over"),
        ("ATTACK 2ND: B-QS", {}, "round-to-come"),
        ("ATTACK 1ST: B-QS", {"stage": "bonus"}, "no-round"),
        ("ATTACK 1ST: B-QS + B-QS", {}, "twice"),
        ("ATTACK 1ST: R-9H", {}, "not-held"),
        ("ATTACK 1ST: B-JK1 AS WILD", {}, "wild-base"),
        ("CANCEL R-KH WITH B-QS", {}, "no-joker"),
        ("CANCEL R-9D WITH B-JK1", {}, "no-target"),
        ("CANCEL LEADER WITH B-QS", {}, "stops-no-leader"),
        ("CANCEL NO LEADER", {}, "no-guard"),
        ("CANCEL EVENT WITH B05", {}, "no-event"),
        ("CANCEL EVENT WITH B08", {"event": "E03", "waits": True}, "stops-no-event"),
        ("BONUS: B-QS", {"stage": "bonus"}, "no-bonus-card"),
        ("BONUS: B-JK1", {"stage": "bonus", "force": "E15", "hand": "B11"}, "no-bonus-card"),
        ("BLOCKADE: B-2S > R-QS", {"stage": "bonus"}, "no-blockade"),
        ("BLOCKADE: B-2S > R-9D", {"stage": "bonus", "me": "B-2S"}, "no-target"),
        ("DRAW 1/7/1", {}, "split-range"),
        ("DRAW 5/6/2", {}, "split-sum"),
        ("EXCHANGE W10 FOR B-QD", {}, "exchange-closed"),
        ("TURNS 7", {}, "no-length"),
        ("TURNS 10", {"turn": 7}, "length-settled"),
        ("begin", {}, "begun"),
    ],
)
def test_what_is_unlawful_is_said_in_words(text, fields, code):
    state = here(**fields)
    objection = RULES.check(state, PLAYER, order(state, text))
    assert objection is not None
    assert objection.code == code
    said = GAME.telling.advise(state, objection)
    assert "{" not in said.problem + (said.instead or "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ATTACK 1ST: R-9H", "R-9H Storm Troop isn't in your hand; you hold B-AS, B-KS, B-QS"),
        (
            "ATTACK 1ST: + B-10H",
            "B-10H Mark IV Tanks links to infantry or tanks, and you have no such card face-up",
        ),
        ("DEFEND 1ST: B-QS", "in this Turn you attack"),
    ],
)
def test_an_error_says_what_there_is(text, says):
    state = here()
    said = GAME.telling.advise(state, RULES.check(state, PLAYER, order(state, text)))
    assert said.problem.startswith(says)


def test_what_would_be_left_out_is_said_beforehand():
    state = here()
    orders = [order(state, "ATTACK 1ST: B-QS + B-10H + R-9H")]
    assert RULES.check(state, PLAYER, orders[0]) is None
    told = [GAME.telling.advise(state, one).problem for one in RULES.concerns(state, PLAYER, orders)]
    assert told[0].startswith("Not played: R-9H Storm Troop isn't in your hand")
    assert "CANCEL LEADER WITH B-JK1" in told[1]


def test_other_concerns():
    state = field(hand="B-QS", me="")
    guard = order(state, "CANCEL LEADER WITH B07")
    assert [one.code for one in RULES.concerns(state, PLAYER, [guard])] == ["guard-not-held"]
    state = field(hand="B-JK1", ai="R-KH")
    strike = order(state, "CANCEL R-KH WITH B-JK1")
    assert [one.code for one in RULES.concerns(state, PLAYER, [strike])] == ["joker-alone", "may-guard"]
    assert all(GAME.telling.advise(state, one).problem for one in RULES.concerns(state, PLAYER, [strike]))
