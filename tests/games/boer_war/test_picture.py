"""The picture in games of bots: counters next to their points, free names, the strip of actions."""

import re
from functools import cache
from html import unescape
from itertools import combinations, islice, product

import pytest
from PIL import ImageColor, ImageFont

from adjudicator.reports import compositor
from adjudicator.reports.compositor import fonts
from adjudicator.reports.maps import svg
from games.boer_war import GAMES
from games.boer_war import map as scenery
from games.boer_war.event_text import describe_event
from games.boer_war.map import (
    BOER_WAR_COLOURS,
    HELD_COLOURS,
    MAX_STRIP_LINES,
    NEIGHBOUR_COLOUR,
    REGION_STYLES,
    SEA_COLOUR,
    board_scene,
    strip_rows,
)
from games.boer_war.map_layout import (
    EDGE_MARGIN,
    CounterLayout,
    distance_to_box,
    map_layout,
    name_box,
    overlap_area,
    region_box,
    text_length,
)
from games.options import settle
from tests.games.boer_war.field import war
from tests.games.diplomacy.test_colours import LEAST, luminance, nearest
from tests.kit.bot_games import rounds

GAME = GAMES[0]
RULES = GAME.rules
LEAST_PX, MAIL_PX = 9, 600
SIZE = re.compile(r"font-size[:=]\"?\s*([\d.]+)")
ENTRY = re.compile(r'<text x="128" class="entry">([^<]*)</text>')


@cache
def played():
    """Return the turns of a game of bots, each with the position after it and its events."""
    chosen = settle(GAME.about.options, {})
    turns = islice(rounds(GAME, b"pictures", bot=next(iter(GAME.bots)), options=chosen), 60)
    return tuple((one.after, one.events) for one in turns)[::4]


@cache
def crowded():
    """A position with counters at the edge, two full stacks, and a siege between them."""
    boers = "DWT COS 3, MEY LAD 2, JOU LAD 2, BOT LAD 2"
    empire = "WHI LAD 3, BUL CPT 1, MET CPT 1, FRE CPT 1, GAT CPT 1, CLE DUR 1, WAR DUR 1, KEL DUR 1"
    return war(boers, empire, "LAD 2, KIM 1, CPT 2", "LAD 4", boer="COS", trenches={"boers": ("COS",)})


@cache
def scenes():
    shown = [(RULES.view(state, None), events) for state, events in played()]
    return tuple(board_scene(view, events) for view, events in (*shown, (crowded(), ())))


def width(text, file, size):
    return ImageFont.truetype(next(one for one in fonts() if one.endswith(file)), size).getlength(text)


def counters(drawn):
    """Return the boxes of all counters on the map."""
    chips = [
        (one["x"] - one["half"], one["y"] - 12, one["x"] + one["half"], one["y"] + 12)
        for one in drawn["chips"]
    ]
    sieges = [(one["x"] - 53, one["y"] - 12, one["x"] + 53, one["y"] + 12) for one in drawn["sieges"]]
    return [
        *chips,
        *sieges,
        *((one["x"] - 14, one["y"] - 14, one["x"] + 14, one["y"] + 14) for one in drawn["fights"]),
    ]


def names():
    """Yield the boxes of names, measured with their font."""
    found = {}
    for code, spot in map_layout().spots.items():
        label, wide = spot.label, width(spot.name, "SansCondensed.ttf", 18)
        x = label["x"] - {"start": 0.0, "middle": wide / 2, "end": wide}[label["anchor"]]
        found[code] = (x, label["y"] - 14, x + wide, label["y"] + 4)
    return found


def test_no_counter_lies_beyond_the_edge():
    for drawn in scenes():
        for left, top, right, low in counters(drawn):
            assert left >= 0
            assert top >= 0
            assert right <= drawn["width"]
            assert low <= drawn["map_height"]


