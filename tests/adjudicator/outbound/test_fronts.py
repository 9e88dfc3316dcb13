"""The seats' parts of the map in the reports of a turn. The board around them is drawn once for all."""

from io import BytesIO

import pytest
from PIL import Image

import games
from adjudicator.outbound.composer import draw_map
from adjudicator.reports import maps
from adjudicator.reports.maps import shown_width
from games.options import settle
from games.protocol import Seat
from tests.kit.bot_games import rounds

GAME = games.kinds()["standard"]
SEATS = tuple(map(Seat, ("Austria", "England", "Turkey")))


@pytest.fixture(scope="module")
def turn():
    return next(iter(rounds(GAME, b"fronts", years=1901)))


def test_each_reader_has_his_own_front_and_all_share_the_board(turn, monkeypatch):
    widths = []
    drawn = maps.png

    def counted(svg, width_px=1200):
        widths.append(width_px)
        return drawn(svg, width_px)

    monkeypatch.setattr(maps, "png", counted)
    maps.map_picture.cache_clear()
    drawings = [draw_map(GAME, turn.after, turn.events, None, "told", seat, close=True) for seat in SEATS]
    assert len({one.front for one in drawings}) == len(SEATS)
    assert len({one.png for one in drawings}) == 1
    assert widths == [maps.BESIDE_PX, *[maps.CLOSE_UP_PX] * len(SEATS)]
    for one in drawings:
        wide, high = Image.open(BytesIO(one.front)).size
        shown = shown_width(one.front)
        assert 185_000 < shown * shown * high / wide < 195_000, "high ones are narrower"
        assert wide == maps.CLOSE_UP_PX >= 1.5 * shown, "sharp on a phone"
        assert len(one.front) < 110_000
        assert len(one.png) + len(one.front) < 160_000


def test_who_has_no_front_gets_the_board_alone_and_larger(turn):
    """Seats without a unit or a centre, kinds of game that have none."""
    alone = draw_map(GAME, turn.after, turn.events, None, "told")
    nobody = draw_map(GAME, turn.after, turn.events, None, "told", Seat("Nobody"), close=True)
    assert alone.front is None
    assert nobody == alone
    assert len(alone.png) > len(
        draw_map(GAME, turn.after, turn.events, None, "told", SEATS[0], close=True).png
    )


def test_who_watches_sees_where_the_board_is_crowded(turn):
    seen = draw_map(GAME, turn.after, turn.events, None, "told", close=True)
    assert seen.front is not None
    assert seen.png == draw_map(GAME, turn.after, turn.events, None, "told", SEATS[0], close=True).png
    assert seen.front not in [
        draw_map(GAME, turn.after, turn.events, None, "told", seat, close=True).front for seat in SEATS
    ]


def test_no_part_of_a_war_is_crowded():
    for kind in ("plains-indian-wars", "boer-war"):
        game = games.kinds()[kind]
        options = settle(game.about.options, {})
        view = next(iter(rounds(game, b"fronts", bot=next(iter(game.bots)), options=options))).after
        assert maps.front(game, game.rules.view(view, None), None, ()) is None

    chest = games.kinds()["war-chest"]
    assert not maps.has_fronts(chest)
