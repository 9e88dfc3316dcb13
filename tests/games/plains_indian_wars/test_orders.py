"""The text of orders, objections to illegal orders, and concerns about whole plans."""

import pytest

from games.messages import load_messages
from games.plains_indian_wars.events import LeftOut
from games.plains_indian_wars.legality import concerns, objection
from games.plains_indian_wars.model import ALL_CUBES, Instruction, Move, Place
from games.plains_indian_wars.notation import PlainsNotation
from games.plains_indian_wars.report_text import PlainsTelling
from games.plains_indian_wars.rules import PlainsRules
from tests.kit.dice import any_dice
from tests.kit.plains import card, orders, state

NOTATION, RULES, TELLING = PlainsNotation(), PlainsRules(), PlainsTelling()


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("move 2 blue from Omaha to Cheyenne", "move 2 Blue N5 - N3"),
        ("send two cavalry and 3 settlers N5 -> N3", "move 2 Blue 3 Brown N5 - N3"),
        ("move 3 settlers, 1 cavalry STL to S5", "move 1 Blue 3 Brown STL - S5"),
        ("march all Brown St. Louis - Fort Riley", "move all Brown STL - S5"),
        ("move N5 - N3", "move all Blue N5 - N3"),
        ("move 1 Blue NE1 - the Rockies", "move 1 Blue NE1 - SAC"),
        ("put 2 cubes in Sacramento", "place 2 Blue SAC"),
        ("place a Blue cube in St. Louis", "place 1 Blue STL"),
        ("use Nelson Miles against Black Hills", "play Nelson Miles in N10"),
        ("play circle the wagons", "play Circle the Wagons"),
        ("no purple cube in the north", "no cube north"),
        ("bring back casualties", "recover"),
        ("engage N8, Cheyenne and S4", "fight N8 then N3 then S4"),
        ("never withdraw cavalry", "withdraw Blue never"),
        ("withdraw Brown when 2 or fewer", "withdraw Brown at 2"),
        ("lose Blue first", "lose Blue then Brown then Purple"),
        ("Purple sits out", "sit out Purple"),
        ("between equals the tribes leave", "between equals tribes leave"),
        ("between equals we leave", "between equals we leave"),
        ("wagons via the California Trail", "wagons by California"),
        ("one wagon takes Oregon", "1 wagon by Oregon"),
        ("2 wagons by W-N5b", "2 wagons by California"),
        ("drive the tribes from N3 to Powder River", "drive N3 - N7"),
        ("fall back from Cheyenne to N4", "fall back N3 - N4"),
        ("start the game", "begin"),
    ],
)
def test_orders_are_read_as_people_write_them(line, canonical):
    (order,) = orders(state(), line)
    assert NOTATION.write(order) == canonical
    assert orders(state(), canonical) == [order]


def test_what_is_left_unsaid_is_completed_from_the_phase():
    assert orders(state("", "Brown"), "place 2 STL") == [Place(count=2, colour="Brown", at="STL")]
    assert orders(state("", "Purple"), "move NE1 - NE2") == [
        Move(cubes={"Purple": ALL_CUBES}, start="NE1", to="NE2")
    ]


UNLAWFUL = [
    ("Purple", "", "play Fort Laramie", "not-now"),
    ("Blue", "", "play Alfred Terry", "not-in-hand"),
    ("Blue", "", "play Nelson Miles in N3", "not-in-hand"),
    ("Blue", "", "place 2 Brown STL", "other-disc"),
    ("Blue", "", "place 2 Blue N5", "no-place-there"),
    ("Blue", "", "place 5 Blue STL", "too-many"),
    ("Purple", "", "place 2 Purple NE1", "too-many"),
    ("Blue", "N5: 1 Blue", "move 2 Blue N5 - N3", "too-few"),
    ("Blue", "N5: 1 Blue", "move 1 Blue N5 - NE1", "too-far"),
    ("Blue", "NE2: 1 Blue", "move 1 Blue NE2 - NE6", "barred"),
    ("Blue", "N5: 1 Blue 3 Brown", "move 1 Blue 3 Brown N5 - N4", "no-influence"),
    ("Blue", "N5: 1 Blue 3 Brown", "move 2 Brown N5 - N4", "no-influence"),
    ("Blue", "", "recover", "nobody-fell"),
    ("Blue", "", "fall back N3 - S9", "no-such-choice"),
    ("Blue", "", "drive N3 - S3", "no-such-choice"),
    ("Blue", "", "Custer in S3", "no-such-choice"),
    ("Blue", "", "fight N3 then N3", "no-such-choice"),
]


