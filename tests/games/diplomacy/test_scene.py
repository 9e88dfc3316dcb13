"""The contents of a map: projection, shapes that touch, names inside their land, lines for what moved."""

import json
from collections import Counter
from itertools import combinations

import pytest

import games
from games.colour_vision import LEAST, nearest
from games.dice import SealedDice
from games.diplomacy.events import Resolved
from games.diplomacy.map.labels import province_labels, shared_area, sizes
from games.diplomacy.map.outlines import atlas, path, project, simplify_line
from games.diplomacy.map.scene import ZOOMS, ink, luminance, pale
from games.diplomacy.model import (
    Beaten,
    Build,
    Convoy,
    Disband,
    Move,
    Phase,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
)
from games.messages import sentence
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.bot_games import rounds
from tests.kit.made_boards import made_game

GAME = games.kinds()["indianomacy"]
STANDARD = games.kinds()["standard"]
BOARD = GAME.rules.board
OPENING = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state


@pytest.fixture(scope="module")
def land():
    """The shapes of the board."""
    return atlas(BOARD)


@pytest.fixture(scope="module")
def letters():
    """Return the places of names and pieces, which takes a second."""
    return province_labels(BOARD)


def piece(at: str) -> Piece:
    return Piece(kind="W", at=Province(at))


def unit(power: str, at: str) -> Unit:
    return Unit(power=Seat(power), kind="W", at=Province(at))


def resolved(order, outcome: str) -> Resolved:
    return Resolved(power=Seat("Iroquois"), unit=order.unit, order=order, outcome=outcome)


def drawn(*events, state: State = OPENING):
    return GAME.telling.scene(state, events)


def contains(rings, x: float, y: float) -> bool:
    """Return whether a point is inside rings, by the number of edges to its right."""
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, (*ring[1:], ring[0]), strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
    return inside


@pytest.mark.parametrize("place", BOARD.chart.projection["test_points"], ids=lambda place: place["place"])
def test_known_places_lie_where_the_map_says(place):
    x, y = project(BOARD.chart.projection, place["lon"], place["lat"])
    assert (x, y) == pytest.approx((place["x"], place["y"]), abs=0.1)


def test_every_province_has_a_shape_round_its_label(land):
    assert set(land.rings) == set(BOARD.places)
    for place in BOARD.places.values():
        assert contains(land.rings[place.id], *place.label), place.name


def test_neighbours_on_foot_share_a_border_unless_a_river_parts_them(land):
    touching = {frozenset(border.sides) for border in land.borders if len(border.sides) == 2}
    rivers = {frozenset((one, two)) for one, two, _ in BOARD.chart.crossings}
    for place in BOARD.places.values():
        for other in place.army:
            pair = frozenset((place.id, other))
            assert pair in touching or pair in rivers, pair


def test_simplified_borders_are_made_of_the_rings_own_points(land):
    for border in land.borders:
        for side in border.sides:
            points = {point for ring in land.rings[side] for point in ring}
            assert set(border.points) <= points


def test_a_line_is_thinned_to_what_can_be_seen():
    assert simplify_line([(0, 0), (5, 0.1), (10, 0)]) == [(0, 0), (10, 0)]
    assert simplify_line([(0, 0), (5, 4), (10, 0)]) == [(0, 0), (5, 4), (10, 0)]


def test_a_path_is_written_in_steps_of_a_tenth():
    assert path([[(1.0, 2.0), (1.5, 2.0), (1.5, 2.0), (1.0, 1.04)]]) == "M1 2l.5 0-.5-1z"
    assert path([[(0.0, 0.0), (-0.3, 12.0)]], closed=False) == "M0 0l-.3 12"


def test_units_stand_inside_their_land(land, letters):
    for place in BOARD.places.values():
        if place.kind == "land":
            assert contains(land.rings[place.id], *letters[place.id].piece), place.name


DRAWN = [(kind, zoom) for kind in ("indianomacy", "standard") for zoom in (1.0, *ZOOMS)]


