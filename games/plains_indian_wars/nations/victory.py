"""When a game of Variant II is over, and who has won it."""

from games.plains_indian_wars import railroad
from games.plains_indian_wars.events import Decided
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import NATIONS, US, State
from games.protocol import Result


def holds_goal(play: Play) -> bool:
    """Whether any U.S. cube is in the Black Hills, and no tribe. Source: PIW2.custer.win.us."""
    campaign = play.scenario.campaign
    return campaign is not None and play.is_us_held(campaign.goal)


def result(state: State) -> Result:
    """Who has won a game that is over, and by what rule.

    Source: PIW2.train.win, PIW2.both.win, PIW2.rail.win, PIW2.custer.win.us, PIW2.custer.win.nations.
    """
    play = Play(state)
    scenario = play.scenario
    if scenario.trains:
        through = [belt for belt in scenario.trains if state.arrived.get(belt)]
        if len(through) == len(scenario.trains):
            return Result(winners=(US,), reason="wagons-through")
        if through:
            return Result(winners=(), reason="wagons-through-on-one-trail")
        return Result(winners=(NATIONS,), reason="no-wagon-through")
    if scenario.works:
        done = railroad.is_complete(state)
        return Result(winners=(US if done else NATIONS,), reason=f"railroad-{'' if done else 'in'}complete")
    if not state.columns:
        return Result(winners=(NATIONS,), reason="columns-destroyed")
    if holds_goal(play):
        return Result(winners=(US,), reason="black-hills-taken")
    return Result(winners=(NATIONS,), reason="black-hills-kept")


def end(play: Play) -> None:
    """The game is over."""
    play.set(disc=None, ended=True)
    found = result(play.freeze())
    play.tell(Decided, winners=found.winners, why=found.reason)
