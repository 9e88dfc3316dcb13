"""Plans of the nations: legal orders, the order in which they are carried out, and objections."""

import pytest

from adjudicator.reports.messages import help_text
from games import kinds
from games.plains_indian_wars.events import Instructed, LeftOut, Moved, Placed
from games.plains_indian_wars.model import NATIONS_SEAT, Instruction, PlayEvent, Recover
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.report_text import PlainsTelling
from tests.kit.dice import any_dice
from tests.kit.nations import ALL_SCENARIOS, CUSTER, RULES, adjudicate_plan, plan_phase, state, table, train
from tests.kit.plains import Fixed, left_out, orders, stands

NOTATION, TELLING = PlainsNotation(), PlainsTelling()
NOW = {
    "2.1": state(**train("2.1", "N4", more="; N9: 3 Green; N8: 1 Green; N1: 2 Green")),
    "2.3": state(
        "2.3", "N4: 1 White; S4: 1 White; N9: 3 Green; S9: 2 Orange", trains={"north": "N4", "south": "S4"}
    ),
    "2.4": state("2.4", "N5: 2 Blue 4 Brown; N9: 3 Green; S9: 2 Orange; N4: 1 Blue"),
    "2.7": state(CUSTER, "N10: 8 Green; N8: 2 Green"),
}


def objection(scenario, line, **fields):
    """Return the objection to a line; None if there is none."""
    (order,) = orders(NOW[scenario], line)
    return RULES.check(NOW[scenario], NATIONS_SEAT, order)


def words(scenario, line):
    """Return the advice about a line."""
    found = objection(scenario, line)
    advice = TELLING.advise(NOW[scenario], found)
    return f"{advice.problem}; {advice.instead}" if advice.instead else advice.problem


@pytest.mark.clause("plains-indian-wars", "PIW2.turn.plan")
def test_cubes_are_placed_before_anybody_moves_and_the_fallen_come_back_first():
    play = table("2.5", "N9: 1 Green", hands={"Northern": ("NPT-02", "NPT-15")}, fallen={"Green": 29})
    plan_phase(play, "play Sitting Bull", "move 4 Green N9 - N8", "place 3 Green N9", "play Sun Dance")
    assert [type(event) for event in play.events if isinstance(event, Placed | Moved)] == [Placed, Moved]
    assert stands(play, "N8") == {"Green": 4}


@pytest.mark.clause("plains-indian-wars", "PIW2.roles.2")
def test_where_the_variant_is_silent_tribes_move_as_in_the_base_game():
    """Activations can split a region's cubes or leave none. No cube moves twice, too far or past the U.S."""
    play = table("2.5", "N5: 4 Green; N4: 2 Blue; N8: 1 Green; N1: 1 Green", hands={"Northern": ("NPT-08",)})
    plan_phase(
        play,
        *("play American Horse", "move 3 Green N5 - N9", "move 1 Green N5 - N3", "move 1 Green N5 - N4"),
        *("move 1 Green N9 - N11", "move 1 Green N8 - N10", "move 1 Green N1 - N2"),
    )
    assert {one: stands(play, one) for one in ("N5", "N9", "N4", "N8", "N10")} == {
        **{"N5": {}, "N9": {"Green": 3}, "N4": {"Blue": 2, "Green": 1}, "N8": {}, "N10": {"Green": 1}}
    }
    assert left_out(play) == ["met", "too-few", "no-activation"]


@pytest.mark.clause("plains-indian-wars", "PIW2.turn.plan")
def test_moves_are_made_in_the_order_written():
    play = table("2.5", "N9: 3 Green; N8: 2 Green; N7: 2 Green; N6: 2 Green")
    plan_phase(
        play,
        "play Dull Knife",
        "move 2 Green N6 - N7",
        "move 2 Green N8 - N9",
        "move 3 Green N9 - N4",
        "move 2 Green N7 - N8",
    )
    assert left_out(play) == ["no-activation"]
    assert stands(play, "N7") == {"Green": 4}


def test_a_cube_moves_once():
    play = table("2.5", "N9: 2 Green")
    plan_phase(play, "play Sitting Bull", "move 2 Green N9 - N8", "move 2 Green N8 - N7")
    assert left_out(play) == ["too-few"]


@pytest.mark.clause("plains-indian-wars", "PIW2.fallen")
def test_an_activation_brings_the_casualty_box_back():
    play = table("2.5", "N9: 2 Green; N8: 1 Green", fallen={"Green": 7})
    ready = play.ready["Green"]
    plan_phase(play, "play Sitting Bull", "recover")
    assert (play.ready["Green"], play.fallen["Green"]) == (ready + 7, 0)


