"""The danger of a seat: from whom bots prefer to take, which bots use it, and what they say about it."""

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

import games
from games.diplomacy.bots.base import PlanningBot
from games.diplomacy.bots.evaluation import Standpoint, Valuation
from games.diplomacy.bots.opponents import DumbBot
from games.diplomacy.bots.reasons import Heads, Takes
from games.diplomacy.model import Province
from games.protocol import Seat
from tests.kit.bot_positions import Frontier, state

GAMES = games.kinds()
BOARD = GAMES["standard"].rules.board
BETWEEN = {"France": "A BUR"}
"""Next door to Munich and Belgium, two steps from Venice, and the same number from Kiel and Holland."""
OWNED = {
    "Germany": "MUN",
    "England": "BEL",
    "France": " ".join(at for at in BOARD.centres if at not in ("MUN", "BEL")),
}


@dataclass(frozen=True)
class Fearing(Frontier):
    """A frontier whose seat reckons with these dangers."""

    dangers: Mapping[Seat, float] | None = None

    @property
    def player(self) -> PlanningBot:
        found = {**self.game.bots, **self.game.sparring}[self.level]
        assert isinstance(found, PlanningBot)
        return found if self.dangers is None else found.with_dangers(self.dangers)


def frontier(level: str = "intermediate-2026", **dangers: float) -> Fearing:
    feared = {Seat(seat): steps for seat, steps in dangers.items()}
    return Fearing("standard", state("standard", "F", BETWEEN, OWNED), Seat("France"), level, dangers=feared)


def taken(found: Frontier) -> Province:
    (one,) = found.planned()
    assert isinstance(one.motive, Takes)
    return one.motive.centre


@pytest.mark.parametrize(("seat", "centre"), [("Germany", "MUN"), ("England", "BEL")])
def test_of_two_centres_next_door_that_of_the_more_dangerous_is_taken(seat, centre):
    assert taken(frontier(**{seat: 0.5})) == centre


@pytest.mark.parametrize(("seat", "centre"), [("Germany", "BEL"), ("England", "MUN")])
def test_who_is_less_dangerous_than_others_is_left_alone(seat, centre):
    assert taken(frontier(**{seat: -0.5})) == centre


@pytest.mark.parametrize(("seat", "centre"), [("Germany", "MUN"), ("England", "BEL")])
def test_an_intermediate_attacks_the_more_dangerous_of_two_first(seat, centre):
    """Dice choose between the two unless one is more than twice as good a target."""
    assert taken(frontier("intermediate", **{seat: 1.2})) == centre


def heading(**dangers: float) -> Province:
    """From Piedmont the way to Munich is two steps long, and to Belgium three."""
    feared = {Seat(seat): steps for seat, steps in dangers.items()}
    position = state("standard", "S", {"France": "A PIE"}, OWNED)
    (one,) = Fearing("standard", position, Seat("France"), "intermediate-2026", dangers=feared).planned()
    assert isinstance(one.motive, Heads)
    return one.motive.goal


def test_a_centre_counts_as_many_steps_nearer_as_its_nation_is_dangerous():
    assert heading() == heading(England=0.9) == heading(Germany=-0.9) == "MUN"
    assert heading(England=1.1) == heading(Germany=-1.1) == "BEL"


def test_the_reason_says_that_danger_was_counted():
    assert all("how dangerous" not in reason for reason in frontier().said().values())
    ((_, reason),) = frontier(Germany=1).said().items()
    assert "(the preferred target, given how dangerous each player is" in reason


def test_ones_own_danger_changes_nothing():
    own = {"France": "A PIE"}
    lost = {**OWNED, "Germany": "MUN", "France": OWNED["France"]}
    position = state("standard", "S", own, lost)
    plain, feared = (
        Fearing("standard", position, Seat("France"), "intermediate-2026", dangers=dangers).said()
        for dangers in ({}, {Seat("France"): 3.0})
    )
    assert {
        order: reason.replace(", given how dangerous each player is", "") for order, reason in feared.items()
    } == plain


def test_a_beginner_and_a_board_that_says_nothing_know_no_danger():
    for kind in ("standard", "indianomacy", "chaos", "fleet-rome"):
        game, level = GAMES[kind], "beginner"
        power = next(iter(game.rules.board.powers))
        assert Frontier(kind, state(kind, "S", {}), power, level).situation.dangers == {}
    power = next(iter(GAMES["chaos"].rules.board.powers))
    for level in ("intermediate", "advanced"):
        assert Frontier("chaos", state("chaos", "S", {}), power, level).situation.dangers == {}


@pytest.mark.parametrize("level", ["intermediate", "advanced"])
def test_each_level_reads_its_own_dangers_off_the_board_unless_it_is_told_others(level):
    power = next(iter(GAMES["indianomacy"].rules.board.powers))
    opening = state("indianomacy", "S", {})
    chart = GAMES["indianomacy"].rules.board.chart
    told = {one.id: one.danger[level] for one in chart.powers}
    assert len({*told.values()}) > 4
    assert sum(told.values()) == pytest.approx(0, abs=0.5), "what one seat has more another has less"
    assert Frontier("indianomacy", opening, power, level).situation.dangers == told
    other = {Seat("Dakota"): 2.0}
    assert Fearing("indianomacy", opening, power, level, dangers=other).situation.dangers == other


def test_all_levels_but_no_dumbbot_can_be_told():
    variant = GAMES["standard"].bots["advanced"].variant
    told = {Seat("France"): 2.0}
    assert all(bot.with_dangers(told) is not bot for bot in GAMES["standard"].bots.values())
    dumb = DumbBot(variant)
    assert dumb.with_dangers(told) is dumb


def growth(danger: float) -> float:
    """Return what it costs France that Germany takes one of England's centres in Fall."""
    owned = {"Germany": "MUN KIE BER", "England": "LON EDI LVP", "France": "PAR"}
    read = Fearing(
        "standard",
        state("standard", "F", {}, owned),
        Seat("France"),
        "advanced",
        dangers={Seat("Germany"): danger},
    ).situation
    valuation = Valuation(read)
    there = {BOARD.index[Province("LON")]: (Seat("Germany"), "A")}
    return valuation.worth(Standpoint({})) - valuation.worth(Standpoint(there))


def test_the_squares_of_who_is_dangerous_count_more():
    """Germany goes from three to four, 16 - 9; England from three to two, 9 - 4."""
    assert growth(0) == pytest.approx(2 / 18 * (7 - 5))
    assert growth(1) == pytest.approx(2 / 18 * (2 * 7 - 5))
    assert growth(-1) == pytest.approx(2 / 18 * (7 / 2 - 5))
