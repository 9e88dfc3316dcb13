"""STEPS 4 to 7 of the AI: the Random Event, the Combat Rounds, leaders and the Bonus phase."""

import pytest

from games.great_war import automaton, sequence
from games.great_war.automaton import idle_leader, play_bonus
from games.great_war.components import CardId, book
from games.great_war.events import (
    CardLaid,
    Chose,
    EventStopped,
    EventWaits,
    EventWorks,
    HandLost,
    HandLostCards,
    LeaderStopped,
    LeftOut,
    Reinforced,
)
from games.great_war.model import AI, PLAYER
from games.record import replace_fields
from tests.games.great_war.front import RULES, After, Loaded, field, order, play, row, tried


def ai_round(state, number, guard=None):
    """Return the AI's plays in a Combat Round, as pairs of card and way to play it."""
    table = tried(state, f"round {number}")
    table.guard = guard
    automaton.play_round(table, AI)
    done = After(table.now, tuple(table.events))
    return [(event.card, event.how) for event in done.of(CardLaid)], done


def why(done):
    (chose,) = done.of(Chose)
    return chose.why


# Combat Rounds.


@pytest.mark.clause("great-war", "GW-5.1", "GW-5.4", "GW17", "GW-13.4")
def test_in_round_2_the_swing_decides():
    """One card worth 14 is better than three cards worth 12."""
    state = field(ai_hand="R-AS, B-4H, B-3H, R-2D", number=2)
    assert ai_round(state, 2)[0][0] == ("R-AS", "base")


@pytest.mark.clause("great-war", "GW19", "GW-13.3", "GW-F.1")
def test_in_round_1_an_attacker_wants_the_most_cards():
    """The same hand plays three cards in Round 1."""
    state = field(ai_hand="R-AS, B-4H, B-3H, R-2D", attacks=False)
    laid, done = ai_round(state, 1)
    assert [one for one, _ in laid] == ["B-4H", "B-3H", "R-2D"]
    assert why(done).case == "cards"


@pytest.mark.clause("great-war", "GW-5.3", "GW18")
def test_of_equal_swings_a_card_that_takes_one_out_goes_first():
    """Both plays swing 11 points. Without the aeroplane, the higher card is played."""
    state = field(ai="R-3D", me="B-7S, B-QS", ai_hand="R-10C, B-2H", number=2)
    assert ai_round(state, 2)[0] == [("B-2H", "base")]
    state = field(ai="R-3D", me="B-QS", ai_hand="R-10C, B-2H", number=2)
    assert ai_round(state, 2)[0] == [("R-10C", "base")]


@pytest.mark.clause("great-war", "GW18")
def test_of_plays_that_are_level_the_first_in_card_order_is_taken():
    laid, done = ai_round(field(ai_hand="R-AH, R-AS", number=2), 2)
    assert laid == [("R-AS", "base")]
    assert why(done).key == why(done).next


@pytest.mark.clause("great-war", "GW-5.3", "GW21")
def test_a_target_is_the_highest_then_the_first():
    """The Ace takes the higher of two aeroplanes. Of two equal howitzers, it is the first in card order."""
    _, done = ai_round(field(me="B-7S, B-8S", ai_hand="R-AS", number=2), 2)
    assert done.down(PLAYER) == ["B-8S"]
    _, done = ai_round(field(me="B-KC, B-KD", ai_hand="R-10S", number=2), 2)
    assert done.down(PLAYER) == ["B-KD"]


@pytest.mark.clause("great-war", "GW-5.5", "GW-5.6", "M.bot")
def test_looking_at_a_hand_means_nothing_but_points():
    """The AI's play doesn't depend on the player's hand."""
    hands = ("", "B-QS, B-KH, B-JH", "B-JK1, B07, B08, B-AS")
    found = [
        ai_round(field(me="B-QD", ai="R-KS", hand=hand, ai_hand="R-8S, R-7S, R-10C", number=2), 2)[0]
        for hand in hands
    ]
    assert found[0] == found[1] == found[2]
    assert ("R-8S", "plus") in found[0]


@pytest.mark.clause("great-war", "GW-5.2", "GW6", "D.barred")
def test_an_attacker_lays_no_works_that_are_barred():
    assert ai_round(field(ai_hand="B-7D, B-9D, B-4D", attacks=False), 1)[0] == []
    assert ai_round(field(ai_hand="B-8D, B-3D", attacks=False), 1)[0] != []


