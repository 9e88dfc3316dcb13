"""Turns: played from a position, and written down together with their reports."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import games
from adjudicator.catalogue import sentence
from adjudicator.logs import about
from adjudicator.referee import talk, turn
from adjudicator.referee.lately import lately
from adjudicator.secretary import notifications, postponed_emails, press_batches
from adjudicator.store import acts
from adjudicator.store import games as book_of_games
from games.record import Value

if TYPE_CHECKING:
    from adjudicator.clock import Millis
    from adjudicator.ledger.letters import Sealed
    from adjudicator.ledger.people_acts import SendPress
    from adjudicator.ledger.positions import Played, Position
    from adjudicator.secretary.writing import Writer
    from adjudicator.store.database import Database

log = logging.getLogger(__name__)


class Turns(Value, frozen=True):
    """The turns of one service's games. reached: called with each of the house's STEPS as it is passed."""

    database: Database
    writer: Writer
    reached: Callable[[str], None] = lambda step: None

    def play(self, position: Position, now: Millis, ripe: bool, by: str) -> Played | None:
        """Play a turn from a position and write it down with its reports; None if a person is waited for.

        ripe, by: as in `referee.turn.play`. Raises Overtaken, with nothing done, if the books have changed
        since.
        """
        press = self.writer.books.society.press(position.name)
        game = games.kinds()[position.kind]
        past = lately(game, position, partial(self.writer.books.latest, position.name))
        awaited = postponed_emails.find_awaited_turns(self.database, self.writer.books, position)
        played = turn.play(game, position, now, ripe, by, press, past, awaited)
        if played is None:
            return None
        reports, untold = self.writer.reports(position, played, now)
        said, told = self._spoken_up(turn.after(position, played), now)
        waiting = self.writer.books.society.held_press(position.name)
        released = press_batches.release_press(self.writer, position, waiting, now)
        first = [self.writer.seal(one, now) for one in released.emails]
        self.reached("turn played")
        entailed = acts.Entailed(now, [*first, *reports, *told], [*released.deeds, *said, *untold])
        book_of_games.commit(self.database, position.name, played, position.rev, entailed)
        self.reached("turn committed")
        for step in played.steps:
            ids = about(game=position.name, turn=step.turn.short)
            line = sentence("house.service.game_played", game=position.name, turn=step.turn.short)
            log.info(line, extra=ids)
        return played

    def _spoken_up(self, position: Position, now: Millis) -> tuple[tuple[SendPress, ...], list[Sealed]]:
        """What bots write as a turn begins, or at the end, and the letters to those who hear it.

        position: in that turn.
        """
        bots = talk.Talk(self.writer.books.society)
        said = bots.proposals(position, now) or bots.accounts(position, now)
        if not said:
            return (), []
        notifier = notifications.Notifier(self.writer, now)
        return said, [letter for act in said for letter in notifier.told(position, act)]
