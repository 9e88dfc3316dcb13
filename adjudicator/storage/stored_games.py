"""Games in the database: create them, and commit their turns if nothing has changed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never
from zlib import compress, decompress

from peewee import fn

import games
from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.addresses import RESERVED_NAMES, is_game_name, short_seat_name
from adjudicator.model.deadlines import Deadlines, Rest, Stop, Timing
from adjudicator.model.games import (
    AdjudicationResult,
    AnyAct,
    BeginGame,
    BoundEdition,
    CastBallot,
    EndGame,
    FileOrders,
    GamePosition,
    LogEntry,
    Rekey,
    ResetIdleTimer,
    SeatAct,
    SeatAssignment,
    SetBot,
    SetPassword,
    SetReady,
    SetWait,
    TakeBack,
    TakeBallotsBack,
    TakeSeat,
)
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.orders_on_file import Item, pack_items
from adjudicator.model.people import AnyPersonAction, GameName, Instant, NoteAbsence, TakeVoteBack, Text
from adjudicator.storage import outbox, people, pruning
from adjudicator.storage.database import Database, Prepared, slot
from adjudicator.storage.due_games import revision_columns
from adjudicator.storage.tables import (
    ChairRow,
    ClockRow,
    CustomsRow,
    EditionRow,
    EntryRow,
    FiledRow,
    GameRow,
    MinuteRow,
    assignment_of,
    columns_of,
)
from games.protocol import Edition, GameResult, Options, Seat, State
from games.record import Record, Value, canonical, load, plain, replace_fields

# Acts of an email, of `gm` or of the clock, applied to the database in one transaction.


# Every act raises the game's `rev`, so that a turn computed from an older state isn't committed.
_IS_NAMED_GAME = GameRow.name == slot("game")
_RAISE = Prepared(GameRow.update(**revision_columns(GameRow.rev)).where(_IS_NAMED_GAME))
_SELECT_GAME_TURN = Prepared(GameRow.select(GameRow.name, GameRow.turn, GameRow.status).where(_IS_NAMED_GAME))
_IS_NAMED_SEAT = (FiledRow.game == slot("game")) & (FiledRow.seat == slot("seat"))
_UNFILE = Prepared(FiledRow.delete().where(_IS_NAMED_SEAT))
_UPSERT_FILED_ORDERS = Prepared(
    FiledRow.insert(game=slot("game"), seat=slot("seat"), orders=slot("orders")).on_conflict(
        conflict_target=[FiledRow.game, FiledRow.seat], preserve=[FiledRow.orders]
    )
)
_SELECT_CLOCK = Prepared(ClockRow.select(ClockRow.document).where(ClockRow.game == slot("game")))
_UPDATE_CLOCK = Prepared(ClockRow.update(document=slot("document")).where(ClockRow.game == slot("game")))
_CHAIR = Prepared(ChairRow.select().where((ChairRow.game == slot("game")) & (ChairRow.seat == slot("seat"))))


class SideEffects(Value, frozen=True):
    """The side effects of a change, in its transaction: emails, and actions of people.

    withdrawn: the keys of emails that needn't be sent any more, because one of these emails says the same.
    """

    now: Millis
    letters: Sequence[OutgoingMessage] = ()
    person_actions: Sequence[AnyPersonAction] = ()
    withdrawn: Sequence[str] = ()


def apply_side_effects(database: Database, side_effects: SideEffects) -> None:
    """Apply the side effects of a change within the caller's transaction.

    Raises as `people.apply_action` does.
    """
    with database.writing():
        for action in side_effects.person_actions:
            people.apply_action(database, action)
        if side_effects.withdrawn:
            outbox.withdraw(database, side_effects.withdrawn)
        outbox.put(database, side_effects.letters, side_effects.now)


def perform(
    database: Database, acts: Sequence[AnyAct], sealed: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Apply acts and put the emails that report them in the outbox, in one transaction.

    Raises WriteConflict for an act in a past turn, Refusal for an unknown game or seat.
    """
    with database.writing():
        for act in acts:
            apply(database, act, now)
        outbox.put(database, sealed, now)


