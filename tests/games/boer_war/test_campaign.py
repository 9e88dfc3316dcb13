"""Properties of every state in whole games of bots and after random legal orders."""

import random
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.turns.log import RecordingDice
from games.boer_war.battles import card_worth
from games.boer_war.board import board
from games.boer_war.bots import Commander
from games.boer_war.components import materials
from games.boer_war.event_counters import event_orders, playable_events
from games.boer_war.events import AnyEvent, Battle, Drawn, RoundEnded, Skirmish
from games.boer_war.model import (
    SIDES,
    AnyOrder,
    Assault,
    Blockhouse,
    Camp,
    Drive,
    Entrench,
    Move,
    Pass,
    Raid,
    Rail,
    Reinforce,
    Reorganize,
    Siege,
    State,
    Trek,
    capacity,
    is_held,
    leaders_of,
    side_of,
)
from games.boer_war.setup import OPTIONS
from games.dice import LabelledDice, SealedDice
from games.options import settle
from games.pool import RoundCounters
from games.record import canonical, load
from tests.games.boer_war.field import RULES, on_books, war
from tests.kit.campaign import campaign
from tests.kit.dice import any_dice

pytestmark = pytest.mark.long

BOT = Commander()
ACTIONS = 168
"""The number of actions of both sides in a game of four Turns."""


def assert_sound(state: State) -> None:
    """Check a state: the total of SP, the limits of leaders, and points with both sides."""
    for side in SIDES:
        assert on_books(state, side) == state.brought[side], side
        assert min(state.pools[side], state.scattered[side], state.lost[side]) >= 0
    assert state.recruit_pool >= 0
    for leader, there in state.leaders.items():
        assert 1 <= there.sp <= capacity(state, leader), leader
    assert all(sp > 0 for sp in state.garrisons.values())
    for point in board().points:
        both = is_held(state, point, "boers") and is_held(state, point, "empire")
        assert both == (point in state.sieges), point
    for side in SIDES:
        assert all(is_held(state, point, side) for point in state.trenches[side])
    known = [*state.leaders, *state.gone, *state.boxes["boers"], *state.boxes["empire"]]
    assert len(known) == len(set(known))
    assert len(state.camps) == len(set(state.camps)) <= 24
    assert len(state.blockhouses) == len(set(state.blockhouses)) <= 12
    assert load(State, canonical(state)) == state


@cache
def states(seed: int, mode: str = "war", pool: str = "unflipped_2") -> tuple[State, ...]:
    """Return all states of a game between bots, from the opening on."""
    secret = f"campaign {seed}".encode()
    options = settle(OPTIONS, {"mode": mode, "pool": pool})
    found = [RULES.setup(options, RecordingDice(SealedDice(secret, "g", 0))).state]
    while dues := RULES.due(found[-1]):
        dice = RecordingDice(SealedDice(secret, "g", len(found)))
        (due,) = dues
        chosen = BOT.orders(found[-1], due, LabelledDice(dice, "bot/"))
        outcome = RULES.adjudicate(found[-1], {due.seat: [one.order for one in chosen]}, dice)
        for event in outcome.events:
            assert load(AnyEvent, canonical(event)) == event
        found.append(outcome.state)
        assert len(found) < 400, "the game does not end"
    return tuple(found)


@pytest.mark.clause("boer-war", "2.4.used-up", "3.leader", "3.capacity")
@pytest.mark.parametrize(
    ("mode", "pool"), [("war", "unflipped_2"), ("both", "stop_left_in_cup"), ("table", "unflipped_2")]
)
def test_a_whole_game_in_each_mode(mode: str, pool: str) -> None:
    """Play from October 1899 to the end. Every state is sound, and no side has a counter too many."""
    played = states(1, mode, pool)
    for state in played if mode != "table" else ():
        assert_sound(state)
    assert played[-1].ended
    assert len(played) - 1 <= ACTIONS
    for before, after in pairwise(played):
        if after.turn != before.turn:
            assert before.counters[before.side].rounds == 1
            assert after.counters == {"boers": RoundCounters(), "empire": RoundCounters()}


@pytest.mark.clause("boer-war", "2.2.end", "2.4.used-up")
def test_a_turn_of_a_war_has_four_four_and_three() -> None:
    """It's true for each side in each complete Turn."""
    rounds = Counter[tuple[int, str, int]]()
    steps = campaign("boer-war").steps
    for step in steps:
        for event in step.events:
            if isinstance(event, RoundEnded):
                rounds[event.turn, event.side, event.actions] += 1
    for turn in range(1, steps[-1].after.turn):
        for side in SIDES:
            assert [rounds[turn, side, number] for number in (1, 2, 3)] == [4, 4, 3]


def anything(state: State, lot: random.Random) -> AnyOrder:
    """Return a random legal order of the side that acts."""
    tried = candidates(state, lot)
    lot.shuffle(tried)
    seat = state.seat(state.side)
    return next((order for order in tried if RULES.check(state, seat, order) is None), Pass())


def candidates(state: State, lot: random.Random) -> list[AnyOrder]:
    """Return some orders of each kind, legal or not."""
    own = leaders_of(state, state.side)
    points = lot.sample(board().points, 12)
    found: list[AnyOrder] = [play for event in playable_events(state) for play in event_orders(state, event)]
    for leader in own:
        there = state.leaders[leader].at
        for point in (*board().near[there], *points):
            found += [Move(leaders=(leader,), path=(point,)), Rail(leaders=(leader,), path=(point,))]
            found += [Trek(leader=leader, path=(point,)), Move(leaders=(leader,), path=(point,), storm=True)]
        found += [Entrench(at=there), Camp(at=there), Reinforce(leader=leader), Reorganize(leader=leader)]
        found.append(Move(leaders=(leader, *[one for one in own if one != leader][:1]), path=(points[0],)))
    for leader in state.boxes[state.side]:
        found += [Reorganize(leader=leader, at=point) for point in points]
    for at in (*state.sieges, *points):
        found += [Assault(at=at), Siege(at=at), Reinforce(at=at)]
    for link in lot.sample(list(board().links), 10):
        found += [Raid(link=link), Blockhouse(link=link)]
    boers = leaders_of(state, "boers")
    found += [Drive(target=state.leaders[one].at, leaders=tuple(own[:3])) for one in boers[:3]]
    return found


