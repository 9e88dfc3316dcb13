"""The turns of Variant II: columns, workers and wagon trains act until the nations decide."""

from collections.abc import Sequence

from games.plains_indian_wars import hands, railroad, scoring
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS
from games.plains_indian_wars.components import ColumnCampaign, RailroadWorks
from games.plains_indian_wars.events import ColumnFell, ColumnMoved, Forked, PartyMoved, Placed, TrainMoved
from games.plains_indian_wars.model import (
    TRIBES,
    AnyOrder,
    Belt,
    CavalryColumn,
    Colour,
    DeckName,
    Line,
    Region,
    State,
)
from games.plains_indian_wars.nations.execution import (
    TribePhase,
    carry_out_plan,
    fight_region,
    tribe_battlefields,
)
from games.plains_indian_wars.sequence import check_last_turn, draw_disc, place_setup
from games.plains_indian_wars.working_state import WorkingState

TRAIL_OF_TRIBE: dict[Colour, Belt] = {"Green": "north", "Orange": "south"}
"""The trail that crosses the plains of each tribe."""


def set_up(play: WorkingState) -> None:
    """Set up the board and the hands, and play until the first plan is due.

    Source: PIW2.setup.tribes, PIW2.setup.hand.
    """
    place_setup(play)
    scenario = play.scenario
    if scenario.trains:
        set_up_trains(play)
    elif scenario.works:
        set_up_parties(play)
    else:
        set_up_columns(play)
    kept = [c for c, box in scenario.boxes.items() if box in ("ready", "fallen")]
    play.ready = {colour: play.ready[colour] for colour in kept}
    hands.deal_hands(play)
    run_on(play)


def run_on(play: WorkingState) -> None:
    """Play until the nations' player has to decide or the game is over."""
    while not play.now.ended:
        if _advance_to_plan(play):
            return


def play_tribes_phase(play: WorkingState, orders: Sequence[AnyOrder]) -> None:
    """Play the phase of the acting tribes: their plans, then all engagements, then new cards.

    Source: PIW2.turn.plan, PIW2.both.together, PIW2.cards.refill.
    """
    tribes = acting_tribes(play.now)
    disc, favours = play.now.disc, {}
    for colour in tribes:
        play.set(disc=colour)
        if colour in tribes_with_cards(play.now, tribes):
            plan = TribePhase(play, colour, orders)
            carry_out_plan(plan)
            favours[colour] = plan.engagement_bonus()
    for region in tribe_battlefields(play, tribes):
        fighting = next(colour for colour in tribes if play.count(region, colour))
        play.set(disc=fighting)
        fight_region(play, region, favours.get(fighting))
    for colour in tribes:
        play.set(disc=colour)
        hands.refill_hand(play, tribe_deck(play, colour))
    play.set(disc=disc)
    _finish_phase(play)


def acting_tribes(state: State) -> tuple[Colour, ...]:
    """Return the tribes that act in this phase.

    In scenarios with trains a tribe acts if a train is on its trail, in others if its disc was drawn.
    Source: PIW2.both.finished.
    """
    play = WorkingState(state)
    if play.scenario.trains:
        return tuple(colour for colour in play.scenario.tribes if TRAIL_OF_TRIBE[colour] in state.trains)
    return tuple(colour for colour in TRIBES if colour == state.disc)


def tribes_with_cards(state: State, tribes: Sequence[Colour]) -> tuple[Colour, ...]:
    """Return the tribes with cards in hand, of some tribes."""
    play = WorkingState(state)
    return tuple(colour for colour in tribes if state.hands[tribe_deck(play, colour)])


def tribe_deck(play: WorkingState, colour: Colour) -> DeckName:
    """Return the deck of a tribe."""
    deck = play.materials.deck_for(colour)
    assert deck is not None, "tribes have decks"
    return deck


