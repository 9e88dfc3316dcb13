"""The data, the opening, the transition to the guerrilla war, attrition and victory."""

from collections import Counter
from typing import Any

import pytest

import games
from games.boer_war import sequence
from games.boer_war.board import board
from games.boer_war.components import CardId, LeaderId, Point, materials
from games.boer_war.events import Ended, Guerrilla, LostSp
from games.boer_war.model import BOERS, EMPIRE
from games.boer_war.setup import OPTIONS
from games.boer_war.working_state import WorkingState
from games.data import read_json
from games.options import settle
from games.pool import RoundCounters
from games.protocol import GameResult
from tests.games.boer_war.field import FEW, RULES, Fated, at, on_books, order, play, sp, told, war, why_not
from tests.kit.dice import any_dice

OVER = RoundCounters(ones=0, twos=0, threes=0)
LAST = RoundCounters(ones=1, twos=0, threes=0)
CENTRES = "BLO JOH PRE"


@pytest.mark.clause("boer-war", "4.map", "4.towns", "1.cards", "12.1.cards")
def test_the_box() -> None:
    """The data have 80 points, 155 links and 32 cards of six types."""
    assert len(board().points) == 80
    assert (len(board().links), sum(way.rail for way in board().links.values())) == (155, 47)
    kinds = Counter(card.type for card in materials().cards.values())
    assert sum(kinds.values()) == 32
    assert kinds == {
        "infantry": 8,
        "cavalry": 7,
        "artillery": 6,
        "machine guns": 4,
        "auxiliaries": 3,
        "trains": 4,
    }
    assert [point for point, place in board().places.items() if place.is_siege_town] == ["KIM", "MAF", "LAD"]
    assert board().flagged["political"] == ("BLO", "PRE", "JOH")
    assert len(board().flagged["target"]) == 11


@pytest.mark.clause("boer-war", "1.stand-in", "3.values", "4.values", "12.1.values", "12.2.values")
def test_every_row_of_the_box_has_its_mark() -> None:
    """Everything that doesn't follow from the sheet is marked as assumed and called a stand-in."""
    box = materials()
    rows = (*box.places.values(), *box.ways, *box.leaders.values(), *box.cards.values(), *box.events.values())
    assert len(rows) == 80 + 155 + 41 + 32 + 24
    assert {row.mark for row in rows} == {"A"}
    numbers = read_json("games.boer_war", "data/numbers.json")
    tables = [value for value in numbers.values() if isinstance(value, dict)] + numbers["turns"]
    assert Counter(table["mark"] for table in tables) == {"A": len(tables) - 1, "D": 1}
    assert "stand-in" in games.kinds()["boer-war"].about.source


@pytest.mark.clause("boer-war", "3.values", "4.values", "12.1.values")
def test_values_out_of_the_box() -> None:
    """Check one row of each file against the data."""
    box = materials()
    buller, slow = box.leaders[LeaderId("BUL")], box.leaders[LeaderId("CRO")]
    assert (buller.command, buller.move, buller.capacity, buller.chief, buller.leaves) == (1, 2, 8, True, 2)
    assert (buller.turn, buller.round, buller.sp, buller.lands) == (1, 3, 3, ("CPT", "DUR"))
    assert (slow.at, slow.sp) == ("ZEE", 4)
    kimberley = box.places[Point("KIM")]
    assert (kimberley.fort, kimberley.resistance, kimberley.control) == (3, 5, "empire")
    assert box.cards[CardId("C7")].values == {"empire": (1, 1), "boers": (4, 2)}
    attack = sum(card.value("boers", "attack") for card in box.cards.values())
    assert round(attack / 32, 2) == 1.34


@pytest.mark.clause("boer-war", "5.setup", "6.pools")
def test_october_1899() -> None:
    """Eight leaders have 22 Boer SP. Three have 5 Empire SP, with 15 in garrisons. The pools have 8 and 6."""
    state = RULES.setup(settle(OPTIONS, {}), any_dice()).state
    assert state.sp_on_map("boers") == 22
    assert state.sp_on_map("empire") == 20
    assert sum(state.garrisons.values()) == 15
    assert len(state.leaders) == 11
    assert state.pools == {"boers": 8, "empire": 6}
    assert RULES.due(state)[0].seat == BOERS