def board_at(kind: str, zoom: float):
    board = games.kinds()[kind].rules.board
    return board.closer(zoom) if zoom > 1 else board


@pytest.mark.long
@pytest.mark.parametrize(("kind", "zoom"), DRAWN)
def test_no_two_names_overlap(kind, zoom):
    """An abbreviation without other room may touch another at its edge."""
    names = province_labels(board_at(kind, zoom))
    boxes = [(place, line) for place, drawn_name in names.items() for line in drawn_name.boxes]
    for (one, a), (two, b) in combinations(boxes, 2):
        least = min((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b))
        assert one == two or shared_area(a, b) <= 0.12 * least, f"{one} and {two}"


@pytest.mark.parametrize(("kind", "zoom"), DRAWN)
def test_no_name_lies_under_a_unit(kind, zoom):
    """Three letters at their edge at most, where two units stand closer than their names are long."""
    board = board_at(kind, zoom)
    names, k = province_labels(board), sizes(board).unit
    for one, letters in names.items():
        for box in letters.boxes:
            for two, others in names.items():
                x, y = others.piece
                under = shared_area(box, (x - 9 * k, y - 10 * k, x + 9 * k, y + 10 * k))
                assert under <= 0.22 * (box[2] - box[0]) * (box[3] - box[1]), f"{one} under {two}"


@pytest.mark.parametrize(("kind", "most"), [("indianomacy", 75), ("standard", 32)])
def test_names_are_written_out_or_shortened_and_none_is_too_small(kind, most):
    """At least 9 pixels where the whole map is 600 pixels wide, and 11 in enlarged parts, on a phone."""
    board = games.kinds()[kind].rules.board
    for zoom in (1.0, *ZOOMS):
        names = province_labels(board_at(kind, zoom)).items()
        px = 600 / 1600 if zoom == 1 else 347 * zoom / 1600
        assert min(one.size for _, one in names) * px >= (9 if zoom == 1 else 11)
        bare = [place for place, one in names if not one.lines]
        assert len(bare) <= (0 if zoom == 1 else 3), "a name is left out only where it would hide another"
        short = [place for place, one in names if one.lines == (board.abbr(place),)]
        assert len(short) <= most or zoom == 2
        numbers = [one.number_size for _, one in names if one.number and one.lines]
        assert zoom == 1 or min(numbers, default=99) * px >= 11


def test_pieces_are_larger_where_there_is_more_room():
    assert 1 <= sizes(BOARD).unit < sizes(STANDARD.rules.board).unit <= 1.5


def test_the_opening_shows_everybody_and_nothing_that_moved():
    scene = drawn()
    assert Counter(token["power"] for token in scene["units"])["neutral"] == 10
    assert len(scene["units"]) == 36
    assert sum(bool(centre["letter"]) for centre in scene["centres"]) == 26
    assert scene["strokes"] == []
    fills = {shape["id"]: shape["fill"] for shape in scene["held"]}
    assert fills["10"] == BOARD.powers[Seat("Iroquois")].colour
    assert fills["13"] == pale(BOARD.powers[Seat("Iroquois")].colour), "a home that is no centre"
    assert {"58", "120"}.isdisjoint(fills), "nobody's land"
    assert [row["centres"] for row in scene["legend"]] == [3, 3, 3, 4, 3, 4, 3, 3]


def test_a_move_ends_at_its_goal_whether_it_failed_or_not(letters):
    start, goal = letters[Province("10")].piece, letters[Province("61")].piece
    order = Move(unit=piece("10"), to=Province("61"))
    (moved,), (failed,) = (drawn(resolved(order, outcome))["strokes"] for outcome in ("moved", "bounced"))
    assert (moved["kind"], moved["failed"], failed["failed"]) == ("move", False, True)

    def away(line, place, x="x2", y="y2"):
        return ((line[x] - place[0]) ** 2 + (line[y] - place[1]) ** 2) ** 0.5

    # At most 20 units, and 22 more where the head would hide a name.
    assert away(moved, goal) < 42
    assert away(failed, goal) < 42
    assert away(moved, start) > 42
    assert away(failed, start, "x", "y") > 18, "the cross stands on the way"
    assert away(failed, goal, "x", "y") > 18


