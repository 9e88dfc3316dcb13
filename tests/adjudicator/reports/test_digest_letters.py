"""Reviewed digests: of a player of every game, and of a player of one."""

import re
from dataclasses import replace

import pytest

import games
from adjudicator.model.addresses import reply_address
from adjudicator.model.mail import LetterDraft
from adjudicator.reports import messages
from adjudicator.reports.messages import LetterReader, WaitingGame
from adjudicator.turns.deadlines import missing_orders
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.game_emails import DAY, DEADLINE, PLAYER
from tests.kit.memory_repository import game_of, new_position

ALONE = ("war-chest", "great-war", "boer-war", "plains-indian-wars")
SCENARIO = ("plains-indian-wars", {"scenario": "2.3"}, "plains")
GAMES = [*((kind, {}, kind) for kind in games.kinds()), SCENARIO, ("boer-war", {"mode": "table"}, "table")]


def waiting(kind: str, options: dict[str, str], name: str) -> WaitingGame:
    """A game that has just begun and waits for its first person; without a clock where one plays alone."""
    position = new_position(kind, name=name, options=options)
    game = game_of(position)
    people = [due.seat for due in game.rules.due(position.state) if due.seat != "ai"]
    position = replace(
        position,
        deadline=None if kind in ALONE else position.deadline,
        assignments={
            seat: replace_fields(assignment, address=PLAYER if seat == people[0] else None)
            for seat, assignment in position.assignments.items()
        },
    )
    reply = reply_address("gm@example.org", name, people[0], "abcdefghijkl2")
    return WaitingGame(
        title=game.about.title,
        turn=game.rules.turn(position.state),
        deadline=position.deadline,
        missing=missing_orders(game, position)[people[0]],
        reader=LetterReader(address=PLAYER, game=name, seat=Seat(people[0]), reply_address=reply),
        badges=game.telling.badges(game.rules.view(position.state, people[0])),
        seat=messages.name_seat(game, people[0]),
    )


@pytest.fixture(scope="module", params=["all", "one"])
def digest(request: pytest.FixtureRequest) -> tuple[str, LetterDraft]:
    """All games, each once; and the digest in which a single one stands."""
    found = GAMES if request.param == "all" else [SCENARIO]
    games_ = sorted((waiting(*one) for one in found), key=lambda one: one.deadline or DEADLINE + DAY)
    letter = messages.digest(LetterReader(address=PLAYER), "digest/of-all", games_)
    return request.param, letter


def test_a_digest_is_as_it_was_reviewed(digest, golden):
    name, letter = digest
    golden(f"digest-{name}.txt", letter.text)
    golden(f"digest-{name}.html", letter.html)


def test_each_game_stands_in_it_with_its_own_address(digest):
    """Within its columns, and nobody plays a seat called player."""
    name, letter = digest
    assert [row for row in letter.text.split("\n") if len(row) > 72] == []
    assert "play player" not in letter.text + letter.html
    for kind, _, called in GAMES if name == "all" else [SCENARIO]:
        assert f"gm+{called}." in letter.text
        assert games.kinds()[kind].about.title in re.sub(r"<[^>]+>|&nbsp;", "", letter.html)
