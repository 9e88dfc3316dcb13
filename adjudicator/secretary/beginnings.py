"""Games that wait for people: begun when enough have signed up, or when their time has come."""

import logging
from dataclasses import dataclass

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis
from adjudicator.errors import Fault
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.looks import HELD
from adjudicator.ledger.society import Offer
from adjudicator.secretary import openings
from adjudicator.secretary.writing import Writer
from adjudicator.settings.terms import terms_of
from adjudicator.store import games as book_of_games
from adjudicator.store import looks, people
from adjudicator.store.database import Database

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Beginnings:
    """The beginnings of one service's games. deadlines: the terms where nothing else was said."""

    database: Database
    writer: Writer
    deadlines: Deadlines

    def see_to(self, now: Millis) -> None:
        """Look at each game that may begin now. Raises StoreFault."""
        for name, seen in looks.offers_due(self.database, now).items():
            offer = self.writer.books.society.offer(name)
            if offer is not None:
                again = looks.within_a_day(name, self._look_at(offer, now), now)
                looks.put_off_offer(self.database, name, seen, again)

    def begin(self, offer: Offer, now: Millis) -> None:
        """Begin a game with those who have signed up for it."""
        signups = self.writer.books.society.signups(offer.name)
        terms = terms_of(offer.terms, self.deadlines)
        new, deeds, letters = openings.started(offer, signups, terms, self.writer, now)
        with self.database.writing():
            book_of_games.create(self.database, new, letters, now)
            for deed in deeds:
                people.do(self.database, deed)
        playing = sum(chair.is_person for chair in new.chairs)
        log.info(sentence("house.service.game_begun", game=offer.name, people=playing))

    def _look_at(self, offer: Offer, now: Millis) -> Millis | None:
        """Begin a game if it is to begin. Returns when to look again; None: when somebody signs up."""
        signups = self.writer.books.society.signups(offer.name)
        if not openings.is_to_begin(offer, signups, now):
            return offer.starts if offer.starts is not None and offer.starts > now else None
        try:
            self.begin(offer, now)
        except Fault:
            raise
        except Exception:  # a game that cannot begin keeps no other from going on
            log.exception(sentence("house.service.game_not_begun", game=offer.name))
        return now + HELD
