"""Press batches: what is more than five emails an hour goes out in one email.

We count the emails from one seat to one reader. No press waits for longer than half an hour, and all of it
goes out before a deadline and before a report.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from adjudicator.catalogue import sentence
from adjudicator.clock import Millis
from adjudicator.errors import Overtaken
from adjudicator.ledger.held_press import is_due
from adjudicator.ledger.letters import Outgoing
from adjudicator.ledger.people_acts import ReleasePress
from adjudicator.ledger.positions import Position
from adjudicator.ledger.society import GAMESMASTER, HeldPress
from adjudicator.logs import about
from adjudicator.office import Desk
from adjudicator.reports.messages import Heading, Reader, notice
from adjudicator.reports.reader import caller_of
from adjudicator.secretary.press_frames import press_frame
from adjudicator.secretary.writing import Writer
from adjudicator.store import acts
from adjudicator.store.acts import Entailed
from adjudicator.store.database import Database
from games.protocol import Seat
from games.record import Value

MAX_CHARACTERS_PER_EMAIL = 100_000
"""More press than that goes in several emails."""

log = logging.getLogger(__name__)


class Released(Value, frozen=True):
    """What goes out of the press that waited: the emails, unsealed, and what is noted of it."""

    emails: tuple[Outgoing, ...] = ()
    deeds: tuple[ReleasePress, ...] = ()


class PressBatches(Value, frozen=True):
    """The press batches of one service. rounds: how often it is looked, where that is seldom."""

    database: Database
    writer: Writer
    rounds: Millis = 0

    def send_due(self, now: Millis) -> None:
        """Send the press that has waited long enough, all that waits for its reader together."""
        waiting = self.writer.books.society.held_press()
        for game in sorted({one.game for one in waiting}):
            position = self.writer.books.position(game)
            if position is not None:
                self._send_due(position, [one for one in waiting if one.game == game], now)

    def _send_due(self, position: Position, waiting: Sequence[HeldPress], now: Millis) -> None:
        deadline = position.deadline if position.running else None
        due = {one.reader for one in waiting if is_due(one.since, deadline, now, self.rounds)}
        for reader in sorted(due):
            released = release_press(
                self.writer, position, [one for one in waiting if one.reader == reader], now
            )
            sealed = [self.writer.seal(one, now) for one in released.emails]
            with suppress(Overtaken):  # another worker has just sent it, or a turn was processed
                acts.entail(self.database, Entailed(now, sealed, released.deeds))
                count = sum(len(one.keys) for one in released.deeds)
                said = sentence("secretary.press_batches.sent", game=position.name, number=count)
                log.info(said, extra=about(game=position.name))


def release_press(writer: Writer, position: Position, waiting: Iterable[HeldPress], now: Millis) -> Released:
    """Return the emails with press that waited, one for each reader, and that it waits no longer.

    Press to somebody who has left since goes to nobody. Reports tell it anyway.
    """
    by_reader: dict[str, list[HeldPress]] = {}
    for one in waiting:
        by_reader.setdefault(one.reader, []).append(one)
    emails: list[Outgoing] = []
    for name, pieces in by_reader.items():
        reader = _reader(writer, position, name, now)
        emails += _emails(writer, position, reader, pieces) if reader is not None else ()
    deeds = (
        ReleasePress(by="clock", game=position.name, keys=tuple(one.key for one in pieces), reader=name)
        for name, pieces in by_reader.items()
    )
    return Released(tuple(emails), tuple(deeds))


def _reader(writer: Writer, position: Position, name: str, now: Millis) -> Reader | None:
    """Return the reader of an email by the name under which press waits for them; None: they have left."""
    if name == GAMESMASTER:
        return Reader(address=writer.office.address, zone=writer.office.zone)
    if "@" in name:
        watches = name in writer.books.society.observers(position.name)
        return caller_of(name, Desk(writer.books, writer.office, now), position.name) if watches else None
    chair = position.chairs.get(Seat(name))
    return writer.reader(position, chair) if chair is not None and chair.is_person else None


def _emails(
    writer: Writer, position: Position, reader: Reader, waiting: Sequence[HeldPress]
) -> Iterator[Outgoing]:
    for pieces in _parted(waiting):
        mark = "|".join((pieces[0].reader, *(one.key for one in pieces)))
        key = f"{position.name}/press/batch/{hashlib.sha256(mark.encode()).hexdigest()[:16]}"
        writers = tuple(dict.fromkeys(one.press.signature for one in pieces))
        subject = sentence("secretary.press_batches.subject", number=len(pieces), writers=writers)
        to_gamesmaster = pieces[0].reader == GAMESMASTER
        paragraphs: list[str] = [sentence("secretary.press_batches.why")]
        for one in pieces:
            heading = sentence(
                "secretary.press_batches.heading",
                seat=one.press.seat,
                address=_address(position, one) if to_gamesmaster else None,
                heading=one.press.heading,
                game=position.name,
            )
            paragraphs += (heading, "\n".join(f"| {row}" for row in one.press.text.splitlines()))
            if not _is_last_of_writer(one, pieces) or reader.seat is None:
                continue
            paragraphs += press_frame(writer, position, one.press, reader.seat)
        yield notice(reader, Heading(key, subject), tuple(paragraphs))


def _is_last_of_writer(piece: HeldPress, pieces: Sequence[HeldPress]) -> bool:
    """Return whether no later piece is by the same writer; of unsigned press nobody may see that."""
    if piece.press.kind == "grey":
        return True
    later = pieces[pieces.index(piece) + 1 :]
    return all(one.press.seat != piece.press.seat or one.press.kind == "grey" for one in later)


def _address(position: Position, one: HeldPress) -> str | None:
    chair = position.chairs.get(one.press.seat) if one.press.seat is not None else None
    return None if chair is None else chair.address


def _parted(waiting: Sequence[HeldPress]) -> Iterator[list[HeldPress]]:
    """Return press in parts, none of them longer than an email may be unless it is one piece."""
    part: list[HeldPress] = []
    for one in waiting:
        if part and sum(len(each.press.text) for each in (*part, one)) > MAX_CHARACTERS_PER_EMAIL:
            yield part
            part = []
        part.append(one)
    if part:
        yield part
