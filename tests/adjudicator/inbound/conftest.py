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
    """The text that is kept of PASSWORD; sealing takes a while, and on purpose."""
    return seal(PASSWORD)


@pytest.fixture(autouse=True)
def found() -> Iterator[None]:
    """The toy's folder is one of those in which kinds are found."""
    with toy_found():
        yield


@pytest.fixture
def demo() -> GamePosition:
    """A year of nations: two of them are persons, the first of whom has a password."""
    position = new_position("indianomacy", people={"Iroquois": IROQUOIS, "Muskhogean": MUSKHOGEAN})
    return with_changed_seat(position, "Iroquois", password=sealed_password())


@pytest.fixture
def solo() -> GamePosition:
    """The toy, with a person against the bot."""
    return new_position("cairn", name="solo", people={"player": PLAYER})


@dataclass
class Desk:
    """The clerk at work: letters are handed over, and what he decides is done to the books."""

    repository: MemoryRepository
    service_context: ServiceContext = OFFICE
    now: Millis = NOON
    number: int = field(default=0)

    def takes(self, raw: bytes, received: Millis | None = None) -> LetterOutcome:
        """What becomes of a letter, done."""
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
        """What becomes of an answer to a letter of ours to a seat of the first game; turn: of its token."""
        position = self.repository.positions["demo"]
        address = position.assignments[seat].address
        to = address_for(position, seat, turn)
        received = headers.pop("received", None)
        raw = letter(text, sender=address, to=to, number=self.number, **headers)
        return self.takes(raw, received)

    def filed(self, seat: str = "Iroquois", game: str = "demo") -> list[str]:
        """What a seat has on file, in canonical texts; a line that was not taken is a remark."""
        position = self.repository.positions[game]
        kind = game_of(position)
        return [write_item(kind, item) for item in position.filed.get(seat, ())]


@pytest.fixture
def context(demo: GamePosition, solo: GamePosition) -> Desk:
    """The clerk's desk with both games."""
    return Desk(MemoryRepository({"demo": demo, "solo": solo}))


skip_drawing = pictures.skip_drawing
