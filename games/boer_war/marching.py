"""Leaders on their way: steps taken, points taken, SP handed over, and attacks at the end of it."""

from collections.abc import Sequence
from itertools import pairwise

from games.boer_war.battles import fight, use
from games.boer_war.codes import EventId, LeaderId, Point, Side
from games.boer_war.estimate import Attack, Bonus
from games.boer_war.events import Handed, How, Invested, Refused, Reinforced, Went
from games.boer_war.forces import leaders_at, room
from games.boer_war.in_play import Theatre
from games.boer_war.model import AnyOrder, Garrison, Transfer
from games.boer_war.skirmishes import Raiders, cross, skirmish
from games.boer_war.ways import Journey
from games.record import changed

GUNS, AMBUSH = EventId("E02"), EventId("B06")


def go(theatre: Theatre, side: Side, journey: Journey, how: How) -> None:
    """Leaders go to the end of their way, or to the point before it where they attack.

    They take what they pass. Source: ruling 4 (control).
    """
    path = journey.path[:-1] if journey.attacks else journey.path
    if not path:
        return
    theatre.tell(Went(side=side, leaders=journey.leaders, path=(journey.start, *path), how=how))
    theatre.move(journey.leaders, path[-1])
    theatre.take(side, path)


def trek(theatre: Theatre, journey: Journey, *, past_lines: bool = False) -> bool:
    """A Boer leader goes step by step, over lines of blockhouses; whether he gets to the end of his way.

    past_lines: they do not matter. Source: ruling 8 (TREK), ruling 9.3.4.
    """
    (leader,) = journey.leaders
    steps = (journey.start, *(journey.path[:-1] if journey.attacks else journey.path))
    if len(steps) > 1:
        theatre.tell(Went(side="boers", leaders=(leader,), path=steps, how="trek"))
    for here, there in pairwise(steps):
        theatre.move((leader,), there)
        if not past_lines:
            cross(theatre, leader, here, there)
        if leader not in theatre.now.leaders:
            return False
    if journey.attacks and not past_lines:
        cross(theatre, leader, journey.last, journey.goal)
    return leader in theatre.now.leaders


def arrive(theatre: Theatre, side: Side, journey: Journey, bonus: Bonus = (), *, storm: bool = False) -> bool:
    """What happens where a way ends at the enemy: an investment, a battle, a skirmish. Whether it is won.

    Source: ruling 7 (MOVE, invest), ruling 8 (MOVE, TREK).
    """
    if not journey.attacks:
        return False
    town = theatre.now.board.places[journey.goal].is_siege_town and not theatre.now.is_guerrilla
    if side == "boers" and town and not storm:
        invest(theatre, journey.leaders, journey.goal)
        return False
    came = dict.fromkeys(journey.leaders, journey.last)
    return strike(theatre, Raiders(side, came, journey.goal, bonus))


def invest(theatre: Theatre, leaders: tuple[LeaderId, ...], town: Point) -> None:
    """Boers besiege a town, or join the siege. Source: ruling 7 (invest)."""
    theatre.move(leaders, town)
    theatre.set(sieges={town: 0, **theatre.now.sieges})
    theatre.tell(Invested(at=town, leaders=leaders))


def strike(theatre: Theatre, raid: Raiders) -> bool:
    """An attack on a point: a battle in Turns I and II, a skirmish in III and IV; whether it is won.

    An ambush that was laid adds to it.
    """
    ambusher, bonus = _ambushed(theatre, raid.side, raid.leaders, raid.bonus)
    if theatre.now.is_guerrilla:
        won = skirmish(theatre, changed(raid, bonus=bonus))
    else:
        won = fight(theatre, Attack(raid.side, raid.leaders, raid.at, raid.came[raid.leaders[0]], bonus))
    if won and ambusher is not None:
        recover(theatre, ambusher)
    return won


def _ambushed(
    theatre: Theatre, side: Side, leaders: tuple[LeaderId, ...], bonus: Bonus
) -> tuple[LeaderId | None, Bonus]:
    """Who of the attackers has laid an ambush, which counts now, and what they have with it."""
    laid = theatre.now.kept.get(AMBUSH)
    ambusher = next((one for one in leaders if side == "boers" and one == laid), None)
    if ambusher is None:
        return None, bonus
    use(theatre, AMBUSH)
    return ambusher, (*bonus, (AMBUSH, theatre.now.box.events[AMBUSH].number))


def recover(theatre: Theatre, leader: LeaderId) -> None:
    """The winner of an ambush gets an SP back out of the Scattered box. Source: ruling 12.2 (B06)."""
    if leader in theatre.now.leaders and room(theatre.now, leader) and theatre.now.scattered["boers"]:
        theatre.scatter("boers", -1)
        theatre.gain(leader, 1)
        theatre.tell(
            Reinforced(
                side="boers",
                leader=leader,
                at=theatre.now.leaders[leader].at,
                sp=1,
                source="scattered",
                left=theatre.now.scattered["boers"],
            )
        )


def assault(theatre: Theatre, side: Side, at: Point, bonus: Bonus) -> bool:
    """A storm by besiegers or a sortie by the besieged, with all their SP. Source: ruling 7 (ASSAULT)."""
    leaders = leaders_at(theatre.now, at, side)
    ambusher, bonus = _ambushed(theatre, side, leaders, bonus)
    won = fight(theatre, Attack(side, leaders, at, None, bonus))
    if won and ambusher is not None:
        recover(theatre, ambusher)
    return won


def gun_bonus(theatre: Theatre, guns: bool) -> Bonus:
    """What the Naval Brigade's guns add, if they are used: their marker is spent. Source: 12.2 (E02)."""
    if not guns:
        return ()
    use(theatre, GUNS)
    return ((GUNS, theatre.now.box.events[GUNS].number),)


def hand_over(theatre: Theatre, side: Side, at: Point, wishes: Sequence[AnyOrder]) -> tuple[AnyOrder, ...]:
    """SP handed over in a point, as far as it can be done there; what is left. Source: ruling 3."""
    return tuple(wish for wish in wishes if not _handed(theatre, side, at, wish))


def _handed(theatre: Theatre, side: Side, at: Point, wish: AnyOrder) -> bool:
    if isinstance(wish, Garrison):
        if wish.at != at:
            return False
        wish = Transfer(giver=wish.leader, taker=None, sp=wish.sp)
    assert isinstance(wish, Transfer)
    state = theatre.now
    for leader in (wish.giver, wish.taker):
        if leader is not None and (leader not in state.leaders or state.leaders[leader].at != at):
            return False
    has = state.garrisons.get(at, 0) if wish.giver is None else state.leaders[wish.giver].sp - 1
    takes = wish.sp if wish.taker is None else room(state, wish.taker)
    if wish.sp > min(has, takes) or (side == "boers" and None in (wish.giver, wish.taker)):
        return False
    for leader, sp in ((wish.giver, -wish.sp), (wish.taker, wish.sp)):
        if leader is None:
            theatre.garrison(at, sp)
        else:
            theatre.gain(leader, sp)
    theatre.tell(Handed(at=at, giver=wish.giver, taker=wish.taker, sp=wish.sp))
    return True


def refuse(theatre: Theatre, side: Side, wishes: Sequence[AnyOrder], code: str) -> None:
    """Tell of wishes that came to nothing."""
    for wish in wishes:
        theatre.tell(Refused(side=side, order=wish, code=code))
