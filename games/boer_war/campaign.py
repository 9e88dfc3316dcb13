"""What a person's record counts: each side, and the rounds that the war took."""

from games.boer_war.components import PACKAGE
from games.boer_war.model import BOERS, EMPIRE, State
from games.bot_results import results_in
from games.own_box import DATA
from games.pool import Counters
from games.protocol import Campaign, Case


def _count(state: State, case: Case) -> int:
    """The rounds of both sides that are over."""
    each = Counters().rounds * len(state.counters)
    return state.turn * each - sum(counters.rounds for counters in state.counters.values())


CAMPAIGN = Campaign(
    cases=tuple(
        Case(name=f"As the {seat}", seat=seat, options={"mode": "war"}, thing="rounds", quick=True)
        for seat in (BOERS, EMPIRE)
    ),
    count=_count,
    results=results_in(PACKAGE),
    apart=(DATA,),
)