def apply(database: Database, act: AnyAct, now: Millis) -> None:
    """Apply one act within the caller's transaction. Raises as `perform` does."""
    if isinstance(act, AnyPersonAction):
        people.apply_action(database, act)
        return
    with database.writing():
        # Before any check, so that a concurrent commit of a turn is either over or waits for us.
        if not database.do(_RAISE, game=act.game):
            raise Refusal(f'No game called "{act.game}"', "")
        game = database.ask(_SELECT_GAME_TURN, game=act.game)[0]
        if isinstance(act, EndGame):
            _check_turn(act.turn or game.turn, game)
            end(database, act, now)
            return
        rows = database.ask(_CHAIR, game=act.game, seat=act.seat)
        if not rows:
            raise Refusal(f'Game {act.game} has no seat "{act.seat}"', "")
        _change(database, act, game, rows[0], now)


def _change(database: Database, act: SeatAct, game: Any, row: Any, now: Millis) -> None:
    match act:
        case FileOrders():
            _check_turn(act.turn, game)
            if act.orders:
                orders = canonical(act.orders)
                database.do(_UPSERT_FILED_ORDERS, game=act.game, seat=act.seat, orders=orders)
            else:
                database.do(_UNFILE, game=act.game, seat=act.seat)
        case TakeSeat():
            _take_seat(database, act, row, now)
        case SetBot():
            _update(database, act, bot=act.level, temper=act.temper)
        case SetWait():
            _check_turn(act.turn, game)
            _update(database, act, wait=act.wait)
        case SetReady():
            _check_turn(act.turn, game)
            _update(database, act, ready=act.ready)
        case ResetIdleTimer():
            _reset_idle_timer(database, act)
        case Rekey():
            _rekey(database, act, row, now)
        case CastBallot() | TakeBallotsBack():
            _change_ballots(database, act, game)
        case SetPassword() | BeginGame() | TakeBack():
            raise AssertionError("the house has sealed a password by now, begun a game, put one back")
        case _:
            assert_never(act)


def leave_seat_actions(game: str, seat: Seat) -> tuple[AnyPersonAction, ...]:
    """Return the actions when a player leaves a seat: their absence and their draw vote are revoked."""
    who = "the books"
    return (
        NoteAbsence(by=who, game=game, seat=seat, absence=None),
        TakeVoteBack(by=who, game=game, seat=seat),
    )


def _change_ballots(database: Database, act: CastBallot | TakeBallotsBack, game: Any) -> None:
    """Store a vote for a motion, once for each seat and motion, or remove a seat's votes."""
    if isinstance(act, TakeBallotsBack):
        _drop_ballots(database, act.game, act.seat)
        return
    _check_turn(act.turn, game)
    timing = _timing_of(database, act.game)
    set_timing(database, act.game, timing.with_ballot(act.ballot, moves=act.moves))


def _drop_ballots(database: Database, game: str, seat: Seat) -> None:
    timing = _timing_of(database, game)
    kept = timing.without_ballots(seat)
    if kept != timing:
        set_timing(database, game, kept)


def _timing_of(database: Database, game: str) -> Timing:
    rows = database.ask(_SELECT_CLOCK, game=game)
    return load(Timing, rows[0].document.encode()) if rows else Timing()


def _reset_idle_timer(database: Database, act: ResetIdleTimer) -> None:
    for row in database.ask(_SELECT_CLOCK, game=act.game):
        timing = load(Timing, row.document.encode())
        if timing.rest is not None:
            document = canonical(replace_fields(timing, rest=Rest(since=act.at))).decode()
            database.do(_UPDATE_CLOCK, game=act.game, document=document)


