"""A stuck front is broken or left: what the last seasons showed, and the nation that is attacked first."""

from dataclasses import replace

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.bots.common import NO_MEMORY, SeatMemory, pull, recall
from games.diplomacy.bots.intermediate import Intermediate, choose_foe
from games.diplomacy.bots.reasons import Covers, Diverts, Heads, Takes
from games.diplomacy.events import Resolved
from games.diplomacy.model import Move, Phase, Province, SupportHold, Unit
from games.protocol import PastTurn, Seat, Turn
from tests.kit.bot_positions import Frontier, state

FRANCE, GERMANY = Seat("France"), Seat("Germany")
BOARD = games.kinds()["standard"].rules.board


def but(*centres: str) -> str:
    """All centres but these."""
    return " ".join(centre for centre in BOARD.centres if centre not in centres)


def seasons(frontier: Frontier, *moves: tuple[str, str, str, str]) -> tuple[PastTurn, ...]:
    """Movement seasons before a position, each with one move: power, from, to, outcome."""
    past = []
    for power, at, to, outcome in moves:
        unit = Unit(power=Seat(power), kind="A", at=Province(at)).piece
        order = Move(unit=unit, to=Province(to))
        event = Resolved(power=Seat(power), unit=unit, order=order, outcome=outcome)
        turn = Turn(name="Spring 1901, moves", short="S1901M", kind="moves")
        past.append(PastTurn(turn=turn, before=frontier.state, after=frontier.state, events=(event,)))
    return tuple(past)


def planned(frontier: Frontier, past: tuple[PastTurn, ...]) -> dict[str, object]:
    """The bot's order of each unit, when it has seen these seasons."""
    bot = frontier.player.with_history(past)
    assert isinstance(bot, Intermediate)
    plan = bot.moves(bot.situation(frontier.state, frontier.seat), frontier.dice)
    return {one.order.unit.at: one for one in plan}


@pytest.fixture
def between() -> Frontier:
    """France is between empty Munich, which is German, and Belgium, which has no owner."""
    centres = {"France": but("MUN", "KIE", "BEL"), "Germany": "MUN KIE"}
    return Frontier(
        "standard", state("standard", "S", {"France": "A BUR", "Germany": "A RUH A TYR"}, centres), FRANCE
    )


FAILED = ("France", "BUR", "MUN", "bounced")


def test_where_moves_have_failed_twice_it_tries_another_centre(between):
    assert planned(between, ())["BUR"].order.to == "MUN"
    after = planned(between, seasons(between, FAILED, FAILED))["BUR"]
    assert after.order.to == "BEL"
    assert isinstance(after.motive, Takes | Heads)


def test_it_says_that_failed_moves_have_counted(between):
    bot = between.player.with_history(seasons(between, FAILED, FAILED))
    assert "where its moves failed lately" in bot.situation(between.state, FRANCE).closest_centre
    assert "where its moves failed lately" not in between.situation.closest_centre


def test_a_centre_is_a_step_farther_for_each_move_there_that_failed(between):
    munich = Province("MUN")
    distances = [
        pull(replace(between.situation, memory=SeatMemory({munich: count})), munich) for count in range(4)
    ]
    assert [distance - distances[0] for distance in distances] == [0, -1, -2, -3]


def test_failures_in_a_row_are_counted_and_forgotten_after_a_success(between):
    moved = ("France", "BUR", "MUN", "moved")
    other = ("Germany", "RUH", "HOL", "bounced")
    for past, failures in (
        ((FAILED, FAILED), {"MUN": 2}),
        ((FAILED, moved), {}),
        ((FAILED, moved, FAILED), {"MUN": 1}),
        ((FAILED, FAILED, FAILED, FAILED, FAILED), {"MUN": 4}),
        ((other,), {}),
    ):
        bot = between.player.with_history(seasons(between, *past))
        assert bot.recall(FRANCE).failures == failures
    assert not recall(seasons(between, FAILED), FRANCE).is_stuck(Province("MUN"))
    assert recall(seasons(between, FAILED, FAILED), FRANCE).is_stuck(Province("MUN"))


def test_an_attack_that_failed_is_not_made_again_with_as_few():
    """Two against one that another may support; not a second time."""
    centres = {"France": but("MUN", "BER", "KIE"), "Germany": "MUN BER KIE"}
    units = {"France": "A BUR A TYR", "Germany": "A MUN A BER A SIL"}
    frontier = Frontier("standard", state("standard", "S", units, centres), FRANCE)

    def attackers(past: tuple[PastTurn, ...]) -> int:
        return sum(getattr(one.order, "to", None) == "MUN" for one in planned(frontier, past).values())

    assert attackers(()) == 2
    assert attackers(seasons(frontier, FAILED)) == 0


def test_a_third_unit_cuts_the_support_that_held_the_front():
    centres = {"France": but("MUN", "BER", "KIE"), "Germany": "MUN BER KIE"}
    units = {"France": "A BUR A RUH A PRU", "Germany": "A MUN A BER"}
    frontier = Frontier("standard", state("standard", "S", units, centres), FRANCE)
    plan = planned(frontier, ())
    assert plan["PRU"].motive == Diverts(at=Province("BER"), place=Province("MUN"))
    assert frontier.said()["A PRU - BER"] == "attacks Berlin to cut its support of Munich"
    munich, berlin = sorted(
        (unit.piece for unit in frontier.state.units if unit.power == GERMANY),
        key=lambda piece: piece.at != "MUN",
    )
    orders = {
        FRANCE: [one.order for one in plan.values()],
        GERMANY: [SupportHold(unit=berlin, other=munich)],
    }
    after = frontier.game.rules.adjudicate(frontier.state, orders, SealedDice(b"", "", 0)).state
    assert next(unit for unit in after.units if unit.at == "MUN").power == FRANCE


