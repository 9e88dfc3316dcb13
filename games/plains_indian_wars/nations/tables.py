"""The tables of a report of Variant II: the plan that is due, the U.S. and where it goes, boxes."""

from collections.abc import Iterable, Iterator, Sequence

from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS
from games.plains_indian_wars.model import Colour, Region, State
from games.plains_indian_wars.nations.report_text import NATIONS_ENDINGS
from games.plains_indian_wars.nations.sequence import TRAIL_OF_TRIBE, acting_tribes, tribes_with_cards
from games.plains_indian_wars.nations.tribe_phase import placement_regions
from games.plains_indian_wars.phrases import (
    INSTRUCTIONS_ROW,
    RAILROAD_LINES,
    cubes_text,
    join_words,
    number_word,
    region_list,
    region_name,
)
from games.plains_indian_wars.scoring import nations_result
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import ReportTable

TextRow = tuple[str, ...]


def decision_table(play: WorkingState) -> ReportTable:
    """Return what the phase asks for, and what else it allows."""
    rows = () if play.now.ended else tuple(_decision_rows(play))
    return ReportTable(title="Your decisions now", columns=("What", "How"), rows=rows, about="due")


def opponent_table(play: WorkingState) -> ReportTable:
    """Return where the U.S. is, where it will be, and what decides the game."""
    if play.now.ended:
        rows: list[TextRow] = [("the end", NATIONS_ENDINGS[nations_result(play.now).reason])]
    elif play.scenario.trains:
        rows = [*_train_rows(play)]
    elif play.scenario.works:
        rows = [*_party_rows(play)]
    else:
        rows = [*_column_rows(play)]
    return ReportTable(
        title="What the U.S. is about", columns=("Who", "Where, and what comes"), rows=tuple(rows)
    )


def box_table(play: WorkingState) -> ReportTable:
    """Return the Ready Box and Casualty Box of the tribes, and of every colour that comes back.

    The last column has the cubes that are out of the game.
    """
    rows: list[TextRow] = []
    for colour, box in play.scenario.boxes.items():
        gone = play.now.gone.get(colour, 0)
        if box != "gone":
            fallen = str(play.now.fallen.get(colour, 0)) if box == "fallen" else ""
            rows.append((colour, str(play.now.ready.get(colour, 0)), fallen, ""))
        elif gone:
            rows.append((play.scenario.called.get(colour, (colour, colour))[1], "", "", str(gone)))
    return ReportTable(
        title="Boxes", columns=("Colour", "Ready Box", "Casualty Box", "Out"), rows=tuple(rows), later=True
    )


def standing_text(view: State) -> str:
    """Return how the game stands, in a few words: for the map."""
    play = WorkingState(view)
    if view.ended:
        text = NATIONS_ENDINGS[nations_result(view).reason]
        return f"{text[0].upper()}{text[1:]}"
    if play.scenario.trains:
        wagons_left = {belt: play.count(at, "White") for belt, at in view.trains.items()}
        parts = [f"{count} {belt}" for belt, count in wagons_left.items()]
        parts += [f"{count} through" for count in view.arrived.values()]
        return f"Turn {view.turn} of {play.scenario.turns}; wagons: {', '.join(parts) or 'none'}"
    if play.scenario.works:
        return f"Turn {view.turn}; {_empty_spaces(view)} spaces are empty"
    return f"Turn {view.turn} of {play.scenario.turns}"


def _scenario_key(play: WorkingState) -> str:
    return str(play.now.options["scenario"])


