"""What a battle will come to on average: Boers slip away by it, and bots weigh attacks by it."""

from games.boer_war.codes import LeaderId, Point, Role, Side
from games.boer_war.forces import command_of, leaders_at, sp_at
from games.boer_war.model import State, other
from games.boer_war.rails import in_supply
from games.record import Value

Bonus = tuple[tuple[str, int], ...]


class Attack(Value, frozen=True):
    """Leaders of a side who attack a point. came: where they come from, None: an ASSAULT by all SP there.

    bonus: what events add to their score.
    """

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    came: Point | None
    bonus: Bonus = ()


def hand_of(state: State, sp: int) -> int:
    """How many cards of a force count. Source: ruling 9.1."""
    return min(sp, state.box.numbers.battle.hand)


def beyond(state: State, sp: int) -> int:
    """What SP beyond the hand add to the score. Source: ruling 9.1."""
    numbers = state.box.numbers.battle
    return max(0, sp - numbers.hand) // numbers.beyond


def expected_score(state: State, side: Side, role: Role, sp: int, command: int) -> float:
    """The score of a force on average, without modifiers. Source: ruling 13.1."""
    numbers = state.box.numbers.estimate
    worth = numbers.empire[role] if side == "empire" else numbers.boers[role]
    return hand_of(state, sp) * worth + numbers.command * command + numbers.base + beyond(state, sp)


def modifiers(state: State, side: Side, at: Point, came: Point | None, *, bonus: Bonus = ()) -> Bonus:
    """What is added to an attacker's score in a battle, by name; bonus: by events.

    came: where the attack comes from, None for an ASSAULT. Source: ruling 9.1.
    """
    numbers, place, foe = state.box.numbers.battle, state.board.places[at], other(side)
    found: list[tuple[str, int]] = []
    if place.terrain != "open":
        found.append((place.terrain, numbers.terrain))
    if at in state.trenches[foe]:
        found.append(("trenches", numbers.trench))
    if side == "boers" and place.fort:
        found.append(("port" if "port" in place.flags else "fort", -place.fort))
    if side == "empire" and not in_supply(state, at if came is None else came):
        found.append(("unsupplied", numbers.unsupplied))
    return (*found, *bonus)


def expected_difference(state: State, attack: Attack) -> float:
    """How much an attack will be ahead on average. Source: ruling 13.1.

    The defender is all SP of the other side there.
    """
    side, at, foe = attack.side, attack.at, other(attack.side)
    sp = sum(state.leaders[one].sp for one in attack.leaders)
    ours = expected_score(state, side, "attack", sp, command_of(state, attack.leaders))
    theirs = expected_score(
        state, foe, "defence", sp_at(state, at, foe), command_of(state, leaders_at(state, at, foe))
    )
    return ours + sum(n for _, n in modifiers(state, side, at, attack.came, bonus=attack.bonus)) - theirs
