"""The picture of positions of bots' games: formations under their bases, the hand and its marks."""

import re
from functools import cache
from html import unescape
from itertools import combinations, islice

import pytest
from PIL import ImageFont

from adjudicator.reports.composing import fonts
from adjudicator.reports.picture import svg
from games.great_war import lawful
from games.great_war.components import book
from games.great_war.formations import wrapped
from games.great_war.in_play import Table
from games.great_war.model import PLAYER, Lay, Play
from games.great_war.scene import COLOURS, GROUNDS, SORTS, scene
from games.great_war.uses import NOTHING, uses
from games.options import settle
from games.protocol import Seat
from tests.games.diplomacy.test_colours import LEAST, luminance, nearest
from tests.games.great_war.front import GAME, RULES, field
from tests.kit.rounds import rounds

LEAST_PX, MAIL_PX = 9, 600
SIZE = re.compile(r"font-size[:=]\"?\s*([\d.]+)")
TEXT = re.compile(r'<text[^>]*class="(?:name|can|cannot)[^>]*>([^<]*)</text>')


@cache
def played():
    """Positions of a game of bots."""
    chosen = settle(GAME.about.options, {})
    return tuple(
        one.after for one in islice(rounds(GAME, b"pictures", bot=next(iter(GAME.bots)), options=chosen), 12)
    )


@cache
def views():
    crowd = field(me=list(book().cards)[:20], ai=list(book().cards)[20:33], hand="B-QS, B-10H, B-KS, B-AS")
    return tuple(RULES.view(state, PLAYER) for state in (*played(), crowd))


def cards(view):
    drawn = scene(view, ())
    return drawn, [card for part in (*drawn["sides"], drawn["hand"]) for card in part["cards"]]


def width(text, file, size):
    return ImageFont.truetype(next(one for one in fonts() if one.endswith(file)), size).getlength(text)


def test_every_card_lies_inside_the_picture_and_on_no_other():
    for view in views():
        drawn, found = cards(view)
        for one in found:
            assert one["x"] >= 0
            assert one["x"] + one["wide"] <= drawn["width"]
            assert one["y"] + one["tall"] <= drawn["height"]
        for one, two in combinations(found, 2):
            aside = one["x"] + one["wide"] <= two["x"] or two["x"] + two["wide"] <= one["x"]
            assert aside or one["y"] + one["tall"] <= two["y"] or two["y"] + two["tall"] <= one["y"]


def test_no_card_lies_on_what_is_said_of_a_side_or_on_the_score():
    for view in views():
        drawn, found = cards(view)
        theirs, mine = drawn["sides"]
        labels = [
            (theirs["top"] - 46, theirs["top"]),
            (mine["top"] - 46, mine["top"]),
            (drawn["band"], drawn["band"] + 130),
        ]
        if drawn["hand"]["cards"]:
            labels.append((drawn["hand"]["top"] - 44, drawn["hand"]["top"]))
        for one in found:
            assert all(one["y"] >= low or one["y"] + one["tall"] <= top for top, low in labels)


def test_what_was_added_lies_below_its_base_in_the_same_stack():
    links = 0
    for view in views():
        for side in scene(view, ())["sides"]:
            places = {card["id"]: card for card in side["cards"]}
            for link in side["links"]:
                base, one = places[link["on"]], places[link["card"]]
                assert one["y"] > base["y"]
                assert base["x"] <= one["x"] < base["x"] + base["wide"]
                links += 1
    assert links > 10


def is_lawful(view, **said):
    order = Lay(role=view.role(PLAYER), number=2 if view.round == 2 else 1, **said)
    return lawful.objection(view, order) is None and not lawful.left_out(view, [order])


def test_the_marks_of_the_hand_are_what_the_rules_say_is_lawful():
    """Of each card it is asked whether it may be the base, and whether it may be added to what lies there."""
    marked = unmarked = 0
    for view in views():
        if view.stage not in ("round 1", "round 2"):
            continue
        for one, said in uses(view).items():
            assert ("base" in said) == is_lawful(view, base=Play(card=one)), (one, said)
            host = Table(view).host(PLAYER, one)
            added = any(text.startswith("added to") and str(host) in text for text in said)
            assert added == is_lawful(view, plus=(Play(card=one),)), (one, said)
            marked += said != (NOTHING,)
            unmarked += said == (NOTHING,)
    assert marked > 10
    assert unmarked > 0


def test_links_to_the_table_and_to_the_hand_are_marked():
    on_table = RULES.view(field(me="B-QS", hand="B-10H, B-QH", ai="R-8C"), PLAYER)
    assert uses(on_table) == {"B-10H": ("base", "added to B-QS"), "B-QH": ("base",)}
    in_hand = RULES.view(field(hand="B-QS, B-10H", ai="R-8C"), PLAYER)
    assert uses(in_hand) == {"B-QS": ("base",), "B-10H": ("base", "added to B-QS")}


def test_a_hand_is_in_nobody_elses_picture():
    seen = 0
    for state in played():
        held = set(state.armies[PLAYER].hand)
        for seat in (None, Seat("ai")):
            drawn = scene(RULES.view(state, seat), ())
            assert drawn["hand"]["cards"] == []
            text = svg(GAME, RULES.view(state, seat), (), "x")
            assert "Your hand" not in text
        assert {card["id"] for card in scene(RULES.view(state, PLAYER), ())["hand"]["cards"]} == held
        seen += len(held)
    assert seen > 10


def test_nothing_is_too_small_in_mail():
    for view in views()[:3]:
        drawing = svg(GAME, view, (), "x")
        assert "scale(" not in drawing
        assert min(float(size) for size in SIZE.findall(drawing)) * MAIL_PX / 1200 >= LEAST_PX


def test_names_fit_on_the_narrowest_card():
    for card in book().cards.values():
        lines = wrapped(card.name)
        assert "".join("".join(lines).split()) == "".join(card.name.split())
        assert max(width(line, "SansCondensed.ttf", 18) for line in lines) <= 270 - 2 * 22 - 18


def test_all_that_is_written_ends_before_the_edge():
    for view in views():
        drawing = svg(GAME, view, (), "x")
        assert all(width(unescape(text), "SansCondensed.ttf", 18) <= 258 for text in TEXT.findall(drawing))
        event = re.search(r">(Random Event:[^<]*)<", drawing)
        assert width(unescape(event[1]), "DejaVuSans.ttf", 18) <= 1140


@pytest.mark.parametrize("nation", COLOURS)
def test_sides_stay_apart_from_each_other_and_from_the_table(nation):
    assert nearest(*COLOURS.values()) >= LEAST
    for ground in GROUNDS.values():
        assert nearest(COLOURS[nation], ground) >= LEAST


def test_cards_stay_apart_from_the_table_and_their_heads_can_be_read():
    for _, colour, _ in SORTS:
        assert nearest(colour, GROUNDS["table"]) >= LEAST
        assert nearest(colour, GROUNDS["card"]) >= LEAST
        assert 1.05 / (luminance(colour) + 0.05) >= 4.5
