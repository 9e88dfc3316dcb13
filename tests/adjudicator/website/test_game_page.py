"""The page of a game: complete without a script, and without exceptions to its policy."""

import base64
import hashlib
import json
import re
from html import unescape

import pytest

from adjudicator.admin import game_admin, website
from adjudicator.reports.results import side_label
from adjudicator.website import game_json, index_pages, pages, timeline
from games.protocol import Seat
from games.record import load

OUTCOMES = {"moved", "bounced", "held", "supported", "cut", "void"}
TURNS = ["S1901M", "F1901M", "W1901A", "S1902M"]


@pytest.fixture(scope="module")
def page(vienna):
    """The page of the game."""
    return vienna.page("vienna")


def leaf(page, anchor):
    """The markup of one turn."""
    return re.search(rf'<section class="leaf" id="{anchor}".*?</section>', page, re.DOTALL)[0]


def hash_of(text):
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_each_turn_has_an_address(page):
    """A leaf a turn, in order, the opening first; each can be mailed as ``#F1901M``."""
    assert re.findall(r'<section class="leaf" id="([^"]*)"', page) == ["opening", *TURNS]
    assert all(f'<a href="#{turn}">' in page for turn in TURNS)


def test_without_a_script_all_is_there(page):
    """Each turn has its map and every sentence of its report, in the page itself."""
    for turn in TURNS:
        assert leaf(page, turn).count("<svg") == 1
        assert "hidden" not in leaf(page, turn)
    told = unescape(re.sub(r"<[^>]*>", "", leaf(page, "S1901M")))
    assert "A PAR" in told
    assert "F LON" in told


def test_an_order_is_linked_to_what_the_map_draws_of_it(page):
    """Pointing at an order highlights its lines, by the name that the map gives them."""
    titles = set(re.findall(r"<title>([^<]*)</title>", page))
    tied = re.findall(r'<li data-at="(\w+)" data-of="(\w+)" data-title="([^"]*)"', leaf(page, "S1901M"))
    assert len(tied) == 22
    moved = [title for _, _, title in tied if title in titles]
    assert "order of the army of France, Paris" in moved
    shapes = {one["at"]: one["shape"] for one in json.loads(re.search(r'id="spots">(.*?)</script>', page)[1])}
    assert all(f'id="b-{shapes[at]}"' in page for at, _, _ in tied)


