"""The counts of a person's record: each scenario; points ahead in Variant I, turns in II."""

from games.bot_results import results_reader
from games.own_box import DATA
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, State
from games.plains_indian_wars.scoring import HALVES_PER_POINT, schedule, totals
from games.protocol import CampaignCase, SoloCampaign


def _campaign_case(scenario: str) -> CampaignCase:
    scenario_data = materials().scenarios[scenario]
    if scenario_data.plays == "US":
        side, thing, parts = US_SEAT, "victory points ahead", HALVES_PER_POINT
    else:
        side, thing, parts = NATIONS_SEAT, "turns", 1
    return CampaignCase(
        name=f"{scenario_data.title}, {side}",
        seat=side,
        options={"scenario": scenario},
        thing=thing,
        parts=parts,
        quick=side == NATIONS_SEAT,
    )


def _case_points(state: State, case: CampaignCase) -> int:
    if case.seat == US_SEAT:
        nations, us = totals(schedule(state))
        return us - nations
    return state.turn


CAMPAIGN = SoloCampaign(
    cases=tuple(map(_campaign_case, materials().scenarios)),
    count=_case_points,
    results=results_reader(PACKAGE),
    apart=(DATA,),
)
