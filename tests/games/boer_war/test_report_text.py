"""The report texts of the Boer War: sentences, odds, tables, advice, the map."""

import ast
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest
from PIL import ImageFont

from adjudicator.reports.maps import png, svg
from games.boer_war import GAMES, sequence
from games.boer_war.board import board
from games.boer_war.components import PACKAGE, Point
from games.boer_war.events import Repaired
from games.boer_war.legal_orders import open_orders
from games.boer_war.map_layout import POINT_HALF_HEIGHT, POINT_HALF_WIDTH, map_layout
from games.messages import load_messages
from games.pool import RoundCounters
from games.protocol import Objection
from tests.games.boer_war.field import RULES, play, refusal, war
from tests.kit.dice import any_dice

GAME = GAMES[0]
TELL = GAME.telling
OURS = Path(sequence.__file__).parent


def told(done) -> list[str]:
    """Return all report lines of a turn, in order."""
    return [line.text for event in done.events if (line := TELL.tell(event, None)) is not None]


def table(state, title: str) -> dict[str, tuple[str, ...]]:
    """Return the rows of a table by their first cell."""
    (found,) = [one for one in TELL.tables(state) if one.title == title]
    return {row[0]: row[1:] for row in found.rows}


@pytest.mark.clause("boer-war", "14.reply")
def test_a_battle_is_told_with_cards_and_dice() -> None:
    state = war("DWT COS 3", "BUL EST 4", boer="COS", side="empire", trenches={"boers": ("COS",)})
    done = play(
        state,
        "MOVE BUL COS",
        battle_COS_cards="C1 C2 A1 A2 T1 I1 I2 I3 M1 R1 R2",
        battle_COS_empire=1,
        battle_COS_boers=3,
    )
    texts = told(done)
    assert texts[0].startswith(
        "Buller (4 SP) attacked De Wet (3 SP) at Colenso from Estcourt and was beaten off"
    )
    assert "The Empire: Cavalry Division 4, Naval 4.7-inch guns 4, " in texts[0]
    assert "1 (die) - 1 (river) - 2 (entrenched)" in texts[0]
    assert "Buller went back from Colenso to Estcourt." in texts
    assert TELL.headline(done.events) == (
        "Buller was beaten off by De Wet at Colenso. STOP: round 1 of the Empire is over."
    )


@pytest.mark.clause("boer-war", "14.reply")
def test_a_skirmish_and_an_evasion_are_told() -> None:
    state = war("DWT REI 3", "ELL LIN 2", side="empire", turn=3)
    done = play(state, "MOVE ELL REI", evade_REI=1, skirmish_REI_empire=6, skirmish_REI_boers=1)
    texts = told(done)
    assert "De Wet couldn't evade at Reitz: 1 + 3 (Command) = 4." in texts
    (fought,) = [text for text in texts if text.startswith("Elliot (2 SP) attacked De Wet (3 SP) at Reitz")]
    assert "and won: 6 + 1 (Command) = 7 against 1 + 3 (Command) + 1 (off the railway) = 5." in fought
    away = told(play(state, "MOVE ELL REI", evade_REI=3))
    assert away[0].startswith("De Wet evaded from Reitz to ")


@pytest.mark.clause("boer-war", "8.sober")
def test_camps_are_told_soberly() -> None:
    state = war(empire="ELL KRO 2", imperial=" ".join(board().points), side="empire", turn=3, recruits=4)
    texts = told(play(state, "CAMP KRO"))
    assert texts[0] == (
        "A concentration camp was set up at Kroonstad. There are now 1, and R, the count of commando "
        "reinforcements, is 4."
    )


