"""A skirmish of Turns III and IV: evasion, dice, losses, lines of blockhouses. Source: ruling 9.3."""

from collections.abc import Mapping

from games.boer_war.battles import losses_for, throw_for_beaten, use
from games.boer_war.board import FAR
from games.boer_war.codes import EventId, LeaderId, Link, Point, Side
from games.boer_war.estimate import Bonus
from games.boer_war.events import Band, Captured, Evasion, LostSp, Retreated, Skirmish
from games.boer_war.forces import command_of, leaders_at, leaders_of, points_held, retreat_from, sp_at
from games.boer_war.in_play import Theatre
from games.boer_war.model import State, other
from games.record import Value, changed

SCOUTS, GOOD_SCOUTS = EventId("E09"), EventId("B10")


class Raiders(Value, frozen=True):
    """Leaders of a side who attack a point, each from where he stands. evadable: the Boers may evade.

    came: by leader, the point from which he enters. bonus: what events add to their score.
    """

    side: Side
    came: Mapping[LeaderId, Point]
    at: Point
    bonus: Bonus = ()
    evadable: bool = True

    @property
    def leaders(self) -> tuple[LeaderId, ...]:
        """Who attacks."""
        return tuple(self.came)


def skirmish(theatre: Theatre, raid: Raiders) -> bool:
    """The attack carried out; whether the attackers have the point. They stand where they enter from."""
    defenders = leaders_at(theatre.now, raid.at, other(raid.side))
    if raid.side == "empire" and raid.evadable and _evades(theatre, raid, defenders):
        _occupy(theatre, raid)
        return True
    place = len(theatre.events)
    fought, emptied = _joined(theatre, raid, defenders)
    theatre.tell(fought, place)
    has_point = _won(theatre, raid, defenders) if fought.won else False
    if not has_point:
        _go_back(theatre, raid)
    throw_for_beaten(theatre, fought, emptied, theatre.now.box.numbers.skirmish.decisive)
    return has_point


def _evades(theatre: Theatre, raid: Raiders, leaders: tuple[LeaderId, ...]) -> bool:
    """Whether a Boer force gets away, and if so it is gone. Source: ruling 9.3.1."""
    state, numbers = theatre.now, theatre.now.box.numbers.skirmish
    if any(one in state.standing for one in leaders):
        return False
    to = refuge(state, raid.at, frozenset(raid.came.values()))
    if to is None:
        return False
    found = evasion(state, leaders, raid.at, len(raid.leaders))
    die = theatre.die(f"evade {raid.at}")
    score = die + sum(n for _, n in found)
    away, scouts = score >= numbers.evades, False
    if not away and GOOD_SCOUTS in state.kept:
        use(theatre, GOOD_SCOUTS)
        away = scouts = True
    theatre.tell(
        Evasion(
            leaders=leaders,
            at=raid.at,
            die=die,
            modifiers=tuple((name, n) for name, n in found if n),
            score=score,
            to=to if away else None,
            scouts=scouts,
        )
    )
    if away:
        theatre.move(leaders, to)
        for leader in leaders:
            cross(theatre, leader, raid.at, to)
    return away


def evasion(
    state: State, leaders: tuple[LeaderId, ...], at: Point, columns: int
) -> tuple[tuple[str, int], ...]:
    """What is added to the die of Boer leaders who evade so many columns, by name. Source: ruling 9.3.1."""
    lines = sum(at in state.board.ends(link) for link in state.blockhouses)
    return (
        ("command", command_of(state, leaders)),
        ("columns", 1 - columns),
        ("blockhouses", -min(lines, state.box.numbers.skirmish.blockhouses)),
    )


def refuge(state: State, at: Point, barred: frozenset[Point]) -> Point | None:
    """Where Boers who evade go: the neighbour without Empire SP farthest from any Empire leader, by code."""
    foes = points_held(state, "empire")
    led = [state.leaders[one].at for one in leaders_of(state, "empire")]
    free = [one for one in state.board.near[at] if one not in barred and one not in foes]

    def safety(point: Point) -> int:
        return min((state.board.apart(point, there) for there in led), default=FAR)

    return min(free, key=lambda point: (-safety(point), point), default=None)


def line_on(state: State, here: Point, there: Point) -> Link | None:
    """The line of blockhouses that a Boer leader crosses from a point to the next: one that he goes along.

    Else, as numbers may say (`blockhouse.ends`), one that ends where he comes to, whether he stays there or
    not; the first by the code of its other end. Source: ruling 9.3.4.
    """
    board, lines = state.board, state.blockhouses
    along = board.link(here, there)
    if along in lines:
        return along
    if not lines or not state.box.numbers.blockhouse.ends:
        return None
    ending = (board.link(there, beyond) for beyond in board.rails[there])
    return next((link for link in ending if link in lines), None)


