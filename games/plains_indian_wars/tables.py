"""The tables of a report: decisions, cards, regions, boxes, railroad, score and instructions."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from games.language import join_list
from games.messages import sentence
from games.plains_indian_wars import hands, model, railroad, scoring, standing_orders
from games.plains_indian_wars.board import ROCKIES, ST_LOUIS
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.execution import placement_regions, reachable_regions
from games.plains_indian_wars.legality import best_limits, objection
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
    SOLDIERS,
    TRIBES,
    Belt,
    Colour,
    DeckName,
    Region,
    State,
    Topic,
    View,
)
from games.plains_indian_wars.nations import execution as nations_execution
from games.plains_indian_wars.nations.sequence import TRAIL_OF_TRIBE, acting_tribes, tribes_with_cards
from games.plains_indian_wars.phrases import (
    card_text,
    cubes_text,
    ending_text,
    instructions_row,
    number_word,
    region_list,
    region_name,
    topic_default,
    topic_question,
)
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import nations_result, points_text, totals
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import ReportTable

TextRow = tuple[str, ...]

_BOX_COLOURS: tuple[Colour, ...] = (*TRIBES, *SOLDIERS)


def tables(view: View) -> tuple[ReportTable, ...]:
    """Return all tables of a position. Tables without rows aren't printed."""
    play = WorkingState(view)
    hands_first = sorted(view.hands, key=lambda name: name != materials().deck_for(view.disc or "White"))
    if play.scenario.plays == "Nations":
        return (
            _decision_table(play),
            *(_hand_table(play, name) for name in hands_first),
            _opponent_table(play),
            _list_table("discs", _disc_rows(view)),
            _region_table(play),
            _list_table(
                "rest", (*_nations_box_rows(play), *(_railroad_rows(view) if play.scenario.works else ()))
            ),
            _instruction_table(view),
        )
    return (
        _decision_table(play),
        *(_hand_table(play, name) for name in hands_first),
        _region_table(play),
        _list_table("rest", (*_disc_rows(view), *_box_rows(view), *_railroad_rows(view))),
        _score_table(view),
        _instruction_table(view),
    )


def _decision_table(play: WorkingState) -> ReportTable:
    """Return the orders that are due in the phase, and the other possible ones."""
    rows: Iterable[tuple[str, ...]]
    if play.now.ended:
        rows = ()
    elif play.scenario.plays == "Nations":
        rows = _nations_decision_rows(play)
    else:
        rows = {None: _begin_rows, "Purple": _purple_rows}.get(play.now.disc, _card_rows)(play)
    return ReportTable(
        title=sentence("plains_indian_wars.tables.decisions"),
        columns=(sentence("plains_indian_wars.tables.what"), sentence("plains_indian_wars.tables.how")),
        rows=tuple(rows),
        about="due",
    )


def _begin_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    rows = [
        (
            sentence("plains_indian_wars.decisions.beginning"),
            sentence("plains_indian_wars.decisions.beginning_how"),
        )
    ]
    if others := join_list(play.now.tied[1:], "or"):
        how = sentence("plains_indian_wars.decisions.custer_how", first=play.now.tied[0], others=others)
        rows.append((sentence("plains_indian_wars.decisions.custer"), how))
    return (*rows, instructions_row())


def _purple_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    groups = [region for region in play.regions_with(("Purple",)) if not play.tribe_cubes(region)]
    # The examples are the first orders that are legal now.
    places = (model.Place(count=1, colour="Purple", at=at) for at in placement_regions(play, "Purple"))
    moves = (
        model.Move(cubes={"Purple": 1}, start=start, to=to)
        for start in groups
        for to in reachable_regions(play, start, ("Purple",), best_limits(play).reach)
    )
    place = next((order for order in places if objection(play.now, order) is None), None)
    move = next((order for order in moves if objection(play.now, order) is None), None)
    cubes = sentence("plains_indian_wars.decisions.no_cubes_purple_how")
    if place is not None:
        cubes = sentence("plains_indian_wars.decisions.cubes_purple_how", at=place.at)
    going = sentence("plains_indian_wars.decisions.no_groups_purple_how")
    if move is not None:
        start, to, regions = move.start, move.to, region_list(groups)
        slug = "plains_indian_wars.decisions.groups_purple_how"
        going = sentence(slug, regions=regions, start=start, to=to)
    recover = sentence("plains_indian_wars.decisions.recover_purple_how", count=play.fallen.get("Purple", 0))
    return (
        (sentence("plains_indian_wars.decisions.cubes"), cubes),
        (sentence("plains_indian_wars.decisions.groups"), going),
        (sentence("plains_indian_wars.decisions.or"), recover),
    )


