"""Errors that mypy must find: a whole position where readers get a view, and unreported events."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.source_files import ROOT

SNIPPETS = {
    "a state is told": """
from adjudicator.model.games import GamePosition
from adjudicator.reports.messages import order_forms
from adjudicator.reports.maps import svg
from games.dice import Dice
from games.protocol import Choice, Correspondence, Due, Game, Objection, Order, Seat, View


def tables(game: Game, position: GamePosition, seat: Seat, objection: Objection) -> None:
    game.telling.tables(position.state)  # refused
    game.telling.scene(position.state, ())  # refused
    game.telling.advise(position.state, objection)  # refused
    game.telling.tables(game.rules.view(position.state, seat))

def notation(game: Game, position: GamePosition, seat: Seat) -> None:
    game.notation.lexicon(position.state)  # refused
    game.notation.build(position.state, "move", {})  # refused
    game.rules.concerns(position.state, seat, ())  # refused
    game.notation.lexicon(game.rules.view(position.state, seat))

def bots(game: Game, position: GamePosition, due: Due, dice: Dice) -> tuple[Choice[Order], ...]:
    game.bots["beginner"].orders(position.state, due, dice)  # refused
    return game.bots["beginner"].orders(game.rules.view(position.state, due.seat), due, dice)

def some(
    game: Game, position: GamePosition, seat: Seat, order: Order, heard: Correspondence, dice: Dice
) -> None:
    game.rules.foresee(position.state, seat, order, ())  # refused
    game.rules.examples(position.state, seat)  # refused
    game.notation.short_forms(position.state, seat)  # refused
    game.notation.examples(position.state)  # refused
    game.telling.lead(position.state, ())  # refused
    for bot in game.bots.values():
        bot.press(position.state, heard, dice)  # refused

def letters(game: Game, data: bytes) -> None:
    svg(game, game.state_from(data), ())  # refused
    order_forms(game, game.state_from(data))  # refused

def a_view_is_a_state_too(game: Game, view: View) -> None:
    game.rules.turn(view)
""",
    "a game tells its own state": """
from games.diplomacy.model import State, View
from games.diplomacy.reports.telling import DiplomacyTelling
from games.war_chest.bots import HouseBot
from games.war_chest.model import State as Chest
from games.war_chest.rules import WarChestRules
from games.dice import Dice
from games.protocol import Due, Seat

def diplomacy(telling: DiplomacyTelling, state: State, view: View) -> None:
    telling.tables(state)  # refused
    telling.tables(view)

def war_chest(state: Chest, due: Due, dice: Dice) -> None:
    HouseBot().orders(state, due, dice)  # refused
    HouseBot().orders(WarChestRules().view(state, due.seat), due, dice)
""",
    "parts of two games": """
from games.great_war.model import State
from games.great_war.rules import GreatWarRules
from games.great_war.notation import GreatWarNotation
from games.protocol import About, GameOf
from games.war_chest.events import AnyEvent
from games.war_chest.model import AnyOrder
from games.war_chest.report_text import WarChestTelling

def mixed(about: About) -> None:
    GameOf(  # refused
        about=about, package="", clauses="", rules=GreatWarRules(), notation=GreatWarNotation(),
        telling=WarChestTelling(), bots={}, state_type=State, order_type=AnyOrder, event_type=AnyEvent,
    ).opaque()
""",
    "an event that nobody tells": """
from games.great_war.events import Ended as CampaignEnded
from games.protocol import Event, Outcome
from games.war_chest.events import AnyEvent, Ended
from games.war_chest.model import State
from games.war_chest.report_text import WarChestTelling

def made(state: State, stranger: CampaignEnded, ended: Ended) -> Outcome[State, AnyEvent]:
    Outcome[State, AnyEvent](state, (stranger,))  # refused
    return Outcome(state, (ended,))

def told(telling: WarChestTelling, event: Event, ended: Ended) -> None:
    telling.tell(event, None)  # refused
    telling.tell(ended, None)
""",
}
"""Code by what is wrong in it; mypy has to refuse the lines marked so, and no other."""


_ERROR = re.compile(r"(?P<file>\w+)\.py:(?P<line>\d+): error: ")


@pytest.mark.long
def test_mypy_refuses_a_state_where_a_view_is_told(tmp_path: Path) -> None:
    """One process, with the settings of the product and what mypy remembers of it."""
    files = {what.replace(" ", "_"): code for what, code in SNIPPETS.items()}
    for name, code in files.items():
        (tmp_path / f"{name}.py").write_text(code)
    paths = [str(tmp_path / f"{name}.py") for name in files]
    command = [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", *paths]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    # By the name alone: of files that it knows mypy tells where they lay the last time.
    refused = {(found["file"], int(found["line"])) for found in _ERROR.finditer(said)}
    marked = {
        (name, number)
        for name, code in files.items()
        for number, line in enumerate(code.splitlines(), 1)
        if line.endswith("# refused")
    }
    assert refused == marked, said
