"""A battle of Turns I and II, and its expected result. Source: rulings 9.1 and 9.2."""

from typing import Literal

from games.boer_war.components import CardId, EventId, LeaderId, Losses, Point, Role, Side
from games.boer_war.events import Battle, Captured, Host, Retreated, Skirmish, Slipped
from games.boer_war.model import (
    State,
    best_command,
    enemy_of,
    is_besieging,
    is_held,
    leaders_at,
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