def _card_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    colour: Colour = play.now.disc or "Blue"
    most, fallen = number_word(play.materials.events), play.fallen.get(colour, 0)
    places, starts = region_list(placement_regions(play, colour)), region_list(play.regions_with((colour,)))
    groups_how = "plains_indian_wars.decisions.groups_brown_how"
    if colour == "Blue":
        groups_how = "plains_indian_wars.decisions.groups_blue_how"
    rows = [
        (sentence("plains_indian_wars.decisions.card"), sentence("plains_indian_wars.decisions.card_how")),
        (
            sentence("plains_indian_wars.decisions.events"),
            sentence("plains_indian_wars.decisions.events_how", most=most),
        ),
        (
            sentence("plains_indian_wars.decisions.cubes"),
            sentence("plains_indian_wars.decisions.cubes_how", regions=places),
        ),
        (sentence("plains_indian_wars.decisions.groups"), sentence(groups_how, regions=starts)),
    ]
    if fallen:
        how = sentence("plains_indian_wars.decisions.recover_how", count=fallen)
        rows.append((sentence("plains_indian_wars.decisions.or"), how))
    return tuple(rows)


def _hand_table(play: WorkingState, deck: DeckName) -> ReportTable:
    view = play.now
    left, cards = len(view.decks[deck]), hands.cards_in_hand(view, deck)
    if play.scenario.plays == "US":  # the last play of a deck ends the game
        plays = left + len(cards)
        title = sentence("plains_indian_wars.tables.hand_and_plays", deck=deck, left=left, count=plays)
        is_due = view.disc is not None and deck == materials().deck_for(view.disc)
    else:
        is_due = True
        title = sentence("plains_indian_wars.tables.hand", deck=deck, count=left)
    return ReportTable(
        title=title,
        columns=(sentence("plains_indian_wars.tables.card"), sentence("plains_indian_wars.tables.gives")),
        rows=tuple((card.name, card_text(card, play.scenario)) for card in cards),
        about="own",
        needed=tuple(card.name for card in cards) if is_due and not view.ended else (),
    )


def _list_table(title: Literal["discs", "rest"], rows: Iterable[TextRow]) -> ReportTable:
    """Return a table of what is off the map. The first email leaves out all but discs."""
    return ReportTable(
        title=sentence(f"plains_indian_wars.tables.{title}"),
        columns=("", ""),
        rows=tuple(rows),
        later=title == "rest",
    )


def _disc_rows(view: View) -> Iterator[TextRow]:
    """Yield the discs of the turn: those drawn, and those in the bag."""
    discs = materials().scenarios[str(view.options["scenario"])].discs
    if not view.turn or view.ended or not discs:
        return
    out = set(discs) - {*view.columns, *TRIBES} if view.columns else set()
    drawn = join_list(disc for disc in discs if disc not in view.bag and disc not in out)
    in_bag = join_list(view.bag) or sentence("plains_indian_wars.lists.none")
    yield sentence("plains_indian_wars.tables.drawn"), drawn
    yield sentence("plains_indian_wars.tables.in_bag"), in_bag
    if view.last:
        yield (
            sentence("plains_indian_wars.tables.last_turn"),
            sentence("plains_indian_wars.tables.last_turn_ends"),
        )


def _region_table(play: WorkingState) -> ReportTable:
    """Return every region with cubes or wagons. The regions that groups can leave now are needed."""
    movers = _moving_tribes(play) if play.scenario.plays == "Nations" else (play.now.disc,)
    needed = play.regions_with(colour for colour in movers if colour is not None)
    rows = []
    for region in play.board.places:
        here: dict[Colour, int] = {colour: play.count(region, colour) for colour in CUBE_COLOURS}
        if any(here.values()):
            tribes: dict[Colour, int] = {c: n for c, n in here.items() if c in TRIBES and n}
            us: dict[Colour, int] = {c: n for c, n in here.items() if c not in TRIBES and n}
            scenario = str(play.now.options["scenario"])
            texts = (cubes_text(tribes) if tribes else "", cubes_text(us, scenario) if us else "")
            rows.append((play.board.name(region), *texts))
    columns = (
        sentence("plains_indian_wars.tables.region"),
        sentence("plains_indian_wars.tables.tribes"),
        sentence("plains_indian_wars.tables.us"),
    )
    return ReportTable(
        title=sentence("plains_indian_wars.tables.regions"),
        columns=columns,
        rows=tuple(rows),
        needed=tuple(play.board.name(region) for region in needed),
    )