def _take_seat(database: Database, act: TakeSeat, row: Any, now: Millis) -> None:
    assignment = assignment_of(row).with_player(act.address, act.password)
    _update(database, act, **columns_of(assignment))
    if assignment.address != row.address:
        for action in leave_seat_actions(act.game, act.seat):
            people.apply_action(database, action)
        _drop_ballots(database, act.game, act.seat)
        if assignment.address is not None:
            people.note_takeover(database, act.game, act.seat, assignment.address, now)


def _rekey(database: Database, act: Rekey, row: Any, now: Millis) -> None:
    """Raise a seat's generation without other changes, and record the reason in the minutes.

    The player stays the same, so their missed turns are still counted.
    """
    assignment = assignment_of(row)
    after = replace_fields(assignment, generation=assignment.generation + 1)
    here = (ChairRow.game == act.game) & (ChairRow.seat == act.seat)
    database.run(ChairRow.update(generation=after.generation).where(here))
    move_lapses(database, act.game, assignment.lapse_key, after.lapse_key)
    people.narrow_window(database, act.game, act.seat, act.seen, after.generation)
    what = f"{act.seat}: a new reply address"
    database.run(MinuteRow.insert(game=act.game, at=now, by=act.by, what=what, why=act.why))


def move_lapses(database: Database, game: str, old: str, new: str) -> None:
    """Keep counting a seat's missed turns under its new generation.

    Runs in the caller's transaction.
    """
    clock, timing = ClockRow.game == game, _timing_of(database, game)
    if old in timing.lapses:
        lapses = {new if key == old else key: turns for key, turns in timing.lapses.items()}
        document = canonical(replace_fields(timing, lapses=lapses)).decode()
        database.run(ClockRow.update(document=document).where(clock))


def _check_turn(turn: str | None, game: Any) -> None:
    if turn is not None and (game.turn != turn or game.status != "running"):
        raise WriteConflict(f"turn {turn} of {game.name} is over: it is now {game.turn}")


def _update(database: Database, act: TakeSeat | SetBot | SetWait | SetReady, **columns: Any) -> None:
    database.run(ChairRow.update(**columns).where((ChairRow.game == act.game) & (ChairRow.seat == act.seat)))


ENTRIES_AT_ONCE = 20
_SELECT_NEXT_ENTRIES = Prepared(
    EntryRow.select(EntryRow.number, EntryRow.entry, EntryRow.state)
    .where((EntryRow.game == slot("game")) & (EntryRow.number > slot("after")))
    .order_by(EntryRow.number)
    .limit(ENTRIES_AT_ONCE)
)


@dataclass(frozen=True)
class NewGame:
    """The data of a new game. state: the opening. entry: the set-up that made it. chairs: in order."""

    name: str
    kind: str
    options: Options
    state: State
    entry: LogEntry
    assignments: Sequence[SeatAssignment]
    deadlines: Deadlines
    early: bool
    deadline: Millis | None
    secret: bytes = field(repr=False)
    status: str = "running"
    pepper: bytes = field(default=b"", repr=False)
    founder: str | None = None
    timing: Timing = field(default_factory=Timing)
    proven: str = ""


def create(database: Database, new: NewGame, sealed: Sequence[OutgoingMessage], now: Millis) -> None:
    """Create a game with its first emails. Raises Refusal if its name is invalid or another game has it."""
    if not is_game_name(new.name):
        raise Refusal(
            f'Can\'t call a game "{new.name}"',
            "a name can't look like that",
            'Use 1 to 20 of a-z, 0-9 and the hyphen, but not "b", "gm" or "sent"',
        )
    if any(short_seat_name(assignment.seat) in RESERVED_NAMES for assignment in new.assignments):
        raise Refusal(
            f"Can't begin a game of {new.kind}",
            "a seat is called gm, sent or b, which our own addresses are",
            "Give the seat another name in the files of the variant",
        )
    game = games.kinds()[new.kind]
    turn = game.rules.turn(new.state).short
    with database.writing():
        if not _open(database, new, turn, now):
            raise Refusal(
                f'Can\'t call a game "{new.name}"', "another game has that name", "Choose another name"
            )
        _append(database, new.name, new.entry, new.state)
        if game.edition is not None and new.entry.variant == game.edition.sha:
            bind(database, new.name, (), new.entry.number, game.edition)
        for place, assignment in enumerate(new.assignments):
            database.run(ChairRow.insert(game=new.name, place=place, **columns_of(assignment)))
        if new.timing != Timing():
            set_timing(database, new.name, new.timing)
        outbox.put(database, sealed, now)


