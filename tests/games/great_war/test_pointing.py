"""Cards on the table that can be selected: their owner, their value, and the cards that a sentence names."""

import re

from games.great_war.events import Blockaded, CardLaid, EffectDone, Totals
from games.great_war.map import CARD_HEIGHT, COVERED_STRIP
from games.great_war.model import AI, PLAYER
from games.record import replace_fields
from tests.games.great_war.front import GAME, RULES, field

TELLING = GAME.telling


def test_a_card_tells_whose_it_is_what_it_is_worth_and_whether_it_is_cancelled():
    """Both rows are covered. A card that isn't under another has its full height."""
    view = RULES.view(field(me="R-5H", ai="R-9D, B-9S!"), None)
    found = {one.at: one for one in TELLING.spots(view)}
    assert [*found] == ["ai/R-9D", "ai/B-9S", "player/R-5H"]
    mine = found["player/R-5H"]
    assert (mine.owner, mine.pieces) == ("the player", (f"{view.book['R-5H'].bp} Battle Points",))
    assert mine.name.startswith("R-5H ")
    assert found["ai/B-9S"].pieces == ("cancelled",)
    assert found["ai/R-9D"].owner == "the AI"


def test_of_a_card_under_another_what_shows_can_be_pointed_at():
    """It is only the strip below its base."""
    view = RULES.view(field(me="R-5H, B-4H"), None)
    mine = view.armies[PLAYER]
    base, plus = mine.row
    added = replace_fields(mine, row=(base, replace_fields(plus, link="R-5H")))
    found = {
        one.at: one for one in TELLING.spots(replace_fields(view, armies={**view.armies, PLAYER: added}))
    }
    assert high(found["player/R-5H"].path) == CARD_HEIGHT
    assert high(found["player/B-4H"].path) == COVERED_STRIP
    assert found["player/B-4H"].pieces[-1] == "added to R-5H"


def high(path):
    """Return the height of an outline: ``M left top H right V low H left Z``."""
    top, low = re.fullmatch(r"M[\d.]+ ([\d.]+)H[\d.]+V([\d.]+)H[\d.]+Z", path).groups()
    return float(low) - float(top)


def test_a_card_that_was_laid_is_found_with_its_link_and_what_it_did():
    """Cancelled cards belong to the other side, restored cards to the same side."""
    laid = CardLaid(
        turn=1,
        phase="round 1",
        seat=AI,
        card="B-9S",
        how="plus",
        bp=3,
        link="R-9D",
        done=(EffectDone(op="cancel", card="R-5H"), EffectDone(op="restore", card="R-8D")),
    )
    assert TELLING.mention(laid).at == ("ai/B-9S", "ai/R-9D", "player/R-5H", "ai/R-8D")
    taken = Blockaded(turn=1, phase="end", seat=PLAYER, by="R-5H", card="R-9D")
    assert TELLING.mention(taken).at == ("player/R-5H", "ai/R-9D")
    assert TELLING.mention(Totals(turn=1, phase="end", player=1, ai=2)) is None
