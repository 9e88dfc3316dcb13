"""A context for reading emails: two games in the database, and emails about them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import pytest

from adjudicator.auth.passwords import seal
from adjudicator.clock import Millis
from adjudicator.context import ServiceContext
from adjudicator.inbound.pipeline import handle_letter
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterOutcome
from adjudicator.model.orders_on_file import write_item
from tests.kit import pictures
from tests.kit.mail import letter, stored_letter
from tests.kit.memory_repository import (
    NOON,
    OFFICE,
    MemoryRepository,
    address_for,
    game_of,
    new_position,
    with_changed_seat,
)
from tests.kit.toy import toy_found

IROQUOIS = "iroquois@example.net"
MUSKHOGEAN = "muskhogean@example.net"
PLAYER = "player@example.net"
PASSWORD = "three-canoes"


@cache
def sealed_password() -> str:
    """Return the stored text of PASSWORD. Sealing takes a while on purpose."""
    return seal(PASSWORD)


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """Add the toy's folder to those in which kinds are found."""
    with toy_found():
        yield


@pytest.fixture
def demo() -> GamePosition:
    """A game of Indianomacy with two players, the first of whom has a password."""
    position = new_position("indianomacy", people={"Iroquois": IROQUOIS, "Muskhogean": MUSKHOGEAN})
    return with_changed_seat(position, "Iroquois", password=sealed_password())


@pytest.fixture
def solo() -> GamePosition:
    """The toy, with a player against the bot."""
    return new_position("cairn", name="solo", people={"player": PLAYER})


@dataclass
class MemoryPipeline:
    """The pipeline on a repository in memory: handles emails and applies the resulting acts."""

    repository: MemoryRepository
    service_context: ServiceContext = OFFICE
    now: Millis = NOON
    number: int = field(default=0)

    def takes(self, raw: bytes, received: Millis | None = None) -> LetterOutcome:
        """Handle an email and apply its acts. Returns the outcome."""
        self.number += 1
        received = self.now if received is None else received
        handled = handle_letter(
            stored_letter(raw, received, self.number), self.repository, self.service_context, self.now
        )
        self.repository.do(handled.acts)
        self.repository.post(handled.answers, self.now)
        if handled.speaker:
            self.repository.handled.append((handled.speaker, self.now))
        return handled

    def writes(
        self, text: str, seat: str = "Iroquois", turn: str | None = None, **headers: object
    ) -> LetterOutcome:
        """Handle a reply to our email to a seat of the first game. turn: the turn of its token."""
        position = self.repository.positions["demo"]
        address = position.assignments[seat].address
        to = address_for(position, seat, turn)
        received = headers.pop("received", None)
        raw = letter(text, sender=address, to=to, number=self.number, **headers)
        return self.takes(raw, received)

    def filed(self, seat: str = "Iroquois", game: str = "demo") -> list[str]:
        """Return a seat's saved orders in canonical form. A rejected line is a remark."""
        position = self.repository.positions[game]
        kind = game_of(position)
        return [write_item(kind, item) for item in position.filed.get(seat, ())]


@pytest.fixture
def context(demo: GamePosition, solo: GamePosition) -> MemoryPipeline:
    """The pipeline with both games."""
    return MemoryPipeline(MemoryRepository({"demo": demo, "solo": solo}))


skip_drawing = pictures.skip_drawing
