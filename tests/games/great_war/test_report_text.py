"""The report texts: sentences, tables and the picture, also with an owner's names."""

import pytest

import games
from adjudicator.reports.order_sheet import SeatView, possible_orders
from games.dice import SealedDice
from games.great_war.components import book, plain_card, printed_rows
from games.great_war.events import CardLaid, Chose, LeftOut, TurnWon
from games.great_war.model import PLAYER, AiDecision
from games.great_war.phrases import effect_text, list_items
from games.options import settle_for_new_game
from games.record import replace_fields
from tests.games.great_war.front import GAME, RULES, Loaded, dealt, field, order, play

TELL = GAME.telling


def told(done):
    """Return all sentences for the player, in order."""
    lines = [
        TELL.tell(event, PLAYER) for event in done.events if event.seen_by is None or PLAYER in event.seen_by
    ]
    return [line.text for line in lines if line is not None]


@pytest.mark.clause("great-war", "M.reason")
def test_a_round_is_told_card_by_card_with_the_ais_reason():
    """In Round 2 the howitzer's swing is larger than the swing of any other card in the AI's hand."""
    state = field(me="B-8D", hand="B-QS, B-10H", ai="R-QS, R-8C", ai_hand="R-KS, R-10C, R-AS", attacks=True)
    texts = told(play(state, "ATTACK 1ST: B-QS + B-10H"))
    assert "You: B-QS British Infantry, played, 13 BP." in texts
    assert "You: B-10H Mark IV Tanks, added to B-QS, 11 BP; cancels R-8C Heavy Machine-Guns (HMG)." in texts
    assert (
        "The AI: R-KS German 42 cm Howitzer, added to R-QS, 15 BP; cancels B-8D Reinforced Trenches." in texts
    )
    reason = next(text for text in texts if text.startswith("The AI's reason"))
    assert reason == "The AI's reason: +40 to its lead; it takes B-8D out of play."


@pytest.mark.clause("great-war", "M.reason")
@pytest.mark.parametrize(
    ("why", "hidden", "told_then"),
    [
        (
            {"measures": ("swing",), "key": (40,), "next": (37,)},
            "+40 to its lead.",
            "+40 to its lead (next best +37).",
        ),
        (
            {"measures": ("swing",), "key": (40,), "next": (40,)},
            "+40 to its lead.",
            "of two equal plays the first",
        ),
        ({"measures": ("swing",), "key": (40,)}, "+40 to its lead.", "its only possible play"),
        (
            {"measures": ("cards",), "key": (3,), "next": (2,), "case": "cards"},
            "3 cards, the most possible.",
            "3 cards, the most possible (next best 2).",
        ),
    ],
)
def test_what_else_the_ai_holds_is_told_when_its_hand_is_open(why, hidden, told_then):
    """Earlier, the full reason would reveal the hand."""
    weighed = AiDecision(**{"case": "swing", "clause": "GW-5.1"} | why)
    event = Chose(turn=1, phase="round 1", why=weighed)
    assert TELL.tell(event, PLAYER).text == f"The AI's reason: {hidden}"
    assert told_then in TELL.tell(replace_fields(event, hand_open=True), PLAYER).text


@pytest.mark.parametrize(("turn", "over"), [(4, False), (10, True)])
def test_the_ais_hand_is_open_when_the_campaign_is_over(turn, over):
    dice = Loaded({f"bonus/{turn}": 4})
    done = play(field(turn=turn, stage="bonus", me="B-QS", ai="R-QS", ai_hand="B07"), dice=dice)
    assert (done.state.ended is not None) is over
    assert {one.hand_open for one in done.of(Chose)} == {over}


