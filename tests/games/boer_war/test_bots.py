"""The four lists of priorities: the item that decides in a position, and its criterion."""

from typing import Any

import pytest

from games.boer_war import GAMES, bots
from games.boer_war.board import board
from games.boer_war.event_counters import event_orders
from games.boer_war.model import Garrison, Move
from games.boer_war.setup import starting_state
from games.messages import sentence
from games.pool import RoundCounters
from tests.games.boer_war.field import NOTATION, RULES, war
from tests.kit.dice import any_dice

ODD, EVEN = RoundCounters(), RoundCounters(ones=3, twos=4, threes=3)
"""The counters before the first and before the second round of a side."""


def chosen(state) -> tuple[str, str]:
    """Return the order of the bot, and the clause of the item that decided."""
    choices = bots.choose_orders(state)
    for choice in choices:
        assert RULES.check(state, state.seat(state.side), choice.order) is None
        assert choice.reason
    (decision,) = [one for choice in choices for one in choice.decisions]
    return NOTATION.write(choices[-1].order), decision.clause


def empire(boers: str = "", empire: str = "", garrisons: str = "", besieged: str = "", **fields):
    """Return a position at the Empire's second action, where items for a first action don't apply."""
    fields = {"done": 1, **fields}
    return war(boers, empire, garrisons, besieged, side="empire", **fields)


EVERYWHERE = " ".join(board().points)


@pytest.mark.clause("boer-war", "13.2")
@pytest.mark.parametrize(
    ("state", "order", "clause"),
    [
        pytest.param(
            empire("DLR LIC 1", "MET VRY 5", "ORS 1", cuts=("ORS-MOD",)),
            "REPAIR ORS-MOD",
            "13.2.1",
            id="a cut that starves five SP is repaired",
        ),
        pytest.param(
            empire("BOT PRE 3", "ROB SPR 7", turn=2, imperial="SPR"),
            "MOVE ROB BLO",
            "13.2.2",
            id="the main effort walks into an empty centre",
        ),
        pytest.param(
            empire(
                "BOT KRO 1, DWT LIN 1",
                "ROB BRA 8, KIT BRA 4",
                turn=2,
                imperial="SPR BLO BRA",
                used=("moved ROB",),
            ),
            "MOVE ROB+KIT KRO",
            "13.2.2",
            id="it attacks what bars the way",
        ),
        pytest.param(
            empire(empire="ROB CPT 7", turn=2),
            "MOVE ROB DEA",
            "13.2.2",
            id="it marches before it goes by rail",
        ),
        pytest.param(
            empire(
                "BOT LAD 3",
                "ROB SPR 7, WHI LAD 1",
                besieged="LAD 3",
                turn=2,
                imperial="SPR",
                pools={"empire": 2},
            ),
            "MOVE ROB FOU",
            "13.2.3",
            id="no main effort while a town is in danger",
        ),
        pytest.param(
            empire(empire="BUL DUR 3, MET DUR 3", done=0, pools={"empire": 3}),
            "REINFORCE BUL",
            "13.2.4",
            id="a Commander-in-Chief is reinforced first",
        ),
        pytest.param(
            empire(empire="MET DEA 2", done=0, counters={"empire": EVEN}),
            "EVENT E02",
            "13.2.5",
            id="an event in the first slot of an even round",
        ),
        pytest.param(
            empire("CRO KIM 1", "MET MOD 5", "KIM 2", "KIM 2"),
            "MOVE MET KIM",
            "13.2.3",
            id="a town is relieved",
        ),
        pytest.param(
            empire("CRO KIM 2", "MET MOD 2", "KIM 2", "KIM 4", done=0, pools={"empire": 3}),
            "MOVE MET KIM",
            "13.2.3",
            id="a town that is about to fall is relieved at worse odds, before anybody is reinforced",
        ),
        pytest.param(
            empire("PRN LAD 3", "WHI LAD 4", besieged="LAD 0", done=0, pools={"empire": 3}),
            "ASSAULT LAD",
            "13.2.3",
            id="the besieged break out",
        ),
        pytest.param(
            empire("CRO KIM 6", "MET DEA 3, BUL CPT 5", "KIM 2", "KIM 2", done=0, pools={"empire": 3}),
            "RAIL BUL MOD",
            "13.2.3",
            id="the largest stack goes to the relief first",
        ),
        pytest.param(
            empire("CRO KIM 5, DLR MAF 4", "MET WOL 5", "KIM 2, MAF 1", "KIM 0, MAF 4"),
            "MOVE MET VRY",
            "13.2.3",
            id="of two towns as near the one is relieved that is nearer to its fall",
        ),
        pytest.param(
            empire("CRO KIM 6", "MET DEA 2", "KIM 2", "KIM 2", scattered={"empire": 2}),
            "REORGANIZE MET",
            "13.2.8",
            id="what is scattered comes back",
        ),
        pytest.param(
            empire("CRO COL 6", "BUL CPT 8", boer="COL"),
            "RAIL BUL NAA",
            "13.2.9",
            id="the largest stack goes where it is safe",
        ),
        pytest.param(
            empire("CRO COL 6", "BUL NAA 6, MET DEA 4", used=("moved BUL",)),
            "MOVE MET NAA",
            "13.2.10",
            id="smaller leaders come up",
        ),
        pytest.param(
            empire("CRO COL 6", "BUL NAA 6", used=("moved BUL",)),
            "ENTRENCH NAA",
            "13.2.12",
            id="nothing else to do but to dig in",
        ),
    ],
)
def test_the_empire_in_regular_war(state, order, clause):
    assert chosen(state) == (order, clause)


