"""The database queries for emails and turns. `storage.queries` implements them; tests use a dictionary."""

from collections.abc import Collection, Sequence
from typing import Protocol

from adjudicator.clock import Millis
from adjudicator.model.games import FoundedGame, GamePosition, LogEntry, Suspension
from adjudicator.model.mail import BounceRepository, RestoreMark, StoredLetter
from adjudicator.model.people import PeopleRepository
from games.protocol import Seat


class Repository(Protocol):
    """The read side of the database for incoming emails and turns."""

    @property
    def people(self) -> PeopleRepository:
        """Return the queries about people."""

    @property
    def bounces(self) -> BounceRepository:
        """Return the queries about undeliverable emails."""

    def position(self, game: str) -> GamePosition | None:
        """Return a game's current state, or None if it doesn't exist or can't be read (see its
        suspension)."""

    def suspension(self, game: str) -> Suspension | None:
        """Return the reason why a game can't continue. None if it can, or if it doesn't exist."""

    def games(self) -> tuple[str, ...]:
        """Return the names of all games, sorted."""

    def existing_games(self, words: Collection[str]) -> frozenset[str]:
        """Return the words that are the name of a game."""

    def running_games(self) -> tuple[str, ...]:
        """Return the names of the running games, sorted."""

    def names(self) -> frozenset[str]:
        """Return the names that no new game can have: of games, open games and deleted games.

        Players still have emails of a deleted game, and replies to them must not act in another game.
        """

    def log(self, game: str) -> Sequence[tuple[LogEntry, bytes]]:
        """Return the log of a game, each entry with the canonical bytes of the state after it.

        It is empty if the game doesn't exist.
        """

    def latest(self, game: str, count: int) -> Sequence[tuple[LogEntry, bytes]]:
        """Return up to this many last entries of the log, in the order of the log."""

    def turns(self, game: str) -> tuple[str, ...]:
        """Return the short names of a game's turns, oldest first, the current one last."""

    def overrides(self, game: str) -> tuple[LogEntry, ...]:
        """Return the GM's overrides since the last turn, oldest first, as log entries."""

    def restore_mark(self, game: str) -> RestoreMark | None:
        """Return the restore mark of a game, or None if it was never restored."""

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Return whether an email that came later than an instant has been read for a seat."""

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """Return the seats that an address has, as (game, seat), sorted."""

    def replies_since(self, address: str, since: Millis) -> int:
        """Return the number of replies that were written to an address since an instant."""

    def letters_since(self, address: str, since: Millis) -> int:
        """Return the number of emails from an address that were processed since an instant."""

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """Return the dates in the latest emails from an address that were read for a seat."""

    def games_begun_since(self, address: str, since: Millis) -> int:
        """Return the number of games that emails from an address began since an instant."""

    def games_begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        """Return the number of games that emails began since an instant. domain: only from its addresses."""

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        """Return whether a known player has an address in this domain.

        This player has a seat in a game that was begun from another domain, or before an instant and has been
        played since.
        """

    def founded_games(self, address: str) -> tuple[FoundedGame, ...]:
        """Return the running games that an address began and plays in, sorted by name."""

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """Return the order sheet in one of our emails, line by line, or None if we didn't send it."""

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """Return the order sheets in our emails to a seat since an instant, including replies, oldest
        first."""

    def is_ours(self, message_id: str) -> bool:
        """Return whether we sent an email with this Message-ID."""

    def key_of(self, message_id: str) -> str | None:
        """Return the key of our email with this Message-ID, or None if we didn't send it."""

    def email_number(self, game: str, seat: Seat, received: Millis) -> int | None:
        """Return the number of the email that was read for a seat and received at an instant, or None."""

    def has_written(self, key: str) -> bool:
        """Return whether an email with this key has been written."""

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        """Return the Message-IDs of our emails to a seat that were sent, each with its time."""

    def was_deleted(self, game: str) -> bool:
        """Return whether a game with this name was deleted that strangers knew of."""

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether an email for a seat of a game has been written to an address."""

    def accepted_in(self, content: str) -> str | None:
        """Return the fingerprint of the email that signed content was accepted in, or None."""

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        """Return the email with this fingerprint, if it is quarantined and its bytes are still stored."""

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """Return how often a seat was asked since an instant about emails in its player's name."""

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        """Return the number of invitations since an instant, to a game or to any."""

    def invited_addresses(self, game: str) -> tuple[str, ...]:
        """Return the addresses that were invited to a game, in the order of their invitations."""

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """Return the Message-IDs of our latest reports to a seat, oldest first."""
