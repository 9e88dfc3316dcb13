"""A battle of Turns I and II: cards, losses, and who holds the field. Source: ruling 9.1, ruling 9.2."""

from typing import Literal

from games.boer_war.codes import CardId, EventId, LeaderId, Point, Role, Side
from games.boer_war.estimate import Attack, Bonus, beyond, expected_difference, hand_of, modifiers
from games.boer_war.events import Battle, Captured, Host, Retreated, Skirmish, Slipped
from games.boer_war.forces import command_of, is_besieging, is_held, leaders_at, retreat_from, sp_at
from games.boer_war.in_play import Theatre
from games.boer_war.model import State, other
from games.boer_war.numbers import Losses
from games.own_box import DATA
from games.record import UNSET, Unset, Value, changed

VOLUNTEERS, TRENCHES = EventId("B03"), EventId("B05")


class Force(Value, frozen=True):
    """One side as it goes into a battle: who leads it, with how many SP, the best Command among them."""

    side: Side
    role: Role
    leaders: tuple[LeaderId, ...]
    sp: int
    command: int


def fight(theatre: Theatre, attack: Attack) -> bool:
    """The attack carried out, by leaders who stand where they come from; whether they have the point."""
    if attack.came is not None and slips_away(theatre, attack):
        theatre.move(attack.leaders, attack.at)
        theatre.take(attack.side, (attack.at,))
        return True
    defenders = leaders_at(theatre.now, attack.at, other(attack.side))
    place = len(theatre.events)
    battle, emptied = _joined(theatre, attack, defenders)
    theatre.tell(battle, place)
    _remember(theatre, attack, battle)
    if battle.won:
        _won(theatre, attack, defenders)
    else:
        _repulsed(theatre, attack)
    throw_for_beaten(theatre, battle, emptied, theatre.now.box.numbers.battle.decisive)
    _relieve_of_nobody(theatre, attack.at)
    return battle.won and is_held(theatre.now, attack.at, attack.side)


def slips_away(theatre: Theatre, attack: Attack) -> bool:
    """Whether a Boer force is gone before the attack. Source: ruling 7 (slip away)."""
    state, numbers = theatre.now, theatre.now.box.numbers.battle
    leaders = leaders_at(state, attack.at, "boers")
    if attack.side == "boers" or is_besieging(state, attack.at) or attack.at in state.trenches["boers"]:
        return False
    if any(state.box.leaders[one].move < numbers.slip_move or one in state.standing for one in leaders):
        return False
    expected = expected_difference(state, attack)
    if expected < numbers.slip_from:
        return False
    assert attack.came is not None
    to = retreat_from(state, attack.at, "boers", frozenset((attack.came,)), own_only=True)
    if to is None:
        return False
    theatre.move(leaders, to)
    theatre.tell(Slipped(leaders=leaders, at=attack.at, to=to, expected=round(expected, 2)))
    return True


def _joined(
    theatre: Theatre, attack: Attack, defenders: tuple[LeaderId, ...]
) -> tuple[Battle, list[LeaderId]]:
    """The battle with its losses taken, and the leaders who have no SP left."""
    state, foe = theatre.now, other(attack.side)
    bonus = _trench_bonus(theatre, attack) + attack.bonus
    rank = command_of(state, attack.leaders)
    forces = (
        Force(attack.side, "attack", attack.leaders, _sp(theatre, attack), rank),
        Force(foe, "defence", defenders, sp_at(state, attack.at, foe), command_of(state, defenders)),
    )
    drawn = _cards(theatre, attack, forces)
    hosts = [_host(theatre, force, cards, attack.at) for force, cards in zip(forces, drawn, strict=True)]
    extra = modifiers(state, attack.side, attack.at, attack.came, bonus=bonus)
    first = changed(hosts[0], modifiers=extra, score=hosts[0].score + sum(n for _, n in extra))
    difference = first.score - hosts[1].score
    won = difference > 0
    losses = losses_for(state.box.numbers.battle.losses, difference)
    attack_loses = losses.winner if won else losses.loser
    defence_loses = losses.loser if won else losses.winner
    if not won:
        attack_loses -= _mobile(state, attack.side, attack.leaders, attack_loses)
    else:
        defence_loses -= _mobile(state, foe, defenders, defence_loses)
    own_garrison = attack.at if attack.came is None else None
    gone, emptied = theatre.lose(attack.side, attack.leaders, attack_loses, own_garrison)
    lost, also = theatre.lose(foe, defenders, defence_loses, attack.at)
    battle = Battle(
        at=attack.at,
        came=attack.came,
        attacker=changed(first, lost=gone),
        defender=changed(hosts[1], lost=lost),
        difference=difference,
        won=won,
    )
    return battle, emptied + also