@pytest.mark.clause("boer-war", "13.2")
def test_the_only_force_of_a_town_stays_while_boers_are_near():
    state = empire("BOT DUN 1", "WHI LAD 4", used=("reinforce",))
    assert chosen(state)[0] != "MOVE WHI DUN"
    far = empire("BOT PRE 1", "WHI LAD 4", used=("reinforce",), turn=2, boer="DUN NEW")
    assert chosen(far)[0].startswith(("MOVE WHI", "RAIL WHI"))


@pytest.mark.clause("boer-war", "13.2")
def test_naval_guns_go_with_the_attack_that_is_played():
    state = empire("BOT COS 2", "BUL EST 6", boer="COS", kept={"E02": ""}, used=("reinforce",))
    assert chosen(state) == ("MOVE BUL COS GUNS", "13.2.6")


TARGETS = "KIM MAF LAD STO ALI NAA COL DEA VRY EST PMB"
"""All objectives. If the Boers hold them, no leader goes for one."""


@pytest.mark.clause("boer-war", "13.3")
@pytest.mark.parametrize(
    ("state", "order", "clause"),
    [
        pytest.param(
            war("CRO MAF 6", garrisons="MAF 1", besieged="MAF 0"),
            "ASSAULT MAF",
            "13.3.1",
            id="a town that would fall to a storm is stormed",
        ),
        pytest.param(
            war("CRO KIM 3", "WHI LAD 3", "KIM 2", "KIM 3", used=("siege KIM",), counters={"boers": EVEN}),
            "EVENT B01 KIM",
            "13.3.2",
            id="an event in the first slot of an even round",
        ),
        pytest.param(
            war("JOU NEW 5", "SYM GRE 1, MUR DUN 1", boer="NEW"),
            "MOVE JOU DUN",
            "13.3.3",
            id="a weak force is attacked",
        ),
        pytest.param(
            war("DLR JAC 1", "MET VRY 5", boer="MAF LAD"),
            "CUT ORS-MOD",
            "13.3.4",
            id="the railway is cut behind a column that lives on it",
        ),
        pytest.param(
            war("CRO ZEE 4, DLR LIC 1", garrisons="MAF 1", fallen=("LAD", "KIM"), boer="LAD KIM"),
            "MOVE CRO MAF",
            "13.3.5",
            id="a town is invested by whoever has two SP",
        ),
        pytest.param(
            war("CRO KIM 3, BOT LAD 3", "WHI LAD 3", "KIM 2", "KIM 3, LAD 3"),
            "SIEGE KIM",
            "13.3.6",
            id="the siege that is nearest to its end",
        ),
        pytest.param(
            war("CRO KIM 3, BOT LAD 3", "WHI LAD 3", "KIM 2", "KIM 3, LAD 3", used=("siege KIM",)),
            "ENTRENCH KIM",
            "13.3.11",
            id="one SIEGE is enough for a round",
        ),
        pytest.param(
            war(
                "CRO KIM 3, BOT LAD 3",
                "WHI LAD 3",
                "KIM 2",
                "KIM 3, LAD 3",
                used=("siege KIM",),
                fallen=("MAF",),
                boer="MAF",
            ),
            "SIEGE LAD",
            "13.3.6",
            id="when a town has fallen, every siege is pressed",
        ),
        pytest.param(
            war("OLI SMI 2, SCH SPR 1", garrisons="STO 1", boer="KIM MAF LAD"),
            "MOVE OLI ALI",
            "13.3.7",
            id="a target that nobody holds is taken",
        ),
        pytest.param(
            war("CRO PAA 1, OLI BLO 2", "MET MOD 7, BUL JAC 3", boer=TARGETS, pools={"boers": 3}),
            "REINFORCE CRO",
            "13.3.8",
            id="who faces the largest enemy is reinforced",
        ),
        pytest.param(
            war("OLI SMI 2", "BUL COL 7", boer=TARGETS, used=("reinforce",), imperial="COL"),
            "MOVE OLI FAU",
            "13.3.10",
            id="the way to Bloemfontein is barred",
        ),
        pytest.param(
            war("CRO MAF 3", garrisons="MAF 1", besieged="MAF 0", used=("siege MAF", "reinforce")),
            "ENTRENCH MAF",
            "13.3.11",
            id="besiegers dig in",
        ),
    ],
)
def test_the_boers_in_regular_war(state, order, clause):
    assert chosen(state) == (order, clause)