@pytest.mark.clause("plains-indian-wars", "PIW2.standing")
def test_instructions_hold_until_they_are_changed():
    before = state("2.5", "N9: 2 Green", bag=("Black",))
    lines = ("play NPT-02", "withdraw Green at 2", "fall back N5 - N9", "fight N5 then N4")
    outcome = adjudicate_plan(before, Fixed({}, rest=3), *lines)
    assert outcome.state.standing == {
        "fall back N5": ("N9",),
        "fight": ("N5", "N4"),
        "withdraw Green": ("2",),
    }
    assert len([event for event in outcome.events if isinstance(event, Instructed)]) == 3


@pytest.mark.clause("plains-indian-wars", "PIW2.standing")
@pytest.mark.parametrize(
    ("scenario", "line", "code"),
    [
        ("2.1", "withdraw Green at 2", None),
        ("2.1", "withdraw Blue at 2", "no-such-choice"),
        ("2.1", "fall back N4 - N9", None),
        ("2.1", "fall back N4 - N7", "no-such-choice"),
        ("2.1", "strike White first", "never-asked"),
        ("2.1", "wagons by Oregon", "never-asked"),
        ("2.1", "between equals tribes leave", "never-asked"),
        ("2.7", "strike Terry then Crook", None),
        ("2.7", "strike Crook then Crook", "no-such-choice"),
        ("2.7", "fight N8 then N8", "no-such-choice"),
    ],
)
def test_only_what_the_scenario_asks_may_be_told_in_advance(scenario, line, code):
    found = objection(scenario, line)
    assert (found.code if found else None) == code


@pytest.mark.parametrize(
    ("scenario", "line", "problem"),
    [
        (
            "2.1",
            "play Red Cloud",
            "Red Cloud isn't in your hand; possible: Sitting Bull, Dull Knife or Little Wolf",
        ),
        ("2.1", "place 1 Green N5", "that tribe doesn't hold Omaha (N5) alone"),
        ("2.1", "place 2 Green NE1", "Fort Hall (NE1) isn't a home of that tribe"),
        ("2.1", "place 5 Green N8", "only 4 more can be placed"),
        ("2.1", "move 1 Green N1 - S1", "Green can't enter Sevier (S1)"),
        (
            "2.1",
            "move 3 Green N9 - N1",
            "Salt Lake City (N1) is out of reach from Yankton (N9): the limit is 3 moves",
        ),
        ("2.1", "move 9 Green N12 - N11", "Devil's Lake (N12) has no Green that can move"),
        ("2.1", "move 2 Blue N4 - N3", "Blue has no phase now; possible: Green"),
        ("2.1", "recover", "the Green Casualty Box is empty"),
        ("2.1", "play Crazy Horse in N9 against N4", "Crazy Horse isn't in your hand"),
        ("2.1", "begin", "no such order is due now"),
        ("2.3", "recover", "say whose Casualty Box; possible: Green or Orange; recover Green"),
        ("2.4", "move 2 Orange S9 - S8", "Orange has no phase now; possible: Green"),
        ("2.4", "move 3 Green N9 - N1", "and the U.S. stops a group"),
        ("2.7", "move 2 Green N8 - NE3", "Green can't enter Milk River (NE3)"),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_would_do(scenario, line, problem):
    assert problem in words(scenario, line)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("play Crazy Horse", "Crazy Horse needs a region that it can reach; possible: Yankton (N9)"),
        (
            "play Crazy Horse in N9 against N1",
            "Crazy Horse only reaches the force's region and its neighbours",
        ),
        ("play Sun Dance in N9", "Sun Dance doesn't need a region; play Sun Dance"),
        ("play Fetterman Fight in N5 against N4", "Fetterman Fight doesn't need a second region"),
    ],
)
def test_events_that_cannot_be_are_refused_with_a_reason(line, problem):
    now = state(
        "2.4",
        "N5: 4 Brown; N9: 3 Green",
        hands={"Northern": ("NPT-02", "NPT-11", "NPT-14", "NPT-15")},
    )
    (order,) = orders(now, line)
    advice = TELLING.advise(now, RULES.check(now, NATIONS_SEAT, order))
    assert problem in f"{advice.problem}; {advice.instead}"


