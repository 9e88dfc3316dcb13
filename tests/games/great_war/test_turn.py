"""The sequence of a Turn and of a campaign: STEPS 8 to 10 and 12 to 15."""

import pytest

from games.great_war import sequence
from games.great_war.components import CardId, book
from games.great_war.decks import cards_by_zone
from games.great_war.events import Blockaded, CardLaid, Chose, Ended, GoesOn, Rebuilt, Totals, TurnWon
from games.great_war.model import AI, PLAYER, Stack
from games.great_war.scoring import settle
from games.great_war.working_state import WorkingState
from games.protocol import Seat
from games.record import replace_fields
from tests.games.great_war.front import RULES, After, Loaded, dealt, field, order, play
from tests.kit.dice import any_dice


def settled(state, aims=None):
    """Return the end of a Turn."""
    table = WorkingState(state, Loaded({}), "end")
    settle(table, aims or {})
    return After(table.now, tuple(table.events))


def won(done):
    (found,) = done.of(TurnWon)
    return found


@pytest.mark.clause("great-war", "GW-9.1", "GW-14.1", "GW35", "D.capture")
def test_the_winner_captures_the_losers_high_cards():
    """They are face-up cards, which count their printed points and leave the game."""
    done = settled(field(me="B-QS, B-KH=3, B-10H", ai="R-QS, R-KS=9, R-10C, R-AS, R-4S"))
    assert won(done).winner == AI
    assert won(done).captured == ("B-KH", "B-QS")
    assert won(done).points == 28
    assert won(done).scores == (0, 28)
    assert done.state.armies[AI].captured == ("B-KH", "B-QS")
    assert "B-KH" not in done.state.piles["entente"].discards


@pytest.mark.clause("great-war", "GW36", "GW34")
def test_what_is_face_down_is_not_captured_and_level_totals_win_nothing():
    assert won(settled(field(me="B-QS, B-KH!", ai="R-QS, R-KS"))).captured == ("B-QS",)
    level = won(settled(field(me="B-QS", ai="R-QD")))
    assert (level.winner, level.captured) == (None, ())


@pytest.mark.clause("great-war", "GW35")
def test_a_withdrawal_saves_the_highest():
    done = settled(field(me="B-QS, B-KH, B14", ai="R-QS, R-KS, R-AS"))
    assert won(done).saved == ("B-KH",)
    assert won(done).captured == ("B-QS",)
    assert "B-KH" in done.state.piles["entente"].discards
    cancelled = won(settled(field(me="B-QS, B-KH, B14!", ai="R-QS, R-KS, R-AS")))
    assert (cancelled.saved, cancelled.captured) == ((), ("B-KH", "B-QS"))


@pytest.mark.clause("great-war", "GW35", "GW43")
def test_captured_howitzers_count_what_is_printed_in_a_shell_shortage():
    """They can be played before or after the event, which only changes their value on the table."""
    done = settled(field(me="B-KH=11, B-KC=14", ai="R-QS, R-QH", force="E06"))
    assert (won(done).captured, won(done).points) == (("B-KH", "B-KC"), 14 + 14)


@pytest.mark.clause("great-war", "GW33", "GW14")
def test_blockades_take_a_card_before_the_totals_the_defenders_first():
    """The AI defends. Its submarines take the Allied blockade, which then takes nothing."""
    done = settled(field(me="B-3S", ai="R-5S, R-QS"))
    assert [(event.by, event.card) for event in done.of(Blockaded)] == [("R-5S", "B-3S")]
    done = settled(field(me="B-3S, B-QS", ai="R-QS, R-5S", attacks=False))
    assert [(event.by, event.card) for event in done.of(Blockaded)] == [("B-3S", "R-QS"), ("R-5S", "B-QS")]
    assert (won(done).player, won(done).ai) == (4, 6)


