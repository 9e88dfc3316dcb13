"""The database in memory, for tests of code that reads it, with acts applied as the database does."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

import games
from adjudicator.clock import Millis
from adjudicator.context import ServiceContext
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import (
    AnyAct,
    BeginGame,
    FileOrders,
    FoundedGame,
    GamePosition,
    LogEntry,
    SeatAssignment,
    SetReady,
    SetWait,
    Suspension,
)
from adjudicator.model.mail import Bounce, LetterDraft, RestoreMark, SentLetter, StoredLetter
from adjudicator.model.orders_on_file import unpack_items
from adjudicator.model.people import QUESTION, ConfirmEmail, NoteSignature, PersonAction, invitation_key
from adjudicator.turns.log import EntryOrigin, set_up
from games.options import settle
from games.protocol import Game, OptionValue, Seat
from games.record import replace_fields
from tests.kit.memory_people import MemoryPeople

HOUR: Millis = 3_600_000
NOON: Millis = 1_784_894_400_000
"""The time at which games of the tests start."""

SECRET = b"secret of the tests"
DEADLINES = Deadlines(
    lengths={"moves": 72 * HOUR, "retreats": 24 * HOUR, "builds": 24 * HOUR}, grace=12 * HOUR, solo="clock"
)
OFFICE = ServiceContext(
    address="gm@example.org",
    name="Turnpost",
    key=b"key of the tests",
    zone=ZoneInfo("UTC"),
    accept=frozenset({"token", "password"}),
)


def new_position(
    kind: str,
    name: str = "demo",
    people: Mapping[str, str] | None = None,
    options: Mapping[str, OptionValue] | None = None,
    secret: bytes = SECRET,
    **assignments: object,
) -> GamePosition:
    """Return a game that has just started.

    people: addresses by seat. chairs: further fields of every player's seat.
    """
    game = games.kinds()[kind]
    settled = settle(game.about.options, options or {})
    entry, state = set_up(game, name, settled, secret, EntryOrigin.first(NOON))
    seats = {
        seat: SeatAssignment(
            seat=seat, address=(people or {}).get(seat), **(assignments if seat in (people or {}) else {})
        )
        for seat in game.about.seats(settled)
    }
    return GamePosition(
        name=name,
        kind=kind,
        options=settled,
        status="running",
        entries=1,
        rev=0,
        head_sha=entry.sha,
        state=state,
        filed={},
        assignments=seats,
        deadline=NOON + DEADLINES.length(game.rules.turn(state).kind),
        deadlines=DEADLINES,
        early=True,
        secret=secret,
    )


def game_of(position: GamePosition) -> Game:
    """Return the game of a position."""
    return position.game


def with_changed_seat(position: GamePosition, seat: str, **fields: object) -> GamePosition:
    """Return the position with some fields of one seat changed."""
    assignment = replace_fields(position.assignments[Seat(seat)], **fields)
    return replace(position, assignments={**position.assignments, Seat(seat): assignment})


def token_of(
    position: GamePosition, seat: str, turn: str | None = None, service_context: ServiceContext = OFFICE
) -> str:
    """Return a seat's reply token, of the current turn or of a named one."""
    present = game_of(position).rules.turn(position.state).short
    generation = position.assignments[Seat(seat)].generation
    return reply_token(service_context.key, position.name, Seat(seat), generation, turn or present)


def address_for(position: GamePosition, seat: str, turn: str | None = None) -> str:
    """Return a seat's reply address."""
    return reply_address(OFFICE.address, position.name, Seat(seat), token_of(position, seat, turn))


@dataclass
class MemoryBounces:
    """Implements the repository of bounces in memory. postings: by the address to which each bounce goes."""

    postings: dict[str, SentLetter] = field(default_factory=dict)
    noted: list[tuple[Millis, Bounce]] = field(default_factory=list)

    def sent_letter(self, sender: str) -> SentLetter | None:
        return self.postings.get(sender)

    def bounces_since(self, address: str, since: Millis) -> list[Bounce]:
        return [one for at, one in self.noted if one.address == address and at >= since]

    def is_disabled(self, address: str) -> bool:
        return any(one.dead for _, one in self.noted if one.address == address)


