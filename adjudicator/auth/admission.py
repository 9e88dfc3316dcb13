"""Admission to a table: who gets a seat at once, and who waits for the GM's consent, and why.

Nobody but the GM learns why somebody waits.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.deadline_status import TurnoutRecord, turnout_record
from adjudicator.model.games import GamePosition
from adjudicator.model.people import GameOffer, GamePolicy, PlayerBlock, Signup, TellGamesmaster
from adjudicator.model.repository import Repository
from games.record import Value

COUNTED_TURNS = 20
"""A player with fewer turns is a newcomer, whose record says little."""

MAX_NEWCOMERS = 2
"""The maximum number of newcomers at a table whose settings ask for reliable players."""

HoldReason = Literal["blocked", "unreliable", "newcomers"]


class SeatHold(Value, frozen=True):
    """Why a person waits for the GM's consent. percent: their share of turns with orders.

    wanted: the share that the game asks for. blocked_by: the player at the table who blocked them, or whom
    they blocked (`is_own`).
    """

    reason: HoldReason
    percent: int | None = None
    wanted: int = 0
    blocked_by: str = ""
    is_own: bool = False

    @property
    def text(self) -> str:
        """Return the reason in words, for the GM alone."""
        if self.reason == "blocked":
            return sentence("inbound.admission.blocked", address=self.blocked_by, is_own=self.is_own)
        if self.reason == "newcomers":
            return sentence("inbound.admission.newcomers", most=MAX_NEWCOMERS, turns=COUNTED_TURNS)
        return sentence("inbound.admission.unreliable", percent=self.percent, wanted=self.wanted)


class SortedSignups(NamedTuple):
    """The sign-ups for a game in their order: those that count, and those that wait for the GM's consent."""

    players: tuple[Signup, ...]
    held: tuple[tuple[Signup, SeatHold], ...]


class Admission(NamedTuple):
    """Decides who may sit at one table. now: the instant for which records are computed."""

    repository: Repository
    now: Millis

    def sort_signups(self, offer: GameOffer, signups: Iterable[Signup] | None = None) -> SortedSignups:
        """Sort the sign-ups for a game that is open for players. By default those in the database."""
        if signups is None:
            signups = self.repository.people.signups(offer.name)
        players: list[Signup] = []
        held: list[tuple[Signup, SeatHold]] = []
        for signup in signups:
            there = [player.address for player in players]
            hold = self.find_hold(offer.name, signup.address, there, offer.customs)
            if hold is None:
                players.append(signup)
            else:
                held.append((signup, hold))
        return SortedSignups(tuple(players), tuple(held))

    def find_hold_in(self, position: GamePosition, address: str) -> SeatHold | None:
        """Return why a person may take no seat of a running game, or None."""
        table = {seat.address for seat in position.assignments.values() if seat.address is not None}
        return self.find_hold(
            position.name, address, sorted(table), self.repository.people.policy(position.name)
        )

    def admitted_signups(self, position: GamePosition) -> tuple[Signup, ...]:
        """Return those on a running game's waiting list who may take a seat, in order."""
        signups = self.repository.people.signups(position.name)
        return tuple(signup for signup in signups if self.find_hold_in(position, signup.address) is None)

    def find_hold(
        self, game: str, address: str, table: Sequence[str], customs: GamePolicy
    ) -> SeatHold | None:
        """Return why a person may not sit at a table yet, or None. table: the addresses of the others."""
        others = [other for other in table if other != address]
        hold = None if customs.anonymous else self._find_block(address, others)
        if hold is None and customs.reliable:
            hold = self._check_record(address, others, customs.reliable)
        return None if hold is None or self.repository.people.is_admitted(game, address) else hold

    def are_apart(self, address: str, other: str) -> bool:
        """Return whether either of two people has blocked the other."""
        return self._find_block(address, (other,)) is not None

    def _find_block(self, address: str, others: Collection[str]) -> SeatHold | None:
        names_of = self.repository.people.names_of
        own, names = {block.address for block in self._blocks_in_force(address)}, names_of(address)
        for other in others:
            if any(block.address in names for block in self._blocks_in_force(other)):
                return SeatHold("blocked", blocked_by=other)
            if own.intersection(names_of(other)):
                return SeatHold("blocked", blocked_by=other, is_own=True)
        return None

    def _blocks_in_force(self, address: str) -> list[PlayerBlock]:
        """Return the blocks of a player without those of seats in anonymous games that still run.

        Those would show who plays the seat.
        """
        return [block for block in self.repository.people.blocks(address) if not self._is_secret(block)]

    def _is_secret(self, block: PlayerBlock) -> bool:
        if not block.game or not self.repository.people.policy(block.game).anonymous:
            return False
        position = self.repository.position(block.game)
        return position is not None and position.is_running

    def _check_record(self, address: str, others: Sequence[str], wanted: int) -> SeatHold | None:
        record = self._record_of(address)
        if record.turns >= COUNTED_TURNS:
            is_below = record.share is None or record.share * 100 < wanted - 1e-9
            return SeatHold("unreliable", percent=record.percent, wanted=wanted) if is_below else None
        newcomers = sum(self._record_of(other).turns < COUNTED_TURNS for other in others)
        return SeatHold("newcomers") if newcomers >= MAX_NEWCOMERS else None

    def _record_of(self, address: str) -> TurnoutRecord:
        turnouts = self.repository.people.turnouts(address).values()
        return turnout_record([mark for turnout in turnouts for mark in turnout.marks], self.now)


def ask_consent(game: str, address: str, hold: SeatHold) -> TellGamesmaster:
    """Return the email that asks the GM about a person who waits, once for each person and game."""
    return TellGamesmaster(
        by=address,
        key=f"{game}/waits-for-consent/{address}",
        subject=sentence("inbound.admission.subject", game=game),
        paragraphs=(
            sentence("inbound.admission.waits", address=address, game=game),
            hold.text,
            sentence("inbound.admission.how", address=address, game=game),
        ),
    )
