"""What is true of every position and every order, lawful or not."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from games.data import read_json
from games.diplomacy.board import compile_board
from games.diplomacy.boards import PACKAGE
from games.diplomacy.model import (
    NEUTRAL,
    AnyEvent,
    AnyOrder,
    Build,
    Disband,
    Dislodged,
    Hold,
    Move,
    Phase,
    Piece,
    Resolved,
    State,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from games.diplomacy.rules import DiplomacyRules
from games.record import canonical, load
from tests.kit.positions import BOARD, DICE, RULES, VARIANT

LANDS = [place for place in BOARD.places if BOARD.is_land(place)]
POWERS = list(BOARD.powers)
HEART = [str(number) for number in (50, 54, 55, 56, 57, 69, 70, 71, 72, 73, 77, 78)]


@st.composite
def positions(draw, kind="M"):
    """A position with units close together, in a movement phase or before adjustments."""
    places = draw(st.lists(st.sampled_from(HEART), min_size=2, max_size=10, unique=True))
    powers = st.sampled_from([*POWERS[3:6], NEUTRAL])
    units = [Unit(power=draw(powers), kind="W", at=place) for place in places]
    centres = draw(st.dictionaries(st.sampled_from(BOARD.centres), st.sampled_from(POWERS[3:6])))
    return State(
        options={"last_year": 2},
        phase=Phase(season=draw(st.sampled_from("SF")) if kind == "M" else "W", year=1, kind=kind),
        units=tuple(sorted(units, key=lambda unit: BOARD.index[unit.at])),
        centres={centre: centres[centre] for centre in BOARD.centres if centre in centres},
    )


@st.composite
def lawful(draw, state):
    """One lawful order for each unit of a movement phase, by power."""
    orders: dict[str, list[AnyOrder]] = {}
    pieces = {unit.at: unit for unit in state.units}
    for unit in state.units:
        if unit.power == NEUTRAL:
            continue
        choices = [Hold(unit=unit.piece)]
        for to in BOARD.army[unit.at]:
            choices += [Move(unit=unit.piece, to=to)] * 2
            if to in pieces:
                choices.append(SupportHold(unit=unit.piece, other=pieces[to].piece))
            choices += [
                SupportMove(unit=unit.piece, other=pieces[other].piece, to=to)
                for other in BOARD.army[to]
                if other in pieces and other != unit.at and pieces[other].power != NEUTRAL
            ]
        orders.setdefault(unit.power, []).append(draw(st.sampled_from(choices)))
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
    gone = [e for e in done.events if isinstance(e, Dislodged) and not e.retreats]
    gone += [e for e in done.events if isinstance(e, Resolved) and e.power == NEUTRAL and e.dislodged]
    assert len(state.units) == len(after.units) + len(after.beaten) + len(gone)


@given(seasons())
def test_every_unit_is_told_of_and_every_failure_has_its_reason(season):
    state, orders = season
    done = RULES.adjudicate(state, orders, DICE)
    told = [event for event in done.events if isinstance(event, Resolved)]
    own = [unit for unit in state.units if unit.power != NEUTRAL]
    assert [event.unit for event in told if event.power != NEUTRAL] == sorted(
        (unit.piece for unit in own),
        key=lambda piece: next(
            (POWERS.index(unit.power), BOARD.index[unit.at]) for unit in own if unit.at == piece.at
        ),
    )
    for event in told:
        failed = event.outcome in ("bounced", "cut", "void") or event.dislodged
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
    raw = read_json(PACKAGE, f"variants/{VARIANT.name}/map.json")
    return DiplomacyRules(replace(VARIANT, board=compile_board({**raw, "provinces": raw["provinces"][::-1]})))


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


@given(positions())
def test_a_season_of_holding_changes_nothing(state):
    holding = {due.seat: RULES.default(state, due) for due in RULES.due(state)}
    ordered, silent = RULES.adjudicate(state, holding, DICE), RULES.adjudicate(state, {}, DICE)
    assert ordered.state == silent.state
    assert ordered.state.beaten == ()
    assert {event.outcome for event in ordered.events if isinstance(event, Resolved)} <= {"held"}
    if state.phase.season == "S":
        assert ordered.state.units == state.units
        assert ordered.state.centres == state.centres


@given(seasons())
def test_lawful_orders_have_no_objection(season):
    state, orders = season
    for seat, given_orders in orders.items():
        for order in given_orders:
            assert RULES.check(state, seat, order) is None
        RULES.concerns(state, seat, given_orders)


PIECES = st.builds(Piece, kind=st.sampled_from("WA"), at=st.sampled_from([*HEART, "d", "1", "nowhere"]))
PLACES = st.sampled_from([*HEART, "d", "nowhere"])
ANY_ORDER = st.one_of(
    st.builds(Hold, unit=PIECES),
    st.builds(Move, unit=PIECES, to=PLACES),
    st.builds(SupportHold, unit=PIECES, other=PIECES),
    st.builds(SupportMove, unit=PIECES, other=PIECES, to=PLACES),
    st.builds(Disband, unit=PIECES),
    st.builds(Build, unit=PIECES),
    st.just(Waive()),
)
ANY_ORDERS = st.dictionaries(
    st.sampled_from([*POWERS[3:6], NEUTRAL, "Nobody"]), st.lists(ANY_ORDER, max_size=6), max_size=4
)


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
