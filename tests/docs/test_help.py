"""What RULES answers about a game whose orders are not the same in every one: those of both sides."""

import games
from adjudicator.reports.help import rules_text
from games.protocol.optional import Illustrated
from tests.kit.memory import opened


def test_the_rules_of_plains_indian_wars_show_how_the_nations_are_ordered() -> None:
    """Each example that the scenario with all of them has, and no other; and how to begin one."""
    game = games.kinds()["plains-indian-wars"]
    _, _, told = rules_text(game).partition("you lead the Plains nations")
    assert isinstance(game.notation, Illustrated)
    state = opened(game.about.kind, options={"scenario": "2.7"}).state
    said = [line.removeprefix("| ") for line in told.splitlines() if line.startswith("| ")]
    assert said[:-1] == [form.example for form in game.notation.examples(state)]
    assert said[-1] == "NEW plains-indian-wars scenario=2.1"
