"""The bots of every level: lawful, complete, the same again, and true in what they say."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.dice import SealedDice
from games.diplomacy.bots.common import TEMPERS
from games.diplomacy.bots.intermediate import choose_foe
from games.diplomacy.bots.reasons import (
    Attacks,
    Backs,
    Covers,
    Crosses,
    Denies,
    Diverts,
    Ferried,
    Ferries,
    Heads,
    Keeps,
    Reasoned,
    Shields,
    Takes,
    motive_phrase,
)
from games.diplomacy.model import (
    NEUTRAL,
    Beaten,
    BuildCanoe,
    Convoy,
    Destroy,
    Hold,
    Move,
    Phase,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    split_spot,
)
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.bot_games import rounds
from tests.kit.bot_positions import Frontier

KINDS = ("indianomacy", "standard", "fleet-rome", "chaos")
LEVELS = ("beginner", "intermediate")
OPTIONS = {
    "indianomacy": (
        {},
        {"bay_exit": "other-shore"},
        {"centres": "home-rival"},
        {"centres": "inland", "crossings": False},
    ),
    "standard": ({}, {"unnamed_coast": "first"}),
}


@st.composite
def frontiers(draw: st.DrawFn, season: str = "") -> Frontier:
    """Any units anywhere, any owners of centres, canoe-fleets, the taboo: also what no game would come to."""
    kind = draw(st.sampled_from(KINDS))
    game = games.kinds()[kind]
    board, seats = game.rules.board, st.sampled_from([*game.rules.board.powers])
    places = draw(st.lists(st.sampled_from([*board.places]), unique=True, max_size=30))
    owners = draw(st.dictionaries(st.sampled_from(board.centres), seats, max_size=len(board.centres)))
    units = [draw(_units(kind, at, seats)) for at in places]
    canoes = {at: 1 for at in places if kind == "indianomacy" and board.is_land(at) and draw(st.booleans())}
    crossing = {unit.at: "S1M" for unit in units if unit.at in board.chart.stormy}
    state = State(
        options=draw(st.sampled_from(OPTIONS.get(kind, ({},)))),
        phase=Phase(season=season or draw(st.sampled_from("SF")), year=draw(st.integers(1, 2)), kind="M"),
        units=tuple(sorted(units, key=lambda unit: board.index[unit.at])),
        centres={at: owners[at] for at in board.centres if at in owners},
        canoes={at: canoes[at] for at in canoes if at in board.shores},
        bay_entered=crossing,
        taboo=kind == "indianomacy" and draw(st.booleans()),
    )
    level = draw(st.sampled_from(LEVELS))
    temper = draw(st.sampled_from(["", *TEMPERS]))
    return Frontier(kind, state, draw(seats), level, temper)


def _units(kind: str, at: Province, seats: st.SearchStrategy[Seat]) -> st.SearchStrategy[Unit]:
    board = games.kinds()[kind].rules.board
    if kind == "indianomacy":
        power = st.one_of(seats, st.just(NEUTRAL)) if board.is_land(at) else seats
        return st.builds(Unit, power=power, kind=st.just("W"), at=st.just(at))
    spots = [("F", *split_spot(spot)) for spot in board.spots[at]]
    pieces = [*spots, *([("A", at, "")] if board.is_land(at) else [])]
    return st.builds(
        lambda power, piece: Unit(power=power, kind=piece[0], at=piece[1], coast=piece[2]),
        seats,
        st.sampled_from(pieces),
    )


@given(frontiers())
def test_in_any_position_each_unit_gets_one_lawful_order_with_a_reason(frontier):
    planned = frontier.planned()
    state, rules = frontier.state, frontier.game.rules
    mine = [unit.at for unit in state.units if unit.power == frontier.seat]
    canoes = [one.order for one in planned if isinstance(one.order, Destroy)]
    assert [one.order.unit.at for one in planned if one.order not in canoes] == mine
    assert [rules.check(state, frontier.seat, one.order) for one in planned] == [None] * len(planned)
    goals = Counter(one.order.to for one in planned if isinstance(one.order, Move))
    assert not goals or max(goals.values()) == 1, "two of one nation to one place"
    assert all(motive_phrase(frontier.situation.board, one.motive) for one in planned)
    assert frontier.planned() == planned


@given(frontiers())
def test_every_reason_names_true_facts(frontier):
    planned = frontier.planned()
    for one in planned:
        assert is_true(frontier, one, planned), one
        for weighed in one.motive.weighed:
            assert 1 <= len(weighed.left) <= weighed.size
            assert (weighed.number == 0) == (weighed.size == 1)
            assert bool(weighed.criterion) == bool(weighed.number)


def is_true(frontier: Frontier, one: Reasoned, planned: tuple[Reasoned, ...]) -> bool:
    """Return whether the facts of a reason hold in the position, by the rules, not by the bot's reading."""
    order, motive = one.order, one.motive
    state, seat = frontier.state, frontier.seat
    board = frontier.situation.board
    standing = {unit.at: unit for unit in state.units}
    if isinstance(motive, Crosses):
        return isinstance(order, Hold) and state.bay_entered[motive.at] == motive.since
    if isinstance(motive, Keeps):
        stays = isinstance(order, Hold) and order.unit.at == motive.centre
        return stays and motive.centre in board.centres and state.centres.get(motive.centre) != seat
    if isinstance(motive, Covers):
        at = order.to if isinstance(order, Move) else order.unit.at
        return at == motive.centre and state.centres[at] == seat and _can_come(frontier, at, motive.against)
    if isinstance(motive, Takes):
        free = isinstance(order, Move) and order.to == motive.centre and order.to not in standing
        return free and order.to in board.centres and state.centres.get(order.to) == motive.owner != seat
    if isinstance(motive, Attacks):
        backed = sum(isinstance(other.order, SupportMove) and other.order.to == order.to for other in planned)
        there = isinstance(order, Move) and standing[order.to] == motive.foe and motive.foe.power != seat
        return there and motive.holders == _holders(frontier, motive.foe) and 1 + backed >= motive.strength
    if isinstance(motive, Backs):
        leads = [
            other.order for other in planned if isinstance(other.order, Move) and other.order.to == motive.to
        ]
        return isinstance(order, SupportMove) and [lead.unit for lead in leads] == [order.other]
    if isinstance(motive, Shields):
        stays = [
            other
            for other in planned
            if other.order.unit.at == motive.at and not isinstance(other.order, Move)
        ]
        return (
            isinstance(order, SupportHold)
            and len(stays) == 1
            and _can_come(frontier, motive.at, motive.against)
        )
    if isinstance(motive, Heads | Ferried):
        owner = state.centres.get(motive.goal)
        wanted = motive.goal in board.centres and (owner != seat or motive.goal in standing)
        return wanted and isinstance(order, Move | BuildCanoe)
    if isinstance(motive, Diverts):
        foe, defender = standing[motive.at], standing[motive.place]
        helps = SupportHold(unit=foe.piece, other=defender.piece)
        lawful = frontier.game.rules.check(state, foe.power, helps) is None
        return isinstance(order, Move) and order.to == motive.at and lawful and foe.power == defender.power
    if isinstance(motive, Denies):
        return order == Destroy(at=motive.at) and _can_come(frontier, motive.at, motive.against)
    if isinstance(motive, Ferries):
        carried = Move(unit=standing[motive.army].piece, to=motive.to)
        return isinstance(order, Convoy) and any(other.order == carried for other in planned)
    return isinstance(order, Hold)


