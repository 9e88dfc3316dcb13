"""The alarm: what keeps letters from coming in or going out is noted while it lasts, and told once.

The gamesmaster is told by mail of what he has to see to: a login that is refused, and a turn that waits
because the mailbox cannot be looked through. All else passes; `gm status` shows it while it lasts.
"""

import logging
from dataclasses import dataclass

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis, spoken
from adjudicator.errors import LoginFault, PostFault
from adjudicator.ledger.positions import Position
from adjudicator.office import Office
from adjudicator.secretary.writing import Writer
from adjudicator.store import incidents
from adjudicator.store.database import Database

LETTERS_IN, LETTERS_OUT = "letters in", "letters out"
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Alarm:
    """The alarm of one service."""

    database: Database
    office: Office
    writer: Writer

    def failed(self, name: str, fault: PostFault, now: Millis) -> None:
        """Letters could not come in (or go out). name: LETTERS_IN or LETTERS_OUT."""
        trouble = incidents.note(self.database, name, str(fault), now)
        if isinstance(fault, LoginFault):
            since = spoken(trouble.since, self.office.zone)
            coming = name == LETTERS_IN
            subject = sentence("secretary.alarm.no_letters_subject", coming=coming, what=fault.what)
            told = (
                sentence("secretary.alarm.no_letters", since=since, coming=coming, fault=fault),
                sentence("secretary.alarm.does_not_pass"),
            )
            self._tell(trouble, f"trouble/{name}/{trouble.since}", subject, told, now)

    def over(self, name: str) -> None:
        """It worked."""
        if incidents.find(self.database, name) is not None:
            incidents.over(self.database, name)
            log.info(sentence("secretary.alarm.again", coming=name == LETTERS_IN))

    def waits(self, position: Position, now: Millis) -> None:
        """A turn is past its deadline and grace, and waits for the mailbox to be looked through."""
        trouble = incidents.find(self.database, LETTERS_IN)
        if trouble is None or position.deadline is None:
            return
        name, zone = position.name, self.office.zone
        deadline, since = spoken(position.deadline, zone), spoken(trouble.since, zone)
        subject = sentence("secretary.alarm.waits_subject", game=name)
        told = (
            sentence("secretary.alarm.waits", game=name, deadline=deadline, since=since, why=trouble.why),
            sentence("secretary.alarm.played_when_done", game=name),
        )
        key = f"waits/{name}/{position.entries}"
        self._tell(trouble, key, subject, told, now)

    def channel_failed(self, name: str, why: str, now: Millis, *, gone: bool) -> None:
        """A channel did not take a post. gone: for good, which the gamesmaster is told once."""
        trouble = incidents.note(self.database, incidents.of_channel(name), why, now)
        if gone:
            subject = sentence("secretary.alarm.channel_subject", channel=name)
            told = (sentence("secretary.alarm.channel", channel=name, why=why),)
            self._tell(trouble, f"trouble/{trouble.name}/{trouble.since}", subject, told, now)

    def channel_over(self, name: str) -> None:
        """A channel has taken a post."""
        if incidents.find(self.database, incidents.of_channel(name)) is not None:
            incidents.over(self.database, incidents.of_channel(name))
            log.info(sentence("secretary.alarm.channel_again", channel=name))

    def _tell(
        self, trouble: incidents.Incident, key: str, subject: str, paragraphs: tuple[str, ...], now: Millis
    ) -> None:
        if key not in trouble.told:
            log.error("%s", subject)
            letter = self.writer.to_gamesmaster(key, subject, paragraphs, now)
            incidents.tell(self.database, trouble, letter, now)