@pytest.mark.clause("great-war", "GW33")
def test_a_blockade_takes_nationality_cards_alone():
    """It can't take Neutral works, Bonus cards or face-down cards."""
    done = settled(field(me="B-2S", ai="R-9D, B-8C, B09, R-QS!"))
    assert not done.of(Blockaded)
    assert not settled(field(me="B-2S!", ai="R-QS")).of(Blockaded), "a cancelled blockade takes nothing"
    done = settled(field(me="B-2S", ai="R-QS, R-KS, R-10C"), {"B-2S": "R-10C"})
    assert done.of(Blockaded)[0].card == "R-10C"
    done = settled(field(me="B-2S", ai="R-QS"), {"B-2S": "none"})
    assert not done.of(Blockaded)
    done = settled(field(me="B-2S", ai="R-QS"), {"B-2S": "R-KS"})
    assert done.of(Blockaded)[0].card == "R-QS"
    assert done.codes() == ["no-target"]


@pytest.mark.clause("great-war", "GW33")
def test_a_blockade_takes_nothing_that_is_proof_against_it():
    """An owner's list could have infantry that is as immune as Fortifications."""
    walls = book()[CardId("B-9D")].effect("immune")
    infantry = replace_fields(book()[CardId("R-QS")], effects=(walls,))
    done = settled(field(me="B-2S", ai="R-QS, R-10C", changes=(infantry,)))
    assert [event.card for event in done.of(Blockaded)] == ["R-10C"]
    assert [event.card for event in settled(field(me="B-2S", ai="R-QS, R-10C")).of(Blockaded)] == ["R-QS"]


@pytest.mark.clause("great-war", "GW-10.1", "GW41")
def test_all_other_cards_go_to_their_piles():
    """Set-aside cards go back to their place, from the table or from a hand."""
    state = field(me="B-QS", ai="R-9D, R-10C", hand="B-7C, B11", ai_hand="R-QH, R-5D")
    done = settled(replace_fields(state, aside=("R-8D",), event="E03", force=("E03",)))
    assert done.state.aside == ("R-9D", "R-8D", "R-5D")
    assert done.state.armies[PLAYER].hand == done.state.armies[AI].hand == ()
    piles = {name: stack.discards for name, stack in done.state.piles.items() if stack.discards}
    assert piles == {"neutral": ("B-7C",), "bonus": ("B11",), "event": ("E03",), "central": ("R-QH", "R-10C")}
    assert (done.state.event, done.state.force) == (None, ())


@pytest.mark.clause("great-war", "GW-4.4", "GW14", "M.round")
def test_a_turn_in_which_the_player_attacks():
    """The parts of the Turn come in this order.

    They are the AI's opening, the event, the player's Round 1, the AI's Round 2, the player's Round 2, the
    AI's Bonus phase, and the player's Bonus phase.
    """
    state = dealt(dice=Loaded({"hand/1": 1}))
    assert RULES.turn(state).short == "T1R1"
    assert [turn.short for turn in RULES.ahead(state)] == ["T1R1", "T1R2", "T1B"]
    one = play(state, "PASS 1ST")
    assert RULES.turn(one.state).short == "T1R2"
    assert {event.seat for event in one.of(CardLaid)} <= {AI}
    assert {event.phase for event in one.of(CardLaid)} <= {"round 2"}
    two = play(one.state, "PASS 2ND")
    assert RULES.turn(two.state).short == "T1B"
    assert RULES.due(two.state)[0].owes == ()
    three = play(two.state)
    assert three.of(TurnWon)
    assert RULES.turn(three.state).short == "T2R1"


