"""The expected result of a battle: Boers slip away by it, and bots weigh attacks by it."""

from games.boer_war.codes import LeaderId, Point, Role, Side
from games.boer_war.forces import best_command, leaders_at, sp_at
from games.boer_war.model import State, enemy_of
from games.boer_war.rails import is_in_supply
from games.record import Value

ScoreBonus = tuple[tuple[str, int], ...]


class Attack(Value, frozen=True):
    """Leaders of a side who attack a point. came: where they come from, None: an ASSAULT by all SP there.

    bonus: what events add to their score.
    """

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    came: Point | None
    bonus: ScoreBonus = ()


def hand_size(state: State, sp: int) -> int:
    """Return how many cards of a force count. Source: ruling 9.1."""
    return min(sp, state.box.numbers.battle.hand)


def surplus_bonus(state: State, sp: int) -> int:
    """Return what SP beyond the hand add to the score. Source: ruling 9.1."""
    numbers = state.box.numbers.battle
    return max(0, sp - numbers.hand) // numbers.beyond


def expected_score(state: State, side: Side, role: Role, sp: int, command: int) -> float:
    """Return the score of a force on average, without modifiers. Source: ruling 13.1."""
    numbers = state.box.numbers.estimate
    worth = numbers.empire[role] if side == "empire" else numbers.boers[role]
    return hand_size(state, sp) * worth + numbers.command * command + numbers.base + surplus_bonus(state, sp)


def battle_modifiers(
    state: State, side: Side, at: Point, came: Point | None, *, bonus: ScoreBonus = ()
) -> ScoreBonus:
    """Return what is added to an attacker's score in a battle, by name; bonus: by events.

    came: where the attack comes from, None for an ASSAULT. Source: ruling 9.1.
    """
    numbers, place, foe = state.box.numbers.battle, state.board.places[at], enemy_of(side)
    modifiers: list[tuple[str, int]] = []
    if place.terrain != "open":
        modifiers.append((place.terrain, numbers.terrain))
    if at in state.trenches[foe]:
        modifiers.append(("trenches", numbers.trench))
    if side == "boers" and place.fort:
        modifiers.append(("port" if "port" in place.flags else "fort", -place.fort))
    if side == "empire" and not is_in_supply(state, at if came is None else came):
        modifiers.append(("unsupplied", numbers.unsupplied))
    return (*modifiers, *bonus)


def expected_difference(state: State, attack: Attack) -> float:
    """Return by how much an attack will be ahead on average. Source: ruling 13.1.

    The defender is all SP of the other side there.
    """
    side, at, foe = attack.side, attack.at, enemy_of(attack.side)
    sp = sum(state.leaders[leader].sp for leader in attack.leaders)
    ours = expected_score(state, side, "attack", sp, best_command(state, attack.leaders))
    theirs = expected_score(
        state, foe, "defence", sp_at(state, at, foe), best_command(state, leaders_at(state, at, foe))
    )
    return (
        ours + sum(n for _, n in battle_modifiers(state, side, at, attack.came, bonus=attack.bonus)) - theirs
    )
