"""The read side of the books of people, on the tables."""

from collections.abc import Mapping
from typing import Any

import games
from adjudicator.clock import Millis
from adjudicator.ledger.letter_choice import LetterChoice, Subscription
from adjudicator.ledger.society import (
    Absence,
    GameOffer,
    GamePolicy,
    HeldPress,
    Person,
    Poster,
    Press,
    Request,
    Signup,
    Vote,
)
from adjudicator.signs.guesses import NO_GUESSES, Guesses
from adjudicator.store import copy_warnings, held_press, letter_choices, posters
from adjudicator.store import press as book_of_press
from adjudicator.store.database import Database
from adjudicator.store.prepared import Prepared, slot
from adjudicator.store.stuck import kind_missing
from adjudicator.store.tables import (
    AbsenceRow,
    ChairRow,
    CustomsRow,
    GameRow,
    GuessRow,
    OfferRow,
    PersonRow,
    RequestRow,
    SignupRow,
    VacancyRow,
    VoteRow,
    WatcherRow,
)
from games.protocol import Seat
from games.record import Malformed, load

# Of these, every letter asks.
_SELECT_PERSON = Prepared(PersonRow.select().where(PersonRow.address == slot("address")))
_REQUESTS = Prepared(RequestRow.select().where(RequestRow.address == slot("address")))
_REQUESTS_BY_MARK = Prepared(RequestRow.select().where(RequestRow.mark == slot("mark")))
_ABSENCES = Prepared(AbsenceRow.select().where(AbsenceRow.game == slot("game")))
_VACANCIES = Prepared(VacancyRow.select().where(VacancyRow.game == slot("game")))
_VOTES = Prepared(VoteRow.select().where(VoteRow.game == slot("game")))
_PRESENT = Prepared(GameRow.select(GameRow.turn).where(GameRow.name == slot("game")))
_VACANT = Prepared(VacancyRow.select())
_SELECT_POLICY = Prepared(CustomsRow.select(CustomsRow.document).where(CustomsRow.game == slot("game")))