@pytest.mark.clause("boer-war", "1.phases", "10.1.total", "10.1.leaders", "10.1.field", "6.pools")
def test_the_guerrilla_war_begins() -> None:
    """The regulars leave, and ten leaders rise with half of the scattered.

    The Empire gets colonies and railways.
    """
    state = war(
        "BOT LAD 4, DLR ZEE 3, CRO KIM 2",
        "ROB KRO 6, KIT PRE 2",
        besieged="KIM 3",
        side="empire",
        turn=2,
        counters={"boers": OVER, "empire": LAST},
        scattered={"boers": 8},
        pools={"boers": 3},
        boxes={"boers": ("DWT", "MEY")},
        trenches={"boers": ("LAD",)},
        cuts=("ORS-MOD",),
        imperial=CENTRES,
        boer="COL",
        options=FEW,
    )
    outcome = play(state, "PASS")
    (began,) = told(outcome, Guerrilla)
    now = outcome.state
    # 7 of those who stay, Cronje's 2 scattered, 8 scattered of which 4 are lost: 7 and half of 6.
    assert began.sp == 4 + 3 + 2 + 2
    assert set(began.leaders) == set(materials().numbers.transition.roster)
    assert Counter(there[1] for there in began.leaders.values()) == {1: 9, 2: 1}
    assert sp(now, "BOT") == 2
    assert at(now, "DWT") == "REI"
    assert {"ROB", "CRO", "MEY"} <= set(now.gone)
    assert (now.sieges, now.cuts, now.trenches, now.boxes["boers"]) == (
        {},
        (),
        {"boers": (), "empire": ()},
        (),
    )
    assert now.control["COL"] == now.control["BLO"] == now.control["STD"] == "empire"
    assert now.control["LIN"] == "boers"
    assert (now.pools["boers"], now.recruit_pool) == (0, 19)
    for side in ("boers", "empire"):
        assert on_books(now, side) == now.brought[side]


@pytest.mark.clause("boer-war", "10.1.total", "10.1.leaders")
@pytest.mark.parametrize(
    ("sp_left", "scattered", "numbers", "total"),
    [
        (2, 0, "railways", 15),
        (6, 40, "railways", 16),
        (2, 0, "even", 15),
        (6, 20, "even", 16),
        (6, 40, "even", 18),
        (2, 0, "weighed", 14),
        (2, 0, "first", 10),
        (6, 9, "first", 11),
        (6, 40, "first", 18),
    ],
)
def test_the_commandos_are_fifteen_or_sixteen(sp_left: int, scattered: int, numbers: str, total: int) -> None:
    """The SP on the map and half of the scattered, rounded up, with limits that depend on the numbers."""
    position: Any = {"turn": 3, "scattered": {"boers": scattered}, "options": {"numbers": numbers}}
    theatre = WorkingState(war(f"BOT BEL {sp_left}", **position), Fated())
    sequence.begin_guerrilla_war(theatre)
    assert theatre.now.sp_on_map("boers") == total
    assert max(there.sp for there in theatre.now.leaders.values()) <= 3
    assert on_books(theatre.now, "boers") == theatre.now.brought["boers"]


@pytest.mark.clause("boer-war", "10.1.leaders")
def test_two_leaders_alone_have_three_sp_each() -> None:
    """It doesn't depend on the number left in the field."""
    out = tuple(one for one in materials().numbers.transition.roster if one not in ("BOT", "SMU"))
    theatre = WorkingState(war("BOT BEL 9", turn=3, gone=out), Fated())
    sequence.begin_guerrilla_war(theatre)
    assert (sp(theatre.now, "BOT"), sp(theatre.now, "SMU")) == (3, 3)


@pytest.mark.clause("boer-war", "10.1.field")
def test_colonies_and_free_railways_come_under_the_empire() -> None:
    """Greytown is off the railway, Viljoensdrif is on it. Smuts rises at Potchefstroom, which stays Boer."""
    theatre = WorkingState(war("JOU GRE 6", turn=3, boer="GRE"), Fated())
    sequence.begin_guerrilla_war(theatre)
    assert at(theatre.now, "SMU") == "POT"
    assert [theatre.now.control[Point(one)] for one in ("GRE", "VER", "POT")] == ["empire", "empire", "boers"]


@pytest.mark.clause("boer-war", "10.1.leaders")
def test_a_leader_rises_where_no_empire_is() -> None:
    """Each leader rises at the first free point of the district. De Wet is out of the game and doesn't."""
    theatre = WorkingState(war("BOT BEL 6", garrisons="ERM 1, LYD 1", turn=3, gone=("DWT",)), Fated())
    sequence.begin_guerrilla_war(theatre)
    assert (at(theatre.now, "BOT"), at(theatre.now, "VIL"), at(theatre.now, "DWT")) == ("PIR", "MDB", None)


