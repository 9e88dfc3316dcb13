"""Games on the books: begun, and carried on by turns, if nothing changed meanwhile."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from peewee import fn

import games
from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.addresses import is_game_name
from adjudicator.model.deadlines import Deadlines, Timing
from adjudicator.model.filed_orders import Item, pack_items
from adjudicator.model.games import AdjudicationResult, GamePosition, LogEntry, SeatAssignment
from adjudicator.model.mail import OutgoingMessage
from adjudicator.storage import outbox
from adjudicator.storage.acts import SideEffects, apply_side_effects
from adjudicator.storage.clocks import set_timing
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import revision_columns
from adjudicator.storage.prepared import Prepared, slot
from adjudicator.storage.seats import columns_of
from adjudicator.storage.tables import ChairRow, EntryRow, FiledRow, GameRow
from games.protocol import Options, Seat, State
from games.record import canonical, load

ENTRIES_AT_ONCE = 20
_SELECT_NEXT_ENTRIES = Prepared(
    EntryRow.select(EntryRow.number, EntryRow.entry, EntryRow.state)
    .where((EntryRow.game == slot("game")) & (EntryRow.number > slot("after")))
    .order_by(EntryRow.number)
    .limit(ENTRIES_AT_ONCE)
)


@dataclass(frozen=True)
class NewGame:
    """All that a game is begun with. state: the opening; entry: the set-up that made it; chairs: in order."""

    name: str
    kind: str
    options: Options
    state: State
    entry: LogEntry
    chairs: Sequence[SeatAssignment]
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
    """Open a game's books, with its first letters. Raises Refusal for a name that is taken or no name."""
    if not is_game_name(new.name):
        raise Refusal(
            f"game {new.name}",
            "a game cannot be called so",
            "take 1 to 20 of a-z, 0-9 and the hyphen, but neither b nor sent",
        )
    turn = _turn(new.kind, new.state)
    with database.writing():
        if not _open(database, new, turn, now):
            raise Refusal(f"game {new.name}", "there is a game of that name already", "choose another name")
        _append(database, new.name, new.entry, new.state)
        for place, chair in enumerate(new.chairs):
            database.run(ChairRow.insert(game=new.name, place=place, **columns_of(chair)))
        if new.timing != Timing():
            set_timing(database, new.name, new.timing)
        outbox.put(database, sealed, now)


def is_taken(database: Database, name: str) -> bool:
    """Return whether there is a game of that name, running or over."""
    with database.reading():
        return database.first(GameRow.select(GameRow.name).where(GameRow.name == name)) is not None


def commit(
    database: Database,
    name: str,
    played: AdjudicationResult,
    expected_rev: int,
    entailed: SideEffects,
) -> None:
    """Write what was played, with its reports, and what is said in the turn that begins: one transaction.

    Raises Overtaken, with nothing written, if the game is no longer at the revision it was played from.
    """
    first, last = played.steps[0].entry, played.steps[-1].entry
    unchanged = (GameRow.name == name) & (GameRow.entries == first.number) & (GameRow.rev == expected_rev)
    kind = _kind(database, name)
    columns = {
        "entries": last.number + 1,
        **revision_columns(expected_rev),
        "head_sha": last.sha,
        "state": canonical(played.state),
        "turn": _turn(kind, played.state),
        "deadline": played.deadline,
        "status": "finished" if played.result else GameRow.status,
        "played": GameRow.played + len(played.steps),
    }
    thrown = [throw for step in played.steps for throw in step.entry.throws if throw.forced]
    with database.writing():
        if not database.run(GameRow.update(**columns).where(unchanged)):
            raise WriteConflict(f"{name} is no longer at revision {expected_rev}")
        for step in played.steps:
            _append(database, name, step.entry, step.after)
            _count_missed(database, name, step.entry.silent)
        _replace_filed(database, name, played.filed)
        _drop_forced(database, name, [throw.label for throw in thrown])
        database.run(ChairRow.update(wait=False, ready=False).where(ChairRow.game == name))
        set_timing(database, name, played.timing)
        apply_side_effects(database, entailed)


