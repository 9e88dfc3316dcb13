"""Fronts in the reports of a turn: whose they are; the board beside them is drawn once for all."""

import pytest

import games
from adjudicator.reports import picture
from adjudicator.secretary.writing import map_for
from games.protocol import Seat
from tests.kit.rounds import rounds

GAME = games.kinds()["standard"]
SEATS = tuple(map(Seat, ("Austria", "England", "Turkey")))


@pytest.fixture(scope="module")
def turn():
    return next(iter(rounds(GAME, b"fronts", years=1901)))


def test_each_reader_has_his_own_front_and_all_share_the_board(turn, monkeypatch):
    widths = []
    drawn = picture.png

    def counted(svg, width_px=1200):
        widths.append(width_px)
        return drawn(svg, width_px)

    monkeypatch.setattr(picture, "png", counted)
    picture.drawn.cache_clear()
    maps = [map_for(GAME, turn.after, turn.events, None, "told", seat) for seat in SEATS]
    assert len({one.front for one in maps}) == len(SEATS)
    assert len({one.png for one in maps}) == 1
    assert sorted(widths) == [picture.BESIDE_PX, *[picture.FRONT_PX] * len(SEATS)]
    assert all(len(one.png) + len(one.front) < 130_000 for one in maps), (
        "a letter of some 200 kilobytes at most"
    )


def test_who_has_no_front_gets_the_board_alone_and_larger(turn):
    """Observers, seats without a unit or a centre, kinds of game that have none."""
    alone = map_for(GAME, turn.after, turn.events, None, "told")
    nobody = map_for(GAME, turn.after, turn.events, None, "told", Seat("Nobody"))
    assert alone.front is None
    assert nobody == alone
    assert len(alone.png) > len(map_for(GAME, turn.after, turn.events, None, "told", SEATS[0]).png)
    chest = games.kinds()["war-chest"]
    assert not picture.has_fronts(chest)