@pytest.mark.clause("boer-war", "10.5")
@pytest.mark.parametrize(
    ("camps", "die", "lost"),
    [("WIN", 1, 1), ("WIN", 2, 0), ("WIN KRO HAR BRA HEI", 4, 1), ("WIN KRO HAR BRA HEI", 5, 0)],
)
def test_camps_wear_the_commandos(camps: str, die: int, lost: int) -> None:
    """After the Empire's sixth round a roll costs an SP up to the number of camps within two links.

    At most four camps count.
    """
    state = war(
        "DWT SEN 3, SMU ZEE 3",
        side="empire",
        turn=3,
        camps=tuple(camps.split()),
        counters={"empire": RoundCounters(ones=1, twos=2, threes=3)},
    )
    outcome = play(state, "PASS", camps_DWT=die)
    (thrown,) = told(outcome, LostSp)
    assert (thrown.leader, thrown.number, thrown.lost) == ("DWT", len(camps.split()), lost)
    assert (sp(outcome.state, "DWT"), sp(outcome.state, "SMU")) == (3 - lost, 3)


@pytest.mark.clause("boer-war", "10.5", "10.4", "3.test")
def test_a_leader_worn_out_waits_in_the_box() -> None:
    """Other rounds have no roll."""
    counters = {"empire": RoundCounters(ones=1, twos=2, threes=3)}
    position: dict[str, Any] = {"side": "empire", "turn": 3, "camps": ("WIN",)}
    state = war("DWT SEN 1, SMU RUS 3", counters=counters, **position)
    outcome = play(state, "PASS", camps_DWT=1, test_DWT=3)
    assert outcome.state.boxes["boers"] == ("DWT",)
    assert told(play(war("DWT SEN 1, SMU RUS 3", **position), "PASS"), LostSp) == []


def ended(outcome: Any) -> tuple[tuple[str, ...], str] | None:
    """Return the winners and the reason if the game is over."""
    found = told(outcome, Ended)
    return (found[0].winners, found[0].reason) if found else None


@pytest.mark.clause("boer-war", "11.sieges")
def test_three_completed_sieges_win_at_once() -> None:
    """It ends the game even in the middle of a round."""
    state = war("CRO MAF 3", garrisons="MAF 1", besieged="MAF 4", fallen=("LAD", "KIM"))
    outcome = play(state, "SIEGE MAF", go=True, siege_MAF=6)
    assert ended(outcome) == (("boers",), "sieges")
    assert RULES.due(outcome.state) == ()
    assert RULES.result(outcome.state) == GameResult(winners=(BOERS,), reason="sieges")
    assert RULES.turn(outcome.state).name == "The end, in Turn 1"
    second = war("CRO MAF 3", garrisons="MAF 1", besieged="MAF 4", fallen=("LAD",))
    assert ended(play(second, "SIEGE MAF", siege_MAF=6)) is None


@pytest.mark.clause("boer-war", "11.port")
def test_a_port_wins_when_the_round_is_over() -> None:
    """It doesn't end the game before."""
    state = war("JOU PMB 4")
    assert ended(play(state, "MOVE JOU DUR", go=True)) is None
    assert ended(play(state, "MOVE JOU DUR")) == (("boers",), "port")
    assert ended(play(war("JOU DUR 4", side="empire", boer="DUR"), "PASS")) is None, "a round of theirs"


@pytest.mark.clause("boer-war", "11.centres")
def test_the_political_centres_win_for_the_empire() -> None:
    """They win at once up to the fourth round of Turn II, later only if the Boers are broken too."""
    state = war("JOU VOL 5", "ROB PRE 5", side="empire", imperial=CENTRES)
    assert ended(play(state, "PASS")) == (("empire",), "centres")
    assert ended(play(war("JOU VOL 5", side="empire", imperial="BLO JOH"), "PASS")) is None
    second = {"side": "empire", "turn": 2, "imperial": CENTRES}
    fourth, fifth = RoundCounters(ones=1), RoundCounters(ones=1, twos=3)
    early = war("JOU VOL 5", scattered={"boers": 12}, counters={"empire": fourth}, **second)
    assert ended(play(early, "PASS")) == (("empire",), "centres")
    late = {"counters": {"empire": fifth}, **second}
    assert ended(play(war("JOU VOL 5", scattered={"boers": 12}, **late), "PASS")) == (
        ("empire",),
        "boers-broken",
    )
    assert ended(play(war("JOU VOL 5", scattered={"boers": 14}, **late), "PASS")) == (
        ("empire",),
        "boers-broken",
    )
    assert ended(play(war("JOU VOL 5", scattered={"boers": 15}, **late), "PASS")) is None
    assert ended(play(war("JOU VOL 5", imperial=CENTRES), "PASS")) is None


