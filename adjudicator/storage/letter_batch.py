"""A batch of processed emails that are committed together in one transaction."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Literal, TypeVar

import games
from adjudicator.clock import Millis
from adjudicator.errors import Fault, WriteConflict
from adjudicator.model.games import FileOrders, GamePosition, SetReady, SetWait, Stir
from adjudicator.model.mail import LetterOutcome, RestoreMark, StoredLetter
from adjudicator.model.people import GamePolicy, NoteSignature
from adjudicator.storage import inbox
from adjudicator.storage.bounces import DatabaseBounceRepository
from adjudicator.storage.database import Database
from adjudicator.storage.inbox import LetterEffects
from adjudicator.storage.queries import DatabasePeopleRepository, DatabaseRepository, items_of
from games.protocol import Seat
from games.record import Value, canonical, replace_fields

_ORDERING = FileOrders | SetWait | SetReady | Stir
"""The acts that change nothing outside their own game."""

_QUIET = _ORDERING | NoteSignature
"""The dispositions that no other emails ask for, except those that the batch knows."""

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")


class PendingLetter(Value, frozen=True):
    """An email in the batch: its outcome and its effects.

    leans: the games that were returned to it with the changes of earlier emails in the batch.
    """

    kept: StoredLetter
    handled: LetterOutcome
    consequences: LetterEffects
    leans: frozenset[str] = frozenset()

    @property
    def can_wait_for_commit(self) -> bool:
        """Return whether the batch's repository knows all further effects of the email."""
        more = self.consequences.told or self.consequences.begun or self.consequences.restored
        is_quiet = all(isinstance(act, _QUIET) for act in self.handled.acts)
        return is_quiet and not more and self.handled.bounce is None

    @property
    def games(self) -> set[str]:
        """Return the games that it changes."""
        return {act.game for act in self.handled.acts if isinstance(act, _ORDERING)}

    @property
    def signed(self) -> set[str]:
        """Return the hashes of its signed content."""
        return {act.content for act in self.handled.acts if isinstance(act, NoteSignature)}

    @property
    def recipients(self) -> set[str]:
        """Return the addresses that get its replies."""
        return {answer.to for answer in self.consequences.answers}

    @property
    def answers(self) -> set[str]:
        """Return the Message-IDs of its replies."""
        return {answer.message_id for answer in self.consequences.answers}


class _PendingGame(Value, frozen=True):
    """A game with emails in the batch: its state for the last of them, and the orders that this one files.

    turns, customs: further answers to queries about the game. No email here changes them.
    """

    position: GamePosition
    orders: Sequence[FileOrders]
    turns: tuple[str, ...] | None
    customs: GamePolicy | None


