"""Tokens from before a restore: the seat and the turn of an email that bears one.

Turns were played after the backup, and players answered them. Their tokens are computed again, for the
generations that the mark of the game names, and for turns that can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product

import games
from adjudicator.context import ServiceContext
from adjudicator.model.addresses import SenderClaim, is_same_token, reply_token, short_seat_name, tagged_turns
from adjudicator.model.games import GamePosition
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.protocol.optional import SupportsTurnNames
from games.record import Value
from orders.mail.letter import Letter

MAX_CHECKED_CLAIMS = 20
"""Of an email's claims so many are held against the tokens from before the restore."""

_token = reply_token.__wrapped__
"""Computed anew: of all the tokens that are tried hardly one is asked for again."""


class OlderToken(Value, frozen=True):
    """A token of a restored game. turn: the one that it was issued for; generation: of the seat's tokens.

    place: 0 where that turn is due now, above 0 where it is to come, the nearest first, below 0 where it is
    over.
    """

    turn: str
    generation: int
    place: int


class TurnHints(Value, frozen=True, dict=True):
    """An email's hints about its turn.

    claims: all that it says of its speaker; tags: as `tagged_turns`; waited: the turns for which it was
    kept, by game.
    """

    claims: Sequence[SenderClaim] = ()
    tags: Sequence[tuple[str, str]] = ()
    waited: Mapping[str, str] = {}

    @classmethod
    def of(cls, letter: Letter, claims: Sequence[SenderClaim], waited: Mapping[str, str]) -> TurnHints:
        """Return what an email says. waited: for which turns it was kept."""
        return cls(claims=claims, tags=tagged_turns(letter.subject), waited=waited)

    @property
    def checked_claims(self) -> Sequence[SenderClaim]:
        """The claims that are checked: the first, and those of our last emails in its thread."""
        half = MAX_CHECKED_CLAIMS // 2
        return (*self.claims[:half], *self.claims[half:][-half:])

    def named_turns(self, game: str) -> list[str]:
        """Return the turns of a game that it names, or was kept for."""
        return [turn for name, turn in (*self.waited.items(), *self.tags) if name == game]


class OlderTokenSearch(Value, frozen=True):
    """A search for tokens from before a restore. dates: of the email that bears them."""

    repository: Repository
    service_context: ServiceContext
    dates: TurnHints = TurnHints()

    def find_token(self, claim: SenderClaim, position: GamePosition, seat: Seat) -> OlderToken | None:
        """Return the token that an email claims a seat with, if it was ever issued to it; else None."""
        mark, game = self.repository.restore_mark(position.name), position.name
        if claim.token is None or mark is None:
            return None
        assignment, present = position.assignments[seat], _present(position)
        over = [turn for turn in self.repository.turns(game) if turn != present]
        coming = [turn for turn in coming_turns(position) if turn not in over]
        places = {present: 0, **{turn: place for place, turn in enumerate(coming, 1)}}
        older = tuple(reversed(mark.generations(assignment)))
        key = self.service_context.key
        issued = {
            # In the present generation none was issued for a turn to come.
            **_issued_tokens(key, game, seat, older, tuple(coming)),
            **_issued_tokens(key, game, seat, (assignment.generation, *older), (*over, present)),
        }
        match = issued.get(claim.token) or next(
            (
                (turn, generation)
                for turn, generation in product(self.dates.named_turns(game), older)
                if is_same_token(_token(key, game, seat, generation, turn), claim.token)
            ),
            None,
        )
        if match is None:
            return None
        turn, generation = match
        return OlderToken(turn=turn, generation=generation, place=places.get(turn, -1))

    def turn_to_come(self, position: GamePosition, seat: Seat) -> str | None:
        """Return the turn to come that an email to a restored game is for; None: it is for none.

        By a token of the seat, whether or not tokens authenticate; without one by a tag in the subject.
        """
        if self.repository.restore_mark(position.name) is None:
            return None
        tokens = list(self._tokens(position, seat))
        if tokens:
            latest = max(tokens, key=lambda token: token.place)
            return latest.turn if latest.place > 0 else None
        over = frozenset(self.repository.turns(position.name))
        coming = {turn.lower(): turn for turn in reversed(coming_turns(position)) if turn not in over}
        tags = (coming.get(turn.lower()) for game, turn in self.dates.tags if game == position.name)
        return next(filter(None, tags), None)

    def names_no_turn(self, position: GamePosition, seat: Seat) -> bool:
        """Return whether an email says of no turn of a game that it is for it."""
        return not self.dates.named_turns(position.name) and not any(self._tokens(position, seat))

    def _tokens(self, position: GamePosition, seat: Seat) -> Iterator[OlderToken]:
        for claim in self.dates.checked_claims:
            if claim.game == position.name and claim.seat == short_seat_name(seat):
                token = self.find_token(claim, position, seat)
                if token is not None:
                    yield token


@lru_cache(maxsize=64)
def _issued_tokens(
    key: bytes, game: str, seat: Seat, generations: tuple[int, ...], turns: tuple[str, ...]
) -> Mapping[str, tuple[str, int]]:
    """Return the tokens that a seat may have been sent, each with its turn and its generation.

    All claims of an email, and those of the next ones, are looked up in it: nobody makes us compute it
    again.
    """
    pairs = product(turns, generations)
    return {_token(key, game, seat, generation, turn): (turn, generation) for turn, generation in pairs}


def coming_turns(position: GamePosition) -> tuple[str, ...]:
    """Return the short names that turns to come may have, the nearest first; none in a game that is over."""
    if not position.is_running:
        return ()
    rules, state = games.kinds()[position.kind].rules, position.state
    named = rules.turn_names(state) if isinstance(rules, SupportsTurnNames) else ()
    names = dict.fromkeys(chain((turn.short for turn in rules.ahead(state)), named))
    names.pop(rules.turn(state).short, None)
    return tuple(names)


def turns_with_tokens(played: Iterable[str], position: GamePosition) -> tuple[str, ...]:
    """Return the turns for which players of a restored game may hold tokens from before the restore."""
    return tuple(dict.fromkeys((*played, *coming_turns(position))))


def takes_orders_ahead(position: GamePosition, turn: str) -> bool:
    """Return whether orders can be filed now for a turn to come."""
    rules, state = games.kinds()[position.kind].rules, position.state
    return turn in {coming.short for coming in rules.ahead(state)[1:]}


def turn_name(position: GamePosition, turn: str) -> str:
    """Return what a turn to come is called, as far as that is known: else its short name."""
    rules, state = games.kinds()[position.kind].rules, position.state
    return next((coming.name for coming in rules.ahead(state) if coming.short == turn), turn)


def _present(position: GamePosition) -> str:
    return games.kinds()[position.kind].rules.turn(position.state).short
