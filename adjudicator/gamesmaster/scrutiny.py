"""Whether a document is of a game that could have been played here; asked before it is believed.

Its form was checked when it was read. What follows is what `gm game new`, `gm seat assign` and `gm game
terms` ask of the same things, and what a log of ours cannot be otherwise.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from adjudicator.errors import Refusal
from adjudicator.gamesmaster.conduct import check_unused, player_address
from adjudicator.gamesmaster.document import Export
from adjudicator.house import House
from adjudicator.ledger.overrides import KINDS, PLAYED
from adjudicator.ledger.positions import Chair
from adjudicator.ledger.society import GAMESMASTER
from adjudicator.referee.bots import chosen
from adjudicator.settings.terms import LENGTHS, LONGEST, terms_of, written
from adjudicator.signs.passwords import is_sealed
from adjudicator.store.endings import KIND as AGREED
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
def doubting(name: str, what: str) -> Iterator[None]:
    """Turn whatever a game stumbles over in somebody else's values into a Refusal that says where."""
    try:
        yield
    except Invalid as fault:
        raise Refusal(f"game {name}", f"{what}: {fault.what}: {fault.why}", fault.instead) from fault
    except Malformed as fault:
        raise Refusal(f"game {name}", f"{what}: {fault}") from fault
    except _ABSURD as fault:
        told = f"{type(fault).__name__}: {fault}".rstrip(": ")
        raise Refusal(f"game {name}", f"{what}: that can be in no game ({told})") from fault


def scrutinise(house: House, game: Game, document: Export) -> None:
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


def _whole(document: Export) -> None:
    secret = bytes.fromhex(document.secret or "")
    if commitment(secret) != document.commitment:
        raise Refusal("commitment", "is not the SHA-256 of the secret of the dice")


def _log(document: Export) -> None:
    last = -1
    for place, entry in enumerate(document.entries):
        where = f"log[{place}]"
        if entry.kind not in (*PLAYED, AGREED, *KINDS) or (entry.kind == "setup") != (place == 0):
            raise Refusal(where, f"no entry of kind {entry.kind} can stand there")
        if entry.number <= last:
            raise Refusal(where, f"is entry {entry.number}, which does not come after entry {last}")
        last = entry.number


def _options(game: Game, document: Export) -> None:
    given = document.entries[0].options
    with doubting(document.game, "its options"):
        settled = settle(game.about.options, given)
    for name, value in given.items():
        if type(settled[name]) is not type(value) or settled[name] != value:
            raise Refusal(f"option {name}", f"{value!r} is not how it is kept", f"{settled[name]!r} would be")


def _seats(game: Game, document: Export) -> frozenset[str]:
    with doubting(document.game, "its options"):
        wanted = sorted(game.about.seats(document.entries[0].options))
    if sorted(one.seat for one in document.seats) != wanted:
        raise Refusal("seats", "are not those of this kind of game", f"it has: {', '.join(wanted)}")
    return frozenset(wanted)


def _chair(house: House, game: Game, chair: Chair) -> None:
    where = f"seat {chair.seat}"
    if chair.address is not None:
        _address(house, where, chair.address)
    if chair.password is not None and not is_sealed(chair.password):
        raise Refusal(where, "its password is not kept as this program keeps passwords", "leave it out: null")
    try:
        known = chosen(game, chair.bot, chair.temper) == (chair.bot, chair.temper)
    except Invalid as fault:
        raise Refusal(where, f"{fault.what}: {fault.why}", fault.instead) from fault
    if not known:
        raise Refusal(where, "its bot is not named as this program names them")


def _address(house: House, where: str, address: str) -> None:
    try:
        checked = player_address(house, address)
    except Refusal as fault:
        raise Refusal(where, f"{fault.what!r} {fault.why}", fault.instead) from fault
    if checked != address:
        raise Refusal(where, f"{address!r} is not how that address is kept", f"write {checked}")


def _terms(document: Export) -> None:
    deadlines = document.deadlines
    for kind, length in deadlines.lengths.items():
        if kind not in LENGTHS or not 0 < length <= LONGEST:
            raise Refusal("deadlines", f"{kind}: {length} is no length of a turn", "a year is the longest")
    with doubting(document.game, "its deadlines"):
        kept = terms_of(written(deadlines))
        for name in deadlines.__struct_fields__:
            if name != "lengths" and getattr(kept, name) != getattr(deadlines, name):
                raise Refusal("deadlines", f"{name}: {getattr(deadlines, name)!r} is not how it is kept")


def _people(house: House, document: Export, seats: frozenset[str]) -> None:
    log = list(enumerate(document.entries))
    named: list[tuple[str, Any]] = [
        *((f"log[{place}].orders", seat) for place, entry in log for seat in entry.orders),
        *((f"log[{place}].reasons", seat) for place, entry in log for seat in entry.reasons),
        *((f"log[{place}].silent", seat) for place, entry in log for seat in entry.silent),
        *(("filed", seat) for seat in document.filed),
        *(("absences", one.seat) for one in document.absences),
        *(("votes", one.seat) for one in document.votes),
        *(("votes", one.to) for one in document.votes if one.to is not None),
        *(("vacancies", seat) for seat in document.vacancies),
        *(("letters", one.seat) for one in document.letters),
        *(("timing.loans", seat) for seat in document.timing.loans),
        *(("press", one.seat) for one in document.press if one.seat is not None),
        *(("press", seat) for one in document.press for seat in one.to or () if seat != GAMESMASTER),
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
    for one in document.press:
        if one.kind not in ("white", "grey"):
            raise Refusal("press", f"there is none of kind {one.kind}", "there are: white, grey")
    for minute in document.minutes:
        if minute.game != document.game:
            raise Refusal("minutes", f"one of them is of the game {minute.game}")
