"""A game as one JSON document: to be kept, to be proved, to go on in another installation.

The document holds all that the books know of the game: its log with orders, dice, overrides and states, what
is on file, its seats and clock, its press. What comes in is looked over (`scrutiny`), and played again.
"""

import json
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from adjudicator.admin.document import GameExport, LoggedEntry, export_pieces
from adjudicator.admin.game_admin import position_of
from adjudicator.admin.publishing import public_export, public_extent, public_frame, public_log
from adjudicator.admin.scrutiny import refusing_absurd_values, scrutinise
from adjudicator.clock import datetime_of
from adjudicator.errors import Refusal
from adjudicator.kinds import find_kind
from adjudicator.model.filed_orders import unpack_items
from adjudicator.model.filed_orders import write_item as written_item
from adjudicator.model.games import GamePosition, LogEntry
from adjudicator.model.people_acts import (
    AnyPersonAction,
    CastVote,
    KeepChoice,
    NoteAbsence,
    OfferSeat,
    SendPress,
    SetCustoms,
    Watch,
)
from adjudicator.service import Service
from adjudicator.storage import arrivals, clocks
from adjudicator.storage import game_rows as rows_of
from adjudicator.storage import stored_games as book_of_games
from adjudicator.storage.acts import SideEffects
from adjudicator.storage.clocks import Minute
from adjudicator.storage.endings import END_ENTRY_KIND as AGREED
from adjudicator.turns.bots import RANDOM_TEMPER, GameBots
from adjudicator.turns.deadlines import next_deadline
from adjudicator.turns.grounds import rules_version
from adjudicator.turns.log import orders_of, replay
from adjudicator.turns.overrides import counting_entries, dice_number_after, pending_dice
from adjudicator.turns.proof import DiceVerification, verify_dice
from games.dice import commitment
from games.protocol import Game, GameResult, Seat
from games.record import Malformed, canonical, replace_fields, revive

GAME_IMPORTER = "import"
PEPPER_BYTES = 32


def export(house: Service, name: str, *, public: bool = False) -> GameExport:
    """A game as it stands, whole; public: without what concerns people alone."""
    with house.database.reading():
        frame = _frame(house, name)
        whole = replace_fields(frame, log=tuple(_logged_entries(house, name)))
    return public_export(whole) if public else whole


def write(house: Service, name: str, to: Callable[[bytes], object], *, public: bool = False) -> int:
    """Write the document of a game, piece by piece: however long its log is, little of it is held.

    to: is called with each piece. Returns how many entries there are. public: as for `export`.
    """
    with house.database.reading():
        frame, count = _frame(house, name), 0
        log = _logged_entries(house, name)
        if public:
            sight = public_extent(logged_entry.entry for logged_entry in _logged_entries(house, name))
            frame = public_frame(frame, sight)
            log = public_log(log, sight, frame.status == "finished")

        def counted() -> Iterator[LoggedEntry]:
            nonlocal count
            for count, logged_entry in enumerate(log, 1):  # noqa: B007  # it is returned
                yield logged_entry

        for piece in export_pieces(frame, counted()):
            to(piece)
    return count


def _logged_entries(house: Service, name: str) -> Iterator[LoggedEntry]:
    for entry, state in book_of_games.walk(house.database, name):
        try:
            yield LoggedEntry(entry=entry, state=json.loads(state))
        except ValueError as fault:
            raise Refusal(
                f"game {name}",
                f"the state after entry {entry.number} of its log is damaged ({fault})",
                "gm restore FILE  a backup of before",
            ) from fault


def _frame(house: Service, name: str) -> GameExport:
    """All of a game's document but its log."""
    position = _plain(house, name)
    society = house.books.people
    return GameExport(
        game=name,
        kind=position.kind,
        written=datetime_of(house.clock.now()).isoformat(timespec="seconds"),
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
        customs=society.policy(name),
        press=society.press(name),
        absences=society.absences(name),
        votes=tuple(society.votes(name).values()),
        vacancies=society.vacancies(name),
        observers=society.observers(name),
        minutes=clocks.minutes(house.database, name),
        letters=society.choices(name),
    )


def _plain(house: Service, name: str) -> GamePosition:
    """A game as it stands with its orders as plain values: its kind need not be there."""
    try:
        position = house.books.plain(name)
    except (Malformed, ValueError) as fault:
        instead = f"gm game export {name} --rows  writes its rows as they are"
        raise Refusal(f"game {name}", f"cannot be read: {fault}", instead) from fault
    return position_of(house, name) if position is None else position


def write_rows(house: Service, name: str, to: Callable[[bytes], object]) -> None:
    """Write all that the books hold of a game, as they hold it, row by row: no installation takes it up."""
    with house.database.reading():
        if not book_of_games.is_taken(house.database, name):
            position_of(house, name)
        to(b'{\n "game": ' + _in_json(name, 0) + b',\n "rows": {')
        between = b"\n"
        for table, rows in rows_of.of_game(house.database, name):
            to(between + b"  " + _in_json(table, 0) + b": [")
            inside = b"\n   "
            for row in rows:
                to(inside + _in_json(row, 3))
                inside = b",\n   "
            to(b"]" if inside == b"\n   " else b"\n  ]")
            between = b",\n"
        to(b"\n }\n}\n")


def _in_json(value: object, depth: int) -> bytes:
    text = json.dumps(value, ensure_ascii=False, indent=1, default=str)
    return text.replace("\n", "\n" + " " * depth).encode()


