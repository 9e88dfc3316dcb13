"""The uses of coins in a report are legal, and hidden coins aren't shown."""

from games.war_chest import legality
from games.war_chest.components import name
from games.war_chest.legal_orders import decisions
from games.war_chest.model import PLAYER
from games.war_chest.rules import WarChestRules
from tests.kit.campaign import campaign

RULES = WarChestRules()


def test_each_coin_of_the_hand_has_a_row() -> None:
    """On the player's turns. On the automaton's turns the table is empty."""
    rows = 0
    for state in campaign("war-chest").states:
        view = RULES.view(state, PLAYER)
        told = dict(decisions(view))
        asked = [due for due in RULES.due(state) if due.seat == PLAYER and due.kind == "your turn"]
        if asked:
            assert list(told) == [name(coin) for coin in dict.fromkeys(legality.coins(view, PLAYER))]
            assert all(said.endswith("pass") for said in told.values())
            rows += len(told)
        elif RULES.due(state):
            assert not told or RULES.due(state)[0].seat == PLAYER
    assert rows > 30


def test_a_spectator_is_told_nothing_of_a_hidden_hand() -> None:
    for state in campaign("war-chest").states:
        assert list(decisions(RULES.view(state, None))) == []
