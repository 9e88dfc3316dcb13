"""Emails to a game that was restored from a backup: for which turn each is, by tokens from before that.

Turns were played after the backup, and players answered them. Their tokens are computed again, for the
generations that the mark of the game names, and for turns that can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product

import games
from adjudicator.ledger.books import Books
from adjudicator.ledger.positions import Position
from adjudicator.ledger.restored import Restored
from adjudicator.office import Office
from adjudicator.signs.addresses import Claim, reply_token, same, short, tagged_turns
from games.protocol import Seat
from games.protocol.optional import TurnNaming
from games.record import Value
from orders.letters.letter import Letter

MAX_CLAIMS = 20
"""Of an email's claims so many are held against the tokens from before the restore: each costs work."""

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


class Dates(Value, frozen=True, dict=True):
    """What an email says about its turn. claims: all that it says of its speaker; tags: `tagged_turns`.

    waited: the turns for which it was kept, by game.
    """

    claims: Sequence[Claim] = ()
    tags: Sequence[tuple[str, str]] = ()
    waited: Mapping[str, str] = {}

    @classmethod
    def of(cls, letter: Letter, claims: Sequence[Claim], waited: Mapping[str, str]) -> Dates:
        """Return what an email says. waited: for which turns it was kept."""
        return cls(claims=claims, tags=tagged_turns(letter.subject), waited=waited)

    @property
    def looked_at(self) -> Sequence[Claim]:
        """The claims that are looked at: the first, and those of our last emails in its thread."""
        half = MAX_CLAIMS // 2
        return (*self.claims[:half], *self.claims[half:][-half:])


UNDATED = Dates()
"""Of an email of which only the claims are known."""


def coming_turns(position: Position) -> tuple[str, ...]:
    """Return the short names that turns to come may have, the nearest first; none in a game that is over."""
    if not position.running:
        return ()
    rules, state = games.kinds()[position.kind].rules, position.state
    names = rules.turn_names(state) if isinstance(rules, TurnNaming) else ()
    found = dict.fromkeys(chain((turn.short for turn in rules.ahead(state)), names))
    found.pop(rules.turn(state).short, None)
    return tuple(found)


def takes_orders_ahead(position: Position, turn: str) -> bool:
    """Return whether orders can be filed now for a turn to come."""
    rules, state = games.kinds()[position.kind].rules, position.state
    return turn in {one.short for one in rules.ahead(state)[1:]}


def older_token(
    claim: Claim, position: Position, seat: Seat, mark: Restored, dates: Dates, books: Books, office: Office
) -> OlderToken | None:
    """Return the token that an email claims a seat with, if it was ever issued to it; else None."""
    if claim.token is None:
        return None
    chair, present = position.chairs[seat], _present(position)
    over = [turn for turn in books.turns(position.name) if turn != present]
    coming = [turn for turn in coming_turns(position) if turn not in over]
    places = {present: 0, **{turn: place for place, turn in enumerate(coming, 1)}}
    older = tuple(reversed(mark.generations(chair)))
    named = [turn for game, turn in (*dates.waited.items(), *dates.tags) if game == position.name]
    issued = {
        **_issued(office.key, position.name, seat, older, tuple(coming)),
        **_issued(office.key, position.name, seat, (chair.generation, *older), (*over, present)),
    }
    found = issued.get(claim.token) or next(
        (
            (turn, generation)
            for turn in named
            for generation in older
            if same(_token(office.key, position.name, seat, generation, turn), claim.token)
        ),
        None,
    )
    return found and OlderToken(turn=found[0], generation=found[1], place=places.get(found[0], -1))


@lru_cache(maxsize=64)
def _issued(
    key: bytes, game: str, seat: Seat, generations: tuple[int, ...], turns: tuple[str, ...]
) -> Mapping[str, tuple[str, int]]:
    """The tokens that a seat may have been sent, each with its turn and its generation.

    All claims of an email, and those of the next ones, are looked up in it: nobody makes us compute it anew.
    Of a turn to come none was sent in the present generation.
    """
    pairs = product(turns, generations)
    return {_token(key, game, seat, generation, turn): (turn, generation) for turn, generation in pairs}


def turn_to_come(position: Position, seat: Seat, dates: Dates, books: Books, office: Office) -> str | None:
    """Return the turn to come that an email to a restored game is for; None: it is for none.

    By a token of the seat, whether or not tokens authenticate; without one by a tag in the subject.
    """
    mark = books.restored(position.name)
    if mark is None:
        return None
    found = list(_tokens(position, seat, mark, dates, books, office))
    if found:
        latest = max(found, key=lambda one: one.place)
        return latest.turn if latest.place > 0 else None
    over = frozenset(books.turns(position.name))
    coming = {turn.lower(): turn for turn in reversed(coming_turns(position)) if turn not in over}
    tags = (coming.get(turn.lower()) for game, turn in dates.tags if game == position.name)
    return next(filter(None, tags), None)


def _tokens(
    position: Position, seat: Seat, mark: Restored, dates: Dates, books: Books, office: Office
) -> Iterator[OlderToken]:
    for claim in dates.looked_at:
        if claim.game == position.name and claim.seat == short(seat):
            found = older_token(claim, position, seat, mark, dates, books, office)
            if found is not None:
                yield found


def turns_with_tokens(played: Iterable[str], position: Position) -> tuple[str, ...]:
    """Return the turns for which players of a restored game may hold tokens from before the restore."""
    return tuple(dict.fromkeys((*played, *coming_turns(position))))


def _present(position: Position) -> str:
    return games.kinds()[position.kind].rules.turn(position.state).short


def turn_name(position: Position, turn: str) -> str:
    """Return what a turn to come is called, as far as that is known: else its short name."""
    rules, state = games.kinds()[position.kind].rules, position.state
    return next((one.name for one in rules.ahead(state) if one.short == turn), turn)