def cross(theatre: Theatre, leader: LeaderId, here: Point, there: Point) -> None:
    """A Boer leader goes from a point to the next; a line of blockhouses may cost him SP. Source: 9.3.4."""
    link, numbers = line_on(theatre.now, here, there), theatre.now.box.numbers.blockhouse
    if link is None or leader not in theatre.now.leaders:
        return
    die = theatre.die(f"cross {link} {leader}")
    bonus = numbers.skill if theatre.now.box.leaders[leader].command >= numbers.skilled else 0
    lost = int(die + bonus <= numbers.loses)
    at = theatre.now.leaders[leader].at
    theatre.tell(LostSp(leader=leader, why="blockhouse", die=die, bonus=bonus, at=at, link=link, lost=lost))
    if lost:
        theatre.wear(leader)
        if leader not in theatre.now.leaders:
            theatre.test(leader)


def _joined(
    theatre: Theatre, raid: Raiders, defenders: tuple[LeaderId, ...]
) -> tuple[Skirmish, list[LeaderId]]:
    """The skirmish with its losses taken, and the leaders who have no SP left. Source: 9.3.2, 9.3.3."""
    foe, numbers = other(raid.side), theatre.now.box.numbers.skirmish
    sp = sum(theatre.now.leaders[one].sp for one in raid.leaders)
    held = sp_at(theatre.now, raid.at, foe)
    attacker = _band(theatre, raid, raid.side, raid.leaders, (sp, held))
    defender = _band(theatre, raid, foe, defenders, (held, sp))
    difference = attacker.score - defender.score
    won = difference > 0
    losses = losses_for(numbers.losses, difference)
    attack_loses, defence_loses = (losses.winner, losses.loser) if won else (losses.loser, losses.winner)
    if not won and raid.side == "boers":
        attack_loses = max(0, attack_loses - numbers.repulsed)
    gone, emptied = theatre.lose(raid.side, raid.leaders, attack_loses, None)
    lost, also = theatre.lose(foe, defenders, defence_loses, raid.at)
    fought = Skirmish(
        at=raid.at,
        attacker=changed(attacker, lost=gone),
        defender=changed(defender, lost=lost),
        difference=difference,
        won=won,
    )
    return fought, emptied + also


def _band(
    theatre: Theatre, raid: Raiders, side: Side, leaders: tuple[LeaderId, ...], sp: tuple[int, int]
) -> Band:
    """One side, with its die thrown. sp: its own and the enemy's."""
    command = command_of(theatre.now, leaders)
    die = theatre.die(f"skirmish {raid.at}/{side}")
    bonus = raid.bonus if side == raid.side else ()
    found = (*skirmish_modifiers(theatre.now, side, raid.at, sp, attacks=side == raid.side), *bonus)
    score = die + command + sum(n for _, n in found)
    return Band(
        side=side, leaders=leaders, sp=sp[0], command=command, die=die, modifiers=found, score=score, lost=0
    )


def skirmish_modifiers(
    state: State, side: Side, at: Point, sp: tuple[int, int], *, attacks: bool
) -> tuple[tuple[str, int], ...]:
    """What is added to a side's roll, by name. sp: its own and the enemy's. Source: ruling 9.3.2."""
    numbers, (own, foe) = state.box.numbers.skirmish, sp
    found = []
    if own >= 2 * foe:
        found.append(("numbers", numbers.twice + (numbers.four_times if own >= 4 * foe else 0)))
    if side == "boers" and attacks:
        found.append(("surprise", numbers.boer_attack))
    if side == "boers" and not state.board.on_rail(at):
        found.append(("veld", numbers.boer_veld))
    if side == "empire" and SCOUTS in state.kept:
        found.append((SCOUTS, state.box.events[SCOUTS].number))
    return tuple(found)


def _won(theatre: Theatre, raid: Raiders, defenders: tuple[LeaderId, ...]) -> bool:
    """The beaten leaders go, or are taken; whether the attackers have the point, or a garrison holds it."""
    foe, at = other(raid.side), raid.at
    left = tuple(one for one in defenders if one in theatre.now.leaders)
    to = retreat_from(theatre.now, at, foe, frozenset(raid.came.values()))
    if left and to is not None:
        theatre.move(left, to)
        theatre.tell(Retreated(side=foe, leaders=left, at=at, to=to, beaten=True))
        for leader in left if foe == "boers" else ():
            cross(theatre, leader, at, to)
    elif left:
        sp = theatre.capture(foe, at, left, garrison=False)
        theatre.tell(Captured(side=foe, leaders=left, at=at, sp=sp))
    if sp_at(theatre.now, at, foe) or not any(one in theatre.now.leaders for one in raid.leaders):
        return False
    _occupy(theatre, raid)
    return True


def _occupy(theatre: Theatre, raid: Raiders) -> None:
    here = tuple(one for one in raid.leaders if one in theatre.now.leaders)
    theatre.move(here, raid.at)
    theatre.take(raid.side, (raid.at,))


def _go_back(theatre: Theatre, raid: Raiders) -> None:
    """Told for each point that attackers are back in; Boers cross the line on their way once more."""
    for came in dict.fromkeys(raid.came.values()):
        here = tuple(one for one in raid.leaders if raid.came[one] == came and one in theatre.now.leaders)
        if here:
            theatre.tell(Retreated(side=raid.side, leaders=here, at=raid.at, to=came, beaten=False))
        for leader in here if raid.side == "boers" else ():
            cross(theatre, leader, raid.at, came)
