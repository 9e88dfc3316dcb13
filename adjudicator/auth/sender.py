"""Authentication: an email's seat, by its reply token, its password or its address.

The From line proves nothing. A rejection never says which part of it was wrong.

Some turns were processed after the backup of a restore, and players replied to them. Their tokens are
computed again for the generations in the game's restore mark and for turns that can follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import chain, product
from typing import NamedTuple

from adjudicator.auth.passwords import NOBODYS, is_correct
from adjudicator.clock import DAY, Millis
from adjudicator.context import ServiceContext
from adjudicator.messages import sentence
from adjudicator.model.addresses import (
    SenderClaim,
    claims,
    is_same_token,
    is_signer_for_domain,
    reply_token,
    short_seat_name,
    tagged_turns,
)
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import LATER_GENERATIONS, LetterOutcome, StoredLetter
from adjudicator.model.people import MOST_LOOKED_AT, NoteSignature
from adjudicator.model.repository import Repository
from games.protocol import Seat
from games.record import Value, replace_fields
from orders.mail.dkim_signatures import Signature, content_hash, covers_recipients, read_signatures
from orders.mail.headers import (
    Header,
    agreed_addresses,
    first,
    has_plain_headers,
    read_headers,
    sole_mailbox,
    split_message,
)
from orders.mail.letter import Letter, envelope_of

# Tokens from before a restore: the seat and the turn of an email with such a token.


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


BY_TOKEN, BY_PASSWORD = "token", "password"
"""The ways to authenticate a sender apart from `FROM`, as the settings name them."""

_MAX_VOID_GENERATIONS = 5
"""The number of revoked token generations that are recognised."""

BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS = "gamesmaster", "confirmed", "confirmed-press"
"""The ways for an email whose seat the GM has named, and for one that its writer confirms.

CONFIRMED_PRESS: its writer confirms only that it is press.
"""


class AuthenticatedSeat(Value, frozen=True):
    """The authenticated seat of an email. how: what authenticated it.

    stale: its token's turn, if that is over. later: the coming turn that it is for, in a game restored from a
    backup. generation: of a token that is revoked or from before a restore, 0 for any other.
    """

    position: GamePosition
    seat: Seat
    how: str
    stale: str | None = None
    later: str | None = None
    generation: int = 0

    @property
    def assignment(self) -> SeatAssignment:
        """Return the seat with its player."""
        return self.position.assignments[self.seat]


class RefusedClaim(NamedTuple):
    """A claim to a seat without proof. beyond: it came after too many others in the email.

    held: the suspended game, if the claim can't be checked now.
    """

    beyond: bool = False
    held: str = ""

    @property
    def why(self) -> str:
        """Return the sentence for the sender."""
        if self.beyond:
            return sentence("inbound.sender.not_looked_at", most=MOST_LOOKED_AT)
        if self.held:
            return sentence("inbound.sender.held", game=self.held)
        return sentence("inbound.sender.refused")


REFUSED = RefusedClaim()
NOT_CHECKED = RefusedClaim(beyond=True)


class IdentityProof(Value, frozen=True):
    """The evidence in an email about its sender, before a password is checked.

    token: the seat of its reply token. held: the seats of its From address, if that is authenticated.
    doubted: those seats, if the email is genuine but perhaps not meant for us. unsure: whether unreadable
    games may have more of them. changed_hands: the seat of its token, if the token is newer than a restored
    game knows and another player has the seat. known: whether the address has any seat. claimed: the email's
    claims without proof.
    """

    token: AuthenticatedSeat | None = None
    held: tuple[AuthenticatedSeat, ...] = ()
    known: bool = False
    claimed: tuple[SenderClaim, ...] = ()
    strict: bool = False
    unsure: bool = False
    changed_hands: AuthenticatedSeat | None = None
    doubted: tuple[AuthenticatedSeat, ...] = ()

    def without_doubt(self) -> IdentityProof:
        """Return what the email would prove if it was meant for us."""
        return replace_fields(self, held=self.doubted, doubted=()) if self.doubted else self

    def speaker(self) -> AuthenticatedSeat | None:
        """Return the seat without a SIGNON: the token's, otherwise the only one that the email can mean."""
        if self.token is not None:
            name, seat = self.token.position.name, self.token.seat
            agree = any((held.position.name, held.seat) == (name, seat) for held in self.held)
            return self.token if agree or not self.strict else None
        (meant, *others) = self._intended_seats() or (None,)
        return meant if not others and not self.strict else None

    def find_seat(self, game: str, seat: str) -> AuthenticatedSeat | None:
        """Return the seat with this name if it is proved without a password."""
        ways = self._proofs_of(game, seat)
        return ways[0] if len(ways) > self.strict else None

    def accept_password(self, seated: AuthenticatedSeat) -> AuthenticatedSeat | RefusedClaim:
        """Accept a seat whose password was given. If two ways must agree, the password alone isn't enough."""
        position = seated.position
        return seated if not self.strict or self._proofs_of(position.name, seated.seat) else REFUSED

    def _proofs_of(self, game: str, seat: str) -> list[AuthenticatedSeat]:
        proofs = [self.token, *self.held] if self.token else list(self.held)
        return [
            proof
            for proof in proofs
            if proof.position.name == game.lower() and short_seat_name(proof.seat) == short_seat_name(seat)
        ]

    def _intended_seats(self) -> tuple[AuthenticatedSeat, ...]:
        """Return the seats that the email claims, otherwise those of the games it names, otherwise all."""
        running = tuple(candidate for candidate in self.held if candidate.position.is_running)
        seats = {(claim.game, claim.seat) for claim in self.claimed}
        named = {claim.game for claim in self.claimed}
        exact = tuple(
            candidate
            for candidate in running
            if (candidate.position.name, short_seat_name(candidate.seat)) in seats
        )
        of_named = exact or tuple(candidate for candidate in running if candidate.position.name in named)
        return of_named or (() if self.unsure else running)


