"""Workers and their escorts: where each line's party is, who joins it, and when it moves on."""

from games.plains_indian_wars import railroad
from games.plains_indian_wars.components import Works
from games.plains_indian_wars.events import PartyMoved, Placed
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Line, Region

WEST, EAST = 1, -1
"""The way of each line along the sections, which are counted from St. Louis."""


def gather(play: Play) -> None:
    """The Union Pacific's party is beside St. Louis, where the set-up has put it. Source: PIW2.rail.setup."""
    play.set(parties={"union": 0})


def join(play: Play, colour: Colour) -> None:
    """Blue's or Brown's disc: cubes join each party, then whoever has finished his section moves on.

    Source: PIW2.rail.blue, PIW2.rail.brown.
    """
    _open_the_west(play)
    for line in play.now.parties:
        for region in _regions(play, line):
            _fill(play, line, colour, region)
    for line in tuple(play.now.parties):
        _move_on(play, line)


def _open_the_west(play: Play) -> None:
    """With the mountains done the Central Pacific gets a party. Source: PIW2.rail.western."""
    line = play.board.chart.railroad
    if play.now.mountains == line.mountain_spaces and "central" not in play.now.parties:
        play.set(parties={"central": len(line.sections) - 1, **play.now.parties})


def _works(play: Play) -> Works:
    works = play.scenario.works
    assert works is not None, "only railroad scenarios have parties"
    return works


def _regions(play: Play, line: Line) -> tuple[Region, ...]:
    works = _works(play)
    section = play.board.chart.railroad.sections[play.now.parties[line]]
    return tuple(section[side] for side in works.sides)


def _fill(play: Play, line: Line, colour: Colour, region: Region) -> None:
    """The Union Pacific's party is filled up, the Central Pacific's grows by a few.

    Where both have met there is room for both. Source: PIW2.rail.limit, PIW2.rail.merge.
    """
    works = _works(play)
    most, here = works.most[colour], play.count(region, colour)
    if line == "union":
        count = most - here
    else:
        met = play.now.parties.get("union") == play.now.parties["central"]
        count = min(works.western[colour], most * (1 + met) - here)
    came = play.muster(region, colour, max(0, count))
    if came:
        play.tell(Placed, colour=colour, at=region, count=came, why="party")


def _move_on(play: Play, line: Line) -> None:
    """A party whose section is finished goes to the next one; tribes there do not matter.

    Where both have met and rails behind them were torn up, they part again: whoever goes first takes along no
    more than a party has. Source: PIW2.rail.move, PIW2.rail.calm, PIW2.rail.part.
    """
    works = _works(play)
    at = play.now.parties[line]
    beyond = at + (WEST if line == "union" else EAST)
    done = railroad.is_done(play.now, at) and not railroad.is_complete(play.now)
    if not done or not 0 <= beyond < len(play.board.chart.railroad.sections):
        return
    before = _regions(play, line)
    play.set(parties={**play.now.parties, line: beyond})
    for start, to in zip(before, _regions(play, line), strict=True):
        cubes: dict[Colour, int] = {
            colour: count
            for colour, most in works.most.items()
            if (count := min(play.count(start, colour), most))
        }
        play.shift(start, to, cubes)
        play.tell(PartyMoved, line=line, cubes=cubes, start=start, to=to)
