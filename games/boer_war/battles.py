"""Battles of Turns I and II, skirmishes of Turns III and IV, and their expected results.

Source: rulings 9.1, 9.2 and 9.3.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Literal

from games.boer_war import paths
from games.boer_war.board import UNREACHABLE_DISTANCE
from games.boer_war.components import CardId, EventId, LeaderId, Link, Losses, Point, Role, Side
from games.boer_war.events import Band, Battle, Captured, Evasion, Host, LostSp, Retreated, Skirmish, Slipped
from games.boer_war.model import (
    State,
    best_command,
    enemy_of,
    is_besieging,
    is_held,
    leaders_at,
    leaders_of,
    points_held,
    retreat_point,
    sp_at,
)
from games.boer_war.paths import is_in_supply
from games.boer_war.working_state import WorkingState
from games.own_box import DATA
from games.record import UNSET, Unset, Value, replace_fields

# The expected result of a battle. It decides whether Boers slip away, and bots use it to choose attacks.


ScoreBonus = tuple[tuple[str, int], ...]


class Attack(Value, frozen=True):
    """An attack by leaders of a side on a point.

    came: the point that they come from, or None for an ASSAULT by all SP at the point.
    bonus: the additions to their score by events.
    """

    side: Side
    leaders: tuple[LeaderId, ...]
    at: Point
    came: Point | None
    bonus: ScoreBonus = ()


def hand_size(state: State, sp: int) -> int:
    """Return the number of cards that count for a force of `sp` SP. Source: ruling 9.1."""
    return min(sp, state.box.numbers.battle.hand)


def surplus_bonus(state: State, sp: int) -> int:
    """Return the points that SP beyond the hand add to the score. Source: ruling 9.1."""
    numbers = state.box.numbers.battle
    return max(0, sp - numbers.hand) // numbers.beyond


def expected_score(state: State, side: Side, role: Role, sp: int, command: int) -> float:
    """Return the average score of a force, without modifiers. Source: ruling 13.1."""
    numbers = state.box.numbers.estimate
    worth = numbers.empire[role] if side == "empire" else numbers.boers[role]
    return hand_size(state, sp) * worth + numbers.command * command + numbers.base + surplus_bonus(state, sp)


def battle_modifiers(
    state: State, side: Side, at: Point, came: Point | None, *, bonus: ScoreBonus = ()
) -> ScoreBonus:
    """Return the modifiers of an attacker's score in a battle, each with its code.

    came: the point that the attack comes from, or None for an ASSAULT. bonus: the modifiers by events.
    Source: ruling 9.1.
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
    """Return the average difference between the scores of an attack and of all enemy SP at the point.

    Source: ruling 13.1.
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


VOLUNTEERS, TRENCHES = EventId("B03"), EventId("B05")


class Force(Value, frozen=True):
    """One side at the start of a battle: its leaders, SP and best Command."""

    side: Side
    role: Role
    leaders: tuple[LeaderId, ...]
    sp: int
    command: int


def fight_battle(working: WorkingState, attack: Attack) -> bool:
    """Carry out an attack. Return true if the attackers hold the point afterwards.

    The attackers are still at the point that they come from.
    """
    if attack.came is not None and try_slip_away(working, attack):
        working.move_leaders(attack.leaders, attack.at)
        working.take_control(attack.side, (attack.at,))
        return True
    defenders = leaders_at(working.now, attack.at, enemy_of(attack.side))
    place = len(working.events)
    battle, emptied = _resolve_battle(working, attack, defenders)
    working.record(battle, place)
    # Conditions of events need an Empire defeat, and Empire leaders who were repulsed.
    if battle.won == (attack.side == "boers"):
        working.update(beaten=True)
    if attack.side == "empire" and not battle.won:
        again = [leader for leader in attack.leaders if leader not in working.now.repulsed]
        working.update(repulsed=(*working.now.repulsed, *again))
    if battle.won:
        _apply_victory(working, attack, defenders)
    else:
        here = tuple(leader for leader in attack.leaders if leader in working.now.leaders)
        if attack.came is not None and here:
            working.record(
                Retreated(side=attack.side, leaders=here, at=attack.at, to=attack.came, beaten=False)
            )
    roll_for_beaten(working, battle, emptied, working.now.box.numbers.battle.decisive)
    if attack.at in working.now.sieges and not is_held(working.now, attack.at, "empire"):
        capture_town(working, attack.at, "abandoned")
    return battle.won and is_held(working.now, attack.at, attack.side)


def try_slip_away(working: WorkingState, attack: Attack) -> bool:
    """Move a Boer force away before the attack if it slips away. Return whether it does.

    Source: ruling 7 (slip away).
    """
    state, numbers = working.now, working.now.box.numbers.battle
    leaders = leaders_at(state, attack.at, "boers")
    if attack.side == "boers" or is_besieging(state, attack.at) or attack.at in state.trenches["boers"]:
        return False
    if any(
        state.box.leaders[leader].move < numbers.slip_move or leader in state.standing for leader in leaders
    ):
        return False
    expected = expected_difference(state, attack)
    if expected < numbers.slip_from:
        return False
    assert attack.came is not None
    to = retreat_point(state, attack.at, "boers", frozenset((attack.came,)), own_only=True)
    if to is None:
        return False
    working.move_leaders(leaders, to)
    working.record(Slipped(leaders=leaders, at=attack.at, to=to, expected=round(expected, 2)))
    return True


def _resolve_battle(
    working: WorkingState, attack: Attack, defenders: tuple[LeaderId, ...]
) -> tuple[Battle, list[LeaderId]]:
    """Fight a battle and remove the losses. Return the battle and the leaders without any SP left."""
    state, foe = working.now, enemy_of(attack.side)
    bonus = _trench_bonus(working, attack) + attack.bonus
    rank = best_command(state, attack.leaders)
    sp = sum(state.leaders[leader].sp for leader in attack.leaders)
    if attack.came is None:
        sp = sp_at(state, attack.at, attack.side)
    forces = (
        Force(attack.side, "attack", attack.leaders, sp, rank),
        Force(foe, "defence", defenders, sp_at(state, attack.at, foe), best_command(state, defenders)),
    )
    drawn = _draw_cards(working, attack, forces)
    hosts = [
        _play_cards(working, force, cards, attack.at) for force, cards in zip(forces, drawn, strict=True)
    ]
    extra = battle_modifiers(state, attack.side, attack.at, attack.came, bonus=bonus)
    first = replace_fields(hosts[0], modifiers=extra, score=hosts[0].score + sum(n for _, n in extra))
    difference = first.score - hosts[1].score
    won = difference > 0
    losses = losses_for(state.box.numbers.battle.losses, difference)
    attack_loses = losses.winner if won else losses.loser
    defence_loses = losses.loser if won else losses.winner
    if not won:
        attack_loses -= _spared_losses(state, attack.side, attack.leaders, attack_loses)
    else:
        defence_loses -= _spared_losses(state, foe, defenders, defence_loses)
    own_garrison = attack.at if attack.came is None else None
    gone, emptied = working.take_losses(attack.side, attack.leaders, attack_loses, own_garrison)
    lost, also = working.take_losses(foe, defenders, defence_loses, attack.at)
    battle = Battle(
        at=attack.at,
        came=attack.came,
        attacker=replace_fields(first, lost=gone),
        defender=replace_fields(hosts[1], lost=lost),
        difference=difference,
        won=won,
    )
    return battle, emptied + also


def losses_for(table: tuple[Losses, ...], difference: int) -> Losses:
    """Return the row of a table of losses for a difference, positive or negative."""
    return next(row for row in reversed(table) if row.low <= abs(difference))


def _spared_losses(state: State, side: Side, leaders: tuple[LeaderId, ...], loses: int) -> int:
    """Return the SP that beaten Boers save because no ox wagons slow them down."""
    numbers = state.box.numbers.battle
    slow = any(state.box.leaders[leader].move <= numbers.ox_wagons for leader in leaders)
    return min(loses, numbers.mobile) if side == "boers" and not slow else 0


def _trench_bonus(working: WorkingState, attack: Attack) -> ScoreBonus:
    """Return the bonus of the trenches at the foot of the hill (B05) and remove the marker."""
    if TRENCHES not in working.now.kept or attack.at not in working.now.trenches["boers"]:
        return ()
    if attack.side == "boers":
        return ()
    spend_event_marker(working, TRENCHES)
    deeper = working.now.box.numbers.battle.trench + working.now.box.events[TRENCHES].number
    return ((TRENCHES, -deeper),)


def spend_event_marker(working: WorkingState, event: EventId) -> None:
    """Remove the marker of an event after its use."""
    working.update(kept={other: what for other, what in working.now.kept.items() if other != event})


def _draw_cards(
    working: WorkingState, attack: Attack, forces: tuple[Force, Force]
) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
    """Draw the cards of attacker and defender from one deck. Each gets its hand and one card per Command."""
    first, second = (hand_size(working.now, force.sp) + force.command for force in forces)
    if VOLUNTEERS in working.now.kept:
        extra = working.now.box.events[VOLUNTEERS].number
        spend_event_marker(working, VOLUNTEERS)
        first, second = (first + extra, second) if attack.side == "boers" else (first, second + extra)
    deck = tuple(working.now.box.cards)
    numbers = working.draw_numbers(f"battle {attack.at}/cards", len(deck), first + second)
    cards = tuple(deck[n - 1] for n in numbers)
    return cards[:first], cards[first:]


def _play_cards(working: WorkingState, force: Force, cards: tuple[CardId, ...], at: Point) -> Host:
    """Return one side of a battle with its best cards and its roll, before losses."""
    side, role, sp, state = force.side, force.role, force.sp, working.now
    worth = {card: card_worth(state, card, side, role, at) for card in cards}
    kept = sorted(cards, key=lambda card: (-worth[card], cards.index(card)))[: hand_size(state, sp)]
    points = sum(worth[card] for card in kept)
    die = working.roll_die(f"battle {at}/{side}")
    more = surplus_bonus(state, sp)
    return Host(
        side=side,
        leaders=force.leaders,
        sp=sp,
        command=force.command,
        cards=cards,
        kept=tuple(kept),
        printed=_printed_values(state, kept, side, role),
        points=points,
        beyond=more,
        die=die,
        score=points + more + die,
        lost=0,
    )


def _printed_values(state: State, kept: list[CardId], side: Side, role: Role) -> tuple[int, ...] | Unset:
    """Return the values printed on cards of an owner's box.

    They are unset for our own cards, because reports know these values.
    """
    if DATA not in state.options:
        return UNSET
    return tuple(state.box.cards[card].value(side, role) for card in kept)


def card_worth(state: State, card: CardId, side: Side, role: Role, at: Point) -> int:
    """Return the value of a card in a battle at a point. Trains count only on the railway."""
    printed_card = state.box.cards[card]
    return (
        0 if printed_card.type == "trains" and not state.board.on_rail(at) else printed_card.value(side, role)
    )


def _apply_victory(working: WorkingState, attack: Attack, defenders: tuple[LeaderId, ...]) -> None:
    """Retreat or capture the beaten defenders and move the attackers in, if any attackers are left.

    A stormed siege town falls.
    """
    foe, at = enemy_of(attack.side), attack.at
    here = tuple(leader for leader in attack.leaders if leader in working.now.leaders)
    if not here and not (attack.came is None and is_held(working.now, at, attack.side)):
        return
    remaining = tuple(leader for leader in defenders if leader in working.now.leaders)
    storm = attack.side == "boers" and working.now.board.places[at].is_siege_town
    if storm:
        capture_town(working, at, "stormed")
    else:
        barred = frozenset(() if attack.came is None else (attack.came,))
        to = retreat_point(working.now, at, foe, barred)
        if to is not None and remaining:
            working.move_leaders(remaining, to)
            working.record(Retreated(side=foe, leaders=remaining, at=at, to=to, beaten=True))
            remaining = ()
        _capture_rest(working, foe, at, remaining)
    if attack.came is not None:
        working.move_leaders(here, at)
    working.take_control(attack.side, (at,))


def _capture_rest(working: WorkingState, side: Side, at: Point, leaders: tuple[LeaderId, ...]) -> None:
    """Capture the leaders who can't retreat, and the rest of the garrison."""
    garrison = side == "empire" and at in working.now.garrisons
    if leaders or garrison:
        sp = working.capture(side, at, leaders, garrison=garrison)
        working.record(Captured(side=side, leaders=leaders, at=at, sp=sp))