def _advance_to_plan(play: WorkingState) -> bool:
    """Play until the next phase of the tribes; return whether the player has to decide."""
    if play.scenario.trains:
        if not _begin_train_turn(play):
            return False
    elif not _play_disc(play):
        return False
    disc = play.now.disc
    for colour in acting_tribes(play.now):
        play.set(disc=colour)
        hands.ensure_action_card(play, tribe_deck(play, colour))
    play.set(disc=disc)
    if tribes_with_cards(play.now, acting_tribes(play.now)):
        return True
    play_tribes_phase(play, ())
    return False


def _begin_train_turn(play: WorkingState) -> bool:
    """Begin a turn with the trains; return whether the tribes act, because the game isn't over.

    Source: PIW2.train.turns.
    """
    play.set(turn=play.now.turn + 1, disc="White")
    play.entered, play.engagements = set(), 0
    advance_trains(play)
    if not play.now.trains:
        scoring.end_nations_game(play)
        return False
    tribes = acting_tribes(play.now)
    play.set(disc=tribes[0] if len(play.scenario.tribes) == 1 else None)
    return True


def _play_disc(play: WorkingState) -> bool:
    """Draw a disc, and play it if it belongs to the U.S.; return whether it belongs to a tribe.

    Source: PIW2.rail.bag, PIW2.custer.bag.
    """
    if not play.now.bag and (play.now.last or _is_over(play)):
        scoring.end_nations_game(play)
        return False
    discs = [d for d in play.scenario.discs if d in TRIBES or play.scenario.works or d in play.columns]
    disc = draw_disc(play, discs)
    if disc in TRIBES:
        return True
    if not play.scenario.works:
        march_column(play, disc)
    elif disc == "Black":
        railroad.build_railroad(play)
    else:
        join_party(play, disc)
    _finish_phase(play)
    return False


def _finish_phase(play: WorkingState) -> None:
    """Carry out the consequences of a phase: trains and columns that are gone, and the end of the game.

    Source: PIW2.train.end, PIW2.rail.end, PIW2.custer.win.nations.
    """
    if play.scenario.trains:
        disband_trains(play)
        if not play.now.trains:
            scoring.end_nations_game(play)
    elif play.scenario.works:
        check_last_turn(play)
    else:
        remove_empty_columns(play)
        if not play.columns:
            scoring.end_nations_game(play)


def _is_over(play: WorkingState) -> bool:
    """Return whether a campaign is over at the end of a complete turn. Source: PIW2.custer.turns."""
    return play.now.turn > 0 and (
        scoring.is_goal_held(play) or bool(play.scenario.turns and play.now.turn >= play.scenario.turns)
    )


# Columns of cavalry.


def set_up_columns(play: WorkingState) -> None:
    """Put each column at its start. Source: PIW2.custer.columns."""
    for name, route in sorted(current_campaign(play).columns.items()):
        for colour, count in route.cubes.items():
            play.ready[colour] -= count
        play.columns[name] = CavalryColumn(at=route.steps[0], cubes=dict(route.cubes))


def march_column(play: WorkingState, name: Colour) -> None:
    """Move a column one region on, and fight any tribe there. At the goal it stays.

    Source: PIW2.custer.route, PIW2.custer.engage.
    """
    column, steps = play.columns[name], current_campaign(play).columns[name].steps
    to = steps[min(steps.index(column.at) + 1, len(steps) - 1)]
    if to != column.at:
        play.move_column(name, to)
        play.entered.add(to)
        play.tell(ColumnMoved, column=name, cubes=column.cubes, start=column.at, to=to)
    fight_region(play, to)
    remove_empty_columns(play)


def remove_empty_columns(play: WorkingState) -> None:
    """Remove columns without cubes, and their discs. Source: PIW2.custer.disc."""
    for name in [colour for colour, column in sorted(play.columns.items()) if not column.cubes]:
        del play.columns[name]
        play.set(bag=tuple(disc for disc in play.now.bag if disc != name))
        play.tell(ColumnFell, column=name)


