"""The guerrilla war: how it begins, and how camps wear the commandos down. Source: ruling 10."""

from games.boer_war.arrivals import home
from games.boer_war.codes import LeaderId
from games.boer_war.events import Guerrilla, LostSp
from games.boer_war.forces import is_held, leaders_of
from games.boer_war.in_play import Theatre
from games.boer_war.model import State


def half(state: State, sp: int) -> int:
    """Half of so many scattered SP, rounded up: what is lost of them, and what rises again."""
    one_of = state.box.numbers.scattered.one_of
    return -(-sp // one_of)


def begin(theatre: Theatre) -> None:
    """The transition at the start of Turn III: regular leaders leave, others rise in their districts.

    Source: ruling 10.1.
    """
    state, numbers = theatre.now, theatre.now.box.numbers.rising
    total = state.sp_on_map("boers") + half(state, state.scattered["boers"])
    total = min(max(total, numbers.least), numbers.most)
    under_arms = state.sp_on_map("boers") + state.scattered["boers"] + state.pools["boers"]
    _clear_field(theatre)
    theatre.bring("boers", max(0, total - under_arms))
    theatre.bury("boers", max(0, under_arms - total))
    dealt = _dealt(theatre.now, total)
    for leader, sp in dealt.items():
        at = home(theatre.now, state.box.leaders[leader])
        assert at is not None, "some point of the republics is free"
        theatre.place(leader, at, sp)
    _hand_over_towns(theatre)
    pool = state.box.numbers.reinforcing.recruit_pool
    theatre.bring("boers", pool)
    theatre.set(recruit_pool=pool)
    standing = theatre.now.leaders
    told = {leader: (standing[leader].at, standing[leader].sp) for leader in leaders_of(theatre.now, "boers")}
    theatre.tell(Guerrilla(sp=total, leaders=told))


def _clear_field(theatre: Theatre) -> None:
    """No Boer on the map or in a box, no trench, no cut, no siege; who is not of the roster is gone."""
    state, roster = theatre.now, theatre.now.box.numbers.transition.roster
    leaving = [one for one in (*leaders_of(state, "boers"), *state.boxes["boers"]) if one not in roster]
    boers = leaders_of(state, "boers")
    theatre.set(
        leaders={one: there for one, there in state.leaders.items() if one not in boers},
        boxes={**state.boxes, "boers": ()},
        gone=(*state.gone, *leaving),
        standing=tuple(one for one in state.standing if one not in leaving),
        pools={**state.pools, "boers": 0},
        scattered={**state.scattered, "boers": 0},
        trenches={"boers": (), "empire": ()},
        cuts=(),
        sieges={},
        kept={},
    )


def _dealt(state: State, total: int) -> dict[LeaderId, int]:
    """SP to those of the roster who are still in the game, one at a time, by Command and then by code."""
    rank, most = state.box.leaders, state.box.numbers.moving.commando
    able = [one for one in state.box.numbers.transition.roster if one not in state.gone]
    able.sort(key=lambda one: (-rank[one].command, one))
    got = dict.fromkeys(able, 0)
    for _ in range(most):
        for leader in able:
            got[leader] += int(sum(got.values()) < total)
    return {leader: sp for leader, sp in got.items() if sp}


def _hand_over_towns(theatre: Theatre) -> None:
    """The colonies, and the railways of the republics where no Boers are, come under the Empire."""
    control = dict(theatre.now.control)
    for point, place in theatre.now.board.places.items():
        railway = theatre.now.board.on_rail(point) and not is_held(theatre.now, point, "boers")
        if not place.is_republic or railway:
            control[point] = "empire"
    theatre.set(control=control)


def attrition(theatre: Theatre) -> None:
    """Each Boer leader with camps near him throws. Source: ruling 10.5."""
    numbers = theatre.now.box.numbers.attrition
    for leader in leaders_of(theatre.now, "boers"):
        at = theatre.now.leaders[leader].at
        near = sum(theatre.now.board.apart(at, camp) <= numbers.near for camp in theatre.now.camps)
        if not near:
            continue
        die = theatre.die(f"camps {leader}")
        lost = int(die <= min(near, numbers.most))
        theatre.tell(LostSp(leader=leader, why="camps", die=die, number=near, at=at, lost=lost))
        if lost:
            theatre.wear(leader)
            if leader not in theatre.now.leaders:
                theatre.test(leader)