@pytest.mark.clause(
    "great-war", "GW-10.2", "GW-10.3", "GW-10.4", "GW-12.1", "GW-13.1", "GW-13.2", "GW-13.3", "GW-13.4",
    "GW13", "GW-15.1", "GW-15.2",
)  # fmt: skip
def test_a_turn_in_which_the_player_defends():
    """The order is: the event, Round 1 of both sides, Round 2 of both, the Bonus phases of both."""
    state = play(play(play(dealt(), "PASS 1ST").state, "PASS 2ND").state).state
    assert state.role(PLAYER) == "defend"
    assert len(state.armies[AI].row) == 0
    # The event may add or remove one card.
    assert 8 <= len(state.armies[PLAYER].hand) <= 10
    state = replace_fields(
        state,
        armies={**state.armies, PLAYER: replace_fields(state.armies[PLAYER], hand=("B-QS", "B-7D"))},
        force=(),
    )
    one = play(state, "DEFEND 1ST: B-QS + B-7D")
    phases = [(event.seat, event.phase) for event in one.of(CardLaid)]
    assert phases[:2] == [(PLAYER, "round 1")] * 2
    assert {*phases[2:]} <= {(AI, "round 1")}
    two = play(one.state, "PASS")
    assert {(event.seat, event.phase) for event in two.of(CardLaid)} <= {(AI, "round 2")}
    assert {"B-QS", "B-7D"} <= {laid.card for laid in two.state.armies[PLAYER].row}
    three = play(two.state)
    assert RULES.turn(three.state).short == "T3R1"
    assert three.state.attacker == PLAYER


def after_turn_5(named=None, **fields):
    """Return a state in the Bonus phase of Turn 5."""
    state = dealt()
    return play(replace_fields(state, turn=5, stage="bonus", named=named, **fields))


@pytest.mark.clause("great-war", "GW-15.3", "GW48")
def test_after_turn_5_the_player_is_asked_once():
    done = after_turn_5()
    assert RULES.turn(done.state).short == "T5E"
    assert RULES.result(done.state) is None
    (due,) = RULES.due(done.state)
    assert [owed.slot for owed in due.owes] == ["turns"]
    assert RULES.default(done.state, due)[0].turns == 5
    assert RULES.default(replace_fields(done.state, options={"turns": "10"}), due)[0].turns == 10


@pytest.mark.clause("great-war", "GW-15.4", "GW48")
def test_he_may_stop_there():
    done = play(after_turn_5().state, "TURNS 5")
    assert done.state.stage == "over"
    assert done.of(GoesOn)[0].turns == 5
    assert RULES.due(done.state) == ()


@pytest.mark.clause("great-war", "GW48")
def test_a_letter_that_has_named_the_length_answers_in_advance():
    assert after_turn_5(named=5).state.stage == "over"
    assert after_turn_5(named=10).state.turn == 6
    done = play(dealt(), "TURNS 10", "PASS 1ST")
    assert done.state.named == 10


@pytest.mark.clause("great-war", "GW-15.5", "GW38", "GW49")
def test_he_may_go_on_and_everything_is_dealt_again():
    """Captured cards stay out, the player defends in Turn 6, and the ordered exchanges are made."""
    state = after_turn_5().state
    state = replace_fields(
        state, armies={**state.armies, AI: replace_fields(state.armies[AI], captured=("B-KS",))}
    )
    # Captured cards aren't in any pile.
    piles = {
        name: Stack(deck=tuple(c for c in (*s.deck, *s.discards) if c != "B-KS"))
        for name, s in state.piles.items()
    }
    done = play(replace_fields(state, piles=piles), "TURNS 10", "EXCHANGE W10 FOR B-QD")
    assert done.of(Rebuilt)
    assert (done.state.turn, done.state.role(PLAYER)) == (6, "defend")
    found = cards_by_zone(done.state)
    assert found["ai captured"] == ("B-KS",)
    assert sum(len(cards) for cards in found.values()) == 200
    assert "B-QD" in done.state.spare
    assert [len(done.state.piles[name].discards) for name in ("entente", "central")] == [0, 0]


@pytest.mark.clause("great-war", "GW49")
def test_an_exchange_of_what_was_captured_since_is_dropped():
    """The leader of the other side in the same order is dropped too."""
    state = replace_fields(dealt(), turn=5)
    pairs = [
        *order(state, "EXCHANGE W06 FOR B-JS AND W08 FOR R-JS").pairs,
        *order(state, "EXCHANGE W10 FOR B-QD").pairs,
    ]
    state = replace_fields(state, wishes=tuple(pairs))
    armies = {PLAYER: state.armies[PLAYER], AI: replace_fields(state.armies[AI], captured=("B-JS",))}
    table = WorkingState(replace_fields(state, armies=armies), any_dice(3), "hands")
    sequence.set_up(table)
    assert {"W06", "W08"} <= set(table.now.spare)
    assert "W10" not in table.now.spare


