"""Orders put together on the map: all that is lawful is offered and nothing else, touch by touch."""

from collections.abc import Iterator
from itertools import product

import pytest

import games
from games.diplomacy.boards.board import Board
from games.diplomacy.model import (
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    Piece,
    State,
    SupportHold,
    SupportMove,
    Waive,
    split_spot,
)
from games.protocol import Game, Seat
from tests.kit.bot_games import rounds


def conceivable(board: Board, state: State, seat: Seat) -> Iterator[AnyOrder]:
    """Yield every order with a meaning of its own: coasts for fleets, VIA where an army could walk."""
    pieces = [*state.units, *(beaten.unit for beaten in state.beaten)]
    spots = [spot for at in board.places for spot in dict.fromkeys((at, *board.spots[at]))]
    for unit in (one for one in pieces if one.power == seat):
        piece = unit.piece
        yield from (Hold(unit=piece), BuildCanoe(unit=piece), Disband(unit=piece))
        for at, coast in map(split_spot, spots):
            if not coast or piece.kind == "F":
                yield Move(unit=piece, to=at, coast=coast)
            if not coast:
                yield Move(unit=piece, to=at, canoe=True)
            if not coast and piece.kind == "A" and at in board.army[piece.at] and state.phase.kind == "M":
                yield Move(unit=piece, to=at, via=True)
        for other, (at, coast) in product(pieces, map(split_spot, spots)):
            if not coast or other.kind == "F":
                yield SupportMove(unit=piece, other=other.piece, to=at, coast=coast)
            if not coast:
                yield Convoy(unit=piece, other=other.piece, to=at)
        yield from (SupportHold(unit=piece, other=other.piece) for other in pieces)
    for at, coast in map(split_spot, spots):
        kinds = [kind for kind in board.kinds if not coast or kind == "F"]
        yield from (Build(unit=Piece(kind=kind, at=at, coast=coast)) for kind in kinds)
        yield from () if coast else (Destroy(at=at),)
    yield Waive()


def differences(game: Game, state: State, seat: Seat) -> list[str]:
    """Orders of a seat that are lawful and not offered, or offered and not lawful."""
    rules, write = game.rules, game.notation.write
    offered = {write(one.order) for one in rules.legal_orders(state, seat)}
    lawful = {
        write(one) for one in conceivable(rules.board, state, seat) if not rules.check(state, seat, one)
    }
    return sorted(offered ^ lawful)


def walked(kind: str, seed: bytes, years: int, every: int) -> int:
    """Games of bots: in every so-many-th phase one seat after the other is looked at. How many were."""
    game, looked = games.kinds()[kind], 0
    last = game.rules.board.chart.first_year + years - 1
    for number, played in enumerate(rounds(game, seed, last, "beginner")):
        if number % every == 0 and played.asked:
            due, _ = played.asked[number // every % len(played.asked)]
            assert differences(game, played.before, due.seat) == [], (played.before.phase.short, due.seat)
            looked += 1
    return looked


@pytest.mark.long
@pytest.mark.parametrize(("kind", "every"), [("standard", 5), ("indianomacy", 6), ("chaos", 3)])
def test_all_that_is_lawful_is_offered(kind, every):
    assert walked(kind, b"touch", 5, every) >= 3


@pytest.mark.soak
@pytest.mark.timeout(14_400)
@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_all_that_is_lawful_is_offered_in_many_positions(kind):
    """Some seven hundred in each."""
    assert sum(walked(kind, b"touch %d" % seed, 25, 1) for seed in range(10)) >= 670


def laid(state: State, seat: str, text: str):
    """The touches of the order that is written so."""
    game = games.kinds()["standard"]
    rules = game.rules
    offered = {game.notation.write(one.order): one.order for one in rules.legal_orders(state, Seat(seat))}
    assert text in offered
    return rules.touch_order(state, Seat(seat), offered[text])


def position(**units: list[str]) -> State:
    """A position of spring 1901 on the standard board."""
    return games.kinds()["standard"].whatif.position({"phase": "S1901M", "units": units})


CHANNEL = position(England=["A LON", "F ENG", "F NTH", "A WAL"], France=["A BRE", "F MAO"])


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("A WAL H", [("hold", "")]),
        ("A WAL - YOR", [("Yorkshire", "YOR")]),
        ("A WAL S A LON", [("support Army London", "LON"), ("where it stands", "LON")]),
        ("A WAL S A LON - YOR", [("support Army London", "LON"), ("to Yorkshire", "YOR")]),
        (
            "F ENG C A BRE - WAL",
            [("convoy others", ""), ("convoy Army Brest", "BRE"), ("to Wales", "WAL")],
        ),
        ("F ENG C A LON - BEL", [("convoy Army London", "LON"), ("to Belgium", "BEL")]),
        (
            "F ENG S A BRE - PIC",
            [("support others", ""), ("support Army Brest", "BRE"), ("to Picardy", "PIC")],
        ),
        ("A LON - BEL", [("by convoy", ""), ("Belgium", "BEL")]),
        ("A LON - WAL VIA", [("by convoy", ""), ("Wales", "WAL")]),
    ],
)
def test_an_order_is_one_touch_after_the_other(text, steps):
    order = laid(CHANNEL, "England", text)
    assert [(step.said, step.at) for step in order.steps] == steps
    assert [step.said for step in order.steps if step.rare] == [said for said, at in steps[:-1] if not at]
    assert order.at == text.split()[1]


def test_a_convoyed_move_brings_the_orders_of_its_own_fleets():
    write = games.kinds()["standard"].notation.write
    assert [write(one) for one in laid(CHANNEL, "England", "A LON - BEL").along] == ["F ENG C A LON - BEL"]
    assert [write(one) for one in laid(CHANNEL, "England", "A LON - BRE").along] == ["F ENG C A LON - BRE"]
    assert [write(one) for one in laid(CHANNEL, "France", "A BRE - SPA").along] == ["F MAO C A BRE - SPA"]
    assert laid(CHANNEL, "France", "A BRE - LON").along == (), "the fleet there is England's"


def test_coasts_have_names_of_their_own():
    state = position(France=["F MAO", "F GAS"])
    assert [step.said for step in laid(state, "France", "F MAO - SPA/NC").steps] == ["Spain (north coast)"]
    support = laid(state, "France", "F GAS S F MAO - SPA/NC")
    assert support.steps[-1].said == "to Spain (north coast)"
    assert support.helps == ("MAO", "SPA")