def _can_come(frontier: Frontier, at: Province, against: tuple[Seat, ...]) -> bool:
    """Return whether each of these nations has a unit that may legally move to a place."""
    return bool(against) and all(
        any(_goes(frontier, unit, at) for unit in frontier.state.units if unit.power == power)
        for power in against
    )


def _goes(frontier: Frontier, unit: Unit, at: Province) -> bool:
    board = frontier.situation.board
    if unit.kind != "F":
        return at in board.army[unit.at]
    return any(
        frontier.game.rules.check(frontier.state, unit.power, Move(unit=unit.piece, to=at, coast=coast))
        is None
        for coast in ("", *(split_spot(spot)[1] for spot in board.spots[at]))
    )


def _holders(frontier: Frontier, foe: Unit) -> int:
    helpers = [unit for unit in frontier.state.units if unit.power == foe.power and unit != foe]
    orders = [SupportHold(unit=unit.piece, other=foe.piece) for unit in helpers]
    return 1 + sum(
        foe.power != NEUTRAL and frontier.game.rules.check(frontier.state, foe.power, order) is None
        for order in orders
    )


@given(frontiers("F"))
def test_retreats_builds_and_removals_are_lawful_and_as_many_as_are_due(frontier):
    game, seat = frontier.game, frontier.seat
    board = frontier.situation.board
    units = [unit for unit in frontier.state.units[:4] if unit.power != NEUTRAL]
    near = {unit: board.sailing[unit.spot] if unit.kind == "F" else board.army[unit.at] for unit in units}
    beaten = tuple(Beaten(unit=unit, by_from=unit.at, retreats=near[unit]) for unit in units if near[unit])
    fled = {one.unit.at for one in beaten}
    step = next(step for step in game.rules.variant.rulebook.year if step.kind == "R")
    retreat = replace_fields(
        frontier.state,
        phase=Phase(season=step.season, year=1, kind="R"),
        units=tuple(unit for unit in frontier.state.units if unit.at not in fled),
        beaten=beaten,
    )
    winter = replace_fields(frontier.state, phase=Phase(season="W", year=1, kind="A"), bay_entered={})
    for state in (retreat, winter):
        for due in game.rules.due(state):
            if due.seat == seat:
                choices = frontier.player.orders(state, due, frontier.dice)
                orders = [choice.order for choice in choices]
                assert [game.rules.check(state, seat, order) for order in orders] == [None] * len(orders)
                assert len(orders) == (len(due.owes) if due.takes is None else due.takes)
                assert len({order for order in orders if order.slot}) == len(
                    [one for one in orders if one.slot]
                )
                assert all(choice.reason for choice in choices)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", LEVELS)