@pytest.mark.clause("boer-war", "13.3")
def test_no_siege_is_raised_for_an_attack():
    """Cronje alone must keep up the siege. With another force there Cronje can leave."""
    alone = war("CRO MAF 6", "PLU LIC 1", "MAF 6", "MAF 0", used=("siege MAF",), boer="LAD KIM")
    assert chosen(alone)[1] != "13.3.3"
    two = war("CRO MAF 6, DLR MAF 2", "PLU LIC 1", "MAF 6", "MAF 0", used=("siege MAF",), boer="LAD KIM")
    assert chosen(two)[1] == "13.3.3"


@pytest.mark.clause("boer-war", "13.3")
def test_no_storm_that_would_fail_and_no_cut_that_starves_few():
    """Three SP at Mafeking go on with the siege. Three SP at Vryburg are not worth a cut of the railway."""
    weak = war("CRO MAF 3", garrisons="MAF 1", besieged="MAF 0")
    assert chosen(weak) == ("SIEGE MAF", "13.3.6")
    few = war("DLR JAC 1", "MET VRY 3", boer="MAF LAD")
    assert chosen(few)[1] != "13.3.4"


ENOUGH = ("KRO", "BLO", "PRE")
"""Enough camps in a position without recruits."""


@pytest.mark.clause("boer-war", "13.4")
@pytest.mark.parametrize(
    ("state", "order", "clause"),
    [
        pytest.param(
            empire("DWT REI 2", "ELL KRO 2", turn=3, imperial=EVERYWHERE, cuts=("BRA-KRO", "KRO-VER")),
            "REPAIR BRA-KRO",
            "13.4.1",
            id="what parts camp sites from the ports is repaired",
        ),
        pytest.param(
            empire("DWT REI 2", "ELL KRO 2, KNO HAR 2", turn=3, imperial=EVERYWHERE),
            "CAMP HAR",
            "13.4.2",
            id="a camp next to most Boers",
        ),
        pytest.param(
            empire(
                "DWT OOK 2",
                "ELL PRE 2",
                turn=3,
                done=0,
                counters={"empire": EVEN},
                imperial=EVERYWHERE,
                camps=ENOUGH,
            ),
            "EVENT E09",
            "13.4.3",
            id="an event in the first slot of an even round",
        ),
        pytest.param(
            empire("DWT RUS 3", "ELL PRE 2", turn=3, imperial=EVERYWHERE, camps=ENOUGH),
            "BLOCKHOUSE JOH-PRE",
            "13.4.8",
            id="the line to Pretoria and beyond, which Boers could cut, is guarded",
        ),
        pytest.param(
            empire("DWT OOK 2", "ELL PRE 2", turn=3, imperial=EVERYWHERE, camps=("PRE",), used=("camp",)),
            "MOVE ELL JOH",
            "13.4.4",
            id="a leader goes to a bare camp site",
        ),
        pytest.param(
            empire(
                "HAA SPR 2, SMU LIC 3",
                "ELL SMI 2, KNO FAU 2, BEN BLO 2, HAM ZEE 5",
                turn=3,
                imperial=EVERYWHERE,
                camps=board().flagged["camp site"],
            ),
            "DRIVE SPR BEN ELL KNO",
            "13.4.5",
            id="three columns close in on Haasbroek on the railway",
        ),
        pytest.param(
            empire("DWT LIN 2", "ELL VER 3", turn=3, imperial=EVERYWHERE, camps=ENOUGH, cuts=("VER-HEI",)),
            "REPAIR VER-HEI",
            "13.4.6",
            id="a cut is repaired before a lone column goes after anybody",
        ),
        pytest.param(
            empire("HAA REI 2", "HAM LIN 3, KNO BTH 2", turn=3, imperial=EVERYWHERE, camps=ENOUGH),
            "DRIVE REI HAM KNO",
            "13.4.7",
            id="a drive with whoever reaches them",
        ),
        pytest.param(
            empire("DWT OOK 2", "ELL REI 2", turn=3, imperial=EVERYWHERE, camps=ENOUGH),
            "MOVE ELL BRA",
            "13.4.9",
            id="the strongest leader closes in",
        ),
        pytest.param(
            empire("DWT OOK 2", "ELL REI 2", turn=3, imperial=EVERYWHERE, camps=ENOUGH, used=("moved ELL",)),
            "BLOCKHOUSE BLO-BRA",
            "13.4.10",
            id="blockhouses where Boers are near",
        ),
        pytest.param(
            empire(
                "DWT OOK 2",
                "ELL REI 2",
                turn=3,
                imperial=EVERYWHERE,
                camps=ENOUGH,
                used=("moved ELL",),
                blockhouses=tuple(link for link, way in board().links.items() if way.rail)[:12],
                pools={"empire": 4},
            ),
            "REINFORCE ELL",
            "13.4.11",
            id="else the best leader is reinforced",
        ),
    ],
)
def test_the_empire_in_the_guerrilla_war(state, order, clause):
    given, by = chosen(state)
    assert by == clause
    assert given == order


