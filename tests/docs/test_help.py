"""RULES and HELP in games whose orders depend on options or on the phase."""

import pytest

import games
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.reports.messages import help_text, rules_text
from tests.kit.game_emails import PLAYER
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import NOON, OFFICE, MemoryRepository, address_for, new_position


def test_the_rules_of_plains_indian_wars_show_how_the_nations_are_ordered() -> None:
    """Each example that the scenario with all of them has, and no other; and how to begin one."""
    game = games.kinds()["plains-indian-wars"]
    _, _, told = rules_text(game).partition("you lead the Plains nations")
    state = new_position(game.about.kind, options={"scenario": "2.7"}).state
    said = [line.removeprefix("| ") for line in told.splitlines() if line.startswith("| ")]
    assert said[:-1] == [form.example for form in game.notation.examples(state)]
    assert said[-1] == "NEW plains-indian-wars scenario=2.1"


def answer(position: GamePosition, *lines: str) -> str:
    """Return the reply to an email of the first seat, in one line."""
    seat = next(iter(position.assignments))
    raw = letter("\n".join(lines), sender=PLAYER, to=address_for(position, seat), date=NOON)
    repository = MemoryRepository({position.name: position})
    (found,) = handle_letter(stored_letter(raw, NOON), repository, OFFICE, NOON).answers
    return " ".join(found.text.split())


def test_the_rules_of_ones_own_game_show_what_can_be_ordered_in_it() -> None:
    """Against the automaton nobody can claim the initiative; between two people they can."""
    people = {"player": PLAYER}
    assert "pass with Archer" in answer(new_position("war-chest", people=people), "RULES")
    for asked in ("RULES", "RULES war-chest"):
        assert "claim initiative" not in answer(new_position("war-chest", people=people), asked)
    two = new_position("war-chest", people={"gold": PLAYER}, options={"opponent": "human"})
    assert "claim initiative with Archer" in answer(two, "RULES war-chest")


def test_the_rules_in_a_scenario_show_how_its_own_side_is_ordered() -> None:
    scenario = new_position("plains-indian-wars", people={"Nations": PLAYER}, options={"scenario": "2.1"})
    told = answer(scenario, "RULES")
    assert "Orders look like this: | play Red Cloud" in told
    assert "strike White" not in told
    shown, begins, _options = told.partition("When you start a game")
    assert begins
    assert "Variant I," not in shown


@pytest.mark.parametrize("kind", ["great-war", "boer-war"])
def test_a_manual_says_that_not_all_of_it_can_be_done_now(kind: str) -> None:
    """Between what can be, by the rules, and the first line of the manual."""
    position = new_position(kind)
    position = new_position(kind, people={next(iter(position.assignments)): PLAYER})
    told = answer(position, "HELP orders")
    now, _, manual = told.partition("This is the whole manual. Send MOVES to list what you can do now.")
    assert f"{sentence('outbound.welcome.examples_title')}:" in now
    assert manual.count(" | ") > 10
    assert "Not every order is possible at all times." in help_text("orders", games.kinds()[kind])
