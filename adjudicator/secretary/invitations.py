"""Invitations: one letter to somebody who may like a game, and how one joins.

Nobody is entered by it. It goes out once to each address for a game, and to nobody who wants no such letters.
"""

from dataclasses import dataclass

import games
from adjudicator.catalogue import sentence
from adjudicator.clock import Millis, spoken
from adjudicator.ledger.books import Books
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.letters import Outgoing, Sealed
from adjudicator.ledger.people_acts import Invite, invitation_key, refusal_key
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import Offer
from adjudicator.office import Desk
from adjudicator.referee.log import Link, set_up
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from adjudicator.secretary.writing import Writer
from adjudicator.settings.terms import length_text, terms_of
from adjudicator.signs.addresses import is_own
from adjudicator.signs.callers import invitation_mark
from games.protocol import Game, State
from games.protocol.optional import Introducing
from games.record import changed


@dataclass(frozen=True)
class Inviter:
    """Writes invitations."""

    writer: Writer
    now: Millis

    def invited(self, act: Invite) -> list[Sealed]:
        """The letter to somebody; none where he is in the game, had it before, or wants none."""
        offer, position = self._books.society.offer(act.game), self._books.position(act.game)
        if self._books.has_written(invitation_key(act.game, act.address)) or self._wants_none(act.address):
            return []
        if any(one.address == act.address for one in self._books.society.signups(act.game)):
            return []
        if offer is not None:
            return [self._sealed(act, self._to_offer(act, offer))]
        if position is None or not position.running:
            return []
        if any(chair.address == act.address for chair in position.chairs.values()):
            return []
        return [self._sealed(act, self._to_game(act, position))]

    def _to_offer(self, act: Invite, offer: Offer) -> tuple[str, ...]:
        game = games.kinds()[offer.kind]
        _, state = set_up(game, offer.name, offer.options, bytes(32), Link.first(self.now, "", bytes(32)))
        there = len(self._books.society.signups(offer.name))
        starts = None if offer.starts is None else spoken(offer.starts, self.writer.office.zone)
        stands = sentence("secretary.invitations.waits", there=there, needed=offer.needed, starts=starts)
        terms = terms_of(offer.terms, self.writer.office.terms)
        return self._told(act, game, state, stands, terms, offer.early, offer.customs.anonymous)

    def _to_game(self, act: Invite, position: Position) -> tuple[str, ...]:
        game = games.kinds()[position.kind]
        free = self._books.society.vacancies(position.name)
        stands = sentence("secretary.invitations.runs", turn=game.rules.turn(position.state).name, free=free)
        anonymous = self._books.society.customs(position.name).anonymous
        terms = position.deadlines
        return self._told(act, game, position.state, stands, terms, position.early, anonymous)

    def _told(
        self,
        act: Invite,
        game: Game,
        state: State,
        stands: str,
        terms: Deadlines,
        early: bool,
        anonymous: bool,
    ) -> tuple[str, ...]:
        view, telling = game.rules.view(state, None), game.telling
        about = (
            (telling.setting(view, None), *telling.introduction(view, None))
            if isinstance(telling, Introducing)
            else ()
        )
        who = None if anonymous or "@" not in act.by or self._is_ours(act.by) else act.by
        lengths = [length_text(terms.length(kind)) for kind in ("moves", "retreats", "builds")]
        return (
            sentence("secretary.invitations.invites", who=who, title=game.about.title, game=act.game),
            *filter(None, about),
            stands,
            sentence(
                "secretary.invitations.costs",
                moves=lengths[0],
                others=lengths[1:],
                early=early,
                hours=terms.hours,
                days_off=terms.days_off,
            ),
            sentence("secretary.invitations.to_play", game=act.game),
            sentence("secretary.invitations.not_asked", game=act.game),
        )

    def _sealed(self, act: Invite, paragraphs: tuple[str, ...]) -> Sealed:
        mark = invitation_mark(self.writer.office.key, act.address, act.game)
        reader = caller_of(act.address, Desk(self._books, self.writer.office, self.now), act.game, mark)
        subject = sentence("secretary.invitations.subject", game=act.game)
        letter: Outgoing = notice(reader, Heading(invitation_key(act.game, act.address), subject), paragraphs)
        return self.writer.seal(changed(letter, leave=None), self.now)

    def _wants_none(self, address: str) -> bool:
        dead = self._books.returns.is_dead(address)
        return dead or self._books.has_written(refusal_key(address))

    def _is_ours(self, address: str) -> bool:
        return is_own(address, self.writer.office.address)

    @property
    def _books(self) -> Books:
        return self.writer.books
