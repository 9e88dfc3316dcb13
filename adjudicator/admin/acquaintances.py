"""Reports on people: what they play, wait for and watch, and their records."""

from collections.abc import Sequence
from typing import Protocol

from adjudicator.errors import Refusal
from adjudicator.model.addresses import valid_address
from adjudicator.model.people import Person
from adjudicator.model.repository import Repository
from adjudicator.reports import charts
from adjudicator.storage import society
from adjudicator.storage.database import Database
from games.protocol import Seat
from games.record import Value


class HasPeople(Protocol):
    """An object that gives access to the database and the repository of people."""

    @property
    def books(self) -> Repository:
        """The read side of the books."""

    @property
    def database(self) -> Database:
        """The database that they are stored in."""


class PersonReport(Value, frozen=True):
    """A person, with all that they play, wait for and watch: pairs of game and seat, names of games."""

    person: Person
    plays: tuple[tuple[str, Seat], ...]
    waits_for: tuple[str, ...]
    watches: tuple[str, ...]


def everybody(house: HasPeople) -> tuple[PersonReport, ...]:
    """Everybody on the books, in the order of their addresses."""
    return tuple(person_report(house, person) for person in society.all_people(house.database))


def of(house: HasPeople, address: str) -> PersonReport:
    """One of them, by his address. Raises Refusal where he is not on the books."""
    wanted = address_of(address)
    for person in society.all_people(house.database):
        if person.address == wanted:
            return person_report(house, person)
    raise Refusal(f"player {address}", "is nobody we know", "gm player list  shows them all")


def solo_record(house: HasPeople, address: str) -> Sequence["charts.CaseRecord"]:
    """Return what a player has achieved in the games that they play alone."""
    return charts.record_of(address_of(address), house.books)


def person_report(house: HasPeople, person: Person) -> PersonReport:
    """Return the games that a person plays in, waits for and watches."""
    books, their, address = house.books, house.books.people, person.address
    return PersonReport(
        person=person,
        plays=books.seats_of(address),
        waits_for=tuple(signup.game for signup in their.signed_up(address)),
        watches=tuple(name for name in books.games() if address in their.observers(name)),
    )


def address_of(text: str) -> str:
    """A mail address as it is kept. Raises Refusal for what is none."""
    address = valid_address(text)
    if address is None:
        raise Refusal(f"address {text}", "is no mail address", "write it like  iroquois@example.org")
    return address