class LetterBatch:
    """A batch of processed emails. after: called for each email when its transaction has ended.

    It gets the email and the exception that prevented its settling, if any: WriteConflict, or a bug.
    """

    def __init__(
        self, database: Database, now: Millis, after: Callable[[PendingLetter, Exception | None], None]
    ) -> None:
        self._database = database
        self._now = now
        self._after = after
        self._laid: list[PendingLetter] = []
        # The combined changes of the batch's emails, because each email asks for them a dozen times.
        touched = ("games", "recipients", "answers", "signed")
        self._touched: dict[str, set[str]] = {what: set() for what in touched}
        self._ahead: dict[str, _PendingGame] = {}
        self._fallen: set[str] = set()
        self._read = _BatchRepository(database, self)

    @property
    def numbers(self) -> list[int]:
        """The emails in the batch."""
        return [letter.kept.number for letter in self._laid]

    def repository(self) -> DatabaseRepository:
        """Return a repository for one email that runs no query twice."""
        self._fallen.clear()
        self._read = _BatchRepository(self._database, self)
        return self._read

    def pending_position(self, game: str) -> GamePosition | None:
        """Return a game with the batch's changes, or None if the batch doesn't change it."""
        pending = self._ahead.get(game)
        return None if pending is None else _with_orders(pending.position, pending.orders)

    def turns(self, game: str) -> tuple[str, ...] | None:
        """Return the cached turns of a game in the batch."""
        return self._ahead[game].turns if game in self._ahead else None

    def customs(self, game: str) -> GamePolicy | None:
        """Return the cached customs of a game in the batch."""
        return self._ahead[game].customs if game in self._ahead else None

    def add(self, letter: PendingLetter) -> None:
        """Add an email that was processed with the latest repository.

        If it can't wait, it is settled at once with all emails before it. Raises as `settle`, and
        WriteConflict if an earlier email that it relied on has failed meanwhile.
        """
        leans = frozenset(self._read.leans)
        if not leans.isdisjoint(self._fallen):
            raise WriteConflict(", ".join(sorted(leans & self._fallen)))
        letter = replace_fields(letter, leans=leans)
        self._laid.append(letter)
        for game in letter.games:
            self._look_ahead(game, letter)
        for what, touched in self._touched.items():
            touched |= getattr(letter, what)
        if not letter.can_wait_for_commit:
            self.settle()

    def settle(self) -> None:
        """Settle the whole batch in one transaction, in which each email succeeds or fails alone.

        Raises StoreFault: then nothing was changed, and all emails stay in the batch.
        """
        if not self._laid:
            return
        with self._database.writing():
            fallen, faults = set[str](), list[Exception | None]()
            for letter in self._laid:
                faults.append(self._try_to_settle(letter, fallen))
                if faults[-1] is not None:
                    fallen |= letter.games
        done, self._laid = self._laid, []
        self._ahead.clear()
        self._fallen |= fallen
        for touched in self._touched.values():
            touched.clear()
        for letter, fault in zip(done, faults, strict=True):
            self._after(letter, fault)

    def _look_ahead(self, game: str, letter: PendingLetter) -> None:
        """Record the orders that an email files, if the resulting state is known without the database."""
        position = self._read.known_position(game)
        acts = [act for act in letter.handled.acts if isinstance(act, _ORDERING) and act.game == game]
        orders = [act for act in acts if isinstance(act, FileOrders)]
        # The email's seats also record that its address works.
        if (
            position is None
            or len(orders) < len(acts)
            or any(seat.trouble for seat in position.assignments.values())
        ):
            self._ahead.pop(game, None)
        else:
            turns, customs = self._read.known_turns(game), self._read.known_policy(game)
            self._ahead[game] = _PendingGame(position, orders, turns, customs)

    def _try_to_settle(self, letter: PendingLetter, fallen: Set[str]) -> Exception | None:
        """Return the error that prevents settling an email. fallen: games with failed emails."""
        if not letter.leans.isdisjoint(fallen):
            return WriteConflict(", ".join(sorted(letter.leans & fallen)))
        try:
            with self._database.savepoint():
                inbox.settle(self._database, letter.kept, letter.handled, letter.consequences, self._now)
        except Fault:
            raise
        except Exception as fault:  # an error in one email undoes the effects of this email only
            return fault
        return None

    def settle_for(self, what: Literal["games", "recipients", "answers", "signed"], which: str) -> None:
        """Settle the batch if one of its emails affects this game, recipient, reply or signature."""
        if which in self._touched[what]:
            self.settle()

    def settle_if(self, concerned: Callable[[PendingLetter], bool]) -> bool:
        """Settle the batch if one of its emails is affected. Return whether one was."""
        is_concerned = any(map(concerned, self._laid))
        if is_concerned:
            self.settle()
        return is_concerned