@pytest.mark.parametrize(("disc", "board", "line", "code"), UNLAWFUL)
def test_what_cannot_be_is_refused_with_a_reason_in_words(disc, board, line, code):
    now = state(board, disc)
    (order,) = orders(now, line)
    said = objection(now, order)
    assert said.code == code
    advice = TELLING.advise(now, said)
    assert "{" not in advice.problem + (advice.instead or "")
    assert advice.problem[0].islower() or advice.problem[0].isupper()


def test_every_code_has_words():
    codes = {code for *_, code in UNLAWFUL}
    assert codes <= set(load_messages("games.plains_indian_wars")["advice"])


@pytest.mark.parametrize(
    ("line", "problem", "instead"),
    [
        (
            "place 2 Blue N5",
            "you can't place cubes of this phase in Omaha (N5); possible: Sacramento or St. Louis",
            "place 1 at SAC",
        ),
        (
            "play Alfred Terry",
            "Alfred Terry isn't in your hand; possible: Fort Leavenworth, Fort Laramie or Fort Riley",
            None,
        ),
        ("move 2 Blue N5 - N3", "Omaha (N5) has only 1 Blue that can move", None),
    ],
)
def test_advice_says_what_would_do(line, problem, instead):
    now = state("N5: 1 Blue")
    advice = TELLING.advise(now, objection(now, orders(now, line)[0]))
    assert (advice.problem, advice.instead) == (problem, instead)


def test_a_plan_may_lean_on_its_other_orders():
    """A move of cubes that aren't placed yet is legal by itself, and so is a move that needs a card."""
    now = state("N4: 1 Green", hands={"Cavalry": ("CAV-01", card("Nelson Miles"))})
    for line in ("move 3 Blue STL - N5", "move 2 Blue STL - N4"):
        assert objection(now, orders(now, line)[0]) is None


def test_an_event_wants_its_region_or_none():
    now = state(
        "", "Brown", hands={"Settlers": (card("Buffalo Bill Cody"), card("Circle the Wagons"), "SET-01")}
    )
    codes = [
        objection(now, orders(now, line)[0]).code
        for line in ("play Buffalo Bill Cody", "play Buffalo Bill Cody in N8", "play Circle the Wagons in N5")
    ]
    assert codes == ["wants-region", "wants-region", "no-region"]


def test_a_plan_that_asks_too_much_is_a_concern():
    """The reply mentions it, before the turn runs."""
    now = state("STL: 2 Blue")
    plan = orders(
        now,
        "play Fort Laramie",
        "place 3 Blue STL",
        "place 3 Blue SAC",
        "move 9 Blue STL - N5"[:0] or "recover",
    )
    said = concerns(now, [one for one in plan if objection(now, one) is None])
    assert [(one.code, one.detail["count"]) for one in said] == [("too-many", "1")]
    assert TELLING.advise(now, said[0]).problem == "only 1 more can be placed"
    assert concerns(now, plan[1:2]) == (), "without its card a plan is not judged yet"


def test_unlawful_orders_that_reach_the_rules_are_told():
    now = state("", bag=("White",))
    plan = orders(now, "play Fort Laramie", "place 5 Blue STL")
    outcome = RULES.adjudicate(now, {"US": plan}, any_dice(1))
    (left,) = [event for event in outcome.events if isinstance(event, LeftOut)]
    line = TELLING.tell(left, None)
    assert line.failed
    assert line.text == "place 5 Blue STL: not carried out, because only 4 more can be placed."


@pytest.mark.clause("plains-indian-wars", "PIW1.standing")
def test_a_standing_instruction_holds_until_another_takes_its_place():
    now = state("", bag=("White", "Blue"))
    first = orders(now, "play Fort Laramie", "withdraw Blue at 2", "wagons by California")
    after = RULES.adjudicate(now, {"US": first}, any_dice(1)).state
    assert after.standing == {"trail": ("California",), "withdraw Blue": ("2",)}
    again = RULES.adjudicate(
        state("", standing=after.standing),
        {"US": orders(now, "play Fort Laramie", "withdraw Blue never")},
        any_dice(1),
    )
    assert again.state.standing == {"trail": ("California",), "withdraw Blue": ("0",)}
    assert Instruction(topic="withdraw", about="Blue", says=("0",)).slot == "withdraw Blue"
