"""Forgetting people: when they asked for it, when `[keep]` says so, and after a restore.

The list of the forgotten is written first. So an erasure that was interrupted is repeated, and a backup that
is restored meanwhile can't bring anybody back.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adjudicator.clock import DAY, MINUTE, Millis
from adjudicator.context import RequestContext
from adjudicator.errors import WriteConflict
from adjudicator.inbound.commands.joining import RESIGNED
from adjudicator.mail import maildir
from adjudicator.messages import sentence
from adjudicator.model.games import AnyAct, TakeSeat
from adjudicator.model.people import (
    FORGET_AFTER_MS,
    OfferSeat,
    ScheduleForgetting,
    SignOut,
    Watch,
)
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.notifications import side_effects
from adjudicator.outbound.reminders import CLOCK_ACTOR
from adjudicator.reports.messages import Heading, caller_of, notice
from adjudicator.reports.times import both
from adjudicator.storage import metadata, people, personal_data, stored_games
from adjudicator.storage.database import Database
from adjudicator.storage.forgotten import load_list, new_list, save_list
from adjudicator.storage.personal_data import ErasedData

RETRY_MS: Millis = 5 * MINUTE
MAX_WAIT_MS: Millis = 3 * DAY
"""How long forgetting waits for emails that mention the person to be sent. Undeliverable ones fail before."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PersonForgetter:
    """Forgets people. folder: that of gm.toml. keep: how long an address is kept after its last game.

    maildirs: the mailboxes that are folders here. Emails that were read stay in them.
    """

    database: Database
    writer: ReportComposer
    folder: Path
    keep: Millis | None = None
    maildirs: tuple[Path, ...] = ()

    def load(self) -> None:
        """Read the list of the forgotten again, because another process may have added somebody."""
        self.database.forgotten = load_list(self.folder)

    def run_due(self, now: Millis) -> None:
        """Forget everybody whose time has come, and overwrite the space of what was erased."""
        for address, tried in people.due_forgettings(self.database, now):
            with suppress(WriteConflict):  # a game has just changed: the next round tries again
                if not self.forget(address, now, CLOCK_ACTOR, tried).waiting:
                    log.info(sentence("outbound.forgetting.done"))
        self.scrub()

    def scrub(self) -> bool:
        """Overwrite the space of what was erased. Return False if others are using the database."""
        if metadata.is_scrub_due(self.database):
            if not self.database.scrub():
                return False
            metadata.note_scrubbed(self.database)
        return True

    def forget(self, address: str, now: Millis, by: str, tried: Millis | None = None) -> ErasedData:
        """Forget a person: give up their seats, then erase everything. Raises Refusal, WriteConflict.

        While emails that mention them have yet to be sent or read, only the seats are given up, and `run_due`
        does the rest later. tried: when this was first tried. After MAX_WAIT_MS, nothing is waited for.
        """
        tried = now if tried is None else tried
        forgotten = load_list(self.folder) or new_list()
        if forgotten.forgotten_at(address) != tried:
            forgotten = forgotten.with_person(address, tried)
            save_list(self.folder, forgotten)
        self.database.forgotten = forgotten
        self.resign(address, now)
        with self.database.writing():
            final = now > tried + MAX_WAIT_MS
            erased = personal_data.erase(self.database, address, forgotten, now, by, final=final)
            if erased.waiting:
                due = now + RETRY_MS
                later = ScheduleForgetting(by=by, address=address, due=due, at=now, tried=tried)
                people.apply_action(self.database, later)
        if erased.traces is not None:
            for path in self.maildirs:
                maildir.delete_kept(path, erased.traces.are_in_email)
        return erased

    def resign(self, address: str, now: Millis) -> None:
        """Give up a person's seats in running games, their places on lists, and the games they watch."""
        for acts in resignations(self.writer, address, now):
            follow = side_effects(acts, self.writer, now)
            stored_games.perform(self.database, follow.acts, follow.letters, now)

    def schedule_unused(self, now: Millis) -> int:
        """Tell people whose last game is long over that they will be forgotten. Return their number."""
        if self.keep is None:
            return 0
        unused = []
        for address, last in personal_data.last_contacts(self.database):
            if not last:
                # Nothing says when they were here: the time counts from now.
                known = ScheduleForgetting(by=CLOCK_ACTOR, address=address, due=None, at=now)
                people.apply_action(self.database, known)
            elif last < now - self.keep and people.forgetting_at(self.database, address) is None:
                unused.append(address)
        for address in unused:
            self._announce(address, now)
        return len(unused)

    def _announce(self, address: str, now: Millis) -> None:
        due = now + FORGET_AFTER_MS
        reader = caller_of(address, RequestContext(self.writer.repository, self.writer.service_context, now))
        heading = Heading(
            f"forgetting/{address}/{now // DAY}", sentence("outbound.forgetting.unused_subject")
        )
        text = sentence("outbound.forgetting.unused", when=both(due, reader.zone))
        letter = self.writer.seal(notice(reader, heading, (text,)), now)
        act = ScheduleForgetting(by=CLOCK_ACTOR, address=address, due=due, at=now)
        stored_games.perform(self.database, [act], [letter], now)


def resignations(writer: ReportComposer, address: str, now: Millis) -> Iterator[list[AnyAct]]:
    """Yield the acts by which a person leaves each running game, and lists and games that they watch."""
    repository = writer.repository
    for name, seat in repository.seats_of(address):
        position = repository.position(name)
        if position is None or not position.is_running:
            continue
        acts: list[AnyAct] = [TakeSeat(game=name, by=seat, why=RESIGNED, seat=seat, address=None)]
        if any(other.is_person for at, other in position.assignments.items() if at != seat):
            acts.append(OfferSeat(game=name, by=seat, why=RESIGNED, seat=seat, at=now))
        yield acts
    leave: list[AnyAct] = [
        SignOut(game=signup.game, by=address, address=address)
        for signup in repository.people.signed_up(address)
    ]
    leave += [
        Watch(game=name, by=address, address=address, watches=False)
        for name in repository.games()
        if address in repository.people.observers(name)
    ]
    yield leave
