"""The intermediate: attacks with enough, cover, convoys, canoe-fleets, friends; and what it says of each."""

from dataclasses import replace

import pytest

import games
from games.dice import SealedDice
from games.diplomacy.bots.alliances import Pact
from games.diplomacy.bots.common import Situation
from games.diplomacy.bots.reasons import Attacks, Backs, Covers, Ferried, Heads, Takes
from games.diplomacy.model import (
    Beaten,
    Build,
    BuildCanoe,
    Convoy,
    Disband,
    Hold,
    Move,
    Phase,
    Province,
    State,
    SupportHold,
    Unit,
)
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.bot_positions import Frontier, state

STANDARD = games.kinds()["standard"].rules.board
INDIAN = games.kinds()["indianomacy"].rules.board


def but(board, *centres: str) -> str:
    """All centres but these."""
    return " ".join(centre for centre in board.centres if centre not in centres)


def at_war(season: str, units: dict[str, str], german: str = "MUN", seat: str = "France", **more) -> Frontier:
    """France owns all but what is German."""
    centres = {"France": but(STANDARD, *german.split()), "Germany": german}
    return Frontier("standard", state("standard", season, units, centres), Seat(seat), **more)


def motives(frontier: Frontier) -> dict[str, object]:
    return {one.order.unit.at: one.motive for one in frontier.planned()}


def test_a_unit_is_attacked_with_more_than_can_hold_it():
    said = at_war("S", {"France": "A BUR A RUH A TYR", "Germany": "A MUN A BER"}, "MUN BER").said()
    assert said == {
        "A BUR - MUN": "attacks an army of Germany in Munich, three against two",
        "A RUH S A BUR - MUN": "supports the move to Munich as the second of three units needed",
        "A TYR S A BUR - MUN": "supports the move to Munich as the third of three units needed",
    }


def test_without_the_defenders_comrade_two_are_enough_and_the_third_goes_on():
    found = motives(at_war("S", {"France": "A BUR A RUH A TYR", "Germany": "A MUN"}, "MUN BER"))
    (attacks,) = [one for one in found.values() if isinstance(one, Attacks)]
    assert (attacks.strength, attacks.holders) == (2, 1)
    assert sum(isinstance(one, Backs) for one in found.values()) == 1


def test_what_cannot_fail_does_not_fail():
    """Three against two: whatever Germany orders, except cutting supports from outside."""
    frontier = at_war("S", {"France": "A BUR A RUH A TYR", "Germany": "A MUN A BER"}, "MUN BER")
    ours = [one.order for one in frontier.planned()]
    munich, berlin = (unit.piece for unit in frontier.state.units if unit.power == "Germany")
    munich, berlin = sorted((munich, berlin), key=lambda piece: piece.at != "MUN")
    for german in ([], [SupportHold(unit=berlin, other=munich)], [Move(unit=berlin, to=Province("SIL"))]):
        orders = {Seat("France"): ours, Seat("Germany"): [Hold(unit=munich), *german]}
        after = frontier.game.rules.adjudicate(frontier.state, orders, SealedDice(b"", "", 0)).state
        assert next(unit for unit in after.units if unit.at == "MUN").power == "France"


def test_in_fall_an_endangered_centre_is_not_left_and_not_alone():
    said = at_war("F", {"France": "A PAR A GAS", "Germany": "A BUR A PIC"}).said()
    assert said == {
        "A PAR H": "covers Paris against Germany",
        "A GAS S A PAR": "supports Paris against Germany",
    }


def test_somebody_goes_back_to_an_empty_centre_in_danger():
    frontier = at_war("F", {"France": "A GAS", "Germany": "A BUR"})
    assert motives(frontier) == {"GAS": Covers(centre=Province("MAR"), against=(Seat("Germany"),))} or (
        frontier.said() == {"A GAS - PAR": "covers Paris against Germany"}
    )
    calm = at_war("F", {"France": "A GAS", "Germany": "A MUN"})
    assert not any(isinstance(one, Covers) for one in motives(calm).values())


def test_in_spring_one_enemy_keeps_nobody_at_home_but_a_guardian():
    covers = Covers(centre=Province("PAR"), against=(Seat("Germany"),))

    def motive(enemies: str, temper: str = "") -> object:
        units = {"France": "A PAR", "Germany": enemies}
        return motives(at_war("S", units, "MUN BEL", temper=temper))["PAR"]

    assert isinstance(motive("A BUR"), Heads)
    assert motive("A BUR", "guardian") == covers
    assert motive("A BUR A GAS") == covers
    assert isinstance(motive("A BUR A GAS", "raider"), Heads)


def test_a_settler_attacks_a_nation_only_with_one_more():
    position = {"France": "A BUR A RUH", "Germany": "A MUN A SIL"}
    assert isinstance(motives(at_war("S", position))["BUR"], Attacks)
    assert not any(
        isinstance(one, Attacks) for one in motives(at_war("S", position, temper="settler")).values()
    )


