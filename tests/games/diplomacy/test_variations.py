"""A season with some other orders gives the same result as if decided again, with far fewer questions."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.diplomacy.adjudication.resolver import PartialResolution, decide_encoded
from games.diplomacy.adjudication.season import encode_orders, index_position
from games.diplomacy.adjudication.variations import BaseSeason
from games.diplomacy.model import Convoy, Hold, Move, Piece, Province, SupportMove, Unit
from tests.games.diplomacy import test_brute as lakes
from tests.kit.random_seasons import other_orders, skirmish
from tests.kit.standard import BOARD, VARIANT

RULINGS = (
    {},
    {"paradoxes": "all-hold"},
    {"convoy_routes": "all"},
    {"missing_convoy": "walks"},
    {"beaten_by_sea": "spares"},
    {"convoy_intent": "any-fleet"},
    {"convoy_intent": "written"},
)
SEASONS = st.integers(0, 10**6)


def told(settled):
    """All that a decided season says, so that lists come in one order."""
    season = settled.season
    facts = {name: getattr(season, name) for name in season.__struct_fields__}
    for name in ("aimed", "landing", "helpers"):
        facts[name] = {place: sorted(places) for place, places in facts[name].items()}
    said = {name: getattr(settled, name) for name in settled.__struct_fields__}
    return {**said, "season": facts, "beaten": list(settled.beaten.items())}


def compare(mustered, orders, changes, where):
    """A variation, and the same orders decided by themselves."""
    board = mustered.board
    theme = BaseSeason(mustered, encode_orders(board, orders))
    before = told(theme.settled)
    for change in changes:
        afresh = decide_encoded(mustered, encode_orders(board, {**orders, **change}))
        assert told(theme.decide_variation(encode_orders(board, change))) == told(afresh), (where, change)
    assert told(theme.settled) == before, "a variation leaves its theme as it was"


@pytest.mark.long
@given(SEASONS, st.sampled_from(RULINGS), st.booleans())
def test_with_fleets_and_convoys_it_comes_out_as_decided_afresh(seed, ruling, by_sea):
    season, lot = skirmish(seed, by_sea=by_sea), random.Random(seed)
    mustered = index_position(BOARD, VARIANT.rulebook.under(ruling), season.state.units)
    changes = [other_orders(lot, season, lot.choice((1, 1, 1, 2, 5))) for _ in range(20)]
    compare(mustered, season.orders, changes, (seed, ruling, by_sea))


@given(SEASONS, st.sampled_from(["bar-canoes", "admit-canoes"]))
def test_with_canoes_it_comes_out_as_decided_afresh(seed, standoffs):
    rnd = random.Random(seed)
    units, orders = lakes.random_season(rnd, lakes.LAKES, paddling=0.3)
    rulebook = lakes.VARIANT.rulebook.under({"standoffs": standoffs})
    pieces = [Unit(power=power, kind="W", at=place) for place, power in units.items()]
    mustered = index_position(lakes.BOARD, rulebook, pieces)
    ours = {unit.at: Hold(unit=unit.piece) for unit in pieces}
    ours |= {place: lakes.written(place, order) for place, order in orders.items()}
    changes = []
    for _ in range(20):
        _, other = lakes.random_orders(rnd, units, lakes.LAKES, paddling=0.3)
        some = rnd.sample(list(other), min(len(other), rnd.choice((1, 1, 2))))
        changes.append({place: lakes.written(place, other[place]) for place in some})
    compare(mustered, ours, changes, (seed, standoffs))


def test_into_a_paradox_and_out_of_it():
    """DATC 6.F.14: an army cuts the support of the attack on its own convoy."""
    london, wales, channel = (Piece(kind="F", at=Province(at)) for at in ("LON", "WAL", "ENG"))
    brest = Piece(kind="A", at=Province("BRE"))
    units = [
        Unit(power=power, kind=piece.kind, at=piece.at)
        for power, piece in (("England", london), ("England", wales), ("France", channel), ("France", brest))
    ]
    orders = {
        london.at: SupportMove(unit=london, other=wales, to=channel.at),
        wales.at: Move(unit=wales, to=channel.at),
        channel.at: Convoy(unit=channel, other=brest, to=london.at),
        brest.at: Move(unit=brest, to=london.at),
    }
    calm = {wales.at: Hold(unit=wales)}
    mustered = index_position(BOARD, VARIANT.rulebook, units)
    assert BaseSeason(mustered, encode_orders(BOARD, orders)).is_knotted
    assert not BaseSeason(mustered, encode_orders(BOARD, {**orders, **calm})).is_knotted
    compare(mustered, orders, [calm], "out of it")
    compare(mustered, {**orders, **calm}, [{wales.at: orders[wales.at]}], "into it")


@pytest.mark.parametrize("block", range(3))
def test_an_order_changed_asks_a_sixth_of_the_questions_again(monkeypatch, block):
    asked = 0

    def counted(knowledge, place, decide=PartialResolution.decide):
        nonlocal asked
        asked += 1
        return decide(knowledge, place)

    monkeypatch.setattr(PartialResolution, "decide", counted)
    monkeypatch.setattr(PartialResolution, "plain", lambda self: _all_questions(self.season))
    lot, afresh, again, count = random.Random(block), 0, 0, 20
    for seed in range(block * 20, block * 20 + 20):
        season = skirmish(seed)
        asked = 0
        theme = BaseSeason(
            index_position(BOARD, VARIANT.rulebook, season.state.units), encode_orders(BOARD, season.orders)
        )
        afresh += asked * count
        asked = 0
        for _ in range(count):
            theme.decide_variation(encode_orders(BOARD, other_orders(lot, season, 1)))
        again += asked
    assert again < afresh / 6


def _all_questions(season):
    return [*sorted(season.goal), *season.into, *season.carrying]
