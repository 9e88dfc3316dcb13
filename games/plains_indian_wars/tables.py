"""The tables of a report: what there is to decide, the board in rows, boxes, railroad, score."""

from games.plains_indian_wars import hands, scoring, standing_orders
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.execution import placement_regions
from games.plains_indian_wars.model import CUBE_COLOURS, SOLDIERS, TRIBES, Colour, DeckName, View
from games.plains_indian_wars.nations import tables as nations
from games.plains_indian_wars.phrases import (
    INSTRUCTIONS_ROW,
    card_text,
    cubes_text,
    join_words,
    number_word,
    region_list,
)
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import points_text, totals
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import ReportTable

_LINE_TITLES = {"union": "Union Pacific", "mountains": "Mountains", "central": "Central Pacific"}
_BOX_COLOURS: tuple[Colour, ...] = (*TRIBES, *SOLDIERS)


def tables(view: View) -> tuple[ReportTable, ...]:
    """Return all tables of a position; those without rows are not printed."""
    play = WorkingState(view)
    hands_first = sorted(view.hands, key=lambda name: name != materials().deck_for(view.disc or "White"))
    if play.scenario.plays == "Nations":
        return (
            nations.decision_table(play),
            *(_hand_table(play, name) for name in hands_first),
            nations.opponent_table(play),
            _disc_table(view),
            _region_table(play),
            nations.box_table(play),
            *((_railroad_table(view),) if play.scenario.works else ()),
            _instruction_table(view),
        )
    return (
        _decision_table(play),
        *(_hand_table(play, name) for name in hands_first),
        _disc_table(view),
        _region_table(play),
        _box_table(view),
        _railroad_table(view),
        _score_table(view),
        _instruction_table(view),
    )


def _decision_table(play: WorkingState) -> ReportTable:
    """Return what the phase asks for, and what else it allows."""
    view = play.now
    rows = (
        {None: _begin_rows, "Purple": _purple_rows}.get(view.disc, _card_rows)(play) if not view.ended else ()
    )
    return ReportTable(title="Your decisions now", columns=("What", "How"), rows=tuple(rows), about="due")


def _begin_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    where = (
        f"write  Custer in {play.now.tied[0]},  or in {join_words(play.now.tied[1:], 'or')}"
        if play.now.tied[1:]
        else ""
    )
    return (
        ("the beginning", "write  begin,  and the first disc is drawn"),
        *((("Custer's ride", where),) if where else ()),
        INSTRUCTIONS_ROW,
    )


def _purple_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    groups = [region for region in play.regions_with(("Purple",)) if not play.tribe_cubes(region)]
    return (
        ("cubes", "one in each belt:  place 1 Purple NE4,  or  no cube north;  with both said, it is played"),
        ("groups", f"one in each belt, two spaces:  move 1 Purple NE1 - NE2;  from {region_list(groups)}"),
        (
            "or",
            f"recover  ({play.fallen.get('Purple', 0)} in the Casualty Box) in place of one of the groups",
        ),
        INSTRUCTIONS_ROW,
    )


def _card_rows(play: WorkingState) -> tuple[tuple[str, str], ...]:
    colour: Colour = play.now.disc or "Blue"
    lead, along = ("1 Blue", "2 Brown") if colour == "Blue" else ("2 Brown", "1 Blue")
    groups, fallen = play.regions_with((colour,)), play.fallen.get(colour, 0)
    return (
        (
            "the card",
            "one action card of the hand; with it the plan is complete and is played (WAIT keeps it open)",
        ),
        ("Events", f"up to {number_word(play.materials.events)} of the hand, with their regions"),
        ("cubes", f"as many as the card says, in {region_list(placement_regions(play, colour))}"),
        ("groups", f"as many as the card says, from {region_list(groups)}; {lead} may take {along} along"),
        *((("or", f"recover  ({fallen} in the Casualty Box) in place of a group"),) if fallen else ()),
        INSTRUCTIONS_ROW,
    )


def _hand_table(play: WorkingState, deck: DeckName) -> ReportTable:
    view = play.now
    cards_left = len(view.decks[deck])
    title = f"{deck} hand ({cards_left} card{'s' * (cards_left != 1)} left in the deck)"
    rows = tuple((card.name, card_text(card, play.scenario)) for card in hands.cards_in_hand(view, deck))
    return ReportTable(title=title, columns=("Card", "What it gives"), rows=rows, about="own")