def prove_identity(
    letter: Letter, kept: StoredLetter, repository: Repository, service: ServiceContext
) -> IdentityProof:
    """Return the sender that an email proves.

    kept: with its bytes, for the checks of servers and signatures. A token from the address of another seat
    of the game comes from a forwarded email.
    """
    claimed = claims(letter.recipients, letter.subject, letter.thread)
    seats = repository.seats_of(letter.sender)
    hints = TurnHints(claimed, tagged_turns(letter.subject), kept.waited)
    token, changed_hands = authenticate_token(claimed, repository, service, hints), None
    if token is not None:
        here = [seat for game, seat in seats if game == token.position.name]
        token = token if not here or token.seat in here else None
    if token is not None and token.generation and letter.sender != token.assignment.address:
        mark = repository.restore_mark(token.position.name)
        if mark is not None and mark.is_newer(token.assignment, token.generation):
            token, changed_hands = None, token
    enough = token is not None and not service.strict and len(seats) < 2
    grade = Grade.UNPROVED if enough or not seats else authenticate(letter, kept, repository, service)
    positions = [] if grade is Grade.UNPROVED else [(repository.position(game), seat) for game, seat in seats]
    held = tuple(
        AuthenticatedSeat(position, seat, VERIFIED_FROM)
        for position, seat in positions
        if position is not None
    )
    unsure = 0 < len(held) < len(seats)
    proof = IdentityProof(token, held, bool(seats), claimed, service.strict, unsure, changed_hands)
    return replace_fields(proof, held=(), doubted=held) if grade is Grade.DOUBTFUL else proof


def authenticate_token(
    claims: Iterable[SenderClaim],
    repository: Repository,
    service: ServiceContext,
    dates: TurnHints | None = None,
) -> AuthenticatedSeat | None:
    """Return the seat of an email's reply token. A token of the current turn has priority.

    dates: the email's hints about its turn. In a game restored from a backup, a token for a coming turn has
    the first priority.
    """
    stale: AuthenticatedSeat | None = None
    of_backup: list[tuple[int, AuthenticatedSeat]] = []
    search = OlderTokenSearch(repository, service, dates or TurnHints())
    for claim in claims if "token" in service.accept else ():
        position = repository.position(claim.game)
        seat = position and find_seat_by_name(position, claim.seat)
        if not position or not seat or not claim.token or not position.assignments[seat].is_person:
            continue
        if repository.restore_mark(claim.game) is not None:
            if dates is None or claim in dates.checked_claims:
                of_backup += _match_backup_token(claim, position, seat, search)
            continue
        generation = position.assignments[seat].generation
        token_of_turn = partial(reply_token, service.key, position.name, seat, generation)
        present = position.game.rules.turn(position.state).short
        if is_same_token(token_of_turn(present), claim.token):
            return AuthenticatedSeat(position, seat, BY_TOKEN)
        earlier = reversed(repository.turns(claim.game))
        old = next((turn for turn in earlier if is_same_token(token_of_turn(turn), claim.token)), None)
        if old is not None:
            stale = stale or AuthenticatedSeat(position, seat, BY_TOKEN, stale=old)
    place, latest = max(of_backup, key=lambda token: token[0], default=(-1, None))
    return latest if place >= 0 else stale or latest


