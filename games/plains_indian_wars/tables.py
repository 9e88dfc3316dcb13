"""The tables of a report: what there is to decide, the board in rows, boxes, railroad, score."""

from games.plains_indian_wars import hands, scoring, standing
from games.plains_indian_wars.carrying_out import places_for
from games.plains_indian_wars.components import materials
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import COLOURS, SOLDIERS, TRIBES, Colour, DeckName, View
from games.plains_indian_wars.nations import tables as nations
from games.plains_indian_wars.phrases import INSTRUCTIONS, cubes, listed, numbers, runs, spelt
from games.plains_indian_wars.railroad import line_of
from games.plains_indian_wars.scoring import points, totals
from games.protocol import Table

_ROWS = {"union": "Union Pacific", "mountains": "Mountains", "central": "Central Pacific"}
_BOXES: tuple[Colour, ...] = (*TRIBES, *SOLDIERS)


def tables(view: View) -> tuple[Table, ...]:
    """All tables of a position; those without rows are not printed."""
    play = Play(view)
    hands_first = sorted(view.hands, key=lambda name: name != materials().deck_for(view.disc or "White"))
    if play.scenario.plays == "Nations":
        return (
            nations.choices(play),
            *(_hand(play, name) for name in hands_first),
            nations.opponent(play),
            _discs(view),
            _regions(play),
            nations.boxes(play),
            *((_railroad(view),) if play.scenario.works else ()),
            _standing(view),
        )
    return (
        _choices(play),
        *(_hand(play, name) for name in hands_first),
        _discs(view),
        _regions(play),
        _boxes(view),
        _railroad(view),
        _score(view),
        _standing(view),
    )


def _choices(play: Play) -> Table:
    """What the phase asks for, and what it allows besides."""
    view = play.now
    rows = {None: _to_begin, "Purple": _of_purple}.get(view.disc, _of_cards)(play) if not view.ended else ()
    return Table(title="What you decide now", columns=("What", "How"), rows=tuple(rows), about="due")


def _to_begin(play: Play) -> tuple[tuple[str, str], ...]:
    where = (
        f"write  Custer in {play.now.tied[0]},  or in {listed(play.now.tied[1:], 'or')}"
        if play.now.tied[1:]
        else ""
    )
    return (
        ("the beginning", "write  begin,  and the first disc is drawn"),
        *((("Custer's ride", where),) if where else ()),
        INSTRUCTIONS,
    )


def _of_purple(play: Play) -> tuple[tuple[str, str], ...]:
    groups = [region for region in play.regions(("Purple",)) if not play.tribes(region)]
    return (
        ("cubes", "one in each belt:  place 1 Purple NE4,  or  no cube north;  with both said, it is played"),
        ("groups", f"one in each belt, two spaces:  move 1 Purple NE1 - NE2;  from {runs(groups)}"),
        (
            "or",
            f"recover  ({play.fallen.get('Purple', 0)} in the Casualty Box) in place of one of the groups",
        ),
        INSTRUCTIONS,
    )


def _of_cards(play: Play) -> tuple[tuple[str, str], ...]:
    colour: Colour = play.now.disc or "Blue"
    lead, along = ("1 Blue", "2 Brown") if colour == "Blue" else ("2 Brown", "1 Blue")
    groups, fallen = play.regions((colour,)), play.fallen.get(colour, 0)
    return (
        (
            "the card",
            "one action card of the hand; with it the plan is complete and is played (WAIT keeps it open)",
        ),
        ("Events", f"up to {spelt(play.box.events)} of the hand, with their regions"),
        ("cubes", f"as many as the card says, in {runs(places_for(play, colour))}"),
        ("groups", f"as many as the card says, from {runs(groups)}; {lead} may take {along} along"),
        *((("or", f"recover  ({fallen} in the Casualty Box) in place of a group"),) if fallen else ()),
        INSTRUCTIONS,
    )


