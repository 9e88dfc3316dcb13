"""Who speaks behind each SIGNON of a letter: whoever is proved already, or whose password fits.

Of what does not fit, nothing tells which half was wrong: neither the answer nor the time that it takes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from adjudicator.catalogue import sentence
from adjudicator.clerk.held import unless_held
from adjudicator.clerk.identity import BEYOND, REFUSED, Lock, Proof, Refused, Seated, lock_named
from adjudicator.clock import HOUR, Millis
from adjudicator.ledger.books import Books
from adjudicator.ledger.people_acts import NoteGuesses
from adjudicator.office import Desk, Office
from adjudicator.signs.addresses import short
from adjudicator.signs.guesses import (
    MOST_LOOKED_AT,
    NONE,
    Guesses,
    counting,
    is_resting,
    lock_of,
    missed,
)
from games.protocol import Seat
from games.record import Value
from orders.commands import Command

MOST_NAMED = 5
"""So many lines that were left out are named, for each reason."""


class Spoken(Value, frozen=True):
    """Who speaks in each section of a letter, in its order, and what is noted of guesses."""

    speakers: tuple[Seated | Refused | None, ...]
    noted: tuple[NoteGuesses, ...] = ()


def spoken(signons: Sequence[Command | None], proof: Proof, sender: str, desk: Desk) -> Spoken:
    """Who speaks in the sections that begin with these SIGNONs; None: one that begins without.

    proof: what the letter proves before any password is looked at.
    """
    porter = _Porter(desk.books, desk.office, sender, desk.now)
    speakers = tuple(proof.speaker() if one is None else porter.admits(one, proof) for one in signons)
    open_to = (unless_held(*one, proof, sender, desk.books) for one in zip(signons, speakers, strict=True))
    return Spoken(tuple(open_to), porter.noted)


def left_out(
    signons: Sequence[Command | None], speakers: Sequence[Seated | Refused | None]
) -> tuple[str, ...]:
    """A sentence for each reason why something that stands below a SIGNON was not read, naming the lines."""
    lines: dict[str, list[str]] = {}
    for signon, speaker in zip(signons, speakers, strict=True):
        if isinstance(speaker, Refused):
            line = signon.line if signon is not None else sentence("clerk.signons.without")
            lines.setdefault(speaker.why, []).append(line)
    return tuple(_left_out(found, why) for why, found in lines.items())


def _left_out(lines: Sequence[str], why: str) -> str:
    shown = list(dict.fromkeys(lines))
    return sentence(
        "clerk.signons.left_out",
        lines=shown[:MOST_NAMED],
        more=max(0, len(shown) - MOST_NAMED),
        times=len(lines) if len(shown) == 1 else 1,
        why=why,
    )


@dataclass
class _Porter:
    """Looks at the passwords of one letter, each once, and counts what does not fit.

    looked: what came of each; guesses: what is counted of each seat by now, before: what was on the books.
    """

    books: Books
    office: Office
    sender: str
    now: Millis
    looked: dict[tuple[str, str, str], Seated | Refused] = field(default_factory=dict)
    guesses: dict[tuple[str, Seat], Guesses] = field(default_factory=dict)
    before: dict[tuple[str, Seat], Guesses] = field(default_factory=dict)

    def admits(self, signon: Command, proof: Proof) -> Seated | Refused:
        """For whom the section behind a SIGNON speaks."""
        game, seat, *password = signon.args
        if (named := proof.named(game, seat)) is not None:
            return named
        if not password or "password" not in self.office.accept or self._writes_too_often:
            return REFUSED
        key = (game.lower(), short(seat), password[0])
        if key not in self.looked:
            if len(self.looked) >= MOST_LOOKED_AT:
                return BEYOND
            self.looked[key] = self._tried(lock_named(game, seat, self.books), password[0])
        found = self.looked[key]
        return proof.joined(found) if isinstance(found, Seated) else found

    @property
    def noted(self) -> tuple[NoteGuesses, ...]:
        """What is counted otherwise now than on the books."""
        changed = ((key, self.before[key], after) for key, after in self.guesses.items())
        return tuple(
            NoteGuesses(by=self.sender, game=game, seat=seat, before=before, after=after)
            for (game, seat), before, after in changed
            if before != after
        )

    def _tried(self, lock: Lock, password: str) -> Seated | Refused:
        # Before anything else: whether passwords rest, or there is no such seat, is not to be told by time.
        opens = lock.opens(password)
        if lock.seated is None:
            return REFUSED
        position, seat = lock.seated.position, lock.seated.seat
        key = (position.name, seat)
        if key not in self.before:
            self.before[key] = self.guesses[key] = self.books.society.guesses(*key)
        counted = counting(self.guesses[key], lock_of(lock.sealed), self.now)
        if is_resting(counted, self.now):
            return REFUSED
        self.guesses[key] = NONE if opens else missed(counted, self.now)
        return lock.seated if opens else REFUSED

    @cached_property
    def _writes_too_often(self) -> bool:
        return self.books.letters_since(self.sender, self.now - HOUR) > self.office.answers_an_hour