@pytest.mark.clause("great-war", "GW20")
def test_neither_jokers_nor_bonus_cards_are_laid_in_a_round():
    laid, done = ai_round(field(me="B-QS", ai_hand="R-JK1, B08, B11", number=2), 2)
    assert laid == []
    assert why(done).case == "pass"


@pytest.mark.clause("great-war", "GW22")
def test_every_effect_that_can_be_used_is_used():
    """The telephone turns the howitzer up again, but the howitzer's earlier effect isn't repeated."""
    state = field(ai="R-QS, R-KS!", me="B-8D", ai_hand="R-2D", number=2)
    _, done = ai_round(state, 2)
    assert done.up(AI) == ["R-QS", "R-KS", "R-2D"]
    assert done.up(PLAYER) == ["B-8D"]


@pytest.mark.clause("great-war", "GW5")
def test_a_cancelled_host_keeps_what_was_added_and_bears_no_more():
    """The tanks link to the machine-gun that was added to the host. Without it they have no host."""
    done = play(field(me="B-QS!, B-8C", hand="B-10H"), "ATTACK 1ST: + B-10H")
    assert done.of(CardLaid)[0].link == "B-8C"
    state = field(me="B-QS!", hand="B-10H")
    assert RULES.check(state, PLAYER, order(state, "ATTACK 1ST: + B-10H")).code == "no-host"


# Leaders.

HAND = "R-JS, B-9S, R-10S, R-QS, R-4S, R-KS"
FOE = "B-KH, B-QD, B-10H"


@pytest.mark.clause("great-war", "GW-6.3", "GW-6.5", "GW-6.7", "GW-6.8", "GW50")
def test_a_leader_is_laid_and_leads_two():
    """The bombers come first, because they take the howitzer, then the highest card. The fleet is naval."""
    laid, done = ai_round(field(ai="B-9D", me=FOE, ai_hand=HAND, number=2), 2)
    assert laid == [("R-JS", "base"), ("R-10S", "led"), ("R-KS", "led")]
    assert done.down(PLAYER) == ["B-KH"]
    assert why(done).cards == ("R-JS", "R-10S", "R-KS")


@pytest.mark.clause("great-war", "GW50")
def test_a_card_that_only_robs_a_hand_is_not_led_first():
    laid, _ = ai_round(field(me="B-QS", hand="B-KH", ai_hand="R-JS, W03, R-QS, R-KS", number=2), 2)
    assert [one for one, how in laid if how == "led"] == ["R-KS", "R-QS"]


@pytest.mark.clause("great-war", "GW-6.3")
def test_a_leader_is_not_laid_in_round_1():
    assert ai_round(field(ai_hand="R-JS, R-QS", attacks=False), 1)[0] == [("R-QS", "base")]
    # Nor if the leader is the highest card, or the only one.
    assert ai_round(field(ai_hand="R-JH, B-3D", attacks=False), 1)[0] == [("B-3D", "base")]
    assert ai_round(field(ai_hand="R-JH", attacks=False), 1)[0] == []


@pytest.mark.clause("great-war", "GW20", "GW-6.5")
def test_a_leader_leads_no_joker():
    laid, _ = ai_round(field(me="B-QS", ai_hand="R-JS, R-JK1, R-2D", number=2), 2)
    assert laid == [("R-JS", "base"), ("R-2D", "led")]


@pytest.mark.clause("great-war", "GW26")
def test_what_links_is_laid_beside_what_is_led():
    laid, _ = ai_round(field(ai_hand="R-JS, R-QS, R-KS, B-8C, R-AS", number=2), 2)
    assert laid[:3] == [("R-JS", "base"), ("R-KS", "led"), ("R-AS", "led")]
    laid, _ = ai_round(field(ai_hand="R-JS, R-QS, B-8C, R-9H", number=2), 2)
    assert laid == [("R-JS", "base"), ("R-QS", "led"), ("B-8C", "plus"), ("R-9H", "plus")]


