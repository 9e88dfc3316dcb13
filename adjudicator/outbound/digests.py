"""Digests: an email at a set hour about all games that wait for its reader."""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from adjudicator.clock import Millis, datetime_of, instant_of
from adjudicator.context import RequestContext
from adjudicator.errors import WriteConflict
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import overdue
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people import Digest, NoteDigest, Subscription
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.reminders import CLOCK_ACTOR
from adjudicator.reports import messages
from adjudicator.reports.maps import calendar_entry, deadlines_file
from adjudicator.reports.messages import WaitingGame, caller_of, name_seat, zone_of
from adjudicator.reports.render import text_badges
from adjudicator.reports.times import CalendarEntry, why_no_deadline
from adjudicator.storage import due_games, stored_games
from adjudicator.storage.database import Database
from adjudicator.storage.stored_games import SideEffects
from adjudicator.turns.deadlines import missing_orders, people_due

WEEKLY_DIGEST_WEEKDAY = 0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Digests:
    """The digests of one service."""

    database: Database
    writer: ReportComposer

    def write_due_digests(self, now: Millis) -> None:
        """Write each digest that fell due since the last check. Raises StoreFault."""
        for address, seen in due_games.digests_due(self.database, now).items():
            again, subscription = None, self.writer.repository.people.subscription(address)
            if subscription is not None and subscription.digest != "off":
                minute, zone = (
                    self.writer.service_context.digest_at,
                    zone_of(address, self.writer.repository, self.writer.service_context),
                )
                if subscription.seen < last_hour(now, zone, minute, subscription.digest) <= now:
                    self._write(subscription, now)
                again = next_hour(now, zone, minute)
            due_games.put_off_digest(
                self.database, address, seen, due_games.within_a_day(address, again, now)
            )

    def _write(self, subscription: Subscription, now: Millis) -> None:
        """Write a digest if any game waits, and record the check. Both are saved, or neither."""
        waiting = sorted(self._waiting(subscription.address, now), key=_deadline_order)
        letters: list[OutgoingMessage] = []
        if waiting:
            reader = caller_of(
                subscription.address, RequestContext(self.writer.repository, self.writer.service_context, now)
            )
            entries = deadlines_file(self._deadlines(subscription.address), now, self.writer.organizer)
            letter = messages.digest(reader, f"digest/{subscription.address}/{now}", waiting, entries)
            letters.append(self.writer.seal(letter, now))
        looked = NoteDigest(by=CLOCK_ACTOR, address=subscription.address, before=subscription.seen, at=now)
        with suppress(WriteConflict):  # another worker has just written it
            stored_games.apply_side_effects(self.database, SideEffects(now, letters, [looked]))
            log.info(sentence("outbound.digests.written", count=len(waiting)))

    def _deadlines(self, address: str) -> list[CalendarEntry]:
        """Return the deadlines of all games of an address, for its owner's calendar."""
        repository = self.writer.repository
        seats = ((repository.position(name), seat) for name, seat in repository.seats_of(address))
        return [calendar_entry(position, seat) for position, seat in seats if position is not None]

    def _waiting(self, address: str, now: Millis) -> Iterator[WaitingGame]:
        """Yield the games that wait for orders from an address."""
        repository = self.writer.repository
        for name, seat in repository.seats_of(address):
            position = repository.position(name)
            if position is None or not position.is_running:
                continue
            game = position.game
            lacking = missing_orders(game, position).get(seat, ())
            if lacking and any(due.seat == seat for due in people_due(game, position)):
                yield WaitingGame(
                    title=game.about.title,
                    turn=game.rules.turn(position.state),
                    deadline=position.deadline,
                    missing=lacking,
                    reader=self.writer.reader(position, position.assignments[seat]),
                    overdue=overdue(position, now),
                    standing="" if position.timing.stop is None else why_no_deadline(position.timing.stop),
                    badges=text_badges(game, game.rules.view(position.state, seat)),
                    seat=name_seat(game, seat),
                )


def last_hour(now: Millis, zone: ZoneInfo, minute: int, digest: Digest) -> Millis:
    """Return the latest time, up to now, when a digest was due in its reader's time zone.

    If the clocks go forward over that minute, the digest is due the usual time after midnight.
    """
    day = datetime_of(now, zone).date()
    while _instant_of_hour(day, zone, minute) > now or (
        digest == "weekly" and day.weekday() != WEEKLY_DIGEST_WEEKDAY
    ):
        day -= timedelta(days=1)
    return _instant_of_hour(day, zone, minute)


def next_hour(now: Millis, zone: ZoneInfo, minute: int) -> Millis:
    """Return when a digest can next be written by its reader's clock, at that minute of a day."""
    day = datetime_of(now, zone).date()
    while (hour := _instant_of_hour(day, zone, minute)) <= now:
        day += timedelta(days=1)
    return hour


def _instant_of_hour(day: date, zone: ZoneInfo, minute: int) -> Millis:
    hour, past = divmod(minute, 60)
    return instant_of(datetime(day.year, day.month, day.day, hour, past, tzinfo=zone))


def _deadline_order(waiting: WaitingGame) -> tuple[bool, Millis, str, str]:
    """Return a sort key: games with the nearest deadline come first, games without one last."""
    return (
        waiting.deadline is None,
        waiting.deadline or 0,
        waiting.reader.game or "",
        waiting.reader.seat or "",
    )
