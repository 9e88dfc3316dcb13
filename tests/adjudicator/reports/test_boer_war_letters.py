"""Reviewed emails of the Boer War: a regular turn, a guerrilla turn, and the reply to a table."""

from dataclasses import dataclass

import pytest

import games
from adjudicator.clock import DAY
from adjudicator.model.games import AdjudicationResult, GamePosition, PlayedTurn
from adjudicator.model.mail import LetterDraft
from adjudicator.reports.messages import LetterReader, turn_report
from adjudicator.reports.report import compile_report
from adjudicator.turns.runner import play_turns, position_after
from games.boer_war import events
from games.boer_war.model import EMPIRE, PLAYER
from games.protocol import Seat
from tests.kit.campaign import campaign
from tests.kit.memory_repository import NOON, new_position
from tests.kit.suggested_lines import offered_lines, refused_lines

KIND = "boer-war"
READER = LetterReader(address="empire@example.org", reply_address="gm+veld.empire@example.org")


@dataclass(frozen=True)
class Read:
    """A report of one action: after which position, for whose eyes, as its reader gets it."""

    position: GamePosition
    viewer: Seat
    letter: LetterDraft


def report_action(start: GamePosition, step: PlayedTurn, viewer: Seat) -> Read:
    """The report of one action."""
    game = games.kinds()[KIND]
    played = AdjudicationResult(
        steps=(step,),
        state=step.after,
        filed={},
        due=game.rules.due(step.after),
        result=game.rules.result(step.after),
        deadline=NOON + 3 * DAY,
    )
    letter = turn_report(game, compile_report(game, start, played, viewer, commitment="5ea1" * 16), READER)
    return Read(position_after(start, played), viewer, letter)


def first_with(kind: type, *, guerrilla: bool) -> PlayedTurn:
    """The first action of the bots' game in which something happened, before one of the Empire's."""
    for step in campaign(KIND).steps:
        found = any(isinstance(event, kind) for event in step.events)
        if found and step.before.is_guerrilla == guerrilla and step.after.side == "empire":
            return step
    raise AssertionError(f"no {kind.__name__}")


@pytest.fixture(scope="module")
def letters():
    """The three emails by name."""
    regular = first_with(events.Battle, guerrilla=False)
    late = first_with(events.CampSet, guerrilla=True)
    table = new_position(KIND, options={"mode": "table"})
    answer = play_turns(games.kinds()[KIND], table, NOON, ripe=True)
    assert answer is not None
    return {
        "regular": report_action(campaign(KIND).start, regular, EMPIRE),
        "guerrilla": report_action(campaign(KIND).start, late, EMPIRE),
        "table": report_action(table, answer.steps[0], PLAYER),
    }


@pytest.mark.parametrize("name", ["regular", "guerrilla", "table"])
def test_a_letter_is_as_it_was_reviewed(letters, golden, name):
    golden(f"boer-war-{name}.txt", letters[name].letter.text)
    golden(f"boer-war-{name}.html", letters[name].letter.html)


def test_letters_keep_to_their_width(letters):
    for one in letters.values():
        assert [row for row in one.letter.text.split("\n") if len(row) > 72] == []


def test_whatever_a_letter_tells_to_write_is_taken(letters):
    """Its order sheet and its examples, sent back in the position in which it leaves its reader."""
    for name, one in letters.items():
        text = one.letter.text
        assert offered_lines(text), name
        assert refused_lines(one.position, one.viewer, text) == [], name
