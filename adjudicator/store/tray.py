"""The tray: letters that have been read, settled together in one transaction.

A letter that only orders changes nothing of which other letters are likely to ask, so it need not be settled
before they are read. Whoever asks the books of the tray for what a letter on it changes has it settled first,
or is told how its game stands then, where no more than orders are filed in it: each letter is answered as if
all before it had been settled one by one. Where one of those comes to nothing, it is read again.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from typing import Literal, TypeVar

import games
from adjudicator.clock import Millis
from adjudicator.errors import Fault, Overtaken
from adjudicator.ledger.game_acts import FileOrders, SetReady, SetWait, Stir
from adjudicator.ledger.letters import Handled, Kept
from adjudicator.ledger.people_acts import NoteSignature
from adjudicator.ledger.positions import Position
from adjudicator.ledger.restore_marks import RestoreMark
from adjudicator.ledger.society import Customs
from adjudicator.store import inbox
from adjudicator.store.books import StoredBooks, items_of
from adjudicator.store.database import Database
from adjudicator.store.inbox import Consequences
from adjudicator.store.returned import StoredReturns
from adjudicator.store.society import StoredSociety
from games.protocol import Seat
from games.record import Value, canonical, changed

_ORDERING = FileOrders | SetWait | SetReady | Stir
"""What changes nothing but how its own game stands."""

_QUIET = _ORDERING | NoteSignature
"""What is settled without being asked for by other letters than those that the tray knows of."""

K = TypeVar("K")
V = TypeVar("V")


class Laid(Value, frozen=True):
    """A letter on the tray: what was decided about it, and what follows.

    leans: the games that were told to it as they stand once all before it are settled.
    """

    kept: Kept
    handled: Handled
    consequences: Consequences
    leans: frozenset[str] = frozenset()

    @property
    def can_wait(self) -> bool:
        """Whether it does nothing of which the tray's books do not know that it is still to come."""
        more = self.consequences.told or self.consequences.begun or self.consequences.restored
        is_quiet = all(isinstance(act, _QUIET) for act in self.handled.acts)
        return is_quiet and not more and self.handled.bounce is None

    @property
    def games(self) -> set[str]:
        """The games that stand otherwise once it is settled."""
        return {act.game for act in self.handled.acts if isinstance(act, _ORDERING)}

    @property
    def signed(self) -> set[str]:
        """The hashes of what is signed in it."""
        return {act.content for act in self.handled.acts if isinstance(act, NoteSignature)}

    @property
    def recipients(self) -> set[str]:
        """To whom it is answered."""
        return {answer.to for answer in self.consequences.answers}

    @property
    def answers(self) -> set[str]:
        """The Message-IDs of the answers to it."""
        return {answer.message_id for answer in self.consequences.answers}


class _Ahead(Value, frozen=True):
    """A game of which letters lie on the tray: as it was told to the last of them, and what that one files.

    turns, customs: what it asked for besides, which no letter here changes.
    """

    position: Position
    orders: Sequence[FileOrders]
    turns: tuple[str, ...] | None
    customs: Customs | None


