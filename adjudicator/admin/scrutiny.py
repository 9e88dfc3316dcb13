"""Checks that a document is of a game that could have been played here, before it is imported."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adjudicator.admin.document import GameExport
from adjudicator.admin.game_admin import check_unused, player_address
from adjudicator.auth.passwords import is_sealed
from adjudicator.config.terms import LENGTH_KEYS, MAX_SETTING_LENGTH_MS, read_deadlines, write_deadlines
from adjudicator.errors import Refusal
from adjudicator.model.games import SeatAssignment
from adjudicator.model.overrides import OVERRIDE_KINDS, PLAYED_KINDS
from adjudicator.model.people import GAMESMASTER_SEAT
from adjudicator.service import Service
from adjudicator.storage.endings import END_ENTRY_KIND as AGREED
from adjudicator.turns.bots import parse_bot_choice
from games.dice import commitment
from games.options import settle
from games.protocol import Game, Invalid
from games.record import Malformed

_ABSURD = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What comes of values that fit their types and that no game ever has: a place that is on no map, say."""


@contextmanager
def refusing_absurd_values(name: str, what: str) -> Iterator[None]:
    """Turn whatever a game stumbles over in somebody else's values into a Refusal that says where."""
    try:
        yield
    except Invalid as fault:
        raise Refusal(f"game {name}", f"{what}: {fault.what}: {fault.why}", fault.instead) from fault
    except Malformed as fault:
        raise Refusal(f"game {name}", f"{what}: {fault}") from fault
    except _ABSURD as fault:
        fault_text = f"{type(fault).__name__}: {fault}".rstrip(": ")
        raise Refusal(f"game {name}", f"{what}: that can be in no game ({fault_text})") from fault


def scrutinise(house: Service, game: Game, document: GameExport) -> None:
    """Raise Refusal naming the first thing in a document that could not have come about here."""
    check_unused(house, document.game)
    _whole(document)
    _log(document)
    _options(game, document)
    seats = _seats(game, document)
    for chair in document.seats:
        _chair(house, game, chair)
    _terms(document)
    _people(house, document, seats)


def _whole(document: GameExport) -> None:
    secret = bytes.fromhex(document.secret or "")
    if commitment(secret) != document.commitment:
        raise Refusal("commitment", "is not the SHA-256 of the secret of the dice")


def _log(document: GameExport) -> None:
    last = -1
    for place, entry in enumerate(document.entries):
        where = f"log[{place}]"
        if entry.kind not in (*PLAYED_KINDS, AGREED, *OVERRIDE_KINDS) or (entry.kind == "setup") != (
            place == 0
        ):
            raise Refusal(where, f"no entry of kind {entry.kind} can stand there")
        if entry.number <= last:
            raise Refusal(where, f"is entry {entry.number}, which does not come after entry {last}")
        last = entry.number


def _options(game: Game, document: GameExport) -> None:
    given = document.entries[0].options
    with refusing_absurd_values(document.game, "its options"):
        settled = settle(game.about.options, given)
    for name, value in given.items():
        if type(settled[name]) is not type(value) or settled[name] != value:
            raise Refusal(f"option {name}", f"{value!r} is not how it is kept", f"{settled[name]!r} would be")


def _seats(game: Game, document: GameExport) -> frozenset[str]:
    with refusing_absurd_values(document.game, "its options"):
        wanted = sorted(game.about.seats(document.entries[0].options))
    if sorted(chair.seat for chair in document.seats) != wanted:
        raise Refusal("seats", "are not those of this kind of game", f"it has: {', '.join(wanted)}")
    return frozenset(wanted)


def _chair(house: Service, game: Game, chair: SeatAssignment) -> None:
    where = f"seat {chair.seat}"
    if chair.address is not None:
        _address(house, where, chair.address)
    if chair.password is not None and not is_sealed(chair.password):
        raise Refusal(where, "its password is not kept as this program keeps passwords", "leave it out: null")
    try:
        known = parse_bot_choice(game, chair.bot, chair.temper) == (chair.bot, chair.temper)
    except Invalid as fault:
        raise Refusal(where, f"{fault.what}: {fault.why}", fault.instead) from fault
    if not known:
        raise Refusal(where, "its bot is not named as this program names them")


def _address(house: Service, where: str, address: str) -> None:
    try:
        checked = player_address(house, address)
    except Refusal as fault:
        raise Refusal(where, f"{fault.what!r} {fault.why}", fault.instead) from fault
    if checked != address:
        raise Refusal(where, f"{address!r} is not how that address is kept", f"write {checked}")


def _terms(document: GameExport) -> None:
    deadlines = document.deadlines
    for kind, length in deadlines.lengths.items():
        if kind not in LENGTH_KEYS or not 0 < length <= MAX_SETTING_LENGTH_MS:
            raise Refusal("deadlines", f"{kind}: {length} is no length of a turn", "a year is the longest")
    with refusing_absurd_values(document.game, "its deadlines"):
        kept = read_deadlines(write_deadlines(deadlines))
        for name in deadlines.__struct_fields__:
            if name != "lengths" and getattr(kept, name) != getattr(deadlines, name):
                raise Refusal("deadlines", f"{name}: {getattr(deadlines, name)!r} is not how it is kept")


def _people(house: Service, document: GameExport, seats: frozenset[str]) -> None:
    log = list(enumerate(document.entries))
    named: list[tuple[str, Any]] = [
        *((f"log[{place}].orders", seat) for place, entry in log for seat in entry.orders),
        *((f"log[{place}].reasons", seat) for place, entry in log for seat in entry.reasons),
        *((f"log[{place}].silent", seat) for place, entry in log for seat in entry.silent),
        *(("filed", seat) for seat in document.filed),
        *(("absences", absence.seat) for absence in document.absences),
        *(("votes", vote.seat) for vote in document.votes),
        *(("votes", vote.to) for vote in document.votes if vote.to is not None),
        *(("vacancies", seat) for seat in document.vacancies),
        *(("letters", choice.seat) for choice in document.letters),
        *(("timing.loans", seat) for seat in document.timing.loans),
        *(("press", dispatch.seat) for dispatch in document.press if dispatch.seat is not None),
        *(
            ("press", seat)
            for dispatch in document.press
            for seat in dispatch.to or ()
            if seat != GAMESMASTER_SEAT
        ),
    ]
    for where, seat in named:
        if seat not in seats:
            raise Refusal(where, f"there is no seat {seat}", f"there are: {', '.join(sorted(seats))}")
    for loan in document.timing.loans.values():
        for address in (loan.owner, loan.substitute):
            _address(house, "timing.loans", address)
        if loan.password is not None and not is_sealed(loan.password):
            raise Refusal("timing.loans", "a password is not kept as this program keeps passwords")
    for address in document.observers:
        _address(house, "observers", address)
    for choice in document.letters:
        _address(house, "letters", choice.address)
    for dispatch in document.press:
        if dispatch.kind not in ("white", "grey"):
            raise Refusal("press", f"there is none of kind {dispatch.kind}", "there are: white, grey")
    for minute in document.minutes:
        if minute.game != document.game:
            raise Refusal("minutes", f"one of them is of the game {minute.game}")