def test_supports_are_drawn_below_moves_and_point_at_what_they_help(letters):
    lines = drawn(
        resolved(Move(unit=piece("10"), to=Province("61")), "moved"),
        resolved(SupportMove(unit=piece("11"), other=piece("10"), to=Province("61")), "supported"),
        resolved(SupportHold(unit=piece("12"), other=piece("11")), "cut"),
    )["strokes"]
    assert [line["kind"] for line in lines] == ["support", "guard", "move"]
    assert [line["failed"] for line in lines] == [False, True, False]
    start, goal = letters[Province("10")].piece, letters[Province("61")].piece
    assert min(start[0], goal[0]) <= lines[0]["x2"] <= max(start[0], goal[0])


def test_retreats_builds_and_losses_are_shown():
    beaten = Beaten(
        unit=unit("Iroquois", "10"), by_from=Province("61"), retreats=(Province("9"), Province("11"))
    )
    position = State(
        options={},
        phase=Phase(season="U", year=1, kind="R"),
        units=(unit("Dakota", "10"), unit("Iroquois", "12")),
        centres={},
        beaten=(beaten,),
    )
    scene = drawn(resolved(Build(unit=piece("12")), "built"), state=position)
    assert [token["state"] for token in scene["units"]] == ["", "new", "beaten"]
    scene = drawn(resolved(Disband(unit=piece("14")), "removed"), state=position)
    assert [(token["at"], token["state"]) for token in scene["gone"]] == [("14", "gone")]
    (line,) = drawn(resolved(Move(unit=piece("10"), to=Province("9")), "retreated"))["strokes"]
    assert (line["kind"], line["failed"]) == ("retreat", False)


def test_a_dislodged_unit_stands_with_the_ways_that_are_open_to_it(letters):
    beaten = Beaten(
        unit=unit("Iroquois", "10"), by_from=Province("61"), retreats=(Province("9"), Province("11"))
    )
    position = State(
        options={}, phase=Phase(season="U", year=1, kind="R"), units=(), centres={}, beaten=(beaten,)
    )
    ways = drawn(state=position)["ways"]
    assert [(line["kind"], line["power"], line["failed"]) for line in ways] == [
        ("way", "Iroquois", False)
    ] * 2
    for line, goal in zip(ways, ("9", "11"), strict=True):
        x, y = letters[Province(goal)].piece
        assert ((line["x2"] - x) ** 2 + (line["y2"] - y) ** 2) ** 0.5 < 25


def sea_piece(kind: str, at: str, coast: str = "") -> Piece:
    return Piece(kind=kind, at=Province(at), coast=coast)


