"""Digests: one letter, at a set hour, of all games that wait for whoever asked for it."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import games
from adjudicator.catalogue import sentence
from adjudicator.clock import Millis, instant, moment
from adjudicator.errors import Overtaken
from adjudicator.ledger.letter_choice import Digest, Subscription
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.overdue import overdue
from adjudicator.ledger.people_acts import NoteDigest
from adjudicator.office import Desk
from adjudicator.referee.deadlines import owed, people_due
from adjudicator.reports import messages
from adjudicator.reports.attachments import calendar_entry, deadlines_file
from adjudicator.reports.calendar import Entry
from adjudicator.reports.messages import Waiting
from adjudicator.reports.reader import caller_of, zone_of
from adjudicator.reports.report import badges
from adjudicator.secretary.timers import CLOCK
from adjudicator.secretary.writing import Writer
from adjudicator.store import acts, looks
from adjudicator.store.acts import Entailed
from adjudicator.store.database import Database

MONDAY = 0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Digests:
    """The digests of one service."""

    database: Database
    writer: Writer

    def see_to(self, now: Millis) -> None:
        """Write each digest whose hour has come since it was last looked. Raises StoreFault."""
        for address, seen in looks.digests_due(self.database, now).items():
            again, one = None, self.writer.books.society.subscription(address)
            if one is not None and one.digest != "off":
                minute, zone = (
                    self.writer.office.digest_at,
                    zone_of(address, self.writer.books, self.writer.office),
                )
                if one.seen < last_hour(now, zone, minute, one.digest) <= now:
                    self._write(one, now)
                again = next_hour(now, zone, minute)
            looks.put_off_digest(self.database, address, seen, looks.within_a_day(address, again, now))

    def _write(self, one: Subscription, now: Millis) -> None:
        """Write it, if anything waits, and note that it was looked; both or neither."""
        waiting = sorted(self._waiting(one.address, now), key=_first)
        letters: list[Sealed] = []
        if waiting:
            reader = caller_of(one.address, Desk(self.writer.books, self.writer.office, now))
            entries = deadlines_file(self._deadlines(one.address), now, self.writer.organizer)
            letter = messages.digest(reader, f"digest/{one.address}/{now}", waiting, entries)
            letters.append(self.writer.seal(letter, now))
        looked = NoteDigest(by=CLOCK, address=one.address, before=one.seen, at=now)
        with suppress(Overtaken):  # somebody else, who is awake too, has just written it
            acts.entail(self.database, Entailed(now, letters, [looked]))
            log.info(sentence("secretary.digests.written", games=len(waiting)))

    def _deadlines(self, address: str) -> list[Entry]:
        """The deadlines of all his games, for his calendar."""
        books = self.writer.books
        seats = ((books.position(name), seat) for name, seat in books.seats_of(address))
        return [calendar_entry(position, seat) for position, seat in seats if position is not None]

    def _waiting(self, address: str, now: Millis) -> Iterator[Waiting]:
        """The games in which a seat of his lacks an order."""
        books = self.writer.books
        for name, seat in books.seats_of(address):
            position = books.position(name)
            if position is None or not position.running:
                continue
            game = games.kinds()[position.kind]
            lacking = owed(game, position).get(seat, ())
            if lacking and any(due.seat == seat for due in people_due(game, position)):
                yield Waiting(
                    title=game.about.title,
                    turn=game.rules.turn(position.state),
                    deadline=position.deadline,
                    missing=lacking,
                    reader=self.writer.reader(position, position.chairs[seat]),
                    overdue=overdue(position, now),
                    badges=badges(game, game.rules.view(position.state, seat)),
                )


def last_hour(now: Millis, zone: ZoneInfo, minute: int, digest: Digest) -> Millis:
    """When a digest was last to be written by somebody's clocks, at that minute of the day, now or before.

    Where the clocks are put forward over that minute, it is as long after midnight as ever.
    """
    day = moment(now, zone).date()
    while _hour(day, zone, minute) > now or (digest == "weekly" and day.weekday() != MONDAY):
        day -= timedelta(days=1)
    return _hour(day, zone, minute)


def next_hour(now: Millis, zone: ZoneInfo, minute: int) -> Millis:
    """When a digest can next be written by somebody's clocks, at that minute of a day."""
    day = moment(now, zone).date()
    while (hour := _hour(day, zone, minute)) <= now:
        day += timedelta(days=1)
    return hour


def _hour(day: date, zone: ZoneInfo, minute: int) -> Millis:
    hour, past = divmod(minute, 60)
    return instant(datetime(day.year, day.month, day.day, hour, past, tzinfo=zone))


def _first(one: Waiting) -> tuple[bool, Millis, str, str]:
    """What is played first; what has no deadline last."""
    return one.deadline is None, one.deadline or 0, one.reader.game or "", one.reader.seat or ""