def _match_backup_token(
    claim: SenderClaim, position: GamePosition, seat: Seat, search: OlderTokenSearch
) -> tuple[tuple[int, AuthenticatedSeat], ...]:
    """Return the seat of a restored game whose token an email has, with its turn's place, or None."""
    token = search.find_token(claim, position, seat)
    if token is None:
        return ()
    generation = 0 if token.generation == position.assignments[seat].generation else token.generation
    later = token.turn if token.place > 0 else None
    stale = token.turn if token.place < 0 else None
    return ((token.place, AuthenticatedSeat(position, seat, BY_TOKEN, stale, later, generation)),)


def recognise_void_token(
    claims: Iterable[SenderClaim], address: str, repository: Repository, service: ServiceContext
) -> AuthenticatedSeat | None:
    """Return the address's seat whose revoked token is in an email."""
    for claim in claims:
        position = repository.position(claim.game)
        seat = position and find_seat_by_name(position, claim.seat)
        if not position or not seat or not claim.token or position.assignments[seat].address != address:
            continue
        mark, turns = repository.restore_mark(position.name), repository.turns(position.name)
        lately = _MAX_VOID_GENERATIONS if mark is None else _MAX_VOID_GENERATIONS + LATER_GENERATIONS + 1
        void = range(1, position.assignments[seat].generation)[-lately:]
        present = position.game.rules.turn(position.state).short
        issued_for = turns if mark is None else turns_with_tokens(turns, position)
        for generation, turn in product(void, issued_for):
            if is_same_token(reply_token(service.key, position.name, seat, generation, turn), claim.token):
                stale = turn if turn in turns and turn != present else None
                later = turn if turn not in turns else None
                return AuthenticatedSeat(position, seat, "void", stale, later, generation)
    return None


def date_speaker(speaker: AuthenticatedSeat, search: OlderTokenSearch) -> AuthenticatedSeat:
    """Return the sender with the coming turn that the email is for, in a game restored from a backup.

    A confirmed email is for the turn that is due, as our question said.
    """
    if speaker.how in (BY_TOKEN, BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS):
        return speaker
    later = search.turn_to_come(speaker.position, speaker.seat)
    return speaker if later is None else replace_fields(speaker, later=later)


def is_undated(speaker: AuthenticatedSeat, received: Millis, search: OlderTokenSearch) -> bool:
    """Return whether an email's turn is unknown: it came between a backup and its restore."""
    mark = search.repository.restore_mark(speaker.position.name)
    if (
        mark is None
        or speaker.how in (BY_TOKEN, BY_GAMESMASTER, BY_CONFIRMATION, CONFIRMED_PRESS)
        or not mark.made < received <= mark.restored
    ):
        return False
    return search.names_no_turn(speaker.position, speaker.seat)


class PasswordLock(NamedTuple):
    """The sealed password of a seat.

    seated None: no seat, or one without a player, so that no password matches.
    """

    seated: AuthenticatedSeat | None = None
    sealed: str = NOBODYS

    def opens(self, password: str) -> bool:
        """Return whether the password matches. This takes the same time for an unknown seat."""
        return is_correct(password, self.sealed) and self.seated is not None


def find_lock(game: str, seat_text: str, repository: Repository) -> PasswordLock:
    """Return the lock that the password after `SIGNON game seat` must match."""
    position = repository.position(game.lower())
    seat = position and find_seat_by_name(position, seat_text)
    assignment = position.assignments[seat] if position and seat else None
    if position is None or assignment is None or assignment.password is None or not assignment.is_person:
        return PasswordLock()
    return PasswordLock(AuthenticatedSeat(position, assignment.seat, BY_PASSWORD), assignment.password)


