"""The heartbeat of a worker among those on the same database: at the start, regularly, and at the end."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from adjudicator.clock import Clock, Millis
from adjudicator.errors import Refusal
from adjudicator.messages import sentence
from adjudicator.model.jobs import PROCESS, SEND
from adjudicator.storage import claims, due_games, moving, outbox, workers
from adjudicator.storage.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WorkerHeartbeat:
    """The heartbeat of one worker. wait: after it, letters that are unsure may be settled."""

    database: Database
    worker: str
    clock: Clock
    wait: Millis

    def start(self, jobs: Sequence[str]) -> int:
        """Record that we work, and take over from dead workers. Returns how many of their letters are unsure.

        Raises Refusal where the database is just being moved to another one.
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
                due_games.give_back(self.database)
                claims.give_back(self.database)
            self._remove_dead_workers()
            return outbox.recover(self.database, now, self.wait, at_start=alone)

    def beat(self, jobs: Sequence[str], done: Mapping[str, int]) -> None:
        """Record that we are alive, and what we have done; take over from dead workers. Raises StoreFault."""
        with self.database.session():
            now = self.clock.now()
            if not workers.beat(self.database, self.worker, done, now):
                workers.enter(self.database, self.worker, jobs, now)
            self._remove_dead_workers()

    def resume(self) -> None:
        """Record that we work after a connection broke that showed it. Raises StoreFault."""
        workers.come_back(self.database, self.worker)

    def stop(self) -> None:
        """Record that we work no more, and release what we had claimed. Raises StoreFault.

        An email that is being sent becomes unsure: nobody can say any more whether the server took it.
        """
        with self.database.session():
            workers.leave(self.database, self.worker)
            outbox.recover(self.database, self.clock.now(), self.wait)
            for job in (PROCESS, SEND):
                self.database.notify(job)

    def _remove_dead_workers(self) -> None:
        for name in workers.release_dead_workers(self.database, self.worker):
            log.warning(sentence("house.service.worker_died", worker=name))
            self.database.notify(PROCESS)