def _hand(play: Play, deck: DeckName) -> Table:
    view = play.now
    left = len(view.decks[deck])
    title = f"{deck} hand ({left} card{'s' * (left != 1)} left in the deck)"
    rows = tuple((card.name, numbers(card, play.scenario)) for card in hands.in_hand(view, deck))
    return Table(title=title, columns=("Card", "What it gives"), rows=rows, about="own")


def _discs(view: View) -> Table:
    discs = materials().scenarios[str(view.options["scenario"])].discs
    if not view.turn or view.ended or not discs:
        return Table(title="Discs", columns=("", ""), rows=())
    out = set(discs) - {*view.columns, *TRIBES} if view.columns else set()
    drawn = [one for one in discs if one not in view.bag and one not in out]
    rows = [("drawn", listed(drawn)), ("in the bag", listed(view.bag) or "none")]
    if view.last:
        rows.append(("last turn", "the game ends when the bag is empty"))
    return Table(title=f"Discs of turn {view.turn}", columns=("Discs", "Which"), rows=tuple(rows))


def _regions(play: Play) -> Table:
    """Every region that holds anything."""
    rows = []
    for region in play.board.places:
        here: dict[Colour, int] = {colour: play.count(region, colour) for colour in COLOURS}
        if any(here.values()):
            theirs: dict[Colour, int] = {c: n for c, n in here.items() if c in TRIBES and n}
            ours: dict[Colour, int] = {c: n for c, n in here.items() if c not in TRIBES and n}
            scenario = str(play.now.options["scenario"])
            told = (cubes(theirs) if theirs else "", cubes(ours, scenario) if ours else "")
            rows.append((play.board.name(region), *told))
    return Table(title="Who stands where", columns=("Region", "Tribes", "U.S."), rows=tuple(rows))


def _boxes(view: View) -> Table:
    rows: list[tuple[str, ...]] = [
        (colour, str(view.ready.get(colour, 0)), str(view.fallen.get(colour, 0))) for colour in _BOXES
    ]
    rows.append(("wagons", str(view.ready.get("White", 0)), ""))
    return Table(title="Boxes", columns=("Colour", "Ready Box", "Casualty Box"), rows=tuple(rows), later=True)


def _railroad(view: View) -> Table:
    line = line_of(view)
    built = {"union": view.union, "mountains": view.mountains, "central": view.central}
    rows = [(_ROWS[name], str(count)) for name, count in built.items()]
    left = line.plains_spaces + line.mountain_spaces - sum(built.values())
    rows.append(("Spaces still empty", str(left)))
    return Table(title="Railroad", columns=("Line", "Spaces"), rows=tuple(rows), later=True)


def _score(view: View) -> Table:
    rows = scoring.schedule(view)
    nations, us = totals(rows)

    def shown(value: int | None) -> str:
        return "" if value is None else points(value)

    told = [(one.row, shown(one.nations), shown(one.us)) for one in rows]
    title = "Victory points" if view.ended else "Victory points, if the game ended now"
    return Table(
        title=title,
        columns=("Row", "Tribes", "U.S."),
        rows=(*told, ("Together", points(nations), points(us))),
        later=True,
    )


def _standing(view: View) -> Table:
    """What is done in the middle of a turn: as it was said, or as it goes by itself."""
    rows = []
    for topic, row in standing.topics(Play(view).scenario).items():
        said = {
            slot: says
            for slot, says in view.standing.items()
            if slot == topic or slot.startswith(f"{topic} ")
        }
        told = [
            f"{slot.removeprefix(topic).strip()} {_said(topic, says)}".strip() for slot, says in said.items()
        ]
        rows.append((row.asks, "; ".join(told) or row.default))
    return Table(title="Standing instructions", columns=("When asked", "We do"), rows=tuple(rows), later=True)


def _said(topic: str, says: tuple[str, ...]) -> str:
    if topic == "withdraw":
        return "never" if says[0] == standing.NEVER else f"at {says[0]}"
    if topic == "equal":
        return "the tribes" if says[0] == standing.TRIBES_LEAVE else "we"
    return f"{'to ' * (topic in ('fall back', 'drive'))}{', '.join(says)}"
