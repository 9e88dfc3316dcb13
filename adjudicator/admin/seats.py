"""The gamesmaster's actions on taken seats: another player, none, new credentials."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudicator.admin.game_admin import player_address, position_of, seat_of
from adjudicator.auth.passwords import seal as seal_password
from adjudicator.clock import Millis
from adjudicator.context import RequestContext
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people_acts import AnyPersonAction, OfferSeat
from adjudicator.outbound.notifications import side_effects
from adjudicator.outbound.reminders import clock_minutes, replace_chair, seated_with_clock
from adjudicator.outbound.signups import FIRST_PASSWORD_BYTES
from adjudicator.reports import seats as words
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from adjudicator.service import Service
from adjudicator.storage import clocks
from adjudicator.storage.acts import SideEffects
from adjudicator.storage.clocks import Minute
from games.protocol import Seat
from games.record import replace_fields


@dataclass(frozen=True)
class _OccupiedSeat:
    """A seat that a player holds, as it is when it is changed."""

    house: Service
    position: GamePosition
    seat: Seat
    now: Millis

    @property
    def chair(self) -> SeatAssignment:
        return self.position.chairs[self.seat]

    def farewell(self, why: str) -> OutgoingMessage:
        """Return a letter to the player who held the seat, to their own address: they can no longer act for
        it.
        """
        house, name = self.house, self.position.name
        assert self.chair.address is not None, "somebody sits there"
        reader = caller_of(self.chair.address, RequestContext(house.books, house.office, self.now), name)
        subject, paragraphs = words.lost_seat_notice(name, self.seat, why)
        key = f"{name}/{self.position.entries}/farewell/{self.seat}/{self.chair.generation}"
        return house.composer.seal(notice(reader, Heading(key, subject), paragraphs), self.now)

    def news(self, after: GamePosition, by_bot: bool) -> list[OutgoingMessage]:
        """Return the letters to the other players."""
        others = [chair for seat, chair in after.chairs.items() if seat != self.seat]
        notice = words.new_player_notice(self.seat, by_bot)
        return self.house.clock_actions.notify_all(after, f"hands/{self.seat}", notice, self.now, others)

    def write(
        self,
        after: GamePosition,
        what: str,
        why: str,
        sealed: Sequence[OutgoingMessage],
        deeds: Sequence[AnyPersonAction] = (),
    ) -> None:
        """Write it down. Raises Refusal where the game has changed meanwhile."""
        minute = Minute(game=self.position.name, at=self.now, by=self.house.hand, what=what, why=why)
        try:
            entailed = SideEffects(self.now, sealed, deeds)
            with self.house.database.writing():
                clocks.change(self.house.database, self.position, after, minute, entailed)
                for one in clock_minutes(self.position, after, self.now):
                    clocks.note(self.house.database, one)
        except WriteConflict as fault:
            raise Refusal(f"game {self.position.name}", "has changed meanwhile", "try again") from fault


def replace_player(house: Service, name: str, seat: str, address: str, why: str) -> str:
    """Give a seat from one person to another, who is mailed the position and a password; it is returned.

    What the one before was told, reply addresses and password, is void; what is on file stays.
    """
    table = _table(house, name, seat)
    new = player_address(house, address)
    if new == table.chair.address:
        raise Refusal(f"seat {table.seat}", f"is held by {new} already", f"gm seat rekey {name} {seat}")
    password = secrets.token_urlsafe(FIRST_PASSWORD_BYTES)
    chair = table.chair.with_player(new, seal_password(password))
    after = seated_with_clock(table.position, chair, table.now)
    sealed = [
        house.composer.welcome(after, chair, password, table.now),
        table.farewell(why),
        *table.news(after, by_bot=False),
    ]
    table.write(after, f"{table.seat} to another player", why, sealed)
    return password


def kick(house: Service, name: str, seat: str, why: str, *, offer: bool = True) -> None:
    """Take a seat from a person; its bot plays it. offer: whoever is on the waiting list may have it."""
    table = _table(house, name, seat)
    after = replace_chair(table.position, table.chair.with_player(None))
    sealed = [table.farewell(why), *table.news(after, by_bot=True)]
    deeds: list[AnyPersonAction] = []
    if offer:
        free = OfferSeat(by=house.hand, why=why, game=name, seat=table.seat, at=table.now)
        sealed += side_effects([free], house.composer, table.now).letters
        deeds.append(free)
    table.write(after, f"{table.seat} to its bot", why, sealed, deeds)


def rekey(house: Service, name: str, seat: str, why: str) -> str:
    """Void a seat's reply addresses and password, and mail its player new ones; the password is returned."""
    table = _table(house, name, seat)
    password = secrets.token_urlsafe(FIRST_PASSWORD_BYTES)
    before = table.chair
    chair = replace_fields(before, generation=before.generation + 1, password=seal_password(password))
    lapses = {
        chair.lapse_key if key == before.lapse_key else key: turns
        for key, turns in table.position.timing.lapses.items()
    }
    timing = replace_fields(table.position.timing, lapses=lapses)
    after = replace(replace_chair(table.position, chair), timing=timing)
    reader = house.composer.reader(after, chair)
    subject, paragraphs = words.new_credentials_notice(name, table.seat, password)
    key = f"{name}/keys/{table.seat}/{chair.generation}"
    letter = notice(reader, Heading(key, subject), paragraphs)
    table.write(after, f"{table.seat}: new keys", why, [house.composer.seal(letter, table.now)])
    return password


def _table(house: Service, name: str, seat: str) -> _OccupiedSeat:
    position = position_of(house, name)
    at = seat_of(position, seat)
    if not position.is_running:
        raise Refusal(f"game {name}", "the game is over")
    if not position.chairs[at].is_person:
        raise Refusal(
            f"seat {at}", "is held by nobody", f"gm seat assign {name} {seat} ADDRESS  gives it to somebody"
        )
    return _OccupiedSeat(house, position, at, house.clock.now())