class DatabasePeopleRepository:
    """`society.Society` on a database. Raises StoreFault."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def person(self, address: str) -> Person | None:
        """Return who an address belongs to, if its owner has said so; None otherwise."""
        with self._database.session():
            rows = self._database.ask(_SELECT_PERSON, address=address)
        return _person(rows[0]) if rows else None

    def policy(self, game: str) -> GamePolicy:
        """Return the policy of a game; the default policy where nothing was said."""
        with self._database.session():
            rows = self._database.ask(_SELECT_POLICY, game=game)
        return load(GamePolicy, rows[0].document.encode()) if rows else GamePolicy()

    def offers(self) -> tuple[GameOffer, ...]:
        """The games that wait for people, in the order of their names."""
        with self._database.reading():
            offers = [_offer(row) for row in self._database.run(OfferRow.select())]
        return tuple(
            sorted((offer for offer in offers if isinstance(offer, GameOffer)), key=lambda offer: offer.name)
        )

    def offer(self, name: str) -> GameOffer | None:
        """The game of that name that waits for people."""
        with self._database.reading():
            row = self._database.first(OfferRow.select().where(OfferRow.name == name))
        offer = None if row is None else _offer(row)
        return offer if isinstance(offer, GameOffer) else None

    def signups(self, game: str) -> tuple[Signup, ...]:
        """Return the sign-ups for a game, or for a seat of it, in the order of coming."""
        with self._database.reading():
            rows = list(self._database.run(SignupRow.select().where(SignupRow.game == game)))
        return tuple(_signup(row) for row in sorted(rows, key=lambda row: (row.since, row.address)))

    def signed_up(self, address: str) -> tuple[Signup, ...]:
        """Where somebody has signed up, or waits for a seat, by the names of the games."""
        with self._database.reading():
            rows = list(self._database.run(SignupRow.select().where(SignupRow.address == address)))
        return tuple(_signup(row) for row in sorted(rows, key=lambda row: row.game))

    def observers(self, game: str) -> tuple[str, ...]:
        """The addresses of those who watch a game."""
        with self._database.reading():
            rows = self._database.run(WatcherRow.select().where(WatcherRow.game == game))
            return tuple(sorted(row.address for row in rows))

    def vacancies(self, game: str) -> tuple[Seat, ...]:
        """The seats of a running game that anybody may take."""
        with self._database.session():
            rows = self._database.ask(_VACANCIES, game=game)
        return tuple(Seat(row.seat) for row in sorted(rows, key=lambda row: (row.since, row.seat)))

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        """Those seats of all games in which there are some, by the games' names, in order."""
        with self._database.session():
            rows = self._database.ask(_VACANT)
        seats_by_game: dict[str, tuple[Seat, ...]] = {}
        for row in sorted(rows, key=lambda row: (row.game_id, row.since, row.seat)):
            seats_by_game[row.game_id] = (*seats_by_game.get(row.game_id, ()), Seat(row.seat))
        return seats_by_game

    def votes(self, game: str) -> Mapping[Seat, Vote]:
        """Return the consent of a game's seats to an end of it, as given in its present turn."""
        with self._database.reading():
            rows = self._database.ask(_VOTES, game=game)
            present = self._database.ask(_PRESENT, game=game) if rows else ()
        current = [row for row in rows for game_row in present if row.turn == game_row.turn]
        return {
            Seat(row.seat): Vote(seat=Seat(row.seat), motion=row.motion, to=row.goal)
            for row in sorted(current, key=lambda row: row.seat)
        }

    def absences(self, game: str) -> tuple[Absence, ...]:
        """The absences that players of a game have announced, in order of their beginning."""
        with self._database.session():
            rows = self._database.ask(_ABSENCES, game=game)
        return tuple(
            Absence(number=row.number, seat=Seat(row.seat), first=row.first, last=row.last)
            for row in sorted(rows, key=lambda row: (row.first, row.number))
        )

    def press(self, game: str, since: Millis = 0) -> tuple[Press, ...]:
        """The press of a game written since an instant, oldest first."""
        return book_of_press.list_press(self._database, game, since)

    def press_of(self, key: str) -> Press | None:
        """The press that a key names, or None."""
        return book_of_press.of_key(self._database, key)

    def held_press(self, game: str | None = None) -> tuple[HeldPress, ...]:
        """The press that waits for its readers, as it was written; of one game, None: of all."""
        return held_press.list_held_press(self._database, game)

    def guesses(self, game: str, seat: Seat) -> Guesses:
        """Return the failed guesses at a seat's password."""
        here = (GuessRow.game == game) & (GuessRow.seat == seat)
        with self._database.reading():
            row = self._database.first(GuessRow.select().where(here))
        if row is None:
            return NO_GUESSES
        return Guesses(lock=row.lock, misses=row.misses, rests=row.rests, until=row.until, at=row.at)

    def is_warned_of_copies(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether a seat's player was warned that copies of emails show others the reply address."""
        return copy_warnings.is_noted(self._database, game, seat, address)

    def requests(self, address: str) -> tuple[Request, ...]:
        """Return the requests of an address that wait for an answer, oldest first."""
        with self._database.session():
            rows = self._database.ask(_REQUESTS, address=address)
        return tuple(_request(row) for row in sorted(rows, key=lambda row: (row.asked, row.mark)))

    def requests_by_mark(self, mark: str) -> tuple[Request, ...]:
        """Return the requests of any address that a reply names by this mark, oldest first."""
        with self._database.session():
            rows = self._database.ask(_REQUESTS_BY_MARK, mark=mark)
        return tuple(_request(row) for row in sorted(rows, key=lambda row: (row.asked, row.address)))

    def choices(self, game: str) -> tuple[LetterChoice, ...]:
        """Return the letters that the players of a game have chosen, by seat and address."""
        return letter_choices.choices_of_game(self._database, game)

    def posters(self, game: str) -> tuple[Poster, ...]:
        """Return the posters for the seats of a game, by seat, those of former players too."""
        return posters.posters_of_game(self._database, game)

    def threads(self) -> Mapping[str, tuple[str, ...]]:
        """Return the names of the running games that are played in each forum, in order."""
        return posters.threads(self._database)

    def subscription(self, address: str) -> Subscription | None:
        """Return the subscription of an address to a digest; None if it never said."""
        return letter_choices.subscription(self._database, address)

    def subscriptions(self) -> tuple[Subscription, ...]:
        """All who get a digest, in the order of their addresses."""
        return tuple(
            subscriber
            for subscriber in letter_choices.subscriptions(self._database)
            if subscriber.digest != "off"
        )


def all_people(database: Database) -> tuple[Person, ...]:
    """All people on the books, in the order of their addresses."""
    with database.reading():
        people = {row.address: _person(row) for row in database.run(PersonRow.select())}
        addresses = {
            row.address
            for model in (ChairRow, SignupRow, WatcherRow)
            for row in database.run(model.select(model.address).where(model.address.is_null(False)))
        }
    return tuple(
        people.get(address) or Person(address=address) for address in sorted(addresses | set(people))
    )


def broken_offers(database: Database) -> Mapping[str, str]:
    """The games that wait for people and cannot begin, by their names, and why."""
    with database.reading():
        offers = {row.name: _offer(row) for row in database.run(OfferRow.select())}
    return {name: offer for name, offer in sorted(offers.items()) if isinstance(offer, str)}


def _offer(row: Any) -> GameOffer | str:
    """A game that waits for people, or why it cannot be read."""
    try:
        offer: GameOffer = load(GameOffer, row.document.encode())
    except Malformed as fault:
        return f"it cannot be read: {fault}"
    return offer if offer.kind in games.kinds() else kind_missing(offer.kind)


def _person(row: Any) -> Person:
    return Person(address=row.address, name=row.name, zone=row.zone, public=bool(row.public))


def _request(row: Any) -> Request:
    lines = load(tuple[str, ...], row.lines.encode())
    return Request(address=row.address, lines=lines, at=row.asked, mark=row.mark)


def _signup(row: Any) -> Signup:
    return Signup(
        game=row.game,
        address=row.address,
        wishes=load(tuple[Seat, ...], row.wishes.encode()),
        since=row.since,
    )