def current_campaign(play: WorkingState) -> ColumnCampaign:
    """Return the campaign of a scenario with columns."""
    assert play.scenario.campaign is not None, "only a campaign has columns"
    return play.scenario.campaign


# Parties of workers and their escorts.


WESTWARD, EASTWARD = 1, -1
"""The direction of each line along the sections, which are counted from St. Louis."""


def set_up_parties(play: WorkingState) -> None:
    """Put the Union Pacific's party beside St. Louis, where its cubes are. Source: PIW2.rail.setup."""
    play.set(parties={"union": 0})


def join_party(play: WorkingState, colour: Colour) -> None:
    """Add cubes of Blue or Brown to each party on their disc; then finished parties move on.

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
    """Fill up the Union Pacific's party, or add a few cubes to the Central Pacific's.

    After both have met there is room for both. Source: PIW2.rail.limit, PIW2.rail.merge.
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
    """Move a party with a finished section to the next one, even if tribes are there.

    If both parties have met and spaces behind them are torn up, they part again. The first one to leave takes
    no more cubes than a party has. Source: PIW2.rail.move, PIW2.rail.calm, PIW2.rail.part.
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


# Wagon trains.


def set_up_trains(play: WorkingState) -> None:
    """Put the trains in St. Louis. Source: PIW2.train.setup."""
    play.set(trains=dict.fromkeys(play.scenario.trains, ST_LOUIS))


def advance_trains(play: WorkingState) -> None:
    """Move each train one step on, without an engagement.

    Source: PIW2.train.step, PIW2.train.calm.
    """
    for belt, at in play.now.trains.items():
        to = _next_stop(play, belt, at)
        cubes = _train_cubes(play, belt, at)
        for colour, count in cubes.items():
            play.remove_cubes(at, colour, count)
            if to != ROCKIES:
                play.add_cubes(to, colour, count)
        play.tell(TrainMoved, trail=belt, cubes=cubes, start=at, to=to)
        if to == ROCKIES:
            _arrive_train(play, belt, cubes)
        else:
            play.set(trains={**play.now.trains, belt: to})


def disband_trains(play: WorkingState) -> None:
    """Remove trains without wagons, even if they have other cubes. Source: PIW2.train.end."""
    for belt, at in play.now.trains.items():
        if not play.count(at, "White"):
            play.set(trains={other: to for other, to in play.now.trains.items() if other != belt})


def _train_cubes(play: WorkingState, belt: Belt, at: Region) -> dict[Colour, int]:
    """Return the cubes that move with a train. Guards stay where they are. Source: PIW2.train.guards."""
    escort = play.scenario.trains[belt]
    if at == ST_LOUIS:
        return dict(escort)
    return {colour: n for colour in escort if (n := play.count(at, colour))}


def _next_stop(play: WorkingState, belt: Belt, at: Region) -> Region:
    """Return the next region of a train. At the fork a Purple die decides. Source: PIW2.train.fork."""
    if at == ST_LOUIS:
        return play.board.chart.trails[belt].steps[0].region
    choices = [
        play.board.by_id[step_id] for step_id in play.board.steps[at].next if step_id in play.board.by_id
    ]
    if len(choices) < 2:
        return choices[0].region if choices else ROCKIES
    (face,) = play.materials.roll(play.dice, f"{play.dice_label}/fork", "Purple", 1)
    to = next(step.region for step in choices if step.branch == play.scenario.fork[face])
    play.tell(Forked, trail=belt, face=face, to=to)
    return to


def _arrive_train(play: WorkingState, belt: Belt, cubes: dict[Colour, int]) -> None:
    """Count the wagons of a train that got through, and remove all its cubes from the game.

    Source: PIW2.train.exit.
    """
    for colour, count in cubes.items():
        if colour != "White":
            play.gone[colour] = play.gone.get(colour, 0) + count
    play.set(
        trains={other: at for other, at in play.now.trains.items() if other != belt},
        arrived={**play.now.arrived, belt: cubes.get("White", 0)},
    )