@pytest.mark.clause("great-war", "GW49", "GW-1.9")
def test_exchanges_are_named_in_turn_5_for_the_sixth():
    assert RULES.check(dealt(), PLAYER, order(dealt(), "EXCHANGE W10 FOR B-QD")).code == "exchange-closed"
    state = replace_fields(dealt(), turn=5)
    assert RULES.check(state, PLAYER, order(state, "EXCHANGE W10 FOR B-QD")) is None
    assert play(state, "EXCHANGE W10 FOR B-QD", "PASS 1ST").state.wishes[0].white == "W10"
    used = dealt(exchange="W06:B-JS,W08:R-JS")
    used = replace_fields(used, turn=5)
    again = order(used, "EXCHANGE W07 FOR B-JH AND W09 FOR R-JH")
    assert RULES.check(used, PLAYER, again).code == "leaders-done"


@pytest.mark.clause("great-war", "GW-15.6")
def test_after_turn_10_the_campaign_is_over():
    done = play(replace_fields(dealt(), turn=10, stage="bonus", named=10))
    assert done.state.stage == "over"
    assert done.of(Ended)


@pytest.mark.clause("great-war", "GW39", "D.levels", "GW-15.4")
@pytest.mark.parametrize(
    ("mine", "theirs", "level", "winners"),
    [
        (0, 0, "draw", ()), (20, 11, "draw", ()), (20, 10, "moral", (PLAYER,)), (0, 19, "moral", (AI,)),
        (20, 0, "tactical", (PLAYER,)), (0, 39, "tactical", (AI,)), (40, 0, "strategic", (PLAYER,)),
        (79, 0, "strategic", (PLAYER,)), (0, 80, "decisive", (AI,)),
    ],
)  # fmt: skip
def test_the_difference_makes_the_level(mine, theirs, level, winners, monkeypatch):
    assert sequence.victory_level_for(mine - theirs).name == level
    state = dealt()
    scores = {PLAYER: mine, AI: theirs}
    monkeypatch.setattr(type(state), "score", lambda self, seat: scores[seat])
    table = WorkingState(state, any_dice(), "end")
    sequence.end(table)
    result = RULES.result(table.now)
    assert result.winners == winners
    (told,) = After(table.now, tuple(table.events)).of(Ended)
    assert told.winner == next(iter(winners), None)
    assert result.reason == (level if level == "draw" else f"{level} victory")


@pytest.mark.clause("great-war", "M.end", "GW37")
def test_who_cannot_draw_a_nationality_card_ends_the_campaign():
    state = replace_fields(dealt(), stage="bonus")
    armies = {seat: replace_fields(army, hand=(), row=()) for seat, army in state.armies.items()}
    piles = {**state.piles, "entente": Stack(deck=("B-QS", "B-KS", "B-AS"))}
    done = play(replace_fields(state, armies=armies, piles=piles))
    assert done.of(Ended)[0].exhausted == "entente"
    assert done.state.stage == "over"


@pytest.mark.clause("great-war", "M.end", "GW37")
def test_a_nation_of_which_none_is_left_is_exhausted_and_no_other_pile_is():
    """Its deck and its discard pile are both empty."""
    state = dealt()
    table = WorkingState(
        replace_fields(state, piles={**state.piles, "neutral": Stack(), "entente": Stack()}), any_dice()
    )
    assert (table.draw("neutral", 1), table.now.exhausted) == ((), None)
    assert (table.draw("entente", 1), table.now.exhausted) == ((), "entente")


