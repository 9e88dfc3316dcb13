"""The end of a game of Variant II, and its winner."""

from games.plains_indian_wars import railroad
from games.plains_indian_wars.events import Decided
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, State
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import GameResult


def is_goal_held(play: WorkingState) -> bool:
    """Return whether any U.S. cube is in the Black Hills, and no tribe. Source: PIW2.custer.win.us."""
    campaign = play.scenario.campaign
    return campaign is not None and play.is_us_held(campaign.goal)


def nations_result(state: State) -> GameResult:
    """Return the winner of a game that is over, and by what rule.

    Source: PIW2.train.win, PIW2.both.win, PIW2.rail.win, PIW2.custer.win.us, PIW2.custer.win.nations.
    """
    play = WorkingState(state)
    scenario = play.scenario
    if scenario.trains:
        through = [belt for belt in scenario.trains if state.arrived.get(belt)]
        if len(through) == len(scenario.trains):
            return GameResult(winners=(US_SEAT,), reason="wagons-through")
        if through:
            return GameResult(winners=(), reason="wagons-through-on-one-trail")
        return GameResult(winners=(NATIONS_SEAT,), reason="no-wagon-through")
    if scenario.works:
        done = railroad.is_complete(state)
        return GameResult(
            winners=(US_SEAT if done else NATIONS_SEAT,), reason=f"railroad-{'' if done else 'in'}complete"
        )
    if not state.columns:
        return GameResult(winners=(NATIONS_SEAT,), reason="columns-destroyed")
    if is_goal_held(play):
        return GameResult(winners=(US_SEAT,), reason="black-hills-taken")
    return GameResult(winners=(NATIONS_SEAT,), reason="black-hills-kept")


def end_nations_game(play: WorkingState) -> None:
    """End the game."""
    play.set(disc=None, ended=True)
    outcome = nations_result(play.freeze())
    play.tell(Decided, winners=outcome.winners, why=outcome.reason)