@pytest.mark.clause("great-war", "GW-7.2", "GW-7.3", "GW-7.4", "GW-7.6", "GW47")
@pytest.mark.parametrize(
    ("held", "dice", "words"),
    [
        ("R-QS", {}, "The AI rolled no die: it had no card for this phase."),
        ("B07", {"bonus/2": 3}, "The AI rolled 3: it plays no card."),
        ("B07", {"bonus/2": 1}, "The AI rolled 1: a Joker, but it has none."),
        ("B07", {"bonus/2": 6}, "The AI rolled 6: a Bonus card, B07 Sniper."),
        (
            "B08, R-JK1",
            {"bonus/2": 4, "bonus-or-joker/2": 3},
            "The AI rolled 4, then 3: a Joker, R-JK1 Joker (Central Powers).",
        ),
    ],
)
def test_the_bonus_phase_tells_each_die_and_what_it_brought(held, dice, words):
    """It has its own heading, and no reason follows that would say the same again."""
    done = play(field(attacks=False, stage="bonus", me="B-KH", ai_hand=held), dice=Loaded(dice))
    lines = [TELL.tell(event, PLAYER) for event in done.events]
    bonus = [line for line in lines if line and line.heading == "Turn 2, Bonus phase"]
    assert [line.text for line in bonus[:1]] == [words]
    assert not any("reason" in line.text for line in bonus)
    assert len(bonus) == (2 if "B07 Sniper" in words or "R-JK1" in words else 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "CANCEL LEADER WITH B07, B-JK1",
            "If the AI plays a leader, you cancel it with B07 Sniper or B-JK1 Joker (Entente).",
        ),
        ("DRAW 5/3/1", "You will draw 5 Neutral, 3 Nationality and 1 Bonus cards."),
        ("TURNS 10", "You want to play ten Turns."),
        ("TURNS 5", "You want to play five Turns."),
    ],
)
def test_what_is_settled_for_later_is_told_in_words(line, words):
    assert told(play(field(hand="B-QS"), f"{line}"))[0] == words


def test_the_choice_after_turn_5_is_told_once():
    done = play(field(turn=5, stage="length"), "TURNS 5")
    assert told(done)[0] == "The campaign ends after Turn 5."


def test_a_welcome_says_what_lies_on_the_table_and_what_the_words_mean():
    """The AI has played its opening before the first card of the player."""
    state = field(ai="R-9D", hand="B-QS")
    text = " ".join(TELL.introduction(RULES.view(state, PLAYER), PLAYER))
    assert "The defender plays first, so the AI's cards already lie on the table." in text
    assert "Your hand lists the links. Each Turn has new hands." in text
    assert "Battle Points (BP)" in text
    assert "B-QH is the blue queen of hearts" in text
    alone = " ".join(TELL.introduction(RULES.view(field(hand="B-QS"), PLAYER), PLAYER))
    assert "already lie on the table" not in alone


@pytest.mark.parametrize("seed", range(12))
def test_the_examples_of_a_welcome_can_be_sent_one_after_the_other(seed):
    """The later one replaces the earlier one for the same thing, and no part of either is left out.

    A Joker was shown as CANCEL BEST WITH B-JK1 1ST, which is a second base beside ATTACK 1ST.
    """
    kind = games.kinds()["great-war"]
    options = settle_for_new_game(kind.about, {"side": "allies" if seed % 2 else "central"})
    state = RULES.setup(options, SealedDice(str(seed).encode(), "examples", 0)).state
    view, sent = RULES.view(state, PLAYER), {}
    for form in possible_orders(SeatView.of(kind, state, PLAYER)):
        given = order(state, form.example)
        sent[given.slot] = given
        dropped = [one.code for one in RULES.concerns(view, PLAYER, tuple(sent.values())) if one.drops]
        assert dropped == [], form.example


@pytest.mark.clause("great-war", "GW-9.1")
def test_the_end_of_a_turn_is_told():
    state = field(stage="bonus", number=2, me="B-QS, B-KH, B-2S", ai="R-QS, R-9D")
    done = play(state)
    texts = told(done)
    assert "You took R-QS German Infantry with the blockade B-2S Allies Naval Blockade." in texts
    (won,) = done.of(TurnWon)
    assert won.winner == PLAYER
    headline = TELL.headline([won])
    assert headline == ("You win Turn 1 by 31 to 12. Captured so far: 0 by you, 0 by the AI.")


def test_a_level_turn_and_a_saved_card_are_told():
    done = play(field(stage="bonus", me="B-QS", ai="R-QD"))
    assert any("The Turn is a tie" in text for text in told(done))
    done = play(field(stage="bonus", me="B-QS, B-KH, B14", ai="R-QS, R-KS, R-AS"))
    assert any("Saved from capture: B-KH" in text for text in told(done))


def test_what_is_left_out_is_told_as_a_failure():
    done = play(field(hand="B-QS, B-AS"), "ATTACK 1ST: B-QS + B-AS")
    (event,) = [event for event in done.events if type(event).__name__ == "LeftOut"]
    line = TELL.tell(event, PLAYER)
    assert line.failed
    assert line.text == "B-AS Georges Guynemer isn't a Plus card, so it can only be the base of a Round."


