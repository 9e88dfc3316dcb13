"""The last vote for an end may be in an email with orders: the game ends."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from adjudicator.storage import inbox
from tests.kit.service_harness import LocalService, local_service, text_of

AUSTRIA, ENGLAND = "austria@example.org", "england@example.org"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalService]:
    """A game of two people, one of whom has said DRAW; an email that cannot be settled is tried twice."""
    monkeypatch.setattr("adjudicator.outbound.composer.draw_map", lambda *position, **turn: None)
    forgive, tries = inbox.forgive, []

    def forgiven(database, numbers, worker) -> None:
        tries.append(numbers)
        assert len(tries) < 3, "it is read again without end"
        forgive(database, numbers, worker)

    monkeypatch.setattr(inbox, "forgive", forgiven)
    with local_service(tmp_path) as it:
        seats = {"Austria": AUSTRIA, "England": ENGLAND}
        game_admin.new_game(it.service, game_admin.GameRequest("standard", "fox", seats=seats))
        it.work()
        yield it


def says(place: LocalService, address: str, *lines: str) -> None:
    place.clock.advance(60_000)
    place.answer(address, place.mail(address)[-1], "\n".join(lines))
    place.work()


@pytest.mark.parametrize(
    "lines",
    [
        ("DRAW",),
        ("A Vie H", "DRAW"),
        ("DRAW", "A Vie - Atlantis"),
        ("DRAW", "READY"),
        ("WAIT", "DRAW", "CLEAR"),
        ("DRAW", "STATUS"),
    ],
)
def test_the_game_ends_whatever_else_the_email_says(place: LocalService, lines: tuple[str, ...]) -> None:
    says(place, AUSTRIA, "A Bud H")
    says(place, ENGLAND, "DRAW")
    says(place, AUSTRIA, *lines)
    position = game_admin.position_of(place.service, "fox")
    assert not position.is_running
    reply = next(
        text_of(one) for one in reversed(place.mail(AUSTRIA)) if str(one["Subject"]).startswith("Re:")
    )
    assert sentence("inbound.draws.all_agreed", majority=False) in " ".join(reply.split())
    assert "A Vie" not in str(position.filed)


def test_orders_beside_it_are_told_that_the_game_is_over(place: LocalService) -> None:
    says(place, ENGLAND, "DRAW")
    says(place, AUSTRIA, "A Vie H", "DRAW")
    reply = next(
        text_of(one) for one in reversed(place.mail(AUSTRIA)) if str(one["Subject"]).startswith("Re:")
    )
    assert sentence("inbound.filing.game_over") in " ".join(reply.split())
