"""The record that counts for a person: each side, and the rounds that the war took."""

from games.boer_war.components import PACKAGE
from games.boer_war.model import BOERS, EMPIRE, State
from games.bot_results import results_reader
from games.own_box import DATA
from games.pool import RoundCounters
from games.protocol import CampaignCase, SoloCampaign


def _count_rounds(state: State, case: CampaignCase) -> int:
    """Return the rounds of both sides that are over."""
    each = RoundCounters().rounds * len(state.counters)
    return state.turn * each - sum(counters.rounds for counters in state.counters.values())


CAMPAIGN = SoloCampaign(
    cases=tuple(
        CampaignCase(name=f"As the {seat}", seat=seat, options={"mode": "war"}, thing="rounds", quick=True)
        for seat in (BOERS, EMPIRE)
    ),
    count=_count_rounds,
    results=results_reader(PACKAGE),
    apart=(DATA,),
)
