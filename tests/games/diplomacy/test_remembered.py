"""Data cached from position to position changes no answer: legality, texts, chains of fleets."""

import json
from itertools import pairwise

from adjudicator.judge import answer_question, build_order_reader, find_judge
from games.diplomacy import rules
from games.diplomacy.adjudication.convoy_routes import (
    at_sea,
    fleets_on_shortest,
    is_chain_open,
    is_wanted,
    places_of_bits,
)
from games.diplomacy.adjudication.legality import OrderChecker
from games.diplomacy.adjudication.season import index_position
from games.diplomacy.model import NEUTRAL, Phase, Province, State, Unit
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.random_seasons import skirmish
from tests.kit.standard import BOARD, GAME, NOTATION, VARIANT

SEEDS = range(30)
"""Seasons whose orders are asked of each other's positions."""


def test_a_law_that_was_asked_elsewhere_says_what_a_fresh_one_says():
    """An order is known to be lawful only where the units that it names stand as it names them."""
    told = set()
    for other, here in pairwise([skirmish(seed, by_sea=seed % 2 == 1) for seed in SEEDS]):
        asked = [
            (seat, order) for one in (other, here) for seat, given in one.given.items() for order in given
        ]
        warm = OrderChecker(BOARD, VARIANT.rulebook, here.state)
        said = [warm.objection(seat, order) for seat, order in asked]
        for (seat, order), parsed in zip(asked, said, strict=True):
            BOARD.plainly_lawful.clear()
            fresh = OrderChecker(BOARD, VARIANT.rulebook, here.state).objection(seat, order)
            assert parsed == fresh, order
            told.add(None if fresh is None else fresh.code)
        for seat, order in asked:
            warm.objection(seat, order)
    assert {None, "no-unit", "not-yours", "wrong-kind", "no-unit-there"} <= told


def test_a_support_that_was_lawful_is_none_for_another_kind_of_unit():
    """Army Munich supports army Berlin; next time a fleet lies in Berlin, or a unit in civil disorder."""
    units = [_unit("Germany", "A", "MUN"), _unit("Germany", "A", "BER")]
    order = _read(_state(units), "A MUN S A BER - KIE")
    assert _objection(_state(units), order) is None
    assert _objection(_state(units), order) is None
    assert _objection(_state([units[0], _unit("Germany", "F", "BER")]), order) == "no-unit-there"
    assert _objection(_state([units[0], _unit(NEUTRAL, "A", "BER")]), order) == "neutral-stays"
    assert _objection(_state([_unit("France", "A", "MUN"), units[1]]), order) == "not-yours"
    assert _objection(_state([units[1]]), order) == "no-unit"


def test_what_is_known_to_be_lawful_is_not_weighed_again(monkeypatch):
    """Each of 34 orders is checked once; later only those that depend on fleets."""
    season, weighed = skirmish(5000), []
    weigh = OrderChecker._moving
    monkeypatch.setattr(
        OrderChecker, "_moving", lambda law, *asked: weighed.append(asked) or weigh(law, *asked)
    )

    def count():
        weighed.clear()
        law = OrderChecker(BOARD, VARIANT.rulebook, season.state)
        assert all(law.objection(seat, one) is None for seat, given in season.given.items() for one in given)
        return len(weighed)

    BOARD.plainly_lawful.clear()
    # Five are convoys, or go where fleets alone could carry them.
    assert (count(), count()) == (34, 5)


def test_a_text_that_was_read_elsewhere_means_what_it_says_here():
    """The units that an order names are read from the present position."""
    warm, differ = build_order_reader(GAME), 0
    for other, here in pairwise([skirmish(seed) for seed in SEEDS]):
        texts = [(seat, NOTATION.write(order)) for seat, given in other.given.items() for order in given]
        for seat, text in texts:
            warm(other.state, seat, text)
        fresh = build_order_reader(GAME)
        for seat, text in texts:
            parsed = warm(here.state, seat, text)
            assert parsed == fresh(here.state, seat, text), text
            differ += parsed != warm(other.state, seat, text)
    assert differ > len(SEEDS)