@pytest.mark.clause("boer-war", "13.4")
def test_who_leaves_a_camp_site_leaves_a_garrison():
    state = empire("DWT OOK 2", "ELL PRE 3", turn=3, imperial=EVERYWHERE, used=("camp",))
    orders = [choice.order for choice in bots.choose_orders(state)]
    assert orders == [Garrison(leader="ELL", at="PRE"), Move(leaders=("ELL",), path=("MAF",))]


@pytest.mark.clause("boer-war", "13.4")
def test_camps_enough_leave_the_action_to_a_drive():
    """Two camps ahead of R are not enough, but three are. Each recruit calls for another camp."""
    there = {
        "boers": "HAA REI 2",
        "empire": "HAM LIN 3, KNO BTH 2, ELL KRO 2",
        "turn": 3,
        "imperial": EVERYWHERE,
    }
    assert chosen(empire(**there, camps=("BLO", "PRE"))) == ("CAMP KRO", "13.4.2")
    assert chosen(empire(**there, camps=("BLO", "PRE", "JOH")))[1] == "13.4.7"
    assert chosen(empire(**there, camps=("BLO", "PRE", "JOH"), recruits=1)) == ("CAMP KRO", "13.4.2")


@pytest.mark.clause("boer-war", "13.4")
def test_nobody_rides_off_who_holds_a_site_for_the_next_camp():
    """Ian Hamilton stays at Heilbron, where the next camp is possible.

    With a garrison there Hamilton leaves too.
    """
    there = {"boers": "HAA LIN 2", "empire": "HAM HEI 4, BEN SEN 8", "turn": 3, "imperial": EVERYWHERE}
    enough = {"camps": ENOUGH, "used": ("moved BEN",)}
    assert chosen(empire(**there, **enough))[0] == "DRIVE LIN BEN"
    assert chosen(empire(**there, **enough, garrisons="HEI 1"))[0] == "DRIVE LIN BEN HAM"


