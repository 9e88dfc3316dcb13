"""Towards whom a nation leans: its natural partners, and whom it has a truce with.

Who is leant towards is attacked last: only where no centre of anybody else is left to win. A leaning is read
off the view each time anew, and nothing is remembered: it is over while its cause to end is there.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from games.diplomacy.adjudication.retreats import survivors
from games.diplomacy.boards.board import Board
from games.diplomacy.model import Province, View
from games.protocol import Seat
from games.record import Record

DEFAULT_LEAD = 4
"""So many centres more than oneself a friend may not have, unless a temperament says otherwise."""

CENTRES_SHORT_OF_VICTORY = 3
"""Who lacks so many centres at most to win is everybody's enemy."""

GROWN = 3
"""Who owns one in so many of the centres that it takes to win is nobody's friend without a word given."""

Ending = Literal["took", "stands", "wins", "leads", "grown", "last"]
"""Why a leaning is over: the other owns a centre that was ours from the start; stands in one that we own; is
about to win, and ahead of us; is ahead by the lead; is a partner by nature alone, and has grown; or everybody
who is left is leant towards, and somebody has to win."""


class Pact(Record, frozen=True, kw_only=True):
    """The agreements of a nation with others in press.

    truces: with whom; foes: nations, and targets: provinces, that it attacks together with somebody;
    empty: provinces that it and somebody leave empty.
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
    """The powers that lack few centres to win, if any."""
    count = Counter(view.centres.values())
    return frozenset(
        power
        for power, owned in count.items()
        if owned >= board.chart.victory.enough - CENTRES_SHORT_OF_VICTORY
    )


def _has_grown(board: Board, owned: int) -> bool:
    return owned * GROWN >= board.chart.victory.centres


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
