"""Invitations: one letter to somebody who may like a game, and how to join.

Nobody is entered by it. It goes out once to each address for a game, and to nobody who wants no such
letters.
"""

from dataclasses import dataclass

import games
from adjudicator.auth.callers import invitation_mark
from adjudicator.clock import Millis, format_instant
from adjudicator.config.terms import length_text, read_deadlines
from adjudicator.context import RequestContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import is_own
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft, OutgoingMessage
from adjudicator.model.people import GameOffer
from adjudicator.model.people_acts import Invite, invitation_key, refusal_key
from adjudicator.model.repository import Repository
from adjudicator.outbound.composer import ReportComposer
from adjudicator.reports.messages import Heading, notice
from adjudicator.reports.reader import caller_of
from adjudicator.turns.log import EntryOrigin, set_up
from games.protocol import Game, State
from games.protocol.optional import SupportsIntroduction
from games.record import replace_fields


@dataclass(frozen=True)
class InvitationWriter:
    """Writes invitations."""

    writer: ReportComposer
    now: Millis

    def write_invitation(self, act: Invite) -> list[OutgoingMessage]:
        """Return the letter to an address; none if its owner is in the game, had it before, or wants none."""
        offer, position = self._books.people.offer(act.game), self._books.position(act.game)
        if self._books.has_written(invitation_key(act.game, act.address)) or self._is_unwanted(act.address):
            return []
        if any(signup.address == act.address for signup in self._books.people.signups(act.game)):
            return []
        if offer is not None:
            return [self._seal(act, self._describe_offer(act, offer))]
        if position is None or not position.is_running:
            return []
        if any(chair.address == act.address for chair in position.chairs.values()):
            return []
        return [self._seal(act, self._describe_running_game(act, position))]

    def _describe_offer(self, act: Invite, offer: GameOffer) -> tuple[str, ...]:
        game = games.kinds()[offer.kind]
        _, state = set_up(
            game, offer.name, offer.options, bytes(32), EntryOrigin.first(self.now, "", bytes(32))
        )
        there = len(self._books.people.signups(offer.name))
        starts = None if offer.starts is None else format_instant(offer.starts, self.writer.office.zone)
        stands = sentence("secretary.invitations.waits", there=there, needed=offer.needed, starts=starts)
        terms = read_deadlines(offer.terms, self.writer.office.terms)
        return self._write_paragraphs(act, game, state, stands, terms, offer.early, offer.customs.anonymous)

    def _describe_running_game(self, act: Invite, position: GamePosition) -> tuple[str, ...]:
        game = games.kinds()[position.kind]
        free = self._books.people.vacancies(position.name)
        stands = sentence("secretary.invitations.runs", turn=game.rules.turn(position.state).name, free=free)
        anonymous = self._books.people.policy(position.name).anonymous
        terms = position.deadlines
        return self._write_paragraphs(act, game, position.state, stands, terms, position.early, anonymous)

    def _write_paragraphs(
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
            if isinstance(telling, SupportsIntroduction)
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

    def _seal(self, act: Invite, paragraphs: tuple[str, ...]) -> OutgoingMessage:
        mark = invitation_mark(self.writer.office.key, act.address, act.game)
        reader = caller_of(
            act.address, RequestContext(self._books, self.writer.office, self.now), act.game, mark
        )
        subject = sentence("secretary.invitations.subject", game=act.game)
        letter: LetterDraft = notice(
            reader, Heading(invitation_key(act.game, act.address), subject), paragraphs
        )
        return self.writer.seal(replace_fields(letter, leave=None), self.now)

    def _is_unwanted(self, address: str) -> bool:
        dead = self._books.bounces.is_disabled(address)
        return dead or self._books.has_written(refusal_key(address))

    def _is_ours(self, address: str) -> bool:
        return is_own(address, self.writer.office.address)

    @property
    def _books(self) -> Repository:
        return self.writer.books
