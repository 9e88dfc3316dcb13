"""The nations that a nation leans towards: its natural partners, and those that it has a truce with.

A friend is attacked last: only if no other nation's centres are left to win. A leaning is computed from the
view each time, and nothing is stored. It is over while the cause of its end is there.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from games.diplomacy.adjudication.retreats import survivors
from games.diplomacy.adjudication.victory import centres_to_win
from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province, View
from games.protocol import Seat
from games.record import Record

DEFAULT_LEAD = 4
"""If a friend has this many centres more, the friendship ends, unless a temperament says otherwise."""

CENTRES_SHORT_OF_VICTORY = 3
"""If a nation lacks at most this many centres to win, everyone is its enemy."""

GROWN = 3
"""A natural partner with one in this many of the centres that it takes to win needs a truce to stay a
friend."""

Ending = Literal["took", "stands", "wins", "leads", "grown", "last"]
"""Why a leaning is over: the other nation owns a centre that was this one's from the start ("took"), has a
unit in one of its centres ("stands"), is about to win and ahead of it ("wins"), leads it by too much
("leads"), or is only a natural partner and has grown ("grown"). "last": all survivors are friends, and one
has to win."""


class Pact(Record, frozen=True, kw_only=True):
    """The agreements of a nation with others in press.

    truces: the nations that it has a truce with; foes, targets: the nations and provinces that it attacks
    together with another; empty: the provinces that it and another leave empty.
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
    lead: int = DEFAULT_LEAD,
    partners: Sequence[Seat] | None = None,
) -> tuple[Leaning, ...]:
    """Return a seat's leanings towards the survivors, natural partners first, each once.

    lead: with this many centres more than the seat, another nation stops being a friend; partners: the
    friends before any agreement, None for all natural partners. A truce counts more than nature.

    Source: Indianomacy, designer's hints (1.22): the natural partners.
    """
    causes: dict[Seat, Literal["partner", "truce"]] = {}
    for other in pact.truces:
        causes[other] = "truce"
    for other in board.powers[seat].partners if partners is None else partners:
        causes[other] = "partner"
    if not causes:
        return ()
    remaining = survivors(board, view)
    leant = sorted(
        (nation for nation in causes if nation in remaining and nation != seat), key=remaining.index
    )
    leant.sort(key=lambda nation: causes[nation] != "partner")
    count = Counter(view.centres.values())
    all_leanings = [
        Leaning(
            towards=nation,
            cause=causes[nation],
            ended=_ending_cause(board, view, seat, nation, count, lead)
            or ("grown" if nation not in pact.truces and _has_grown(board, count[nation]) else None),
        )
        for nation in leant
    ]
    friends = [leaning for leaning in all_leanings if leaning.ended is None]
    if friends and len(friends) == len([nation for nation in remaining if nation != seat]):
        return tuple(
            Leaning(towards=leaning.towards, cause=leaning.cause, ended="last") for leaning in all_leanings
        )
    return tuple(all_leanings)


def current_friends(
    board: Board,
    view: View,
    seat: Seat,
    pact: Pact = NO_PACT,
    lead: int = DEFAULT_LEAD,
    partners: Sequence[Seat] | None = None,
) -> tuple[Seat, ...]:
    """Return the seats that a seat leans towards now. Arguments as for `leanings`."""
    return tuple(
        leaning.towards
        for leaning in leanings(board, view, seat, pact, lead, partners)
        if leaning.ended is None
    )


def about_to_win(board: Board, view: View) -> frozenset[Seat]:
    """Return the powers that lack few centres to win."""
    count = Counter(view.centres.values())
    return frozenset(
        power
        for power, owned in count.items()
        if owned >= centres_to_win(board, view, power) - CENTRES_SHORT_OF_VICTORY
    )


def _has_grown(board: Board, owned: int) -> bool:
    return owned * GROWN >= board.usual_goal


def _ending_cause(
    board: Board, view: View, seat: Seat, other: Seat, count: Counter[Seat], lead: int
) -> Ending | None:
    if any(view.centres.get(centre) == other for centre in board.powers[seat].centres):
        return "took"
    if any(unit.power == other and view.centres.get(unit.at) == seat for unit in view.units):
        return "stands"
    if other in about_to_win(board, view) and count[other] > count[seat]:
        return "wins"
    return "leads" if count[other] - count[seat] >= lead else None