@pytest.mark.clause("great-war", "GW-6.6", "GW27", "GW28")
@pytest.mark.parametrize(
    ("hand", "helper"),
    [("R-JS, B04, W04, R-AS, R-AH, R-AD, R-AC", "B04"), ("R-JS, W04, R-AS, R-AH, R-AD, R-AC", "W04")],
)
def test_a_third_card_is_led_with_help(hand, helper):
    laid, _ = ai_round(field(ai_hand=hand, number=2), 2)
    assert (helper, "with_leader") in laid
    assert [how for _, how in laid].count("led") == 3


@pytest.mark.clause("great-war", "GW27", "GW28")
def test_no_help_is_spent_where_it_would_bring_nothing():
    """The hand has only two cards to lead, or a White leader, who leads three without help."""
    laid, _ = ai_round(field(ai_hand="R-JS, B04, R-AS, R-AH", number=2), 2)
    assert [one for one, _ in laid] == ["R-JS", "R-AS", "R-AH"]
    laid, _ = ai_round(field(ai_hand="W08, B04, R-AS, R-AH, R-AD, R-AC", number=2), 2)
    assert [one for one, _ in laid] == ["W08", "R-AS", "R-AH", "R-AD"]


@pytest.mark.clause("great-war", "GW25")
def test_of_several_leaders_the_one_who_leads_most_is_the_base():
    assert ai_round(field(ai_hand="R-JH, R-JS, W08", number=2), 2)[0][0] == ("W08", "base")
    assert ai_round(field(ai_hand="R-JS, R-JH", number=2), 2)[0] == [("R-JH", "base"), ("R-JS", "led")]


@pytest.mark.clause("great-war", "GW-6.4", "GW-6.2")
def test_a_leader_whom_the_player_cancels_leads_nobody():
    """The player's standing order is used up. Plus cards on the table still link."""
    state = field(
        ai="B-9D", me=FOE, hand="B-JK1, B07", ai_hand="R-JS, R-QS, R-6D", number=2, leader=("B-JK1",)
    )
    laid, done = ai_round(state, 2, sequence.answer_leader)
    assert laid == [("R-JS", "base"), ("R-6D", "plus")]
    assert done.down(AI) == ["R-JS"]
    assert done.state.leader == ()
    assert done.state.armies[PLAYER].hand == ("B07",)


@pytest.mark.clause("great-war", "GW-6.4")
def test_without_an_order_or_without_the_card_nobody_reacts():
    for hand, leader in (("B-JK1", ()), ("B07", ("B-JK1",))):
        state = field(hand=hand, ai_hand="R-JS, R-QS", number=2, leader=leader)
        assert ai_round(state, 2, sequence.answer_leader)[1].down(AI) == []


@pytest.mark.clause("great-war", "GW24")
def test_a_leader_who_is_led_may_be_cancelled_and_leads_nobody():
    """The player's card waits for the second of two leaders. The ships stay in hand in both cases."""
    state = field(hand="B-JK1", ai_hand="R-JH, R-JS, R-4S", number=2, leader=("B-JK1",))
    laid, done = ai_round(
        state, 2, lambda table, seat, one: one == "R-JS" and sequence.answer_leader(table, seat, one)
    )
    assert laid == [("R-JH", "base"), ("R-JS", "led")]
    assert done.down(AI) == ["R-JS"]
    laid, done = ai_round(field(ai_hand="R-JH, R-JS, R-10C, R-5S, R-4S", number=2), 2)
    assert [one for one, _ in laid] == ["R-JH", "R-JS", "R-10C"]


@pytest.mark.clause("great-war", "GW-6.1", "GW-6.2", "GW23")
def test_the_ai_cancels_the_players_leader_at_once():
    """It uses a Bonus card before a Joker. The card is discarded without points, and no card is led."""
    state = field(hand="B-JH, B-AS, B-QS", ai_hand="R-JK1, B07, R-QS")
    done = play(state, "ATTACK 1ST: B-JH LEADS B-AS, B-QS")
    (stopped,) = done.of(LeaderStopped)
    assert (stopped.card, stopped.by) == ("B-JH", "B07")
    assert done.down(PLAYER) == ["B-JH"]
    assert done.laid(PLAYER) == ["B-JH"]
    assert done.codes() == ["no-leader", "no-leader"]
    assert done.state.piles["bonus"].discards[-1] == "B07"


