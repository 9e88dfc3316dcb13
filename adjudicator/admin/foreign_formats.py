"""Import and export of games in the formats of other programs.

An import replays a record turn by turn under our rules. Where the record then shows another position than
ours, the position is edited to match it, and the log says so. So the game continues from the position that
its players know.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import games
from adjudicator.admin.game_admin import free_name, position_of
from adjudicator.admin.transfer import GameExport, LoggedEntry
from adjudicator.clock import datetime_of
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from adjudicator.judge import build_order_reader
from adjudicator.model.games import Edited, LogEntry, PlayedTurn, SeatAssignment
from adjudicator.model.people import GamePolicy
from adjudicator.outbound.signups import GameSetup, initial_position, new_game
from adjudicator.service import Service
from adjudicator.storage import stored_games
from adjudicator.turns.gather import GatheredOrders
from adjudicator.turns.log import (
    EntryOrigin,
    RecordingDice,
    apply_edit,
    counting_entries,
    orders_of,
    override_entry,
    steps_since,
    turn_entry,
)
from games.dice import SealedDice, commitment
from games.options import settle
from games.protocol import (
    ExchangedTurn,
    ForeignFormats,
    Game,
    Invalid,
    Options,
    Order,
    RecordedTurn,
    Seat,
    State,
)
from games.record import canonical, plain

RECORD_IMPORTER = "import"
RECORD_REASON = "as the imported record has it"
MAX_SKIPPED_TURNS = 3
"""The number of consecutive turns that a record may leave out if they need no orders."""


def formats() -> dict[str, tuple[str, ...]]:
    """Return the games that other programs know too, each with the names of the formats."""
    return {kind: game.exchange.formats for kind, game in games.kinds().items() if game.exchange}


# Our games in the formats of other programs.


def write_format(service: Service, name: str, form: str) -> str:
    """Return a game in another program's format. Raises Refusal if its game has no such format."""
    with service.database.reading():
        position = position_of(service, name)
        log = stored_games.log(service.database, name)
    game = position.game
    known = formats().get(position.kind, ())
    if game.exchange is None or form not in known:
        instead = f"Use {' or '.join(known)}" if known else "Export it without --as"
        raise Refusal(f"Can't write this game as {form}", f"{game.about.title} has no such format", instead)
    counting = {entry.number for entry in counting_entries([entry for entry, _ in log])}
    steps = [step for step in steps_since(game, position, log, 0) if step.entry.number in counting]
    return game.exchange.write(form, name, [_chapter(game, step) for step in steps], position.state)


FormatPieces = tuple[Callable[[], str], ...]
"""A game's turns in another format, each written when it is needed."""


def format_pieces(
    game: Game, name: str, steps: Sequence[Callable[[], PlayedTurn]]
) -> Iterator[tuple[str, FormatPieces]]:
    """Return a game in all its formats, by their names. `Exchange.bound` joins the pieces.

    steps: the turns to write, each computed when it is needed.
    """
    exchange = game.exchange
    for form in exchange.formats if exchange else ():
        yield form, tuple(partial(_piece, game, form, name, at, step) for at, step in enumerate(steps, 1))


def _piece(game: Game, form: str, name: str, number: int, step: Callable[[], PlayedTurn]) -> str:
    return _exchange(game).write_turn(form, name, number, _chapter(game, step()))


def _chapter(game: Game, step: PlayedTurn) -> ExchangedTurn[State]:
    return ExchangedTurn(
        turn=step.turn,
        before=step.before,
        orders=orders_of(game, step.entry),
        events=step.events,
        after=step.after,
    )


# Records of other programs as our games.


@dataclass(frozen=True)
class ImportedRecord:
    """A record after its replay.

    document: the game as one of our exports. mended: the edits that were needed, each with its turn. missed:
    turns with orders that our game doesn't have. unused_orders: the number of orders for the turn that is due
    now, which are dropped.
    """

    document: GameExport
    mended: tuple[tuple[str, str], ...]
    missed: tuple[str, ...]
    unused_orders: int


def import_record(
    service: Service, text: str, place: str, name: str | None, kind: str | None
) -> ImportedRecord:
    """Return the game in another program's record, with bots on all seats.

    place: the record's file, for messages. name: the name of the game (default: from kind and number). kind:
    the game (default: detected). Raises Refusal if the text isn't a record.
    """
    try:
        game, turns = _recognise_record(text, place, kind)
        retold = _retell(service, game, name or free_name(service, game.about.kind), turns)
    except Invalid as fault:
        raise Refusal(f"Can't import {place}", f"{fault.what}: {fault.why}", fault.instead) from fault
    unused_orders = sum(len(orders) for turn in turns if not turn.played for orders in turn.orders.values())
    return ImportedRecord(retold.document(), tuple(retold.mended), tuple(retold.missed), unused_orders)


def _retell(service: Service, game: Game, name: str, turns: Sequence[RecordedTurn]) -> "_RecordReplay":
    """Replay a record by the current rules, or by former ones if it continues after our end."""
    retold = _RecordReplay(service, game, name, {})
    for turn in turns:
        if retold.is_over and (former := _exchange(game).former):
            retold = _RecordReplay(service, game, name, former)
            for each in turns:
                retold.add(each)
            break
        retold.add(turn)
    return retold


