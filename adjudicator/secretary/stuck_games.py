"""Games that cannot go on: found, held, told to the gamesmaster once, and let go on when they can.

Where the program or the data of a kind have changed, the log of a game is played again before its next turn.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import games
from adjudicator.catalogue import sentence
from adjudicator.clock import MINUTE, Millis
from adjudicator.errors import Overtaken, Refusal
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.positions import Played, Position
from adjudicator.ledger.stuck import Stuck
from adjudicator.logs import about
from adjudicator.referee.calendar import zone_exists
from adjudicator.referee.grounds import grounds, have_changed, is_mended, unproven
from adjudicator.secretary.timers import Timers
from adjudicator.secretary.writing import Writer
from adjudicator.store import stuck as book
from adjudicator.store.database import Database
from games.record import changed

AGAIN: Millis = 10 * MINUTE
"""After so long a turn that could not be played is tried again, or as soon as anything has changed."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StuckGames:
    """The games of one service that cannot go on."""

    database: Database
    writer: Writer
    timers: Timers

    def look(self, now: Millis, *, first: bool) -> None:
        """Before letters are read: which games are held, and which go on. first: of this process."""
        if first:
            self.find(now)
        self.see_to(now)

    def find(self, now: Millis) -> None:
        """Look for games whose kind is gone, or is another now: at the start, for in a process that stays."""
        kinds = games.kinds()
        for name, kind, proven in book.kinds_in_play(self.database):
            if kind not in kinds:
                self.note(name, now)
            elif proven and have_changed(kinds[kind], proven):
                position = self.writer.books.position(name)
                if position is not None and position.stuck is None:
                    self.holds(position, now)

    def see_to(self, now: Millis) -> None:
        """Let those go on that can."""
        for stuck in book.all_stuck(self.database):
            position = self.writer.books.position(stuck.game)
            if position is None or stuck.sort == "turn":
                continue
            by = grounds(games.kinds()[position.kind])
            if (stuck.sort == "unreadable" and position.proven == by) or (
                stuck.grounds != by and self.holds(position, now)
            ):
                self._let_go(stuck, by, now)

    def note(self, name: str, now: Millis) -> None:
        """Hold a game that cannot be read."""
        stuck = self.writer.books.stuck(name)
        if stuck is not None and stuck.since is None:
            self._hold(stuck, now)

    def bars(self, position: Position, now: Millis) -> bool:
        """Whether a game is not even to be tried now."""
        stuck = position.stuck
        if stuck is None or stuck.is_deaf:
            return stuck is not None
        same = (stuck.rev, stuck.grounds) == (position.rev, grounds(games.kinds()[position.kind]))
        return same and now - stuck.tried < AGAIN

    def holds(self, position: Position, now: Millis) -> bool:
        """Whether a game's log leads to where it stands, by what its kind is now; where not, it is held."""
        game = games.kinds()[position.kind]
        by = grounds(game)
        if position.proven == by:
            return True
        log_of = partial(self.writer.books.log, position.name)
        why = unproven(game, position, log_of)
        if why is None or is_mended(game, position, log_of):
            book.note_proven(self.database, position.name, by, self._of_ruling(position, why, by, now), now)
            return True
        told = sentence("secretary.stuck_games.log_differs", why=why)
        instead = sentence("secretary.stuck_games.mend_log", game=position.name)
        self._hold(self._of(position, "log", told, instead, now), now)
        return False

    def failed(self, name: str, fault: Exception, now: Millis) -> None:
        """Hold a game whose turn cannot be played."""
        position = self.writer.books.position(name)
        if position is None:
            self.note(name, now)
            return
        zone = position.deadlines.zone
        if zone_exists(zone):
            why = sentence("secretary.stuck_games.turn_fails", fault=f"{type(fault).__name__}: {fault}")
            instead = sentence("secretary.stuck_games.mend_turn", game=name)
        else:
            why = sentence("secretary.stuck_games.zone_gone", zone=zone)
            instead = sentence("secretary.stuck_games.mend_zone", game=name, zone=self.writer.office.zone.key)
        self._hold(self._of(position, "turn", why, instead, now), now)

    def let_go(self, position: Position, now: Millis) -> None:
        """Let a game go on from where it stands, whatever its log says."""
        if position.stuck is not None:
            self._let_go(position.stuck, grounds(games.kinds()[position.kind]), now)

    def played(self, position: Position, played: Played | None, now: Millis) -> bool:
        """Whether a turn was played. Then nothing is wrong with it any more."""
        if played is not None and position.stuck is not None:
            self._let_go(position.stuck, None, now)
        return played is not None

    def _of_ruling(self, position: Position, why: str | None, by: str, now: Millis) -> list[Sealed]:
        """What is told of a log that comes out otherwise since a ruling is mended."""
        if why is None:
            return []
        name = position.name
        subject = sentence("secretary.stuck_games.ruling_subject", game=name)
        told = sentence("secretary.stuck_games.ruling", game=name, why=why)
        return [self.writer.to_gamesmaster(f"ruling/{name}/{by}", subject, (told,), now)]

    def _of(self, position: Position, sort: str, why: str, instead: str, now: Millis) -> Stuck:
        by = grounds(games.kinds()[position.kind])
        before = position.stuck or Stuck(
            game=position.name, kind=position.kind, sort="turn", why=why, instead=instead
        )
        return changed(before, sort=sort, why=why, instead=instead, tried=now, rev=position.rev, grounds=by)

    def _hold(self, stuck: Stuck, now: Millis) -> None:
        held = stuck if stuck.since is not None else changed(stuck, since=now)
        name = held.game
        subject = sentence("secretary.stuck_games.held_subject", game=name)
        told = (
            sentence("secretary.stuck_games.held", game=name, why=held.why, deaf=held.is_deaf),
            sentence("secretary.stuck_games.what_to_do", instead=held.instead),
        )
        if stuck.since is None or stuck.tried == now:
            log.error("%s: %s", subject, held.why, extra=about(game=name))
        letter = self.writer.to_gamesmaster(f"stuck/{name}/{held.since}/{held.sort}", subject, told, now)
        book.hold(self.database, held, [letter], now)

    def _let_go(self, stuck: Stuck, by: str | None, now: Millis) -> None:
        position = self.writer.books.position(stuck.game)
        if position is not None and stuck.is_deaf and stuck.since is not None:
            # Overtaken: somebody else, who is awake too, has just given it. Refusal: its time zone is gone.
            with suppress(Overtaken, Refusal):
                self.timers.make_up(position, stuck.since, now, by_hold=True)
        waiting = book.letters_waiting(self.database, stuck.game)
        subject = sentence("secretary.stuck_games.goes_on_subject", game=stuck.game)
        told = sentence("secretary.stuck_games.goes_on", game=stuck.game, letters=waiting)
        letter = self.writer.to_gamesmaster(f"stuck/{stuck.game}/{stuck.since}/over", subject, (told,), now)
        book.let_go(self.database, stuck.game, by, [letter], now)
        log.info("%s", subject, extra=about(game=stuck.game))