def test_a_raider_goes_for_another_nation_and_a_settler_for_what_is_nobodys():
    centres = {"France": but(STANDARD, "BEL", "MUN"), "Germany": "MUN"}
    position = state("standard", "S", {"France": "A BUR"}, centres)
    for temper, goal in (("raider", "MUN"), ("settler", "BEL")):
        frontier = Frontier("standard", position, Seat("France"), temper=temper)
        calm = frontier.player.with_dangers({})
        (one,) = calm.moves(calm.situation(position, frontier.seat), frontier.dice)
        assert isinstance(one.motive, Takes)
        assert one.order.to == goal
        assert f"the closest centre to win for a {temper}" in frontier.situation.closest_centre


def test_an_army_is_carried_to_a_centre_where_it_can_walk_nowhere():
    centres = {"England": but(STANDARD, "HOL")}
    frontier = Frontier(
        "standard", state("standard", "S", {"England": "A LON F NTH"}, centres), Seat("England")
    )
    assert frontier.said() == {
        "A LON - HOL": "is convoyed towards Holland by one fleet",
        "F NTH C A LON - HOL": "convoys the army in London to Holland",
    }
    orders = {Seat("England"): [one.order for one in frontier.planned()]}
    after = frontier.game.rules.adjudicate(frontier.state, orders, SealedDice(b"", "", 0)).state
    assert {unit.at for unit in after.units} == {"HOL", "NTH"}


def test_a_chain_of_fleets_carries_an_army_towards_a_centre():
    centres = {"England": but(STANDARD, "TUN")}
    units = {"England": "A WAL F ENG F MAO"}
    frontier = Frontier("standard", state("standard", "S", units, centres), Seat("England"))
    found = {one.order.unit.at: one for one in frontier.planned()}
    assert found["WAL"].order == Move(unit=found["WAL"].order.unit, to=Province("NAF"))
    assert isinstance(found["WAL"].motive, Ferried)
    assert (found["WAL"].motive.goal, found["WAL"].motive.fleets) == ("TUN", 2)
    assert isinstance(found["ENG"].order, Convoy)
    assert isinstance(found["MAO"].order, Convoy)


def test_an_army_that_is_a_step_faster_by_sea_is_not_carried():
    """Two steps by Holland, or to Denmark and one step."""
    centres = {"France": but(STANDARD, "KIE")}
    units = {"France": "A BEL F NTH"}
    frontier = Frontier("standard", state("standard", "S", units, centres), Seat("France"))
    assert not any(isinstance(one.order, Convoy) for one in frontier.planned())


def nootka(season: str, at: str, **fields) -> Frontier:
    """A lone Shoshoni who owns all centres but Nootka and needs nothing else."""
    position = state("indianomacy", season, {"Shoshoni": f"W {at}"}, {"Shoshoni": but(INDIAN, "36")})
    return Frontier("indianomacy", replace_fields(position, **fields), Seat("Shoshoni"))


def test_nootka_is_won_by_building_launching_and_landing():
    assert nootka("S", "39").said() == {
        "W CNK B CANOE": "builds a canoe-fleet and heads for Nootka, three steps away"
    }
    afloat = nootka("S", "39", canoes={Province("39"): 1})
    assert afloat.said() == {"W CNK - NSD CANOE": "takes a canoe-fleet and heads for Nootka, two steps away"}
    assert nootka("F", "a").said() == {"W NSD - NOO": "takes neutral Nootka"}


def test_no_canoe_fleet_is_built_where_an_enemy_spoils_it():
    """Indianomacy §6 (1.11): a unit that builds must not be attacked."""
    position = state(
        "indianomacy", "S", {"Shoshoni": "W 39", "Dakota": "W 40"}, {"Shoshoni": but(INDIAN, "36")}
    )
    alone = Frontier("indianomacy", position, Seat("Shoshoni"))
    assert Province("40") in INDIAN.army[Province("39")]
    assert not any(isinstance(one.order, BuildCanoe) for one in alone.planned())


def test_who_comes_ashore_is_not_supported():
    """Indianomacy §6, ruling C12."""
    position = state("indianomacy", "F", {"Iroquois": "W d W 23"}, {"Iroquois": but(INDIAN, "18")})
    frontier = Frontier("indianomacy", position, Seat("Iroquois"))
    rules = frontier.game.rules
    assert all(rules.check(position, frontier.seat, one.order) is None for one in frontier.planned())


def test_who_is_on_the_bay_waits_out_the_year_and_comes_off_it():
    waiting = nootka("F", "b", bay_entered={Province("b"): "S1M"})
    assert waiting.said() == {"W HBY H": "keeps crossing Hudson Bay, which takes a year (since S1M)"}
    over = replace(waiting, state=replace_fields(waiting.state, phase=Phase(season="S", year=2, kind="M")))
    (one,) = over.planned()
    assert INDIAN.is_land(one.order.to)


def neighbours(**more) -> Frontier:
    """Two Shoshoni next to an empty centre of the Blackfoot, their natural partners."""
    centres = {"Shoshoni": "44 45", "Blackfoot": "26 27 28", **more}
    units = {"Shoshoni": "W 34 W 33", "Blackfoot": "W 27 W 28"}
    return Frontier("indianomacy", state("indianomacy", "S", units, centres), Seat("Shoshoni"))


