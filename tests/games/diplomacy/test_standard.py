"""The standard board and its choices of rules: the map, the options, the year, the written orders."""

from itertools import pairwise

import pytest

from games.data import read_json
from games.diplomacy.boards.board import compile_board
from games.diplomacy.events import Resolved
from games.diplomacy.phrases import why
from games.protocol import Invalid
from games.record import plain, replace_fields
from tests.games.diplomacy.test_datc import FOLDER
from tests.kit.standard import (
    BOARD,
    DICE,
    GAME,
    NOTATION,
    RULES,
    VARIANT,
    blocks,
    play,
    position,
    read,
    scenes,
    unit_text,
)

OPENING = RULES.setup({}, DICE).state


def case(number):
    """The text of a published case."""
    text = (FOLDER / f"{number[:3]}.txt").read_text(encoding="utf-8")
    return next(body for one, _, body in blocks(text) if one == number)


def outcomes(number, **options):
    """Return the result of each order of a published case under other rules, by its text."""
    scene, *_ = scenes(case(number))
    played = play(position(scene, "W1901A" if number[2] == "J" else "S1901M", options), scene)
    told = [event for event in played.events if isinstance(event, Resolved) and event.order]
    return {NOTATION.write(event.order): event.outcome for event in told}, played


@pytest.mark.clause("standard", "Map-provinces", "Map-starts")
def test_the_board_as_everybody_knows_it():
    counts = {kind: sum(place.kind == kind for place in BOARD.places.values()) for kind in ("land", "sea")}
    assert counts == {"land": 56, "sea": 19}
    assert {at: len(spots) for at, spots in BOARD.spots.items() if len(spots) > 1} == {
        "BUL": 2,
        "SPA": 2,
        "STP": 2,
    }
    assert len(BOARD.centres) == 34
    assert unit_text(BOARD.starts["Russia"][1]) == "F STP/SC"
    assert (len(BOARD.powers), len(OPENING.units), len(OPENING.centres)) == (7, 22, 22)
    assert RULES.turn(OPENING).name == "Spring 1901, moves"


@pytest.mark.clause("standard", "Map-borders")
def test_the_shapes_touch_where_the_borders_say():
    """Two provinces share a stretch of outline if, and only if, some unit passes between them."""
    outline = read_json("games.diplomacy", "variants/standard/outline.geojson")
    sides: dict[frozenset, set] = {}
    for feature in outline["features"]:
        for ring in feature["geometry"]["coordinates"]:
            for here, there in pairwise(map(tuple, ring)):
                sides.setdefault(frozenset((here, there)), set()).add(feature["properties"]["id"])
    drawn = {frozenset(pair) for pair in sides.values() if len(pair) == 2}
    passed = {frozenset((at, other)) for at in BOARD.places for other in (*BOARD.army[at], *BOARD.fleet[at])}
    assert drawn == passed


@pytest.mark.clause("standard", "Map-borders")
def test_the_borders_number_as_they_should():
    assert sum(map(len, BOARD.army.values())) == 2 * 111
    assert sum(map(len, BOARD.sailing.values())) == 2 * 141


@pytest.mark.clause("standard", "4.A.3")
@pytest.mark.parametrize(
    ("number", "intent", "army", "outcome"),
    [
        ("6.G.2", "own-fleet", "A NWY - SWE", "bounced"),
        ("6.G.2", "any-fleet", "A NWY - SWE", "moved"),
        ("6.G.7", "any-fleet", "A SWE - NWY", "moved"),
        ("6.G.19", "any-fleet", "A MAR - SPA", "moved"),
        ("6.G.1", "own-fleet", "A NWY - SWE", "moved"),
        ("6.G.1", "written", "A NWY - SWE", "bounced"),
        ("6.G.5", "written", "A APU - ROM", "bounced"),
        ("6.G.6", "written", "A LVP - EDI", "bounced"),
        ("6.G.12", "written", "A LVP - EDI VIA", "moved"),
    ],
)
def test_what_sends_an_army_by_sea_is_a_choice(number, intent, army, outcome):
    found, _ = outcomes(number, convoy_intent=intent)
    assert found[army] == outcome


@pytest.mark.clause("standard", "4.A.3")
def test_without_the_word_a_neighbour_is_dislodged_and_does_not_pass_by():
    found, played = outcomes("6.G.9", convoy_intent="written")
    assert found["A NWY - SWE"] == "moved"
    assert set(played.dislodged) == {"A SWE"}


