"""Letters of the Boer War as reviewed by eye: a regular turn, a guerrilla turn, the answer to a table."""

import pytest

import games
from adjudicator.ledger.positions import Played, Position, Step
from adjudicator.referee.turn import play
from adjudicator.reports.messages import Reader, turn_report
from adjudicator.reports.report import gather
from games.boer_war import events
from games.boer_war.model import EMPIRE, PLAYER
from games.protocol import Seat
from tests.kit.campaign import campaign
from tests.kit.memory import NOON, opened

KIND = "boer-war"
READER = Reader(address="empire@example.org", reply_address="gm+veld.empire@example.org")


def letter(start: Position, step: Step, viewer: Seat):
    """The report of one action, as its reader gets it."""
    game = games.kinds()[KIND]
    played = Played(
        steps=(step,),
        state=step.after,
        filed={},
        due=game.rules.due(step.after),
        result=game.rules.result(step.after),
        deadline=None,
    )
    return turn_report(game, gather(game, start, played, viewer, commitment="5ea1" * 16), READER)


def first_with(kind: type, *, guerrilla: bool) -> Step:
    """The first action of the bots' game in which something happened, before one of the Empire's."""
    for step in campaign(KIND).steps:
        found = any(isinstance(event, kind) for event in step.events)
        if found and step.before.is_guerrilla == guerrilla and step.after.side == "empire":
            return step
    raise AssertionError(f"no {kind.__name__}")


@pytest.fixture(scope="module")
def letters():
    """By name: the three letters."""
    regular = first_with(events.Battle, guerrilla=False)
    late = first_with(events.CampSet, guerrilla=True)
    table = opened(KIND, options={"mode": "table"})
    answer = play(games.kinds()[KIND], table, NOON, ripe=True)
    assert answer is not None
    return {
        "regular": letter(campaign(KIND).start, regular, EMPIRE),
        "guerrilla": letter(campaign(KIND).start, late, EMPIRE),
        "table": letter(table, answer.steps[0], PLAYER),
    }


@pytest.mark.parametrize("name", ["regular", "guerrilla", "table"])
def test_a_letter_is_as_it_was_reviewed(letters, golden, name):
    golden(f"boer-war-{name}.txt", letters[name].text)
    golden(f"boer-war-{name}.html", letters[name].html)


def test_letters_keep_to_their_width(letters):
    for one in letters.values():
        assert [row for row in one.text.split("\n") if len(row) > 72] == []