def test_years_of_lawful_and_complete_orders_the_same_again(kind, level):
    game = games.kinds()[kind]
    first = game.rules.board.chart.first_year
    played = list(rounds(game, b"years", years=first + 3, bot=level))
    for one in played:
        for due, choices in one.asked:
            orders = [choice.order for choice in choices]
            assert [game.rules.check(one.before, due.seat, order) for order in orders] == [None] * len(orders)
            if due.takes is None:
                owing = [order.slot for order in orders if not isinstance(order, Destroy)]
                assert Counter(owing) == Counter(owed.slot for owed in due.owes)
            else:
                assert len(orders) == due.takes
    assert played[:6] == list(rounds(game, b"years", years=first + 3, bot=level))[:6]
    assert played[-1].after.units != played[1].after.units, "they do not sit still"


@pytest.mark.parametrize("level", LEVELS)
def test_nobody_sets_foot_in_the_taboo_province(level):
    for one in rounds(games.kinds()["indianomacy"], b"sacred", years=5, bot=level):
        orders = [choice.order for _, choices in one.asked for choice in choices]
        assert not any(isinstance(order, Move) and order.to == "120" for order in orders)


def test_the_intermediate_throws_dice_for_ties_and_campaigns_only():
    """Other dice change nothing where no lot was drawn, and something where one was."""
    game = games.kinds()["standard"]
    start = game.rules.setup({}, SealedDice(b"x", "x", 0)).state
    seen = set()
    for seat in game.about.seats({}):
        frontiers = [
            Frontier("standard", start, seat, dice=SealedDice(secret, "x", 1))
            for secret in (b"one", b"two", b"three", b"four")
        ]
        sheets = [frontier.planned() for frontier in frontiers]
        foes = {choose_foe(frontier.situation, frontier.dice) for frontier in frontiers}
        has_ties = len(foes) > 1 or any(
            len(why.left) > 1 for sheet in sheets for one in sheet for why in one.motive.weighed
        )
        is_same = all(sheet == sheets[0] for sheet in sheets)
        assert has_ties or is_same
        seen.add((has_ties, is_same))
    assert (True, False) in seen


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_can_have_each_temperament(level):
    bot = games.kinds()["standard"].bots[level]
    assert bot.temperaments == ("raider", "settler", "guardian")
    assert [bot.with_temperament(name).temper.name for name in bot.temperaments] == list(bot.temperaments)
    with pytest.raises(KeyError):
        bot.with_temperament("dove")


def test_the_weakest_level_comes_first():
    for kind in KINDS:
        assert list(games.kinds()[kind].bots)[:2] == ["beginner", "intermediate"]
