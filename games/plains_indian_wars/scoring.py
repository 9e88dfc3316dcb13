"""Points and victory: the victory point schedule of Variant I, and the end of a game of Variant II."""

from collections.abc import Iterable

from games.language import format_halves
from games.messages import sentence
from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import CANADA, MEXICO, Trail
from games.plains_indian_wars.events import Decided, ScheduleRow
from games.plains_indian_wars.model import NATIONS_SEAT, US_SEAT, Region, State
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import GameResult, Seat

HALVES_PER_POINT = 2
"""Points are counted in halves."""


def schedule(state: State) -> tuple[ScheduleRow, ...]:
    """Return the rows of the schedule now, with None for a side without such a row.

    Source: PIW1.score.rail to PIW1.score.tie.
    """
    play = WorkingState(state)
    done = railroad.is_complete(state)
    belts, plains = play.board.regions_in_zones("NE", "SE"), play.board.regions_in_zones("N", "S")
    purple = [region for region in belts if region not in (CANADA, MEXICO)]
    ours, theirs = _count_held(play, purple, True), _count_held(play, purple, False)
    rolling = sum(play.count(region, "White") for region in play.board.steps)
    keys = [place for place in play.board.places.values() if place.key and play.is_us_held(place.id)]
    lost_by_custer = next(
        c.effect.points for c in play.materials.cards.values() if c.effect and c.effect.points
    )
    return (
        _row("railroad", 3 * (not done), 3 * done),
        *(
            ScheduleRow(
                row=sentence("plains_indian_wars.tables.trail_open", trail=trail.name),
                nations=None,
                us=5 * HALVES_PER_POINT * is_trail_open(play, trail),
            )
            for trail in play.board.chart.trails.values()
        ),
        ScheduleRow(
            row=sentence("plains_indian_wars.schedule.wagons"),
            nations=HALVES_PER_POINT * state.lost,
            us=HALVES_PER_POINT * state.through + rolling,
        ),
        _row("held", _count_held(play, (*plains, *purple), False), _count_held(play, plains, True)),
        _row("fours", 4 * sum(play.tribe_cubes(r) == 4 for r in plains), None),
        _row("threes", 2 * sum(play.tribe_cubes(r) == 3 for r in plains), None),
        _row("canada_mexico", 5 * _count_held(play, (CANADA, MEXICO), False), None),
        _row("purple_majority", 3 * (theirs > ours), 3 * (ours > theirs)),
        _row("keys", None, sum(place.key for place in keys)),
        _row("custer", lost_by_custer * state.custer, None),
    )


def totals(rows: Iterable[ScheduleRow]) -> tuple[int, int]:
    """Return the half points of the tribes and of the U.S."""
    together = tuple(rows)
    return sum(row.nations or 0 for row in together), sum(row.us or 0 for row in together)


def winner(rows: Iterable[ScheduleRow]) -> Seat:
    """Return the side with more points, or the tribes in a tie. Source: PIW1.score.tie."""
    nations, us = totals(rows)
    return US_SEAT if us > nations else NATIONS_SEAT


def points_text(halves: int) -> str:
    """Return half points as a text: "12½"."""
    return format_halves(halves / HALVES_PER_POINT)


def is_trail_open(play: WorkingState, trail: Trail) -> bool:
    """Return whether the U.S. holds each region of a trail, on every branch, or has a wagon there."""
    return all(play.is_us_held(step.region) or play.count(step.region, "White") for step in trail.steps)


def is_tribe_held(play: WorkingState, region: Region) -> bool:
    """Return whether a tribe is in a region without U.S. cubes or wagons. Source: PIW1.control."""
    return bool(play.tribe_cubes(region)) and not play.us_cubes(region) and not play.count(region, "White")


def _count_held(play: WorkingState, regions: Iterable[Region], us: bool) -> int:
    held = play.is_us_held if us else lambda region: is_tribe_held(play, region)
    return sum(held(region) for region in regions)


def _row(slug: str, nations: int | None, us: int | None) -> ScheduleRow:
    def halves(value: int | None) -> int | None:
        return None if value is None else HALVES_PER_POINT * int(value)

    return ScheduleRow(
        row=sentence(f"plains_indian_wars.schedule.{slug}"), nations=halves(nations), us=halves(us)
    )


# The end of a game of Variant II.


def is_goal_held(play: WorkingState) -> bool:
    """Return whether the U.S. alone is in the Black Hills. Source: PIW2.custer.win.us."""
    campaign = play.scenario.campaign
    return campaign is not None and play.is_us_held(campaign.goal)


def nations_result(state: State) -> GameResult:
    """Return the winner of a game of Variant II that ends now, and the reason.

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
    """End a game of Variant II."""
    play.set(disc=None, ended=True)
    outcome = nations_result(play.freeze())
    play.tell(Decided, winners=outcome.winners, why=outcome.reason)