def _box_rows(view: View) -> Iterator[TextRow]:
    ready: dict[Colour, int] = {colour: view.ready.get(colour, 0) for colour in (*_BOX_COLOURS, "White")}
    fallen: dict[Colour, int] = {colour: view.fallen.get(colour, 0) for colour in _BOX_COLOURS}
    yield sentence("plains_indian_wars.tables.ready_box"), cubes_text(ready)
    yield sentence("plains_indian_wars.tables.casualty_box"), cubes_text(fallen)


def _railroad_rows(view: View) -> Iterator[TextRow]:
    line = line_of(view)
    spaces_left = line.plains_spaces + line.mountain_spaces - view.union - view.mountains - view.central
    built = sentence(
        "plains_indian_wars.tables.railroad_built",
        union=view.union,
        mountains=view.mountains,
        central=view.central,
        count=spaces_left,
    )
    yield sentence("plains_indian_wars.tables.railroad"), built


def _score_table(view: View) -> ReportTable:
    rows = scoring.schedule(view)
    nations, us = totals(rows)

    def shown(value: int | None) -> str:
        return "" if value is None else points_text(value)

    score_rows = [(row.row, shown(row.nations), shown(row.us)) for row in rows]
    columns = (
        sentence("plains_indian_wars.tables.row"),
        sentence("plains_indian_wars.tables.tribes"),
        sentence("plains_indian_wars.tables.us"),
    )
    total = (sentence("plains_indian_wars.tables.together"), points_text(nations), points_text(us))
    title = "plains_indian_wars.tables.score" if view.ended else "plains_indian_wars.tables.score_now"
    return ReportTable(title=sentence(title), columns=columns, rows=(*score_rows, total), later=True)


def _instruction_table(view: View) -> ReportTable:
    """Return the choices in the middle of a turn: the player's instruction, or what happens without one."""
    rows = []
    scenario = WorkingState(view).scenario
    for topic in standing_orders.topics(scenario):
        texts = [
            _instruction_text(topic, slot.removeprefix(topic).strip(), says)
            for slot, says in view.standing.items()
            if slot == topic or slot.startswith(f"{topic} ")
        ]
        rows.append((topic_question(scenario, topic), "; ".join(texts) or topic_default(scenario, topic)))
    return ReportTable(
        title=sentence("plains_indian_wars.tables.instructions"),
        columns=(
            sentence("plains_indian_wars.tables.when_asked"),
            sentence("plains_indian_wars.tables.we_do"),
        ),
        rows=tuple(rows),
        later=True,
    )


def _instruction_text(topic: Topic, about: str, says: tuple[str, ...]) -> str:
    if topic == "withdraw":
        if says[0] == model.NEVER:
            return sentence("plains_indian_wars.instructions.withdraw_never", colour=about)
        return sentence("plains_indian_wars.instructions.withdraw", colour=about, number=says[0])
    if topic == "equal":
        if says[0] == model.TRIBES_LEAVE:
            return sentence("plains_indian_wars.instructions.tribes_leave")
        return sentence("plains_indian_wars.instructions.we_leave")
    if topic in ("fall back", "drive"):
        return sentence("plains_indian_wars.lists.range", first=about, last=", ".join(says))
    return ", ".join(says)


# Variant II: the plan that is due, the moves of the U.S., and boxes.


def _moving_tribes(play: WorkingState) -> tuple[Colour, ...]:
    """Return the tribes whose plan is due; none if the game is over."""
    return () if play.now.ended else tuple(tribes_with_cards(play.now, acting_tribes(play.now)))


def _nations_decision_rows(play: WorkingState) -> Iterator[TextRow]:
    """Yield the orders that are due in the phase, and the other possible ones."""
    tribes = _moving_tribes(play)
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
                sentence(recover_how, tribe=tribe, count=fallen),
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
    places = {tribe: region_list(nations_execution.placement_regions(play, tribe)) for tribe in tribes}
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


def _opponent_table(play: WorkingState) -> ReportTable:
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


def _nations_box_rows(play: WorkingState) -> Iterator[TextRow]:
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
