"""Our presence among those who work on the same books: said at the start, often, and at the end."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.catalogue import sentence
from adjudicator.clock import Clock, Millis
from adjudicator.errors import Refusal
from adjudicator.ledger.jobs import PROCESS, SEND
from adjudicator.store import claims, looks, moving, outbox, workers
from adjudicator.store.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Presence:
    """The presence of one worker. wait: after it, letters that are unsure may be cleared up."""

    database: Database
    worker: str
    clock: Clock
    wait: Millis

    def begin(self, jobs: Sequence[str]) -> int:
        """Say that we work, and take over from the dead. Returns how many of their letters are unsure.

        Raises Refusal where the books are just being moved to another database.
        """
        now, alone = self.clock.now(), not self.database.is_shared
        with self.database.session():
            workers.enter(self.database, self.worker, jobs, now)
            to = moving.moved_to(self.database) or moving.moving_to(self.database, now)
            if to is not None:
                workers.leave(self.database, self.worker)
                moved = sentence("secretary.presence.moved", to=to)
                raise Refusal("these books", moved, sentence("secretary.presence.serve_there"))
            if alone:
                looks.give_back(self.database)
                claims.give_back(self.database)
            self._bury()
            return outbox.recover(self.database, now, self.wait, at_start=alone)

    def beat(self, jobs: Sequence[str], done: Mapping[str, int]) -> None:
        """Say that we are alive, and what we have done; take over from the dead. Raises StoreFault."""
        with self.database.session():
            now = self.clock.now()
            if not workers.beat(self.database, self.worker, done, now):
                workers.enter(self.database, self.worker, jobs, now)
            self._bury()

    def come_back(self) -> None:
        """Say that we work after a connection broke that showed it. Raises StoreFault."""
        workers.come_back(self.database, self.worker)

    def end(self) -> None:
        """Say that we work no more, and give back what is in hand. Raises StoreFault.

        An email that is being sent becomes unsure: nobody can say any more whether the server took it.
        """
        with self.database.session():
            workers.leave(self.database, self.worker)
            outbox.recover(self.database, self.clock.now(), self.wait)
            for job in (PROCESS, SEND):
                self.database.ring(job)

    def _bury(self) -> None:
        for name in workers.bury(self.database, self.worker):
            log.warning(sentence("house.service.worker_died", worker=name))
            self.database.ring(PROCESS)