def amend(
    database: Database, before: GamePosition, after: GamePosition, entry: LogEntry, entailed: SideEffects
) -> None:
    """Write what a gamesmaster did by hand, with the letters that tell of it: one transaction.

    before, after: the game around it; entry: in the log. Raises Overtaken, with nothing written, if the game
    is no longer as it was before.
    """
    unchanged = (
        (GameRow.name == before.name) & (GameRow.entries == entry.number) & (GameRow.rev == before.rev)
    )
    columns = {
        "entries": entry.number + 1,
        **revision_columns(before.rev),
        "head_sha": entry.sha,
        "state": canonical(after.state),
        "turn": _turn(after.kind, after.state),
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
        _replace_filed(database, before.name, after.filed)
        for seat, chair in after.chairs.items():
            at = (ChairRow.game == before.name) & (ChairRow.seat == seat)
            database.run(ChairRow.update(wait=chair.wait, ready=chair.ready).where(at))
        set_timing(database, before.name, after.timing)
        apply_side_effects(database, entailed)


def running_names(database: Database) -> tuple[str, ...]:
    """The games in which a turn may fall due, the one whose deadline is next first."""
    with database.reading():
        rows = database.run(GameRow.select(GameRow.name, GameRow.deadline).where(GameRow.status == "running"))
        return tuple(row.name for row in sorted(rows, key=_by_deadline))


def log(database: Database, name: str) -> tuple[tuple[LogEntry, bytes], ...]:
    """The log of a game, each entry with the canonical bytes of the state after it; empty for no game."""
    with database.reading():
        rows = EntryRow.select().where(EntryRow.game == name).order_by(EntryRow.number)
        return tuple((load(LogEntry, bytes(row.entry)), bytes(row.state)) for row in database.run(rows))


def walk(database: Database, name: str) -> Iterator[tuple[LogEntry, bytes]]:
    """The same, a few entries at a time: for whoever goes through a log, and holds no more of it."""
    after: int = -1
    rows: Sequence[Any] = (None,)
    while rows:
        with database.reading():
            rows = database.ask(_SELECT_NEXT_ENTRIES, game=name, after=after)
        for row in rows:
            after = row.number
            yield load(LogEntry, bytes(row.entry)), bytes(row.state)


def _by_deadline(row: Any) -> tuple[bool, Millis, str]:
    # Here, and not by the database, since each has an order of its own for names.
    return row.deadline is None, row.deadline or 0, row.name


def _open(database: Database, new: NewGame, turn: str, now: Millis) -> bool:
    """Return whether the name was free, and is the game's now."""
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


def _count_missed(database: Database, name: str, silent: Sequence[str]) -> None:
    at_seats = (ChairRow.game == name) & ChairRow.seat.in_(list(silent))
    database.run(ChairRow.update(missed=ChairRow.missed + 1).where(at_seats))


def _drop_forced(database: Database, name: str, labels: Sequence[str]) -> None:
    if not labels:
        return
    row = database.first(GameRow.select(GameRow.forced).where(GameRow.name == name))
    forced = load(dict[str, tuple[int, ...]], row.forced.encode())
    remaining = {label: numbers for label, numbers in forced.items() if label not in labels}
    database.run(GameRow.update(forced=canonical(remaining).decode()).where(GameRow.name == name))


def _replace_filed(database: Database, name: str, filed: Mapping[Seat, tuple[Item, ...]]) -> None:
    database.run(FiledRow.delete().where(FiledRow.game == name))
    for seat, items in filed.items():
        if items:
            database.run(FiledRow.insert(game=name, seat=seat, orders=canonical(pack_items(items))))


def _kind(database: Database, name: str) -> str:
    with database.reading():
        row = database.first(GameRow.select(GameRow.kind).where(GameRow.name == name))
    if row is None:
        raise Refusal(f"game {name}", "there is no such game")
    return str(row.kind)


def _turn(kind: str, state: State) -> str:
    return games.kinds()[kind].rules.turn(state).short


def kinds_on_the_books(database: Database) -> frozenset[str]:
    """The kinds of which there is a game, running or over."""
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