@pytest.mark.clause("boer-war", "2.8.chance")
def test_the_chance_of_a_further_action_is_shown_before_it_is_planned() -> None:
    draw = table(war(), "The draw")
    assert draw["Second action"] == ("4 GO! : 4 STOP, 50 %",)
    assert draw["Third action, if there is a second"] == ("3 GO! : 4 STOP, 43 %",)
    assert draw["Boers, open counters"] == ("1111 2222 333, eleven rounds left",)
    later = table(war(done=1), "The draw")
    assert later["Third action"] == ("3 GO! : 4 STOP, 43 %",)
    assert "Second action" not in later


@pytest.mark.clause("boer-war", "2.8.chance")
@pytest.mark.parametrize(
    ("open_", "second", "third"),
    [
        ((0, 0, 2), "certain, without a draw", "certain, without a draw"),
        ((1, 0, 2), "none, without a draw", None),
        ((0, 2, 1), "certain, without a draw", "1 GO! : 2 STOP, 33 %"),
        ((0, 1, 0), "certain, without a draw", "none, without a draw"),
    ],
)
def test_what_is_certain_is_shown_as_such(open_, second, third) -> None:
    ones, twos, threes = open_
    state = war(counters={"boers": RoundCounters(ones=ones, twos=twos, threes=threes)})
    draw = table(state, "The draw")
    assert draw["Second action"] == (second,)
    assert draw.get("Third action, if there is a second") == (None if third is None else (third,))


@pytest.mark.clause("boer-war", "2.7.remark")
def test_the_printed_example_is_remarked_upon_when_its_counters_lie_open() -> None:
    disputed = {"boers": RoundCounters(ones=2, twos=3, threes=1)}
    by_rule = table(war(counters=disputed), "The draw")
    assert by_rule["Third action, if there is a second"] == ("1 GO! : 3 STOP, 25 %",)
    assert "2 STOP to 1 GO!" in by_rule.get("Remark", ("",))[0]
    assert "This game follows the rule" in by_rule["Remark"][0]
    cup = table(war(counters=disputed, options={"pool": "stop_left_in_cup"}), "The draw")
    assert cup["Third action, if there is a second"] == ("1 GO! : 2 STOP, 33 %",)
    assert "This game follows the example" in cup["Remark"][0]
    assert "Remark" not in table(war(), "The draw")


@pytest.mark.clause("boer-war", "2.8.table")
def test_a_table_is_told_go_or_stop_and_shown_the_pool_alone() -> None:
    state = war(options={"mode": "table"})
    assert [one.title for one in TELL.tables(state)] == ["The draw"]
    assert TELL.scene(state, ()) is None
    went_on = play(state, "DONE", go=True)
    assert TELL.headline(went_on.events) == "GO! The Boers have a second action in round 1."
    assert "After the first action the pool holds 4 GO! and 4 STOP. GO! was drawn." in told(went_on)
    stopped = play(state, "DONE")
    assert TELL.headline(stopped.events) == "STOP: round 1 of the Boers is over."


@pytest.mark.clause("boer-war", "2.8.table", "2.end3")
def test_the_third_action_is_told_as_the_last() -> None:
    state = war(options={"mode": "table"}, done=2)
    assert TELL.headline(play(state, "DONE").events) == (
        "STOP: round 1 of the Boers is over after the third action."
    )


@pytest.mark.clause("boer-war", "14.reply")
def test_the_tables_say_how_the_war_stands() -> None:
    state = war(
        "BOT LAD 3, CRO ZEE 4",
        "WHI LAD 3, BUL EST 8",
        "KIM 2",
        "LAD 2",
        boer="COL",
        cuts=("ORS-MOD",),
        pools={"empire": 5},
        scattered={"boers": 2},
        boxes={"boers": ("MEY",)},
        fallen=("MAF",),
    )
    stands = table(state, "State of the war")
    assert stands["SP on the map"] == ("7", "13")
    assert stands["SP in the pool"] == ("0", "5")
    assert stands["SP scattered"] == ("2", "0")
    assert stands["In the Reorganization box"] == ("MEY", "none")
    assert stands["Completed sieges, 3 win"] == ("Mafeking", "")
    assert stands["Objectives held, 8 of 11 win"] == ("1", "")
    towns = table(state, "Towns and railways")
    assert towns["Siege of Ladysmith"] == ("level 2 of 6, 3 SP around, 3 inside",)
    assert towns["Railways cut"] == ("Orange River Station - Modder River",)
    assert towns["Garrisons"] == ("Kimberley 2",)
    boers = table(state, "Leaders of the Boers")
    assert boers["BOT"] == ("Louis Botha", "LAD", "3", "6", "3", "3", "C-in-C")
    assert table(state, "Leaders of the Empire")["WHI"][-1] == "besieged"


