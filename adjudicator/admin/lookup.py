"""Look-ups for the GM: a game's position, its seats, missing orders, and people."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from adjudicator.auth.admission import Admission, SeatHold
from adjudicator.clock import Millis, WallClock
from adjudicator.errors import Refusal
from adjudicator.model.addresses import short_seat_name, valid_address
from adjudicator.model.deadline_status import TurnoutRecord, turnout_record
from adjudicator.model.games import GamePosition, Suspension
from adjudicator.model.people import Ban, Person, Signup
from adjudicator.model.repository import Repository
from adjudicator.reports import solo_records
from adjudicator.storage import queries
from adjudicator.storage.database import Database
from adjudicator.turns import deadlines
from games.protocol import Seat
from games.record import Value


class PositionReader(Protocol):
    """Where games are stored."""

    def position(self, game: str) -> GamePosition | None:
        """Return the current position of a game, or None."""

    def suspension(self, game: str) -> Suspension | None:
        """Return why a game is suspended, or None."""

    def games(self) -> Sequence[str]:
        """Return the names of all games."""


class HasPositions(Protocol):
    """An object that gives access to games: the service, or a part of it."""

    @property
    def repository(self) -> PositionReader:
        """The read side of the database."""


def position_of(service: HasPositions, name: str) -> GamePosition:
    """Return the current position of a game. Raises Refusal if there is none."""
    position = service.repository.position(name)
    if position is None:
        stuck = service.repository.suspension(name)
        if stuck is not None:
            raise Refusal(f"Game {name} is suspended", stuck.why, stuck.instead)
        names = ", ".join(service.repository.games())
        instead = f"Games: {names}" if names else 'Use "gm game new KIND NAME" to create one'
        raise Refusal(f'No game called "{name}"', "", instead)
    return position


def seat_of(position: GamePosition, text: str) -> Seat:
    """Return the seat of a game by its name, in upper or lower case."""
    for seat in position.assignments:
        if short_seat_name(seat) == short_seat_name(text):
            return seat
    seats = ", ".join(position.assignments)
    raise Refusal(f'Game {position.name} has no seat "{text}"', "", f"Seats: {seats}")


def missing_orders(position: GamePosition) -> Mapping[Seat, tuple[str, ...]]:
    """Return by seat the orders that are still missing, in words. Empty if all orders are in."""
    if not position.is_running:
        return {}
    return deadlines.missing_orders(position.game, position)


class HasPeople(Protocol):
    """An object that gives access to the database and the repository of people."""

    @property
    def repository(self) -> Repository:
        """The read side of the database."""

    @property
    def database(self) -> Database:
        """The database that holds people."""


class PersonReport(Value, frozen=True):
    """A player: their seats (pairs of game and seat), the games they wait for, and those they watch.

    held: for each game where they wait for the GM's consent, the reason. blocked: the addresses that they
    have blocked. ban: theirs, if the GM has banned them.
    """

    person: Person
    plays: tuple[tuple[str, Seat], ...]
    waits_for: tuple[str, ...]
    watches: tuple[str, ...]
    held: tuple[tuple[str, str], ...] = ()
    blocked: tuple[str, ...] = ()
    ban: Ban | None = None


class WaitingPerson(Value, frozen=True):
    """A person who has signed up for a game or waits for a seat. hold: why they wait for the GM's consent."""

    signup: Signup
    turnout: TurnoutRecord
    hold: SeatHold | None


def everybody(service: HasPeople) -> tuple[PersonReport, ...]:
    """Return everyone in the database, sorted by address."""
    return tuple(person_report(service, person) for person in queries.all_people(service.database))


def find_person(service: HasPeople, address: str) -> PersonReport:
    """Return one person by their address. Raises Refusal if the database doesn't have them."""
    wanted = address_of(address)
    for person in queries.all_people(service.database):
        if person.address == wanted:
            return person_report(service, person)
    raise Refusal(f'No player with the address "{address}"', "", 'Use "gm player list" to see all players')


def solo_record(service: HasPeople, address: str) -> Sequence["solo_records.CaseRecord"]:
    """Return a player's results in the games that they play alone."""
    return solo_records.record_of(address_of(address), service.repository)


def turnout_of(service: HasPeople, address: str, now: Millis) -> TurnoutRecord:
    """Return a player's record of turning up in all games."""
    turnouts = service.repository.people.turnouts(address_of(address))
    return turnout_record([mark for turnout in turnouts.values() for mark in turnout.marks], now)


def person_report(service: HasPeople, person: Person) -> PersonReport:
    """Return the games that a person plays in, waits for and watches, and what keeps them from others."""
    repository, their, address = service.repository, service.repository.people, person.address
    waits_for, now = tuple(signup.game for signup in their.signed_up(address)), WallClock().now()
    held = [
        (game, waiting.hold.text)
        for game in waits_for
        for waiting in waiting_people(service, game, now)
        if waiting.signup.address == address and waiting.hold is not None
    ]
    return PersonReport(
        person=person,
        plays=repository.seats_of(address),
        waits_for=waits_for,
        watches=tuple(name for name in repository.games() if address in their.observers(name)),
        held=tuple(held),
        blocked=tuple(block.address for block in their.blocks(address)),
        ban=their.ban(address),
    )


def waiting_people(service: HasPeople, name: str, now: Millis) -> tuple[WaitingPerson, ...]:
    """Return those who have signed up for a game or wait for a seat, in order. Raises Refusal.

    now: the instant for which their records are computed.
    """
    admission, their = Admission(service.repository, now), service.repository.people
    offer = their.offer(name)
    if offer is not None:
        holds = {signup.address: hold for signup, hold in admission.sort_signups(offer).held}
    else:
        position = position_of(service, name)
        waiting = (signup.address for signup in their.signups(name))
        holds = {
            address: hold
            for address in waiting
            if (hold := admission.find_hold_in(position, address)) is not None
        }
    return tuple(
        WaitingPerson(signup, turnout_of(service, signup.address, now), holds.get(signup.address))
        for signup in their.signups(name)
    )


def address_of(text: str) -> str:
    """Return an email address in the form that the database has. Raises Refusal for anything else."""
    address = valid_address(text)
    if address is None:
        raise Refusal(f'"{text}" isn\'t an email address', "", "Write it like iroquois@example.org")
    return address
