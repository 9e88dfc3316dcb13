"""The queries that letters and turns ask of the database. `store` implements them; in tests a dict does."""

from collections.abc import Collection, Sequence
from typing import Protocol

from adjudicator.clock import Millis
from adjudicator.model.games import FoundedGame, GamePosition, LogEntry, Suspension
from adjudicator.model.mail import BounceRepository, RestoreMark, StoredLetter
from adjudicator.model.people import PeopleRepository
from games.protocol import Seat


class Repository(Protocol):
    """The read side of the database, as inbound letters and turns see it."""

    @property
    def people(self) -> PeopleRepository:
        """Return the queries about people."""

    @property
    def bounces(self) -> BounceRepository:
        """Return the queries about letters that bounced."""

    def position(self, game: str) -> GamePosition | None:
        """Return a game as it stands; None if there is none, or if it cannot be read (see its suspension)."""

    def suspension(self, game: str) -> Suspension | None:
        """Return the reason why a game cannot go on; None if it can, or if there is no such game."""

    def games(self) -> tuple[str, ...]:
        """The names of all games, in order."""

    def existing_games(self, words: Collection[str]) -> frozenset[str]:
        """Return those of some words that are the name of a game."""

    def running_games(self) -> tuple[str, ...]:
        """Return the names of the running games, in order."""

    def names(self) -> frozenset[str]:
        """The names that no new game can have: of games, of those that wait for people, of deleted ones.

        Letters of a deleted game are in people's hands: what answers them must not speak for another game.
        """

    def log(self, game: str) -> Sequence[tuple[LogEntry, bytes]]:
        """The log of a game, each entry with the canonical bytes of the state after it; empty for no game."""

    def latest(self, game: str, count: int) -> Sequence[tuple[LogEntry, bytes]]:
        """The last entries of that log, so many or all there are; in its order, and as it tells them."""

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last."""

    def overrides(self, game: str) -> tuple[LogEntry, ...]:
        """Return the overrides by the GM since the last turn, oldest first, as their entries in the log."""

    def restore_mark(self, game: str) -> RestoreMark | None:
        """The mark of a game that was restored from a backup; None where it never was."""

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Return whether an email that came later than an instant has been read for a seat."""

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""

    def replies_since(self, address: str, since: Millis) -> int:
        """Return the number of replies that were written to an address since an instant."""

    def letters_since(self, address: str, since: Millis) -> int:
        """Return the number of letters of an address that were processed since an instant."""

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """When the last emails of an address that were read for a seat say that they were sent."""

    def games_begun_since(self, address: str, since: Millis) -> int:
        """Return the number of games that letters of an address began since an instant."""

    def games_begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        """Return the number of games that letters began since an instant. domain: of its addresses only."""

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        """Return whether a known player has an address of a domain.

        They hold a seat in a game that nobody of their domain began, or that was begun before an instant
        and has been played since.
        """

    def founded_games(self, address: str) -> tuple[FoundedGame, ...]:
        """Return the running games that letters of an address began and in which it plays, by their names."""

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """The order sheets of all our emails to a seat since an instant, replies included, oldest first."""

    def is_ours(self, message_id: str) -> bool:
        """Return whether a letter with that Message-ID was sent by us."""

    def key_of(self, message_id: str) -> str | None:
        """Return the key of our email with that Message-ID; None if we sent no such email."""

    def has_written(self, key: str) -> bool:
        """Return whether a letter of ours with this key has been written."""

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        """The Message-IDs of our emails for a seat that were sent, each with the instant."""

    def was_deleted(self, game: str) -> bool:
        """Return whether a game of that name was deleted."""

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        """Return whether an email for a seat of a game has been written to an address."""

    def accepted_in(self, content: str) -> str | None:
        """The fingerprint of the email in which signed content was accepted; None if it was in none."""

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        """Return the email of that fingerprint, if it is quarantined and its bytes are still stored."""

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """Return how often a seat was asked since an instant about emails in its player's name."""

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        """Return the number of invitations since an instant, to a game or to any."""

    def invited_addresses(self, game: str) -> tuple[str, ...]:
        """Return the addresses that were invited to a game, in the order of their invitations."""

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        """The Message-IDs of our last reports to a seat, oldest first."""