@pytest.mark.clause("boer-war", "14.reply")
def test_what_is_open_is_lawful_and_what_is_done_is_not_open() -> None:
    state = war("BOT LAD 3, CRO ZEE 4", "WHI LAD 3", besieged="LAD 2", pools={"boers": 4})
    rows = dict(open_orders(state))
    assert rows["where to SIEGE"] == "LAD"
    assert rows["MOVE (leader/reach)"] == "CRO/2 BOT/3"
    assert rows["whom to REINFORCE"] == "CRO"
    assert "where to ASSAULT" in rows
    assert "TREK (leader/reach)" not in rows
    after = dict(
        open_orders(war("BOT LAD 3", "WHI LAD 3", besieged="LAD 2", used=("siege LAD", "reinforce")))
    )
    assert "where to SIEGE" not in after
    assert "whom to REINFORCE" not in after


def test_in_the_guerrilla_war_camps_stand_against_recruits() -> None:
    state = war("DWT REI 2", "ELL KRO 2", turn=3, camps=("BLO", "PRE"), recruits=5, recruit_pool=14)
    stands = table(state, "State of the war")
    assert stands["Camps against recruits"] == ("5 recruits", "2 camps")
    assert stands["SP in the recruit pool"] == ("14", "")
    rows = dict(open_orders(state))
    assert rows["whom to REINFORCE"] == "DWT"
    assert rows["TREK (leader/reach)"].startswith("DWT/4")


def codes_raised() -> set[str]:
    """Return all codes of objections and concerns in the source files."""
    found = set()
    for file in OURS.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "IllegalOrder",
                "_once",
                "_check_length",
            ):
                found |= {
                    one.value for one in node.args if isinstance(one, ast.Constant) and "-" in str(one.value)
                }
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Concern":
                found |= {word.value.value for word in node.keywords if word.arg == "code"}
    return found


@pytest.mark.clause("boer-war", "14.wrong")
def test_every_refusal_has_words_of_its_own() -> None:
    raised = codes_raised()
    assert len(raised) > 60
    assert raised <= set(load_messages(PACKAGE)["advice"])


@pytest.mark.clause("boer-war", "14.wrong")
@pytest.mark.parametrize(
    ("given", "problem", "instead"),
    [
        ("MOVE BUL COS LAD", "Colenso is enemy-held, so a move can end there but not pass through", None),
        ("MOVE WHI COS", "White is besieged in Ladysmith and can only sally", "ASSAULT LAD"),
        (
            "MOVE CLE+BUL EST",
            "Clery isn't a Commander-in-Chief and can only move alone",
            None,
        ),
        ("REINFORCE CLE 9", "1 SP is the limit now", None),
        ("SIEGE LAD", "the Empire can't give that order in this Turn. Possible: ", None),
        ("REPAIR COS-EST", "", "REPAIR DEA-ORS"),
    ],
)
def test_a_refusal_says_what_to_write_instead(given: str, problem: str, instead: str | None) -> None:
    state = war(
        "BOT COS 3, DWT LAD 2",
        "BUL EST 4, CLE EST 2, WHI LAD 2, MET DEA 3",
        besieged="LAD 0",
        boer="COS",
        side="empire",
        pools={"empire": 4},
        cuts=("DEA-ORS",),
    )
    refused = refusal(state, given)
    assert refused is not None
    advice = TELL.advise(state, refused)
    assert advice.problem.startswith(problem)
    assert advice.instead == instead


