"""How clerk and referee ask the books. The store answers; in tests a dict does."""

from collections.abc import Collection, Sequence
from typing import Protocol

from adjudicator.clock import Millis
from adjudicator.ledger.letters import Kept
from adjudicator.ledger.positions import Entry, Founded, Position
from adjudicator.ledger.restore_marks import RestoreMark
from adjudicator.ledger.returns import Returns
from adjudicator.ledger.society import Society
from adjudicator.ledger.stuck import Stuck
from games.protocol import Seat


class Books(Protocol):
    """The read side of the books, as the clerk and the referee see it."""

    @property
    def society(self) -> Society:
        """The books of people."""

    @property
    def returns(self) -> Returns:
        """The books of letters that came back."""

    def position(self, game: str) -> Position | None:
        """A game as it stands, or None: there is none, or it cannot be read, as `stuck` says."""

    def stuck(self, game: str) -> Stuck | None:
        """Why a game cannot go on; None where it can, or where there is none."""

    def games(self) -> tuple[str, ...]:
        """The names of all games, in order."""

    def called(self, words: Collection[str]) -> frozenset[str]:
        """Those of some words that are the name of a game."""

    def running(self) -> tuple[str, ...]:
        """The names of those that are played, in order."""

    def names(self) -> frozenset[str]:
        """The names that no new game can have: of games, of those that wait for people, of deleted ones.

        Letters of a deleted game are in people's hands: what answers them must not speak for another game.
        """

    def log(self, game: str) -> Sequence[tuple[Entry, bytes]]:
        """The log of a game, each entry with the canonical bytes of the state after it; empty for no game."""

    def latest(self, game: str, count: int) -> Sequence[tuple[Entry, bytes]]:
        """The last entries of that log, so many or all there are; in its order, and as it tells them."""

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last."""

    def overrides(self, game: str) -> tuple[Entry, ...]:
        """What was done by hand since the last turn, the first first, as its entries in the log."""

    def restore_mark(self, game: str) -> RestoreMark | None:
        """The mark of a game that was restored from a backup; None where it never was."""

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Whether an email that came later than an instant has been read for a seat."""

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""

    def answers_since(self, address: str, since: Millis) -> int:
        """How many answers were written to an address since an instant."""

    def letters_since(self, address: str, since: Millis) -> int:
        """How many letters of an address were handled since an instant."""

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """When the last emails of an address that were read for a seat say that they were sent."""

    def begun_since(self, address: str, since: Millis) -> int:
        """How many games were begun by letters of an address since an instant."""

    def begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        """How many games were begun by letters since an instant. domain: by addresses of that one."""

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        """Whether a known player has an address of a domain.

        They hold a seat in a game that nobody of their domain began, or that was begun before an instant and
        has been played since.
        """

    def founded(self, address: str) -> tuple[Founded, ...]:
        """The running games that letters of an address began and in which it plays, by their names."""

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """The order sheets of all our emails to a seat since an instant, replies included, oldest first."""

    def is_ours(self, message_id: str) -> bool:
        """Whether a letter with that Message-ID was sent by us."""

    def key_of(self, message_id: str) -> str | None:
        """What names the letter of ours with that Message-ID; None if we sent no such letter."""

    def has_written(self, key: str) -> bool:
        """Whether a letter of ours has been written that this key names."""

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        """The Message-IDs of our emails for a seat that were sent, each with the instant."""

    def was_deleted(self, game: str) -> bool:
        """Whether a game of that name was deleted."""

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        """Whether an email for a seat of a game has been written to an address."""

    def accepted_in(self, content: str) -> str | None:
        """The fingerprint of the email in which signed content was accepted; None if it was in none."""

    def quarantined(self, fingerprint: str) -> Kept | None:
        """The email of that fingerprint, if it is quarantined and its bytes are still kept."""

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """How often a seat was asked since an instant about emails in its player's name."""

    def invited(self, since: Millis, game: str | None = None) -> int:
        """How many were invited since an instant, to a game or to any."""

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """The Message-IDs of our last reports to a seat, oldest first."""