def find_seat_of_gamesmaster(game: str, seat_name: str, repository: Repository) -> AuthenticatedSeat | None:
    """Return the seat that the GM named for an email at the command line, or None."""
    position = repository.position(game)
    seat = position and find_seat_by_name(position, seat_name)
    return AuthenticatedSeat(position, seat, BY_GAMESMASTER) if position and seat else None


def find_seat_by_name(position: GamePosition, text: str) -> Seat | None:
    """Return the seat of a game by name, in any case."""
    wanted = short_seat_name(text)
    return next((seat for seat in position.assignments if short_seat_name(seat) == wanted), None)


# The receiving server's verdict on a sender: Authentication-Results (RFC 8601).
#
# Anyone can write such a header. Only the topmost one with the configured name is believed, because a server
# puts its own above all others and removes forged ones.
#
# A server repeats text in it that the sender chose: an address, the name of a signature, and in comments the
# greeting of another server (HELO). So a header that is ambiguous or contradicts itself is ignored.


_AUTHSERV_ID = re.compile(r"\s*([^\s;=]+)(?:\s+[\d.]+)?\s*\Z")
_METHOD_RESULT = re.compile(
    r"\s*([a-z][a-z0-9-]*)(?:\s*/\s*\d+)?\s*=\s*([a-z][^\s\"\\=]*)(?=\s|\Z)", re.IGNORECASE
)
_PROPERTY_VALUE = r"(?:[^\s\"\\]|\"(?:[^\"\\]|\\.)*+\")++"
_PROPERTY = re.compile(
    rf"\s*+(?:([a-z]+)\s*+\.\s*+([a-z0-9_-]+)\s*+=\s*+({_PROPERTY_VALUE})|{_PROPERTY_VALUE})(?=\s|\Z)",
    re.IGNORECASE,
)
_QUOTED_VALUE = re.compile(r'"((?:[^"\\]|\\.)*+)"')
_RESULTS_COMMENT = re.compile(r"\([^()]*+\)")


class MethodResult(NamedTuple):
    """One result: the method ("dmarc", "dkim"), its result, and its properties, as {"header.d": ...}."""

    method: str
    result: str
    about: Mapping[str, str]


def results_of(raw: bytes, authserv_id: str) -> tuple[MethodResult, ...]:
    """Return the results that the server with this name wrote into an email, or none."""
    for header in read_headers(split_message(raw)[0]):
        if header.name == "authentication-results":
            text = header.value.decode("utf-8", "replace")
            named = _AUTHSERV_ID.match(_RESULTS_COMMENT.sub(" ", text.partition(";")[0]))
            if named and named[1].lower() == authserv_id.lower():
                return _parse_results(text)
    return ()


def authenticates_domain(results: Sequence[MethodResult], domain: str) -> bool:
    """Return whether results show that an email is from a domain, by DMARC or by its signature.

    It may have been written to someone else.
    """
    policies = _dmarc_results(results)
    if policies:
        return _has_one_pass(policies, domain)
    return any(
        is_signer_for_domain(result.about.get("header.d") or result.about.get("header.i", ""), domain)
        for result in results
        if result.method == "dkim" and result.result == "pass"
    )


def is_sent_by(results: Sequence[MethodResult], address: str) -> bool:
    """Return whether an address's own server delivered an email from it, to us.

    DMARC passes, and so does SPF, for exactly this address as the envelope sender: someone who forwards an
    email has another envelope.
    """
    policies, checks = _dmarc_results(results), [result for result in results if result.method == "spf"]
    senders = [result.about["smtp.mailfrom"].lower() for result in results if "smtp.mailfrom" in result.about]
    handed_over = [result.result for result in checks] == ["pass"] and "smtp.mailfrom" in checks[0].about
    is_theirs = handed_over and set(senders) == {address}
    return is_theirs and bool(policies) and _has_one_pass(policies, address.rpartition("@")[2])


