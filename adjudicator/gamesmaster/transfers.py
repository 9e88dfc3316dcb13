"""A game as one JSON document: to be kept, to be proved, to go on in another installation.

The document holds all that the books know of the game: its log with orders, dice, overrides and states, what
is on file, its seats and clock, its press. What comes in is looked over (`scrutiny`), and played again.
"""

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from adjudicator.clock import moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster.conduct import position_of
from adjudicator.gamesmaster.document import Export, Logged, pieces
from adjudicator.gamesmaster.publishing import for_all, frame_for_all, public_log, sight_of
from adjudicator.gamesmaster.scrutiny import doubting, scrutinise
from adjudicator.house import House
from adjudicator.kinds import kind_named
from adjudicator.ledger.filed_orders import unpacked
from adjudicator.ledger.filed_orders import written as written_item
from adjudicator.ledger.people_acts import (
    AnyDeed,
    CastVote,
    KeepChoice,
    NoteAbsence,
    OfferSeat,
    SendPress,
    SetCustoms,
    Watch,
)
from adjudicator.ledger.positions import Entry, Position
from adjudicator.referee.bots import DRAWN, Bots
from adjudicator.referee.deadlines import next_deadline
from adjudicator.referee.edits import cast, line, pending
from adjudicator.referee.grounds import grounds
from adjudicator.referee.log import orders_of, replay
from adjudicator.referee.proof import Proof, prove_dice
from adjudicator.store import arrivals, clocks
from adjudicator.store import games as book_of_games
from adjudicator.store import rows as rows_of
from adjudicator.store.acts import Entailed
from adjudicator.store.clocks import Minute
from adjudicator.store.endings import KIND as AGREED
from games.dice import commitment
from games.protocol import Game, Result, Seat
from games.record import Malformed, canonical, changed, revive

BY = "import"
PEPPER_BYTES = 32


def export(house: House, name: str, *, public: bool = False) -> Export:
    """A game as it stands, whole; public: without what concerns people alone."""
    with house.database.reading():
        frame = _frame(house, name)
        whole = changed(frame, log=tuple(_logged(house, name)))
    return for_all(whole) if public else whole


def write(house: House, name: str, to: Callable[[bytes], object], *, public: bool = False) -> int:
    """Write the document of a game, piece by piece: however long its log is, little of it is held.

    to: is called with each piece. Returns how many entries there are. public: as for `export`.
    """
    with house.database.reading():
        frame, count = _frame(house, name), 0
        log = _logged(house, name)
        if public:
            sight = sight_of(one.entry for one in _logged(house, name))
            frame = frame_for_all(frame, sight)
            log = public_log(log, sight, frame.status == "finished")

        def counted() -> Iterator[Logged]:
            nonlocal count
            for count, one in enumerate(log, 1):  # noqa: B007  # it is returned
                yield one

        for piece in pieces(frame, counted()):
            to(piece)
    return count


def _logged(house: House, name: str) -> Iterator[Logged]:
    for entry, state in book_of_games.walk(house.database, name):
        try:
            yield Logged(entry=entry, state=json.loads(state))
        except ValueError as fault:
            raise Refusal(
                f"game {name}",
                f"the state after entry {entry.number} of its log is damaged ({fault})",
                "gm restore FILE  a backup of before",
            ) from fault


def _frame(house: House, name: str) -> Export:
    """All of a game's document but its log."""
    position = _plain(house, name)
    society = house.books.society
    return Export(
        game=name,
        kind=position.kind,
        written=moment(house.clock.now()).isoformat(timespec="seconds"),
        status=position.status,
        deadline=position.deadline,
        early=position.early,
        deadlines=position.deadlines,
        timing=position.timing,
        commitment=commitment(position.secret),
        secret=position.secret.hex(),
        seats=tuple(position.chairs.values()),
        filed={seat: tuple(items) for seat, items in position.filed.items()},
        log=(),
        head=position.head_sha,
        customs=society.customs(name),
        press=society.press(name),
        absences=society.absences(name),
        votes=tuple(society.votes(name).values()),
        vacancies=society.vacancies(name),
        observers=society.observers(name),
        minutes=clocks.minutes(house.database, name),
        letters=society.choices(name),
    )


def _plain(house: House, name: str) -> Position:
    """A game as it stands with its orders as plain values: its kind need not be there."""
    try:
        position = house.books.plain(name)
    except (Malformed, ValueError) as fault:
        instead = f"gm game export {name} --rows  writes its rows as they are"
        raise Refusal(f"game {name}", f"cannot be read: {fault}", instead) from fault
    return position_of(house, name) if position is None else position


def write_rows(house: House, name: str, to: Callable[[bytes], object]) -> None:
    """Write all that the books hold of a game, as they hold it, row by row: no installation takes it up."""
    with house.database.reading():
        if not book_of_games.is_taken(house.database, name):
            position_of(house, name)
        to(b'{\n "game": ' + _in_json(name, 0) + b',\n "rows": {')
        between = b"\n"
        for table, found in rows_of.of_game(house.database, name):
            to(between + b"  " + _in_json(table, 0) + b": [")
            inside = b"\n   "
            for row in found:
                to(inside + _in_json(row, 3))
                inside = b",\n   "
            to(b"]" if inside == b"\n   " else b"\n  ]")
            between = b",\n"
        to(b"\n }\n}\n")


def _in_json(value: object, depth: int) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, default=str)
    return text.replace("\n", "\n" + " " * depth).encode()