def proof_of(document: GameExport, published: str | None = None) -> DiceVerification:
    """The dice of an exported game, checked. published: the commitment of the first letters, if at hand."""
    secret = bytes.fromhex(document.secret) if document.secret else None
    sealed_by = published or document.commitment
    return verify_dice(document.game, sealed_by.strip().lower(), secret, document.entries, document.head)


def tempers_of(document: GameExport) -> dict[Seat, str]:
    """The temperaments that the dice of an exported game have drawn; none while its secret is not told.

    Raises Refusal for a kind that is not known here.
    """
    drawn = [chair for chair in document.seats if chair.temper == RANDOM_TEMPER]
    if document.secret is None or not drawn:
        return {}
    bots = GameBots(find_kind(document.kind), document.game, bytes.fromhex(document.secret))
    tempers = {chair.seat: bots.temper_of(chair) for chair in drawn}
    return {seat: temper for seat, temper in tempers.items() if temper is not None}


def bring_in(house: Service, document: GameExport, *, tell: bool = False) -> GamePosition:
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
    game = find_kind(document.kind)
    scrutinise(house, game, document)
    position, log = _position(game, document)
    _check_by_replay(game, position, log)
    _check_press_turns(game, position, document)
    if position.is_running and position.deadline is not None and position.deadline <= now:
        kind = game.rules.turn(position.state).kind
        position = replace(position, deadline=next_deadline(position, kind, now))
    minute = Minute(
        game=document.game, at=now, by=GAME_IMPORTER, what=f"imported, as exported at {document.written}"
    )
    letters = [
        house.composer.position_report(position, chair, f"The game goes on at {house.office.address}", now)
        for chair in position.chairs.values()
        if chair.is_person and tell
    ]
    minutes = (*document.minutes, minute)
    entailed = SideEffects(now, letters, _deeds(game, document, position))
    arrivals.bring_in(house.database, position, log, minutes, entailed)
    return position_of(house, document.game)


def _check_by_replay(game: Game, position: GamePosition, log: Sequence[tuple[LogEntry, bytes]]) -> None:
    """Play the log again; check what is on file, and how the game is said to stand."""
    name = position.name
    with refusing_absurd_values(name, "its log"):
        for entry, _ in log:
            # Rules pass over orders that nobody could have given; whoever tells of them later does not.
            for orders in orders_of(game, entry).values():
                for order in orders:
                    game.notation.write(order)
        replayed_log = replay(game, name, position.secret, log, position.head_sha)
    if replayed_log.fault is not None:
        raise Refusal(f"game {name}", f"its log does not hold: {replayed_log.fault}")
    over = position.agreed is not None or game.rules.result(position.state) is not None
    if over == position.is_running:
        raise Refusal("status", f"{position.status} is not how the game stands at the end of its log")
    with refusing_absurd_values(name, "what is on file"):
        for items in position.filed.values():
            for item in items:
                written_item(game, item)


def _check_press_turns(game: Game, position: GamePosition, document: GameExport) -> None:
    """Check that press is of turns that the game had, or has: bots count agreements by them."""
    turns = {*(entry.turn for entry in document.entries), game.rules.turn(position.state).short}
    for dispatch in document.press:
        if dispatch.turn not in turns:
            raise Refusal("press", f"the game never had a turn {dispatch.turn!r}")


def _position(game: Game, document: GameExport) -> tuple[GamePosition, list[tuple[LogEntry, bytes]]]:
    with refusing_absurd_values(document.game, "its log"):
        log = [
            (logged_entry.entry, canonical(revive(game.state_type, logged_entry.state)))
            for logged_entry in document.log
        ]
        state = game.state_from(log[-1][1])
        forced = pending_dice(document.entries)
        played = sum(entry.kind == "turn" for entry in counting_entries(document.entries))
        last = log[-1][0]
        agreed = revive(GameResult, last.options) if last.kind == AGREED else None
    with refusing_absurd_values(document.game, "what is on file"):
        filed = {seat: unpack_items(game.order_type, items) for seat, items in document.filed.items()}
    position = GamePosition(
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
        # Whoever is to be told of it is told when the game is taken in.
        timing=replace_fields(document.timing, correction=None),
        played=played,
        by_hand=len(document.log) - dice_number_after(document.entries),
        forced=forced,
        pepper=secrets.token_bytes(PEPPER_BYTES),
        proven=rules_version(game),
    )
    return position, log


def _deeds(game: Game, document: GameExport, position: GamePosition) -> Sequence[AnyPersonAction]:
    """Return what people did, as actions to be done again in the new database."""
    name, now = document.game, document.log[-1].entry.at
    turn = game.rules.turn(position.state).short
    voting = position.is_running and not position.agreed
    return [
        # Whoever wrote the file is not to have us post anywhere.
        SetCustoms(by=GAME_IMPORTER, game=name, customs=replace_fields(document.customs, forum="")),
        *(
            SendPress(by=GAME_IMPORTER, game=name, press=press, key=f"{name}/import/{number}")
            for number, press in enumerate(document.press)
        ),
        *(
            NoteAbsence(by=GAME_IMPORTER, game=name, seat=absence.seat, absence=absence)
            for absence in document.absences
        ),
        *(CastVote(by=GAME_IMPORTER, game=name, turn=turn, vote=vote) for vote in document.votes if voting),
        *(OfferSeat(by=GAME_IMPORTER, game=name, seat=seat, at=now) for seat in document.vacancies),
        *(Watch(by=GAME_IMPORTER, game=name, address=address) for address in document.observers),
        *(KeepChoice(by=GAME_IMPORTER, game=name, choice=choice) for choice in document.letters),
    ]
