"""What a person's record counts: each scenario; points ahead in Variant I, turns in II."""

from games.bot_results import results_in
from games.own_box import DATA
from games.plains_indian_wars.board import PACKAGE
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.model import NATIONS, US, State
from games.plains_indian_wars.scoring import POINT, schedule, totals
from games.protocol import Campaign, Case


def _case(scenario: str) -> Case:
    found = materials().scenarios[scenario]
    if found.plays == "US":
        side, thing, parts = US, "victory points ahead", POINT
    else:
        side, thing, parts = NATIONS, "turns", 1
    return Case(
        name=f"{found.title}, {side}",
        seat=side,
        options={"scenario": scenario},
        thing=thing,
        parts=parts,
        quick=side == NATIONS,
    )


def _count(state: State, case: Case) -> int:
    if case.seat == US:
        nations, us = totals(schedule(state))
        return us - nations
    return state.turn


CAMPAIGN = Campaign(
    cases=tuple(map(_case, materials().scenarios)), count=_count, results=results_in(PACKAGE), apart=(DATA,)
)
