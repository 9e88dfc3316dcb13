"""A slow and independent adjudicator of small movement seasons, on foot and in canoes.

It tries every assignment of success and failure to every order, and keeps those that agree with the printed
rules in each order. It shares no code with the adjudicator that it checks, and no data layout: units are
nations by place, orders are tuples by place:

    ("hold",), ("move", to), ("hold-for", other), ("move-for", other, to), ("paddle", to), ("build",)

A unit afloat only holds or paddles. Of several consistent assignments the one counts in which the ring moves:
it has the most successful moves.
"""

from itertools import product


def judge(units, orders, admit=False):
    """The outcome of every order that can fail: {place: True or False}.

    units: {place: nation}; orders: {place: order}, lawful ones; admit: a walker keeps a canoe out by getting
    in, and not by trying. Raises ValueError if nothing is consistent.
    """
    asked = [place for place in units if _can_fail(orders, place)]
    answers = []
    for values in product((True, False), repeat=len(asked)):
        fate = dict(zip(asked, values, strict=True))
        if all(_follows(units, orders, fate, place, admit) == fate[place] for place in asked):
            answers.append(fate)
    if not answers:
        raise ValueError("no assignment is consistent")
    return max(answers, key=lambda fate: sum(fate[place] for place in asked if _target(orders, place)))


def aftermath(units, orders, canoes, destroyed, waters, taboo=None):
    """The board after the season.

    canoes: {place: count}; destroyed: places where the unit destroys one; waters: the places that aren't
    land; taboo: the forbidden place. Returns the units, the places of dislodged units, the canoes, the
    captured ones, and the nation that broke the taboo or None.
    """
    fate = judge(units, orders)
    left = dict(canoes)
    for place in destroyed:
        carries = _order(orders, place)[0] == "paddle"
        if left.get(place) and place not in waters and not (carries and canoes[place] == 1):
            left[place] -= 1
    stand, beaten, sinner = {}, set(), None
    for place, nation in units.items():
        target = _target(orders, place)
        if target and fate[place]:
            stand[target] = nation
            if _order(orders, place)[0] == "paddle":
                left[place] = left.get(place, 0) - (place not in waters)
                left[target] = left.get(target, 0) + (target not in waters)
        elif any(fate.get(other) and _goal(orders, other) == place for other in units):
            beaten.add(place)
        else:
            stand.setdefault(place, nation)
    prizes = {place: left[place] for place in beaten if left.get(place)}
    for place in units:
        if _order(orders, place)[0] == "build" and not _attacked(units, orders, place):
            left[place] = left.get(place, 0) + 1
    if taboo in stand:
        sinner = stand.pop(taboo)
    return stand, beaten, {place: count for place, count in left.items() if count}, prizes, sinner


def _attacked(units, orders, place):
    """Return whether another nation's unit was ordered to walk into a place."""
    return any(_goal(orders, other) == place and units[other] != units[place] for other in units)


def _order(orders, place):
    return orders.get(place, ("hold",))


def _goal(orders, place):
    """Return a unit's destination on foot."""
    order = _order(orders, place)
    return order[1] if order[0] == "move" else None


def _target(orders, place):
    """Return a unit's destination, on foot or in a canoe."""
    order = _order(orders, place)
    return order[1] if order[0] in ("move", "paddle") else None


def _helped(orders, place):
    """Return the unit that a support helps, if it was ordered to do what the support says, on foot."""
    order = _order(orders, place)
    if order[0] == "hold-for" and _target(orders, order[1]) is None:
        return order[1]
    if order[0] == "move-for" and _goal(orders, order[1]) == order[2]:
        return order[1]
    return None


def _can_fail(orders, place):
    return _target(orders, place) is not None or _helped(orders, place) is not None


def _follows(units, orders, fate, place, admit):
    if _goal(orders, place) is not None:
        return _gets_in(units, orders, fate, place)
    if _target(orders, place) is not None:
        return _lands(units, orders, fate, place, admit)
    return _uncut(units, orders, fate, place)


def _lands(units, orders, fate, place, admit):
    """A canoe gets to an empty or emptied place to which nobody else was ordered, unless the two swap."""
    target = _target(orders, place)
    others = [other for other in units if other != place and _target(orders, other) == target]
    if admit:
        others = [other for other in others if _goal(orders, other) is None or fate[other]]
    if others:
        return False
    if target not in units:
        return True
    leaves = _target(orders, target)
    return leaves is not None and leaves != place and fate[target]


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
    """Return whether the unit in its destination is ordered to come the other way, on foot or in a canoe."""
    goal = _goal(orders, place)
    return goal in units and _target(orders, goal) == place


def _help(units, orders, fate, place, without=None):
    """One, and one for each support that stands, but not those of one nation."""
    helpers = [other for other in units if _helped(orders, other) == place and fate[other]]
    return 1 + sum(units[other] != without for other in helpers)


def _attack(units, orders, fate, place):
    goal = _goal(orders, place)
    leaves = goal not in units or (
        _target(orders, goal) is not None and not _meets(units, orders, place) and fate[goal]
    )
    if leaves:
        return _help(units, orders, fate, place)
    if units[goal] == units[place]:
        return 0
    return _help(units, orders, fate, place, without=units[goal])


def _keeps(units, orders, fate, place):
    """Return the strength with which a province is held."""
    if place not in units:
        return 0
    if _target(orders, place) is not None:
        return 0 if fate[place] else 1
    return _help(units, orders, fate, place)


def _prevents(units, orders, fate, place):
    """Return the strength with which a move keeps others out: 0 if the unit that it met has dislodged it."""
    if _meets(units, orders, place) and fate[_goal(orders, place)]:
        return 0
    return _help(units, orders, fate, place)