def test_a_neighbour_that_never_attacks_keeps_no_unit_at_home_in_fall():
    """One enemy next door is enough for a guard only if it has moved against the nation lately."""
    centres = {"France": "PAR MAR BRE", "Germany": "MUN"}
    units = {"France": "A PAR", "Germany": "A BUR"}
    frontier = Frontier("standard", state("standard", "F", units, centres), FRANCE)
    attacked = seasons(frontier, ("Germany", "BUR", "PAR", "bounced"))
    quiet = seasons(frontier, ("Germany", "BUR", "MUN", "bounced"))
    assert isinstance(planned(frontier, attacked)["PAR"].motive, Covers)
    assert isinstance(planned(frontier, ())["PAR"].motive, Covers), "nothing is known"
    assert not isinstance(planned(frontier, quiet)["PAR"].motive, Covers)


def test_who_leads_goes_on_rather_than_guard_all_that_it_has():
    """Eleven of the eighteen centres that it takes to win; one enemy is next to Paris in Fall."""
    more = "PAR MAR BRE SPA POR BEL LON LVP EDI NWY"
    units = {"France": "A PAR", "Germany": "A BUR"}

    def motive(owned: str) -> object:
        centres = {"France": owned, "Germany": "MUN HOL"}
        frontier = Frontier("standard", state("standard", "F", units, centres), FRANCE)
        attacked = seasons(frontier, ("Germany", "BUR", "PAR", "bounced"))
        return planned(frontier, attacked)["PAR"].motive

    assert isinstance(motive(more), Covers)
    assert not isinstance(motive(f"{more} SWE"), Covers)


def test_who_leads_goes_for_what_is_near_whoever_owns_it():
    """Munich is two steps away, and Rumania four, but Russia's centres count as five steps nearer."""
    ten = "VEN ROM NAP TRI VIE BUD MAR SER GRE SPA"

    def goal(owned: str) -> Province:
        centres = {"France": owned, "Germany": but("RUM", *owned.split()), "Russia": "RUM"}
        frontier = Frontier("standard", state("standard", "S", {"France": "A PIE"}, centres), FRANCE)
        bot = frontier.player.with_dangers({Seat("Russia"): 5.0})
        bot = bot.with_history(seasons(frontier, ("France", "MAR", "PIE", "moved")))
        (one,) = bot.moves(bot.situation(frontier.state, FRANCE), frontier.dice)
        return one.motive.goal

    assert goal(ten) == "RUM"
    assert goal(f"{ten} POR") == "MUN"


def first_foe(frontier: Frontier, memory: SeatMemory = NO_MEMORY) -> Seat | None:
    return choose_foe(replace(frontier.situation, memory=memory), frontier.dice)


@pytest.fixture
def rivals() -> Frontier:
    """France is next to German and to Italian centres, of which the German ones are nearer."""
    centres = {"France": but("MUN", "KIE", "VEN"), "Germany": "MUN KIE", "Italy": "VEN"}
    units = {"France": "A BUR A RUH A PIE", "Germany": "A MUN", "Italy": "A VEN A TYR"}
    return Frontier("standard", state("standard", "S", units, centres), FRANCE)


def test_the_nation_to_attack_first_has_most_near_and_least_to_defend_it(rivals):
    assert first_foe(rivals) == GERMANY


def test_a_nation_where_moves_fail_is_left_for_another(rivals):
    stuck = SeatMemory({Province("MUN"): 4, Province("KIE"): 4}, targets={GERMANY: 8})
    assert first_foe(rivals, stuck) == "Italy"


def test_a_campaign_goes_on_and_a_new_one_is_drawn():
    """Germany and Italy are as near, so that the dice choose, unless France has begun with one of them."""
    centres = {"France": but("MUN", "VEN"), "Germany": "MUN", "Italy": "VEN"}
    units = {"France": "A BUR A TYR A PIE", "Germany": "A MUN", "Italy": "A VEN"}
    position = state("standard", "S", units, centres)
    frontiers = [
        Frontier("standard", position, FRANCE, dice=SealedDice(b"campaigns", "frontier", number))
        for number in range(12)
    ]
    assert {first_foe(frontier) for frontier in frontiers} == {GERMANY, "Italy"}
    for foe in (GERMANY, Seat("Italy")):
        assert {first_foe(frontier, SeatMemory(targets={foe: 1})) for frontier in frontiers} == {foe}


def test_nobody_is_attacked_first_where_nobody_owns_anything():
    frontier = Frontier("standard", state("standard", "S", {"France": "A BUR"}, {"France": "PAR"}), FRANCE)
    assert first_foe(frontier) is None


def test_the_intermediate_of_2026_has_no_memory_and_no_campaign(between):
    bot = between.game.sparring["intermediate-2026"]
    assert bot.looks_back == 0
    situation = bot.situation(between.state, FRANCE)
    assert situation.foe is None
    assert situation.memory == NO_MEMORY


def test_phases_outside_of_the_moves_tell_nothing(between):
    (season,) = seasons(between, FAILED)
    retreat = PastTurn(
        turn=Turn(name="Spring 1901, retreats", short="S1901R", kind="retreats"),
        before=season.before,
        after=season.after,
        events=season.events,
    )
    assert between.player.with_history((retreat,)).recall(FRANCE) == NO_MEMORY
    assert Phase(season="S", year=1, kind="M") == between.state.phase
