"""What a person's record counts: each side and length, and Battle Points ahead of the AI."""

from games.bot_results import results_in
from games.great_war.components import PACKAGE
from games.great_war.model import AI, PLAYER, State
from games.great_war.setup import OPTIONS, SIDES
from games.protocol import Campaign, Case

_LENGTHS = next(option.values for option in OPTIONS if option.name == "turns")
_CALLED = {"allies": "The Allies", "central": "The Central Powers"}


def _case(side: str, turns: str) -> Case:
    return Case(
        name=f"{_CALLED[side]}, {turns} Turns",
        seat=PLAYER,
        options={"side": side, "turns": turns},
        thing="Battle Points ahead",
    )


def _count(state: State, case: Case) -> int:
    return state.score(PLAYER) - state.score(AI)


CAMPAIGN = Campaign(
    cases=tuple(_case(side, turns) for side in SIDES for turns in _LENGTHS),
    count=_count,
    results=results_in(PACKAGE),
    apart=("cards", "chains"),
)