@pytest.mark.clause("indianomacy", "1.22")
def test_a_friend_is_attacked_last():
    frontier = neighbours(Dakota="49")
    assert frontier.situation.friends == ("Blackfoot",)
    assert not {"26", "27", "28"} & set(frontier.situation.prizes)
    goals = {one.order.to for one in frontier.planned() if isinstance(one.order, Move)}
    assert not {"26", "27", "28"} & goals
    alone = neighbours()
    assert "takes Blackfeet, left empty by Blackfoot" in alone.said().values(), "nobody else is left"


def test_an_enemy_of_a_truce_is_spared_and_of_a_plot_is_gone_for():
    position = {"France": "A RUH"}
    frontier = at_war("S", position, "MUN KIE")

    def plan(pact: Pact) -> Move:
        player = replace(frontier.player, pact=pact)
        (one,) = player.moves(player.situation(frontier.state, Seat("France")), frontier.dice)
        assert isinstance(one.order, Move)
        return one.order

    assert plan(Pact(targets=(Province("KIE"),))).to == "KIE"
    assert plan(Pact(targets=(Province("MUN"),))).to == "MUN"
    both = replace_fields(frontier.state, centres={**frontier.state.centres, Province("HOL"): Seat("Italy")})
    truce = Situation(
        frontier.situation.variant,
        frontier.situation.ways,
        both,
        Seat("France"),
        pact=Pact(truces=(Seat("Germany"),)),
    )
    assert truce.prizes == (Province("HOL"),)


def adjusting(units: dict[str, str], centres: dict[str, str], kind: str = "standard") -> State:
    return replace_fields(state(kind, "F", units, centres), phase=Phase(season="W", year=1, kind="A"))


def test_it_builds_where_an_enemy_can_come_then_nearest_to_the_front():
    position = adjusting({"Germany": "A PRU"}, {"Russia": "WAR MOS SEV STP", "Germany": "BER"})
    frontier = Frontier("standard", position, Seat("Russia"))
    (due,) = [due for due in frontier.game.rules.due(position) if due.seat == "Russia"]
    first, *_ = frontier.player.orders(position, due, frontier.dice)
    assert isinstance(first.order, Build)
    assert first.order.unit.at == "WAR"
    assert first.reason == "builds an army (a site that enemies can reach)"
    safe = adjusting({"Germany": "A TYR"}, {"Russia": "WAR MOS SEV STP", "Germany": "BER"})
    choice, *_ = frontier.player.orders(safe, due, frontier.dice)
    assert choice.reason != first.reason


def test_it_removes_who_keeps_no_centre():
    position = adjusting({"Russia": "A WAR A UKR A SIB A MOS".replace("A SIB ", "")}, {"Russia": "WAR MOS"})
    frontier = Frontier("standard", position, Seat("Russia"))
    (due,) = [due for due in frontier.game.rules.due(position) if due.seat == "Russia"]
    (choice,) = frontier.player.orders(position, due, frontier.dice)
    assert choice.order == Disband(unit=choice.order.unit)
    assert choice.order.unit.at == "UKR"
    assert choice.reason == "disbands the unit that it needs least (guards no centre)"


def test_nobody_retreats_into_the_taboo_province():
    """It would cost the War Party and two Winters: to disband costs the War Party."""
    beaten = Beaten(
        unit=Unit(power=Seat("Illinois"), kind="W", at=Province("69")),
        by_from=Province("59"),
        retreats=(Province("120"),),
    )
    fled = replace_fields(
        state("indianomacy", "S", {"Iroquois": "W 69"}),
        phase=Phase(season="U", year=1, kind="R"),
        beaten=(beaten,),
        taboo=True,
    )
    bot, rules = games.kinds()["indianomacy"].bots["intermediate"], games.kinds()["indianomacy"].rules
    (due,) = rules.due(fled)
    (choice,) = bot.orders(fled, due, SealedDice(b"", "", 0))
    assert isinstance(choice.order, Disband)
    assert choice.reason == "disbands: every retreat is taboo or taken by its own units"
    (choice,) = bot.orders(replace_fields(fled, taboo=False), due, SealedDice(b"", "", 0))
    assert choice.order == Move(unit=beaten.unit.piece, to=Province("120"))


def test_a_retreat_goes_to_a_centre_to_win():
    beaten = Beaten(
        unit=Unit(power=Seat("France"), kind="A", at=Province("BUR")),
        by_from=Province("MUN"),
        retreats=(Province("RUH"), Province("BEL"), Province("GAS")),
    )
    position = replace_fields(
        state("standard", "F", {"Germany": "A BUR"}, {"France": "PAR", "Germany": "MUN"}),
        phase=Phase(season="F", year=1, kind="R"),
        beaten=(beaten,),
    )
    frontier = Frontier("standard", position, Seat("France"))
    (due,) = frontier.game.rules.due(position)
    (choice,) = frontier.player.orders(position, due, frontier.dice)
    assert choice.order.to == "BEL"
    assert choice.reason == "retreats (to a centre of its own or to win)"