def is_taken(database: Database, name: str) -> bool:
    """Return whether a game with this name exists, running or finished."""
    with database.reading():
        return database.first(GameRow.select(GameRow.name).where(GameRow.name == name)) is not None


def commit(
    database: Database, before: GamePosition, played: AdjudicationResult, side_effects: SideEffects
) -> None:
    """Commit a processed turn with its reports and notices, in one transaction.

    before: the game that the turn was computed from. Raises WriteConflict, without changes, if the game
    differs from it.
    """
    name, first, last = before.name, played.steps[0].entry, played.steps[-1].entry
    unchanged = (GameRow.name == name) & (GameRow.entries == first.number) & (GameRow.rev == before.rev)
    used = {roll.label for step in played.steps for roll in step.entry.throws if roll.forced}
    forced = {label: numbers for label, numbers in before.forced.items() if label not in used}
    columns = {
        "entries": last.number + 1,
        **revision_columns(before.rev),
        "head_sha": last.sha,
        "state": canonical(played.state),
        "turn": before.game.rules.turn(played.state).short,
        "deadline": played.deadline,
        "status": "finished" if played.result else GameRow.status,
        "played": GameRow.played + len(played.steps),
        "forced": canonical(forced).decode(),
    }
    with database.writing():
        if not database.run(GameRow.update(**columns).where(unchanged)):
            raise WriteConflict(f"{name} is no longer at revision {before.rev}")
        edition = before.game.edition
        if edition is not None and not before.editions and first.variant == edition.sha:
            bind(database, name, (), 0, edition)
        for step in played.steps:
            _append(database, name, step.entry, step.after)
            silent = (ChairRow.game == name) & ChairRow.seat.in_(list(step.entry.silent))
            database.run(ChairRow.update(missed=ChairRow.missed + 1).where(silent))
        _replace_filed(database, name, played.filed)
        database.run(ChairRow.update(wait=False, ready=False).where(ChairRow.game == name))
        set_timing(database, name, played.timing)
        apply_side_effects(database, side_effects)


def amend(
    database: Database, before: GamePosition, after: GamePosition, entry: LogEntry, side_effects: SideEffects
) -> None:
    """Commit an override by the GM with the emails that report it, in one transaction.

    before, after: the game around it. entry: its log entry. Raises WriteConflict, without changes, if the
    game differs from `before`.
    """
    unchanged = (
        (GameRow.name == before.name) & (GameRow.entries == entry.number) & (GameRow.rev == before.rev)
    )
    columns = {
        "entries": entry.number + 1,
        **revision_columns(before.rev),
        "head_sha": entry.sha,
        "state": canonical(after.state),
        "turn": after.game.rules.turn(after.state).short,
        "deadline": after.deadline,
        "status": after.status,
        "played": after.played,
        "by_hand": after.by_hand,
        "forced": canonical(dict(after.forced)).decode(),
    }
    with database.writing():
        if not database.run(GameRow.update(**columns).where(unchanged)):
            raise WriteConflict(f"{before.name} is no longer at revision {before.rev}")
        _append(database, before.name, entry, after.state)
        if after.editions != before.editions and after.game.edition is not None:
            bind(database, before.name, before.editions, entry.number, after.game.edition)
        _replace_filed(database, before.name, after.filed)
        for seat, assignment in after.assignments.items():
            at = (ChairRow.game == before.name) & (ChairRow.seat == seat)
            database.run(ChairRow.update(wait=assignment.wait, ready=assignment.ready).where(at))
        set_timing(database, before.name, after.timing)
        apply_side_effects(database, side_effects)


