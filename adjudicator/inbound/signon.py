"""The speaker behind each SIGNON of an email, authenticated already or by a correct password.

If a SIGNON fails, neither the reply nor its timing reveals which part was wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from adjudicator.auth.sender import (
    NOT_CHECKED,
    REFUSED,
    AuthenticatedSeat,
    IdentityProof,
    PasswordLock,
    RefusedClaim,
    find_lock,
)
from adjudicator.clock import HOUR, Millis
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.inbound.postponed_letters import refuse_if_suspended
from adjudicator.messages import sentence
from adjudicator.model.addresses import short_seat_name
from adjudicator.model.people import (
    MOST_LOOKED_AT,
    NO_GUESSES,
    Guesses,
    NoteGuesses,
    count_miss,
    counted_guesses,
    is_resting,
    lock_name,
)
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import Value
from orders.commands import Command

MAX_LEFT_OUT_LINES_NAMED = 5
"""So many lines that were left out are named, for each reason."""


class SectionSpeakers(Value, frozen=True):
    """The speaker of each section of an email, in order, and the failed attempts to note."""

    speakers: tuple[AuthenticatedSeat | RefusedClaim | None, ...]
    noted: tuple[NoteGuesses, ...] = ()


def find_speakers(
    signons: Sequence[Command | None], proof: IdentityProof, sender: str, context: RequestContext
) -> SectionSpeakers:
    """Return the speakers of the sections that begin with these SIGNONs. None: a section without one.

    proof: what authenticates the email apart from passwords.
    """
    checker = _PasswordChecker(context.repository, context.service_context, sender, context.now)
    speakers = tuple(
        proof.speaker() if signon is None else checker.authenticate(signon, proof) for signon in signons
    )
    open_to = (
        refuse_if_suspended(*pair, proof, sender, context.repository)
        for pair in zip(signons, speakers, strict=True)
    )
    noted = tuple(
        NoteGuesses(by=sender, game=game, seat=seat, before=checker.before[game, seat], after=after)
        for (game, seat), after in checker.guesses.items()
        if after != checker.before[game, seat]
    )
    return SectionSpeakers(tuple(open_to), noted)


def explain_left_out(
    signons: Sequence[Command | None], speakers: Sequence[AuthenticatedSeat | RefusedClaim | None]
) -> tuple[str, ...]:
    """Return a sentence for each reason why lines after a SIGNON were not read, naming the lines."""
    lines: dict[str, list[str]] = {}
    for signon, speaker in zip(signons, speakers, strict=True):
        if isinstance(speaker, RefusedClaim):
            line = signon.line if signon is not None else sentence("inbound.signon.without")
            lines.setdefault(speaker.why, []).append(line)
    return tuple(_left_out(refused_lines, why) for why, refused_lines in lines.items())


def _left_out(lines: Sequence[str], why: str) -> str:
    shown = list(dict.fromkeys(lines))
    named = ", ".join(shown[:MAX_LEFT_OUT_LINES_NAMED])
    if len(shown) > MAX_LEFT_OUT_LINES_NAMED:
        more = len(shown) - MAX_LEFT_OUT_LINES_NAMED
        return sentence("inbound.signon.left_out_and_more", lines=named, more=more, why=why)
    if len(shown) == 1 < len(lines):
        return sentence("inbound.signon.left_out_often", lines=named, times=len(lines), why=why)
    return sentence("inbound.signon.left_out", lines=named, why=why)


@dataclass
class _PasswordChecker:
    """Checks each password of an email once, and counts wrong ones.

    looked: the results. guesses: the counts of each seat now. before: those in the database.
    """

    repository: Repository
    service_context: ServiceContext
    sender: str
    now: Millis
    looked: dict[tuple[str, str, str], AuthenticatedSeat | RefusedClaim] = field(default_factory=dict)
    guesses: dict[tuple[str, Seat], Guesses] = field(default_factory=dict)
    before: dict[tuple[str, Seat], Guesses] = field(default_factory=dict)

    def authenticate(self, signon: Command, proof: IdentityProof) -> AuthenticatedSeat | RefusedClaim:
        """Return the seat that the section after a SIGNON speaks for, or a refusal."""
        game, seat, *password = signon.args
        if (named := proof.find_seat(game, seat)) is not None:
            return named
        if not password or "password" not in self.service_context.accept or self._writes_too_often:
            return REFUSED
        key = (game.lower(), short_seat_name(seat), password[0])
        if key not in self.looked:
            if len(self.looked) >= MOST_LOOKED_AT:
                return NOT_CHECKED
            self.looked[key] = self._try_password(find_lock(game, seat, self.repository), password[0])
        speaker = self.looked[key]
        return proof.accept_password(speaker) if isinstance(speaker, AuthenticatedSeat) else speaker

    def _try_password(self, lock: PasswordLock, password: str) -> AuthenticatedSeat | RefusedClaim:
        # The password is always tried first. So timing doesn't reveal if the seat exists or is blocked.
        opens = lock.opens(password)
        if lock.seated is None:
            return REFUSED
        position, seat = lock.seated.position, lock.seated.seat
        key = (position.name, seat)
        if key not in self.before:
            self.before[key] = self.guesses[key] = self.repository.people.guesses(*key)
        counted = counted_guesses(self.guesses[key], lock_name(lock.sealed), self.now)
        if is_resting(counted, self.now):
            return REFUSED
        self.guesses[key] = NO_GUESSES if opens else count_miss(counted, self.now)
        return lock.seated if opens else REFUSED

    @cached_property
    def _writes_too_often(self) -> bool:
        return (
            self.repository.letters_since(self.sender, self.now - HOUR) > self.service_context.answers_an_hour
        )
