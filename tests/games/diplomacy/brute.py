"""A slow and independent judge of small movement seasons on foot.

It tries every assignment of success and failure to every order, and keeps those in which each order's fate
follows from the others by the rules as printed. It shares no code with the judge that it checks, and no data
layout: units are nations by place, orders are tuples by place:

    ("hold",), ("move", to), ("hold-for", other), ("move-for", other, to)

Of several consistent assignments the one holds in which the ring turns: it has the most successful moves.
"""

from itertools import product


def judge(units, orders):
    """The outcome of every order that can fail: {place: True or False}.

    units: {place: nation}; orders: {place: order}, lawful ones. Raises ValueError if nothing is consistent.
    """
    asked = [place for place in units if _can_fail(orders, place)]
    answers = []
    for values in product((True, False), repeat=len(asked)):
        fate = dict(zip(asked, values, strict=True))
        if all(_follows(units, orders, fate, place) == fate[place] for place in asked):
            answers.append(fate)
    if not answers:
        raise ValueError("no assignment is consistent")
    return max(answers, key=lambda fate: sum(fate[place] for place in asked if _goal(orders, place)))


def _order(orders, place):
    return orders.get(place, ("hold",))


def _goal(orders, place):
    order = _order(orders, place)
    return order[1] if order[0] == "move" else None


def _helped(orders, place):
    """Whom a support helps, if that unit was ordered to do what the support says."""
    order = _order(orders, place)
    if order[0] == "hold-for" and _goal(orders, order[1]) is None:
        return order[1]
    if order[0] == "move-for" and _goal(orders, order[1]) == order[2]:
        return order[1]
    return None


def _can_fail(orders, place):
    return _goal(orders, place) is not None or _helped(orders, place) is not None


def _follows(units, orders, fate, place):
    if _goal(orders, place) is None:
        return _uncut(units, orders, fate, place)
    return _gets_in(units, orders, fate, place)


def _uncut(units, orders, fate, place):
    """A support stands unless a foreign unit attacks; the unit attacked by it must dislodge the supporter."""
    order = _order(orders, place)
    against = order[2] if order[0] == "move-for" else None
    for other, nation in units.items():
        attacks = _goal(orders, other) == place and nation != units[place]
        if attacks and (other != against or fate[other]):
            return False
    return True


def _gets_in(units, orders, fate, place):
    goal = _goal(orders, place)
    power = _attack(units, orders, fate, place)
    if _meets(units, orders, place):
        against = [_help(units, orders, fate, goal)]
    else:
        against = [_keeps(units, orders, fate, goal)]
    for other in units:
        if other != place and _goal(orders, other) == goal:
            against.append(_prevents(units, orders, fate, other))
    return power > max(against)


def _meets(units, orders, place):
    """Whether the unit in its goal is ordered to come the other way."""
    goal = _goal(orders, place)
    return goal in units and _goal(orders, goal) == place


def _help(units, orders, fate, place, without=None):
    """One, and one for each support that stands, but not those of one nation."""
    helpers = [other for other in units if _helped(orders, other) == place and fate[other]]
    return 1 + sum(units[other] != without for other in helpers)


def _attack(units, orders, fate, place):
    goal = _goal(orders, place)
    leaves = goal not in units or (
        _goal(orders, goal) is not None and not _meets(units, orders, place) and fate[goal]
    )
    if leaves:
        return _help(units, orders, fate, place)
    if units[goal] == units[place]:
        return 0
    return _help(units, orders, fate, place, without=units[goal])


def _keeps(units, orders, fate, place):
    """How strongly a province is held against whoever comes."""
    if place not in units:
        return 0
    if _goal(orders, place) is not None:
        return 0 if fate[place] else 1
    return _help(units, orders, fate, place)


def _prevents(units, orders, fate, place):
    """How strongly a move keeps others out of its goal: not at all when the unit it met has beaten it."""
    if _meets(units, orders, place) and fate[_goal(orders, place)]:
        return 0
    return _help(units, orders, fate, place)