@pytest.mark.clause("boer-war", "13.5")
@pytest.mark.parametrize(
    ("state", "order", "clause"),
    [
        pytest.param(
            war("DWT KRO 3", garrisons="HEI 1", turn=3, recruit_pool=9, imperial=EVERYWHERE),
            "RAID VER-HEI",
            "13.5.2",
            id="the branch to a camp site is cut",
        ),
        pytest.param(
            war("DWT REI 2, HAA SEN 1", turn=3, recruit_pool=9),
            "REINFORCE HAA",
            "13.5.1",
            id="the weakest recruits",
        ),
        pytest.param(
            war("DWT REI 3", turn=3, recruit_pool=9, counters={"boers": EVEN}),
            "EVENT B09 DWT ALI",
            "13.5.3",
            id="an event in the first slot of an even round",
        ),
        pytest.param(
            war("DWT REI 3", "ELL LIN 2, KNO BTH 2, BEN VRD 2", turn=3, recruit_pool=9),
            "TREK DWT PRE",
            "13.5.4",
            id="out of a ring of three columns",
        ),
        pytest.param(
            war("DWT SEN 3", garrisons="HEI 1", turn=3, recruit_pool=9, imperial=EVERYWHERE),
            "TREK DWT FRK",
            "13.5.5",
            id="a full commando rides to where a camp site hangs on one line",
        ),
        pytest.param(
            war("DWT REI 3", "RUN LIN 1", turn=3, recruit_pool=9),
            "TREK DWT LIN",
            "13.5.6",
            id="a weak column is struck",
        ),
        pytest.param(
            war("DWT REI 3", garrisons="KRO 1", turn=3, recruit_pool=9, imperial=EVERYWHERE),
            "TREK DWT KRO",
            "13.5.6",
            id="a garrison is struck that could set up a camp",
        ),
        pytest.param(
            war("DWT LIN 3", turn=3, recruit_pool=9, imperial="SPR BLO BRA KRO COL NAA CRA PEL"),
            "RAID BRA-KRO",
            "13.5.7",
            id="a line is wrecked that leads to a site",
        ),
        pytest.param(
            war("DWT REI 2", turn=3, recruit_pool=9, recruited=("REI",)),
            "TREK DWT BTH",
            "13.5.8",
            id="a leader goes where recruits are",
        ),
        pytest.param(
            war("DWT OOK 2", turn=3, scattered={"boers": 2}),
            "REORGANIZE DWT",
            "13.5.9",
            id="what is scattered comes back",
        ),
    ],
)
def test_the_boers_in_the_guerrilla_war(state, order, clause):
    assert chosen(state) == (order, clause)


@pytest.mark.clause("boer-war", "13.5")
def test_nobody_attacks_where_nothing_is_gained():
    """Botha doesn't attack Durban, where Boers don't recruit.

    De Wet doesn't attack a point without a camp site.
    """
    durban = war("BOT GRE 3", garrisons="DUR 2", turn=3, recruit_pool=9, imperial=EVERYWHERE)
    assert not NOTATION.write(bots.choose_orders(durban)[-1].order).startswith("TREK BOT DUR")
    post = war("DWT REI 3", garrisons="LIN 1", turn=3, recruit_pool=9, imperial=EVERYWHERE)
    assert chosen(post)[1] != "13.5.6"


