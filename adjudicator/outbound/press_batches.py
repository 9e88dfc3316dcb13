"""Press batches: press beyond five emails an hour goes out together in one email.

We count the emails from one seat to one reader. No press waits longer than half an hour. All of it goes out
before a deadline and before a report.
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from adjudicator.auth.correspondents import find_gm_readers
from adjudicator.clock import Millis
from adjudicator.context import RequestContext
from adjudicator.errors import WriteConflict
from adjudicator.logs import log_context
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.mail import LetterDraft
from adjudicator.model.people import GAMESMASTER_SEAT, HeldPress, Press, ReleasePress, is_due
from adjudicator.outbound.composer import ReportComposer
from adjudicator.reports.messages import (
    Heading,
    LetterReader,
    caller_of,
    gm_reader,
    how_to_answer_press,
    named_writer,
    notice,
)
from adjudicator.storage import stored_games
from adjudicator.storage.database import Database
from adjudicator.storage.stored_games import SideEffects
from games.language import join_list
from games.protocol import Seat
from games.record import Value

MAX_PRESS_CHARS_PER_EMAIL = 100_000
"""The most press in one email. The rest goes into further emails."""

log = logging.getLogger(__name__)


class ReleasedBatches(Value, frozen=True):
    """The press that waited and goes out now: the unsealed emails, and the acts that record it."""

    emails: tuple[LetterDraft, ...] = ()
    person_actions: tuple[ReleasePress, ...] = ()


class PressBatches(Value, frozen=True):
    """The press batches of one service. rounds: the time between two checks, if it is long."""

    database: Database
    writer: ReportComposer
    rounds: Millis = 0

    def send_due(self, now: Millis) -> None:
        """Send the press that has waited long enough, together with all other press to the same reader."""
        waiting = self.writer.repository.people.held_press()
        for game in sorted({piece.game for piece in waiting}):
            position = self.writer.repository.position(game)
            if position is not None:
                self._send_due_of_game(position, [piece for piece in waiting if piece.game == game], now)

    def _send_due_of_game(self, position: GamePosition, waiting: Sequence[HeldPress], now: Millis) -> None:
        deadline = position.deadline if position.is_running else None
        due = {piece.reader for piece in waiting if is_due(piece.since, deadline, now, self.rounds)}
        for reader in sorted(due):
            released = release_press(
                self.writer, position, [piece for piece in waiting if piece.reader == reader], now
            )
            sealed = [self.writer.seal(draft, now) for draft in released.emails]
            with suppress(WriteConflict):  # another worker has just sent it, or a turn was processed
                stored_games.apply_side_effects(
                    self.database, SideEffects(now, sealed, released.person_actions)
                )
                count = sum(len(piece.keys) for piece in released.person_actions)
                message = sentence("outbound.press_batches.sent", game=position.name, count=count)
                log.info(message, extra=log_context(game=position.name))


def release_press(
    composer: ReportComposer, position: GamePosition, waiting: Iterable[HeldPress], now: Millis
) -> ReleasedBatches:
    """Return one email per reader with press that waited, and the acts that record its sending.

    Nobody gets press to a player who has left since. Reports still contain it.
    """
    by_reader: dict[str, list[HeldPress]] = {}
    for piece in waiting:
        by_reader.setdefault(piece.reader, []).append(piece)
    emails: list[LetterDraft] = []
    for name, pieces in by_reader.items():
        for reader in _readers(composer, position, name, now):
            emails += _write_emails(composer, position, reader, pieces)
    person_actions = (
        ReleasePress(by="clock", game=position.name, keys=tuple(piece.key for piece in pieces), reader=name)
        for name, pieces in by_reader.items()
    )
    return ReleasedBatches(tuple(emails), tuple(person_actions))


def _readers(
    composer: ReportComposer, position: GamePosition, name: str, now: Millis
) -> tuple[LetterReader, ...]:
    """Return the readers of waiting press by their stored name, none if they have left."""
    service, repository = composer.service_context, composer.repository
    context = RequestContext(repository, service, now)
    if name == GAMESMASTER_SEAT:
        gms = find_gm_readers(repository.people.gms(position.name), position)
        of_service = LetterReader(address=service.address, zone=service.zone)
        return tuple(gm_reader(gm, position.name, context) for gm in gms) or (of_service,)
    if "@" in name:
        watches = name in repository.people.observers(position.name)
        return (caller_of(name, context, position.name),) if watches else ()
    assignment = position.assignments.get(Seat(name))
    plays = assignment is not None and assignment.is_person
    return (composer.reader(position, assignment),) if plays and assignment is not None else ()


def _write_emails(
    writer: ReportComposer, position: GamePosition, reader: LetterReader, waiting: Sequence[HeldPress]
) -> Iterator[LetterDraft]:
    for pieces in _split_press(waiting):
        to_gm = pieces[0].reader == GAMESMASTER_SEAT
        is_gm_of_game = to_gm and reader.address != writer.service_context.address
        name = reader.address if is_gm_of_game else pieces[0].reader
        mark = "|".join((name, *(piece.key for piece in pieces)))
        key = f"{position.name}/press/batch/{hashlib.sha256(mark.encode()).hexdigest()[:16]}"
        writers = join_list(dict.fromkeys(piece.press.signature for piece in pieces))
        subject = sentence("outbound.press_batches.subject", count=len(pieces), writers=writers)
        paragraphs: list[str] = [sentence("outbound.press_batches.why")]
        for piece in pieces:
            heading = sentence(
                "outbound.press_batches.heading",
                seat=piece.press.seat,
                to_gm=to_gm,
                address=_writer_address(position, piece) if to_gm and not is_gm_of_game else None,
                heading=piece.press.heading,
                game=position.name,
            )
            paragraphs += (heading, "\n".join(f"| {row}" for row in piece.press.text.splitlines()))
            if not _is_last_of_writer(piece, pieces) or reader.seat is None:
                continue
            paragraphs += press_frame(writer, position, piece.press, reader.seat)
        if is_gm_of_game:
            paragraphs.append(how_to_answer_press(piece.press.seat for piece in pieces if piece.press.seat))
        yield notice(reader, Heading(key, subject), tuple(paragraphs))


def _is_last_of_writer(piece: HeldPress, pieces: Sequence[HeldPress]) -> bool:
    """Return whether no later piece has the same writer. Unsigned press always counts as the last one."""
    if piece.press.kind == "grey":
        return True
    later = pieces[pieces.index(piece) + 1 :]
    return all(other.press.seat != piece.press.seat or other.press.kind == "grey" for other in later)


def _writer_address(position: GamePosition, piece: HeldPress) -> str | None:
    assignment = position.assignments.get(piece.press.seat) if piece.press.seat is not None else None
    return None if assignment is None else assignment.address


def _split_press(waiting: Sequence[HeldPress]) -> Iterator[list[HeldPress]]:
    """Return press in parts that fit into an email. A longer piece is alone in its part."""
    part: list[HeldPress] = []
    for piece in waiting:
        if part and sum(len(each.press.text) for each in (*part, piece)) > MAX_PRESS_CHARS_PER_EMAIL:
            yield part
            part = []
        part.append(piece)
    if part:
        yield part


# The two lines in an email with press. The reader writes an answer between them and sends them back.


def press_frame(writer: ReportComposer, position: GamePosition, press: Press, seat: Seat) -> tuple[str, ...]:
    """Return the lines for an answer to press, or none if the game wouldn't deliver it."""
    rules = position.game.rules
    customs = writer.repository.people.policy(position.name)
    near = rules.neighbours(position.state, seat) if customs.reach == "neighbours" else None
    is_far = press.seat is not None and near is not None and press.seat not in near
    if is_far or not position.is_running or (press.seat is not None and not customs.allows):
        return ()
    named = named_writer(writer.service_context.key, position.name, press)
    if press.seat is not None and customs.reach == "public":
        named = "ALL"
    return (sentence("inbound.press_replies.frame"), f"PRESS TO {named}\n\nENDPRESS")
