"""The counts of a person's record: each side and length, and Battle Points ahead of the AI."""

from games.bot_results import results_reader
from games.great_war.components import PACKAGE
from games.great_war.model import AI, PLAYER, State
from games.great_war.setup import NATION_BY_SIDE, OPTIONS
from games.protocol import CampaignCase, SoloCampaign

_CAMPAIGN_LENGTHS = next(option.values for option in OPTIONS if option.name == "turns")
_SIDE_TITLES = {"allies": "The Allies", "central": "The Central Powers"}


def _case(side: str, turns: str) -> CampaignCase:
    return CampaignCase(
        name=f"{_SIDE_TITLES[side]}, {turns} Turns",
        seat=PLAYER,
        options={"side": side, "turns": turns},
        thing="Battle Points ahead",
    )


def _count(state: State, case: CampaignCase) -> int:
    return state.score(PLAYER) - state.score(AI)


CAMPAIGN = SoloCampaign(
    cases=tuple(_case(side, turns) for side in NATION_BY_SIDE for turns in _CAMPAIGN_LENGTHS),
    count=_count,
    results=results_reader(PACKAGE),
    apart=("cards", "chains"),
)