def _decision_rows(play: WorkingState) -> Iterator[TextRow]:
    tribes = tribes_with_cards(play.now, acting_tribes(play.now))
    each = " for each tribe" if len(tribes) > 1 else ""
    yield (
        "the card",
        f"one War Party card{each}; with it the plan is complete and is played (WAIT keeps it open)",
    )
    yield "Events", f"up to {number_word(play.materials.events)} of the hand{each}, with their regions"
    both = len(tribes) > 1
    comes = [(f"{tribe} in " * both, placement_regions(play, tribe)) for tribe in tribes]
    starts = [(f"{tribe} from " * both, play.regions_with((tribe,))) for tribe in tribes]
    yield "cubes", f"as many as the card says{':' if both else ', in'} {_region_lists(comes)}"
    yield "groups", f"as many as the card says{':' if both else ', from'} {_region_lists(starts)}"
    for colour in tribes:
        if fallen := play.now.fallen.get(colour, 0):
            back = f"recover{f' {colour}' * both}"
            yield "or", f"{back}  ({fallen} in the Casualty Box) in place of a group"
    limit = play.scenario.limits["plains"]
    yield "room", f"{limit} cubes of a tribe in a region once all have moved; who is too many goes back"
    yield INSTRUCTIONS_ROW


def _region_lists(of: Iterable[tuple[str, Sequence[Region]]]) -> str:
    return "; ".join(f"{lead}{region_list(some)}" for lead, some in of)


def _train_rows(play: WorkingState) -> Iterator[TextRow]:
    for colour in play.scenario.tribes:
        belt = TRAIL_OF_TRIBE[colour]
        name = f"Train on the {belt}ern trail"
        if belt in play.now.trains:
            at = play.now.trains[belt]
            here: dict[Colour, int] = {c: play.count(at, c) for c in play.scenario.trains[belt]}
            yield (
                name,
                f"{cubes_text(here, _scenario_key(play))} in {region_name(at)}; next: "
                f"{_next_region_text(play, at)}",
            )
        else:
            through = play.now.arrived.get(belt, 0)
            yield (
                name,
                f"{cubes_text({'White': through}, _scenario_key(play))} through"
                if through
                else "no wagon is left",
            )
    if guards := play.regions_with(("Purple",)):
        yield (
            "Guards",
            f"1 Purple in {join_words([region_name(region) for region in guards])}, with the train alone",
        )
    yield "Turn", f"{play.now.turn} of {play.scenario.turns}"


def _next_region_text(play: WorkingState, at: Region) -> str:
    if at == ST_LOUIS:
        return "the plains"
    ahead = [play.board.by_id[step_id].region for step_id in play.board.steps[at].next if step_id != ROCKIES]
    if len(ahead) > 1:
        return f"{join_words([region_name(region) for region in ahead], 'or')}, by a Purple die"
    return region_name(ahead[0]) if ahead else "the Rockies"


def _party_rows(play: WorkingState) -> Iterator[TextRow]:
    works = play.scenario.works
    assert works is not None, "only railroad scenarios have parties"
    for line, section in play.now.parties.items():
        regions = [play.board.chart.railroad.sections[section][side] for side in works.sides]
        parts = []
        for at in regions:
            here: dict[Colour, int] = {colour: play.count(at, colour) for colour in works.most}
            parts.append(f"{cubes_text(here)} in {region_name(at)}")
        done = "; their section is finished" * railroad.is_section_done(play.now, section)
        yield f"Party of {RAILROAD_LINES[line]}", f"{join_words(parts)}{done}"
    yield "Railroad", f"{_empty_spaces(play.now)} spaces are empty; complete, it wins the game for the U.S."
    for deck in play.scenario.decks:
        cards_left = len(play.now.decks[deck]) + len(play.now.hands[deck])
        yield (
            f"{deck} cards",
            f"{cards_left} are left; the turn in which the last one is played is the last turn",
        )


def _column_rows(play: WorkingState) -> Iterator[TextRow]:
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
        yield (
            route.name,
            f"{cubes_text(column.cubes, _scenario_key(play))} in {region_name(column.at)}{way}{spared}",
        )
    yield "Black Hills", "the U.S. wins if it alone is there at the end of a turn"
    yield "Turn", f"{play.now.turn} of {play.scenario.turns}"


def _empty_spaces(view: State) -> int:
    line = railroad.line_of(view)
    return railroad.plains_left(view) + line.mountain_spaces - view.mountains