def bind(
    database: Database, name: str, before: tuple[BoundEdition, ...], since: int, edition: Edition
) -> None:
    """Bind a game to an edition of its variant, and keep a copy of its files, in the caller's transaction.

    before: its editions until then. since: the number of the first entry of its log that is played by this
    one.
    """
    editions = (*before, BoundEdition(since=since, sha=edition.sha))
    with database.writing():
        files = compress(canonical(dict(edition.files)))
        database.run(EditionRow.insert(game=name, since=since, sha=edition.sha, files=files))
        update = GameRow.update(editions=canonical(editions).decode()).where(GameRow.name == name)
        database.run(update)


def kept_editions(database: Database, name: str) -> tuple[tuple[BoundEdition, Mapping[str, str]], ...]:
    """Return the editions that a game was and is played by, each with the texts of its files by path."""
    rows = EditionRow.select().where(EditionRow.game == name).order_by(EditionRow.since)
    with database.reading():
        return tuple(
            (BoundEdition(since=row.since, sha=row.sha), files_of_edition(bytes(row.files)))
            for row in database.run(rows)
        )


def files_of_edition(content: bytes) -> Mapping[str, str]:
    """Return the texts of an edition's files by path, as the database has them. Raises Malformed."""
    files: Mapping[str, str] = load(dict[str, str], decompress(content))
    return files


def running_names(database: Database) -> tuple[str, ...]:
    """Return the names of the running games, the next deadline first."""
    with database.reading():
        rows = database.run(GameRow.select(GameRow.name, GameRow.deadline).where(GameRow.status == "running"))
        return tuple(row.name for row in sorted(rows, key=_by_deadline))


