"""The assignment of seats to players that grants most wishes, random between equals."""

from collections.abc import Sequence

from games.dice import Dice
from games.protocol import Seat


def assign_seats(wishes: Sequence[Sequence[Seat]], seats: Sequence[Seat], dice: Dice) -> tuple[Seat, ...]:
    """A seat for each of some people, in their order.

    wishes: of each the seats that he would like, the dearest first; whoever names none takes any alike. Of
    all assignments one is taken in which the places of what people get in their lists sum up to least, where
    a seat that somebody did not name counts as far down as there are seats. Among equal ones lots say who
    chooses first. seats: at least as many as people.
    """
    lots = dice.shuffle("seats/lots", tuple(range(len(wishes))))
    order = dice.shuffle("seats/order", tuple(seats))
    turn = {person: place for place, person in enumerate(lots)}
    costs = [
        _costs(liked, seats, order, (len(seats)) ** (len(wishes) - 1 - turn[person]), len(wishes))
        for person, liked in enumerate(wishes)
    ]
    return tuple(seats[column] for column in cheapest_assignment(costs))


def _costs(
    liked: Sequence[Seat], seats: Sequence[Seat], order: Sequence[Seat], weight: int, people: int
) -> list[int]:
    """Return the cost of each seat for one person: first their wishes, then, by a digit of their own, who
    chooses first.
    """
    unit = len(seats) ** people
    farthest = len(seats) if liked else 0
    rank = {seat: place for place, seat in enumerate(dict.fromkeys(liked))}
    chosen = sorted(seats, key=lambda seat: (rank.get(seat, len(seats)), order.index(seat)))
    return [rank.get(seat, farthest) * unit + chosen.index(seat) * weight for seat in seats]


def cheapest_assignment(costs: Sequence[Sequence[int]]) -> list[int]:
    """For each row a column of its own, so that the sum is least: the Hungarian method, exact in integers.

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