def _recognise_record(text: str, place: str, kind: str | None) -> tuple[Game, tuple[RecordedTurn, ...]]:
    kinds = [find_kind(kind)] if kind else list(games.kinds().values())
    for game in kinds:
        turns = game.exchange.read(text) if game.exchange else None
        if turns:
            return game, turns
    wanted = f"a game of {kinds[0].about.title}" if kind else "a game that we know"
    programs = sorted({form for known in formats().values() for form in known})
    raise Refusal(
        f"Can't import {place}",
        f"its beginning doesn't name {wanted}",
        f'Use a file from "gm game export", or a record of: {", ".join(programs)}',
    )


class _RecordReplay:
    """The replay of a record: the position so far, and its log."""

    def __init__(self, service: Service, game: Game, name: str, options: Options) -> None:
        self._game, self._exchange = game, _exchange(game)
        self._now = service.clock.now()
        self._parse_order = build_order_reader(game)
        settled = settle(game.about.options, options)
        assignments = [SeatAssignment(seat=seat) for seat in game.about.seats(settled)]
        arranged = GameSetup(name, settled, assignments, service.settings.deadlines, by=RECORD_IMPORTER)
        new = new_game(game, arranged, self._now)
        self._position = initial_position(new)
        self._log = [LoggedEntry(entry=new.entry, state=plain(new.state))]
        self.mended: list[tuple[str, str]] = []
        self.missed: list[str] = []
        self._unknown = False

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended by our rules."""
        return self._game.rules.result(self._position.state) is not None

    def add(self, turn: RecordedTurn) -> None:
        """Advance to a turn, adopt the record's position before it, and run the turn if the record did.

        Skips a turn that our game doesn't have. The next turn shows its results.
        """
        due = self._catch_up(turn)
        for edit in self._exchange.edits_to_match(self._position.state, turn):
            self._mend(edit, turn.turn)
        if due and turn.played:
            self._play(self._read(turn))
        elif not due and any(turn.orders.values()):
            self.missed.append(turn.turn)
        self._unknown = not due

    def document(self) -> GameExport:
        """Return the game as one of our exports."""
        position = self._position
        over = self.is_over
        return GameExport(
            game=position.name,
            kind=position.kind,
            written=datetime_of(self._now).isoformat(timespec="seconds"),
            status="finished" if over else "running",
            deadline=None if over else self._now,
            early=position.early,
            deadlines=position.deadlines,
            timing=position.timing,
            commitment=commitment(position.secret),
            secret=position.secret.hex(),
            seats=tuple(position.assignments.values()),
            filed={},
            log=tuple(self._log),
            head=position.head_sha,
            customs=GamePolicy(),
            press=(),
        )

    def _catch_up(self, turn: RecordedTurn) -> bool:
        """Run the turns that a record leaves out. Returns False for a turn that our game doesn't have."""
        state, silent = self._position.state, 0
        while (due := self._due(state)) != turn.turn and due and silent < MAX_SKIPPED_TURNS:
            state = self._game.rules.adjudicate(state, {}, self._dice(silent)).state
            silent += 1
        if due != turn.turn:
            if self._unknown:
                why = f"it doesn't follow {self._game.rules.turn(self._position.state).short}"
                raise Invalid(turn.turn, why, "The record must be complete and follow the same rules")
            return False
        for _ in range(silent):
            self._play({})
        return True

    def _due(self, state: State) -> str | None:
        return self._game.rules.turn(state).short if self._game.rules.due(state) else None

    def _read(self, turn: RecordedTurn) -> dict[Seat, tuple[Order, ...]]:
        orders: dict[Seat, tuple[Order, ...]] = {}
        for seat, texts in turn.orders.items():
            view = self._game.rules.view(self._position.state, seat)
            parsed = [self._parse_order(view, seat, text) for text in texts]
            for text, reading in zip(texts, parsed, strict=True):
                if reading.order is None or reading.problem:
                    raise Invalid(f"{turn.turn}, {seat}: {text}", reading.problem or "this isn't an order")
            orders[seat] = tuple(reading.order for reading in parsed)
        return orders

    def _mend(self, edit: Any, turn: str) -> None:
        assert self._game.edits is not None, "a game with an exchange has edits"
        text = self._game.edits.write(edit)
        override = Edited(edit=plain(edit), text=text)
        state = apply_edit(self._game, self._position.state, override)
        link = EntryOrigin.next_of(self._position, self._now, RECORD_IMPORTER, RECORD_REASON)
        entry = override_entry(self._game, override, state, link)
        self.mended.append((turn, text))
        self._append(entry, state)

    def _play(self, orders: Mapping[Seat, tuple[Order, ...]]) -> None:
        position, game, dice = self._position, self._game, self._dice()
        outcome = game.rules.adjudicate(position.state, orders, dice)
        gathered = GatheredOrders(orders=orders, left={})
        turn = game.rules.turn(position.state)
        link = EntryOrigin.next_of(position, self._now, RECORD_IMPORTER)
        entry = turn_entry(link, turn, gathered, dice, outcome.state)
        self._append(entry, outcome.state)

    def _dice(self, ahead: int = 0) -> RecordingDice:
        position = self._position
        return RecordingDice(SealedDice(position.secret, position.name, position.entries + ahead))

    def _append(self, entry: LogEntry, state: State) -> None:
        state = self._game.state_from(canonical(state))
        self._log.append(LoggedEntry(entry=entry, state=plain(state)))
        self._position = replace(self._position, state=state, entries=entry.number + 1, head_sha=entry.sha)


def _exchange(game: Game) -> ForeignFormats[State]:
    assert game.exchange is not None, "the record was read by it"
    return game.exchange