def log(database: Database, name: str) -> tuple[tuple[LogEntry, bytes], ...]:
    """Return the log of a game, each entry with the canonical bytes of the state after it.

    It is empty if the game doesn't exist.
    """
    with database.reading():
        rows = EntryRow.select().where(EntryRow.game == name).order_by(EntryRow.number)
        return tuple((load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in database.run(rows))


def walk(database: Database, name: str) -> Iterator[tuple[LogEntry, bytes]]:
    """Yield the log of a game, with only a few entries in memory at a time."""
    after: int = -1
    rows: Sequence[Any] = (None,)
    while rows:
        with database.reading():
            rows = database.ask(_SELECT_NEXT_ENTRIES, game=name, after=after)
        for row in rows:
            after = row.number
            yield load(LogEntry, bytes(row.entry)), bytes(row.state)


def _by_deadline(row: Any) -> tuple[bool, Millis, str]:
    # Sorted here, because databases differ in how they sort names.
    return row.deadline is None, row.deadline or 0, row.name


def _open(database: Database, new: NewGame, turn: str, now: Millis) -> bool:
    """Reserve the name for the game. Return whether it was free."""
    query = GameRow.insert(
        name=new.name,
        kind=new.kind,
        options=canonical(dict(new.options)).decode(),
        status=new.status,
        entries=new.entry.number + 1,
        rev=0,
        head_sha=new.entry.sha,
        state=canonical(new.state),
        turn=turn,
        deadline=new.deadline,
        deadlines=canonical(new.deadlines).decode(),
        early=new.early,
        secret=new.secret,
        created=now,
        pepper=new.pepper,
        proven=new.proven,
        founder=new.founder,
    )
    return bool(database.run(query.on_conflict_ignore().as_rowcount()))


def _append(database: Database, name: str, entry: LogEntry, state: State) -> None:
    database.run(
        EntryRow.insert(game=name, number=entry.number, entry=canonical(entry), state=canonical(state))
    )


def _replace_filed(database: Database, name: str, filed: Mapping[Seat, tuple[Item, ...]]) -> None:
    database.run(FiledRow.delete().where(FiledRow.game == name))
    for seat, items in filed.items():
        if items:
            database.run(FiledRow.insert(game=name, seat=seat, orders=canonical(pack_items(items))))


def kinds_on_the_books(database: Database) -> frozenset[str]:
    """Return the kinds of the existing games, running or finished."""
    with database.reading():
        return frozenset(row.kind for row in database.run(GameRow.select(GameRow.kind).distinct()))


def entries(database: Database) -> dict[str, int]:
    """Return the number of entries in the log of each game, by its name."""
    with database.reading():
        rows = database.run(GameRow.select(GameRow.name, GameRow.entries).order_by(GameRow.name).tuples())
        return {name: int(count) for name, count in rows}


def entries_by_kind(database: Database) -> dict[str, int]:
    """Return the number of entries in the logs of all games, by the kind of game."""
    query = GameRow.select(GameRow.kind, fn.SUM(GameRow.entries).alias("count"))
    with database.reading():
        rows = database.run(query.group_by(GameRow.kind).order_by(GameRow.kind).tuples())
        return {kind: int(count) for kind, count in rows}


# The clocks of games in the database, read with each position and changed together with their notices.
#
# Every action on a game outside its turns, by the GM or the clock, is recorded in its minutes with its actor
# and its reason.


IS_PRIVATE_GAME = CustomsRow.document.contains('"listed":"no"')
_IS_RUNNING_GAME = GameRow.status == "running"
DELETED = "struck from the books"
"""The minute about a deleted game."""

DELETED_PRIVATE = f"{DELETED}, private"
"""The minute about a deleted game that only its people might know of."""

PAUSED_BY_RESTORE = "paused by a restore"
"""The minute about a game with a clock that a restore has stopped."""


class Minute(Record, frozen=True, kw_only=True):
    """An action on a game outside its turns: its time, actor ("gm", "clock" or a seat), text and reason."""

    game: GameName
    at: Instant
    by: Text
    what: Text
    why: Text = ""


def set_timing(database: Database, game: str, timing: Timing) -> None:
    """Store the timing of a game's clock within the caller's transaction."""
    with database.writing():
        row = ClockRow.insert(game=game, document=canonical(timing).decode())
        database.run(row.on_conflict(conflict_target=[ClockRow.game], preserve=[ClockRow.document]))


def change(
    database: Database,
    before: GamePosition,
    after: GamePosition,
    minute: Minute | None,
    side_effects: SideEffects,
) -> None:
    """Store changes of status, deadline, settings, clock and seats, with their emails, in one transaction.

    minute: recorded with the change, None for no entry. Raises WriteConflict, without changes, if the game
    has a newer revision than `before`.
    """
    columns = {
        **revision_columns(before.rev),
        "status": after.status,
        "deadline": after.deadline,
        "deadlines": canonical(after.deadlines).decode(),
        "early": after.early,
    }
    unchanged = (GameRow.name == before.name) & (GameRow.rev == before.rev)
    risen: tuple[AnyPersonAction, ...] = ()
    with database.writing():
        if not database.run(GameRow.update(**columns).where(unchanged)):
            raise WriteConflict(f"{before.name} is no longer at revision {before.rev}")
        if after.timing != before.timing:
            set_timing(database, before.name, after.timing)
        for seat, assignment in after.assignments.items():
            if assignment != before.assignments[seat]:
                at = (ChairRow.game == before.name) & (ChairRow.seat == seat)
                database.run(ChairRow.update(**columns_of(assignment)).where(at))
                if assignment.address != before.assignments[seat].address:
                    _drop_ballots(database, before.name, seat)
                    if assignment.address is not None:
                        now = side_effects.now
                        people.note_takeover(database, before.name, seat, assignment.address, now)
                    risen = (*leave_seat_actions(before.name, seat), *risen)
        for action in risen:
            people.apply_action(database, action)
        if minute is not None:
            note(database, minute)
        apply_side_effects(database, side_effects)


def pause_all(database: Database, since: Millis, now: Millis, by: str, why: str) -> list[str]:
    """Stop the clocks of all running games that aren't stopped. Return the games' names, sorted.

    since: the end of the time used up; the rest of each deadline is kept. by, why: for the minutes. The code
    of the games isn't needed, so unreadable games are stopped too. Runs in the caller's transaction.
    """
    paused = []
    with database.writing():
        rows = list(
            database.run(GameRow.select(GameRow.name, GameRow.rev, GameRow.deadline).where(_IS_RUNNING_GAME))
        )
        for row in sorted(rows, key=lambda row: str(row.name)):
            clock: Any = database.first(ClockRow.select().where(ClockRow.game == row.name))
            timing = Timing() if clock is None else load(Timing, clock.document.encode())
            if timing.stop is not None:
                continue
            remaining_ms = 0 if row.deadline is None else max(0, int(row.deadline) - since)
            stop = Stop(kind="pause", since=now, left=remaining_ms, by=by, why=why)
            first = timing.first if timing.first is not None else row.deadline
            set_timing(database, row.name, replace_fields(timing, first=first, stop=stop))
            columns = {**revision_columns(row.rev), "deadline": None}
            database.run(GameRow.update(**columns).where(GameRow.name == row.name))
            note(database, Minute(game=row.name, at=now, by=by, what=PAUSED_BY_RESTORE, why=why))
            paused.append(str(row.name))
    return paused


def note(database: Database, minute: Minute) -> None:
    """Add an entry to a game's minutes within the caller's transaction."""
    with database.writing():
        fields = {name: getattr(minute, name) for name in Minute.__struct_fields__}
        database.run(MinuteRow.insert(**fields))


def minutes(database: Database, game: str) -> tuple[Minute, ...]:
    """Return the actions on a game outside its turns, oldest first."""
    rows = MinuteRow.select().where(MinuteRow.game == game).order_by(MinuteRow.number)
    with database.reading():
        return tuple(
            Minute(game=row.game, at=row.at, by=row.by, what=row.what, why=row.why)
            for row in database.run(rows)
        )


def delete(database: Database, game: str, by: str, why: str, now: Millis) -> None:
    """Delete a game with all its data and emails, but keep its minutes."""
    with database.writing():
        here = (CustomsRow.game == game) & IS_PRIVATE_GAME
        what = DELETED_PRIVATE if database.first(CustomsRow.select().where(here)) is not None else DELETED
        database.run(GameRow.delete().where(GameRow.name == game))
        people.forget_gms(database, game)
        pruning.forget_letters_of(database, game)
        people.forget_admitted(database, game)
        note(database, Minute(game=game, at=now, by=by, what=what, why=why))


def was_deleted(database: Database, name: str, *, publicly: bool = False) -> bool:
    """Return whether a game with this name was deleted. publicly: and strangers knew of it."""
    notes = [DELETED] if publicly else [DELETED, DELETED_PRIVATE]
    struck = MinuteRow.select(MinuteRow.number).where((MinuteRow.game == name) & MinuteRow.what.in_(notes))
    with database.reading():
        return database.first(struck) is not None


def deleted_names(database: Database) -> frozenset[str]:
    """Return the names of deleted games."""
    with database.reading():
        struck = MinuteRow.select(MinuteRow.game).where(MinuteRow.what.in_([DELETED, DELETED_PRIVATE]))
        return frozenset(row.game for row in database.run(struck))


# Imports of a game from another installation.


def bring_in(
    database: Database,
    position: GamePosition,
    log: Sequence[tuple[LogEntry, bytes]],
    minutes: Sequence[Minute],
    side_effects: SideEffects,
    editions: Sequence[tuple[int, Edition]] = (),
) -> None:
    """Import a game as it is, with its log, its people and its emails, in one transaction.

    editions: of its variant, each with the number of the first entry of the log that is played by it. Raises
    Refusal if another game has its name.
    """
    name = position.name
    with database.writing():
        if not database.run(_game(position, log[0][0].at).on_conflict_ignore().as_rowcount()):
            raise Refusal(f'Can\'t call a game "{name}"', "another game has that name", _KEEPS_ITS_NAME)
        for entry, state in log:
            row = EntryRow.insert(game=name, number=entry.number, entry=canonical(entry), state=state)
            database.run(row)
        for place, (since, edition) in enumerate(editions):
            bind(database, name, position.editions[:place], since, edition)
        for place, assignment in enumerate(position.assignments.values()):
            database.run(ChairRow.insert(game=name, place=place, **columns_of(assignment)))
        for seat, items in position.filed.items():
            database.run(FiledRow.insert(game=name, seat=seat, orders=canonical(pack_items(items))))
        set_timing(database, name, position.timing)
        for minute in minutes:
            note(database, minute)
        apply_side_effects(database, side_effects)


_KEEPS_ITS_NAME = "Its dice are sealed under this name, so it can't get another. Delete the other game"


def _game(position: GamePosition, created: Millis) -> Any:
    return GameRow.insert(
        name=position.name,
        kind=position.kind,
        options=canonical(dict(position.options)).decode(),
        status=position.status,
        entries=position.entries,
        rev=0,
        head_sha=position.head_sha,
        state=canonical(position.state),
        turn=position.game.rules.turn(position.state).short,
        deadline=position.deadline,
        deadlines=canonical(position.deadlines).decode(),
        early=position.early,
        secret=position.secret,
        created=created,
        played=position.played,
        by_hand=position.by_hand,
        forced=canonical(dict(position.forced)).decode(),
        pepper=position.pepper,
        proven=position.proven,
    )


# Games ended by agreement or by the GM: one more log entry, and no more turns.


END_ENTRY_KIND = "end"
"""The log's name for the entry that ends a game."""


def end(database: Database, act: EndGame, now: Millis) -> None:
    """Close a game's log within the caller's transaction.

    Raises WriteConflict if the game is over already.
    """
    with database.writing():
        game = database.first(GameRow.select().where(GameRow.name == act.game))
        if game is None or game.status == "finished":
            raise WriteConflict(f"{act.game} is over")
        before = _last(database, act.game)
        entry = LogEntry(
            number=game.entries,
            kind=END_ENTRY_KIND,
            turn=game.turn,
            at=now,
            options=plain(act.result),
            by=act.by,
            why=act.why,
            state_sha=before.state_sha,
            previous_sha=game.head_sha,
        ).with_salts(bytes(game.pepper or b""))
        columns = {
            "status": "finished",
            "deadline": None,
            "entries": entry.number + 1,
            "head_sha": entry.sha,
        }
        database.run(
            EntryRow.insert(game=act.game, number=entry.number, entry=canonical(entry), state=game.state)
        )
        database.run(GameRow.update(**columns).where(GameRow.name == act.game))
        database.run(FiledRow.delete().where(FiledRow.game == act.game))
        database.run(ChairRow.update(wait=False, ready=False).where(ChairRow.game == act.game))


def agreed_result(database: Database, game: str) -> GameResult | None:
    """Return the agreed result. None if the rules ended the game or if it is running."""
    entry = _last(database, game)
    if entry.kind != END_ENTRY_KIND:
        return None
    return GameResult(winners=tuple(entry.options["winners"]), reason=entry.options["reason"])


def _last(database: Database, game: str) -> LogEntry:
    entries = EntryRow.select(EntryRow.entry).where(EntryRow.game == game)
    row = database.first(entries.order_by(EntryRow.number.desc()))
    entry: LogEntry = load(LogEntry, bytes(row.entry))
    return entry
