"""The orders of a turn that is due: saved orders, bots' orders, defaults, or missing ones."""

from collections.abc import Collection, Mapping, Sequence

from adjudicator.messages import sentence
from adjudicator.model.games import SeatAssignment
from adjudicator.model.orders_on_file import (
    Filing,
    Item,
    accepted_items,
    is_flag,
    is_flagged,
    is_sent_ahead,
    items_after_turn,
    later_items,
    slot_of,
    weigh,
)
from adjudicator.turns.bots import GameBots
from games.dice import Dice
from games.protocol import Due, Game, Order, Seat, State
from games.record import Value


class GatheredOrders(Value, frozen=True):
    """All orders of a turn.

    left: the items that stay saved. reasons: the bots' reasons. silent: the seats of players without orders.
    passed: by seat, the orders that were dropped because their condition was false. stand_ins: by seat, why
    the game's own level ordered in place of the GM's own bot.
    """

    orders: Mapping[Seat, tuple[Order, ...]]
    left: Mapping[Seat, tuple[Item, ...]]
    reasons: Mapping[Seat, Mapping[str, str]] = {}
    silent: tuple[Seat, ...] = ()
    passed: Mapping[Seat, tuple[Filing, ...]] = {}
    stand_ins: Mapping[Seat, str] = {}


class DueTurn(Value, frozen=True):
    """A turn that is due: its state, its dues, the saved orders, and the players."""

    state: State
    dues: tuple[Due, ...]
    filed: Mapping[Seat, tuple[Item, ...]]
    assignments: Mapping[Seat, SeatAssignment]


class WaitingRule(Value, frozen=True):
    """The seats that a turn waits for, and the orders of players that sent nothing.

    ripe: the turn waits for no player any longer. Players that sent nothing are in civil disorder and get the
    default orders, or their bot's if `bots_help`. away: seats that aren't waited for, unless no other seat
    has orders due. If they have no saved orders, their bots play, and that doesn't count as missed.
    """

    ripe: bool
    away: frozenset[Seat] = frozenset()
    bots_help: bool = False


def missing_for_due(due: Due, orders: tuple[Order, ...]) -> tuple[str, ...]:
    """Return the orders that a due still lacks after these orders, in words. Empty if it lacks none."""
    slots = {order.slot for order in orders}
    if due.takes is None:
        return tuple(owed.name for owed in due.owes if owed.slot not in slots)
    wanting = due.takes - len(orders)
    if wanting <= 0:
        return ()
    return (sentence("reports.sheet.more", count=wanting, kind=due.kind),)


def has_all_orders(
    game: Game, state: State, due: Due, assignment: SeatAssignment, filed: tuple[Item, ...]
) -> bool:
    """Return whether a player has sent everything: an order for each thing due, or READY.

    Return False after WAIT, and if a line of their latest email was rejected. Orders sent ahead can wait for
    a confirmation.
    """
    if assignment.wait or is_flagged(filed):
        return False
    has_missing = missing_for_due(due, weigh(game, state, due, filed).orders)
    is_settled = not has_missing and not is_sent_ahead(game, state, due, filed)
    return assignment.ready or is_settled


def is_silent(
    game: Game, state: State, due: Due, assignment: SeatAssignment, filed: tuple[Item, ...]
) -> bool:
    """Return whether a player with orders due has sent nothing. An impossible order counts as sent."""
    return (
        not assignment.ready
        and bool(missing_for_due(due, ()))
        and not accepted_items(game, state, due, filed)
    )


def gather_orders(bots: GameBots, turn: DueTurn, patience: WaitingRule, dice: Dice) -> GatheredOrders | None:
    """Return the orders of every seat with orders due, or None while a player is waited for.

    bots: of the game; each has its own dice labels. dice: of the coming entry.
    """
    game, away = bots.game, patience.away
    state, dues, filed, assignments = turn.state, turn.dues, turn.filed, turn.assignments
    people = [due for due in dues if assignments[due.seat].is_person]
    here = [due for due in people if due.seat not in away]
    waits = not all(has_all_orders(game, state, d, assignments[d.seat], filed.get(d.seat, ())) for d in here)
    if not patience.ripe and (waits or (people and not here)):
        return None
    orders: dict[Seat, tuple[Order, ...]] = {}
    remaining: dict[Seat, tuple[Item, ...]] = {}
    passed: dict[Seat, tuple[Filing, ...]] = {}
    reasons: dict[Seat, dict[str, str]] = {}
    silent: list[Seat] = []
    stand_ins: dict[Seat, str] = {}
    for due in dues:
        seat, assignment = due.seat, assignments[due.seat]
        chosen: tuple[Order, ...] = ()
        mute = False
        if assignment.is_person:
            mine = remaining.get(seat, filed.get(seat, ()))
            weighed = weigh(game, state, due, mine)
            chosen, remaining[seat] = weighed.orders, weighed.rest
            passed[seat] = passed.get(seat, ()) + weighed.passed
            mute = not chosen and is_silent(game, state, due, assignment, mine)
            silent += [seat] if mute and seat not in (*silent, *away) else []
        if not assignment.is_person or (mute and (patience.bots_help or seat in away)):
            choices, failure = bots.choose(state, due, assignment, dice)
            if failure is not None:
                stand_ins[seat] = failure
            chosen = tuple(choice.order for choice in choices)
            why = {game.notation.write(choice.order): choice.reason for choice in choices}
            reasons[seat] = reasons.get(seat, {}) | why
        elif not chosen and not assignment.ready:
            chosen = game.rules.default(state, due)
        orders[seat] = orders.get(seat, ()) + chosen
    left: dict[Seat, tuple[Item, ...]] = {}
    for seat, rest in remaining.items():
        # The items for later turns stay, and queues for a number of orders.
        ahead = later_items(game, state, rest)
        if all(due.takes is None for due in dues if due.seat == seat):
            left[seat] = items_after_turn([*ahead, *(item for item in rest if is_flag(item))])
        else:
            left[seat] = items_after_turn([item for item in rest if slot_of(item) is None or item in ahead])
    return GatheredOrders(
        orders=orders,
        left=left,
        reasons=reasons,
        silent=tuple(silent),
        passed={seat: items for seat, items in passed.items() if items},
        stand_ins=stand_ins,
    )


