"""Acts applied to the books: what a letter, `gm` or the clock does, in its transaction."""

from collections.abc import Sequence
from typing import Any, assert_never

from adjudicator.clock import Millis
from adjudicator.errors import Refusal, WriteConflict
from adjudicator.model.deadlines import Rest, Timing
from adjudicator.model.game_acts import (
    AnyAct,
    BeginGame,
    EndGame,
    FileOrders,
    Rekey,
    SeatAct,
    SetBot,
    SetPassword,
    SetReady,
    SetWait,
    Stir,
    TakeBack,
    TakeSeat,
)
from adjudicator.model.mail import OutgoingMessage
from adjudicator.model.people_acts import AnyPersonAction, NoteAbsence, TakeVoteBack
from adjudicator.storage import endings, outbox, people, restore_marks
from adjudicator.storage.database import Database
from adjudicator.storage.due_games import revision_columns
from adjudicator.storage.prepared import Prepared, slot
from adjudicator.storage.seats import chair_of, columns_of
from adjudicator.storage.tables import ChairRow, ClockRow, FiledRow, GameRow, MinuteRow
from games.protocol import Seat
from games.record import Value, canonical, load, replace_fields

# Every act raises the game's `rev`, so that a turn which is being played from older books is not committed.
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
_CHAIR = Prepared(ChairRow.select().where((ChairRow.game == slot("game")) & (ChairRow.seat == slot("seat"))))


class SideEffects(Value, frozen=True):
    """The side effects of a change, in its transaction: letters, and actions of people."""

    now: Millis
    letters: Sequence[OutgoingMessage] = ()
    deeds: Sequence[AnyPersonAction] = ()


def apply_side_effects(database: Database, entailed: SideEffects) -> None:
    """Do what goes along with a change, as a part of the caller's transaction. Raises as `people.do` does."""
    with database.writing():
        for deed in entailed.deeds:
            people.apply_action(database, deed)
        outbox.put(database, entailed.letters, entailed.now)


def perform(
    database: Database, acts: Sequence[AnyAct], sealed: Sequence[OutgoingMessage], now: Millis
) -> None:
    """Do acts and put the letters that tell of them in the outbox: all or nothing.

    Raises Overtaken for an act of a turn that is over, Refusal for a game or a seat that does not exist.
    """
    with database.writing():
        for act in acts:
            apply(database, act, now)
        outbox.put(database, sealed, now)


def apply(database: Database, act: AnyAct, now: Millis) -> None:
    """Do one act, as a part of the caller's transaction. Raises as `perform` does."""
    if isinstance(act, AnyPersonAction):
        people.apply_action(database, act)
        return
    with database.writing():
        # Before anything is looked at, so that a turn being committed by another is over, or waits for us.
        if not database.do(_RAISE, game=act.game):
            raise Refusal(f"game {act.game}", "there is no such game")
        game = database.ask(_SELECT_GAME_TURN, game=act.game)[0]
        if isinstance(act, EndGame):
            _in_time(act.turn or game.turn, game)
            endings.end(database, act, now)
            return
        rows = database.ask(_CHAIR, game=act.game, seat=act.seat)
        if not rows:
            raise Refusal(f"seat {act.seat}", f"the game {act.game} has no such seat")
        _change(database, act, game, rows[0], now)


def _change(database: Database, act: SeatAct, game: Any, row: Any, now: Millis) -> None:
    match act:
        case FileOrders():
            _file_orders(database, act, game, row)
        case TakeSeat():
            _take_seat(database, act, game, row)
        case SetBot():
            _set_bot(database, act, game, row)
        case SetWait():
            _set_wait(database, act, game, row)
        case SetReady():
            _set_ready(database, act, game, row)
        case Stir():
            _reset_idle_timer(database, act, game, row)
        case Rekey():
            _rekey(database, act, row, now)
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


def _file_orders(database: Database, act: FileOrders, game: Any, row: Any) -> None:
    _in_time(act.turn, game)
    if act.orders:
        database.do(_UPSERT_FILED_ORDERS, game=act.game, seat=act.seat, orders=canonical(act.orders))
    else:
        database.do(_UNFILE, game=act.game, seat=act.seat)


def _reset_idle_timer(database: Database, act: Stir, game: Any, row: Any) -> None:
    rested = database.first(ClockRow.select().where(ClockRow.game == act.game))
    timing = load(Timing, rested.document.encode()) if rested is not None else Timing()
    if timing.rest is not None:
        document = canonical(replace_fields(timing, rest=Rest(since=act.at))).decode()
        database.run(ClockRow.update(document=document).where(ClockRow.game == act.game))


def _take_seat(database: Database, act: TakeSeat, game: Any, row: Any) -> None:
    chair = chair_of(row).with_player(act.address, act.password)
    _update(database, act, **columns_of(chair))
    if chair.address != row.address:
        for deed in leave_seat_actions(act.game, act.seat):
            people.apply_action(database, deed)


def _set_bot(database: Database, act: SetBot, game: Any, row: Any) -> None:
    _update(database, act, bot=act.level, temper=act.temper)


def _set_wait(database: Database, act: SetWait, game: Any, row: Any) -> None:
    _in_time(act.turn, game)
    _update(database, act, wait=act.wait)


def _set_ready(database: Database, act: SetReady, game: Any, row: Any) -> None:
    _in_time(act.turn, game)
    _update(database, act, ready=act.ready)


def _rekey(database: Database, act: Rekey, row: Any, now: Millis) -> None:
    """Raise a seat's generation, and nothing else about it, and note why in the minutes.

    Whoever sits there is the same: the turns in which he was silent go on being counted.
    """
    chair = chair_of(row)
    after = replace_fields(chair, generation=chair.generation + 1)
    here = (ChairRow.game == act.game) & (ChairRow.seat == act.seat)
    database.run(ChairRow.update(generation=after.generation).where(here))
    move_lapses(database, act.game, chair.lapse_key, after.lapse_key)
    restore_marks.narrow_window(database, act.game, act.seat, act.seen, after.generation)
    what = f"{act.seat}: a new reply address"
    database.run(MinuteRow.insert(game=act.game, at=now, by=act.by, what=what, why=act.why))


def move_lapses(database: Database, game: str, old: str, new: str) -> None:
    """Go on counting a seat's silent turns under its new generation.

    A part of the caller's transaction.
    """
    clock = ClockRow.game == game
    row: Any = database.first(ClockRow.select(ClockRow.document).where(clock))
    timing = load(Timing, row.document.encode()) if row is not None else Timing()
    if old in timing.lapses:
        lapses = {new if key == old else key: turns for key, turns in timing.lapses.items()}
        document = canonical(replace_fields(timing, lapses=lapses)).decode()
        database.run(ClockRow.update(document=document).where(clock))


def _in_time(turn: str | None, game: Any) -> None:
    if turn is not None and (game.turn != turn or game.status != "running"):
        raise WriteConflict(f"{game.name} has gone on from {turn} to {game.turn}")


def _update(database: Database, act: TakeSeat | SetBot | SetWait | SetReady, **columns: Any) -> None:
    database.run(ChairRow.update(**columns).where((ChairRow.game == act.game) & (ChairRow.seat == act.seat)))
