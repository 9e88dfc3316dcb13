"""The transcontinental railroad: its built spaces, its railheads, and the spaces that a turn adds."""

from games.plains_indian_wars.board import Railroad
from games.plains_indian_wars.events import RailsLaid
from games.plains_indian_wars.model import Colour, Region, State
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.working_state import WorkingState


def line_of(state: State) -> Railroad:
    """Return the railroad of a game, with its numbers."""
    return box(state.options).board.chart.railroad


def is_complete(state: State) -> bool:
    """Return whether every space is built, including the mountains. Source: PIW1.black.3."""
    line = line_of(state)
    return state.mountains == line.mountain_spaces and plains_left(state) == 0


def plains_left(state: State) -> int:
    """Return the number of empty spaces on the plains."""
    return line_of(state).plains_spaces - state.union - state.central


def union_section(state: State) -> int:
    """Return the number (from 0) of the Union Pacific's next section to build."""
    return state.union // line_of(state).spaces_in_a_section


def central_section(state: State) -> int:
    """Return the number (from 0) of the Central Pacific's next section to build."""
    line = line_of(state)
    return len(line.sections) - 1 - state.central // line.spaces_in_a_section


def served_regions(state: State) -> tuple[Region, ...]:
    """Return the regions beside finished sections connected to a city. Source: PIW1.place.brown."""
    line = line_of(state)
    if is_complete(state):
        done = set(range(len(line.sections)))
    else:
        each = line.spaces_in_a_section
        done = set(range(state.union // each))
        if state.mountains == line.mountain_spaces:
            done |= {len(line.sections) - 1 - n for n in range(state.central // each)}
    return tuple(region for n in sorted(done) for region in line.sections[n])


def section_workers(play: WorkingState, section: int) -> int:
    """Return the number of Brown cubes in the two regions of a section."""
    return sum(play.count(region, "Brown") for region in _line(play).sections[section])


def build_railroad(play: WorkingState) -> None:
    """Build for Black's disc: the Union Pacific, and the mountains or the Central Pacific.

    Source: PIW1.black.1 to PIW1.black.7.
    """
    through_the_mountains = play.now.mountains == _line(play).mountain_spaces
    _build_union(play)
    if through_the_mountains:
        _build_central(play)
    else:
        _build_mountains(play)


def lay_union(play: WorkingState, count: int) -> int:
    """Add spaces to the Union Pacific for a card, within its section; return their number."""
    each = _line(play).spaces_in_a_section
    count = min(count, each - play.now.union % each, plains_left(play.now))
    if count:
        play.set(union=play.now.union + count)
        play.tell(RailsLaid, line="union", count=count, built=play.now.union)
    return count


def lay_west(play: WorkingState, count: int) -> int:
    """Add spaces in the west for a card, first in the mountains; return their number."""
    if play.now.mountains < _line(play).mountain_spaces:
        count = min(count, _line(play).mountain_spaces - play.now.mountains)
        play.set(mountains=play.now.mountains + count)
        play.tell(RailsLaid, line="mountains", count=count, built=play.now.mountains)
        return count
    count = min(count, plains_left(play.now))
    if count:
        play.set(central=play.now.central + count)
        play.tell(RailsLaid, line="central", count=count, built=play.now.central)
    return count


def _line(play: WorkingState) -> Railroad:
    return play.board.chart.railroad


def _spaces_for_workers(play: WorkingState, brown: int) -> int:
    """Return the number of spaces for a number of workers, from the table and within the limit."""
    works = play.scenario.works
    table = (works.built if works else ()) or _line(play).built_by_brown
    return min(table[min(brown, len(table) - 1)], _line(play).limit)


def tear_up(play: WorkingState, colour: Colour, most: int) -> int:
    """Remove spaces at the open end of the Union Pacific for a tribe's card; return their number.

    The tribe must be beside the section of the railhead or the last finished section. Once the lines have
    met, there is no open end. Source: PIW2.card.rails.
    """
    near = any(play.count(region, colour) for region in tearable_regions(play.now))
    count = min(most, play.now.union) if near else 0
    play.set(union=play.now.union - count)
    return count


def tearable_regions(state: State) -> tuple[Region, ...]:
    """Return the regions from which the Union Pacific can be torn up; () once the lines have met."""
    here = union_section(state)
    if not plains_left(state) or not state.union:
        return ()
    sections = line_of(state).sections
    return tuple(region for section in (here, here - 1) if section >= 0 for region in sections[section])


def is_section_done(state: State, section: int) -> bool:
    """Return whether every space of a section is built, by either line."""
    each = line_of(state).spaces_in_a_section
    total = line_of(state).plains_spaces
    first = section * each
    return all(space < state.union or space >= total - state.central for space in range(first, first + each))


def _build_union(play: WorkingState) -> None:
    if not plains_left(play.now):
        return
    at = play.now.parties.get("union", union_section(play.now))
    brown = section_workers(play, at)
    if play.scenario.works:
        count = _spaces_by_party(play, brown, (at + 1) * _line(play).spaces_in_a_section - play.now.union)
    else:
        count = _spaces_by_line(play, brown, play.now.union)
    play.set(union=play.now.union + count)
    play.tell(RailsLaid, line="union", count=count, built=play.now.union, brown=brown)


def _build_central(play: WorkingState) -> None:
    if not plains_left(play.now):
        return
    at = play.now.parties.get("central", central_section(play.now))
    brown = section_workers(play, at)
    if play.scenario.works:
        beside = (len(_line(play).sections) - at) * _line(play).spaces_in_a_section
        count = _spaces_by_party(play, brown, beside - play.now.central)
    else:
        count = _spaces_by_line(play, brown, play.now.central, west=True)
    play.set(central=play.now.central + count)
    play.tell(RailsLaid, line="central", count=count, built=play.now.central, brown=brown)


def _spaces_by_party(play: WorkingState, brown: int, beside: int) -> int:
    """Return how many spaces a party builds, within its section.

    Source: PIW2.rail.black, PIW2.rail.party.
    """
    return max(0, min(_spaces_for_workers(play, brown), beside, plains_left(play.now)))


def _spaces_by_line(play: WorkingState, brown: int, built: int, *, west: bool = False) -> int:
    """Return how many spaces a line gets. It only passes the end of its section if Brown is beyond it."""
    line = _line(play)
    count = min(_spaces_for_workers(play, brown), plains_left(play.now))
    in_section = line.spaces_in_a_section - built % line.spaces_in_a_section
    if count <= in_section:
        return count
    beyond = central_section(play.now) - 1 if west else union_section(play.now) + 1
    return count if section_workers(play, beyond) else in_section


def _build_mountains(play: WorkingState) -> None:
    line = _line(play)
    faces = play.materials.roll(play.dice, f"{play.dice_label}/mountains", "Brown", line.mountain_dice)
    done = sum(face in line.mountain_success for face in faces)
    count = min(done, line.mountain_spaces - play.now.mountains)
    play.set(mountains=play.now.mountains + count)
    play.tell(RailsLaid, line="mountains", count=count, built=play.now.mountains, dice=faces)