@pytest.mark.clause("great-war", "GW23")
@pytest.mark.parametrize(
    ("hand", "spent"),
    [
        ("R-JK1, B07", "B07"),
        ("W05, R-JK1", "R-JK1"),
        ("B-JK2, R-JK1", "B-JK2"),
        ("W01, B-JK2", "W01"),
        ("R-QS, B08", None),
    ],
)
def test_what_is_spent_on_a_leader(hand, spent):
    assert automaton.reaction(tried(field(ai_hand=hand)), AI) == spent


# The Random Event.


def with_event(event, hand="B-QS, B-KH", ai_hand="R-QS, R-KS", ai="R-9D", me="", dice=None, **fields):
    """Return a position before this event is drawn."""
    state = field(hand=hand, ai_hand=ai_hand, ai=ai, me=me, **fields)
    stack = replace_fields(state.piles["event"], deck=tuple(event.split()))
    table = tried(replace_fields(state, piles={**state.piles, "event": stack}))
    table.dice = dice or Loaded({})
    sequence.draw_event(table)
    return After(table.now, tuple(table.events))


@pytest.mark.clause("great-war", "GW-4.1", "GW-4.2", "GW15")
def test_an_event_takes_effect_at_once():
    done = with_event("E03")
    assert done.of(EventWorks)
    assert done.state.force == ("E03",)
    assert not done.state.waits


@pytest.mark.clause("great-war", "GW-4.3", "GW43")
def test_an_event_spares_what_lies_there():
    """In a Shell Shortage, a howitzer on the table keeps its points, and one played later has three less."""
    done = with_event("E06", ai="R-KS", me="B-KH")
    assert [one.bp for one in done.state.armies[AI].row] == [15]
    after = play(
        replace_fields(done.state, armies=field(me="B-QS", hand="B-KH", ai_hand="").armies),
        "ATTACK 1ST: + B-KH",
    )
    assert [one.bp for one in after.state.armies[PLAYER].row] == [13, 12]


@pytest.mark.clause("great-war", "GW43")
def test_points_never_fall_below_nothing():
    state = field(hand="B-2H", force="E10, E10")
    assert tried(state).bp("B-4H") == 1
    assert tried(field(force="E10, E10, E10")).bp("B-4H") == 0


@pytest.mark.clause("great-war", "GW-4.6", "GW-4.7", "GW-8.1")
def test_a_discard_takes_one_card_of_each_hand_by_lot():
    """The number drawn counts in card order. The AI's card stays secret, and the player sees their own."""
    lot = Loaded({"discard/player/E05/0/2": 2, "discard/ai/E05/1/2": 1})
    done = with_event("E05", dice=lot)
    assert done.state.armies[PLAYER].hand == ("B-KH",)
    assert len(done.state.armies[AI].hand) == 1
    assert done.up(AI) == ["R-9D"]
    assert [event.seat for event in done.of(HandLost)] == [PLAYER, AI]
    (mine,) = done.of(HandLostCards)
    assert mine.seen_by == frozenset({PLAYER})
    assert mine.cards == ("B-QS",)
    assert not done.state.piles["entente"].shown


@pytest.mark.clause("great-war", "GW-4.6")
def test_an_empty_hand_loses_nothing():
    done = with_event("E05", hand="")
    assert [event.seat for event in done.of(HandLost)] == [AI]


@pytest.mark.clause("great-war", "GW-4.3")
def test_fresh_reserves_come_to_both_hands():
    done = with_event("E09")
    assert [(event.seat, event.pile, event.count) for event in done.of(Reinforced)] == [
        (PLAYER, "entente", 1),
        (AI, "central", 1),
    ]
    assert len(done.state.armies[PLAYER].hand) == 3


@pytest.mark.clause("great-war", "GW-4.3", "GW44")
@pytest.mark.parametrize(
    ("event", "one"), [("E04", "B-AS"), ("E15", "B-JH"), ("E16", "B-KH"), ("E11", "B-4S"), ("E08", "B-6H")]
)
def test_what_an_event_forbids_is_not_laid(event, one):
    done = play(field(hand=[one, "B-QS"], force=event), f"ATTACK 1ST: {one}")
    assert one not in done.laid(PLAYER)
    assert done.codes() == ["forbidden"]


@pytest.mark.clause("great-war", "GW-4.3")
def test_a_truce_is_over_in_round_2():
    done = play(field(hand="B-KH", force="E16", number=2), "ATTACK 2ND: B-KH")
    assert done.laid(PLAYER)[0] == "B-KH"