def passed_signatures(
    results: Sequence[MethodResult], signatures: Sequence[Signature | None], domain: str
) -> tuple[tuple[Signature, ...], ...]:
    """Return the email's signatures of a domain that may be the ones that passed, per result.

    A result that names only the domain may mean several signatures. Then each of them must cover the content,
    because anyone can add a similar one. Results that outnumber the signatures or contradict each other prove
    nothing.
    """
    checks = [check for check in results if check.method == "dkim" and check.result != "none"]
    policies = _dmarc_results(results)
    if len(checks) > len(signatures) or (policies and not _has_one_pass(policies, domain)):
        return ()
    known = [signature for signature in signatures if signature is not None]
    meant = [
        (check.result, tuple(signature for signature in known if _is_result_of(check, signature)))
        for check in checks
    ]
    denied = {group for result, group in meant if result != "pass" and len(group) == 1}
    return tuple(
        group
        for result, group in meant
        if result == "pass"
        and group
        and group not in denied
        and all(is_signer_for_domain(signature.domain, domain) for signature in group)
    )


def _is_result_of(check: MethodResult, signature: Signature) -> bool:
    """Return whether a result may be that of a signature, by all properties that identify it."""
    about = check.about
    signer = about.get("header.d") or about.get("header.i", "").rpartition("@")[2]
    named = signature.domain == signer.lower()
    if "header.d" not in about and signer:
        named = is_signer_for_domain(signature.domain, signer.lower())
    return (
        named
        and about.get("header.s", signature.selector).lower() == signature.selector
        and signature.value.startswith(about.get("header.b", ""))
    )


def _dmarc_results(results: Sequence[MethodResult]) -> list[MethodResult]:
    return [result for result in results if result.method == "dmarc" and result.result != "none"]


def _has_one_pass(policies: Sequence[MethodResult], domain: str) -> bool:
    passed = [
        policy.about.get("header.from", "").rpartition("@")[2].lower()
        for policy in policies
        if policy.result == "pass"
    ]
    return len(policies) == 1 and passed == [domain]


def _parse_results(text: str) -> tuple[MethodResult, ...]:
    """Return all results of a header, or none if it is ambiguous."""
    pieces = _split_pieces(text, quotes_in_comments=True)
    if pieces is None or pieces != _split_pieces(text, quotes_in_comments=False):
        return ()
    results = [_parse_result(piece) for piece in pieces[1:] if piece.strip()]
    known = [result for result in results if result is not None]
    # "none" alone states that there are no results (RFC 8601 §2.2).
    return tuple(known) if len(known) == len(results) else ()


def _split_pieces(text: str, *, quotes_in_comments: bool) -> list[str] | None:
    """Return the text without comments, split at the semicolons outside quotations.

    quotes_in_comments: whether a quotation in a comment can contain a bracket. The standard says no, but a
    server may repeat an address that has one. None if brackets or quotations don't match.
    """
    pieces, depth, quoted, at = [""], 0, False, 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            if not (quoted or depth):
                return None
            pieces[-1] += text[at : at + 2] if not depth else ""
            at += 2
            continue
        if char == '"' and (quotes_in_comments or not depth):
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                return None
            char = " "
        if depth == 0 and char == ";" and not quoted:
            pieces.append("")
        elif depth == 0:
            pieces[-1] += char
        at += 1
    return pieces if not quoted and not depth else None


def _parse_result(piece: str) -> MethodResult | None:
    """Return a result, or None for invalid text or a property given twice."""
    match = _METHOD_RESULT.match(piece)
    if match is None:
        return None
    about: dict[str, str] = {}
    at = match.end()
    while piece[at:].strip():
        word = _PROPERTY.match(piece, at)
        if word is None:
            return None
        if word[1]:
            whole = _QUOTED_VALUE.fullmatch(word[3])
            value = re.sub(r"\\(.)", r"\1", whole[1]) if whole else word[3]
            name = f"{word[1]}.{word[2]}".lower()
            if about.setdefault(name, value) != value:
                return None
        at = word.end()
    return MethodResult(match[1].lower(), match[2].lower(), about)


# Email authentication: did the From address write this email, to us, and recently?
#
# The From line alone proves nothing. A genuine email to someone else doesn't count either: players send each
# other orders all day, and anyone can forward them. So a From address is PROVED if its own server delivered
# the email to ours, or by a signature that covers the recipients, counts only once, and is from within days
# of the email's date. docs/security.md has the exact rule. A genuine email that fails the rest is DOUBTFUL.


