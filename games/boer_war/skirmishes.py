"""Skirmishes of Turns III and IV, and the expected losses of a drive. Source: ruling 9.3."""

from collections.abc import Mapping, Sequence
from itertools import product

from games.boer_war import paths
from games.boer_war.battles import ScoreBonus, losses_for, roll_for_beaten, spend_event_marker
from games.boer_war.board import UNREACHABLE_DISTANCE
from games.boer_war.components import EventId, LeaderId, Link, Point, Side
from games.boer_war.events import Band, Captured, Evasion, LostSp, Retreated, Skirmish
from games.boer_war.model import (
    State,
    best_command,
    enemy_of,
    leaders_at,
    leaders_of,
    points_held,
    retreat_point,
    sp_at,
)
from games.boer_war.working_state import WorkingState
from games.record import Value, replace_fields

SCOUTS_EVENT, GOOD_SCOUTS_EVENT = EventId("E09"), EventId("B10")


class SkirmishAttack(Value, frozen=True):
    """An attack by leaders of a side on a point.

    came: the point that each leader attacks from. bonus: the modifiers by events.
    evadable: true if Boers can evade the attack.
    """

    side: Side
    came: Mapping[LeaderId, Point]
    at: Point
    bonus: ScoreBonus = ()
    evadable: bool = True

    @property
    def leaders(self) -> tuple[LeaderId, ...]:
        """The attacking leaders."""
        return tuple(self.came)


def fight_skirmish(working: WorkingState, raid: SkirmishAttack) -> bool:
    """Carry out an attack. Return true if the attackers hold the point afterwards.

    The attackers are still at the points that they attack from.
    """
    defenders = leaders_at(working.now, raid.at, enemy_of(raid.side))
    if raid.side == "empire" and raid.evadable and _try_evade(working, raid, defenders):
        _occupy(working, raid)
        return True
    place = len(working.events)
    fought, emptied = _resolve_skirmish(working, raid, defenders)
    working.record(fought, place)
    has_point = _apply_skirmish_victory(working, raid, defenders) if fought.won else False
    if not has_point:
        _report_going_back(working, raid)
    roll_for_beaten(working, fought, emptied, working.now.box.numbers.skirmish.decisive)
    return has_point


def _try_evade(working: WorkingState, raid: SkirmishAttack, leaders: tuple[LeaderId, ...]) -> bool:
    """Move a Boer force away if it evades. Return whether it does. Source: ruling 9.3.1."""
    state, numbers = working.now, working.now.box.numbers.skirmish
    if any(leader in state.standing for leader in leaders):
        return False
    to = evasion_point(state, raid.at, frozenset(raid.came.values()))
    if to is None:
        return False
    modifiers = evasion_modifiers(state, leaders, raid.at, len(raid.leaders))
    die = working.roll_die(f"evade {raid.at}")
    score = die + sum(n for _, n in modifiers)
    away, scouts = score >= numbers.evades, False
    if not away and GOOD_SCOUTS_EVENT in state.kept:
        spend_event_marker(working, GOOD_SCOUTS_EVENT)
        away = scouts = True
    working.record(
        Evasion(
            leaders=leaders,
            at=raid.at,
            die=die,
            modifiers=tuple((name, n) for name, n in modifiers if n),
            score=score,
            to=to if away else None,
            scouts=scouts,
        )
    )
    if away:
        working.move_leaders(leaders, to)
        for leader in leaders:
            cross_line(working, leader, raid.at, to)
    return away


def evasion_modifiers(
    state: State, leaders: tuple[LeaderId, ...], at: Point, columns: int
) -> tuple[tuple[str, int], ...]:
    """Return the modifiers of a roll to evade, each with its code. columns: the number of attacking leaders.

    Source: ruling 9.3.1.
    """
    lines = sum(at in state.board.ends(link) for link in state.blockhouses)
    return (
        ("command", best_command(state, leaders)),
        ("columns", 1 - columns),
        ("blockhouses", -min(lines, state.box.numbers.skirmish.blockhouses)),
    )


def evasion_point(state: State, at: Point, barred: frozenset[Point]) -> Point | None:
    """Return the point that Boers evade to, or None: the one farthest from Empire leaders, then by code."""
    foes = points_held(state, "empire")
    led = [state.leaders[leader].at for leader in leaders_of(state, "empire")]
    free = [point for point in state.board.near[at] if point not in barred and point not in foes]

    def safety(point: Point) -> int:
        return min((state.board.distance(point, there) for there in led), default=UNREACHABLE_DISTANCE)

    return min(free, key=lambda point: (-safety(point), point), default=None)