def at_the_end(turn: int, **position: Any) -> tuple[tuple[str, ...], str] | None:
    """Return the result of the end of a Turn."""
    counters = {"boers": OVER, "empire": LAST}
    state = war(side="empire", turn=turn, counters=counters, **position)
    return ended(play(state, "PASS"))


@pytest.mark.clause("boer-war", "11.targets")
def test_eight_targets_win_at_the_end_of_a_turn() -> None:
    """They win in Turns I and II. Seven are not enough."""
    seven = "STO ALI NAA COL DEA VRY PMB"
    assert at_the_end(1, boers="OLI COL 2", boer=f"{seven} EST") == (("boers",), "targets")
    assert at_the_end(1, boers="OLI COL 2", boer=seven) is None
    assert at_the_end(2, boers="OLI COL 9", boer=f"{seven} EST", imperial="BLO JOH") == (
        ("boers",),
        "targets",
    )
    assert at_the_end(3, boers="OLI COL 20", boer=f"{seven} EST") is None


@pytest.mark.clause("boer-war", "11.kept")
def test_two_centres_kept_win_at_the_end_of_turn_ii() -> None:
    """The Empire needs two centres."""
    assert at_the_end(2, boers="BOT BEL 9", imperial="BLO") == (("boers",), "centres-kept")
    assert at_the_end(2, boers="BOT BEL 9", imperial="BLO PRE") is None
    assert at_the_end(1, boers="BOT BEL 9") is None


@pytest.mark.clause("boer-war", "11.gone")
def test_fewer_than_fifteen_sp_lose_the_guerrilla_war() -> None:
    """The check is at the end of any round. Older games end with fewer than three SP."""
    most = "SMU OOK 3, HER UPI 3, KRI PRI 3, BEY KUR 3, VIL BTV 1"
    assert ended(play(war(f"DWT REI 1, {most}", turn=3), "PASS")) == (("empire",), "boers-gone")
    assert ended(play(war(f"DWT REI 2, {most}", turn=3), "PASS")) is None
    empire = war(f"DWT REI 1, {most}", side="empire", turn=4)
    assert ended(play(empire, "PASS")) == (("empire",), "boers-gone")
    first: Any = {"turn": 3, "options": FEW}
    assert ended(play(war("DWT REI 2", **first), "PASS")) == (("empire",), "boers-gone")
    assert ended(play(war("DWT REI 3", **first), "PASS")) is None


@pytest.mark.clause("boer-war", "11.camps", "11.unbeaten", "11.draw")
def test_the_end_of_the_guerrilla_war() -> None:
    """Camps are compared with R. At the end of Turn IV 22 Boer SP count first. Otherwise there is peace."""
    some = "DWT CAL 3, SMU OOK 3, HER UPI 3, KRI PRI 3, BEY KUR 3"
    many = f"{some}, HAA SEN 3, CBO ERM 3, VIL BTV 1"
    far = ("DUR", "PEL", "ELN", "PIE")
    assert at_the_end(3, boers=some, camps=far, recruits=0) == (("empire",), "camps")
    assert at_the_end(3, boers=some, camps=far, recruits=1) is None
    assert at_the_end(4, boers=some, camps=far, recruits=2) == (("empire",), "camps")
    assert at_the_end(4, boers=some, camps=far, recruits=3) == ((), "negotiated")
    first: Any = {"boers": "DWT CAL 3", "camps": far, "options": FEW}
    assert at_the_end(4, **first, recruits=3) == (("empire",), "camps")
    assert at_the_end(4, **first, recruits=4) == ((), "negotiated")
    assert at_the_end(4, boers=many, camps=far, recruits=4) == (("boers",), "unbeaten")
    assert at_the_end(4, boers=some, camps=far, recruits=4) == ((), "negotiated")
    assert at_the_end(4, boers=many, camps=far, recruits=0) == (("boers",), "unbeaten"), "camps or no camps"
    before: Any = {"boers": many, "camps": far, "options": {"numbers": "even"}}
    assert at_the_end(4, **before, recruits=0) == (("empire",), "camps")


@pytest.mark.clause("boer-war", "1.slots")
def test_an_action_is_one_of_the_list_or_a_reinforcement_or_an_event() -> None:
    """The last two are possible once a round. A side can't act in the other side's round."""
    state = war("OLI COL 1, JOU VOL 5", "WHI LAD 3", pools={"boers": 3}, used=("reinforce", "event"))
    assert why_not(state, "REINFORCE JOU") == "reinforced-already"
    assert why_not(state, "EVENT B02 OLI") == "event-already"
    assert why_not(state, "MOVE OLI NAA") is None
    found = RULES.check(state, EMPIRE, order("ENTRENCH LAD", state))
    assert found is not None
    assert found.code == "not-your-round"
