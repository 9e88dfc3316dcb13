"""The tables of a report of Variant II: the plan that is wanted, the U.S. and where it goes, boxes."""

from collections.abc import Iterable, Iterator, Sequence

from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, Region, State
from games.plains_indian_wars.nations.lands import places_for
from games.plains_indian_wars.nations.sequence import TRAIL_OF, acting, asked
from games.plains_indian_wars.nations.telling import ENDINGS
from games.plains_indian_wars.nations.victory import result
from games.plains_indian_wars.phrases import INSTRUCTIONS, LINES, cubes, listed, place, runs, spelt
from games.protocol import Table

Row = tuple[str, ...]


def choices(play: Play) -> Table:
    """What the phase asks for, and what it allows besides."""
    rows = () if play.now.ended else tuple(_wanted(play))
    return Table(title="What you decide now", columns=("What", "How"), rows=rows, about="due")


def opponent(play: Play) -> Table:
    """Where the U.S. is, where it will be, and what decides the game."""
    if play.now.ended:
        rows: list[Row] = [("the end", ENDINGS[result(play.now).reason])]
    elif play.scenario.trains:
        rows = [*_trains(play)]
    elif play.scenario.works:
        rows = [*_parties(play)]
    else:
        rows = [*_columns(play)]
    return Table(title="What the U.S. is about", columns=("Who", "Where, and what comes"), rows=tuple(rows))


def boxes(play: Play) -> Table:
    """Ready Box and Casualty Box of the tribes, and of whoever else comes back; who is out of the game."""
    rows: list[Row] = []
    for colour, box in play.scenario.boxes.items():
        gone = play.now.gone.get(colour, 0)
        if box != "gone":
            fallen = str(play.now.fallen.get(colour, 0)) if box == "fallen" else ""
            rows.append((colour, str(play.now.ready.get(colour, 0)), fallen, ""))
        elif gone:
            rows.append((_noun(play, colour), "", "", str(gone)))
    return Table(
        title="Boxes", columns=("Colour", "Ready Box", "Casualty Box", "Out"), rows=tuple(rows), later=True
    )


def state_of_play(view: State) -> str:
    """How the game stands, in a few words: for the map."""
    play = Play(view)
    if view.ended:
        said = ENDINGS[result(view).reason]
        return f"{said[0].upper()}{said[1:]}"
    if play.scenario.trains:
        left = {belt: play.count(at, "White") for belt, at in view.trains.items()}
        told = [f"{count} {belt}" for belt, count in left.items()]
        told += [f"{count} through" for count in view.arrived.values()]
        return f"Turn {view.turn} of {play.scenario.turns}; wagons: {', '.join(told) or 'none'}"
    if play.scenario.works:
        return f"Turn {view.turn}; {_empty(view)} spaces are empty"
    return f"Turn {view.turn} of {play.scenario.turns}"


def _noun(play: Play, colour: Colour) -> str:
    return play.scenario.called.get(colour, (colour, colour))[1]


def _key(play: Play) -> str:
    return str(play.now.options["scenario"])


def _wanted(play: Play) -> Iterator[Row]:
    tribes = asked(play.now, acting(play.now))
    each = " for each tribe" if len(tribes) > 1 else ""
    yield (
        "the card",
        f"one War Party card{each}; with it the plan is complete and is played (WAIT keeps it open)",
    )
    yield "Events", f"up to {spelt(play.box.events)} of the hand{each}, with their regions"
    both = len(tribes) > 1
    comes = [(f"{one} in " * both, places_for(play, one)) for one in tribes]
    starts = [(f"{one} from " * both, play.regions((one,))) for one in tribes]
    yield "cubes", f"as many as the card says{':' if both else ', in'} {_regions(comes)}"
    yield "groups", f"as many as the card says{':' if both else ', from'} {_regions(starts)}"
    for colour in tribes:
        if fallen := play.now.fallen.get(colour, 0):
            back = f"recover{f' {colour}' * both}"
            yield "or", f"{back}  ({fallen} in the Casualty Box) in place of a group"
    limit = play.scenario.limits["plains"]
    yield "room", f"{limit} cubes of a tribe in a region once all have moved; who is too many goes back"
    yield INSTRUCTIONS


def _regions(of: Iterable[tuple[str, Sequence[Region]]]) -> str:
    return "; ".join(f"{lead}{runs(some)}" for lead, some in of)


def _trains(play: Play) -> Iterator[Row]:
    for colour in play.scenario.tribes:
        belt = TRAIL_OF[colour]
        name = f"Train on the {belt}ern trail"
        if belt in play.now.trains:
            at = play.now.trains[belt]
            here: dict[Colour, int] = {c: play.count(at, c) for c in play.scenario.trains[belt]}
            yield name, f"{cubes(here, _key(play))} in {place(at)}; next: {_whither(play, at)}"
        else:
            through = play.now.arrived.get(belt, 0)
            yield name, f"{cubes({'White': through}, _key(play))} through" if through else "no wagon is left"
    if guards := play.regions(("Purple",)):
        yield "Guards", f"1 Purple in {listed([place(one) for one in guards])}, with the train alone"
    yield "Turn", f"{play.now.turn} of {play.scenario.turns}"


def _whither(play: Play, at: Region) -> str:
    if at == ST_LOUIS:
        return "the plains"
    ahead = [play.board.by_id[one].region for one in play.board.steps[at].next if one != ROCKIES]
    if len(ahead) > 1:
        return f"{listed([place(one) for one in ahead], 'or')}, by a Purple die"
    return place(ahead[0]) if ahead else "the Rockies"


def _parties(play: Play) -> Iterator[Row]:
    works = play.scenario.works
    assert works is not None, "only railroad scenarios have parties"
    for line, section in play.now.parties.items():
        regions = [play.board.chart.railroad.sections[section][side] for side in works.sides]
        told = []
        for at in regions:
            here: dict[Colour, int] = {colour: play.count(at, colour) for colour in works.most}
            told.append(f"{cubes(here)} in {place(at)}")
        done = "; their section is finished" * railroad.is_done(play.now, section)
        yield f"Party of {LINES[line]}", f"{listed(told)}{done}"
    yield "Railroad", f"{_empty(play.now)} spaces are empty; complete, it wins the game for the U.S."
    for deck in play.scenario.decks:
        left = len(play.now.decks[deck]) + len(play.now.hands[deck])
        yield f"{deck} cards", f"{left} are left; the turn in which the last one is played is the last turn"


def _columns(play: Play) -> Iterator[Row]:
    campaign = play.scenario.campaign
    assert campaign is not None, "only a campaign has columns"
    for name, route in campaign.columns.items():
        column = play.columns.get(name)
        if column is None:
            yield route.name, "destroyed"
            continue
        ahead = route.steps[route.steps.index(column.at) + 1 :]
        way = f"; then {', '.join(ahead)}" if ahead else ""
        spared = "; it cannot be attacked there" if column.at == route.steps[0] else ""
        yield route.name, f"{cubes(column.cubes, _key(play))} in {place(column.at)}{way}{spared}"
    yield "Black Hills", "the U.S. wins if it alone is there at the end of a turn"
    yield "Turn", f"{play.now.turn} of {play.scenario.turns}"


def _empty(view: State) -> int:
    line = railroad.line_of(view)
    return railroad.plains_left(view) + line.mountain_spaces - view.mountains
