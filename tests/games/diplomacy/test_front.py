"""A power's own front: its units, where its orders aim, what lies beside them; never more than is of use."""

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.events import Resolved
from games.diplomacy.map.scene import ZOOMS, crowded_window, front_window
from games.diplomacy.model import Move, Piece, Province, Unit
from games.protocol import Seat
from games.record import replace_fields

GAME = games.kinds()["standard"]
BOARD = GAME.rules.board
OPENING = GAME.rules.setup({}, SealedDice(b"s", "g", 0)).state
AUSTRIA, ENGLAND, FRANCE = map(Seat, ("Austria", "England", "France"))


def with_units(*units: tuple[Seat, str]):
    standing = tuple(Unit(power=power, kind="A", at=Province(at)) for power, at in units)
    return replace_fields(OPENING, units=standing)


def shown(window, at: str) -> bool:
    (x, y), (left, top, right, low) = BOARD.places[Province(at)].label, window
    return left < x < right and top < y < low


@pytest.mark.parametrize("seat", [Seat(power) for power in BOARD.powers])
def test_a_front_shows_its_units_and_is_two_to_three_times_as_large(seat):
    zoom, window = front_window(BOARD, OPENING, (), seat)
    assert zoom in ZOOMS
    assert window[2] - window[0] == pytest.approx(BOARD.chart.size[0] / zoom, abs=0.2)
    assert all(shown(window, unit.at) for unit in OPENING.units if unit.power == seat)


def test_the_smaller_a_front_the_larger_it_is_drawn_with_all_that_lies_beside_it():
    zoom, window = front_window(BOARD, with_units((AUSTRIA, "BUD")), (), AUSTRIA)
    assert zoom == ZOOMS[0]
    assert all(shown(window, at) for at in ("VIE", "TRI", "SER", "RUM", "GAL"))


def test_a_front_shows_where_orders_aim():
    """Also of a unit that failed to go there, or that is no more."""
    state = with_units((AUSTRIA, "BUD"))
    order = Move(unit=Piece(kind="A", at=Province("MUN")), to=Province("BUR"))
    aimed = Resolved(power=AUSTRIA, unit=order.unit, order=order, outcome="bounced")
    zoom, window = front_window(BOARD, state, (aimed,), AUSTRIA)
    assert zoom < ZOOMS[0]
    assert all(shown(window, at) for at in ("BUD", "MUN", "BUR"))


def test_others_orders_move_no_front():
    order = Move(unit=Piece(kind="A", at=Province("MUN")), to=Province("BUR"))
    other = Resolved(power=FRANCE, unit=order.unit, order=order, outcome="moved")
    assert front_window(BOARD, OPENING, (other,), AUSTRIA) == front_window(BOARD, OPENING, (), AUSTRIA)


def test_who_has_no_units_sees_his_centres_and_who_has_nothing_no_front():
    bare = with_units((FRANCE, "PAR"))
    _, window = front_window(BOARD, bare, (), AUSTRIA)
    assert all(shown(window, centre) for centre in ("VIE", "BUD", "TRI"))
    assert front_window(BOARD, replace_fields(bare, centres={}), (), AUSTRIA) is None


def test_of_a_front_that_is_too_wide_the_most_is_shown_and_of_one_all_over_the_board_nothing():
    west = [(ENGLAND, at) for at in ("LON", "WAL", "YOR", "BRE", "PAR")]
    _, window = front_window(BOARD, with_units(*west, (ENGLAND, "SMY")), (), ENGLAND)
    assert all(shown(window, at) for _, at in west)
    assert not shown(window, "SMY")
    corners = [(ENGLAND, at) for at in ("POR", "STP", "SYR", "CLY", "MOS", "NAF")]
    assert front_window(BOARD, with_units(*corners), (), ENGLAND) is None


@pytest.mark.parametrize(
    ("kind", "within"),
    [
        ("standard", ("SER", "GRE", "BUL", "RUM", "ALB", "TRI", "VEN", "TYR", "VIE", "MUN", "BEL", "HOL")),
        ("indianomacy", ("22", "23", "24", "48", "49", "50", "52", "79", "80", "82", "84", "97")),
    ],
)
def test_a_board_is_crowded_in_the_balkans_and_on_the_plains(kind, within):
    board = games.kinds()[kind].rules.board
    zoom, window = crowded_window(board)
    assert zoom == ZOOMS[-1]
    left, top, right, low = window
    seen = [
        one.id for one in board.places.values() if left < one.label[0] < right and top < one.label[1] < low
    ]
    assert set(within) <= set(seen)
    assert len(seen) > 0.45 * len(board.places), "a quarter of the board holds half of it"
