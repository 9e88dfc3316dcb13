"""Hexes that readers can point at: their owners, their pieces, and the events about them."""

from games.record import replace_fields
from games.war_chest.events import Attacked, Deployed, Moved, Refused
from games.war_chest.model import AUTOMATON, PLAYER, Deploy
from games.war_chest.report_text import WarChestTelling
from tests.games.war_chest.table import GAME, RULES, solo

TELLING = WarChestTelling()


def spot(state, at):
    found = {one.at: one for one in TELLING.spots(RULES.view(state, None))}
    return found[at]


def test_a_hex_tells_whose_it_is_and_what_stands_there():
    """A location of the AI with a stack of two coins, a unit, and an empty hex."""
    state = solo(player="Archer d4", ai="Knight e4 x2", control="ai e4")
    taken, stood, empty = (spot(state, at) for at in ("e4", "d4", "d5"))
    assert (taken.name, taken.owner, taken.pieces) == ("Location e4", "the AI", ("the AI's Knight, 2 coins",))
    assert (stood.name, stood.owner, stood.pieces) == ("Hex d4", None, ("your Archer, 1 coin",))
    assert (empty.owner, empty.pieces) == (None, ())


def test_a_step_is_found_at_both_its_hexes_and_its_arrow_bears_its_title():
    """The first hex comes first. A deployed unit has only one hex."""
    moved = Moved(seat=PLAYER, card="archer", at="d4", to="d5")
    mention = TELLING.mention(moved)
    assert (mention.at, mention.of) == (("d4", "d5"), "You")
    arrows = TELLING.scene(RULES.view(solo(player="Archer d5"), None), (moved,))["arrows"]
    assert [one["title"] for one in arrows] == [mention.title] == ["You: Archer d4 - d5"]
    assert TELLING.mention(Deployed(seat=AUTOMATON, card="scout", at="c3")).at == ("c3",)
    assert TELLING.mention(Refused(seat=PLAYER, order=Deploy(card="archer", at="b1"), code="")).at == ("b1",)


def test_an_attack_is_not_called_a_move():
    """A move and an attack between the same hexes have different titles."""
    attack = Attacked(seat=PLAYER, card="archer", at="d4", victim=AUTOMATON, target="knight", to="d5", left=0)
    assert TELLING.mention(attack).title == "You: Archer d4 attacks d5"
    assert TELLING.mention(replace_fields(attack, seat=AUTOMATON)).of == "The AI"
    assert GAME.telling.mention(attack) == TELLING.mention(attack)