@pytest.mark.clause("great-war", "GW-4.5", "GW16")
def test_the_ai_has_to_cancel_an_event():
    """It uses the lowest card that can, and both cards are discarded."""
    done = with_event("E03", ai_hand="B06, B05, R-QS", hand="B05")
    (stopped,) = done.of(EventStopped)
    assert (stopped.seat, stopped.by) == (AI, "B05")
    assert done.state.event is None
    assert done.state.force == ()
    assert done.state.piles["event"].discards[-1] == "E03"
    assert not done.of(EventWorks)


@pytest.mark.clause("great-war", "GW16")
def test_an_event_without_effect_is_left_alone():
    done = with_event("E17", ai_hand="B05", hand="B06")
    assert not done.of(EventStopped)
    assert not done.state.waits


@pytest.mark.clause("great-war", "GW15")
def test_an_event_waits_for_a_player_who_can_cancel_it():
    done = with_event("E03", hand="B05, B-QS, B-10H")
    assert done.state.waits
    assert done.of(EventWaits)[0].seen_by == frozenset({PLAYER})
    after = play(done.state, "CANCEL EVENT WITH B05", "ATTACK 1ST: B-QS + B-10H")
    assert after.laid(PLAYER)[:2] == ["B-QS", "B-10H"]
    assert after.of(EventStopped)[0].seat == PLAYER
    after = play(done.state, "ATTACK 1ST: B-QS + B-10H")
    assert "B-10H" not in after.laid(PLAYER)
    assert after.codes() == ["forbidden"]


@pytest.mark.clause("great-war", "GW44")
def test_a_card_lost_to_the_event_is_dropped_from_the_orders():
    state = with_event("E05", hand="B05, B-QS", ai_hand="").state
    after = play(state, "ATTACK 1ST: B-QS", dice=Loaded({"discard/player/E05/0/2": 1}))
    assert after.codes() == ["not-held"]
    assert [event.detail["card"] for event in after.of(LeftOut)] == ["B-QS"]


@pytest.mark.clause("great-war", "GW-4.1", "GW37")
def test_an_event_may_bring_others():
    """The solitaire rules remove this card. If it were drawn, it would draw more events from the deck."""
    assert with_event("E02 E04 E03 E08").state.force == ("E02", "E04", "E03")
    assert with_event("E02 E04").state.force == ("E02", "E04")


@pytest.mark.clause("great-war", "GW-4.1", "GW-8.1")
def test_an_event_that_another_brought_takes_effect_too():
    """Influenza takes a card from each hand."""
    done = with_event("E02 E05 E04")
    assert [(event.seat, event.cause) for event in done.of(HandLost)] == [(PLAYER, "E05"), (AI, "E05")]


@pytest.mark.clause("great-war", "GW15")
def test_an_event_that_waits_is_stopped_by_no_other_card():
    state = field(hand="B05, B-QS", event="E03", waits=True)
    right = play(state, "CANCEL EVENT WITH B05", "PASS 1ST")
    wrong = play(state, "CANCEL EVENT WITH B-QS", "PASS 1ST")
    assert [len(done.of(EventStopped)) for done in (right, wrong)] == [1, 0]
    assert "B-QS" in wrong.state.armies[PLAYER].hand
    assert wrong.of(EventWorks)


# The Bonus phase.


def bonus(state, *rolls):
    """Return the AI's plays in the Bonus phase with these dice, and the number of dice rolled."""
    left = list(rolls)
    table = tried(state, "bonus")
    found = play_bonus(table, AI, lambda label: left.pop(0))
    done = After(table.now, tuple(table.events))
    return done.laid(AI), len(rolls) - len(left), found, done


@pytest.mark.clause("great-war", "GW-7.1")
def test_without_bonus_cards_and_jokers_nothing_is_thrown():
    assert bonus(field(ai_hand="R-QS"), 6)[:3] == ([], 0, None)


