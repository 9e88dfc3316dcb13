"""Sending emails through the carrier, their receipts, and reports of undeliverable ones.

The power may fail between any two steps, so the row of an email in the database shows its progress.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudicator.clock import MINUTE, Clock, Millis, format_instant
from adjudicator.context import ServiceContext
from adjudicator.errors import LoginFault, PostFault, Refusal
from adjudicator.logs import log_context
from adjudicator.mail.maildir import Carrier, Mailbox
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import PROCESS, SEND, OutgoingMessage, Receipt
from adjudicator.outbound.composer import ReportComposer
from adjudicator.reports import maps, posts
from adjudicator.storage import attachments, due_games, inbox, metadata, outbox, workers
from adjudicator.storage.database import Database

if TYPE_CHECKING:
    from adjudicator.model.mail import PictureSource
    from adjudicator.storage.database import Database


# Outages of incoming or outgoing mail: recorded while they last, and reported once.
#
# The GM gets an email if something must be done: after a rejected login, after half an hour, and if a turn
# waits because the mailbox can't be read. If emails can't go out, channels get a post instead. Two outages
# with one cause are reported once. Shorter outages end by themselves. `gm status` shows them while they last.


LONG_OUTAGE: Millis = 30 * MINUTE
"""An outage that lasts this long is reported, though it may end by itself."""

_TOKEN_SERVER = re.compile(r"token server \S+")
_LOGIN_REPLY = re.compile(r"(gm\.toml: |53[0458] )", re.IGNORECASE)
"""The beginning of the reason for emails that wait because our login was rejected."""

LETTERS_IN, LETTERS_OUT = "letters in", "letters out"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OutageAlerts:
    """The outage alerts of one service."""

    database: Database
    service_context: ServiceContext
    writer: ReportComposer

    def note_failure(self, name: str, fault: PostFault, now: Millis) -> None:
        """Record that emails can't be received or sent. name: LETTERS_IN or LETTERS_OUT."""
        trouble = workers.note(self.database, name, str(fault), now)
        is_rejected = isinstance(fault, LoginFault)
        if not is_rejected and now - trouble.since < LONG_OUTAGE:
            return
        if self._is_told_of_cause(name, trouble):
            return
        since = format_instant(trouble.since, self.service_context.zone)
        coming = name == LETTERS_IN
        subject = sentence("outbound.alerts.no_letters_subject", coming=coming, what=fault.what)
        if is_rejected:
            advice = sentence("outbound.alerts.does_not_pass")
        else:
            advice = sentence("outbound.alerts.may_pass")
        paragraphs = (
            sentence("outbound.alerts.no_letters", since=since, coming=coming, fault=fault),
            advice,
        )
        self._notify_once(trouble, f"trouble/{name}/{trouble.since}", subject, paragraphs, now)

    def _is_told_of_cause(self, name: str, trouble: workers.Incident) -> bool:
        """Return whether the other route has the same trouble, and that was reported."""
        other = workers.find(self.database, LETTERS_OUT if name == LETTERS_IN else LETTERS_IN)
        if other is None or not other.told:
            return False
        causes = [_TOKEN_SERVER.search(each.why) for each in (trouble, other)]
        return all(causes) and len({cause[0] for cause in causes if cause}) == 1

    def note_recovery(self, name: str) -> None:
        """Record that emails can be received or sent again."""
        if workers.find(self.database, name) is not None:
            workers.over(self.database, name)
            log.info(sentence("outbound.alerts.again", coming=name == LETTERS_IN))

    def report_waiting_turn(self, position: GamePosition, now: Millis) -> None:
        """Report that a turn is past its deadline and grace period, and waits for the mailbox to be read."""
        trouble = workers.find(self.database, LETTERS_IN)
        if trouble is None or position.deadline is None:
            return
        name, zone = position.name, self.service_context.zone
        deadline, since = format_instant(position.deadline, zone), format_instant(trouble.since, zone)
        subject = sentence("outbound.alerts.waits_subject", game=name)
        paragraphs = (
            sentence("outbound.alerts.waits", game=name, deadline=deadline, since=since, why=trouble.why),
            sentence("outbound.alerts.played_when_done", game=name),
        )
        key = f"waits/{name}/{position.entries}"
        self._notify_once(trouble, key, subject, paragraphs, now)

    def note_channel_failure(self, name: str, why: str, now: Millis, *, gone: bool) -> None:
        """Record that a channel rejected a post. gone: permanently, which we report to the GM once."""
        trouble = workers.note(self.database, workers.channel_incident_name(name), why, now)
        if gone:
            subject = sentence("outbound.alerts.channel_subject", channel=name)
            paragraphs = (sentence("outbound.alerts.channel", channel=name, why=why),)
            self._notify_once(trouble, f"trouble/{trouble.name}/{trouble.since}", subject, paragraphs, now)

    def note_channel_recovery(self, name: str) -> None:
        """Record that a channel has accepted a post."""
        if workers.find(self.database, workers.channel_incident_name(name)) is not None:
            workers.over(self.database, workers.channel_incident_name(name))
            log.info(sentence("outbound.alerts.channel_again", channel=name))

    def _notify_once(
        self, trouble: workers.Incident, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis
    ) -> None:
        if key in trouble.told:
            return
        log.error("%s", subject)
        letters = [self.writer.alert(key, subject, paragraphs, now)]
        if trouble.name in (LETTERS_IN, LETTERS_OUT) and workers.find(self.database, LETTERS_OUT) is not None:
            letters += self._alert_posts(key, trouble.since, now)
        workers.tell(self.database, trouble, key, letters, now)

    def _alert_posts(self, key: str, since: Millis, now: Millis) -> list[OutgoingMessage]:
        """Return posts that email doesn't work, to the channels that ask for them, or else to chats."""
        channels = [channel for channel in self.service_context.channels if channel.kind != "address"]
        asking = [channel for channel in channels if "alert" in channel.what]
        chosen = asking or [channel for channel in channels if channel.kind in ("apprise", "webhook")]
        info = self.writer.service_info
        news = posts.outage_news(info, key, since, now)
        return [self.writer.seal(posts.address_to_channel(news, channel, info), now) for channel in chosen]


