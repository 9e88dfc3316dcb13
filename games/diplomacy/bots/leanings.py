"""Towards whom a nation leans: its natural partners, and whom it has a truce with.

Who is leant towards is attacked last: only where no centre of anybody else is left to win. A leaning is read
off the view each time anew, and nothing is remembered: it is over while its cause to end is there.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from games.diplomacy.board import Board
from games.diplomacy.model import Province, View
from games.diplomacy.survivors import survivors
from games.protocol import Seat
from games.record import Record

LEAD = 4
"""So many centres more than oneself a friend may not have, unless a temperament says otherwise."""

NEARLY = 3
"""Who lacks so many centres at most to win is everybody's enemy."""

GROWN = 3
"""Who owns one in so many of the centres that it takes to win is nobody's friend without a word given."""

Ending = Literal["took", "stands", "wins", "leads", "grown", "last"]
"""Why a leaning is over: the other owns a centre that was ours from the start; stands in one that we own; is
about to win, and ahead of us; is ahead by the lead; is a partner by nature alone, and has grown; or everybody
who is left is leant towards, and somebody has to win."""


class Pact(Record, frozen=True, kw_only=True):
    """What a nation has agreed to with others in press.

    truces: with whom; foes: nations, and targets: provinces, that it attacks together with somebody; empty:
    provinces that it and somebody leave empty.
    """

    truces: tuple[Seat, ...] = ()
    foes: tuple[Seat, ...] = ()
    targets: tuple[Province, ...] = ()
    empty: tuple[Province, ...] = ()


NO_PACT = Pact()


class Leaning(Record, frozen=True, kw_only=True):
    """One nation's leaning towards another. ended: why it is over, None while it lasts."""

    towards: Seat
    cause: Literal["partner", "truce"]
    ended: Ending | None = None


def leanings(
    board: Board,
    view: View,
    seat: Seat,
    pact: Pact = NO_PACT,
    lead: int = LEAD,
    partners: Sequence[Seat] | None = None,
) -> tuple[Leaning, ...]:
    """A seat's leanings towards those who are still in the game, natural partners first, each once.

    lead: how many centres more than the seat somebody must have to be no friend any longer; partners: who is
    leant towards before a word is given, None for all natural partners. A truce counts more than nature.

    Source: Indianomacy, designer's hints (1.22): the natural partners.
    """
    causes: dict[Seat, Literal["partner", "truce"]] = {}
    for other in pact.truces:
        causes[other] = "truce"
    for other in board.powers[seat].partners if partners is None else partners:
        causes[other] = "partner"
    if not causes:
        return ()
    left = survivors(board, view)
    leant = sorted((one for one in causes if one in left and one != seat), key=left.index)
    leant.sort(key=lambda one: causes[one] != "partner")
    count = Counter(view.centres.values())
    found = [
        Leaning(
            towards=one,
            cause=causes[one],
            ended=_ended(board, view, seat, one, count, lead)
            or ("grown" if one not in pact.truces and _has_grown(board, count[one]) else None),
        )
        for one in leant
    ]
    friends = [one for one in found if one.ended is None]
    if friends and len(friends) == len([one for one in left if one != seat]):
        return tuple(Leaning(towards=one.towards, cause=one.cause, ended="last") for one in found)
    return tuple(found)


def friends(
    board: Board,
    view: View,
    seat: Seat,
    pact: Pact = NO_PACT,
    lead: int = LEAD,
    partners: Sequence[Seat] | None = None,
) -> tuple[Seat, ...]:
    """Towards whom a seat leans now. Arguments as for `leanings`."""
    return tuple(
        one.towards for one in leanings(board, view, seat, pact, lead, partners) if one.ended is None
    )


def about_to_win(board: Board, view: View) -> frozenset[Seat]:
    """The powers that lack few centres to win, if any."""
    count = Counter(view.centres.values())
    return frozenset(one for one, owned in count.items() if owned >= board.chart.victory.enough - NEARLY)


def _has_grown(board: Board, owned: int) -> bool:
    return owned * GROWN >= board.chart.victory.centres


def _ended(
    board: Board, view: View, seat: Seat, other: Seat, count: Counter[Seat], lead: int
) -> Ending | None:
    if any(view.centres.get(centre) == other for centre in board.powers[seat].centres):
        return "took"
    if any(unit.power == other and view.centres.get(unit.at) == seat for unit in view.units):
        return "stands"
    if other in about_to_win(board, view) and count[other] > count[seat]:
        return "wins"
    return "leads" if count[other] - count[seat] >= lead else None
