"""The guerrilla war: its beginning, and the losses of commandos near camps. Source: ruling 10."""

from games.boer_war.arrivals import home_point
from games.boer_war.codes import LeaderId
from games.boer_war.events import Guerrilla, LostSp
from games.boer_war.forces import is_held, leaders_of
from games.boer_war.model import State
from games.boer_war.working_state import WorkingState


def half_of_scattered(state: State, sp: int) -> int:
    """Return half of so many scattered SP, rounded up: what is lost of them, and what rises again."""
    one_of = state.box.numbers.scattered.one_of
    return -(-sp // one_of)


def begin_guerrilla_war(working: WorkingState) -> None:
    """Carry out the transition at the start of Turn III: regular leaders leave, others rise.

    Source: ruling 10.1.
    """
    state, numbers = working.now, working.now.box.numbers.rising
    total = state.sp_on_map("boers") + half_of_scattered(state, state.scattered["boers"])
    total = min(max(total, numbers.least), numbers.most)
    under_arms = state.sp_on_map("boers") + state.scattered["boers"] + state.pools["boers"]
    _clear_field(working)
    working.bring_sp("boers", max(0, total - under_arms))
    working.destroy_sp("boers", max(0, under_arms - total))
    dealt = _deal_among_roster(working.now, total)
    for leader, sp in dealt.items():
        at = home_point(working.now, state.box.leaders[leader])
        assert at is not None, "some point of the republics is free"
        working.place_leader(leader, at, sp)
    _hand_over_towns(working)
    pool = state.box.numbers.reinforcing.recruit_pool
    working.bring_sp("boers", pool)
    working.update(recruit_pool=pool)
    standing = working.now.leaders
    positions = {
        leader: (standing[leader].at, standing[leader].sp) for leader in leaders_of(working.now, "boers")
    }
    working.record(Guerrilla(sp=total, leaders=positions))


def _clear_field(working: WorkingState) -> None:
    """Remove all Boers from map and box, and trenches, cuts and sieges; those outside the roster are gone."""
    state, roster = working.now, working.now.box.numbers.transition.roster
    leaving = [
        leader for leader in (*leaders_of(state, "boers"), *state.boxes["boers"]) if leader not in roster
    ]
    boers = leaders_of(state, "boers")
    working.update(
        leaders={leader: there for leader, there in state.leaders.items() if leader not in boers},
        boxes={**state.boxes, "boers": ()},
        gone=(*state.gone, *leaving),
        standing=tuple(leader for leader in state.standing if leader not in leaving),
        pools={**state.pools, "boers": 0},
        scattered={**state.scattered, "boers": 0},
        trenches={"boers": (), "empire": ()},
        cuts=(),
        sieges={},
        kept={},
    )


def _deal_among_roster(state: State, total: int) -> dict[LeaderId, int]:
    """Return SP for those of the roster who are still in the game, one at a time, by Command, then code."""
    rank, most = state.box.leaders, state.box.numbers.moving.commando
    able = [leader for leader in state.box.numbers.transition.roster if leader not in state.gone]
    able.sort(key=lambda leader: (-rank[leader].command, leader))
    got = dict.fromkeys(able, 0)
    for _ in range(most):
        for leader in able:
            got[leader] += int(sum(got.values()) < total)
    return {leader: sp for leader, sp in got.items() if sp}


def _hand_over_towns(working: WorkingState) -> None:
    """Give the Empire the colonies, and the railways of the republics where no Boers are."""
    control = dict(working.now.control)
    for point, place in working.now.board.places.items():
        railway = working.now.board.on_rail(point) and not is_held(working.now, point, "boers")
        if not place.is_republic or railway:
            control[point] = "empire"
    working.update(control=control)


def apply_attrition(working: WorkingState) -> None:
    """Roll for each Boer leader with camps near him. Source: ruling 10.5."""
    numbers = working.now.box.numbers.attrition
    for leader in leaders_of(working.now, "boers"):
        at = working.now.leaders[leader].at
        near = sum(working.now.board.distance(at, camp) <= numbers.near for camp in working.now.camps)
        if not near:
            continue
        die = working.roll_die(f"camps {leader}")
        lost = int(die <= min(near, numbers.most))
        working.record(LostSp(leader=leader, why="camps", die=die, number=near, at=at, lost=lost))
        if lost:
            working.wear_down(leader)
            if leader not in working.now.leaders:
                working.roll_for_leader(leader)