@pytest.mark.clause("boer-war", "7.repair")
@pytest.mark.parametrize(("die", "said"), [(4, "repaired (roll 4)"), (3, "not repaired yet (roll 3)")])
def test_a_repair_is_told_with_its_throw(die: int, said: str) -> None:
    state = war(garrisons="ORS 1", side="empire", cuts=("ORS-MOD",))
    events = play(state, "REPAIR ORS-MOD", repair_ORS_MOD=die).events
    repaired = next(one for one in events if isinstance(one, Repaired))
    line = TELL.tell(repaired, None)
    assert line is not None
    assert line.text == f"The railway is {said}: Orange River Station - Modder River."


def test_long_lists_are_cut_short() -> None:
    near = " ".join(list(board().points)[:12])
    advice = TELL.advise(
        war(), Objection(code="no-haven", detail={"leader": "BUL", "at": "DUR", "near": near})
    )
    assert advice.problem.endswith("and others")
    assert advice.instead == "REORGANIZE BUL CPT"


def test_every_end_has_words() -> None:
    reasons = {
        node.value
        for node in ast.walk(ast.parse(Path(sequence.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value in load_messages(PACKAGE)["end_reasons"]
    }
    assert reasons == set(load_messages(PACKAGE)["end_reasons"])


@pytest.mark.clause("boer-war", "2.8.table")
@pytest.mark.parametrize("mode", ["table", "both"])
def test_a_whole_game_is_told_from_its_first_action_to_its_last(mode) -> None:
    """The default orders play it. Each turn has a headline, and the end has a reason."""
    done = RULES.setup({"mode": mode, "pool": "unflipped_2"}, any_dice(0))
    said, number = told(done), 0
    while dues := RULES.due(done.state):
        number += 1
        orders = {dues[0].seat: RULES.default(done.state, dues[0])}
        done = RULES.adjudicate(done.state, orders, any_dice(number))
        assert TELL.headline(done.events)
        TELL.tables(done.state)
        said += told(done)
    assert "Turn II begins, mid February to November 1900" in " ".join(said)
    assert "over: all four Turns are over." in said[-1] or " won the war: " in said[-1]


# The map.


def label_boxes() -> dict[Point, tuple[float, float, float, float]]:
    """Yield the box of each name, measured with its font."""
    fonts = files("adjudicator.reports").joinpath("fonts")
    font = ImageFont.truetype(str(fonts.joinpath("DejaVuSansCondensed.ttf")), 18)
    found = {}
    for code, spot in map_layout().spots.items():
        label, width = spot.label, font.getlength(spot.name)
        left = {"start": 0.0, "middle": width / 2, "end": width}[str(label["anchor"])]
        x, y = float(label["x"]) - left, float(label["y"])
        found[Point(code)] = (x, y - 14, x + width, y + 4)
    return found


def overlap(one, other) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_names_lie_on_the_map_and_on_nothing_else() -> None:
    """No name covers another name or the box of another point."""
    width, _ = map_layout().size
    labels = label_boxes()
    assert set(labels) == set(board().points)
    boxes = {
        code: (
            spot.at[0] - POINT_HALF_WIDTH,
            spot.at[1] - POINT_HALF_HEIGHT,
            spot.at[0] + POINT_HALF_WIDTH,
            spot.at[1] + POINT_HALF_HEIGHT,
        )
        for code, spot in map_layout().spots.items()
    }
    assert all(box[0] > 0 and box[2] < width for box in labels.values())
    assert not [pair for pair in combinations(labels, 2) if overlap(labels[pair[0]], labels[pair[1]])]
    assert not [
        (code, other)
        for code in labels
        for other in boxes
        if code != other and overlap(labels[code], boxes[other])
    ]


def test_no_two_links_cross() -> None:
    def side(p, q, r) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    lines = [(way.a, way.b) for way in board().links.values()]
    at = {code: spot.at for code, spot in map_layout().spots.items()}
    crossing = [
        (one, other)
        for one, other in combinations(lines, 2)
        if not {*one} & {*other}
        and side(at[one[0]], at[other[0]], at[other[1]]) != side(at[one[1]], at[other[0]], at[other[1]])
        and side(at[one[0]], at[one[1]], at[other[0]]) != side(at[one[0]], at[one[1]], at[other[1]])
    ]
    assert crossing == []


def test_the_map_shows_who_stands_where_and_what_was_done() -> None:
    state = war(
        "DWT COS 3, MEY LAD 2",
        "BUL EST 4, WHI LAD 3",
        "LAD 2, KIM 1",
        "LAD 4",
        boer="COS",
        cuts=("ORS-MOD",),
        blockhouses=("ORS-MOD", "KRO-VER"),
        side="empire",
        trenches={"boers": ("COS",)},
    )
    done = play(
        state,
        "MOVE BUL COS",
        battle_COS_cards="C1 C2 A1 A2 T1 I1 I2 I3 M1 R1 R2",
        battle_COS_empire=1,
        battle_COS_boers=3,
    )
    scene = TELL.scene(state, done.events)
    assert {one["text"] for one in scene["chips"]} == {"DWT 3", "MEY 2", "BUL 4", "WHI 3", "+ 2", "+ 1"}
    assert scene["sieges"][0]["text"] == "siege 4/6"
    assert sorted(one["kind"] for one in scene["marks"]) == ["blockhouse", "blockhouse", "cut"]
    assert len({one["x"] for one in scene["marks"]}) == 3
    points = {one["code"]: one for one in scene["points"]}
    assert points["COS"]["holder"] == "boers"
    assert {one["kind"] for one in points["COS"]["badges"]} == {"river", "works"}
    assert points["LAD"]["kind"] == "siege_town"
    assert len(scene["fights"]) == 1
    (attack,) = scene["arrows"]
    assert attack["failed"]
    assert sum(counter["open"] for counter in scene["sides"][0]["counters"]) == 11


def test_a_crowded_point_shows_how_many_more_there_are() -> None:
    state = war(empire="BUL CPT 1, MET CPT 1, FRE CPT 1, GAT CPT 1, CLE CPT 1, WAR CPT 1, KEL CPT 1")
    texts = [one["text"] for one in TELL.scene(state, ())["chips"]]
    assert len(texts) == 6
    assert texts[-1] == "+ 2 more"


@pytest.mark.long
def test_the_map_is_drawn() -> None:
    state = RULES.setup({"mode": "war", "pool": "unflipped_2"}, None).state
    drawn = svg(GAME, state, ())
    assert drawn is not None
    assert "Ladysmith" in drawn
    assert png(drawn)[:4] == b"\x89PNG"


def test_a_headline_tells_what_matters_in_the_order_in_which_it_happened() -> None:
    """A battle before the fall of a town, which matters more; a march only where nothing else is told."""
    fall = play(war("CRO ZEE 4"), "MOVE CRO MAF INVEST")
    march = play(war("OLI SMI 2"), "MOVE OLI ALI")
    battle = play(
        war("DWT COS 3", "BUL EST 4", boer="COS", side="empire", trenches={"boers": ("COS",)}),
        "MOVE BUL COS",
        battle_COS_cards="C1 C2 A1 A2 T1 I1 I2 I3 M1 R1 R2",
        battle_COS_empire=1,
        battle_COS_boers=3,
    )
    both = TELL.headline((*battle.events, *march.events, *fall.events))
    assert both.startswith("Buller was beaten off by De Wet at Colenso. ")
    assert "The Empire abandoned Mafeking" in both
    assert "Olivier" not in both
    assert TELL.headline(march.events).startswith("Olivier marched from")
