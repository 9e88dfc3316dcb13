"""Games that are open for players: begun when enough have signed up, or when their time has come."""

import logging
from dataclasses import dataclass

from adjudicator.clock import Millis
from adjudicator.config.terms import read_deadlines
from adjudicator.errors import Fault
from adjudicator.messages import sentence
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.looks import FAILED_CHECK_INTERVAL_MS
from adjudicator.model.people import GameOffer
from adjudicator.outbound.composer import ReportComposer
from adjudicator.outbound.signups import create_offered_game, is_ready_to_begin
from adjudicator.storage import due_games, people
from adjudicator.storage import stored_games as book_of_games
from adjudicator.storage.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GameStarts:
    """The starts of one service's games. deadlines: the settings where nothing else was said."""

    database: Database
    writer: ReportComposer
    deadlines: Deadlines

    def start_due_games(self, now: Millis) -> None:
        """Start each game that may begin now. Raises StoreFault."""
        for name, seen in due_games.offers_due(self.database, now).items():
            offer = self.writer.books.people.offer(name)
            if offer is not None:
                again = due_games.within_a_day(name, self._start_if_ready(offer, now), now)
                due_games.put_off_offer(self.database, name, seen, again)

    def start_game(self, offer: GameOffer, now: Millis) -> None:
        """Start a game with those who have signed up for it."""
        signups = self.writer.books.people.signups(offer.name)
        terms = read_deadlines(offer.terms, self.deadlines)
        new, deeds, letters = create_offered_game(offer, signups, terms, self.writer, now)
        with self.database.writing():
            book_of_games.create(self.database, new, letters, now)
            for deed in deeds:
                people.apply_action(self.database, deed)
        playing = sum(chair.is_person for chair in new.chairs)
        log.info(sentence("house.service.game_begun", game=offer.name, people=playing))

    def _start_if_ready(self, offer: GameOffer, now: Millis) -> Millis | None:
        """Start a game if it is ready. Returns when to check again; None: when somebody signs up."""
        signups = self.writer.books.people.signups(offer.name)
        if not is_ready_to_begin(offer, signups, now):
            return offer.starts if offer.starts is not None and offer.starts > now else None
        try:
            self.start_game(offer, now)
        except Fault:
            raise
        except Exception:  # a game that cannot begin keeps no other from going on
            log.exception(sentence("house.service.game_not_begun", game=offer.name))
        return now + FAILED_CHECK_INTERVAL_MS
