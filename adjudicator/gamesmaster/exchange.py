"""A game as one JSON document: to be kept, to be proved by others, and to go on in another installation.

The document holds all that the books know of the game: its log with orders, dice, overrides and states, what
is on file, its seats and clock, its press. docs/export.schema.json describes it; `turnpost` is its version.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import games
from adjudicator.clock import Millis, moment
from adjudicator.errors import Refusal
from adjudicator.gamesmaster.conduct import position_of
from adjudicator.house import House
from adjudicator.kinds import kind_named
from adjudicator.ledger.deeds import CastVote, Deed, NoteAbsence, OfferSeat, SendPress, SetCustoms, Watch
from adjudicator.ledger.hours import Deadlines, Timing
from adjudicator.ledger.pigeonhole import packed, unpacked
from adjudicator.ledger.positions import Chair, Entry, Position
from adjudicator.ledger.society import Absence, Customs, Press, Vote
from adjudicator.referee.bots import DRAWN, Bots
from adjudicator.referee.deadlines import next_deadline
from adjudicator.referee.edits import cast, line, pending
from adjudicator.referee.log import replay
from adjudicator.referee.proof import Proof, prove_dice
from adjudicator.store import arrivals, clocks
from adjudicator.store import games as book_of_games
from adjudicator.store.clocks import Minute
from adjudicator.store.endings import KIND as AGREED
from games.dice import commitment
from games.protocol import Game, Result, Seat
from games.record import Malformed, Record, canonical, changed, load, plain, revive

VERSION = 1
BY = "import"


class Logged(Record, frozen=True, kw_only=True):
    """An entry of the log, and the state after it."""

    entry: Entry
    state: Any


class Export(Record, frozen=True, kw_only=True):
    """A whole game. Instants are milliseconds UTC.

    turnpost: the version of this format; written: when, in ISO 8601; head: the SHA-256 of the last entry;
    commitment: the SHA-256 of the secret of the dice, which is in hexadecimal, and null in a public export
    of a game that is not over; public: whether what concerns people alone was left out (addresses, passwords,
    orders on file, press that is not for all): such a document proves a game, and cannot be imported.
    """

    turnpost: Literal[1] = 1
    game: str
    kind: str
    written: str
    public: bool = False
    status: str
    deadline: Millis | None
    early: bool
    deadlines: Deadlines
    timing: Timing
    commitment: str
    secret: str | None
    seats: tuple[Chair, ...]
    filed: dict[str, tuple[Any, ...]]
    log: tuple[Logged, ...]
    head: str
    customs: Customs
    press: tuple[Press, ...]
    absences: tuple[Absence, ...] = ()
    votes: tuple[Vote, ...] = ()
    vacancies: tuple[Seat, ...] = ()
    observers: tuple[str, ...] = ()
    minutes: tuple[Minute, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The log without its states."""
        return tuple(one.entry for one in self.log)


def export(house: House, name: str, *, public: bool = False) -> Export:
    """A game as it stands, whole; public: without what concerns people alone."""
    with house.database.reading():
        position = position_of(house, name)
        log = book_of_games.log(house.database, name)
        society = house.books.society
        whole = Export(
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
            filed={str(seat): packed(items) for seat, items in position.filed.items()},
            log=tuple(Logged(entry=entry, state=json.loads(state)) for entry, state in log),
            head=position.head_sha,
            customs=society.customs(name),
            press=society.press(name),
            absences=society.absences(name),
            votes=tuple(society.votes(name).values()),
            vacancies=society.vacancies(name),
            observers=society.observers(name),
            minutes=clocks.minutes(house.database, name),
        )
    return _for_all(whole) if public else whole


def _for_all(whole: Export) -> Export:
    """The document without what concerns people alone."""
    over = whole.status == "finished"
    hidden = games.kinds()[whole.kind].about.hidden and not over
    if hidden:
        raise Refusal(
            f"game {whole.game}",
            "seats see different things in it, so that its log is no public matter before its end",
            "wait until it is over",
        )
    return changed(
        whole,
        public=True,
        secret=whole.secret if over else None,
        seats=tuple(
            Chair(seat=one.seat, bot=one.bot, temper=one.temper, missed=one.missed) for one in whole.seats
        ),
        filed={},
        press=tuple(one for one in whole.press if one.to is None),
        absences=(),
        votes=(),
        observers=(),
        minutes=(),
    )


def written(document: Export) -> bytes:
    """A document as it is saved: UTF-8 JSON, an entry a line or more."""
    return json.dumps(plain(document), ensure_ascii=False, indent=1).encode() + b"\n"


def is_ours(raw: bytes) -> bool:
    """Whether a file is meant to be such a document, and not another program's."""
    return raw.lstrip().startswith(b"{") and b'"turnpost"' in raw


def read(raw: bytes, place: str) -> Export:
    """The document that a file holds. place: the file's name. Raises Refusal for anything else."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as fault:
        raise Refusal(place, f"is no JSON: {fault}", "give what  gm game export  wrote") from fault
    if not isinstance(value, dict) or "turnpost" not in value:
        raise Refusal(place, "is no export of a game", "give what  gm game export  wrote")
    if value["turnpost"] != VERSION:
        raise Refusal(place, f"is of version {value['turnpost']}", f"this program reads version {VERSION}")
    try:
        found: Export = load(Export, json.dumps(value).encode())
    except Malformed as fault:
        raise Refusal(place, f"is damaged: {fault}") from fault
    return found


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
    position, log = _position(game, document)
    found = replay(game, document.game, position.secret, log, document.head)
    if found.fault is not None:
        raise Refusal(f"game {document.game}", f"its log does not hold: {found.fault}")
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
    arrivals.bring_in(house.database, position, log, _deeds(game, document, position), minutes, letters, now)
    return position_of(house, document.game)


def _position(game: Game, document: Export) -> tuple[Position, list[tuple[Entry, bytes]]]:
    try:
        log = [(one.entry, canonical(revive(game.state_type, one.state))) for one in document.log]
        filed = {Seat(seat): unpacked(game.order_type, items) for seat, items in document.filed.items()}
        secret = bytes.fromhex(document.secret or "")
        state = load(game.state_type, log[-1][1])
    except (Malformed, ValueError, KeyError, IndexError) as fault:
        raise Refusal(f"game {document.game}", f"its document is damaged: {fault}") from fault
    last = log[-1][0]
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
        secret=secret,
        agreed=revive(Result, last.options) if last.kind == AGREED else None,
        timing=document.timing,
        played=sum(entry.kind == "turn" for entry in line(document.entries)),
        by_hand=len(document.log) - cast(document.entries),
        forced=pending(document.entries),
    )
    return position, log


def _deeds(game: Game, document: Export, position: Position) -> Sequence[Deed]:
    """What people did, to be done again in the new books."""
    name, now = document.game, document.log[-1].entry.at
    turn = game.rules.turn(position.state).short
    voting = position.running and not position.agreed
    return [
        SetCustoms(by=BY, game=name, customs=document.customs),
        *(
            SendPress(by=BY, game=name, press=press, key=f"{name}/import/{number}")
            for number, press in enumerate(document.press)
        ),
        *(NoteAbsence(by=BY, game=name, seat=one.seat, absence=one) for one in document.absences),
        *(CastVote(by=BY, game=name, turn=turn, vote=vote) for vote in document.votes if voting),
        *(OfferSeat(by=BY, game=name, seat=seat, at=now) for seat in document.vacancies),
        *(Watch(by=BY, game=name, address=address) for address in document.observers),
    ]