class Tray:
    """Takes letters that were read. after: called for each when the transaction that settled it is over.

    It is given the letter and what kept it from being settled, if anything did: Overtaken, or a bug.
    """

    def __init__(
        self, database: Database, now: Millis, after: Callable[[Laid, Exception | None], None]
    ) -> None:
        self._database = database
        self._now = now
        self._after = after
        self._laid: list[Laid] = []
        # What the letters here change, counted together: it is asked a dozen times for each that is read.
        touched = ("games", "recipients", "answers", "signed")
        self._touched: dict[str, set[str]] = {what: set() for what in touched}
        self._ahead: dict[str, _Ahead] = {}
        self._fallen: set[str] = set()
        self._read = _Books(database, self)

    @property
    def numbers(self) -> list[int]:
        """The letters that lie on it."""
        return [one.kept.number for one in self._laid]

    def books(self) -> StoredBooks:
        """The books for the reading of one letter, which asks nothing of them twice."""
        self._fallen.clear()
        self._read = _Books(self._database, self)
        return self._read

    def ahead(self, game: str) -> Position | None:
        """A game as it stands once what lies here is settled; None: the books tell it, then."""
        found = self._ahead.get(game)
        return None if found is None else _with_orders(found.position, found.orders)

    def turns(self, game: str) -> tuple[str, ...] | None:
        """The turns of a game that is told ahead, as they were asked for with it."""
        return self._ahead[game].turns if game in self._ahead else None

    def customs(self, game: str) -> Customs | None:
        """The customs of a game that is told ahead, as they were asked for with it."""
        return self._ahead[game].customs if game in self._ahead else None

    def lay(self, letter: Laid) -> None:
        """Take a letter that was read by the books that were given last.

        Unless it can wait it is settled at once, with all before it. Raises as `settle`, and Overtaken where
        one on which it leans came to nothing while it was read.
        """
        leans = frozenset(self._read.leans)
        if not leans.isdisjoint(self._fallen):
            raise Overtaken(", ".join(sorted(leans & self._fallen)))
        letter = changed(letter, leans=leans)
        self._laid.append(letter)
        for game in letter.games:
            self._look_ahead(game, letter)
        for what, touched in self._touched.items():
            touched |= getattr(letter, what)
        if not letter.can_wait:
            self.settle()

    def settle(self) -> None:
        """Settle all that lies here: one transaction, in which each letter stands or falls by itself.

        Raises StoreFault; all of them lie here still then, and nothing is done.
        """
        if not self._laid:
            return
        with self._database.writing():
            fallen, faults = set[str](), list[Exception | None]()
            for one in self._laid:
                faults.append(self._settled(one, fallen))
                if faults[-1] is not None:
                    fallen |= one.games
        done, self._laid = self._laid, []
        self._ahead.clear()
        self._fallen |= fallen
        for touched in self._touched.values():
            touched.clear()
        for one, fault in zip(done, faults, strict=True):
            self._after(one, fault)

    def _look_ahead(self, game: str, letter: Laid) -> None:
        """Note what a letter files in a game, if it can be told without the books how that stands then."""
        position = self._read.told(game)
        acts = [act for act in letter.handled.acts if isinstance(act, _ORDERING) and act.game == game]
        orders = [act for act in acts if isinstance(act, FileOrders)]
        # That an address is alive is noted with its letter, at its seats.
        if (
            position is None
            or len(orders) < len(acts)
            or any(one.trouble for one in position.chairs.values())
        ):
            self._ahead.pop(game, None)
        else:
            turns, customs = self._read.told_turns(game), self._read.told_customs(game)
            self._ahead[game] = _Ahead(position, orders, turns, customs)

    def _settled(self, one: Laid, fallen: Set[str]) -> Exception | None:
        """What keeps a letter from being settled. fallen: games of those before it that came to nothing."""
        if not one.leans.isdisjoint(fallen):
            return Overtaken(", ".join(sorted(one.leans & fallen)))
        try:
            with self._database.apart():
                inbox.settle(self._database, one.kept, one.handled, one.consequences, self._now)
        except Fault:
            raise
        except Exception as fault:  # one letter's fault undoes what that letter did, and no other's
            return fault
        return None

    def settle_for(self, what: Literal["games", "recipients", "answers", "signed"], which: str) -> None:
        """Settle all if one of the letters has to do with that game, recipient, answer or signature."""
        if which in self._touched[what]:
            self.settle()

    def settle_if(self, concerned: Callable[[Laid], bool]) -> bool:
        """Settle all if one of the letters is concerned. Returns whether one was."""
        found = any(map(concerned, self._laid))
        if found:
            self.settle()
        return found


