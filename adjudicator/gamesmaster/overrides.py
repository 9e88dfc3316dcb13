"""What a gamesmaster does against a game's course: edits, orders, dice, rollbacks, each undoable.

Each is an entry of the log: by whom, when, why. The game looks every change over first; where the books
change meanwhile, it is done again from the new ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import games
from adjudicator.clerk.filing import Filed
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.keys import keys_of
from adjudicator.clock import Millis
from adjudicator.errors import Overtaken, Refusal
from adjudicator.gamesmaster.conduct import position_of
from adjudicator.gamesmaster.requests import (
    GAMESMASTER,
    check_throw,
    edits_of,
    filing,
    next_throws,
    one_edit,
    person_at,
    to_undo,
)
from adjudicator.house import House
from adjudicator.ledger.filed_orders import Item, packed, unpacked, written
from adjudicator.ledger.hours import Stop, Timing
from adjudicator.ledger.letters import Sealed
from adjudicator.ledger.overrides import AnyOverride, DieForced, Edited, OrdersSet, RolledBack, Undone
from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.deadlines import next_deadline
from adjudicator.referee.edits import (
    Past,
    before_turn,
    cast,
    kept,
    line,
    override_of,
    pending,
    state_after,
    undoable,
)
from adjudicator.referee.log import Link, override_entry
from adjudicator.referee.turn import rested
from adjudicator.store import games as book_of_games
from adjudicator.store.acts import Entailed
from adjudicator.store.endings import KIND as AGREED
from games.protocol import Game, Invalid, Seat, State
from games.record import plain

ATTEMPTS = 5
"""So often it is begun again when a letter or a turn comes in between."""

BACK = (
    "What you had ordered for it is on file again, and you may change it. The turn is held until the "
    "gamesmaster lets it go on.",
)
"""What players are told of a turn that was put back."""


@dataclass(frozen=True)
class Warrant:
    """Why something is done, and whether the next report passes over it. by: who does it."""

    why: str
    silent: bool = False
    by: str = GAMESMASTER


@dataclass(frozen=True)
class Done:
    """What was done: the entry that logs it, and the game after it."""

    entry: Entry
    override: AnyOverride
    after: Position


def edit(house: House, name: str, text: str, warrant: Warrant) -> Done:
    """Change the state of a game as a text in the words of that game says."""

    def change(desk: "_Desk") -> "_Changed":
        edits = edits_of(desk.game)
        asked = one_edit(edits, desk.position.state, text)
        override = Edited(silent=warrant.silent, edit=plain(asked), text=edits.write(asked))
        return _Changed(override, replace(desk.position, state=desk.state_after(override)))

    return _do(house, name, warrant, change)


def undo(house: House, name: str, number: int | None, warrant: Warrant) -> Done:
    """Take an override back, the latest if none is named: one of the present turn."""

    def change(desk: "_Desk") -> "_Changed":
        entry = to_undo(name, undoable(desk.entries), number)
        back = override_of(entry)
        # Of a rollback the players have been told.
        silent = warrant.silent and not isinstance(back, RolledBack)
        override = Undone(silent=silent, number=entry.number)
        position = replace(desk.position, state=desk.state_after(override))
        if isinstance(back, OrdersSet):
            position = _filed_again(desk.game, position, back)
        if isinstance(back, RolledBack):
            _refuse_agreed_end(desk, entry)
            filed = {Seat(seat): unpacked(desk.game.order_type, items) for seat, items in back.before.items()}
            position = _due_again(desk, position, warrant, filed)
        return _Changed(override, position)

    return _do(house, name, warrant, change)


def rollback(house: House, name: str, turn: str, warrant: Warrant, *, tell: bool = True) -> Done:
    """Put a game back to when a turn that was played was due; the orders of people are on file again.

    The turn is held, and has its whole time. tell: whether the people are written to.
    """

    def change(desk: "_Desk") -> "_Changed":
        found = before_turn(desk.entries, turn)
        if found is None:
            played = [entry.turn for entry in line(desk.entries) if entry.kind == "turn"]
            instead = f"played were: {', '.join(played)}" if played else "no turn was played yet"
            raise Refusal(f"turn {turn}", f"was not played in {name}", instead)
        to, turns = found
        before = {str(seat): packed(items) for seat, items in desk.position.filed.items()}
        override = RolledBack(silent=warrant.silent, to=to, before=before)
        state = desk.state_after(override)
        position = replace(desk.position, state=state)
        filed = kept(desk.game, desk.position, state, turns)
        return _Changed(override, _due_again(desk, position, warrant, filed), letters)

    def letters(after: Position, now: Millis) -> list[Sealed]:
        told = games.kinds()[after.kind].rules.turn(after.state).name
        headline = f"The gamesmaster has put the game back to {told}: {warrant.why}"
        people = [chair for chair in after.chairs.values() if chair.is_person]
        return [house.writer.standing(after, one, headline, now, BACK) for one in people] if tell else []

    return _do(house, name, warrant, change, over_too=True)


def force(
    house: House, name: str, label: str, numbers: tuple[int, ...], warrant: Warrant, *, blindly: bool
) -> Done:
    """Set what the next throw of a label shows.

    blindly: also where the orders on file bring no such throw about, so that nothing can be checked.
    """

    def change(desk: "_Desk") -> "_Changed":
        override = DieForced(silent=warrant.silent, label=label, numbers=numbers)
        throws = next_throws(house.books, desk.game, desk.position, desk.now)
        known = desk.game.throws(desk.position.options) if desk.game.throws else None
        check_throw(override, throws, known, blindly=blindly)
        return _Changed(override, desk.position)

    return _do(house, name, warrant, change)


def set_orders(
    house: House, name: str, seat: str, lines: Sequence[str], warrant: Warrant, *, afresh: bool = False
) -> tuple[Filed, Done | None]:
    """Read orders as if a seat had sent them in time, and file what is lawful beside what it has on file.

    afresh: what was on file before is withdrawn. Also returns what each line came to; nothing is done where
    no line of them is filed, or that changes nothing.
    """
    filed: list[Filed] = []

    def change(desk: "_Desk") -> "_Changed":
        position = desk.position
        at = person_at(position, seat)
        on_file = position.filed.get(at, ())
        seated = Seated(position, at, GAMESMASTER)
        fresh = filing(house.books, desk.game, seated, lines, () if afresh else on_file)
        filed[:] = [fresh]
        is_vain = bool(lines) and not any(row.in_force for row in fresh.rows)
        if is_vain or fresh.orders == on_file:
            raise _Nothing
        override = OrdersSet(
            silent=warrant.silent,
            seat=at,
            before=packed(on_file),
            orders=packed(fresh.orders),
            texts=tuple(written(desk.game, item) for item in fresh.orders),
        )
        return _Changed(override, _with_filed(position, at, fresh.orders))

    try:
        done = _do(house, name, warrant, change)
    except _Nothing:
        return filed[0], None
    return filed[0], done


def entries_of(house: House, name: str) -> tuple[Entry, ...]:
    """The log of a game."""
    return tuple(entry for entry, _ in book_of_games.log(house.database, name))


class _Nothing(Exception):
    """What was asked for is so already."""


@dataclass(frozen=True)
class _Desk:
    """A game to be changed: as it stands, with its log."""

    game: Game
    position: Position
    log: Sequence[tuple[Entry, bytes]]
    now: Millis

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for entry, _ in self.log)

    def state_after(self, override: AnyOverride) -> State:
        past: Past = [(entry, self.game.state_from(state)) for entry, state in self.log]
        return state_after(self.game, override, past)


@dataclass(frozen=True)
class _Changed:
    """A game as it is to be, by what override, and the letters that tell of it once it is."""

    override: AnyOverride
    position: Position
    letters: Callable[[Position, Millis], list[Sealed]] = lambda after, now: []


def _do(
    house: House, name: str, warrant: Warrant, change: Callable[[_Desk], _Changed], *, over_too: bool = False
) -> Done:
    """over_too: whether it can be done to a game that is over, which then goes on."""
    for _ in range(ATTEMPTS):
        position, now = position_of(house, name), house.clock.now()
        if position.status == "finished" and not over_too:
            raise Refusal(f"game {name}", "the game is over", f"look at it with  gm game show {name}")
        game = games.kinds()[position.kind]
        log = book_of_games.log(house.database, name)
        try:
            changed = change(_Desk(game, position, log, now))
            override, after = changed.override, changed.position
            why = keys_of(name, house.books, house.office).redacted(warrant.why)
            link = Link.next_of(position, now, warrant.by, why)
            entry = override_entry(game, override, after.state, link)
            entries = [*(one for one, _ in log), entry]
            over = game.rules.result(after.state) is not None
            after = replace(
                after,
                status="finished" if over else "running",
                deadline=None if over else after.deadline,
                entries=entry.number + 1,
                rev=position.rev + 1,
                head_sha=entry.sha,
                by_hand=len(entries) - cast(entries),
                forced=pending(entries),
                played=sum(one.kind == "turn" for one in line(entries)),
            )
            entailed = Entailed(now, changed.letters(after, now))
            book_of_games.amend(house.database, position, after, entry, entailed)
        except Invalid as fault:
            raise Refusal(fault.what, fault.why, fault.instead) from fault
        except Overtaken:
            continue
        return Done(entry, override, after)
    raise Refusal(f"game {name}", "letters come in all the while", "try again")


def _refuse_agreed_end(desk: _Desk, entry: Entry) -> None:
    """An end that was agreed upon is not one of the rules, so that nothing can bring it back but another."""
    before = next(one for one in reversed(desk.entries) if one.number < entry.number)
    if before.kind == AGREED:
        name = desk.position.name
        raise Refusal(
            f"game {name}", "had been ended before it was put back", f"end it again:  gm game end {name}"
        )


def _filed_again(game: Game, position: Position, back: OrdersSet) -> Position:
    if packed(position.filed.get(back.seat, ())) != back.orders:
        raise Invalid(
            f"orders of {back.seat}",
            "were changed again since",
            f"set them afresh:  gm orders set {position.name} {back.seat} ORDERS --afresh",
        )
    return _with_filed(position, back.seat, unpacked(game.order_type, back.before))


def _with_filed(position: Position, seat: Seat, items: tuple[Item, ...]) -> Position:
    others = {other: some for other, some in position.filed.items() if other != seat}
    return replace(position, filed={**others, seat: items} if items else others)


def _due_again(
    desk: _Desk, position: Position, warrant: Warrant, filed: dict[Seat, tuple[Item, ...]]
) -> Position:
    """The game with its turn beginning anew, held until the gamesmaster lets it go on."""
    kind = desk.game.rules.turn(position.state).kind
    deadline = next_deadline(position, kind, desk.now)
    stop = Stop(kind="hold", since=desk.now, left=deadline - desk.now, by=warrant.by, why=warrant.why)
    rest = position.timing.rest
    return replace(
        position,
        filed=filed,
        chairs={seat: rested(chair) for seat, chair in position.chairs.items()},
        deadline=deadline,
        timing=Timing(
            first=deadline,
            stop=stop,
            lapses=position.timing.lapses,
            loans=position.timing.loans,
            rest=rest,
        ),
    )