def test_no_counter_lies_over_a_name_a_point_or_another():
    boxes = [(x - 26, y - 12, x + 26, y + 12) for x, y in (spot.at for spot in map_layout().spots.values())]
    laid = 0
    for drawn in scenes():
        regions = [region_box(land["name"], land["x"], land["y"]) for land in drawn["lands"]]
        there = counters(drawn)
        for one, other in product(there, [*names().values(), *boxes, *regions]):
            assert not overlap_area(one, other), (one, other)
        for one, other in combinations(there, 2):
            assert not overlap_area(one, other), (one, other)
        laid += len(there)
    assert laid > 100


def test_stacks_lie_close_to_their_point():
    """Half of the gap between two towns is 60 units. A third of all counters lay farther away before."""
    far = [
        distance_to_box(one["box"], map_layout().spots[one["at"]].at)
        for drawn in scenes()
        for one in drawn["stacks"]
    ]
    assert len(far) > 200
    assert max(far) <= 56


def test_names_end_before_the_edge_and_have_the_room_that_is_kept_for_them():
    for code, box in names().items():
        assert box[0] >= 2, code
        assert box[2] <= map_layout().size[0] - 2, code
        kept = name_box(map_layout().spots[code])
        assert width(map_layout().spots[code].name, "SansCondensed.ttf", 18) <= text_length(
            map_layout().spots[code].name
        )
        assert kept[0] <= box[0] + 0.1
        assert kept[2] >= box[2] - 0.1


def test_texts_fit_their_counters():
    for drawn in scenes():
        for one in drawn["chips"]:
            assert width(one["text"], "Sans-Bold.ttf", 18) <= 2 * one["half"] - 6, one["text"]
        for one in drawn["sieges"]:
            assert width(one["text"], "Sans-Bold.ttf", 18) <= 100


def test_every_counter_is_drawn_once_whatever_the_crowd():
    texts = [one["text"] for one in board_scene(crowded(), ())["chips"]]
    assert {"DWT 3", "MEY 2", "JOU 2", "BOT 2", "WHI 3", "BUL 1", "+ 2"} <= set(texts)
    assert len(texts) == 15


def test_stacks_that_lie_nearer_to_another_point_are_few():
    table = CounterLayout((400, 400), [(100.0, 100.0), (180.0, 100.0)])
    assert table.is_plain((80.0, 60.0, 120.0, 80.0), (100.0, 100.0))
    assert not table.is_plain((150.0, 60.0, 190.0, 80.0), (100.0, 100.0))
    stacks = [one for drawn in scenes() for one in drawn["stacks"]]
    spots = map_layout().spots
    plain = sum(
        all(
            distance_to_box(one["box"], spots[one["at"]].at) <= distance_to_box(one["box"], spot.at)
            for spot in spots.values()
        )
        for one in stacks
    )
    assert len(stacks) > 200
    assert plain >= 0.9 * len(stacks)


def test_every_counter_is_in_a_stack_of_its_point_with_a_line_to_it():
    """The line begins inside the stack and ends at the middle of the point, under its sign."""
    for drawn in scenes():
        for one in drawn["stacks"]:
            (left, top, right, low), (x1, y1, *end) = one["box"], one["to"]
            assert left < x1 < right
            assert top < y1 < low
            assert tuple(end) == map_layout().spots[one["at"]].at
        for one in drawn["chips"] + drawn["sieges"]:
            boxes = [stack["box"] for stack in drawn["stacks"] if stack["at"] == one["at"]]
            assert sum(box[0] < one["x"] < box[2] and box[1] < one["y"] < box[3] for box in boxes) == 1


