"""An email at the moment it enters the outbox, and facts about the state of its game."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from functools import cached_property
from zoneinfo import ZoneInfo

from adjudicator.clock import Millis
from adjudicator.model.deadline_status import is_in_play, is_solo, overdue
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.orders_on_file import is_flag, is_flagged
from adjudicator.model.repository import Repository
from adjudicator.reports.order_sheet import missing
from adjudicator.turns.deadlines import people_due
from adjudicator.turns.due_actions import DueAction, PlayTurn, find_due_action
from games.protocol import Due, Game, Seat
from games.record import replace_fields

ZONE = ZoneInfo("Europe/Amsterdam")


@dataclass(frozen=True)
class Letter:
    """An email at the moment it enters the outbox: the position of its game, and the time."""

    key: str
    to: str
    seat: Seat | None
    subject: str
    text: str
    page: str
    position: GamePosition
    now: Millis
    repository: Repository | None = None
    """What is stored, as the letter is put into the outbox: to be asked at once."""

    @cached_property
    def game(self) -> Game:
        return self.position.game

    @property
    def turn(self) -> str:
        return self.game.rules.turn(self.position.state).name

    @cached_property
    def alone(self) -> bool:
        return is_solo(self.position)

    @cached_property
    def in_play(self) -> bool:
        return is_in_play(self.game, self.position.state, self.position.assignments)

    @property
    def runs(self) -> bool:
        """Return whether there is a deadline in the future."""
        position = self.position
        return (
            position.is_running
            and not self.alone
            and not position.timing.stop
            and self.over is None
            and (position.deadline is not None)
        )

    @cached_property
    def over(self):
        return overdue(self.position, self.now)

    @property
    def assignment(self) -> SeatAssignment | None:
        return self.position.assignments.get(self.seat) if self.seat else None

    @cached_property
    def dues(self) -> tuple[Due, ...]:
        """Return what is due from the reader's seat."""
        if not self.position.is_running:
            return ()
        return tuple(due for due in self.game.rules.due(self.position.state) if due.seat == self.seat)

    @cached_property
    def lacks(self) -> tuple[str, ...]:
        """Return the orders that the reader's seat still has to send, as emails name them."""
        filed = self.position.filed.get(self.seat, ()) if self.seat else ()
        return missing(self.game, self.position.state, filed, self.seat) if self.seat else ()

    @cached_property
    def vacancies(self) -> Collection[Seat]:
        """Return the seats that anyone may take, as they are stored when this is first asked."""
        return self.repository.people.vacancies(self.position.name)

    @cached_property
    def named_seats(self) -> tuple[Seat, ...]:
        """Return the seats whose names are anywhere in the email."""
        everything = f"{self.subject} {self.text} {self.page}".casefold()
        return tuple(seat for seat in self.position.assignments if seat.casefold() in everything)

    @cached_property
    def flagged(self) -> bool:
        return is_flagged(self.position.filed.get(self.seat, ())) if self.seat else False

    # Hypothetical continuations.

    def with_all_in(self, *, wait: Seat | None = None, but: Seat | None = None) -> GamePosition:
        """Return the game once all orders are in. wait: the seat that says WAIT. but: a seat to leave
        alone.
        """
        position = self.position
        assignments = {
            seat: assignment if seat == but else replace_fields(assignment, ready=True, wait=seat == wait)
            for seat, assignment in position.assignments.items()
        }
        filed = {
            seat: items if seat == but else tuple(item for item in items if not is_flag(item))
            for seat, items in position.filed.items()
        }
        timing = replace_fields(position.timing, correction=None, loans={})
        return replace(position, assignments=assignments, filed=filed, timing=timing, absences=())

    def next(self, position: GamePosition | None = None, at: Millis | None = None) -> DueAction | None:
        """Return the next action at a deadline, after a poll of the mailbox."""
        at = self.now if at is None else at
        return find_due_action(self.game, self.position if position is None else position, at, at)

    def plays(self, position: GamePosition, at: Millis | None = None) -> bool:
        return isinstance(self.next(position, at), PlayTurn)

    @property
    def others_owe(self) -> bool:
        return any(due.seat != self.seat for due in people_due(self.game, self.position))

    @property
    def waited_for(self) -> bool:
        """Return whether the current turn waits for any player."""
        return bool(people_due(self.game, self.position))


def letter_of(
    sealed: OutgoingMessage, position: GamePosition, now: Millis, repository: Repository | None = None
) -> Letter:
    """Return an email at the moment it enters the outbox."""
    message = message_from_bytes(sealed.raw, policy=policy.default)
    plain, page = message.get_body(("plain",)), message.get_body(("html",))
    return Letter(
        key=sealed.key,
        to=sealed.to,
        seat=Seat(sealed.seat) if sealed.seat else None,
        subject=str(message["Subject"]),
        text=str(plain.get_content()).replace("\r\n", "\n") if plain else "",
        page=str(page.get_content()) if page else "",
        position=position,
        now=now,
        repository=repository,
    )