def capture_town(
    working: WorkingState, at: Point, how: Literal["surrendered", "stormed", "abandoned"]
) -> None:
    """Give a siege town to the Boers. Its SP are captured and its leaders are out. Source: ruling 9.4."""
    leaders = leaders_at(working.now, at, "empire")
    if is_held(working.now, at, "empire"):
        sp = working.capture("empire", at, leaders, garrison=True)
        working.record(Captured(side="empire", leaders=leaders, at=at, sp=sp))
    working.end_siege(at)
    working.update(control={**working.now.control, at: "boers"})
    working.record_fall(at, how)


def roll_for_beaten(
    working: WorkingState, fought: Battle | Skirmish, emptied: list[LeaderId], decisive: int
) -> None:
    """Roll for beaten leaders without SP, and after a decisive defeat also for those with one SP.

    decisive: the difference from which a defeat is decisive. Source: ruling 3 (test).
    """
    beaten = fought.defender if fought.won else fought.attacker
    tried = [leader for leader in emptied if leader not in working.now.gone]
    if abs(fought.difference) >= decisive:
        standing = working.now.leaders
        tried += [leader for leader in beaten.leaders if leader in standing and standing[leader].sp <= 1]
    for leader in tried:
        working.roll_for_leader(leader)


SCOUTS_EVENT, GOOD_SCOUTS_EVENT = EventId("E09"), EventId("B10")


# Skirmishes of Turns III and IV. Source: ruling 9.3.


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