VERIFIED_FROM = "verified-from"
"""The settings' name for an authenticated From address."""

MAX_SIGNED_EMAIL_AGE: Millis = 7 * DAY
MAX_SIGNED_EMAIL_LEAD: Millis = DAY
"""A signature counts if the email's date is within this time before or after its arrival."""


class Grade(Enum):
    """How strongly an email shows who wrote it."""

    PROVED = "proved"
    DOUBTFUL = "doubtful"
    UNPROVED = "unproved"


def authenticate(
    letter: Letter,
    kept: StoredLetter,
    repository: Repository,
    service: ServiceContext,
    also: Sequence[str] = (),
) -> Grade:
    """Return how strongly an email shows that its From address wrote it, to us.

    also: further addresses that are ours for this email, such as the list of a game.
    """
    raw = kept.raw.removeprefix(envelope_of(kept.raw))
    headers = read_headers(split_message(raw)[0])
    domain = letter.sender.rpartition("@")[2]
    results = results_of(raw, service.authserv_id) if service.authserv_id else ()
    is_signed = first(headers, "dkim-signature") is not None
    if VERIFIED_FROM not in service.accept or not domain or not (results or is_signed):
        return Grade.UNPROVED
    if not _names_one_sender(letter, raw, headers):
        return Grade.UNPROVED
    if is_sent_by(results, letter.sender):
        return Grade.PROVED
    written_to_us = (
        _is_addressed_to_us(headers, service, also)
        and is_dated_lately(letter, kept)
        and is_accepted_nowhere_else(kept, repository)
    )
    groups = passed_signatures(results, read_signatures(headers), domain)
    if written_to_us and any(
        all(covers_recipients(signature, headers) for signature in group) for group in groups
    ):
        return Grade.PROVED
    is_genuine = authenticates_domain(results, domain)
    if is_genuine and not written_to_us:
        return Grade.DOUBTFUL
    good = service.signed(raw, domain) if service.signed is not None and is_signed else ()
    if written_to_us and any(covers_recipients(signature, headers) for signature in good):
        return Grade.PROVED
    return Grade.DOUBTFUL if is_genuine or good else Grade.UNPROVED


def is_dated_lately(letter: Letter, kept: StoredLetter) -> bool:
    """Return whether an email is dated within days of its arrival."""
    return (
        letter.date is not None
        and -MAX_SIGNED_EMAIL_LEAD <= kept.received - letter.date <= MAX_SIGNED_EMAIL_AGE
    )


def is_accepted_nowhere_else(kept: StoredLetter, repository: Repository) -> bool:
    """Return whether signed content was accepted in no other email. The same email can come again."""
    return repository.accepted_in(content_hash(kept.raw)) in (None, kept.fingerprint)


def note_signature(
    kept: StoredLetter, handled: LetterOutcome, repository: Repository, now: Millis
) -> LetterOutcome:
    """Return the result for an email, and record that its signed content counts in no other.

    It is recorded even if something else than the signature authenticated the email, because a copy of it
    proves no more.
    """
    is_accepted = handled.disposition == "read" and (handled.seat is not None or handled.acts)
    if not is_accepted or first(read_headers(split_message(kept.raw)[0]), "dkim-signature") is None:
        return handled
    content = content_hash(kept.raw)
    if repository.accepted_in(content) is not None:
        return handled
    noted = NoteSignature(by=handled.speaker or "", content=content, letter=kept.fingerprint, at=now)
    return replace_fields(handled, acts=(*handled.acts, noted))


def _names_one_sender(letter: Letter, raw: bytes, headers: Sequence[Header]) -> bool:
    """Return whether every program reads the same sender in the header block."""
    senders = [header.value for header in headers if header.name == "from"]
    return has_plain_headers(raw) and len(senders) == 1 and sole_mailbox(senders[0]) == letter.sender


def _is_addressed_to_us(headers: Sequence[Header], service: ServiceContext, also: Sequence[str]) -> bool:
    """Return whether To or Cc contains our address, both to our header parser and to the standard one."""
    for header in headers:
        if header.name in ("to", "cc"):
            named = agreed_addresses(header.value)
            if any(service.is_ours(address) or address in also for address in named):
                return True
    return False