def test_a_fleet_is_drawn_at_its_coast():
    """Each of the three provinces with two coasts has a point for each, apart from one another."""
    places = STANDARD.rules.board.places
    split = [place for place in places.values() if place.coasts]
    assert {place.id for place in split} == {"BUL", "SPA", "STP"}
    for place in split:
        assert set(place.anchors) == set(place.coasts)
        (ax, ay), (bx, by) = place.anchors.values()
        assert ((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5 > 60
    view = STANDARD.whatif.position(
        {"phase": "S1901M", "units": {"Russia": ["F STP/NC"], "Italy": ["F SPA/SC"]}}
    )
    move = Move(unit=sea_piece("F", "MAO"), to=Province("SPA"), coast="NC")
    scene = STANDARD.telling.scene(
        view, [Resolved(power=Seat("France"), unit=move.unit, order=move, outcome="moved")]
    )
    at = {token["at"]: (token["x"], token["y"]) for token in scene["units"]}
    assert at == {"STP": places["STP"].anchors["NC"], "SPA": places["SPA"].anchors["SC"]}
    (line,) = scene["strokes"]
    x, y = places["SPA"].anchors["NC"]
    assert ((line["x2"] - x) ** 2 + (line["y2"] - y) ** 2) ** 0.5 < 30


def test_an_army_s_line_leads_through_the_fleet_that_carries_it():
    army, fleet = sea_piece("A", "LON"), sea_piece("F", "NTH")
    convoy = Convoy(unit=fleet, other=army, to=Province("NWY"))
    view = STANDARD.whatif.position({"phase": "S1901M", "units": {}})
    ring, line = STANDARD.telling.scene(
        view,
        [
            Resolved(
                power=Seat("England"), unit=army, order=Move(unit=army, to=Province("NWY")), outcome="moved"
            ),
            Resolved(power=Seat("England"), unit=fleet, order=convoy, outcome="convoyed"),
        ],
    )["strokes"]
    assert [(one["kind"], one["failed"]) for one in (ring, line)] == [("convoy", False), ("move", False)]
    at = province_labels(STANDARD.rules.board)[Province("NTH")].piece
    assert at in line["points"]
    assert ring["ring"][:2] == at


def test_white_letters_stand_out_on_every_nation_s_dark_shade():
    for power in BOARD.powers.values():
        assert 1.05 / (luminance(ink(power)) + 0.05) >= 4.5, power.id


def test_every_turn_of_a_game_has_a_scene_of_plain_values():
    turns = 0
    for one in rounds(GAME, b"scenes", years=3):
        assert json.dumps(GAME.telling.scene(one.after, one.events))
        turns += 1
    assert turns >= 9


def test_powers_that_are_out_are_faint_in_the_table() -> None:
    game = games.kinds()["chaos"]
    state = game.rules.setup({}, SealedDice(b"", "map", 0)).state
    gone = replace_fields(state, units=(), centres={Province("PAR"): Seat("Paris")})
    drawn = game.telling.scene(gone, ())
    assert len(drawn["out"]) == 33
    assert [one["text"] for one in drawn["figures"]] == [1, 0, *["out"] * 33]
    (paris,) = (row for row in drawn["legend"] if row["power"] == "Paris")
    assert all(one["x"] - 1 > paris["x"] or abs(one["y"] - paris["y"]) > 10 for one in drawn["out"])


def test_land_has_a_pattern_only_where_its_colour_does_not_tell_whose_it_is():
    """Pale land always, each power's own; of 34 powers those that some eyes take for others."""
    game = games.kinds()["indianomacy"]
    view = game.rules.setup({}, SealedDice(b"", "map", 0)).state
    drawn = game.telling.scene(view, ())
    assert {row["lines"] for row in drawn["legend"]} == {""}
    patterns = {(one["holder"], one["lines"] != "", one["id"] in view.centres) for one in drawn["held"]}
    assert all(has_pattern is not is_centre for _, has_pattern, is_centre in patterns)
    held = {shape["id"]: shape["holder"] for shape in drawn["held"]}
    assert held.items() >= view.centres.items()
    assert {unit.at for unit in view.units if unit.power == "neutral"}.isdisjoint(held)
    chaos = games.kinds()["chaos"]
    many = chaos.telling.scene(chaos.rules.setup({}, SealedDice(b"", "map", 0)).state, ())
    bare = [one["holder"] for one in many["held"] if not one["lines"]]
    colours = [chaos.rules.board.powers[Seat(one)].colour for one in bare]
    assert 5 < len(bare) < 34
    assert all(nearest(one, two) >= LEAST for one, two in combinations(colours, 2))


@pytest.mark.parametrize(("unit", "named"), [("A ISL", "army"), ("F ISL", "fleet"), (None, None)])
def test_the_key_names_the_kind_of_the_neutral_unit_that_is_there(unit, named):
    game = made_game({"neutral": [unit] if unit else []})
    state = game.rules.setup({}, SealedDice(b"s", "g", 0)).state
    scene = game.telling.scene(game.rules.view(state, None), ())
    kinds = [sign["text"] for sign in scene["signs"] if sign["sign"] == "neutral"]
    assert kinds == ([sentence("diplomacy.map.neutral", kind=named)] if named else [])
