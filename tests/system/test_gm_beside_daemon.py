"""A GM works while the daemon runs: no action is lost, and the log is valid."""

import threading
from pathlib import Path

import pytest

from adjudicator.admin import game_admin, overrides
from adjudicator.admin.overrides import OverrideReason
from adjudicator.errors import Refusal
from adjudicator.service import Service, open_service
from tests.kit.service_harness import LocalService, local_service

ROUNDS = 10


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters without maps."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)


ORDERS = "Mohawk H\nOneida H\nOnondaga H\nSeneca H\n"


def test_letters_turns_and_deeds_go_through_each_other(tmp_path: Path) -> None:
    """One thread reads letters and plays turns, another edits, sets orders and puts the game back."""
    with local_service(tmp_path) as here:
        game_admin.new_game(here.service, game_admin.GameRequest("indianomacy", "otter"), secret=b"otter")
        game_admin.assign(here.service, "otter", "iroquois", "iroquois@example.org")
        here.service.send()
        done, played, failures = threading.Event(), threading.Event(), list[BaseException]()
        daemon = threading.Thread(target=_serve, args=(here, played, done, failures))
        daemon.start()
        assert played.wait(300), "a turn, before anything is done by hand"
        context = open_service(here.service.settings, here.clock)
        person_actions = [_done(context, number) for number in range(ROUNDS)]
        done.set()
        daemon.join(300)
        assert failures == []
        assert game_admin.prove(context, "otter").fault is None
        entries = overrides.entries_of(context, "otter")
        assert [entry.number for entry in entries] == list(range(len(entries)))
        assert (
            sum(entry.kind not in ("setup", "turn") for entry in entries) == sum(person_actions) > ROUNDS // 2
        )
        assert any(entry.kind == "turn" for entry in entries)
        context.database.close()


def _serve(
    here: LocalService, played: threading.Event, done: threading.Event, failures: list[BaseException]
) -> None:
    """Do the daemon's work, with a player who answers each report at once.

    played: called after the first turn.
    """
    try:
        answered = 0
        while not done.is_set():
            letters = here.mail("iroquois@example.org")
            if len(letters) > answered:
                answered = len(letters)
                here.answer("iroquois@example.org", letters[-1], ORDERS)
            here.work()
            if game_admin.position_of(here.service, "otter").entries > 1:
                played.set()
    except BaseException as fault:
        failures.append(fault)
    finally:
        here.service.database.close()


def _done(context: Service, number: int) -> bool:
    """Something by hand; False where the position does not let it be done."""
    warrant = OverrideReason(f"deed {number}", silent=True)
    try:
        if number % 4 == 0:
            overrides.edit(context, "otter", "canoes in Mohawk 1", warrant)
        elif number % 4 == 1:
            overrides.edit(context, "otter", "taboo off", warrant)
        elif number % 4 == 2:
            overrides.force(context, "otter", f"storm/b/U{number}", (3,), warrant, blindly=True)
        else:
            overrides.undo(context, "otter", None, warrant)
    except Refusal:
        return False
    return True