@pytest.mark.clause("boer-war", "13.5")
def test_the_railway_is_cut_where_nobody_mends_it_though_more_hangs_on_another_line():
    """Standerton and Volksrust depend on Heidelberg with its garrison, Barberton on a line without one."""
    joined = " ".join(point for point in board().points if point != "NEW")
    there = {"turn": 3, "recruit_pool": 9, "imperial": joined}
    state = war("DWT ERM 3", garrisons="STD 1, VOL 1, BAR 1", **there)
    assert chosen(state) == ("RAID BEL-NEL", "13.5.2")
    before = war("DWT ERM 3", garrisons="STD 1, VOL 1, BAR 1", options={"numbers": "even"}, **there)
    assert chosen(before) == ("RAID MDB-BEL", "13.5.2"), "a garrison mends from the next point"


@pytest.mark.clause("boer-war", "13.2", "13.4")
def test_the_nearest_go_where_men_have_to_stand_who_mend():
    """With older numbers they repair from the next point."""
    before = {"options": {"numbers": "even"}}
    regular: dict[str, Any] = {"boers": "DLR LIC 1", "empire": "MET VRY 5, PLU DEA 2", "cuts": ("ORS-MOD",)}
    assert chosen(empire(**regular)) == ("MOVE PLU ORS", "13.2.1")
    assert chosen(empire(**regular, **before)) == ("REPAIR ORS-MOD", "13.2.1")
    guerrilla: dict[str, Any] = {"boers": "DWT OOK 2", "empire": "ELL LIN 2", "cuts": ("VER-HEI",)}
    guerrilla |= {"turn": 3, "imperial": EVERYWHERE, "camps": ENOUGH}
    assert chosen(empire(**guerrilla)) == ("MOVE ELL HEI", "13.4.6")
    assert chosen(empire(**guerrilla, **before)) == ("REPAIR VER-HEI", "13.4.6")


@pytest.mark.clause("boer-war", "13.4")
def test_blockhouses_are_built_where_most_boers_come_for_recruits():
    """With older numbers they build only where Boers could cut a line that two sites depend on."""
    there: dict[str, Any] = {"boers": "HAA LIN 2, DWT LIN 2", "empire": "ELL PRE 2", "used": ("moved ELL",)}
    there |= {"turn": 3, "imperial": EVERYWHERE, "camps": ENOUGH, "recruit_pool": 9}
    there |= {"recruited": tuple(point for point in board().points if point not in ("BTV", "HOO"))}
    assert chosen(empire(**there)) == ("BLOCKHOUSE BRA-KRO", "13.4.8")
    assert chosen(empire(**there, options={"numbers": "even"}))[1] != "13.4.8"


@pytest.mark.clause("boer-war", "13.5")
def test_commandos_ride_round_the_ends_of_lines():
    """From Senekal to Boshof they go by Bloemfontein, because the line to Winburg bars the shorter way."""
    there: dict[str, Any] = {"boers": "HAA SEN 2", "turn": 3, "recruit_pool": 9}
    there |= {"recruited": tuple(point for point in board().points if point != "BOS")}
    assert chosen(war(**there)) == ("TREK HAA BOS", "13.5.8")
    line = {**there, "blockhouses": ("BRA-WIN",)}
    assert chosen(war(**line)) == ("TREK HAA LAB BLO PAA BOS", "13.5.8")
    assert chosen(war(**line, options={"numbers": "even"})) == ("TREK HAA BOS", "13.5.8")


@pytest.mark.clause("boer-war", "13.5")
def test_recruits_come_before_the_railway():
    there = {"garrisons": "HEI 1", "turn": 3, "recruit_pool": 9, "imperial": EVERYWHERE}
    assert chosen(war("DWT KRO 3, HAA SEN 1", **there)) == ("REINFORCE HAA", "13.5.1")
    assert chosen(war("DWT KRO 3, HAA SEN 1", used=("reinforce",), **there)) == ("RAID VER-HEI", "13.5.2")