def proof_of(document: Export, published: str | None = None) -> Proof:
    """The dice of an exported game, checked. published: the commitment of the first letters, if at hand."""
    secret = bytes.fromhex(document.secret) if document.secret else None
    sealed_by = published or document.commitment
    return prove_dice(document.game, sealed_by.strip().lower(), secret, document.entries, document.head)


def tempers_of(document: Export) -> dict[Seat, str]:
    """The temperaments that the dice of an exported game have drawn; none while its secret is not told.

    Raises Refusal for a kind that is not known here.
    """
    drawn = [chair for chair in document.seats if chair.temper == DRAWN]
    if document.secret is None or not drawn:
        return {}
    bots = Bots(kind_named(document.kind), document.game, bytes.fromhex(document.secret))
    found = {chair.seat: bots.temper_of(chair) for chair in drawn}
    return {seat: temper for seat, temper in found.items() if temper is not None}


def bring_in(house: House, document: Export, *, tell: bool = False) -> Position:
    """Take a game over as it stands: its log is played again first, and every state compared.

    tell: whether its players are written to, since they have to answer to another address now. A deadline
    that is over is set anew.
    """
    if document.public or document.secret is None:
        raise Refusal(
            f"game {document.game}",
            "is a public export, in which much is left out",
            "export it without --public",
        )
    now = house.clock.now()
    game = kind_named(document.kind)
    scrutinise(house, game, document)
    position, log = _position(game, document)
    _replayed(game, position, log)
    _timely(game, position, document)
    if position.running and position.deadline is not None and position.deadline <= now:
        kind = game.rules.turn(position.state).kind
        position = replace(position, deadline=next_deadline(position, kind, now))
    minute = Minute(game=document.game, at=now, by=BY, what=f"imported, as exported at {document.written}")
    letters = [
        house.writer.standing(position, chair, f"The game goes on at {house.office.address}", now)
        for chair in position.chairs.values()
        if chair.is_person and tell
    ]
    minutes = (*document.minutes, minute)
    entailed = Entailed(now, letters, _deeds(game, document, position))
    arrivals.bring_in(house.database, position, log, minutes, entailed)
    return position_of(house, document.game)


def _replayed(game: Game, position: Position, log: Sequence[tuple[Entry, bytes]]) -> None:
    """Play the log again; look over what is on file, and how the game is said to stand."""
    name = position.name
    with doubting(name, "its log"):
        for entry, _ in log:
            # Rules pass over orders that nobody could have given; whoever tells of them later does not.
            for orders in orders_of(game, entry).values():
                for order in orders:
                    game.notation.write(order)
        found = replay(game, name, position.secret, log, position.head_sha)
    if found.fault is not None:
        raise Refusal(f"game {name}", f"its log does not hold: {found.fault}")
    over = position.agreed is not None or game.rules.result(position.state) is not None
    if over == position.running:
        raise Refusal("status", f"{position.status} is not how the game stands at the end of its log")
    with doubting(name, "what is on file"):
        for items in position.filed.values():
            for item in items:
                written_item(game, item)


def _timely(game: Game, position: Position, document: Export) -> None:
    """Press is of a turn that the game had, or has: bots count by it what was agreed, and for how long."""
    turns = {*(entry.turn for entry in document.entries), game.rules.turn(position.state).short}
    for one in document.press:
        if one.turn not in turns:
            raise Refusal("press", f"the game never had a turn {one.turn!r}")


def _position(game: Game, document: Export) -> tuple[Position, list[tuple[Entry, bytes]]]:
    with doubting(document.game, "its log"):
        log = [(one.entry, canonical(revive(game.state_type, one.state))) for one in document.log]
        state = game.state_from(log[-1][1])
        forced = pending(document.entries)
        played = sum(entry.kind == "turn" for entry in line(document.entries))
        last = log[-1][0]
        agreed = revive(Result, last.options) if last.kind == AGREED else None
    with doubting(document.game, "what is on file"):
        filed = {seat: unpacked(game.order_type, items) for seat, items in document.filed.items()}
    position = Position(
        name=document.game,
        kind=game.about.kind,
        options=log[0][0].options,
        status=document.status,
        entries=last.number + 1,
        rev=0,
        head_sha=document.head,
        state=state,
        filed=filed,
        chairs={chair.seat: chair for chair in document.seats},
        deadline=document.deadline,
        deadlines=document.deadlines,
        early=document.early,
        secret=bytes.fromhex(document.secret or ""),
        agreed=agreed,
        timing=document.timing,
        played=played,
        by_hand=len(document.log) - cast(document.entries),
        forced=forced,
        pepper=secrets.token_bytes(PEPPER_BYTES),
        proven=grounds(game),
    )
    return position, log


def _deeds(game: Game, document: Export, position: Position) -> Sequence[AnyDeed]:
    """What people did, to be done again in the new books."""
    name, now = document.game, document.log[-1].entry.at
    turn = game.rules.turn(position.state).short
    voting = position.running and not position.agreed
    return [
        # Whoever wrote the file is not to have us post anywhere.
        SetCustoms(by=BY, game=name, customs=changed(document.customs, forum="")),
        *(
            SendPress(by=BY, game=name, press=press, key=f"{name}/import/{number}")
            for number, press in enumerate(document.press)
        ),
        *(NoteAbsence(by=BY, game=name, seat=one.seat, absence=one) for one in document.absences),
        *(CastVote(by=BY, game=name, turn=turn, vote=vote) for vote in document.votes if voting),
        *(OfferSeat(by=BY, game=name, seat=seat, at=now) for seat in document.vacancies),
        *(Watch(by=BY, game=name, address=address) for address in document.observers),
        *(KeepChoice(by=BY, game=name, choice=choice) for choice in document.letters),
    ]
