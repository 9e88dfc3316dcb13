"""Orders of War Chest as players write them, read by the reader of emails."""

import pytest

from games.protocol import Condition
from games.war_chest.model import GOLD
from games.war_chest.notation import WarChestNotation
from orders.reading.forms import compile_forms, match_text
from orders.reading.lexicon import index_lexicon as names
from tests.games.war_chest.table import RULES, duel, order

NOTATION = WarChestNotation()
STATE = duel(gold="Footman d4, Footman c3, Ensign d3", hand="Footman")


def read(text: str) -> set[str]:
    """Return the canonical texts of all meanings of a line."""
    view = RULES.view(STATE, GOLD)
    found = match_text(text, compile_forms(NOTATION.forms), names(NOTATION.lexicon(view)))
    return {NOTATION.write(NOTATION.build(view, one.form.name, one.slots)) for one in found}


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Swordsman to d5", "Swordsman - d5"),
        ("swordsman d4 → d5", "Swordsman d4 - d5"),
        ("Sword moves to D5", "Swordsman - d5"),
        ("move Swordsman to d5", "Swordsman - d5"),
        ("Archer x Knight", "Archer attacks Knight"),
        ("Archer shoots at e5", "Archer attacks e5"),
        ("Scout hits the Warrior Priest", "Scout attacks Warrior Priest"),
        ("Scout takes control", "Scout controls"),
        ("control e4 with Scout", "Scout controls e4"),
        ("Light Cavalry rides to d5 then e5", "Light Cavalry - d5, then - e5"),
        ("lc - d5, then to e5", "Light Cavalry - d5, then - e5"),
        ("Cavalry to d4 and attacks d5", "Cavalry - d4, then attacks d5"),
        ("Swordsman attacks d5 then moves to c4", "Swordsman attacks d5, then - c4"),
        ("Ensign sends Scout to d5", "Ensign orders Scout - d5"),
        ("Marshall: Knight attacks Scout", "Marshall orders Knight attacks Scout"),
        ("footman d4 - d5 and footman c3 controls", "Footman d4 - d5, and Footman c3 controls"),
        ("Royal Guard marches to d2, then e1", "Royal Guard marches to d2, then e1"),
        ("put Scout on e1", "deploy Scout e1"),
        ("Scout deploys at e1", "deploy Scout e1"),
        ("bolster the Footman on c3", "bolster Footman c3"),
        ("Footman c3 bolsters", "bolster Footman c3"),
        ("recruit a Scout coin using the Royal Coin", "recruit Scout with Royal Coin"),
        (
            "recruit Mercenary with Archer and Mercenary attacks d5",
            "recruit Mercenary with Archer, then Mercenary attacks d5",
        ),
        ("pass", "pass"),
        ("pass with royal", "pass with Royal Coin"),
        ("take the initiative with Scout", "claim initiative with Scout"),
        ("choose Archer", "pick Archer"),
        ("Archer", "pick Archer"),
        ("lose from supply", "lose a coin of the supply"),
    ],
)
def test_what_is_written_is_understood(text, canonical):
    assert read(text) == {canonical}


@pytest.mark.parametrize("form", NOTATION.forms, ids=lambda form: form.example)
def test_the_tests_read_orders_as_letters_are_read(form):
    """The simple reader of these tests agrees with the reader of emails."""
    (canonical,) = read(form.example)
    assert NOTATION.write(order(canonical)) == canonical


@pytest.mark.parametrize("form", NOTATION.conditions, ids=lambda form: form.example)
def test_a_condition_is_written_as_it_is_read(form):
    example = form.example.replace("player", "gold")
    found = match_text(example, compile_forms(NOTATION.conditions), names(NOTATION.lexicon(STATE)))
    (said,) = {NOTATION.write_condition(Condition(form=one.form.name, slots=one.slots)) for one in found}
    assert said == example


def test_forms_of_other_games_are_refused():
    with pytest.raises((KeyError, ValueError)):
        NOTATION.build(STATE, "support-move", {"unit": "scout"})