def losses_for(table: tuple[Losses, ...], difference: int) -> Losses:
    """The row of a table of losses for a difference, whoever is ahead."""
    return next(row for row in reversed(table) if row.low <= abs(difference))


def _sp(theatre: Theatre, attack: Attack) -> int:
    if attack.came is None:
        return sp_at(theatre.now, attack.at, attack.side)
    return sum(theatre.now.leaders[one].sp for one in attack.leaders)


def _mobile(state: State, side: Side, leaders: tuple[LeaderId, ...], loses: int) -> int:
    """What beaten Boers lose less when no ox wagons hold them up."""
    numbers = state.box.numbers.battle
    slow = any(state.box.leaders[one].move <= numbers.ox_wagons for one in leaders)
    return min(loses, numbers.mobile) if side == "boers" and not slow else 0


def _trench_bonus(theatre: Theatre, attack: Attack) -> Bonus:
    """Trenches at the foot of the hill count for more, once."""
    if TRENCHES not in theatre.now.kept or attack.at not in theatre.now.trenches["boers"]:
        return ()
    if attack.side == "boers":
        return ()
    use(theatre, TRENCHES)
    deeper = theatre.now.box.numbers.battle.trench + theatre.now.box.events[TRENCHES].number
    return ((TRENCHES, -deeper),)


def use(theatre: Theatre, event: EventId) -> None:
    """A marker of an event has done its work."""
    theatre.set(kept={one: what for one, what in theatre.now.kept.items() if one != event})


def _cards(
    theatre: Theatre, attack: Attack, forces: tuple[Force, Force]
) -> tuple[tuple[CardId, ...], tuple[CardId, ...]]:
    """Attacker and defender draw from one deck, each as many as its hand and its Command."""
    first, second = (hand_of(theatre.now, force.sp) + force.command for force in forces)
    if VOLUNTEERS in theatre.now.kept:
        extra = theatre.now.box.events[VOLUNTEERS].number
        use(theatre, VOLUNTEERS)
        first, second = (first + extra, second) if attack.side == "boers" else (first, second + extra)
    deck = tuple(theatre.now.box.cards)
    numbers = theatre.drawn(f"battle {attack.at}/cards", len(deck), first + second)
    cards = tuple(deck[n - 1] for n in numbers)
    return cards[:first], cards[first:]


def _host(theatre: Theatre, force: Force, cards: tuple[CardId, ...], at: Point) -> Host:
    """One side with its best cards kept and its die thrown; losses come later."""
    side, role, sp, state = force.side, force.role, force.sp, theatre.now
    worth = {one: card_worth(state, one, side, role, at) for one in cards}
    kept = sorted(cards, key=lambda one: (-worth[one], cards.index(one)))[: hand_of(state, sp)]
    points = sum(worth[one] for one in kept)
    die = theatre.die(f"battle {at}/{side}")
    more = beyond(state, sp)
    return Host(
        side=side,
        leaders=force.leaders,
        sp=sp,
        command=force.command,
        cards=cards,
        kept=tuple(kept),
        printed=_printed(state, kept, side, role),
        points=points,
        beyond=more,
        die=die,
        score=points + more + die,
        lost=0,
    )


def _printed(state: State, kept: list[CardId], side: Side, role: Role) -> tuple[int, ...] | Unset:
    """What stands on cards, where they are those of an owner's box: of ours everybody knows it."""
    if DATA not in state.options:
        return UNSET
    return tuple(state.box.cards[one].value(side, role) for one in kept)