log = logging.getLogger(__name__)


@dataclass(frozen=True)
class MailSender:
    """Sends the emails of one service. reached: as in the service. worker: the worker that has claimed
    emails.
    """

    database: Database
    mailbox: Mailbox
    carrier: Carrier
    writer: ReportComposer
    alarm: OutageAlerts
    clock: Clock
    reached: Callable[[str], None]
    worker: str
    lease: Millis = outbox.SEND_LEASE_MS

    def send(self, limit: int = 50) -> int:
        """Send the emails that are ready. Returns their number. Raises StoreFault."""
        sent = 0
        with self.database.session():
            draw_pending(self.database)
            outbox.recover(self.database, self.clock.now(), self.carrier.doubt.wait, worker=self.worker)
            self._settle_unsure_letters()
            self._report_undeliverable()
            while claimed := outbox.claim(self.database, self.clock.now(), limit, self.lease, self.worker):
                receipts = self.carrier.deliver(claimed, self._begin)
                self.reached("report delivered")
                now = self.clock.now()
                outbox.settle(self.database, receipts, now, self.carrier.doubt.wait, self.worker)
                self.reached("report sent")
                _log_sent(claimed, receipts)
                self._report_undeliverable()
                self._note_outage(receipts)
                sent += sum(receipt.outcome == "sent" for receipt in receipts)
                # Emails that we delay ourselves don't keep other emails waiting.
                if not any(receipt.outcome == "sent" or _is_rate_limited(receipt) for receipt in receipts):
                    break
        return sent

    def has_nothing_to_send(self) -> bool:
        """Return whether no email is ready or possibly sent. Raises StoreFault."""
        return outbox.is_quiet(
            self.database, self.writer.service_context.address, self.clock.now(), self.worker
        )

    def _note_outage(self, receipts: Sequence[Receipt]) -> None:
        # Emails that we delay ourselves say nothing about the server.
        tried = [receipt for receipt in receipts if not _is_rate_limited(receipt)]
        held = [receipt.why for receipt in tried if receipt.outcome == "held"]
        if receipts and not tried:
            return
        if held and len(held) == len(tried):
            kind = LoginFault if _LOGIN_REPLY.match(str(held[0])) else PostFault
            self.alarm.note_failure(LETTERS_OUT, kind("outbox", str(held[0])), self.clock.now())
        else:
            self.alarm.note_recovery(LETTERS_OUT)

    def _begin(self, letter: OutgoingMessage) -> bool:
        copied = self.carrier.doubt.how == "probe"
        begun = outbox.begin(self.database, letter.key, self.clock.now(), copied, self.worker)
        self.reached("report sending")
        return begun

    def _settle_unsure_letters(self) -> None:
        """Settle the emails that were possibly sent."""
        unsure = outbox.unsure(self.database, self.clock.now())
        copied = [posted.sealed.message_id for posted in unsure if posted.copied]
        try:
            taken = self.mailbox.arrival_times(copied) if copied else {}
        except PostFault as fault:
            log.warning(sentence("service.mail.letters_stay_unsure", fault=fault))
            unsure, taken = tuple(posted for posted in unsure if not posted.copied), {}
        for posted in unsure:
            fate = self._choose_fate(posted, taken)
            ids = log_context(ours=posted.sealed.key, game=posted.sealed.game, seat=posted.sealed.seat)
            log.info(sentence("service.mail.letter_unsure", to=posted.sealed.to, fate=fate), extra=ids)
            outbox.clear_up(self.database, posted.number, fate, self.clock.now())

    def _choose_fate(self, posted: outbox.OutboxLetter, taken: Collection[str]) -> outbox.Fate:
        """Return what to do with a possibly sent email. The settings may have changed since.

        taken: the Message-IDs of emails that have copies in our mailbox.
        """
        if posted.sealed.message_id in taken:
            return "taken"
        if posted.copied and self.carrier.doubt.how == "probe":
            return "again"
        return "again" if self.carrier.doubt.how == "again" else "marked"

    def _report_undeliverable(self) -> None:
        """Tell the GM about undeliverable emails, except those to the GM."""
        while failed := outbox.untold(self.database, self.writer.service_context.address):
            notices = [
                self.writer.to_gamesmaster(
                    outbox.notice_key(posted.number),
                    sentence("service.mail.undelivered_subject", to=posted.sealed.to),
                    (
                        sentence(
                            "service.mail.undelivered",
                            number=posted.number,
                            to=posted.sealed.to,
                            why=posted.why,
                        ),
                        sentence("service.mail.look_at_ours", number=posted.number),
                        *self._disabled_address_note(posted.sealed.to),
                    ),
                    self.clock.now(),
                )
                for posted in failed
            ]
            outbox.put(self.database, notices, self.clock.now())

    def _disabled_address_note(self, address: str) -> tuple[str, ...]:
        if not self.writer.repository.bounces.is_disabled(address):
            return ()
        return (sentence("service.mail.dead_address", address=address),)


