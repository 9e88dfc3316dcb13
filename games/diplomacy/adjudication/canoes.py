"""Canoe-fleets: who arrives in one, where one is built, how many lie where after a season.

A canoe-fleet moves by stealth: it draws back from whoever is in its way, and nobody is hurt. So a move in one
neither attacks nor is supported; it only asks whether its goal is free. Yet it is decided together with the
fighting, through the same questions: a canoe that leaves may open a province, and a walker who fails to leave
keeps one out.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from games.diplomacy.adjudication.afloat import is_by_canoe
from games.diplomacy.adjudication.season import Ask, PreparedSeason
from games.diplomacy.boards.board import Board
from games.diplomacy.events import CanoesTaken
from games.diplomacy.model import AnyOrder, BuildCanoe, Destroy, Move, Province, State, Unit


def arrives(season: PreparedSeason, ask: Ask, place: int) -> bool | None:
    """Return whether a canoe-fleet from a province reaches its goal; None while that depends on itself.

    It does if no walker aims there, no other canoe-fleet does, and the goal is empty or really left by who
    stands there, unless the two would change places.

    Source: Indianomacy §6 (1.14, 1.15); rulings C7, C8, C9 (Rulebook.standoffs), C10, C15, C17, H6.
    """
    goal = season.goal[place]
    if len(season.landing[goal]) > 1:
        return False
    walkers = season.aimed.get(goal, ())
    if walkers and season.rulebook.standoffs == "bar-canoes":
        return False
    kept_out = _any_succeeds(ask, walkers)
    if kept_out:
        return False
    free = _is_left(season, ask, place, goal)
    return None if free and kept_out is None else free


def _is_left(season: PreparedSeason, ask: Ask, place: int, goal: int) -> bool | None:
    if season.nation[goal] is None:
        return True
    return False if season.goal.get(goal) in (None, place) else ask(goal)


def _any_succeeds(ask: Ask, places: Iterable[int]) -> bool | None:
    """Return whether one of some orders succeeds; None while that is open."""
    answers = [ask(place) for place in places]
    if True in answers:
        return True
    return None if None in answers else False


def interrupted_builds(season: PreparedSeason) -> dict[int, list[int]]:
    """Return the provinces in which building a canoe-fleet is interrupted, in board order, and by which."""
    if not season.builders:
        return {}
    interrupters = {place: build_interrupters(season, place) for place in sorted(season.builders)}
    return {place: several for place, several in interrupters.items() if several}


def build_interrupters(season: PreparedSeason, place: int) -> list[int]:
    """Return the provinces whose units attack the builder of a canoe-fleet, in board order.

    Source: Indianomacy §6 (1.11); rulings N6 (Rulebook.attacked) and C11.
    """
    walkers = season.aimed.get(place, ())
    if season.rulebook.attacked == "anyone":
        return sorted(walkers + season.landing.get(place, ()))
    return sorted(walker for walker in walkers if season.nation[walker] != season.nation[place])


@dataclass(frozen=True)
class Contradiction:
    """A destruction and a carrying order that cannot both be done: only one canoe-fleet is there."""

    destroy: Destroy
    carry: Move


def contradictions(
    canoes: Mapping[Province, int],
    orders: Mapping[Province, AnyOrder],
    destructions: Mapping[Province, Destroy],
) -> tuple[Contradiction, ...]:
    """The pairs of which only one order can stand. orders, destructions: by province, lawful ones.

    Source: Indianomacy §7, §8; ruling D2, and Rulebook.destruction for which of the two it is.
    """
    pairs = []
    for at, destroy in destructions.items():
        order = orders.get(at)
        if isinstance(order, Move) and order.canoe and canoes[at] == 1:
            pairs.append(Contradiction(destroy, order))
    return tuple(pairs)


def canoes_left(
    board: Board,
    state: State,
    orders: Mapping[Province, AnyOrder],
    destroyed: Collection[Province],
    moved: Mapping[Province, Province],
    spoilt: Collection[Province],
) -> dict[Province, int]:
    """Return how many canoe-fleets lie in each province after the season, in board order.

    orders: those that stood, by the province of the unit; destroyed: where one was; moved: from where to
    where; spoilt: where building came to nothing. A canoe-fleet on the water has its War Party in it and
    is not counted.

    Source: Indianomacy §6, §7 (1.11 to 1.13, 1.17); rulings C1, C4, C5, C18, D1, D3.
    """
    stock = dict(state.canoes)
    for at in destroyed:
        stock[at] -= 1
    for at, order in orders.items():
        if isinstance(order, BuildCanoe) and at not in spoilt:
            stock[at] = stock.get(at, 0) + 1
        elif at in moved and isinstance(order, Move) and is_by_canoe(board, order):
            for shore, change in ((at, -1), (order.to, 1)):
                if board.is_land(shore):
                    stock[shore] = stock.get(shore, 0) + change
    return {place: stock[place] for place in board.in_board_order(stock) if stock[place]}


def prizes(
    stock: Mapping[Province, int], beaten: Mapping[Province, Province], before: Mapping[Province, Unit]
) -> tuple[CanoesTaken, ...]:
    """The canoe-fleets that fell to a victor. stock: those left over; beaten: who was driven out, and whence.

    Source: Indianomacy §8 (1.18); ruling D6.
    """
    return tuple(
        CanoesTaken(at=at, count=stock[at], was=before[at], now=before[by])
        for at, by in beaten.items()
        if at in stock
    )