def test_the_policy_lets_in_what_the_page_holds_and_nothing_else(page):
    """Scripts and styles are named by their hashes; no element has any; nothing is fetched."""
    policy = unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    rules = dict(part.split(" ", 1) for part in policy.split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert rules["script-src"].split() == [hash_of(one) for one in scripts]
    assert rules["style-src"].split() == [hash_of(one) for one in styles]
    assert len(scripts) == 3
    assert not re.search(r'\s(style|on\w+)="', page)
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert "url(http" not in page
    assert "@import" not in page


def test_text_of_players_can_end_nothing():
    """Data in a page has no character that begins or ends an element."""
    told = pages.data({"text": "</script><script>alert(1)</script>&"})
    assert "<" not in told
    assert json.loads(told) == {"text": "</script><script>alert(1)</script>&"}


def test_the_game_as_data_says_what_the_page_says(vienna):
    """game.json: turns, orders with outcome and place, centres, units."""
    document = load(game_json.GameFile, vienna.page("vienna", "game.json").encode())
    assert [turn.anchor for turn in document.turns] == TURNS
    assert document.kind == "standard"
    assert document.counts == "supply centres"
    first = document.turns[0]
    assert len(first.orders) == 22
    assert {order.outcome for order in first.orders} <= {
        "moved",
        "bounced",
        "held",
        "supported",
        "cut",
        "void",
    }
    assert first.counts["France"] == 3
    assert first.owners["PAR"] == first.owners["PIC"] == "France"
    assert sum(map(len, first.pieces.values())) == 22
    assert document.places["PAR"] == "Paris"
    assert document.secret is None
    assert document.due is not None


def test_a_game_can_be_carried_to_a_forum(vienna):
    """bbcode.txt: every turn, orders under their nations, those that failed underlined; how it stands."""
    text = vienna.page("vienna", "bbcode.txt")
    posts = text.split(f"\n{'-' * 40}\n")
    assert len(posts) == len(TURNS) + 2
    assert posts[1].startswith("\n[b]Spring 1901, moves[/b] (6 January 2026)\n")
    assert re.search(r"\n\[b\]France\[/b\]\n\[list\]\n\[\*\](?:.*\n)*?\[\*\].*: Army Paris → ", posts[1])
    assert re.search(r"\n\[\*\]\[u\]A \w+ - \w+\[/u\]: .* bounced: ", text)
    assert re.search(r"\[code\]\n  (?:Nation|Power) ", posts[-1])
    tags = re.findall(r"\[(/?)(b|u|list|code|quote)\]", text)
    assert sum(1 if not end else -1 for end, _ in tags) == 0
    assert '<a href="bbcode.txt">' in vienna.page("vienna")


def test_deadlines_that_were_kept_and_missed_are_told(room):
    """One of two turns had all orders. In the other France, a person, sent none, and the page says so."""
    room.begin("standard", "vienna", 1)
    game_admin.assign(room.service, "vienna", "France", "anna@example.net")
    room.play("vienna")
    room.build()
    page = room.page("vienna")
    assert "All orders were in on time for 1 of 2 turns." in page
    assert 'Orders were missing in <a href="#F1901M">F1901M</a> (France).' in page
    assert '<p class="missed">No orders received from France.</p>' in page
    assert "1 deadline missed" in page
    assert [turn["silent"] for turn in json.loads(room.page("vienna", "game.json"))["turns"]] == [
        [],
        ["France"],
    ]


def test_lines_of_many_that_are_level_stay_in_the_chart(room):
    """Chaos: of 34 sides, those have a line whose count has changed. A band is the others."""
    room.begin("chaos", "babel", 8)
    game = website.public_game(room.service, "babel")
    course = timeline.course_of(game)
    outlines = [*(line.path for line in course.lines), course.band.path]
    heights = [float(point.split(",")[1]) for path in outlines for point in path.split()]
    assert 1 <= len(course.lines) <= 6
    assert all(len(set(line.counts)) > 1 for line in course.lines)
    assert course.band.sides == 34 - len(course.lines)
    assert course.band.counts[0] == "1"
    assert 0 < min(heights) < max(heights) < timeline.HEIGHT
    room.build()
    page = room.page("babel")
    assert page.count('<polygon class="band"') == 1
    assert f"</svg> {course.band.sides} others <b data-counts=" in page
    bar = re.findall(r'<rect x="[^"]+" width="[^"]+" height="6" fill="([^"]+)"', index_of(room))
    assert len(set(bar)) > 20
    assert set(bar) <= set(re.findall(r'<path fill="([^"]+)"', index_of(room)))


def index_of(room):
    """Return the index page."""
    return (room.site / "index.html").read_text(encoding="utf-8")


def test_public_pages_name_the_sides_of_a_solo_game_as_texts_do(room):
    room.begin("great-war", "ypres", 8)
    game = website.public_game(room.service, "ypres")
    lines = timeline.course_of(game).lines
    assert {line.seat: line.name for line in lines} == {
        seat: side_label(Seat(seat), None) for seat in ("player", "ai")
    }
    assert all(line.name != line.seat for line in lines)
    leaders = index_pages.card_of(game, ()).leaders
    colours = {line.name: line.colour for line in lines}
    assert leaders
    assert all(colours[leader.name] == leader.colour for leader in leaders)


def test_a_war_chest_has_a_chart_and_a_bar_of_its_markers(room):
    """No tournament follows them, so that the game names what its pages count. Sides have names."""
    room.begin("war-chest", "old-chest", 6)
    room.build()
    page = room.page("old-chest")
    assert "markers on the board" in page
    assert page.count("<polyline data-side=") == 2
    assert "<h3>ai</h3>" not in page
    assert "<h1>Old Chest</h1>" in page
    index = (room.site / "index.html").read_text(encoding="utf-8")
    assert '<svg class="leaders"' in index
    assert ">Old Chest</a>" in index


def test_every_power_of_chaos_has_its_colour_in_the_list(room):
    """Thirty-four, folded, with the colours of their land: they have no badges, since there are too many."""
    room.begin("chaos", "hundred", 1)
    room.build()
    labels = re.findall(r"<label><input[^>]*data-power=.*?</label>", room.page("hundred"))
    colours = [re.findall(r'fill="(#\w+)"', label) for label in labels]
    assert len(labels) == 34
    assert all(len(found) == 1 for found in colours)
    assert len({found[0] for found in colours}) > 30
    assert '<details class="many">' in room.page("hundred")
