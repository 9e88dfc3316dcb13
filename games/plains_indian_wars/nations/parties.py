"""Workers and their escorts: where each line's party is, who joins it, and when it moves on."""

from games.plains_indian_wars import railroad
from games.plains_indian_wars.components import RailroadWorks
from games.plains_indian_wars.events import PartyMoved, Placed
from games.plains_indian_wars.model import Colour, Line, Region
from games.plains_indian_wars.working_state import WorkingState

WESTWARD, EASTWARD = 1, -1
"""The way of each line along the sections, which are counted from St. Louis."""


def set_up_parties(play: WorkingState) -> None:
    """Set the Union Pacific's party up beside St. Louis, where its cubes are. Source: PIW2.rail.setup."""
    play.set(parties={"union": 0})


def join_party(play: WorkingState, colour: Colour) -> None:
    """Let cubes of Blue's or Brown's disc join each party; then finished parties move on.

    Source: PIW2.rail.blue, PIW2.rail.brown.
    """
    _open_western_party(play)
    for line in play.now.parties:
        for region in _party_regions(play, line):
            _fill_party(play, line, colour, region)
    for line in tuple(play.now.parties):
        _move_party_on(play, line)


def _open_western_party(play: WorkingState) -> None:
    """Give the Central Pacific a party once the mountains are done. Source: PIW2.rail.western."""
    line = play.board.chart.railroad
    if play.now.mountains == line.mountain_spaces and "central" not in play.now.parties:
        play.set(parties={"central": len(line.sections) - 1, **play.now.parties})


def _works(play: WorkingState) -> RailroadWorks:
    works = play.scenario.works
    assert works is not None, "only railroad scenarios have parties"
    return works


def _party_regions(play: WorkingState, line: Line) -> tuple[Region, ...]:
    works = _works(play)
    section = play.board.chart.railroad.sections[play.now.parties[line]]
    return tuple(section[side] for side in works.sides)


def _fill_party(play: WorkingState, line: Line, colour: Colour, region: Region) -> None:
    """Fill the Union Pacific's party up, or let the Central Pacific's grow by a few.

    Where both have met there is room for both. Source: PIW2.rail.limit, PIW2.rail.merge.
    """
    works = _works(play)
    most, here = works.most[colour], play.count(region, colour)
    if line == "union":
        count = most - here
    else:
        met = play.now.parties.get("union") == play.now.parties["central"]
        count = min(works.western[colour], most * (1 + met) - here)
    came = play.add_from_ready(region, colour, max(0, count))
    if came:
        play.tell(Placed, colour=colour, at=region, count=came, why="party")


def _move_party_on(play: WorkingState, line: Line) -> None:
    """Move a party whose section is finished to the next one; tribes there do not matter.

    Where both have met and rails behind them were torn up, they part again: the first to go takes along no
    more than a party has. Source: PIW2.rail.move, PIW2.rail.calm, PIW2.rail.part.
    """
    works = _works(play)
    at = play.now.parties[line]
    beyond = at + (WESTWARD if line == "union" else EASTWARD)
    done = railroad.is_section_done(play.now, at) and not railroad.is_complete(play.now)
    if not done or not 0 <= beyond < len(play.board.chart.railroad.sections):
        return
    before = _party_regions(play, line)
    play.set(parties={**play.now.parties, line: beyond})
    for start, to in zip(before, _party_regions(play, line), strict=True):
        cubes: dict[Colour, int] = {
            colour: count
            for colour, most in works.most.items()
            if (count := min(play.count(start, colour), most))
        }
        play.move_cubes(start, to, cubes)
        play.tell(PartyMoved, line=line, cubes=cubes, start=start, to=to)
