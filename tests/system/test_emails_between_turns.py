"""However many turns are due at once, a new email waits for one of them at most.

And no turn runs at its deadline while an earlier email waits.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.model.mail import IncomingLetter
from adjudicator.service import open_service
from adjudicator.storage import due_games, inbox
from tests.kit.service_harness import HOUR, LocalService, local_service

DAY = 24 * HOUR
NAMES = ("heron", "otter", "raven")
ASKS = b"From: you@example.org\r\nTo: gm@example.org\r\nMessage-ID: <1@example.org>\r\n\r\nHELP\r\n"


def test_a_letter_is_answered_between_two_turns_that_are_due(tmp_path: Path) -> None:
    passed: list[str] = []

    def reached(step: str) -> None:
        passed.append(step)
        if passed.count("turn committed") == 1 and step == "turn committed":
            service.receive(ASKS)

    with local_service(tmp_path) as place:
        for name in NAMES:
            game_admin.new_game(place.service, game_admin.GameRequest("indianomacy", name), secret=b"s" * 32)
            for seat in ("Iroquois", "Dakota"):
                game_admin.assign(place.service, name, seat, f"{seat.lower()}.{name}@example.org")
        place.work()
        place.clock.advance(30 * DAY)
        place.service.poll()
        service = open_service(place.service.settings, place.clock, reached)
        service.process()
        service.database.close()
        read = [one.disposition for one in inbox.list_letters(place.service.database)]
    turns = [at for at, step in enumerate(passed) if step == "turn committed"]
    assert len(turns) >= len(NAMES)
    assert read == ["read"]
    assert turns[0] < passed.index("letter handled") < turns[1]


def orders_in_time(place: LocalService) -> None:
    """A game whose deadline goes by while orders for it lie in the mailbox, unread."""
    terms = {"early": "no", "moves": "24h", "grace": "0h"}
    game_admin.new_game(
        place.service, game_admin.GameRequest("indianomacy", "heron", terms=terms), secret=b"s" * 32
    )
    for seat in ("Iroquois", "Dakota"):
        game_admin.assign(place.service, "heron", seat, f"{seat.lower()}@example.org")
    place.work()
    (welcome,) = place.mail("iroquois@example.org")
    place.clock.advance(23 * HOUR)
    place.answer("iroquois@example.org", welcome, "Mohawk - Pequot")
    place.clock.advance(2 * HOUR)


def turn_ran_once(place: LocalService) -> bool:
    """Return whether the turn ran once, with those orders."""
    entries = [entry for entry, _ in place.service.repository.log("heron") if entry.kind == "turn"]
    return [str(entry.orders["Iroquois"]).count("'Move'") for entry in entries] == [1]


def test_a_poll_that_ends_while_games_are_looked_at_takes_no_orders_from_their_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with local_service(tmp_path) as place:
        orders_in_time(place)
        claim: Callable[..., tuple[str, ...]] = due_games.claim
        polls = [place.service.poll]

        def meanwhile(*told: object) -> tuple[str, ...]:
            claimed = claim(*told)
            while claimed and polls:
                assert polls.pop()() == 1
            return claimed

        monkeypatch.setattr(due_games, "claim", meanwhile)
        place.service.process()
        assert not polls
        place.service.process()
        assert turn_ran_once(place)


def test_no_turn_is_played_while_another_worker_has_a_letter_in_hand_that_came_in_time(
    tmp_path: Path,
) -> None:
    with local_service(tmp_path) as place:
        orders_in_time(place)
        repository = place.service.database
        place.service.poll()
        assert len(inbox.claim(repository, place.clock.now(), "another")) == 1
        place.service.process()
        assert game_admin.position_of(place.service, "heron").played == 0
        inbox.give_back(repository, ["another"])
        place.service.process()
        assert turn_ran_once(place)


def test_who_reads_the_last_letter_has_the_games_looked_at_that_waited_for_it(tmp_path: Path) -> None:
    """Though it concerns none of them, and without another poll."""
    with local_service(tmp_path) as place:
        orders_in_time(place)
        repository, late = place.service.database, place.clock.now()
        place.service.poll()
        place.service.read_now(1)
        inbox.store_letters(
            repository, [IncomingLetter(mailbox="in", place="help", received=late - 2 * HOUR, raw=ASKS)], late
        )
        assert len(inbox.claim(repository, late, "another")) == 1
        place.service.process()
        assert game_admin.position_of(place.service, "heron").played == 0
        inbox.give_back(repository, ["another"])
        place.service.process()
        assert turn_ran_once(place)