@pytest.mark.parametrize(
    ("code", "detail", "words"),
    [
        ("not-held", {"card": "B-QS"}, "B-QS British Infantry isn't in your hand."),
        ("not-in-decks", {"card": "B-QS"}, "B-QS British Infantry isn't in the decks."),
        (
            "led-too-many",
            {"card": "B-QS", "leader": "B-JH", "allowed": "2"},
            "B-QS British Infantry isn't led: B-JH Ferdinand Foch leads only 2 cards.",
        ),
        (
            "led-too-many",
            {"card": "B-QS", "leader": "B-KH", "allowed": "0"},
            "B-QS British Infantry isn't led, because B-KH French 400 mm Railway Howitzer isn't a leader.",
        ),
    ],
)
def test_a_left_out_part_is_told_without_other_choices(code, detail, words):
    """In a report, a list of other cards would be out of date."""
    assert TELL.tell(LeftOut(turn=1, phase="round 1", code=code, detail=detail), PLAYER).text == words


@pytest.mark.clause("great-war", "M.owner")
def test_an_owners_names_are_told():
    """They are in sentences, tables and the picture."""
    mine = replace_fields(
        next(plain_card(row) for row in printed_rows() if row.id == "B-QS"), name="My Own Infantry"
    )
    state = replace_fields(field(hand="B-QS"), changes=(mine,))
    done = play(state, "ATTACK 1ST: B-QS")
    assert told(done)[0] == "You: B-QS My Own Infantry, played, 13 BP."
    assert done.of(CardLaid)[0].names == {"B-QS": "My Own Infantry"}
    scene = TELL.scene(RULES.view(done.state, PLAYER), done.events)
    assert scene["sides"][1]["cards"][0]["name"] == ["My Own Infantry"]


@pytest.mark.clause("great-war", "GW47", "M.hidden")
def test_the_tables_show_what_the_player_may_see():
    state = field(
        me="B-QS, B-10H!", ai="R-QS", hand="B-KH, B07", ai_hand="R-KH, R-AS", force="E06", event="E06"
    )
    tables = {table.title: table for table in TELL.tables(RULES.view(state, PLAYER))}
    assert tables["On the table: yours, 13 Battle Points"].rows[1][-1] == "cancelled"
    assert [row[0] for row in tables["Your hand"].rows] == ["B-KH", "B07"]
    assert tables["Your hand"].rows[0][2:] == (
        "12", "reinforced trenches, infantry or tanks", "cancels fieldwork or barbed wire"
    )  # fmt: skip
    assert "Captured: a draw so far" in tables
    stands = dict(tables["Current state"].rows)
    assert stands["Cards in the AI's hand"] == "2"
    assert dict(tables["Your decisions now"].rows)["Random Event"] == (
        "E06 Shell Shortage: -3 for artillery (in force)"
    )
    assert "Random Event" not in stands
    assert stands["Against a leader"] == "no order; write CANCEL LEADER WITH B07"
    everything = str(TELL.tables(RULES.view(state, PLAYER)))
    assert "R-AS" not in everything
    assert "R-KH" not in everything
    spectator = TELL.tables(RULES.view(state, None))
    assert "B07" not in str(spectator)
    assert ("Random Event", "E06 Shell Shortage: -3 for artillery (in force)") in spectator[1].rows


def test_standing_orders_show_in_the_tables():
    state = play(field(hand="B07"), "CANCEL LEADER WITH B07", "DRAW 2/6/1", "PASS 1ST").state
    stands = dict(next(table.rows for table in TELL.tables(state) if table.title == "Current state"))
    assert stands["Against a leader"] == "B07 will cancel it"
    rows = dict(TELL.tables(replace_fields(state, leader=("B07", "B-JK1")))[1].rows)
    assert rows["Against a leader"] == "B07 or B-JK1 will cancel it"
    assert stands["Your next hand"] == "2/6/1 (Neutral/Nationality/Bonus)"


def test_every_effect_of_every_card_has_words():
    for card in book().cards.values():
        for effect in card.effects:
            assert effect_text(effect)
            assert "_" not in effect_text(effect)


def test_nothing_is_said_of_what_has_not_happened():
    assert TELL.headline(()) == "The Great War begins."
    assert list_items([]) == "none"
    state = dealt()
    assert TELL.scene(state, ())["margin"] == state.margin(PLAYER)


def test_long_names_are_parted():
    view = RULES.view(field(hand="R-7S"), PLAYER)
    (card,) = TELL.scene(view, ())["hand"]["cards"]
    assert card["name"] == ["Reconnaissance", "Aeroplane (Austro-", "Hungarian)"]