@dataclass
class MemoryRepository:
    """Implements the repository in memory.

    answered, handled, begun: by address, the times of replies, emails and new games. hosted: the games that
    an address has started. posted: the keys of all replies. signed: by the hash of accepted content, its
    emails. waiting: the quarantined emails. asked: the emails with a question to their sender, and the times.
    """

    positions: dict[str, GamePosition] = field(default_factory=dict)
    past: dict[str, tuple[str, ...]] = field(default_factory=dict)
    logs: dict[str, tuple[tuple[LogEntry, bytes], ...]] = field(default_factory=dict)
    sheets: dict[str, tuple[str, ...]] = field(default_factory=dict)
    answered: list[tuple[str, Millis]] = field(default_factory=list)
    handled: list[tuple[str, Millis]] = field(default_factory=list)
    begun: list[tuple[str, Millis]] = field(default_factory=list)
    halted: dict[str, Suspension] = field(default_factory=dict)
    hosted: dict[str, tuple[FoundedGame, ...]] = field(default_factory=dict)
    posted: set[str] = field(default_factory=set)
    known_domains: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    written_to: set[tuple[str, str, str]] = field(default_factory=set)
    by_hand: dict[str, tuple[LogEntry, ...]] = field(default_factory=dict)
    marks: dict[str, RestoreMark] = field(default_factory=dict)
    read: list[tuple[str, Seat, Millis]] = field(default_factory=list)
    signed: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, StoredLetter] = field(default_factory=dict)
    asked: list[tuple[tuple[str, Seat], Millis]] = field(default_factory=list)
    people: MemoryPeople = field(default_factory=MemoryPeople)
    bounces: MemoryBounces = field(default_factory=MemoryBounces)

    def position(self, game: str) -> GamePosition | None:
        return self.positions.get(game)

    def suspension(self, game: str) -> Suspension | None:
        return self.halted.get(game)

    def games(self) -> tuple[str, ...]:
        return tuple(sorted(self.positions))

    def existing_games(self, words: Collection[str]) -> frozenset[str]:
        return frozenset(self.games()).intersection(words)

    def running_games(self) -> tuple[str, ...]:
        return tuple(name for name in self.games() if self.positions[name].is_running)

    def names(self) -> frozenset[str]:
        return frozenset((*self.positions, *(offer.name for offer in self.people.offers())))

    def log(self, game: str) -> tuple[tuple[LogEntry, bytes], ...]:
        return self.logs.get(game, ())

    def latest(self, game: str, count: int) -> tuple[tuple[LogEntry, bytes], ...]:
        return self.log(game)[-count:]

    def turns(self, game: str) -> tuple[str, ...]:
        position = self.positions[game]
        return (*self.past.get(game, ()), game_of(position).rules.turn(position.state).short)

    def overrides(self, game: str) -> tuple[LogEntry, ...]:
        return self.by_hand.get(game, ())

    def restore_mark(self, game: str) -> RestoreMark | None:
        return self.marks.get(game)

    def has_read_later(self, game: str, seat: Seat, received: Millis) -> bool:
        return any((one, at) == (game, seat) and came > received for one, at, came in self.read)

    def seats_of(self, address: str) -> tuple[tuple[str, Seat], ...]:
        return tuple(
            (game, seat)
            for game in self.games()
            for seat, assignment in self.positions[game].assignments.items()
            if assignment.address == address
        )

    def replies_since(self, address: str, since: Millis) -> int:
        return sum(to == address and at >= since for to, at in self.answered)

    def letters_since(self, address: str, since: Millis) -> int:
        return sum(sender == address and at >= since for sender, at in self.handled)

    def dates_sent(self, speaker: str, game: str, seat: Seat) -> tuple[Millis, ...]:
        return ()

    def games_begun_since(self, address: str, since: Millis) -> int:
        return sum(by == address and at >= since for by, at in self.begun)

    def games_begun_by_mail_since(self, since: Millis, domain: str | None = None) -> int:
        return sum(at >= since and domain in (None, by.rpartition("@")[2]) for by, at in self.begun)

    def is_domain_known(self, domain: str, before: Millis) -> bool:
        return domain in self.known_domains

    def founded_games(self, address: str) -> tuple[FoundedGame, ...]:
        return self.hosted.get(address, ())

    def sheet(self, message_id: str) -> tuple[str, ...] | None:
        return self.sheets.get(message_id)

    def sheets_sent(self, game: str, seat: Seat, since: Millis) -> tuple[tuple[str, ...], ...]:
        return tuple(sheet for sheet in self.sheets.values() if sheet)

    def is_ours(self, message_id: str) -> bool:
        return message_id in self.sheets

    def key_of(self, message_id: str) -> str | None:
        return None

    def email_number(self, game: str, seat: Seat, received: Millis) -> int | None:
        return None

    def has_written(self, key: str) -> bool:
        return key in self.posted

    def sent_to(self, game: str, seat: Seat) -> tuple[tuple[str, Millis], ...]:
        return ()

    def was_deleted(self, game: str) -> bool:
        return game in self.deleted

    def has_written_to(self, game: str, seat: Seat, address: str) -> bool:
        return (game, seat, address) in self.written_to

    def accepted_in(self, content: str) -> str | None:
        return self.signed.get(content)

    def quarantined_letter(self, fingerprint: str) -> StoredLetter | None:
        return self.waiting.get(fingerprint)

    def questions_since(self, game: str, seat: Seat, since: Millis) -> int:
        return sum((game, seat) == asked and at >= since for asked, at in self.asked)

    def invitations_since(self, since: Millis, game: str | None = None) -> int:
        return sum("/invite/" in key and key.startswith(f"{game or ''}") for key in self.posted)

    def invited_addresses(self, game: str) -> tuple[str, ...]:
        prefix = invitation_key(game, "")
        return tuple(key.removeprefix(prefix) for key in self.posted if key.startswith(prefix))

    def thread(self, game: str, seat: Seat) -> tuple[str, ...]:
        return tuple(self.sheets)

    def do(self, acts: tuple[AnyAct, ...]) -> None:
        """Apply acts, as the database does."""
        for act in acts:
            if isinstance(act, BeginGame):
                continue
            if isinstance(act, NoteSignature):
                self.signed[act.content] = act.letter
                continue
            if isinstance(act, ConfirmEmail):
                del self.waiting[act.letter]
                continue
            if isinstance(act, PersonAction):
                self.people.do(act)
                continue
            position = self.positions[act.game]
            if isinstance(act, FileOrders):
                items = unpack_items(game_of(position).order_type, act.orders)
                position = replace(position, filed={**position.filed, act.seat: items})
            elif isinstance(act, SetWait):
                position = with_changed_seat(position, act.seat, wait=act.wait)
            elif isinstance(act, SetReady):
                position = with_changed_seat(position, act.seat, ready=act.ready)
            self.positions[act.game] = replace(position, rev=position.rev + 1)

    def post(self, answers: tuple[LetterDraft, ...], now: Millis) -> None:
        """Store replies. A reply whose key exists already isn't stored again."""
        for answer in answers:
            if answer.key not in self.posted and answer.key.startswith(QUESTION):
                assert answer.game is not None
                assert answer.seat is not None
                self.asked.append(((answer.game, answer.seat), now))
            if answer.key not in self.posted:
                self.posted.add(answer.key)
                self.answered.append((answer.to, now))
