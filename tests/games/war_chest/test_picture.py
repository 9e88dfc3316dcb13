"""The picture of positions of bots' games: the hand below the board, and all of it where it can be seen."""

import re
from functools import cache
from itertools import islice

import pytest

import games
from adjudicator.reports.picture import svg
from games.options import settle
from games.war_chest import lawful
from games.war_chest.board import HEXES
from games.war_chest.components import HIDDEN, LOCATIONS, ROYAL, UNITS, name
from games.war_chest.model import AUTOMATON, GOLD, PLAYER, SILVER, Bolster, Claim, Deploy, Recruit
from games.war_chest.possible import possible
from games.war_chest.scene import COLOURS, scene
from games.war_chest.telling import WarChestTelling
from tests.games.diplomacy.test_colours import LEAST, nearest
from tests.games.war_chest.table import GAME, RULES, duel, solo
from tests.kit.rounds import rounds

LEAST_PX, MAIL_PX = 9, 600
COIN = 23
"""So high are the letters on a coin that is not drawn smaller."""
LETTER = re.compile(r"font-size[:=]\"?\s*([\d.]+)")
TEXT = re.compile(r'<text[^>]*class="can"[^>]*>([^<]*)</text>')


@cache
def played(**options):
    """Positions of a game of bots, a few turns of it."""
    game = games.kinds()["war-chest"]
    chosen = settle(game.about.options, options)
    return tuple(
        one.after for one in islice(rounds(game, b"pictures", bot=next(iter(game.bots)), options=chosen), 24)
    )


def hands(state, seat):
    return scene(RULES.view(state, seat), ())["hands"]


def uses(view, seat, coin):
    """What the rules' own list lets a coin be played for, by the words that tell of it."""
    given = [one.order for one in possible(view, seat) if one.of == name(coin)]
    return {
        "deploy on": any(isinstance(one, Deploy) for one in given),
        "bolster": any(isinstance(one, Bolster) for one in given),
        "recruit": any(isinstance(one, Recruit) for one in given),
        "claim the initiative": any(isinstance(one, Claim) for one in given),
    }


def test_each_coin_of_the_hand_tells_what_the_rules_let_it_do():
    seen = 0
    for state in played():
        view = RULES.view(state, PLAYER)
        for hand in hands(state, PLAYER):
            coins = {name(coin): coin for coin in dict.fromkeys(view.sides[PLAYER].hand)}
            assert [row["name"] for row in hand["rows"]] == list(coins)
            assert sum(row["count"] for row in hand["rows"]) == len(view.sides[PLAYER].hand)
            for row in hand["rows"]:
                told = " ".join(row["lines"])
                if not hand["due"] or view.picks or coins[row["name"]] not in lawful.coins(view, PLAYER):
                    assert told == ""
                    continue
                for words, lawfully in uses(view, PLAYER, coins[row["name"]]).items():
                    assert (words in told) == lawfully, (row["name"], told)
                    seen += 1
    assert seen > 20


def test_a_hand_is_in_nobody_elses_picture():
    state = duel(gold="Archer d4", silver="Scout d6", hand="Archer, Scout")
    assert [hand["seat"] for hand in hands(state, GOLD)] == ["gold"]
    assert [hand["seat"] for hand in hands(state, SILVER)] == ["silver"]
    assert hands(state, None) == []
    mine, theirs, public = (svg(GAME, RULES.view(state, seat), (), "x") for seat in (GOLD, SILVER, None))
    assert "Hand of gold" in mine
    assert "Hand of silver" not in mine
    assert "Hand of gold" not in theirs
    assert "Hand of" not in public
    for one in played(opponent="human", units="first-game"):
        for seat in (GOLD, SILVER):
            view = RULES.view(one, seat)
            assert HIDDEN in view.sides[view.other(seat)].hand or not view.sides[view.other(seat)].hand
            assert {hand["seat"] for hand in hands(one, seat)} <= {seat}


def test_the_automaton_shows_no_hand():
    assert {hand["seat"] for state in played() for hand in hands(state, None)} <= {PLAYER}
    assert AUTOMATON in RULES.view(played()[0], None).sides


@pytest.mark.parametrize("seat", [PLAYER, None])
def test_all_of_it_lies_inside_the_picture(seat):
    for state in played():
        drawn = scene(RULES.view(state, seat), ())
        corners = [pair.split(",") for hex_ in drawn["hexes"] for pair in hex_["corners"].split()]
        assert all(0 <= float(x) <= drawn["width"] and 0 <= float(y) <= 960 for x, y in corners)
        for hand in drawn["hands"]:
            assert 960 < hand["top"] < hand["end"] <= drawn["height"]
            tops = [row["y"] for row in hand["rows"]]
            low = [row["y"] + 39 + 25 * (len(row["lines"]) - 1) for row in hand["rows"]]
            assert all(end < top for end, top in zip(low, tops[1:], strict=False))
            assert max(low) < hand["end"]


def test_rows_of_a_hand_end_before_the_edge(width_of):
    """Lettered 19 high, from 108 on."""
    rows = [
        text for state in played() for text in TEXT.findall(svg(GAME, RULES.view(state, PLAYER), (), "x"))
    ]
    assert any(rows)
    assert max(width_of(text, 19) for text in rows) <= 1200 - 108 - 12


@pytest.fixture(scope="module")
def width_of():
    from PIL import ImageFont

    from adjudicator.reports.composing import fonts

    file = next(one for one in fonts() if one.endswith("DejaVuSans.ttf"))
    return lambda text, size: ImageFont.truetype(file, size).getlength(text)


def test_nothing_is_too_small_in_mail():
    drawing = svg(GAME, RULES.view(played()[5], PLAYER), (), "x")
    shrunk = [float(k) for k in re.findall(r"scale\(([\d.]+)\)", drawing)]
    assert COIN * min(shrunk) * MAIL_PX / 1200 >= LEAST_PX


def test_sides_stay_apart_from_each_other_and_from_the_board():
    assert nearest(*COLOURS) >= LEAST
    for ink in COLOURS:
        for ground in ("#ece5d6", "#f7f1e2", "#d9c68f", "#fffdf6"):
            assert nearest(ink, ground) >= LEAST, (ink, ground)


def test_the_text_names_the_hex_of_every_unit_and_of_every_location():
    for state in played():
        view = RULES.view(state, PLAYER)
        tables = {table.title: table for table in WarChestTelling().tables(view)}
        if view.picks:
            continue
        rows = {row[0]: row for row in tables["The board, hex by hex"].rows}
        assert set(rows) == {*LOCATIONS, *(unit.at for unit in view.stacks)} <= set(HEXES)
        for unit in view.stacks:
            assert rows[unit.at][2:5] == (unit.seat, UNITS[unit.card].name, str(unit.height))
        for at in LOCATIONS:
            assert rows[at][1] == view.control.get(at, "nobody")
    assert ROYAL not in {unit.card for unit in solo(player="Archer d4").stacks}