def line_crossed(state: State, here: Point, there: Point) -> Link | None:
    """Return the line of blockhouses that a Boer leader crosses with a step, or None.

    It is the line along the link of the step. If the number `blockhouse.ends` is set, it is otherwise a line
    that ends at the next point, the first by the code of its other end. Source: ruling 9.3.4.
    """
    board, lines = state.board, state.blockhouses
    along = board.link(here, there)
    if along in lines:
        return along
    if not lines or not state.box.numbers.blockhouse.ends:
        return None
    ending = (board.link(there, beyond) for beyond in board.rails[there])
    return next((link for link in ending if link in lines), None)


def cross_line(working: WorkingState, leader: LeaderId, here: Point, there: Point) -> None:
    """Roll for a Boer leader who may lose SP on a line of blockhouses on the way to the next point.

    Source: ruling 9.3.4.
    """
    link, numbers = line_crossed(working.now, here, there), working.now.box.numbers.blockhouse
    if link is None or leader not in working.now.leaders:
        return
    die = working.roll_die(f"cross {link} {leader}")
    bonus = numbers.skill if working.now.box.leaders[leader].command >= numbers.skilled else 0
    lost = int(die + bonus <= numbers.loses)
    at = working.now.leaders[leader].at
    working.record(LostSp(leader=leader, why="blockhouse", die=die, bonus=bonus, at=at, link=link, lost=lost))
    if lost:
        working.wear_down(leader)
        if leader not in working.now.leaders:
            working.roll_for_leader(leader)


def _resolve_skirmish(
    working: WorkingState, raid: SkirmishAttack, defenders: tuple[LeaderId, ...]
) -> tuple[Skirmish, list[LeaderId]]:
    """Fight a skirmish and remove the losses. Return the skirmish and the leaders without any SP left.

    Source: rulings 9.3.2 and 9.3.3.
    """
    foe, numbers = enemy_of(raid.side), working.now.box.numbers.skirmish
    sp = sum(working.now.leaders[leader].sp for leader in raid.leaders)
    held = sp_at(working.now, raid.at, foe)
    attacker = _roll_band(working, raid, raid.side, raid.leaders, (sp, held))
    defender = _roll_band(working, raid, foe, defenders, (held, sp))
    difference = attacker.score - defender.score
    won = difference > 0
    losses = losses_for(numbers.losses, difference)
    attack_loses, defence_loses = (losses.winner, losses.loser) if won else (losses.loser, losses.winner)
    if not won and raid.side == "boers":
        attack_loses = max(0, attack_loses - numbers.repulsed)
    gone, emptied = working.take_losses(raid.side, raid.leaders, attack_loses, None)
    lost, also = working.take_losses(foe, defenders, defence_loses, raid.at)
    fought = Skirmish(
        at=raid.at,
        attacker=replace_fields(attacker, lost=gone),
        defender=replace_fields(defender, lost=lost),
        difference=difference,
        won=won,
    )
    return fought, emptied + also


def _roll_band(
    working: WorkingState,
    raid: SkirmishAttack,
    side: Side,
    leaders: tuple[LeaderId, ...],
    sp: tuple[int, int],
) -> Band:
    """Return one side of a skirmish with its roll, before losses. sp: its own SP and the enemy's SP."""
    command = best_command(working.now, leaders)
    die = working.roll_die(f"skirmish {raid.at}/{side}")
    bonus = raid.bonus if side == raid.side else ()
    modifiers = (*skirmish_modifiers(working.now, side, raid.at, sp, attacks=side == raid.side), *bonus)
    score = die + command + sum(n for _, n in modifiers)
    return Band(
        side=side,
        leaders=leaders,
        sp=sp[0],
        command=command,
        die=die,
        modifiers=modifiers,
        score=score,
        lost=0,
    )