def test_a_support_that_was_read_elsewhere_is_for_the_unit_that_stands_there_now():
    """``A MUN S BER`` is a support of an army, and of a fleet where one lies in Berlin."""
    army, parse_order, seat = _unit("Germany", "A", "MUN"), build_order_reader(GAME), Seat("Germany")
    for kind in "AAFFA":
        state = _state([army, _unit("Germany", kind, "BER")])
        assert parse_order(state, seat, "A MUN S BER").order.other.kind == kind


def test_a_judge_that_answered_others_answers_as_a_fresh_one():
    """The answer is the same, whatever was asked before."""
    questions = [_question(seed) for seed in SEEDS[:6]]
    warm = find_judge("standard")
    for question in questions:
        answer_question(warm, question)
    for question in reversed(questions):
        assert answer_question(warm, question) == answer_question(find_judge("standard"), question)


def test_fleets_on_a_shortest_way_are_those_that_are_wanted_first():
    """No fleet of a shortest chain can be left out of it, and there is one wherever the way is open."""
    for seed in SEEDS:
        state = skirmish(seed).state
        fleets = at_sea(BOARD, state.units)
        index = BOARD.index
        shores = [index[at] for at in sorted(BOARD.shores)]
        for start, goal in zip(shores, shores[seed + 1 :] + shores[: seed + 1], strict=True):
            found = fleets_on_shortest(BOARD, start, goal, fleets)
            assert bool(found) == is_chain_open(BOARD, start, goal, fleets)
            assert found & ~fleets == 0
            assert all(is_wanted(BOARD, start, goal, fleets, one) for one in places_of_bits(found))


def test_a_way_that_was_searched_before_is_as_open_as_it_was():
    """Whatever was asked, a position's routes are those that a search finds, with all fleets or some."""
    for seed in SEEDS[:4]:
        mustered = index_position(BOARD, VARIANT.rulebook, skirmish(seed).state.units)
        fleets = at_sea(BOARD, skirmish(seed).state.units)
        fewer = sum(1 << one for one in places_of_bits(fleets)[::2])
        shores = [BOARD.index[at] for at in sorted(BOARD.shores)]
        asked = [(start, goal, some) for start in shores for goal in shores for some in (fleets, fewer)]
        found = [is_chain_open(BOARD, *way) for way in asked]
        assert [mustered.is_open(*way) for way in asked] == found
        assert [mustered.is_open(*way) for way in reversed(asked)] == found[::-1]


def test_who_dies_is_told_though_another_builds():
    """One removes its last unit while another builds: as many units as before, and one power fewer."""
    gone, there = _unit("Italy", "A", "ROM"), _unit("France", "A", "PAR")
    before = _state([gone, _unit("France", "A", "GAS")], "A")
    after = _state([there, _unit("France", "A", "GAS")], "A")
    assert rules.eliminated_powers(BOARD, before, after) == ("Italy",)
    assert rules.eliminated_powers(BOARD, before, before) == ()
    fought = _state([gone, there])
    assert rules.eliminated_powers(BOARD, fought, _state([there])) == ("Italy",)
    moved = replace_fields(fought, units=(gone, _unit("France", "A", "BUR")))
    assert rules.eliminated_powers(BOARD, fought, moved) == ()


def _unit(power, kind, at):
    return Unit(power=Seat(power), kind=kind, at=Province(at))


def _state(units, kind="M"):
    return State(options={}, phase=Phase(season="F", year=1901, kind=kind), units=tuple(units), centres={})


def _read(state, text):
    return build_order_reader(GAME)(state, Seat("Germany"), text).order


def _objection(state, order):
    found = OrderChecker(BOARD, VARIANT.rulebook, state).objection(Seat("Germany"), order)
    return None if found is None else found.code


def _question(seed):
    season = skirmish(seed)
    orders = {seat: [NOTATION.write(order) for order in given] for seat, given in season.given.items()}
    return json.dumps({**GAME.whatif.question(season.state), "orders": orders}).encode()