def _disc_table(view: View) -> ReportTable:
    discs = materials().scenarios[str(view.options["scenario"])].discs
    if not view.turn or view.ended or not discs:
        return ReportTable(title="Discs", columns=("", ""), rows=())
    out = set(discs) - {*view.columns, *TRIBES} if view.columns else set()
    drawn = [disc for disc in discs if disc not in view.bag and disc not in out]
    rows = [("drawn", join_words(drawn)), ("in the bag", join_words(view.bag) or "none")]
    if view.last:
        rows.append(("last turn", "the game ends when the bag is empty"))
    return ReportTable(title=f"Discs of turn {view.turn}", columns=("Discs", "Which"), rows=tuple(rows))


def _region_table(play: WorkingState) -> ReportTable:
    """Return every region that holds anything."""
    rows = []
    for region in play.board.places:
        here: dict[Colour, int] = {colour: play.count(region, colour) for colour in CUBE_COLOURS}
        if any(here.values()):
            theirs: dict[Colour, int] = {c: n for c, n in here.items() if c in TRIBES and n}
            ours: dict[Colour, int] = {c: n for c, n in here.items() if c not in TRIBES and n}
            scenario = str(play.now.options["scenario"])
            texts = (cubes_text(theirs) if theirs else "", cubes_text(ours, scenario) if ours else "")
            rows.append((play.board.name(region), *texts))
    return ReportTable(title="Who stands where", columns=("Region", "Tribes", "U.S."), rows=tuple(rows))


def _box_table(view: View) -> ReportTable:
    rows: list[tuple[str, ...]] = [
        (colour, str(view.ready.get(colour, 0)), str(view.fallen.get(colour, 0))) for colour in _BOX_COLOURS
    ]
    rows.append(("wagons", str(view.ready.get("White", 0)), ""))
    return ReportTable(
        title="Boxes", columns=("Colour", "Ready Box", "Casualty Box"), rows=tuple(rows), later=True
    )


def _railroad_table(view: View) -> ReportTable:
    line = line_of(view)
    built = {"union": view.union, "mountains": view.mountains, "central": view.central}
    rows = [(_LINE_TITLES[name], str(count)) for name, count in built.items()]
    spaces_left = line.plains_spaces + line.mountain_spaces - sum(built.values())
    rows.append(("Spaces still empty", str(spaces_left)))
    return ReportTable(title="Railroad", columns=("Line", "Spaces"), rows=tuple(rows), later=True)


def _score_table(view: View) -> ReportTable:
    rows = scoring.schedule(view)
    nations, us = totals(rows)

    def shown(value: int | None) -> str:
        return "" if value is None else points_text(value)

    score_rows = [(row.row, shown(row.nations), shown(row.us)) for row in rows]
    title = "Victory points" if view.ended else "Victory points, if the game ended now"
    return ReportTable(
        title=title,
        columns=("Row", "Tribes", "U.S."),
        rows=(*score_rows, ("Together", points_text(nations), points_text(us))),
        later=True,
    )


def _instruction_table(view: View) -> ReportTable:
    """Return what is done in the middle of a turn: as it was said, or as it goes by itself."""
    rows = []
    for topic, row in standing_orders.topics(WorkingState(view).scenario).items():
        instructions = {
            slot: says
            for slot, says in view.standing.items()
            if slot == topic or slot.startswith(f"{topic} ")
        }
        texts = [
            f"{slot.removeprefix(topic).strip()} {_instruction_text(topic, says)}".strip()
            for slot, says in instructions.items()
        ]
        rows.append((row.asks, "; ".join(texts) or row.default))
    return ReportTable(
        title="Standing instructions", columns=("When asked", "We do"), rows=tuple(rows), later=True
    )


def _instruction_text(topic: str, says: tuple[str, ...]) -> str:
    if topic == "withdraw":
        return "never" if says[0] == standing_orders.NEVER else f"at {says[0]}"
    if topic == "equal":
        return "the tribes" if says[0] == standing_orders.TRIBES_LEAVE else "we"
    return f"{'to ' * (topic in ('fall back', 'drive'))}{', '.join(says)}"
