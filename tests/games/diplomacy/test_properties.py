"""Properties of every position and every order, legal or not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.data import read_json
from games.diplomacy.adjudication.legality import goals
from games.diplomacy.boards.board import compile_board
from games.diplomacy.boards.folders import DIPLOMACY_PACKAGE
from games.diplomacy.events import AnyEvent, Dislodged, Resolved, StormThrown, TabooBroken
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Destroy,
    Disband,
    Hold,
    Move,
    Phase,
    Piece,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.rules import DiplomacyRules
from games.protocol import Event
from games.record import canonical, load, replace_fields
from tests.kit.positions import BOARD, DICE, RULES, VARIANT

LANDS = [place for place in BOARD.places if BOARD.is_land(place)]
POWERS = list(BOARD.powers)
HEART = [str(number) for number in (50, 54, 55, 56, 57, 69, 70, 71, 72, 73, 77, 78)]
WET = ["b", "d", "e", "f", "3", "18"]
"""Waters next to those lands, Hudson Bay, and two more shores."""


@st.composite
def positions(draw, kind="M"):
    """A position with units close together, ashore and afloat, in a movement phase or before adjustments."""
    places = draw(st.lists(st.sampled_from(HEART + WET), min_size=2, max_size=11, unique=True))
    powers, everybody = st.sampled_from(POWERS[3:6]), st.sampled_from([*POWERS[3:6], NEUTRAL])
    units = [
        Unit(power=draw(everybody if BOARD.is_land(place) else powers), kind="W", at=place)
        for place in places
    ]
    centres = draw(st.dictionaries(st.sampled_from(BOARD.centres), powers))
    shores = st.sampled_from([place for place in [*HEART, *WET] if place in BOARD.shores])
    season = draw(st.sampled_from("SF")) if kind == "M" else "W"
    return State(
        options={"last_year": 3},
        phase=Phase(season=season, year=2, kind=kind),
        units=tuple(sorted(units, key=lambda unit: BOARD.index[unit.at])),
        centres={centre: centres[centre] for centre in BOARD.centres if centre in centres},
        canoes=draw(st.dictionaries(shores, st.integers(1, 3))),
        bay_entered={"b": draw(st.sampled_from(["S1M", "F1M", "S2M"]))} if "b" in places else {},
        bay_from={"b": "3"} if "b" in places else {},
        taboo=draw(st.booleans()),
        build_ban=draw(st.dictionaries(powers, st.integers(2, 3), max_size=1)),
    )


def choices_of(state, unit):
    """Some lawful orders of a unit in a movement phase, moves more often than others."""
    pieces = {other.at: other for other in state.units}
    choices = [Hold(unit=unit.piece), BuildCanoe(unit=unit.piece)]
    for to in BOARD.army[unit.at]:
        choices += [Move(unit=unit.piece, to=to)] * 2
        if to in pieces:
            choices.append(SupportHold(unit=unit.piece, other=pieces[to].piece))
        choices += [
            SupportMove(unit=unit.piece, other=pieces[other].piece, to=to)
            for other in BOARD.army[to]
            if other in pieces and other != unit.at and pieces[other].power != NEUTRAL
        ]
    for to in goals(BOARD, VARIANT.rulebook, unit.at):
        choices += [Move(unit=unit.piece, to=to, canoe=BOARD.is_land(unit.at))] * 3
    return [order for order in choices if RULES.check(state, unit.power, order) is None]


@st.composite
def lawful(draw, state):
    """One lawful order for each unit of a movement phase, by power, and canoe-fleets to be destroyed."""
    orders: dict[str, list[AnyOrder]] = {}
    for unit in state.units:
        if unit.power != NEUTRAL:
            own = orders.setdefault(unit.power, [])
            own.append(draw(st.sampled_from(choices_of(state, unit))))
            if unit.at in state.canoes and draw(st.integers(0, 3)) == 0:
                own.append(Destroy(at=unit.at))
    return orders


@st.composite
def seasons(draw):
    """A position and lawful orders for it."""
    state = draw(positions())
    return state, draw(lawful(state))


@given(seasons())
def test_no_two_units_share_a_place_and_none_vanishes_without_a_cause(season):
    state, orders = season
    done = RULES.adjudicate(state, orders, DICE)
    after = done.state
    places = [unit.at for unit in after.units]
    assert len(places) == len(set(places))
    gone: list[Event] = [e for e in done.events if isinstance(e, Dislodged) and not e.retreats]
    gone += [e for e in done.events if isinstance(e, TabooBroken)]
    gone += [e for e in done.events if isinstance(e, StormThrown) and e.sunk]
    gone += [e for e in done.events if isinstance(e, Resolved) and e.power == NEUTRAL and e.dislodged]
    assert len(state.units) == len(after.units) + len(after.beaten) + len(gone)


def fleets(state):
    """All canoe-fleets: those that lie ashore, and those that somebody sits in."""
    return sum(state.canoes.values()) + sum(not BOARD.is_land(unit.at) for unit in state.units)


@given(seasons())
def test_no_canoe_comes_or_goes_without_a_cause(season):
    state, orders = season
    done = RULES.adjudicate(state, orders, DICE)
    told = [event for event in done.events if isinstance(event, Resolved)]
    built = sum(isinstance(event.order, BuildCanoe) and event.outcome == "built" for event in told)
    destroyed = sum(event.outcome == "destroyed" for event in told)
    sunk = sum(isinstance(event, StormThrown) and event.sunk for event in done.events)
    assert fleets(done.state) == fleets(state) + built - destroyed - sunk
    assert all(count > 0 and place in BOARD.shores for place, count in done.state.canoes.items())
    afloat = {unit.at for unit in done.state.units if unit.at in BOARD.chart.stormy}
    assert set(done.state.bay_entered) == set(done.state.bay_from) == afloat


@given(seasons())
def test_every_unit_is_told_of_and_every_failure_has_its_reason(season):
    state, orders = season
    done = RULES.adjudicate(state, orders, DICE)
    told = [e for e in done.events if isinstance(e, Resolved) and not isinstance(e.order, Destroy)]
    own = [unit for unit in state.units if unit.power != NEUTRAL]
    assert [event.unit for event in told if event.power != NEUTRAL] == sorted(
        (unit.piece for unit in own),
        key=lambda piece: next(
            (POWERS.index(unit.power), BOARD.index[unit.at]) for unit in own if unit.at == piece.at
        ),
    )
    for event in told:
        failed = event.outcome in ("bounced", "cut", "void", "disrupted") or event.dislodged
        if event.reason is not None and event.reason.code in ("taboo", "carried-off"):
            continue
        assert (event.reason is not None) is failed
        assert event.reason is None or event.reason.by


@given(seasons(), st.randoms(use_true_random=False))
def test_the_outcome_does_not_depend_on_the_order_of_listing(season, rnd):
    state, orders = season
    powers = list(orders)
    rnd.shuffle(powers)
    shuffled = {power: rnd.sample(orders[power], len(orders[power])) for power in powers}
    one, other = RULES.adjudicate(state, orders, DICE), RULES.adjudicate(state, shuffled, DICE)
    assert canonical(one.state) == canonical(other.state)
    assert [canonical(event) for event in one.events] == [canonical(event) for event in other.events]


def _backwards():
    raw = read_json(DIPLOMACY_PACKAGE, f"variants/{VARIANT.name}/map.json")
    return DiplomacyRules(
        replace_fields(VARIANT, board=compile_board({**raw, "provinces": raw["provinces"][::-1]}))
    )


BACKWARDS = _backwards()


@given(seasons())
def test_the_outcome_does_not_depend_on_the_numbering_of_provinces(season):
    state, orders = season
    one, other = RULES.adjudicate(state, orders, DICE).state, BACKWARDS.adjudicate(state, orders, DICE).state
    assert set(one.units) == set(other.units)
    assert {(b.unit, b.by_from, frozenset(b.retreats)) for b in one.beaten} == {
        (b.unit, b.by_from, frozenset(b.retreats)) for b in other.beaten
    }
    assert set(one.contested) == set(other.contested)
    assert one.centres == other.centres
    assert (one.canoes, one.bay_entered, one.bay_from) == (other.canoes, other.bay_entered, other.bay_from)
    assert (one.taboo, one.build_ban) == (other.taboo, other.build_ban)


@given(positions())
def test_a_season_of_holding_changes_nothing(state):
    holding = {due.seat: RULES.default(state, due) for due in RULES.due(state)}
    ordered, silent = RULES.adjudicate(state, holding, DICE), RULES.adjudicate(state, {}, DICE)
    assert ordered.state == silent.state
    assert ordered.state.beaten == ()
    assert {event.outcome for event in ordered.events if isinstance(event, Resolved)} <= {"held"}
    assert ordered.state.canoes == state.canoes
    if state.phase.season == "S":
        sunk = {event.unit for event in ordered.events if isinstance(event, StormThrown) and event.sunk}
        assert ordered.state.units == tuple(unit for unit in state.units if unit not in sunk)
        assert ordered.state.centres == state.centres


@given(seasons())
def test_lawful_orders_have_no_objection(season):
    state, orders = season
    for seat, given_orders in orders.items():
        for order in given_orders:
            assert RULES.check(state, seat, order) is None
        RULES.concerns(state, seat, given_orders)


ANYWHERE = st.sampled_from([*HEART, *WET, "1", "nowhere"])
LAWS = (
    test_no_two_units_share_a_place_and_none_vanishes_without_a_cause,
    test_no_canoe_comes_or_goes_without_a_cause,
    test_every_unit_is_told_of_and_every_failure_has_its_reason,
    test_the_outcome_does_not_depend_on_the_numbering_of_provinces,
    test_lawful_orders_have_no_objection,
)
"""What holds of a season: tried on many more of them in the long campaign."""

PIECES = st.builds(Piece, kind=st.sampled_from("WA"), at=ANYWHERE)
PLACES = st.sampled_from([*HEART, *WET, "120", "nowhere"])
ANY_ORDER = st.one_of(
    st.builds(Hold, unit=PIECES),
    st.builds(Move, unit=PIECES, to=PLACES, canoe=st.booleans()),
    st.builds(BuildCanoe, unit=PIECES),
    st.builds(Destroy, at=ANYWHERE),
    st.builds(SupportHold, unit=PIECES, other=PIECES),
    st.builds(SupportMove, unit=PIECES, other=PIECES, to=PLACES),
    st.builds(Disband, unit=PIECES),
    st.builds(Build, unit=PIECES),
    st.just(Waive()),
)
ANY_ORDERS = st.dictionaries(
    st.sampled_from([*POWERS[3:6], NEUTRAL, "Nobody"]), st.lists(ANY_ORDER, max_size=6), max_size=4
)


@pytest.mark.long
@given(st.one_of(positions(), positions(kind="A")), st.lists(ANY_ORDERS, min_size=5, max_size=5))
def test_whatever_is_written_the_game_goes_on_and_is_well_formed(state, letters):
    for orders in letters:
        if RULES.result(state) is not None:
            assert RULES.due(state) == ()
            break
        done = RULES.adjudicate(state, orders, DICE)
        given_orders = sum(len(several) for several in orders.values())
        told = [event for event in done.events if isinstance(event, Resolved) and event.order is not None]
        assert len(told) == given_orders, "each order is told of exactly once"
        assert load(State, canonical(done.state)) == done.state
        assert [load(AnyEvent, canonical(event)) for event in done.events] == list(done.events)
        assert (RULES.due(done.state) == ()) is (RULES.result(done.state) is not None)
        state = done.state


@given(st.one_of(positions(), positions(kind="A")))
def test_the_orders_by_default_are_lawful_and_as_many_as_owed(state):
    for due in RULES.due(state):
        orders = RULES.default(state, due)
        assert len(orders) == (due.takes if due.takes is not None else len(due.owes))
        assert all(RULES.check(state, due.seat, order) is None for order in orders)
        assert {type(order).__name__ for order in orders} <= set(due.accepts)


@pytest.mark.soak
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_thousands_of_seasons(law):
    settings(max_examples=4000, deadline=None)(given(seasons())(law.hypothesis.inner_test))()