@pytest.mark.clause("standard", "4.A.3")
def test_what_an_army_does_whose_convoy_nobody_ordered_is_a_choice():
    assert outcomes("6.G.8")[0]["A BEL - HOL VIA"] == "disrupted"
    assert outcomes("6.G.8", missing_convoy="walks")[0]["A BEL - HOL VIA"] == "moved"
    assert outcomes("6.F.9", missing_convoy="walks")[0]["A LON - BEL"] == "moved", "one that cannot walk"


@pytest.mark.clause("standard", "Dip-convoys")
@pytest.mark.parametrize("number", ["6.F.9", "6.F.10", "6.F.11"])
def test_whether_one_way_is_enough_is_a_choice(number):
    assert outcomes(number)[0]["A LON - BEL"] == "moved"
    assert outcomes(number, convoy_routes="all")[0]["A LON - BEL"] == "disrupted"
    assert outcomes("6.F.8", convoy_routes="all")[0] == outcomes("6.F.8")[0], "one way, and it is broken"
    assert outcomes("6.G.1", convoy_routes="all")[0]["A NWY - SWE"] == "moved", "one way, and it is open"


@pytest.mark.clause("standard", "4.A.2")
def test_what_a_paradox_undoes_is_a_choice():
    """6.F.14: by Szykman's rule the fleet is dislodged; if all hold, the attack and its support fail."""
    szykman, played = outcomes("6.F.14")
    assert (szykman["F WAL - ENG"], szykman["F LON S F WAL - ENG"]) == ("moved", "supported")
    assert set(played.dislodged) == {"F ENG"}
    hold, played = outcomes("6.F.14", paradoxes="all-hold")
    assert hold == {
        "F LON S F WAL - ENG": "cut",
        "F WAL - ENG": "bounced",
        "A BRE - LON": "disrupted",
        "F ENG C A BRE - LON": "convoyed",
    }
    assert played.dislodged == {}
    reasons = {event.reason.code for event in played.events if isinstance(event, Resolved) and event.reason}
    assert reasons == {"knotted", "paradox"}
    assert outcomes("6.F.9", paradoxes="all-hold")[0] == outcomes("6.F.9")[0], "no paradox"


@pytest.mark.clause("standard", "4.A.7")
def test_whether_one_beaten_from_overseas_hinders_others_is_a_choice():
    assert outcomes("6.G.10")[0]["F NWG - NWY"] == "bounced"
    assert outcomes("6.G.10", beaten_by_sea="spares")[0]["F NWG - NWY"] == "moved"


@pytest.mark.clause("standard", "Dip-coasts")
def test_what_becomes_of_an_unclear_coast_is_a_choice():
    scene, *_ = scenes("France: F POR - SPA | void")
    assert play(position(scene, "S1901M"), scene).units == {"F POR"}
    first = play(position(scene, "S1901M", {"unnamed_coast": "first"}), scene)
    assert first.units == {"F SPA/NC"}
    wrong, *_ = scenes("France: F GAS - SPA/SC | void")
    assert play(position(wrong, "S1901M"), wrong).units == {"F GAS"}
    assert play(position(wrong, "S1901M", {"wrong_coast": "mended"}), wrong).units == {"F SPA/NC"}
    assert play(position(wrong, "S1901M", {"unnamed_coast": "first"}), wrong).units == {"F GAS"}


@pytest.mark.clause("standard", "4.A.5")
def test_the_way_back_overseas_is_a_choice():
    _, allowed = outcomes("6.H.11")
    _, barred = outcomes("6.H.11", retreat_overseas="barred")
    assert allowed.dislodged["A MAR"] - barred.dislodged["A MAR"] == {"GAS"}


@pytest.mark.clause("standard", "4.D.8")
def test_from_where_distance_counts_is_a_choice():
    _, owned = outcomes("6.J.11")
    _, starting = outcomes("6.J.11", removal_near="starting")
    assert (owned.units, starting.units) == ({"A WAR"}, {"A TUS"})


@pytest.mark.clause("standard", "Dip-builds")
def test_where_one_builds_is_a_choice():
    scene, *_ = scenes("centres Germany: BER WAR\nGermany: A WAR B | void\n A BER")
    assert play(position(scene, "W1901A"), scene).units == {"A BER"}
    assert play(position(scene, "W1901A", {"builds_in": "owned"}), scene).units == {"A BER", "A WAR"}