@pytest.mark.clause("great-war", "GW-7.2", "GW-7.3", "GW-7.4", "GW29")
@pytest.mark.parametrize(
    ("die", "laid"), [(1, ["R-JK1"]), (2, ["B11"]), (3, []), (4, ["B11"]), (5, []), (6, ["B11"])]
)
def test_the_die_says_what_is_laid(die, laid):
    """The enemy has no card on the table, so one die decides. The Joker becomes a wild card."""
    found, thrown, _, done = bonus(field(ai="R-QS", ai_hand="R-JK1, B11"), die)
    assert (found, thrown) == (laid, 1)
    assert why(done).clause == {1: "GW-7.3", 3: "GW-7.4", 5: "GW-7.4"}.get(die, "GW-7.2")


@pytest.mark.clause("great-war", "GW-7.6", "GW29")
@pytest.mark.parametrize(
    ("dice", "laid"),
    [((4, 2), ["B08"]), ((4, 3), ["R-JK1"]), ((1, 6), ["B08"]), ((1, 5), ["R-JK1"]), ((5,), [])],
)
def test_if_both_kinds_can_a_second_die_decides(dice, laid):
    found, thrown, _, _ = bonus(field(me="B-KH", ai_hand="B08, R-JK1"), *dice)
    assert (found, thrown) == (laid, len(dice))


@pytest.mark.clause("great-war", "GW-7.5")
def test_of_several_one_that_takes_a_card_out_goes_first():
    """Counter-Battery Fire comes before six points. Of two such cards, the higher target decides."""
    assert bonus(field(me="B-KH", ai_hand="B09, B08"), 2)[0] == ["B08"]
    assert bonus(field(me="B-QS", ai_hand="B09, B08"), 2)[0] == ["B09"]
    assert bonus(field(me="B-KH, B-4D", ai_hand="B13, B08"), 2)[0] == ["B08"]


@pytest.mark.clause("great-war", "GW-7.5")
@pytest.mark.parametrize(
    ("lying", "hand", "laid"),
    [
        ("B-JH, B-8D", "B02, B07", "B07"),
        ("B-10D, B-8D", "B08, B02", "B02"),
        ("B-JS, B-10D", "B08, B07", "B07"),
    ],
    ids=[
        "more is taken, though the swing is less",
        "as much is taken, the swing is more",
        "the first of them",
    ],
)
def test_which_cancelling_card_the_bonus_phase_prefers(lying, hand, laid):
    assert bonus(field(me=lying, ai_hand=hand), 2)[0] == [laid]


@pytest.mark.clause("great-war", "GW-7.5", "GW-7.6")
def test_what_turns_a_card_up_takes_none_out():
    """The Field Hospital restores four points. Six points come first, and no second die is rolled."""
    hurt = field(ai="R-3H!, R-2D", ai_hand="B12, B09, R-JK1", me="B-2D")
    assert [tried(hurt, "bonus").taken_points(AI, one) for one in ("B12", "B09", "R-JK1")] == [None, None, 3]
    assert bonus(hurt, 2)[:2] == (["B09"], 1)


@pytest.mark.clause("great-war", "GW21", "GW22")
def test_what_a_card_discards_leaves_the_table():
    """A cancelled card stays on the table."""
    done = bonus(field(me="B-8D, B-4D", ai_hand="B10"), 2)[3]
    assert [one.card for one in done.state.armies[PLAYER].row] == ["B-4D"]
    assert "B-8D" in done.state.piles["neutral"].discards
    done = bonus(field(me="B-KH, B-4D", ai_hand="B08"), 2)[3]
    assert [(one.card, one.up) for one in done.state.armies[PLAYER].row] == [("B-KH", False), ("B-4D", True)]


def owned(one, **fields):
    """Return a card as an owner's list could have it."""
    return replace_fields(book()[CardId(one)], **fields)


@pytest.mark.clause("great-war", "GW21")
def test_a_card_of_an_owners_list_may_take_two():
    """The Counter-Battery Fire of this list takes the highest two of three howitzers."""
    (fire,) = book()[CardId("B08")].effects
    twice = owned("B08", effects=(replace_fields(fire, n=2),))
    done = bonus(field(me="B-KH, B-KC, B-10D", ai_hand="B08", changes=(twice,)), 2)[3]
    assert done.down(PLAYER) == ["B-KH", "B-KC"]


@pytest.mark.clause("great-war", "GW20")
def test_a_bonus_card_of_an_owners_list_that_says_rounds_is_the_players_alone_there():
    both = owned("B11", timing=("round", "bonus_phase"))
    state = field(ai_hand="B11", hand="B11", number=2, changes=(both,))
    assert ai_round(state, 2)[0] == []
    assert play(state, "ATTACK 2ND: B11").laid(PLAYER) == ["B11"]