class _Books(StoredBooks):
    """The books with what lies on the tray, settled when it is asked for."""

    def __init__(self, database: Database, tray: Tray) -> None:
        super().__init__(database)
        self._tray = tray
        self._positions: dict[str, Position | None] = {}
        self._answers: dict[tuple[str, Millis], int] = {}
        self._seats: dict[str, tuple[tuple[str, Seat], ...]] = {}
        self._turns: dict[str, tuple[str, ...]] = {}
        self._marks: dict[str, RestoreMark | None] = {}
        self._neighbours = _Society(database, tray)
        self.leans: set[str] = set()
        """The games that were told as they stand once what lies on the tray is settled."""

    @property
    def society(self) -> StoredSociety:
        """The books of people."""
        return self._neighbours

    @property
    def returns(self) -> StoredReturns:
        """Of letters that came back a letter settled may tell anything."""
        self._tray.settle()
        return super().returns

    def position(self, game: str) -> Position | None:
        """A game as it stands, or None."""
        return _once(self._positions, game, lambda: self._position(game))

    def told(self, game: str) -> Position | None:
        """A game as it was told to whoever asked; None: nobody asked, or there is none."""
        return self._positions.get(game)

    def told_turns(self, game: str) -> tuple[str, ...] | None:
        """The turns of a game, if anybody asked for them."""
        return self._turns.get(game)

    def told_customs(self, game: str) -> Customs | None:
        """The customs of a game, if anybody asked for them."""
        return self._neighbours.told.get(game)

    def _position(self, game: str) -> Position | None:
        if (ahead := self._tray.ahead(game)) is not None:
            self.leans.add(game)
            return ahead
        self._tray.settle_for("games", game)
        position = super().position(game)
        troubled = {one.address for one in position.chairs.values() if one.trouble} if position else set()
        # Who writes to us is there: that is noted with his letter.
        revived = self._tray.settle_if(lambda one: one.handled.speaker in troubled) if troubled else False
        return super().position(game) if revived else position

    # Nothing that can lie on the tray gives a seat away, or plays a turn.
    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        """The seats that an address holds, as (game, seat), in order."""
        return _once(self._seats, address, lambda: super(_Books, self).seats_of(address))

    def turns(self, game: str) -> tuple[str, ...]:
        """The short names of a game's turns so far, oldest first, the present one last; empty for no game."""
        return _once(self._turns, game, lambda: self._tray.turns(game) or super(_Books, self).turns(game))

    def restore_mark(self, game: str) -> RestoreMark | None:
        """The mark of a game that was restored from a backup; None where it never was."""
        return _once(self._marks, game, lambda: super(_Books, self).restore_mark(game))

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        """Whether an email that came later than an instant has been read for a seat."""
        self._tray.settle_if(lambda one: (one.handled.game, one.handled.seat) == (game, seat))
        return super().has_read_later(game, seat, received)

    def answers_since(self, address: str, since: Millis) -> int:
        """How many answers were written to an address since an instant."""
        self._tray.settle_for("recipients", address)
        return _once(
            self._answers, (address, since), lambda: super(_Books, self).answers_since(address, since)
        )

    def letters_since(self, address: str, since: Millis) -> int:
        """How many letters of an address were handled since an instant."""
        self._tray.settle_if(lambda one: one.handled.speaker == address)
        return super().letters_since(address, since)

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        """The order sheet that one of our letters carried, line by line; None if we sent no such letter."""
        self._tray.settle_for("answers", message_id.strip())
        return super().sheet(message_id)

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        """When the last emails of an address that were read for a seat say that they were sent."""
        self._tray.settle_if(lambda one: one.handled.speaker == speaker)
        return super().dates_sent(speaker, game, seat)

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        """The order sheets of all our emails to a seat since an instant, replies included, oldest first."""
        self._tray.settle()
        return super().sheets_sent(game, seat, since)

    def is_ours(self, message_id: str) -> bool:
        """Whether a letter with that Message-ID was sent by us."""
        self._tray.settle_for("answers", message_id.strip())
        return super().is_ours(message_id)

    def key_of(self, message_id: str) -> str | None:
        """What names the letter of ours with that Message-ID; None if we sent no such letter."""
        self._tray.settle_for("answers", message_id.strip())
        return super().key_of(message_id)

    def has_written(self, key: str) -> bool:
        """Whether a letter of ours has been written that this key names."""
        self._tray.settle()
        return super().has_written(key)

    def accepted_in(self, content: str) -> str | None:
        """The fingerprint of the email in which signed content was accepted; None if it was in none."""
        self._tray.settle_for("signed", content)
        return super().accepted_in(content)

    def quarantined(self, fingerprint: str) -> Kept | None:
        """The email of that fingerprint, if it is quarantined and its bytes are still kept."""
        self._tray.settle()
        return super().quarantined(fingerprint)

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        """How often a seat was asked since an instant about emails in its player's name."""
        self._tray.settle()
        return super().questions_since(game, seat, since)

    def invited(self, since: Millis, game: str | None = None) -> int:
        """How many were invited since an instant, to a game or to any."""
        self._tray.settle()
        return super().invited(since, game)


class _Society(StoredSociety):
    """The books of people, of which nothing that can lie on the tray changes anything."""

    def __init__(self, database: Database, tray: Tray) -> None:
        super().__init__(database)
        self._tray = tray
        self.told: dict[str, Customs] = {}

    def customs(self, game: str) -> Customs:
        """How people live together in a game; the usual customs where nothing was said."""
        return _once(self.told, game, lambda: self._tray.customs(game) or super(_Society, self).customs(game))


def _with_orders(position: Position, acts: Sequence[FileOrders]) -> Position:
    """A game with some orders on file, as `acts.apply` puts them there."""
    order_type = games.kinds()[position.kind].order_type
    filed = dict(position.filed)
    for act in acts:
        filed.pop(act.seat, None)
        if act.orders:
            # As they will be on the books, where whoever asks next finds them read.
            filed[act.seat] = items_of(order_type, canonical(act.orders))
    return replace(position, filed=dict(sorted(filed.items())), rev=position.rev + len(acts))


def _once(known: dict[K, V], key: K, ask: Callable[[], V]) -> V:
    if key not in known:
        known[key] = ask()
    return known[key]