@settings(max_examples=40, deadline=None)
@given(place=st.floats(0, 1), game=st.integers(0, 2), seed=st.integers(0, 10**6))
def test_every_state_is_sound_whatever_is_done(place: float, game: int, seed: int) -> None:
    """Play four legal actions from anywhere in a game of bots.

    SP are conserved, and no marker is left over.
    """
    found = states(game)
    state = found[int(place * (len(found) - 2))]
    lot = random.Random(seed)
    for number in range(4):
        if state.ended:
            break
        order = anything(state, lot)
        (due,) = RULES.due(state)
        assert due.seat == state.seat(state.side)
        dice = RecordingDice(any_dice(seed * 10 + number))
        state = RULES.adjudicate(state, {due.seat: (order,)}, dice).state
        assert_sound(state)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_five_hundred_games_of_bots(capsys: Any) -> None:
    """All games end by the rules. The test prints winners, reasons, and the SP left after each Turn."""
    games = 500
    winners, reasons, reached = Counter[str](), Counter[str](), 0
    under_arms: dict[int, list[tuple[int, int]]] = {1: [], 2: [], 3: []}
    taken = Counter[str]()
    for seed in range(games):
        played = states.__wrapped__(seed)
        last = played[-1]
        assert last.ended
        assert_sound(last)
        winners["/".join(last.winners) or "draw"] += 1
        reasons[str(last.ended)] += 1
        reached += last.turn >= 3
        taken.update(last.fallen)
        for before, after in pairwise(played):
            if after.turn != before.turn:
                under_arms[before.turn].append((before.sp_on_map("boers"), before.sp_on_map("empire")))
    with capsys.disabled():
        print(f"\n{games} games: {dict(winners)}, {dict(reasons)}; {reached} reached Turn III")
        for turn, rows in under_arms.items():
            boers, empire = (sum(row[side] for row in rows) / max(1, len(rows)) for side in (0, 1))
            print(f"  SP at the end of Turn {turn}: Boers {boers:.1f}, Empire {empire:.1f}")
        print(f"  siege towns taken: {dict(taken)}")
    assert all(winners[side] > games // 10 for side in SIDES)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@settings(max_examples=3000, deadline=None)
@given(place=st.floats(0, 1), game=st.integers(0, 30), seed=st.integers(0, 10**9))
def test_every_state_is_sound_for_long(place: float, game: int, seed: int) -> None:
    """It does the same for many hundreds of positions."""
    test_every_state_is_sound_whatever_is_done.hypothesis.inner_test(place, game, seed)


def test_everybody_is_of_a_side() -> None:
    """Bots only give orders to their own leaders."""
    assert {side_of(leader) for leader in materials().leaders} == set(SIDES)


@pytest.mark.clause("boer-war", "9.1.hand", "9.1.score", "9.1.losses", "9.3.roll", "9.3.losses", "2.second")
def test_every_fight_and_draw_of_a_game_adds_up() -> None:
    """The cards and dice in reports add up to the score, and the pools agree with the counters."""
    events = [event for step in campaign("boer-war").steps for event in step.events]
    kinds = Counter(type(event).__name__ for event in events)
    assert min(kinds["Battle"], kinds["Skirmish"], kinds["Drawn"]) > 0
    for event in events:
        if isinstance(event, Battle):
            assert_battle(event)
        elif isinstance(event, Skirmish):
            for band in (event.attacker, event.defender):
                assert band.score == band.die + band.command + sum(n for _, n in band.modifiers)
            assert event.difference == event.attacker.score - event.defender.score
        elif isinstance(event, Drawn):
            assert event.go == (event.counters.twos if event.done == 1 else event.counters.threes)
            assert event.stop == (event.counters.ones if event.done == 1 else event.counters.twos)


def assert_battle(fought: Battle) -> None:
    """Its cards are all different, the best are kept, and the losses are those of the table."""
    drawn = [*fought.attacker.cards, *fought.defender.cards]
    assert len(drawn) == len(set(drawn))
    for host, role in ((fought.attacker, "attack"), (fought.defender, "defence")):
        hand = min(host.sp, 8)
        assert len(host.kept) == hand
        assert len(host.cards) - hand - host.command in (0, 1)
        worth = sorted(
            (card_worth(war(), card, host.side, role, fought.at) for card in host.cards), reverse=True
        )
        assert host.points == sum(worth[:hand])
        extra = sum(n for _, n in host.modifiers) if role == "attack" else 0
        assert host.score == host.points + max(0, host.sp - 8) // 2 + host.die + extra
    assert fought.difference == fought.attacker.score - fought.defender.score
    assert fought.won == (fought.difference > 0)
    loser, winner = (fought.defender, fought.attacker) if fought.won else (fought.attacker, fought.defender)
    row = next((lost for low, lost in ((8, (3, 0)), (4, (2, 0))) if abs(fought.difference) >= low), (1, 1))
    assert loser.lost in (min(row[0], loser.sp), min(row[0], loser.sp) - 1, row[0] - 1)
    assert winner.lost == min(row[1], winner.sp)
