"""The page can write every order that an email may contain, compared with all conceivable ones."""

from collections.abc import Iterator
from itertools import product

import pytest

from adjudicator.order_page import OrderPageInput, list_choices
from games.great_war.legal_orders import bases
from games.great_war.model import CardPlay, Lay
from games.plains_indian_wars.execution import placement_regions
from games.plains_indian_wars.legality import best_limits
from games.plains_indian_wars.model import SOLDIERS, Move, Place, belt_of
from games.plains_indian_wars.working_state import WorkingState as Board
from games.record import canonical, replace_fields
from tests.adjudicator.order_page.test_order_page import course, meant


def groups(asked: OrderPageInput) -> Iterator[Move]:
    """Every group of one colour or two, out of every region into every other; no more than can come there."""
    board = Board(asked.view)
    disc = asked.view.disc
    coming = placement_regions(board, disc) if disc else ()
    for start in board.board.places:
        most = {}
        for colour in SOLDIERS:
            more = 0
            if colour == disc and start in coming:
                best = best_limits(board).cubes_left(belt_of(start))
                more = min(best, board.ready.get(colour, 0), board.us_room(start))
            most[colour] = board.count(start, colour) + more
        for numbers in product(*(range(most[colour] + 1) for colour in SOLDIERS)):
            cubes = {colour: n for colour, n in zip(SOLDIERS, numbers, strict=True) if n}
            if cubes:
                yield from (Move(cubes=cubes, start=start, to=to) for to in board.board.places)


def cubes_to_come(asked: OrderPageInput) -> Iterator[Place]:
    """Cubes of every colour to every region, no more than lie ready and find room."""
    board = Board(asked.view)
    for colour, at in product(SOLDIERS, board.board.places):
        most = min(board.ready.get(colour, 0), board.us_room(at))
        yield from (Place(count=count, colour=colour, at=at) for count in range(1, most + 1))


@pytest.mark.parametrize(("seed", "every"), [(b"reach", 3)])
def test_every_group_and_every_cube_of_the_plains_can_be_chosen(seed, every):
    looked = 0
    for number, (asked, _) in enumerate(course("plains-indian-wars", 30, seed)):
        if number % every or asked.view.disc is None:
            continue
        check, wanted = asked.game.rules.check, (*groups(asked), *cubes_to_come(asked))
        lawful = {canonical(one) for one in wanted if check(asked.view, asked.seat, one) is None}
        offered = {
            canonical(meant(asked, one.order))
            for one in list_choices(asked)
            if isinstance(one.order, Move | Place)
        }
        assert lawful == offered, (asked.view.turn, asked.view.disc)
        looked += len(lawful)
    assert looked > 500


def rounds_of(asked: OrderPageInput) -> Iterator[Lay]:
    """Every base with up to three cards of the hand, led or added, in every order."""
    view = asked.view
    hand = list(dict.fromkeys(view.armies[asked.seat].hand))
    role, number = view.role(asked.seat), 2 if view.round == 2 else 1
    for base in (None, *bases(view)):
        edge = [Lay(role=role, number=number, base=CardPlay(card=base) if base else None)]
        for _ in range(3):
            grown = [
                replace_fields(one, **{way: (*getattr(one, way), CardPlay(card=card))})
                for one in edge
                for card, way in product(hand, ("led", "plus") if base else ("plus",))
                if card not in one.played
            ]
            edge = [one for one in grown if is_carried_out_whole(asked, one)]
            yield from edge


def is_carried_out_whole(asked: OrderPageInput, order: Lay) -> bool:
    found = asked.game.rules.concerns(asked.view, asked.seat, [order])
    return asked.game.rules.check(asked.view, asked.seat, order) is None and not any(
        one.drops for one in found
    )


def test_every_formation_of_the_great_war_can_be_chosen():
    looked = 0
    for number, (asked, _) in enumerate(course("great-war", 40, b"reach")):
        if number % 4 or asked.view.stage not in ("round 1", "round 2"):
            continue
        offered = {canonical(meant(asked, one.order)) for one in list_choices(asked)}
        lawful = [*rounds_of(asked)]
        missing = [one for one in lawful if canonical(meant(asked, one)) not in offered]
        assert missing == [], list(map(asked.game.notation.write, missing))
        looked += len(lawful)
    assert looked > 100
