"""Cached plans for a position: no plan is made twice, and each is as if made again."""

from dataclasses import dataclass, field

import pytest

import games
from games.dice import Dice, SealedDice
from games.diplomacy.bots.advanced import Advanced
from games.diplomacy.bots.common import NO_MEMORY, SeatMemory
from games.diplomacy.bots.opponents import ForeseenPosition, PlanCache
from games.diplomacy.model import Province
from games.protocol import Seat
from tests.kit.bot_positions import DICE, state

GAME = games.kinds()["standard"]
WAY = (Seat("France"), "Intermediate", "even", (), NO_MEMORY.key)


@dataclass
class Throwing:
    """A plan that asks for a roll, and for another one if that is high. made: how often it was made."""

    made: int = 0

    def __call__(self, dice: Dice) -> dict[Province, object]:
        self.made += 1
        first = dice.roll("first", 6)
        second = dice.roll("second", first) if first > 3 else 0
        return {Province("PAR"): (first, second)}


@dataclass
class Given(Dice):
    """Dice that show these two numbers. thrown: the labels of the rolls."""

    numbers: tuple[int, ...]
    thrown: list[str] = field(default_factory=list)

    def draw(self, label, sides, count=1):
        self.thrown.append(label)
        return (self.numbers[("first", "second").index(label)],)


def test_a_plan_is_made_once_for_the_same_throws_and_anew_for_others():
    foreseen, throwing = ForeseenPosition(), Throwing()
    for numbers, made in (((2,), 1), ((2,), 1), ((5, 1), 2), ((5, 4), 3), ((5, 1), 3), ((3,), 4)):
        dice = Given(numbers)
        assert foreseen.plan(WAY, throwing, dice) == Throwing()(Given(numbers)), numbers
        assert throwing.made == made, numbers
        assert dice.thrown == ["first", "second"][: len(numbers)], "no die is thrown twice"


def test_each_nation_level_and_temperament_has_its_own_plans():
    foreseen, throwing = ForeseenPosition(), Throwing()
    ways = (
        WAY,
        (Seat("Italy"), *WAY[1:]),
        (WAY[0], "Beginner", *WAY[2:]),
        (*WAY[:2], "raider", *WAY[3:]),
        (*WAY[:3], None, WAY[4]),
        (*WAY[:3], ((Seat("Turkey"), 1.0),), WAY[4]),
        (*WAY[:4], SeatMemory({Province("BUR"): 2}).key),
    )
    for way in ways:
        foreseen.plan(way, throwing, Given((1,)))
    assert throwing.made == len(ways)


def test_equal_positions_are_one_and_only_the_last_few_are_kept():
    foresight = PlanCache()
    first = foresight.position(state("standard", "S", {"France": "A PAR"}))
    assert foresight.position(state("standard", "S", {"France": "A PAR"})) is first
    others = [
        foresight.position(state("standard", "S", {"France": "A PAR"}, year=year)) for year in range(2, 40)
    ]
    assert len({id(one) for one in (first, *others)}) == 39
    assert len(foresight.positions) < 10
    assert foresight.position(state("standard", "S", {"France": "A PAR"})) is not first


@pytest.mark.parametrize("kind", ["standard", "indianomacy"])
def test_who_foresaw_a_position_orders_what_who_never_saw_it_would(kind):
    """All nations of an opening, one bot for all of them, then a fresh one for each."""
    game = games.kinds()[kind]
    opening = game.rules.setup({}, SealedDice(b"foresight", kind, 0)).state
    one, *fresh = (
        Advanced(game.rules.variant, dangers={}, budget=60) for _ in range(len(game.rules.board.powers) + 1)
    )
    for seat, bot in zip(game.rules.board.powers, fresh, strict=True):
        own = bot.moves(bot.situation(opening, seat), DICE)
        assert one.moves(one.situation(opening, seat), DICE) == own
    assert len(one.foresight.positions) == 1
    (known,) = one.foresight.positions.values()
    assert {way[0] for way in known.plans} == set(game.rules.board.powers)


def test_who_is_told_other_dangers_shares_what_is_foreseen_and_takes_nothing_for_its_own():
    """A tournament tells each seat its dangers: what hangs on none is made once for all of them."""
    opening = GAME.rules.setup({}, SealedDice(b"foresight", "dangers", 0)).state
    bot, seat = Advanced(GAME.rules.variant, dangers={}, budget=60), Seat("Austria")
    told = {Seat("Italy"): 2.5, Seat("Russia"): -2.5}
    bot.moves(bot.situation(opening, seat), DICE)
    warned, fresh = bot.with_dangers(told), Advanced(GAME.rules.variant, dangers=told, budget=60)
    assert warned.foresight is bot.foresight
    orders = warned.moves(warned.situation(opening, seat), DICE)
    assert orders == fresh.moves(fresh.situation(opening, seat), DICE)
    assert orders != bot.moves(bot.situation(opening, seat), DICE), "dangers matter here"
