"""The picture: formations under their bases, the hand with the uses of each card, all within the edges."""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations, islice
from typing import Any

import pytest
from PIL import ImageFont

import games
from adjudicator.reports.maps import svg
from adjudicator.turns.runner import public_turn
from games.colour_vision import LEAST, nearest
from games.great_war.components import book
from games.great_war.events import CardLaid, TurnWon
from games.great_war.legal_orders import bases, hosts_by_card, legal_orders
from games.great_war.map import (
    CARD_BANDS,
    CARD_WIDTH,
    COVERED_STRIP,
    HAND_CARD_WIDTH,
    NATION_COLOURS,
    ROW_LEFT,
    ROW_RIGHT,
    _face_scene,
)
from games.great_war.model import AI, PLAYER, Lay, View, group_formations
from games.options import settle
from games.record import replace_fields
from tests.games.great_war.front import GAME, RULES, field, play
from tests.kit.bot_games import rounds

TELL = GAME.telling
LEGIBLE = 18
"""The smallest font in units of the picture, which is 1,200 wide. At a width of 600 pixels it has 9 pixels.
"""


@pytest.fixture(scope="module")
def views() -> list[View]:
    """Return the player's views in the first stages of a game between bots."""
    options = settle(GAME.about.options, {})
    played = rounds(games.kinds()["great-war"], b"gallery", bot=next(iter(GAME.bots)), options=options)
    return [RULES.view(one.after, PLAYER) for one in islice(played, 14)]


def drawn_by(view: View) -> Iterator[dict[str, Any]]:
    scene = TELL.scene(view, ())
    for side in scene["sides"]:
        yield from side["cards"]
    yield from (scene["hand"] or {"cards": ()})["cards"]


def test_what_is_added_lies_under_its_base():
    done = play(field(hand="B-QS, B-10H, B-KS", ai="R-8C"), "ATTACK 1ST: B-QS + B-10H + B-KS")
    scene = TELL.scene(RULES.view(done.state, PLAYER), done.events)
    enemy, mine = scene["sides"]
    *under, base = mine["cards"]
    assert (base["id"], base["under"]) == ("B-QS", False)
    assert {card["id"]: (card["under"], card["on"]) for card in under} == {
        "B-10H": (True, "B-QS"),
        "B-KS": (True, "B-QS"),
    }
    assert {card["x"] > base["x"] for card in under} == {True}
    assert sorted(card["y"] - base["y"] for card in under) == [COVERED_STRIP, 2 * COVERED_STRIP]
    assert (mine["total"], enemy["total"]) == (13 + 11 + 14, done.state.total(AI))
    assert all(card["new"] for card in mine["cards"])
    assert [card["up"] for card in enemy["cards"]] == [False]


def test_each_card_of_a_row_lies_in_one_formation(views):
    for view in views:
        for seat in (PLAYER, AI):
            row = view.armies[seat].row
            found = [
                laid for one in group_formations(row) for laid in (one.base, *(low for low, _ in one.under))
            ]
            assert sorted(laid.card for laid in found) == sorted(laid.card for laid in row)


def test_no_card_lies_beyond_an_edge_or_on_another_stack(views):
    """It holds for twenty bases too."""
    crowd = field(me=list(book().cards)[:20])
    for view in (*views, crowd):
        height = TELL.scene(view, ())["height"]
        whole = [card for card in drawn_by(view) if not card["under"]]
        for card in drawn_by(view):
            assert ROW_LEFT <= card["x"] <= ROW_RIGHT - card["width"]
            assert 0 < card["y"] < height - card["height"]
        for one, other in combinations(whole, 2):
            across, down = abs(one["x"] - other["x"]), abs(one["y"] - other["y"])
            assert across >= one["width"] or down >= min(one["height"], other["height"])


BEFORE_A_NAME, BESIDE_AN_ID, AROUND_A_VALUE = 18, 90, 44
"""Where a name begins on a card of the table and beside its id, and the width of the value at its right."""


def test_every_card_has_its_whole_name_covered_or_not():
    """The font itself measures the names. None reaches the value of its card or the edge."""
    font = ImageFont.truetype(str(files("adjudicator.reports").joinpath("fonts/DejaVuSansCondensed.ttf")), 18)
    for card in book().cards.values():
        covered = field(me=[other for other in book().cards if other != card.id][:1])
        mine = covered.armies[PLAYER]
        under = replace_fields(field(me=[card.id]).armies[PLAYER].row[0], link=mine.row[0].card)
        view = replace_fields(
            covered, armies={**covered.armies, PLAYER: replace_fields(mine, row=(*mine.row, under))}
        )
        strip = next(one for one in drawn_by(RULES.view(view, PLAYER)) if one["id"] == card.id)
        assert strip["under"]
        lines = strip["strip_name"]
        assert len(lines) <= 2
        assert read(line["text"] for line in lines) == read([card.name])
        for line in lines:
            left = BEFORE_A_NAME if line["below"] else BESIDE_AN_ID
            assert left + font.getlength(line["text"]) <= CARD_WIDTH - AROUND_A_VALUE
        for line in strip["name"]:
            assert BEFORE_A_NAME + font.getlength(line) <= CARD_WIDTH - AROUND_A_VALUE
        assert len(strip["name"]) <= 2
        held = _face_scene(card)["name"]
        assert read(held) == read([card.name])
        assert len(held) <= 3
        assert all(10 + font.getlength(line) <= HAND_CARD_WIDTH - 3 for line in held)


def read(lines) -> str:
    return "".join(lines).replace(" ", "")


