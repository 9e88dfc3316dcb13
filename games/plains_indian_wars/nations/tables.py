"""The tables of Variant II: the plan that is due, the moves of the U.S., and boxes."""

from collections.abc import Iterator, Sequence

from games.language import join_list
from games.messages import sentence
from games.plains_indian_wars import railroad
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS
from games.plains_indian_wars.model import Belt, Colour, Region, State
from games.plains_indian_wars.nations.report_text import ending_text
from games.plains_indian_wars.nations.sequence import TRAIL_OF_TRIBE, acting_tribes, tribes_with_cards
from games.plains_indian_wars.nations.tribe_phase import placement_regions
from games.plains_indian_wars.phrases import (
    cubes_text,
    instructions_row,
    number_word,
    region_list,
    region_name,
)
from games.plains_indian_wars.scoring import nations_result
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import ReportTable

TextRow = tuple[str, ...]


def moving_tribes(play: WorkingState) -> tuple[Colour, ...]:
    """Return the tribes whose plan is due; none if the game is over."""
    return () if play.now.ended else tuple(tribes_with_cards(play.now, acting_tribes(play.now)))


def decision_rows(play: WorkingState) -> Iterator[TextRow]:
    """Yield the orders that are due in the phase, and the other possible ones."""
    tribes = moving_tribes(play)
    both, most = len(tribes) > 1, number_word(play.materials.events)
    card_how, events_how = (
        "plains_indian_wars.decisions.war_party_how",
        "plains_indian_wars.decisions.events_how",
    )
    if both:
        card_how = "plains_indian_wars.decisions.war_parties_how"
        events_how = "plains_indian_wars.decisions.events_each_how"
    yield sentence("plains_indian_wars.decisions.card"), sentence(card_how)
    yield sentence("plains_indian_wars.decisions.events"), sentence(events_how, most=most)
    yield sentence("plains_indian_wars.decisions.cubes"), _cubes_text(play, tribes)
    yield sentence("plains_indian_wars.decisions.groups"), _groups_text(play, tribes)
    recover_how = "plains_indian_wars.decisions.recover_how"
    if both:
        recover_how = "plains_indian_wars.decisions.recover_tribe_how"
    for tribe in tribes:
        if fallen := play.now.fallen.get(tribe, 0):
            yield (
                sentence("plains_indian_wars.decisions.or"),
                sentence(recover_how, tribe=tribe, fallen=fallen),
            )
    limit = play.scenario.limits["plains"]
    yield (
        sentence("plains_indian_wars.decisions.room"),
        sentence("plains_indian_wars.decisions.room_how", limit=limit),
    )
    if play.now.turn <= 1:
        yield instructions_row()


def _cubes_text(play: WorkingState, tribes: Sequence[Colour]) -> str:
    """Return the regions where cubes can be placed, by tribe if there are several."""
    places = {tribe: region_list(placement_regions(play, tribe)) for tribe in tribes}
    if len(places) == 1:
        return sentence("plains_indian_wars.decisions.cubes_how", regions=places[tribes[0]])
    regions = "; ".join(
        sentence("plains_indian_wars.decisions.tribe_in", tribe=tribe, regions=regions)
        for tribe, regions in places.items()
    )
    return sentence("plains_indian_wars.decisions.cubes_each_how", regions=regions)


def _groups_text(play: WorkingState, tribes: Sequence[Colour]) -> str:
    """Return the regions where groups can start, by tribe if there are several."""
    starts = {tribe: region_list(play.regions_with((tribe,))) for tribe in tribes}
    if len(starts) == 1:
        return sentence("plains_indian_wars.decisions.groups_how", regions=starts[tribes[0]])
    regions = "; ".join(
        sentence("plains_indian_wars.decisions.tribe_from", tribe=tribe, regions=regions)
        for tribe, regions in starts.items()
    )
    return sentence("plains_indian_wars.decisions.groups_each_how", regions=regions)


def opponent_table(play: WorkingState) -> ReportTable:
    """Return the regions of the U.S. now and next, and what decides the game."""
    if play.now.ended:
        ending = ending_text(nations_result(play.now).reason)
        rows: list[TextRow] = [(sentence("plains_indian_wars.opponent.end"), ending)]
    elif play.scenario.trains:
        rows = [*_train_rows(play)]
    elif play.scenario.works:
        rows = [*_party_rows(play)]
    else:
        rows = [*_column_rows(play)]
    return ReportTable(
        title=sentence("plains_indian_wars.tables.opponent"),
        columns=(sentence("plains_indian_wars.tables.who"), sentence("plains_indian_wars.tables.where")),
        rows=tuple(rows),
    )


def box_rows(play: WorkingState) -> Iterator[TextRow]:
    """Yield the cubes of the Ready Boxes, of the Casualty Boxes, and those that are out of the game."""
    boxes, now = play.scenario.boxes, play.now
    ready: dict[Colour, int] = {c: now.ready.get(c, 0) for c, box in boxes.items() if box != "gone"}
    fallen: dict[Colour, int] = {c: now.fallen.get(c, 0) for c, box in boxes.items() if box == "fallen"}
    out: dict[Colour, int] = {c: now.gone.get(c, 0) for c, box in boxes.items() if box == "gone"}
    yield sentence("plains_indian_wars.tables.ready_box"), cubes_text(ready)
    if fallen:
        yield sentence("plains_indian_wars.tables.casualty_box"), cubes_text(fallen)
    if any(out.values()):
        yield sentence("plains_indian_wars.tables.out"), cubes_text(out, _scenario_key(play))