def skirmish_modifiers(
    state: State, side: Side, at: Point, sp: tuple[int, int], *, attacks: bool
) -> tuple[tuple[str, int], ...]:
    """Return the modifiers of a side's roll, each with its code. sp: its own SP and the enemy's SP.

    Source: ruling 9.3.2.
    """
    numbers, (own, foe) = state.box.numbers.skirmish, sp
    modifiers = []
    if own >= 2 * foe:
        modifiers.append(("numbers", numbers.twice + (numbers.four_times if own >= 4 * foe else 0)))
    if side == "boers" and attacks:
        modifiers.append(("surprise", numbers.boer_attack))
    if side == "boers" and not state.board.on_rail(at):
        modifiers.append(("veld", numbers.boer_veld))
    if side == "empire" and SCOUTS_EVENT in state.kept:
        modifiers.append((SCOUTS_EVENT, state.box.events[SCOUTS_EVENT].number))
    return tuple(modifiers)


def _apply_skirmish_victory(
    working: WorkingState, raid: SkirmishAttack, defenders: tuple[LeaderId, ...]
) -> bool:
    """Retreat or capture the beaten leaders. Return true if the attackers hold the point afterwards.

    An Empire garrison can still hold it.
    """
    foe, at = enemy_of(raid.side), raid.at
    remaining = tuple(leader for leader in defenders if leader in working.now.leaders)
    to = retreat_point(working.now, at, foe, frozenset(raid.came.values()))
    if remaining and to is not None:
        working.move_leaders(remaining, to)
        working.record(Retreated(side=foe, leaders=remaining, at=at, to=to, beaten=True))
        for leader in remaining if foe == "boers" else ():
            cross_line(working, leader, at, to)
    elif remaining:
        sp = working.capture(foe, at, remaining, garrison=False)
        working.record(Captured(side=foe, leaders=remaining, at=at, sp=sp))
    if sp_at(working.now, at, foe) or not any(leader in working.now.leaders for leader in raid.leaders):
        return False
    _occupy(working, raid)
    return True


def _occupy(working: WorkingState, raid: SkirmishAttack) -> None:
    here = tuple(leader for leader in raid.leaders if leader in working.now.leaders)
    working.move_leaders(here, raid.at)
    working.take_control(raid.side, (raid.at,))


def _report_going_back(working: WorkingState, raid: SkirmishAttack) -> None:
    """Record that attackers go back, once for each point. Boers cross lines of blockhouses again."""
    for came in dict.fromkeys(raid.came.values()):
        here = tuple(
            leader for leader in raid.leaders if raid.came[leader] == came and leader in working.now.leaders
        )
        if here:
            working.record(Retreated(side=raid.side, leaders=here, at=raid.at, to=came, beaten=False))
        for leader in here if raid.side == "boers" else ():
            cross_line(working, leader, raid.at, came)


# The expected result of a drive over all possible rolls.


_DIE_FACES = range(1, 7)


def expected_drive_losses(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """Return the average Boer losses in a drive. All the leaders must be able to reach the target.

    Markers that are used only once don't count. Source: ruling 9.3.
    """
    sp, held = sum(state.leaders[leader].sp for leader in leaders), sp_at(state, target, "boers")
    boers = leaders_at(state, target, "boers")
    ours = skirmish_modifiers(state, "empire", target, (sp, held), attacks=True)
    theirs = skirmish_modifiers(state, "boers", target, (held, sp), attacks=False)
    ahead = best_command(state, tuple(leaders)) + _sum_of(ours) - best_command(state, boers) - _sum_of(theirs)
    table = state.box.numbers.skirmish.losses
    lost = 0
    for own, foe in product(_DIE_FACES, _DIE_FACES):
        losses = losses_for(table, ahead + own - foe)
        lost += min(held, losses.loser if ahead + own > foe else losses.winner)
    return (1 - _evasion_chance(state, leaders, target)) * lost / len(_DIE_FACES) ** 2


def _evasion_chance(state: State, leaders: Sequence[LeaderId], target: Point) -> float:
    """Return the chance that Boers evade a drive, from 0 to 1."""
    boers = leaders_at(state, target, "boers")
    came = frozenset(way.last for leader in leaders if (way := paths.path_to(state, leader, target)))
    if any(leader in state.standing for leader in boers) or evasion_point(state, target, came) is None:
        return 0.0
    helps = _sum_of(evasion_modifiers(state, boers, target, len(leaders)))
    return sum(die + helps >= state.box.numbers.skirmish.evades for die in _DIE_FACES) / len(_DIE_FACES)


def _sum_of(modifiers: Sequence[tuple[str, int]]) -> int:
    return sum(n for _, n in modifiers)