def test_counters_lie_in_one_column_or_two_and_close_together():
    """One rule: up to three in a column, a siege first. Without room there are other shapes, and parts."""
    usual = parts = 0
    for drawn in scenes():
        for point in {one["at"] for one in drawn["stacks"]}:
            boxes = [stack["box"] for stack in drawn["stacks"] if stack["at"] == point]
            chips = [one for one in drawn["chips"] if one["at"] == point]
            columns = len({one["x"] for one in chips})
            parts += len(boxes) > 1
            usual += len(boxes) == 1 and (columns == 1 or len(chips) > 3)
            for siege in (one for one in drawn["sieges"] if one["at"] == point):
                assert any(siege["y"] == box[1] + 13 for box in boxes)
    assert usual > 0.85 * sum(len({one["at"] for one in drawn["stacks"]}) for drawn in scenes())
    assert parts <= 0.06 * usual


def test_the_key_explains_what_is_on_the_map_and_each_sign_once():
    seen = set()
    for drawn in scenes():
        kinds = [one["kind"] for one in drawn["key"]]
        seen |= {*kinds}
        assert len(kinds) == len(set(kinds))
        assert ("siege" in kinds, "fight" in kinds) == (bool(drawn["sieges"]), bool(drawn["fights"]))
        assert ("besieged" in kinds) == any(one["is_besieged"] for one in drawn["points"])
        assert ("repulsed" in kinds) == any(one["failed"] for one in drawn["arrows"])
        assert ("works" in kinds) == any(
            b["kind"] == "works" for one in drawn["points"] for b in one["badges"]
        )
        for one in drawn["key"]:
            left = {"note": 0, "siege": 114}.get(one["kind"], 82)
            assert one["x"] + left + width(one["text"], "SansCondensed.ttf", 24) < one["x"] + 390
            assert drawn["map_height"] < one["y"] < drawn["strip_top"]
    assert {"siege", "besieged", "fight", "works", "acted", "moved", "note"} <= seen


def test_a_town_where_somebody_acted_is_marked():
    """It is the last place of each event."""
    for drawn, (_, events) in zip(scenes(), played(), strict=False):
        acted = {one["code"] for one in drawn["points"] if one["has_acted"]}
        ends = {points[-1] for event in events if (points := [*scenery._points_of(event)])}
        assert acted == ends
    assert any(one["has_acted"] for drawn in scenes() for one in drawn["points"])


def test_what_finds_no_free_place_still_stays_inside():
    table = CounterLayout((200, 200), (), [(0.0, 0.0, 200.0, 200.0)])
    box = table.place_counter((100.0, 100.0), 60.0, 20.0, "above")
    assert table.holds(box)
    assert box in table.taken
    assert EDGE_MARGIN > 0


def test_the_strip_tells_the_last_that_was_done_and_drawn():
    for _, events in played():
        said = [text for event in events if (text := describe_event(event))]
        rows = strip_rows(events)
        assert len(rows) <= MAX_STRIP_LINES
        shown = " ".join(row["text"] for row in rows)
        if said:
            assert shown.endswith(said[-1])
            assert rows[0]["who"] or rows[0]["text"].startswith("(")
    together = [event for _, events in played() for event in events]
    rows = strip_rows(together)
    assert len(rows) <= MAX_STRIP_LINES
    earlier = int(re.match(r"\((\d+) earlier", rows[0]["text"])[1])
    assert 0 < earlier < len(together)
    assert {row["who"] for row in rows} & {"Boers", "Empire", "The draw"}
    assert strip_rows(())[0]["text"] == "Nothing has been done yet."


def test_the_strip_lies_inside_the_picture_and_its_lines_end_before_the_edge():
    for drawn, (state, events) in zip(scenes(), played(), strict=False):
        assert all(drawn["map_height"] < row["y"] <= drawn["height"] - 8 for row in drawn["strip"])
        lines = ENTRY.findall(svg(GAME, RULES.view(state, None), events, "x"))
        assert len(lines) == len(drawn["strip"])
        assert max(width(unescape(line), "SansCondensed.ttf", 24) for line in lines) <= 1200 - 34 - 128 - 20


def test_nothing_is_too_small_in_mail():
    state, events = played()[0]
    drawing = svg(GAME, RULES.view(state, None), events, "x")
    assert min(float(size) for size in SIZE.findall(drawing)) * MAIL_PX / 1200 >= LEAST_PX