def test_cards_that_the_reader_cannot_see_are_said_to_be_face_down(views):
    """The AI's hand is face down for the player, both hands for others."""
    assert any(view.armies[AI].hand for view in views)
    for view in views:
        enemy, mine = TELL.scene(view, ())["sides"]
        assert (enemy["face_down"], mine["face_down"]) == (bool(enemy["hand"]), False)
    assert "7 in hand, face down" in drawing(views[3])
    done = play(field(hand="B-QS, B-10H"), "PASS 1ST")
    assert "2 in hand, face down" in drawing(RULES.view(done.state, None))


def test_the_hand_says_of_each_card_what_the_rules_allow(views):
    """A card's marks for a base and for links are exactly the orders that MOVES lists."""
    seen = 0
    for view in views:
        hand = TELL.scene(view, ())["hand"]
        if hand is None or not hand["due"]:
            continue
        marked = {card["id"]: card["marks"] for card in hand["cards"]}
        lays = [one.order for one in legal_orders(view) if isinstance(one.order, Lay)]
        for one, marks in marked.items():
            alone = any(order.base and order.base.card == one and not order.plus for order in lays)
            assert ("as a base" in marks) == alone == (one in bases(view))
            idle = next(card["idle"] for card in hand["cards"] if card["id"] == one)
            assert (
                idle
                == (marks == ["not this round"])
                == (one not in bases(view) and one not in hosts_by_card(view))
            )
            on = [mark.removeprefix("+ on ") for mark in marks if mark.startswith("+ on ")]
            assert on == list(hosts_by_card(view).get(one, ()))
            seen += len(on)
            for host in on:
                (plus,) = {
                    order.plus[0].card
                    for order in lays
                    if order.plus and order.plus[0].card == one
                    if order.base is None or order.base.card == host
                }
                assert plus == one
    assert seen > 10


def test_a_stack_with_links_to_links_names_the_host_of_each_card(views):
    """A short stack needs no words: all its cards are on the base."""
    deep = 0
    for view in views:
        for seat, side in zip((AI, PLAYER), TELL.scene(view, ())["sides"], strict=True):
            drawn = {card["id"]: card for card in side["cards"]}
            for stack in group_formations(view.armies[seat].row):
                for table_card, _ in stack.under:
                    card = drawn[table_card.card]
                    is_free = not any(line["below"] for line in card["strip_name"])
                    expected = f"on {table_card.link}" if stack.depth > 1 and is_free else ""
                    assert card["host"] == expected
                    deep += bool(expected)
    assert deep > 2


def test_cards_are_marked_as_new_only_if_others_are_not():
    options = settle(GAME.about.options, {})
    played = rounds(games.kinds()["great-war"], b"gallery", bot=next(iter(GAME.bots)), options=options)
    kinds = set()
    for one in islice(played, 30):
        laid = {(event.seat, event.card) for event in one.events if isinstance(event, CardLaid)}
        view = GAME.rules.view(one.after, PLAYER)
        rows = [(seat, card.card) for seat in (AI, PLAYER) for card in view.armies[seat].row]
        is_all = laid.issuperset(rows)
        sides = TELL.scene(view, one.events)["sides"]
        marked = {
            (seat, card["id"])
            for seat, side in zip((AI, PLAYER), sides, strict=True)
            for card in side["cards"]
            if card["new"]
        }
        assert marked == (set() if is_all else laid.intersection(rows))
        kinds |= {is_all} if rows else set()
    assert kinds == {False, True}


def test_the_band_says_what_the_lead_counts(views):
    """The points of the cards on the table, not those captured."""
    for view in views:
        totals = f"{view.total(PLAYER)} against {view.total(AI)} on the table"
        assert totals in drawing(view)


def test_nobody_else_sees_the_hand(views):
    for view in views:
        assert TELL.scene(view, ())["hand"] is None or HAND.search(drawing(view))
    done = play(field(hand="B-QS, B-10H"), "PASS 1ST")
    spectator = RULES.view(done.state, None)
    assert TELL.scene(spectator, ())["hand"] is None
    assert not HAND.search(drawing(spectator))


HAND = re.compile("Your hand")


def drawing(view: View) -> str:
    found = svg(GAME, view, ())
    assert found is not None
    return found


def test_nothing_is_too_small_to_read(views):
    text = drawing(views[3])
    assert min(float(size) for size in re.findall(r"font-size[:=][ \"]*([\d.]+)", text)) >= LEGIBLE


def test_colours_stay_apart_for_every_eye():
    table, paper, band = "#dfe4d2", "#fffdf6", "#cfd6bd"
    assert nearest(*NATION_COLOURS.values()) >= LEAST
    for ink in (*NATION_COLOURS.values(), *(colour for _, colour, _ in CARD_BANDS)):
        for ground in (table, paper, band):
            assert nearest(ink, ground) >= LEAST


def test_the_picture_of_a_turn_that_ended_shows_the_rows_that_decided_it():
    """Not the empty table of the next one: its totals are those that the text gives."""
    options = settle(GAME.about.options, {})
    played = rounds(games.kinds()["great-war"], b"gallery", bot=next(iter(GAME.bots)), options=options)
    ended = 0
    for one in played:
        won = next((event for event in one.events if isinstance(event, TurnWon)), None)
        past = public_turn(GAME, one.before, one.after, one.events)
        shown = TELL.shown_view(past)
        if won is None:
            assert shown == past.after
            continue
        ended += 1
        assert (shown.total(PLAYER), shown.total(AI)) == (won.player, won.ai)
        assert shown.turn == won.turn
        assert (shown.score(PLAYER), shown.score(AI)) == won.scores
    assert ended == 5
