"""Outages of incoming or outgoing mail: noted while they last, and reported once.

The gamesmaster gets an email about what needs action: a refused login, and a turn that waits because the
mailbox cannot be read. All else passes; `gm status` shows it while it lasts.
"""

import logging
from dataclasses import dataclass

from adjudicator.clock import Millis, format_instant
from adjudicator.context import ServiceContext
from adjudicator.errors import LoginFault, PostFault
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.outbound.composer import ReportComposer
from adjudicator.storage import workers
from adjudicator.storage.database import Database

LETTERS_IN, LETTERS_OUT = "letters in", "letters out"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OutageAlerts:
    """The outage alerts of one service."""

    database: Database
    office: ServiceContext
    writer: ReportComposer

    def note_failure(self, name: str, fault: PostFault, now: Millis) -> None:
        """Note that letters could not come in (or go out). name: LETTERS_IN or LETTERS_OUT."""
        trouble = workers.note(self.database, name, str(fault), now)
        if isinstance(fault, LoginFault):
            since = format_instant(trouble.since, self.office.zone)
            coming = name == LETTERS_IN
            subject = sentence("secretary.alarm.no_letters_subject", coming=coming, what=fault.what)
            paragraphs = (
                sentence("secretary.alarm.no_letters", since=since, coming=coming, fault=fault),
                sentence("secretary.alarm.does_not_pass"),
            )
            self._notify_once(trouble, f"trouble/{name}/{trouble.since}", subject, paragraphs, now)

    def note_recovery(self, name: str) -> None:
        """Note that letters come in (or go out) again."""
        if workers.find(self.database, name) is not None:
            workers.over(self.database, name)
            log.info(sentence("secretary.alarm.again", coming=name == LETTERS_IN))

    def report_waiting_turn(self, position: GamePosition, now: Millis) -> None:
        """Report that a turn is past its deadline and grace, and waits for the mailbox to be read."""
        trouble = workers.find(self.database, LETTERS_IN)
        if trouble is None or position.deadline is None:
            return
        name, zone = position.name, self.office.zone
        deadline, since = format_instant(position.deadline, zone), format_instant(trouble.since, zone)
        subject = sentence("secretary.alarm.waits_subject", game=name)
        paragraphs = (
            sentence("secretary.alarm.waits", game=name, deadline=deadline, since=since, why=trouble.why),
            sentence("secretary.alarm.played_when_done", game=name),
        )
        key = f"waits/{name}/{position.entries}"
        self._notify_once(trouble, key, subject, paragraphs, now)

    def note_channel_failure(self, name: str, why: str, now: Millis, *, gone: bool) -> None:
        """Note that a channel did not take a post. gone: for good, which the gamesmaster is told once."""
        trouble = workers.note(self.database, workers.channel_incident_name(name), why, now)
        if gone:
            subject = sentence("secretary.alarm.channel_subject", channel=name)
            paragraphs = (sentence("secretary.alarm.channel", channel=name, why=why),)
            self._notify_once(trouble, f"trouble/{trouble.name}/{trouble.since}", subject, paragraphs, now)

    def note_channel_recovery(self, name: str) -> None:
        """Note that a channel has taken a post."""
        if workers.find(self.database, workers.channel_incident_name(name)) is not None:
            workers.over(self.database, workers.channel_incident_name(name))
            log.info(sentence("secretary.alarm.channel_again", channel=name))

    def _notify_once(
        self, trouble: workers.Incident, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis
    ) -> None:
        if key not in trouble.told:
            log.error("%s", subject)
            letter = self.writer.to_gamesmaster(key, subject, paragraphs, now)
            workers.tell(self.database, trouble, letter, now)
