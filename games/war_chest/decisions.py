"""The decision of a seat in rows: for each coin of its hand what it may be played for."""

from collections.abc import Iterator, Sequence

from games.protocol import Seat
from games.protocol.optional import LegalOrder
from games.war_chest import legality
from games.war_chest.components import HIDDEN_COIN
from games.war_chest.legal_orders import legal_orders
from games.war_chest.model import AUTOMATON, Bolster, Claim, Deploy, Maneuver, Recruit, UseDrawn, View
from games.war_chest.phrases import join_words

Row = tuple[str, str]


def decisions(view: View) -> Iterator[Row]:
    """Return what each coin may be played for; none if the automaton decides, or the coins are hidden."""
    seat = deciding_seat(view)
    if view.ended is not None or view.picks or seat == AUTOMATON:
        return
    if HIDDEN_COIN in legality.coins(view, seat):
        return
    by_coin: dict[str, list[LegalOrder]] = {}
    for option in legal_orders(view, seat):
        by_coin.setdefault(option.of, []).append(option)
    for of, orders in by_coin.items():
        yield of, "; ".join(_said(orders))


def deciding_seat(view: View) -> Seat:
    """Return the seat whose decision is due."""
    task = view.agenda[0] if view.agenda else None
    return task.seat if task is not None and isinstance(task, UseDrawn) else view.mover


def _said(orders: Sequence[LegalOrder]) -> Iterator[str]:
    given = [option.order for option in orders]
    deploys = [order.at for order in given if isinstance(order, Deploy)]
    if deploys:
        yield f"deploy on {join_words(deploys, 'or')}"
    if any(isinstance(order, Bolster) for order in given):
        yield "bolster"
    yield from _maneuvers([order for order in given if isinstance(order, Maneuver)])
    if any(isinstance(order, Recruit) for order in given):
        yield "recruit"
    if any(isinstance(order, Claim) for order in given):
        yield "claim the initiative"
    yield "pass"


def _maneuvers(orders: Sequence[Maneuver]) -> Iterator[str]:
    """Yield maneuvers by what they begin with; what takes two steps is counted."""
    single = [order.steps[0] for order in orders if len(order.steps) == 1]
    for act, words in (("move", "move to"), ("attack", "attack")):
        goals = list(dict.fromkeys(str(step.to) for step in single if step.act == act))
        if goals:
            yield f"{words} {join_words(goals, 'or')}"
    if any(step.act == "control" for step in single):
        yield "take control"
    longer = len(orders) - len(single)
    if longer:
        yield f"{longer} maneuvers of several steps (MOVES lists them)"