@pytest.mark.parametrize("side", BOER_WAR_COLOURS)
def test_sides_stay_apart_from_each_other_and_from_the_land(side):
    assert nearest(*BOER_WAR_COLOURS.values()) >= LEAST
    assert nearest(*HELD_COLOURS.values()) >= LEAST
    for ground in (SEA_COLOUR, NEIGHBOUR_COLOUR, *(colour for _, colour in REGION_STYLES.values())):
        assert nearest(BOER_WAR_COLOURS[side], ground) >= LEAST, ground
        assert nearest(HELD_COLOURS[side], ground) >= LEAST, ground
    assert 1.05 / (luminance(BOER_WAR_COLOURS[side]) + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("at", "colour"),
    [
        ((300, 190), NEIGHBOUR_COLOUR),
        ((800, 870), NEIGHBOUR_COLOUR),
        ((1150, 985), SEA_COLOUR),
        ((20, 900), SEA_COLOUR),
    ],
    ids=["north of Mafeking", "between Natal and the Cape", "off Natal", "off the Cape"],
)
def test_land_around_the_colonies_is_not_the_sea(at, colour):
    drawing = svg(GAME, RULES.view(crowded(), None), (), "x")
    bare = re.sub(r"<!--pieces.*?-->.*?<!--end-->", "", drawing, flags=re.DOTALL)
    picture = compositor.compose_picture(bare, 600)
    assert picture.getpixel((at[0] // 2, at[1] // 2)) == ImageColor.getrgb(colour)


def test_the_turn_is_named_once_above_the_map():
    """The caption names it."""
    for drawn in scenes():
        assert not any("Turn" in row for row in drawn["standing"])


@pytest.mark.parametrize("rows", range(1, MAX_STRIP_LINES + 1))
def test_below_the_strip_there_is_room_for_one_more_line_at_most(rows, monkeypatch):
    monkeypatch.setattr(scenery, "strip_rows", lambda _events: [{"who": "Boers", "text": "March."}] * rows)
    drawn = scenery.board_scene(RULES.view(crowded(), None), ())
    assert 8 <= drawn["height"] - drawn["strip"][-1]["y"] <= 54


def test_the_ground_is_drawn_once_however_high_the_strip_is(monkeypatch):
    """It counts how often a large part of the map is drawn, at a tenth of the displayed size."""
    sizes, drawn = [], compositor._render_window

    def counted(look, inside, first, size):
        sizes.append(size)
        return drawn(look, inside, first, size)

    compositor._layers.clear()
    monkeypatch.setattr(compositor, "_render_window", counted)
    high = []
    for rows in (1, MAX_STRIP_LINES):
        line = [{"who": "Boers", "text": "March."}] * rows
        monkeypatch.setattr(scenery, "strip_rows", lambda _events, line=line: line)
        drawing = svg(GAME, RULES.view(crowded(), None), (), f"{rows}")
        high.append(compositor.compose_picture(drawing, 120).height)
    assert len({*high}) == 2
    assert len([size for size in sizes if size[1] > 60]) == 2, "the ground, and names"


def test_the_name_of_the_turns_is_shown_whole_and_one_too_long_ends_in_an_ellipsis():
    """The name is that of two actions in one report. No counter covers it."""
    two = "Turn III, Empire, round 12, action 3, then", "Turn III, Boers, round 11, action 1"
    shown = svg(GAME, RULES.view(crowded(), None), (), " ".join(two))
    assert max(width(line, "SansCondensed.ttf", 24) for line in two) < 580 - 6
    assert all(f">{line}</text>" in shown for line in two)
    assert " …</text>" in svg(GAME, RULES.view(crowded(), None), (), " ".join(two * 2))
    for drawn in scenes():
        assert not any(overlap_area(box, (34.0, 64.0, 600.0, 124.0)) for box in counters(drawn))
