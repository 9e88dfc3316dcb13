"""What a seat decides now, in rows: for each coin of its hand what it may be played for."""

from collections.abc import Iterator, Sequence

from games.protocol import Seat
from games.protocol.optional import Possible
from games.war_chest import lawful
from games.war_chest.components import HIDDEN
from games.war_chest.model import AUTOMATON, Bolster, Claim, Deploy, Maneuver, Recruit, UseDrawn, View
from games.war_chest.phrases import listed
from games.war_chest.possible import possible

Row = tuple[str, str]


def decisions(view: View) -> Iterator[Row]:
    """What each coin may be played for; nothing where the automaton decides, or the coins are hidden."""
    seat = asked(view)
    if view.ended is not None or view.picks or seat == AUTOMATON:
        return
    if HIDDEN in lawful.coins(view, seat):
        return
    found: dict[str, list[Possible]] = {}
    for one in possible(view, seat):
        found.setdefault(one.of, []).append(one)
    for of, orders in found.items():
        yield of, "; ".join(_said(orders))


def asked(view: View) -> Seat:
    """Whose decision is wanted."""
    task = view.agenda[0] if view.agenda else None
    return task.seat if task is not None and isinstance(task, UseDrawn) else view.mover


def _said(orders: Sequence[Possible]) -> Iterator[str]:
    given = [one.order for one in orders]
    deploys = [one.at for one in given if isinstance(one, Deploy)]
    if deploys:
        yield f"deploy on {listed(deploys, 'or')}"
    if any(isinstance(one, Bolster) for one in given):
        yield "bolster"
    yield from _maneuvers([one for one in given if isinstance(one, Maneuver)])
    if any(isinstance(one, Recruit) for one in given):
        yield "recruit"
    if any(isinstance(one, Claim) for one in given):
        yield "claim the initiative"
    yield "pass"


def _maneuvers(orders: Sequence[Maneuver]) -> Iterator[str]:
    """By what they begin with; what takes two steps is counted."""
    single = [one.steps[0] for one in orders if len(one.steps) == 1]
    for act, words in (("move", "move to"), ("attack", "attack")):
        goals = list(dict.fromkeys(str(one.to) for one in single if one.act == act))
        if goals:
            yield f"{words} {listed(goals, 'or')}"
    if any(one.act == "control" for one in single):
        yield "take control"
    longer = len(orders) - len(single)
    if longer:
        what = "maneuver" if longer == 1 else "maneuvers"
        yield f"{longer} {what} of several steps (MOVES lists them)"