@pytest.mark.clause("standard", "Dip-builds")
def test_two_units_of_two_kinds_do_not_share_a_centre():
    scene, *_ = scenes("centres Russia: STP MOS\nRussia: A STP B | builds\n F STP/NC B | void")
    played = play(position(scene, "W1901A"), scene)
    assert played.units == {"A STP"}


@pytest.mark.clause("standard", "Dip-victory")
def test_eighteen_centres_win():
    state = position(scenes("England: F LON")[0], "W1901A")
    owned = {centre: "England" for centre in BOARD.centres[:18]}
    assert RULES.adjudicate(replace_fields(state, centres=owned), {}, DICE).state.winners == ("England",)
    del owned[BOARD.centres[0]]
    assert RULES.adjudicate(replace_fields(state, centres=owned), {}, DICE).state.winners == ()


@pytest.mark.clause("standard", "Dip-convoys")
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A LVP - NTH - NWY", "A LVP - NWY VIA"),
        ("a liverpool to norway via convoy", "A LVP - NWY VIA"),
        ("f nth c a lvp - nwy", "F NTH C A LVP - NWY"),
        ("North Sea convoys Liverpool to Norway", "F NTH C A LVP - NWY"),
        ("convoy a lvp to nwy with f nth", "F NTH C A LVP - NWY"),
        ("F MAO - Spain (south coast)", "F MAO - SPA/SC"),
        ("F MAO - spa sc", "F MAO - SPA/SC"),
        ("F MAO - SPA(NC)", "F MAO - SPA/NC"),
        ("A NTH H", "F NTH H"),
        ("F GAS S F MAO - SPA/SC", "F GAS S F MAO - SPA/SC"),
    ],
)
def test_orders_of_fleets_are_read_as_players_write_them(text, canonical):
    state = position(scenes("England: A LVP\nF NTH\nF MAO\nF GAS")[0], "S1901M")
    assert NOTATION.write(read(state, text)) == canonical


@pytest.mark.parametrize(
    ("entry", "change", "what"),
    [
        ("STP", {"coasts": {"XX": ("BAR",)}}, "map.json: provinces: STP: coasts: XX"),
        ("STP", {"fleet": ("BAR",)}, "map.json: provinces: STP: coasts"),
        ("BAR", {"fleet": ("NWG", "NWY", "STP")}, "map.json: provinces: BAR: fleet: STP"),
        ("BAR", {"fleet": ("NWG", "NWY")}, "map.json: provinces: STP/NC: fleet: BAR"),
        ("SKA", {"fleet": ("DEN", "NWY", "NTH", "SWE", "SKA")}, "map.json: provinces: SKA: fleet: SKA"),
    ],
)
def test_a_fault_of_the_coasts_is_named_by_its_entry(entry, change, what):
    chart = BOARD.chart
    broken = replace_fields(
        chart,
        provinces=tuple(
            replace_fields(place, **change) if place.id == entry else place for place in chart.provinces
        ),
    )
    with pytest.raises(Invalid) as caught:
        compile_board(plain(broken))
    assert caught.value.what == what


def test_a_fleet_starts_on_a_coast_that_is_named():
    powers = tuple(
        replace_fields(power, starts=("F STP",)) if power.id == "Russia" else power
        for power in BOARD.chart.powers
    )
    with pytest.raises(Invalid, match=r"F STP can't be there; F STP/NC or F STP/SC"):
        compile_board(plain(replace_fields(BOARD.chart, powers=powers)))


def test_every_choice_is_listed_and_says_why():
    listed = {option.name for option in GAME.about.options} - {"last_year", "at_last_year"}
    assert listed == {option.name for option in VARIANT.rulebook.options}
    assert all(VARIANT.rulebook.why[name] for name in listed)


def test_lists_name_armies_fleets_and_coasts():
    tables = {table.title: dict(row[:2] for row in table.rows) for table in GAME.telling.tables(OPENING)}
    assert tables["Positions"]["Russia"] == "A MOS, F SEV, F STP/SC, A WAR"


def test_a_support_to_the_other_coast_is_told_as_that():
    """Not as a move by canoe-fleet, which this board doesn't have."""
    scene, *_ = scenes(
        """
        Turkey: F CON - BUL/EC | moves
                F AEG S F CON - BUL/SC | void
        """
    )
    played = play(position(scene, "S1901M"), scene)
    (support,) = [one for one in played.events if isinstance(one, Resolved) and one.unit.at == "AEG"]
    assert support.reason is not None
    assert support.reason.code == "other-coast"
    assert why(BOARD, support.reason) == "Fleet Constantinople (Turkey) was ordered to another coast"