@pytest.mark.clause("boer-war", "13.5")
def test_two_columns_are_no_ring_and_one_escape_a_round_is_enough():
    """Of two leaders in rings only one escapes. The other one attacks or recruits."""
    two = war("DWT REI 3", "ELL LIN 2, KNO BTH 2", turn=3, recruit_pool=9)
    assert chosen(two)[1] == "13.5.6"
    ring = {"boers": "DWT REI 3, HAA OOK 3", "empire": "ELL LIN 2, KNO BTH 2, BEN VRD 2"}
    assert chosen(war(**ring, turn=3, recruit_pool=9))[1] == "13.5.4"
    assert chosen(war(**ring, turn=3, recruit_pool=9, used=("moved HAA",)))[1] != "13.5.4"


@pytest.mark.clause("boer-war", "13.tie")
def test_ties_go_to_the_higher_command_then_more_sp_then_the_code():
    """Of two leaders with one SP each De Wet recruits. Without De Wet the code decides."""
    state = war("HAA SEN 1, DWT REI 1", turn=3, recruit_pool=9)
    (choice,) = bots.choose_orders(state)
    assert NOTATION.write(choice.order) == "REINFORCE DWT"
    assert choice.decisions[0].criterion == "the higher Command"
    equal = war("HAA SEN 1, CBO ERM 1", turn=3, recruit_pool=9)
    (choice,) = bots.choose_orders(equal)
    assert NOTATION.write(choice.order) == "REINFORCE CBO"
    assert choice.decisions[0].criterion == sentence("boer_war.criteria.first_by_code")
    assert choice.decisions[0].choices == ("REINFORCE CBO", "REINFORCE HAA")


@pytest.mark.clause("boer-war", "13.once")
def test_a_leader_is_used_once_a_round_for_plain_moves():
    state = empire("CRO COL 6, OLI COL 3", "BUL CPT 3", used=("reinforce",))
    first = bots.choose_orders(state)[-1].order
    moved = RULES.adjudicate(state, {state.seat("empire"): (first,)}, _Go()).state
    assert moved.leaders["BUL"].at != "CPT"
    assert "moved BUL" in moved.used
    assert not NOTATION.write(bots.choose_orders(moved)[-1].order).startswith(("MOVE BUL", "RAIL BUL"))


def test_with_nothing_to_do_it_passes_and_at_a_table_it_says_done():
    idle = bots.choose_orders(war("DWT REI 3", turn=4, imperial=EVERYWHERE))
    assert idle[0].reason
    (done,) = bots.choose_orders(starting_state({"mode": "table", "pool": "unflipped_2"}))
    assert NOTATION.write(done.order) == "DONE"


@pytest.mark.parametrize("code", sorted({"E04", "E07", "B01", "B02", "B06", "B09", "E11", "B08", "E08"}))
def test_what_is_tried_for_a_counter_is_at_most_a_dozen_orders(code):
    state = war("DWT REI 3, DLR LIC 2", "ELL LIN 3, KNO BTH 2", "KIM 1", turn=3, cuts=("BRA-KRO",))
    tried = list(event_orders(state, code))
    assert len(tried) <= 12
    assert all(play.event == code for play in tried)


class _Go:
    """Dice that always say GO!."""

    def draw(self, label: str, sides: int, count: int = 1) -> tuple[int, ...]:
        return (1,) * count

    def roll(self, label: str, sides: int) -> int:
        return 1


@pytest.mark.clause("boer-war", "13.2")
def test_a_commander_may_leave_an_action_out_and_goes_on_down_his_list() -> None:
    """Tournaments measure the worth of an action with such bots. Games don't use them."""
    state = empire("DLR LIC 1", "MET VRY 5", "ORS 1", cuts=("ORS-MOD",))
    seat = state.seat("empire")
    (due,) = RULES.due(state)
    (first,) = bots.Commander().orders(state, due, any_dice())
    others = bots.SPARRING["no-repair"].orders(state, due, any_dice())
    assert NOTATION.write(first.order) == "REPAIR ORS-MOD"
    assert NOTATION.write(others[-1].order) not in ("REPAIR ORS-MOD", "PASS")
    assert RULES.check(state, seat, others[-1].order) is None
    assert set(bots.SPARRING) == {f"no-{word}" for word in bots.ACTION_WORDS}
    assert not set(bots.SPARRING) & set(GAMES[0].bots)
