"""Tokens from before a restore: finding the seat and the turn of an email with such a token.

Some turns were processed after the backup, and players replied to them. Their tokens are computed again for
the generations in the game's restore mark and for turns that can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product

from adjudicator.context import ServiceContext
from adjudicator.model.addresses import SenderClaim, is_same_token, reply_token, short_seat_name
from adjudicator.model.games import GamePosition
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import Value

MAX_CHECKED_CLAIMS = 20
"""The maximum number of an email's claims that are checked against tokens from before the restore."""

_token = reply_token.__wrapped__
"""Not cached: most of the tokens that are tried are never needed again."""


class OlderToken(Value, frozen=True):
    """A token of a restored game. turn: its turn. generation: of the seat's tokens.

    place: 0 if the turn is due now, above 0 for coming turns (the nearest first), below 0 if it is over.
    """

    turn: str
    generation: int
    place: int


class TurnHints(Value, frozen=True, dict=True):
    """An email's hints about its turn.

    claims: everything that it says about its sender. tags: of its subject, as in `tagged_turns`. waited: the
    turns that it waited for, by game.
    """

    claims: Sequence[SenderClaim] = ()
    tags: Sequence[tuple[str, str]] = ()
    waited: Mapping[str, str] = {}

    @property
    def checked_claims(self) -> Sequence[SenderClaim]:
        """Return the claims to check: the first one, and those of our last emails in its thread."""
        half = MAX_CHECKED_CLAIMS // 2
        return (*self.claims[:half], *self.claims[half:][-half:])

    def named_turns(self, game: str) -> list[str]:
        """Return the turns of a game that the email names or waited for."""
        return [turn for name, turn in (*self.waited.items(), *self.tags) if name == game]


class OlderTokenSearch(Value, frozen=True):
    """A search for tokens from before a restore. dates: of the email that bears them."""

    repository: Repository
    service_context: ServiceContext
    dates: TurnHints = TurnHints()

    def find_token(self, claim: SenderClaim, position: GamePosition, seat: Seat) -> OlderToken | None:
        """Return the token that an email claims a seat with, if the seat ever had it, otherwise None."""
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
            # The current generation has no tokens of coming turns.
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
        """Return the coming turn of a restored game that an email is for, or None.

        The turn comes from a token of the seat, even if tokens don't authenticate, otherwise from a tag in
        the subject.
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
        """Return whether an email names no turn of a game."""
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
    """Return the tokens that a seat may have had, each with its turn and its generation.

    The table is computed once and used for all claims of this and later emails, so nobody can make us compute
    it again.
    """
    pairs = product(turns, generations)
    return {_token(key, game, seat, generation, turn): (turn, generation) for turn, generation in pairs}


def coming_turns(position: GamePosition) -> tuple[str, ...]:
    """Return the possible short names of coming turns, the nearest first; none if the game is over."""
    if not position.is_running:
        return ()
    rules, state = position.game.rules, position.state
    names = dict.fromkeys(chain((turn.short for turn in rules.ahead(state)), rules.turn_names(state)))
    names.pop(rules.turn(state).short, None)
    return tuple(names)


def turns_with_tokens(played: Iterable[str], position: GamePosition) -> tuple[str, ...]:
    """Return the turns for which players of a restored game may have tokens from before the restore."""
    return tuple(dict.fromkeys((*played, *coming_turns(position))))


def takes_orders_ahead(position: GamePosition, turn: str) -> bool:
    """Return whether orders for a coming turn can be saved now."""
    rules, state = position.game.rules, position.state
    return turn in {coming.short for coming in rules.ahead(state)[1:]}


def turn_name(position: GamePosition, turn: str) -> str:
    """Return the full name of a coming turn if it is known, otherwise its short name."""
    rules, state = position.game.rules, position.state
    return next((coming.name for coming in rules.ahead(state) if coming.short == turn), turn)


def _present(position: GamePosition) -> str:
    return position.game.rules.turn(position.state).short