class _BatchRepository(DatabaseRepository):
    """The repository with the effects of the emails in the batch. It settles the batch if necessary."""

    def __init__(self, database: Database, tray: LetterBatch) -> None:
        super().__init__(database)
        self._tray = tray
        self._positions: dict[str, GamePosition | None] = {}
        self._answers: dict[tuple[str, Millis], int] = {}
        self._seats: dict[str, tuple[tuple[str, Seat], ...]] = {}
        self._turns: dict[str, tuple[str, ...]] = {}
        self._marks: dict[str, RestoreMark | None] = {}
        self._neighbours = _BatchPeopleRepository(database, tray)
        self.leans: set[str] = set()
        """Return the games that were returned with changes of the batch."""

    @property
    def people(self) -> DatabasePeopleRepository:
        """Return the queries about people."""
        return self._neighbours

    @property
    def bounces(self) -> DatabaseBounceRepository:
        """Settle the batch and return the queries about bounces: any letter may change the answers."""
        self._tray.settle()
        return super().bounces

    def position(self, game: str) -> GamePosition | None:
        """Return a game's current state, or None if it doesn't exist or can't be read (see its
        suspension)."""
        return _once(self._positions, game, lambda: self._position(game))

    def known_position(self, game: str) -> GamePosition | None:
        """Return a game's state as it was last returned, or None."""
        return self._positions.get(game)

    def known_turns(self, game: str) -> tuple[str, ...] | None:
        """Return the turns of a game if they were queried."""
        return self._turns.get(game)

    def known_policy(self, game: str) -> GamePolicy | None:
        """Return the customs of a game if they were queried."""
        return self._neighbours.told.get(game)

    def _position(self, game: str) -> GamePosition | None:
        if (ahead := self._tray.pending_position(game)) is not None:
            self.leans.add(game)
            return ahead
        self._tray.settle_for("games", game)
        position = super().position(game)
        troubled = (
            {assignment.address for assignment in position.assignments.values() if assignment.trouble}
            if position
            else set()
        )
        # A sender's address works: this is recorded with the email.
        revived = (
            self._tray.settle_if(lambda letter: letter.handled.speaker in troubled) if troubled else False
        )
        return super().position(game) if revived else position

    # Nothing that can be in the batch changes a seat's player or processes a turn.
    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""
        return _once(self._seats, address, lambda: super(_BatchRepository, self).seats_of(address))

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last; empty for no game."""
        return _once(
            self._turns, game, lambda: self._tray.turns(game) or super(_BatchRepository, self).turns(game)
        )

    def restore_mark(self, game: str) -> RestoreMark | None:
        """Return the restore mark of a game, or None if it was never restored."""
        return _once(self._marks, game, lambda: super(_BatchRepository, self).restore_mark(game))

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Return whether an email that came later than an instant has been read for a seat."""
        self._tray.settle_if(lambda letter: (letter.handled.game, letter.handled.seat) == (game, seat))
        return super().has_read_later(game, seat, received)

    def replies_since(self, address: str, since: Millis) -> int:
        """Return the number of replies that were written to an address since an instant."""
        self._tray.settle_for("recipients", address)
        return _once(
            self._answers,
            (address, since),
            lambda: super(_BatchRepository, self).replies_since(address, since),
        )

    def letters_since(self, address: str, since: Millis) -> int:
        """Return the number of letters of an address that were processed since an instant."""
        self._tray.settle_if(lambda letter: letter.handled.speaker == address)
        return super().letters_since(address, since)

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """Return the order sheet in one of our emails, line by line, or None if we sent no such email."""
        self._tray.settle_for("answers", message_id.strip())
        return super().sheet(message_id)

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """Return the dates in the latest emails from an address that were read for a seat."""
        self._tray.settle_if(lambda letter: letter.handled.speaker == speaker)
        return super().dates_sent(speaker, game, seat)

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """The order sheets of all our emails to a seat since an instant, replies included, oldest first."""
        self._tray.settle()
        return super().sheets_sent(game, seat, since)

    def is_ours(self, message_id: str) -> bool:
        """Return whether a letter with that Message-ID was sent by us."""
        self._tray.settle_for("answers", message_id.strip())
        return super().is_ours(message_id)

    def key_of(self, message_id: str) -> str | None:
        """Return the key of our email with that Message-ID; None if we sent no such email."""
        self._tray.settle_for("answers", message_id.strip())
        return super().key_of(message_id)

    def has_written(self, key: str) -> bool:
        """Return whether an email with this key has been written."""
        self._tray.settle()
        return super().has_written(key)

    def accepted_in(self, content: str) -> str | None:
        """Return the fingerprint of the email whose signed content was accepted, or None."""
        self._tray.settle_for("signed", content)
        return super().accepted_in(content)

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        """Return the email of that fingerprint, if it is quarantined and its bytes are still stored."""
        self._tray.settle()
        return super().quarantined_letter(fingerprint)

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """Return how often a seat was asked since an instant about emails in its player's name."""
        self._tray.settle()
        return super().questions_since(game, seat, since)

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        """Return the number of invitations since an instant, to a game or to any."""
        self._tray.settle()
        return super().invitations_since(since, game)

    def invited_addresses(self, game: str) -> tuple[str, ...]:
        """Return the addresses that were invited to a game, in the order of their invitations."""
        self._tray.settle()
        return super().invited_addresses(game)


class _BatchPeopleRepository(DatabasePeopleRepository):
    """The queries about people. Nothing that can be in the batch changes their results."""

    def __init__(self, database: Database, tray: LetterBatch) -> None:
        super().__init__(database)
        self._tray = tray
        self.told: dict[str, GamePolicy] = {}

    def policy(self, game: str) -> GamePolicy:
        """Return the policy of a game; the default policy where nothing was said."""
        return _once(
            self.told,
            game,
            lambda: self._tray.customs(game) or super(_BatchPeopleRepository, self).policy(game),
        )


def _with_orders(position: GamePosition, acts: Sequence[FileOrders]) -> GamePosition:
    """Return a game with some orders filed, as `acts.apply` does it."""
    order_type = games.kinds()[position.kind].order_type
    filed = dict(position.filed)
    for act in acts:
        filed.pop(act.seat, None)
        if act.orders:
            # As the database will have them, already parsed for the next query.
            filed[act.seat] = items_of(order_type, canonical(act.orders))
    return replace(position, filed=dict(sorted(filed.items())), rev=position.rev + len(acts))


def _once(known: dict[KeyT, ValueT], key: KeyT, ask: Callable[[], ValueT]) -> ValueT:
    if key not in known:
        known[key] = ask()
    return known[key]
