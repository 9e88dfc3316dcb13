"""What a gamesmaster does to seats that somebody holds: another player, none, new keys.

Each changes the books, notes who did it and why in the game's minutes, and tells whom it concerns, in one
transaction. Each raises Refusal for what cannot be done.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.clock import Millis
from adjudicator.errors import Overtaken, Refusal
from adjudicator.gamesmaster.conduct import player_address, position_of, seat_of
from adjudicator.house import House
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.people_acts import AnyDeed, OfferSeat
from adjudicator.ledger.positions import Chair, Position
from adjudicator.office import Desk
from adjudicator.reports import seats as words
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from adjudicator.secretary.notifications import following
from adjudicator.secretary.openings import PASSWORD_BYTES
from adjudicator.secretary.timers import clock_minutes, seated, seated_with_clock
from adjudicator.signs.passwords import seal as seal_password
from adjudicator.store import clocks
from adjudicator.store.acts import Entailed
from adjudicator.store.clocks import Minute
from games.protocol import Seat
from games.record import changed


@dataclass(frozen=True)
class _Table:
    """A seat of a game that somebody holds, as it is when something is done to it."""

    house: House
    position: Position
    seat: Seat
    now: Millis

    @property
    def chair(self) -> Chair:
        return self.position.chairs[self.seat]

    def farewell(self, why: str) -> Sealed:
        """A letter to whoever sat there, to his own address: he speaks for the seat no longer."""
        house, name = self.house, self.position.name
        assert self.chair.address is not None, "somebody sits there"
        reader = caller_of(self.chair.address, Desk(house.books, house.office, self.now), name)
        subject, paragraphs = words.farewell(name, self.seat, why)
        key = f"{name}/{self.position.entries}/farewell/{self.seat}/{self.chair.generation}"
        return house.writer.seal(notice(reader, Heading(key, subject), paragraphs), self.now)

    def news(self, after: Position, by_bot: bool) -> list[Sealed]:
        """What the others are told."""
        others = [chair for seat, chair in after.chairs.items() if seat != self.seat]
        told = words.changed_hands(self.seat, by_bot)
        return self.house.timers.tell(after, f"hands/{self.seat}", told, self.now, others)

    def write(
        self, after: Position, what: str, why: str, sealed: Sequence[Sealed], deeds: Sequence[AnyDeed] = ()
    ) -> None:
        """Write it down. Raises Refusal where the game has changed meanwhile."""
        minute = Minute(game=self.position.name, at=self.now, by=self.house.hand, what=what, why=why)
        try:
            entailed = Entailed(self.now, sealed, deeds)
            with self.house.database.writing():
                clocks.change(self.house.database, self.position, after, minute, entailed)
                for one in clock_minutes(self.position, after, self.now):
                    clocks.note(self.house.database, one)
        except Overtaken as fault:
            raise Refusal(f"game {self.position.name}", "has changed meanwhile", "try again") from fault


def replace_player(house: House, name: str, seat: str, address: str, why: str) -> str:
    """Give a seat from one person to another, who is mailed the position and a password; it is returned.

    What the one before was told, reply addresses and password, is void; what is on file stays.
    """
    table = _table(house, name, seat)
    new = player_address(house, address)
    if new == table.chair.address:
        raise Refusal(f"seat {table.seat}", f"is held by {new} already", f"gm seat rekey {name} {seat}")
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    chair = table.chair.taken_by(new, seal_password(password))
    after = seated_with_clock(table.position, chair, table.now)
    sealed = [
        house.writer.welcome(after, chair, password, table.now),
        table.farewell(why),
        *table.news(after, by_bot=False),
    ]
    table.write(after, f"{table.seat} to another player", why, sealed)
    return password


def kick(house: House, name: str, seat: str, why: str, *, offer: bool = True) -> None:
    """Take a seat from a person; its bot plays it. offer: whoever is on the waiting list may have it."""
    table = _table(house, name, seat)
    after = seated(table.position, table.chair.taken_by(None))
    sealed = [table.farewell(why), *table.news(after, by_bot=True)]
    deeds: list[AnyDeed] = []
    if offer:
        free = OfferSeat(by=house.hand, why=why, game=name, seat=table.seat, at=table.now)
        sealed += following([free], house.writer, table.now).letters
        deeds.append(free)
    table.write(after, f"{table.seat} to its bot", why, sealed, deeds)


def rekey(house: House, name: str, seat: str, why: str) -> str:
    """Void a seat's reply addresses and password, and mail its player new ones; the password is returned."""
    table = _table(house, name, seat)
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    before = table.chair
    chair = changed(before, generation=before.generation + 1, password=seal_password(password))
    lapses = {
        chair.lapse_key if key == before.lapse_key else key: turns
        for key, turns in table.position.timing.lapses.items()
    }
    timing = changed(table.position.timing, lapses=lapses)
    after = replace(seated(table.position, chair), timing=timing)
    reader = house.writer.reader(after, chair)
    subject, paragraphs = words.new_keys(name, table.seat, password)
    key = f"{name}/keys/{table.seat}/{chair.generation}"
    letter = notice(reader, Heading(key, subject), paragraphs)
    table.write(after, f"{table.seat}: new keys", why, [house.writer.seal(letter, table.now)])
    return password


def _table(house: House, name: str, seat: str) -> _Table:
    position = position_of(house, name)
    at = seat_of(position, seat)
    if not position.running:
        raise Refusal(f"game {name}", "the game is over")
    if not position.chairs[at].is_person:
        raise Refusal(
            f"seat {at}", "is held by nobody", f"gm seat assign {name} {seat} ADDRESS  gives it to somebody"
        )
    return _Table(house, position, at, house.clock.now())