@pytest.mark.clause("great-war", "GW-8.1")
def test_a_raid_of_an_owners_list_may_cost_both_hands_a_card():
    (raid,) = book()[CardId("B01")].effects
    for who, lost in (("enemy", [PLAYER]), ("both", [AI, PLAYER])):
        card = owned("B01", effects=(replace_fields(raid, who=who),))
        table = tried(field(hand="B-QS, B-KS", ai_hand="B01, R-QS", changes=(card,)), "bonus")
        table.dice = Loaded({})
        play_bonus(table, AI, lambda label: 2)
        assert [event.seat for event in table.events if isinstance(event, HandLost)] == lost


@pytest.mark.clause("great-war", "GW-6.4")
def test_what_else_a_leader_of_an_owners_list_does_is_nothing_when_he_is_cancelled():
    """In this list, Hindenburg cancels a howitzer when he is played."""
    (leads,), (fire,) = book()[CardId("R-JS")].effects, book()[CardId("B08")].effects
    card = owned("R-JS", effects=(leads, fire))
    state = field(me="B-KH", hand="B07", ai_hand="R-JS", number=2, changes=(card,))
    assert ai_round(state, 2, sequence.answer_leader)[1].down(PLAYER) == ["B-KH"]
    assert ai_round(replace_fields(state, leader=("B07",)), 2, sequence.answer_leader)[1].down(PLAYER) == []


@pytest.mark.clause("great-war", "GW21")
def test_what_is_cancelled_is_no_target():
    table = tried(field(me="B-KH!, B-KC", ai_hand="B08"), "bonus")
    (effect,) = table.card("B08").effects
    assert [laid.card for laid in table.targets(AI, "B08", effect)] == ["B-KC"]


@pytest.mark.clause("great-war", "GW-7.2", "GW-7.3")
def test_a_class_that_is_not_held_lays_nothing():
    assert bonus(field(ai="R-QS", ai_hand="R-JK1"), 2)[:2] == ([], 1)
    assert bonus(field(ai_hand="B11"), 1)[:2] == ([], 1)


@pytest.mark.clause("great-war", "GW31")
def test_a_joker_takes_its_first_option_that_can_do_something():
    done = bonus(field(ai="R-QS", me="B-KH", ai_hand="R-JK1"), 1)[3]
    assert done.down(PLAYER) == ["B-KH"]
    done = bonus(field(ai="R-QS", ai_hand="R-JK1"), 1)[3]
    assert done.state.total(AI) == 14 + 8
    done = bonus(field(ai_hand="R-JK1"), 1)[3]
    assert done.state.total(AI) == 0


@pytest.mark.clause("great-war", "GW32")
def test_improved_doctrine_lets_an_idle_leader_lead_one_more():
    """The leader must be a base, have led fewer than three cards, and have had no help."""
    led = bonus(field(ai="R-JS", ai_hand="B04, R-AS", stage="bonus"), 2)[0]
    assert led == ["B04", "R-AS"]
    assert bonus(field(ai="R-JS!", ai_hand="B04, R-AS"), 2)[0] == ["B04"]
    assert bonus(field(ai="R-QS", ai_hand="B04, R-AS"), 2)[0] == ["B04"]


@pytest.mark.clause("great-war", "GW-7.1", "GW30")
def test_one_card_is_laid_at_most():
    assert len(bonus(field(ai_hand="B11, B09, B13"), 2)[0]) == 1


def test_the_rules_ask_whose_turn_it_is():
    assert RULES.due(field())[0].seat == PLAYER


@pytest.mark.clause("great-war", "GW32")
@pytest.mark.parametrize(("led", "idle"), [(0, "R-JS"), (2, "R-JS"), (3, None)])
def test_a_leader_who_leads_as_many_as_he_may_is_not_idle(led, idle):
    state = field()
    army = state.armies[AI]
    rows = row("R-JS") + row(["R-QS", "R-10C", "R-9D"][:led], how="led")
    state = replace_fields(state, armies={**state.armies, AI: replace_fields(army, row=rows)})
    assert idle_leader(tried(state, "bonus"), AI) == idle