def card_worth(state: State, card: CardId, side: Side, role: Role, at: Point) -> int:
    """What a card counts in a point: trains only on the railway."""
    one = state.box.cards[card]
    return 0 if one.type == "trains" and not state.board.on_rail(at) else one.value(side, role)


def _remember(theatre: Theatre, attack: Attack, battle: Battle) -> None:
    """What later events ask: whether the Empire was beaten, and who was repulsed."""
    empire_lost = battle.won == (attack.side == "boers")
    if empire_lost:
        theatre.set(beaten=True)
    if attack.side == "empire" and not battle.won:
        again = [one for one in attack.leaders if one not in theatre.now.repulsed]
        theatre.set(repulsed=(*theatre.now.repulsed, *again))


def _won(theatre: Theatre, attack: Attack, defenders: tuple[LeaderId, ...]) -> None:
    """The beaten go, or are taken; the attacker has the point, unless nobody is left of him.

    A stormed siege town falls.
    """
    foe, at = other(attack.side), attack.at
    here = tuple(one for one in attack.leaders if one in theatre.now.leaders)
    if not here and not (attack.came is None and is_held(theatre.now, at, attack.side)):
        return
    left = tuple(one for one in defenders if one in theatre.now.leaders)
    storm = attack.side == "boers" and theatre.now.board.places[at].is_siege_town
    if storm:
        town_falls(theatre, at, "stormed")
    else:
        barred = frozenset(() if attack.came is None else (attack.came,))
        to = retreat_from(theatre.now, at, foe, barred)
        if to is not None and left:
            theatre.move(left, to)
            theatre.tell(Retreated(side=foe, leaders=left, at=at, to=to, beaten=True))
            left = ()
        _capture_rest(theatre, foe, at, left)
    if attack.came is not None:
        theatre.move(here, at)
    theatre.take(attack.side, (at,))


def _capture_rest(theatre: Theatre, side: Side, at: Point, leaders: tuple[LeaderId, ...]) -> None:
    """Leaders who cannot get away, and garrisons that are left, are captured."""
    garrison = side == "empire" and at in theatre.now.garrisons
    if leaders or garrison:
        sp = theatre.capture(side, at, leaders, garrison=garrison)
        theatre.tell(Captured(side=side, leaders=leaders, at=at, sp=sp))


def town_falls(theatre: Theatre, at: Point, how: Literal["surrendered", "stormed", "abandoned"]) -> None:
    """A siege town falls: its SP captured, its leaders out, the point the Boers'. Source: ruling 9.4."""
    leaders = leaders_at(theatre.now, at, "empire")
    if is_held(theatre.now, at, "empire"):
        sp = theatre.capture("empire", at, leaders, garrison=True)
        theatre.tell(Captured(side="empire", leaders=leaders, at=at, sp=sp))
    theatre.end_siege(at)
    theatre.give("boers", at)
    theatre.note_fall(at, how)


def _repulsed(theatre: Theatre, attack: Attack) -> None:
    """The attackers never left the point they came from; it is told that they are back there."""
    here = tuple(one for one in attack.leaders if one in theatre.now.leaders)
    if attack.came is not None and here:
        theatre.tell(Retreated(side=attack.side, leaders=here, at=attack.at, to=attack.came, beaten=False))


def throw_for_beaten(
    theatre: Theatre, fought: Battle | Skirmish, emptied: list[LeaderId], decisive: int
) -> None:
    """Who has no SP left throws, and after a decisive defeat who has one. Source: ruling 3 (test).

    decisive: the difference from which it is one.
    """
    beaten = fought.defender if fought.won else fought.attacker
    tried = [one for one in emptied if one not in theatre.now.gone]
    if abs(fought.difference) >= decisive:
        standing = theatre.now.leaders
        tried += [one for one in beaten.leaders if one in standing and standing[one].sp <= 1]
    for leader in tried:
        theatre.test(leader)


def _relieve_of_nobody(theatre: Theatre, at: Point) -> None:
    """A besieged town in which nobody is left to hold it is the besiegers'."""
    if at in theatre.now.sieges and not is_held(theatre.now, at, "empire"):
        town_falls(theatre, at, "abandoned")
