"""A bot that uses history, in a game of the service: it knows the earlier turns, and the log replays."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import games
from adjudicator.admin import game_admin
from adjudicator.admin.game_admin import play_now
from adjudicator.turns.bots import GameBots
from adjudicator.turns.log import orders_of, replay
from adjudicator.turns.runner import recent_turns
from games.dice import SealedDice
from games.protocol import Seat
from tests.kit.service_harness import local_service

SECRET = b"t" * 32
SILENT = {"press": "none"}
"""What bots agree to in letters changes what they plan."""
FRANCE = Seat("France")


@pytest.fixture(autouse=True)
def quick() -> Iterator[None]:
    """No maps are drawn here, and the advanced thinks shortly."""
    kinds = games.kinds()
    standard = kinds["standard"]
    bots = {**standard.bots, "advanced": standard.bots["advanced"].with_budget(30)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
        patch.setattr(games, "kinds", lambda: {**kinds, "standard": replace(standard, bots=bots)})
        yield


def test_the_advanced_of_a_real_game_knows_the_turns_before(tmp_path: Path) -> None:
    with local_service(tmp_path) as place:
        service, game = place.service, games.kinds()["standard"]
        game_admin.new_game(
            service, game_admin.GameRequest("standard", "lynx", level="advanced", terms=SILENT), secret=SECRET
        )
        game_admin.assign(service, "lynx", "germany", "germany@example.org")
        place.work()
        for _ in range(3):
            play_now(service, "lynx")
        before = game_admin.position_of(service, "lynx")
        past = recent_turns(game, before, partial(service.repository.latest, "lynx"))
        press = service.repository.people.press("lynx")
        assert [one.turn.short for one in past][:2] == ["S1901M", "F1901M"]
        play_now(service, "lynx")
        log = service.repository.log("lynx")
        entry = log[before.entries][0]
        (due,) = [due for due in game.rules.due(before.state) if due.seat == FRANCE]
        dice = SealedDice(before.secret, "lynx", before.dice_number)
        knowing = GameBots(game, "lynx", before.secret, press, past)
        assignment = before.assignments[FRANCE]
        choices = knowing.orders(before.state, due, assignment, dice)
        why = {game.notation.write(choice.order): choice.reason for choice in choices}
        assert orders_of(game, entry)[FRANCE] == tuple(choice.order for choice in choices)
        assert entry.reasons[FRANCE] == why
        alone = GameBots(game, "lynx", before.secret, press).orders(before.state, due, assignment, dice)
        assert {game.notation.write(choice.order): choice.reason for choice in alone} != why
        found = replay(game, "lynx", before.secret, log)
        assert (found.agreed, found.fault) == (len(log), None)