def test_one_tribe_gives_an_event_up_and_the_other_may_not():
    hands = {"Northern": ("NPT-02", "NPT-15"), "Southern": ("SPT-13", "SPT-15")}
    now = state("2.3", trains={"north": "N4", "south": "S4"}, hands=hands)
    (due,) = RULES.due(now)
    assert {"PlayAction", "Discard"} <= set(due.accepts)
    assert [NOTATION.write(order) for order in RULES.default(now, due)] == [
        "play Sitting Bull",
        "discard Black Kettle",
    ]
    refused = RULES.check(now, NATIONS_SEAT, orders(now, "discard Sun Dance")[0])
    assert TELLING.advise(now, refused).problem == "you have a War Party card; possible: Sitting Bull"


def test_what_would_be_left_out_of_a_plan_is_said_beforehand():
    plan = orders(NOW["2.1"], "play Little Wolf", "place 4 Green N8", "move 3 Green N9 - N8")
    (concern,) = RULES.concerns(NOW["2.1"], NATIONS_SEAT, plan)
    assert (concern.code, concern.detail["order"]) == ("too-many", "1")
    assert RULES.concerns(NOW["2.1"], NATIONS_SEAT, plan[2:]) == ()


def test_looking_ahead_throws_no_dice():
    now = state(
        "2.5", "N9: 3 Green; N5: 4 Brown", hands={"Northern": ("NPT-02", "NPT-11", "NPT-13")}, union=2
    )
    plan = orders(now, "play NPT-02", "play Crazy Horse in N9 against N5", "move 3 Green N9 - N5")
    assert RULES.concerns(now, NATIONS_SEAT, plan) == ()


def test_an_order_that_comes_to_nothing_is_told():
    before = state("2.5", "N9: 2 Green", bag=("Black",))
    wanted = [*orders(before, "play NPT-02"), PlayEvent(card="NPT-11", at="N9"), Recover()]
    outcome = RULES.adjudicate(before, {NATIONS_SEAT: wanted}, Fixed({}, rest=3))
    assert [event.why.code for event in outcome.events if isinstance(event, LeftOut)] == [
        "not-in-hand",
        "nobody-fell",
    ]


@pytest.mark.parametrize(
    ("scenario", "text", "meant"),
    [
        ("2.1", "send three Green from Yankton to Fort Kearny", "move 3 Green N9 - N4"),
        ("2.1", "move N9 - N4", "move all Green N9 - N4"),
        ("2.1", "put 2 cubes in Pine Ridge", "place 2 Green N8"),
        ("2.3", "move S9 - S8", "move all Orange S9 - S8"),
        ("2.3", "place 1 at S9", "place 1 Orange S9"),
        ("2.3", "recover Orange casualties", "recover Orange"),
        ("2.4", "recover Green", "recover"),
        ("2.7", "strike Custer first", "strike White first"),
        ("2.7", "play Crazy Horse in N8 against N3", "play Crazy Horse in N8 against N3"),
        ("2.7", "use Roman Nose in Black Hills", "play Roman Nose in N10"),
    ],
)
def test_people_write_plans_in_words(scenario, text, meant):
    (order,) = orders(NOW[scenario], text)
    assert NOTATION.write(order) == meant
    assert orders(NOW[scenario], meant) == [order]


def test_cards_and_colours_are_those_of_the_scenario():
    names = {
        scenario: {term.id for term in NOTATION.lexicon(now) if term.sort in ("action", "event", "colour")}
        for scenario, now in NOW.items()
    }
    assert "SPT-11" not in names["2.1"]
    assert {"NPT-11", "SPT-11", "Green", "Orange"} <= names["2.3"]
    assert not any(one.startswith("CAV") for some in names.values() for one in some)
    assert Instruction(topic="strike", says=("White",)).slot == "strike"


@pytest.mark.parametrize("scenario", ["1", *ALL_SCENARIOS])
def test_the_examples_of_a_scenario_are_read_in_it(scenario):
    """There is no example about wagons, because the player doesn't control them."""
    now = RULES.setup({"scenario": scenario}, any_dice()).state
    shown = NOTATION.examples(now)
    assert len({form.name for form in shown}) == len(shown)
    for form in shown:
        assert len(orders(now, form.example)) == 1
    names = {form.name for form in shown}
    assert ("wagons" in names) == (scenario == "1")
    assert ("strike" in names) == (scenario == CUSTER)


def test_help_shows_the_orders_of_the_scenario():
    game = kinds()["plains-indian-wars"]
    told = help_text("orders", game, NOW["2.1"])
    assert "play Red Cloud" in told
    assert "Fort Laramie" not in told
    assert "Fort Laramie" in help_text("orders", game)