def _is_rate_limited(receipt: Receipt) -> bool:
    return receipt.outcome == "held" and receipt.retry_at is not None


def _log_sent(letters: Sequence[OutgoingMessage], receipts: Sequence[Receipt]) -> None:
    for letter, receipt in zip(letters, receipts, strict=True):
        ids = log_context(ours=letter.key, game=letter.game, seat=letter.seat)
        to, how, why = letter.to, receipt.outcome, receipt.why
        message = (
            sentence("service.mail.letter_sent_why", to=to, how=how, why=why)
            if why
            else sentence("service.mail.letter_sent", to=to, how=how)
        )
        log.info(message, extra=ids)


# The heartbeat of a worker: at the start, regularly, and at the end. Other workers may use the same database.


@dataclass(frozen=True)
class WorkerHeartbeat:
    """The heartbeat of one worker. wait: the time after which possibly sent emails may be settled."""

    database: Database
    worker: str
    clock: Clock
    wait: Millis

    def start(self, jobs: Sequence[str]) -> int:
        """Record that we work, and take over from dead workers. Returns how many of their emails were
        possibly sent.

        Raises Refusal while the database is being moved.
        """
        now, alone = self.clock.now(), not self.database.is_shared
        with self.database.session():
            workers.enter(self.database, self.worker, jobs, now)
            why = None
            if (to := metadata.moved_to(self.database)) is not None:
                why = sentence("outbound.presence.moved", to=to)
            elif (to := metadata.moving_to(self.database, now)) is not None:
                why = sentence("outbound.presence.moving", to=to)
            if why is not None:
                workers.leave(self.database, self.worker)
                raise Refusal("Can't use this database", why, sentence("outbound.presence.serve_there"))
            if alone:
                due_games.give_back(self.database)
                inbox.give_back(self.database)
            self._remove_dead_workers()
            return outbox.recover(self.database, now, self.wait, at_start=alone)

    def beat(self, jobs: Sequence[str], done: Mapping[str, int]) -> None:
        """Record that we are alive and what we have done. Take over from dead workers. Raises StoreFault."""
        with self.database.session():
            now = self.clock.now()
            if not workers.beat(self.database, self.worker, done, now):
                workers.enter(self.database, self.worker, jobs, now)
            self._remove_dead_workers()

    def resume(self) -> None:
        """Record that we work, after a broken connection. Raises StoreFault."""
        workers.come_back(self.database, self.worker)

    def stop(self) -> None:
        """Record that we have stopped, and release our claims. Raises StoreFault.

        An email that is being sent counts as possibly sent, because we can't know if the server accepted it.
        """
        with self.database.session():
            workers.leave(self.database, self.worker)
            outbox.recover(self.database, self.clock.now(), self.wait)
            for job in (PROCESS, SEND):
                self.database.notify(job)

    def _remove_dead_workers(self) -> None:
        for name in workers.release_dead_workers(self.database, self.worker):
            log.warning(sentence("service.mail.worker_died", worker=name))
            self.database.notify(PROCESS)


# Deferred drawing: pictures that are drawn when their emails are sent.
#
# A turn that the GM runs doesn't wait for pictures. The sender of its reports draws them first.


BLANK_PICTURE_SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 20"></svg>'
"""The picture in place of one that can't be drawn."""


def draw_pending(database: Database) -> int:
    """Draw the pictures of emails about to be sent. Returns their number. No transaction may be open."""
    waiting = attachments.pending_pictures(database)
    for source in waiting:
        attachments.draw(database, source, _draw(source))
    return len(waiting)


def _draw(source: PictureSource) -> bytes:
    """Draw a picture, or return an empty one if drawing fails, so that an email never waits."""
    try:
        return maps.map_picture(source.svg, source.width_px)
    except Exception:  # logged; the text is complete without it
        log.exception(sentence("outbound.deferred_drawing.no_picture"))
        return maps.map_picture(BLANK_PICTURE_SVG, source.width_px)
