"""The counts of a person's record: each level of the automaton, and the turns it took."""

from games.bot_results import results_reader
from games.own_box import DATA
from games.protocol import CampaignCase, SoloCampaign
from games.war_chest.components import PACKAGE
from games.war_chest.model import PLAYER, State
from games.war_chest.owner_data import PRINTED


def _case(ladder: str, level: str) -> CampaignCase:
    return CampaignCase(
        name=f"Against the {level} automaton, {ladder} ladder",
        seat=PLAYER,
        options={"opponent": "ai", "level": level, "ladder": ladder},
        thing="turns",
        quick=True,
    )


def _count(state: State, case: CampaignCase) -> int:
    return state.number


CAMPAIGN = SoloCampaign(
    cases=tuple(
        _case(ladder, level) for ladder in PRINTED.numbers.royal_mode for level in PRINTED.numbers.royal_coins
    ),
    count=_count,
    results=results_reader(PACKAGE),
    apart=("royal_mode", DATA),
)