@pytest.mark.clause("great-war", "GW37")
def test_an_empty_deck_is_built_again_from_its_discards():
    state = replace_fields(dealt(), stage="bonus")
    neutral = state.piles["neutral"]
    piles = {**state.piles, "neutral": Stack(deck=neutral.deck[:1], discards=neutral.deck[1:])}
    done = play(replace_fields(state, piles=piles))
    assert len(done.state.piles["neutral"].discards) < 3
    assert sum(len(cards) for cards in cards_by_zone(done.state).values()) == 200
    none = {**state.piles, "bonus": Stack()}
    armies = {seat: replace_fields(army, hand=()) for seat, army in state.armies.items()}
    done = play(replace_fields(state, piles=none, armies=armies))
    held = [one for army in done.state.armies.values() for one in army.hand]
    assert held
    assert not any(one[0] == "B" and one[1] != "-" for one in held)


@pytest.mark.clause("great-war", "GW47", "M.hidden")
def test_what_the_player_does_not_see():
    """The AI's hand, the order of decks and covered discards. A spectator sees no hand and no plans."""
    state = replace_fields(dealt(), leader=("B07",), named=10)
    view = RULES.view(state, PLAYER)
    assert set(view.armies[AI].hand) == {"?"}
    assert len(view.armies[AI].hand) == len(state.armies[AI].hand)
    assert view.armies[PLAYER].hand == state.armies[PLAYER].hand
    assert {one for stack in view.piles.values() for one in stack.deck} == {"?"}
    assert view.leader == ("B07",)
    spectator = RULES.view(state, None)
    assert set(spectator.armies[PLAYER].hand) == {"?"}
    assert (spectator.leader, spectator.named, spectator.waits) == ((), None, False)


@pytest.mark.clause("great-war", "M.hidden")
def test_of_a_discard_pile_the_top_is_seen_unless_it_came_out_of_a_hand():
    done = settled(field(me="B-QS, B-10H", ai="R-10C", ai_hand="R-QH, B-7C", hand="B-5C"))
    view = RULES.view(done.state, PLAYER)
    assert view.piles["entente"].discards[-1] == "B-10H"
    assert view.piles["neutral"].discards == ("?", "?")
    assert view.piles["central"].discards == ("?", "R-10C")


@pytest.mark.clause("great-war", "M.bot")
def test_the_ai_does_not_look_at_what_it_may_not_know():
    """The AI plays the same with any hand and orders of the player and any order of the decks."""
    state = field(me="B-QS, B-10H", ai="R-9D", ai_hand="R-QS, R-KS, R-10S, R-AS, B-8C", number=1, hand="B-4S")
    laid = play(state, "PASS 1ST").laid(AI)
    others = [
        replace_fields(
            state,
            armies={**state.armies, PLAYER: replace_fields(state.armies[PLAYER], hand=("B-KH", "B-JK1"))},
        ),
        replace_fields(state, leader=("B07",), split=None, named=10),
        replace_fields(state, piles={name: Stack(deck=s.deck[::-1]) for name, s in state.piles.items()}),
    ]
    assert laid
    assert all(play(other, "PASS 1ST").laid(AI) == laid for other in others)


@pytest.mark.clause("great-war", "M.reason", "GW-0.1")
def test_every_play_of_the_ai_says_why_and_names_no_card_that_it_holds():
    state = field(me="B-QS", ai_hand="R-QS, R-KS, R-AS", attacks=False)
    done = play(state, "PASS 1ST")
    (chose,) = done.of(Chose)
    assert chose.why.key == (2, 29, 0, 14)
    assert done.laid(AI) == ["R-QS", "R-KS"]
    held = set(done.state.armies[AI].hand)
    assert held
    assert not any(one in str(chose.why) for one in held)


@pytest.mark.clause("great-war", "GW44")
def test_silence_passes():
    state = field(hand="B-QS")
    (due,) = RULES.due(state)
    (said,) = RULES.default(state, due)
    assert said == order(state, "PASS 1ST")
    done = RULES.adjudicate(state, {}, any_dice())
    assert [event.seat for event in done.events if type(event).__name__ == "PassedRound"][:1] == [
        Seat("player")
    ]


@pytest.mark.clause("great-war", "GW-9.1")
def test_both_totals_are_told_after_every_part():
    done = play(field(hand="B-QS", ai="R-9D"), "ATTACK 1ST: B-QS")
    assert next((event.player, event.ai) for event in done.of(Totals)) == (13, 12)
