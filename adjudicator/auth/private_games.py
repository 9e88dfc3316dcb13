"""Private games: who may know that a game exists, and the word that lets new players in.

To everyone else a game with listed=no is a name that no game has. Whatever a stranger sends, the reply is the
same, and takes the same time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from adjudicator.auth.correspondents import request_mark
from adjudicator.auth.passwords import NOBODYS, is_correct, is_sealed, seal
from adjudicator.config.terms import read_policy
from adjudicator.context import RequestContext
from adjudicator.model.games import GamePosition, Suspension
from adjudicator.model.people import (
    JOIN_WORD,
    NO_GUESSES,
    GameOffer,
    GamePolicy,
    NoteGuesses,
    count_miss,
    counted_guesses,
    invitation_key,
    is_resting,
    lock_name,
)
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import replace_fields

NO_GAME = ""
"""A name that no game has."""


@dataclass(frozen=True)
class VisibleGames:
    """The games that a person may know of: those for all, and those that they have something to do with.

    own: the game of the seat that an email speaks for.
    """

    repository: Repository
    address: str
    own: str | None = None

    def position(self, name: str) -> GamePosition | None:
        """Return a game's state as `Repository.position` does; None for one of others."""
        return self.repository.position(self._as_known(name))

    def suspension(self, name: str) -> Suspension | None:
        """Return why a game can't continue as `Repository.suspension` does; None for one of others."""
        return self.repository.suspension(self._as_known(name))

    def games(self) -> tuple[str, ...]:
        """Return the names of all these games, sorted."""
        return self._keep_known(self.repository.games())

    def running_games(self) -> tuple[str, ...]:
        """Return the names of the running ones, sorted."""
        return self._keep_known(self.repository.running_games())

    def offers(self) -> tuple[GameOffer, ...]:
        """Return those that are open for players, by name."""
        return tuple(
            offer
            for offer in self.repository.people.offers()
            if offer.customs.listed != "no" or self._has_to_do_with(offer.name)
        )

    def offer(self, name: str) -> GameOffer | None:
        """Return the one with this name that is open for players, or None."""
        offer, may_know = self.repository.people.offer(name), self._has_to_do_with(name)
        return offer if offer is not None and (may_know or offer.customs.listed != "no") else None

    def vacant_seats(self) -> Mapping[str, tuple[Seat, ...]]:
        """Return the open seats of those that have any, by game."""
        vacant = self.repository.people.vacant_seats()
        return {name: vacant[name] for name in self._keep_known(tuple(vacant))}

    def is_invited(self, name: str) -> bool:
        """Return whether somebody of the game has asked them to join it."""
        return self.repository.has_written(invitation_key(name, self.address))

    def _keep_known(self, names: tuple[str, ...]) -> tuple[str, ...]:
        private = self.repository.people.private_games()
        return tuple(name for name in names if name not in private or self._has_to_do_with(name))

    def _as_known(self, name: str) -> str:
        """Return the name, or for a private game of others one that no game has.

        A name that no game has is looked up in the same way, so that the time doesn't tell them apart.
        """
        may_know = self._has_to_do_with(name)
        return name if may_know or self.repository.people.policy(name).listed != "no" else NO_GAME

    def _has_to_do_with(self, name: str) -> bool:
        people = self.repository.people
        return (
            name == self.own
            or any(game == name for game, _ in self.repository.seats_of(self.address))
            or any(signup.game == name for signup in people.signed_up(self.address))
            or self.address in people.observers(name)
            or self.is_invited(name)
        )


# The word of a game: `JOIN fox PASSWORD word`.


class WordCheck(NamedTuple):
    """The result for a word. proof: what stands for it from this sender, "" if it is wrong.

    noted: the counted guesses if they have changed.
    """

    proof: str = ""
    noted: NoteGuesses | None = None


def read_customs(given: Mapping[str, str], base: GamePolicy) -> GamePolicy:
    """Return the policy from texts as `read_policy` does, with the word sealed."""
    customs = read_policy(given, base)
    if not customs.word or is_sealed(customs.word):
        return customs
    return replace_fields(customs, word=seal(customs.word))


def check_word(
    game: str, word: str, sender: str, context: RequestContext, counted: Sequence[NoteGuesses] = ()
) -> WordCheck:
    """Return whether a word lets its sender into a game. Wrong ones are counted as those for seats are.

    The proof of a right word counts as the word, from this sender. counted: the guesses that the email has
    made so far. The time is the same whether or not there is such a game, it has a word, or guessing waits.
    """
    people = context.repository.people
    offer = people.offer(game)
    sealed = (offer.customs if offer is not None else people.policy(game)).word
    stored = people.guesses(game, JOIN_WORD)
    before = next((noted.after for noted in reversed(counted) if noted.game == game), stored)
    opens = is_correct(word, sealed or NOBODYS)
    proof = request_mark(context.service_context.key, sender, ("?WORD", game, sealed))
    if not sealed or word == proof:
        return WordCheck(proof if sealed else "")
    now = counted_guesses(before, lock_name(sealed), context.now)
    if is_resting(now, context.now):
        return WordCheck()
    after = NO_GUESSES if opens else count_miss(now, context.now)
    noted = NoteGuesses(by=sender, game=game, seat=JOIN_WORD, before=before, after=after)
    return WordCheck(proof if opens else "", noted if after != before else None)
