"""Who is on the books: people with what they play, wait for and watch, and their records."""

from collections.abc import Sequence
from typing import Protocol

from adjudicator.errors import Refusal
from adjudicator.ledger.books import Books
from adjudicator.ledger.society import Person
from adjudicator.reports import campaign_record
from adjudicator.signs.addresses import valid_address
from adjudicator.store import society
from adjudicator.store.database import Database
from games.protocol import Seat
from games.record import Value


class WithPeople(Protocol):
    """Whoever has the books of people at hand: the house, or a shelf."""

    @property
    def books(self) -> Books:
        """The read side of the books."""

    @property
    def database(self) -> Database:
        """What they are kept in."""


class Acquaintance(Value, frozen=True):
    """Somebody, with all that he plays, waits for and watches: pairs of game and seat, names of games."""

    person: Person
    plays: tuple[tuple[str, Seat], ...]
    waits_for: tuple[str, ...]
    watches: tuple[str, ...]


def everybody(house: WithPeople) -> tuple[Acquaintance, ...]:
    """Everybody on the books, in the order of their addresses."""
    return tuple(known(house, person) for person in society.everybody(house.database))


def of(house: WithPeople, address: str) -> Acquaintance:
    """One of them, by his address. Raises Refusal where he is not on the books."""
    wanted = address_of(address)
    for person in society.everybody(house.database):
        if person.address == wanted:
            return known(house, person)
    raise Refusal(f"player {address}", "is nobody we know", "gm player list  shows them all")


def record(house: WithPeople, address: str) -> Sequence["campaign_record.Chapter"]:
    """What somebody has achieved in the games that he plays alone."""
    return campaign_record.record_of(address_of(address), house.books)


def known(house: WithPeople, person: Person) -> Acquaintance:
    """What is known of a person."""
    books, their, address = house.books, house.books.society, person.address
    return Acquaintance(
        person=person,
        plays=books.seats_of(address),
        waits_for=tuple(one.game for one in their.signed_up(address)),
        watches=tuple(name for name in books.games() if address in their.observers(name)),
    )


def address_of(text: str) -> str:
    """A mail address as it is kept. Raises Refusal for what is none."""
    address = valid_address(text)
    if address is None:
        raise Refusal(f"address {text}", "is no mail address", "write it like  iroquois@example.org")
    return address