def standing_text(view: State) -> str:
    """Return the state of the game in a few words, for the map."""
    play, turn = WorkingState(view), view.turn
    if view.ended:
        text = ending_text(nations_result(view).reason)
        return f"{text[0].upper()}{text[1:]}"
    if play.scenario.trains:
        parts = [f"{play.count(at, 'White')} {belt}" for belt, at in view.trains.items()]
        parts += [sentence("plains_indian_wars.standing.through", count=n) for n in view.arrived.values()]
        wagons = ", ".join(parts) or sentence("plains_indian_wars.lists.none")
        return sentence(
            "plains_indian_wars.standing.wagons", turn=turn, turns=play.scenario.turns, wagons=wagons
        )
    if play.scenario.works:
        return sentence("plains_indian_wars.standing.spaces", turn=turn, spaces=_empty_spaces(view))
    return sentence("plains_indian_wars.standing.turn", turn=turn, turns=play.scenario.turns)


def _scenario_key(play: WorkingState) -> str:
    return str(play.now.options["scenario"])


def _train_rows(play: WorkingState) -> Iterator[TextRow]:
    for tribe in play.scenario.tribes:
        belt = TRAIL_OF_TRIBE[tribe]
        trail = sentence(f"plains_indian_wars.trails.{belt}")
        yield sentence("plains_indian_wars.opponent.train", trail=trail), _train_text(play, belt)
    if guards := play.regions_with(("Purple",)):
        regions = join_list(region_name(region) for region in guards)
        yield (
            sentence("plains_indian_wars.opponent.guards"),
            sentence("plains_indian_wars.opponent.guards_at", regions=regions),
        )
    yield _turn_row(play)


def _train_text(play: WorkingState, belt: Belt) -> str:
    if belt in play.now.trains:
        at = play.now.trains[belt]
        here: dict[Colour, int] = {colour: play.count(at, colour) for colour in play.scenario.trains[belt]}
        return sentence(
            "plains_indian_wars.opponent.train_next",
            cubes=cubes_text(here, _scenario_key(play)),
            at=region_name(at),
            next=_next_region_text(play, at),
        )
    if through := play.now.arrived.get(belt, 0):
        wagons = cubes_text({"White": through}, _scenario_key(play))
        return sentence("plains_indian_wars.opponent.train_gone", wagons=wagons)
    return sentence("plains_indian_wars.opponent.train_lost")


def _next_region_text(play: WorkingState, at: Region) -> str:
    if at == ST_LOUIS:
        return sentence("plains_indian_wars.opponent.plains")
    ahead = [play.board.by_id[step_id].region for step_id in play.board.steps[at].next if step_id != ROCKIES]
    if len(ahead) > 1:
        regions = join_list((region_name(region) for region in ahead), "or")
        return sentence("plains_indian_wars.opponent.fork", regions=regions)
    return region_name(ahead[0]) if ahead else sentence("plains_indian_wars.opponent.rockies")


def _turn_row(play: WorkingState) -> TextRow:
    turn, turns = play.now.turn, play.scenario.turns
    return (
        sentence("plains_indian_wars.opponent.turn"),
        sentence("plains_indian_wars.opponent.turn_of", turn=turn, turns=turns),
    )


def _party_rows(play: WorkingState) -> Iterator[TextRow]:
    works = play.scenario.works
    assert works is not None, "only railroad scenarios have parties"
    for line, section in play.now.parties.items():
        parts = []
        for at in [play.board.chart.railroad.sections[section][side] for side in works.sides]:
            here: dict[Colour, int] = {colour: play.count(at, colour) for colour in works.most}
            cubes = cubes_text(here)
            parts.append(sentence("plains_indian_wars.opponent.party_in", cubes=cubes, at=region_name(at)))
        where = join_list(parts)
        if railroad.is_section_done(play.now, section):
            where = sentence("plains_indian_wars.opponent.party_finished", regions=where)
        name = sentence(f"plains_indian_wars.lines.{line}")
        yield sentence("plains_indian_wars.opponent.party", line=name), where
    yield (
        sentence("plains_indian_wars.opponent.railroad"),
        sentence("plains_indian_wars.opponent.railroad_empty", spaces=_empty_spaces(play.now)),
    )
    for deck in play.scenario.decks:
        cards_left = len(play.now.decks[deck]) + len(play.now.hands[deck])
        yield (
            sentence("plains_indian_wars.opponent.deck", deck=deck),
            sentence("plains_indian_wars.opponent.deck_left", cards=cards_left),
        )


def _column_rows(play: WorkingState) -> Iterator[TextRow]:
    campaign = play.scenario.campaign
    assert campaign is not None, "only a campaign has columns"
    for name, route in campaign.columns.items():
        column = play.columns.get(name)
        if column is None:
            yield route.name, sentence("plains_indian_wars.opponent.destroyed")
            continue
        ahead = route.steps[route.steps.index(column.at) + 1 :]
        slug = "plains_indian_wars.opponent.column"
        if column.at == route.steps[0]:
            slug = "plains_indian_wars.opponent.column_start"
        elif ahead:
            slug = "plains_indian_wars.opponent.column_then"
        cubes = cubes_text(column.cubes, _scenario_key(play))
        yield route.name, sentence(slug, cubes=cubes, at=region_name(column.at), regions=", ".join(ahead))
    yield (
        sentence("plains_indian_wars.opponent.goal"),
        sentence("plains_indian_wars.opponent.goal_held"),
    )
    yield _turn_row(play)


def _empty_spaces(view: State) -> int:
    line = railroad.line_of(view)
    return railroad.plains_left(view) + line.mountain_spaces - view.mountains