# The assignment of seats to players that grants most wishes, with ties broken at random.


def assign_seats(
    wishes: Sequence[Sequence[Seat]],
    seats: Sequence[Seat],
    dice: Dice,
    earlier: Sequence[Collection[Seat]] = (),
) -> tuple[Seat, ...]:
    """Return a seat for each player, in their order.

    wishes: each player's favourite seats, the favourite first; a player without wishes takes any. The
    assignment has the smallest sum of positions in the players' lists; a seat not listed counts like the last
    possible position. Between equal assignments, random numbers decide which player chooses first. seats: at
    least as many as players. earlier: for each player, the seats that they had before and get no more, if
    there are others.
    """
    lots = dice.shuffle("seats/lots", tuple(range(len(wishes))))
    order = dice.shuffle("seats/order", tuple(seats))
    turn = {person: place for place, person in enumerate(lots)}
    costs = [
        _costs(liked, seats, order, (len(seats)) ** (len(wishes) - 1 - turn[person]), len(wishes))
        for person, liked in enumerate(wishes)
    ]
    # More than all wishes together, so that nobody gets an earlier seat for the sake of a wish.
    dear = (len(wishes) + 1) * max((max(row) for row in costs), default=0)
    for row, had in zip(costs, earlier, strict=False):
        row[:] = [cost + dear * (seat in had) for seat, cost in zip(seats, row, strict=True)]
    return tuple(seats[column] for column in cheapest_assignment(costs))


def _costs(
    liked: Sequence[Seat], seats: Sequence[Seat], order: Sequence[Seat], weight: int, people: int
) -> list[int]:
    """Return the cost of each seat for one player: first the wishes, then a digit for the order of choice."""
    unit = len(seats) ** people
    farthest = len(seats) if liked else 0
    rank = {seat: place for place, seat in enumerate(dict.fromkeys(liked))}
    chosen = sorted(seats, key=lambda seat: (rank.get(seat, len(seats)), order.index(seat)))
    return [rank.get(seat, farthest) * unit + chosen.index(seat) * weight for seat in seats]


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """Return a different column for each row with the smallest sum: the Hungarian method, exact in integers.

    costs: no more rows than columns.
    """
    rows, columns = len(costs), len(costs[0]) if costs else 0
    over_row, over_column = [0] * (rows + 1), [0] * (columns + 1)
    taken_by = [0] * (columns + 1)
    for row in range(1, rows + 1):
        _admit(row, costs, over_row, over_column, taken_by)
    assignment = [0] * rows
    for column in range(1, columns + 1):
        if taken_by[column]:
            assignment[taken_by[column] - 1] = column - 1
    return assignment


def _admit(
    row: int,
    costs: Sequence[Sequence[int]],
    over_row: list[int],
    over_column: list[int],
    taken_by: list[int],
) -> None:
    """Give one more row a column, moving others along the cheapest path. Changes the three lists."""
    columns = len(taken_by) - 1
    taken_by[0] = row
    came_from = [0] * (columns + 1)
    least: list[int | None] = [None] * (columns + 1)
    seen = [False] * (columns + 1)
    here = 0
    while taken_by[here]:
        seen[here] = True
        at, step, following = taken_by[here], None, 0
        for column in range(1, columns + 1):
            if seen[column]:
                continue
            cost = costs[at - 1][column - 1] - over_row[at] - over_column[column]
            known = least[column]
            if known is None or cost < known:
                least[column], came_from[column], known = cost, here, cost
            if step is None or known < step:
                step, following = known, column
        assert step is not None, "there are enough columns"
        for column in range(columns + 1):
            if seen[column]:
                over_row[taken_by[column]] += step
                over_column[column] -= step
            elif least[column] is not None:
                least[column] -= step  # type: ignore[operator]  # it is a number
        here = following
    while here:
        taken_by[here] = taken_by[came_from[here]]
        here = came_from[here]
