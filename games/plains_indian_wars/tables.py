"""The tables of a report: what there is to decide, the board in rows, boxes, railroad, score."""

from games.plains_indian_wars import hands, scoring, standing
from games.plains_indian_wars.board import board
from games.plains_indian_wars.materials import materials
from games.plains_indian_wars.model import SOLDIERS, TRIBES, Colour, DeckName, State
from games.plains_indian_wars.phrases import cubes, listed, numbers
from games.plains_indian_wars.play import Play
from games.plains_indian_wars.scoring import points, totals
from games.protocol import Table

_ROWS = {"union": "Union Pacific", "mountains": "Mountains", "central": "Central Pacific"}
_BOXES: tuple[Colour, ...] = (*TRIBES, *SOLDIERS)


def tables(view: State) -> tuple[Table, ...]:
    """All tables of a position; those without rows are not printed."""
    play = Play(view)
    return (
        *(_hand(view, name) for name in view.hands),
        _discs(view),
        _regions(play),
        _boxes(view),
        _railroad(view),
        _score(view),
        _standing(view),
    )


def _hand(view: State, deck: DeckName) -> Table:
    left = len(view.decks[deck])
    title = f"{deck} hand ({left} card{'s' * (left != 1)} left in the deck)"
    rows = tuple((card.name, numbers(card)) for card in hands.in_hand(view, deck))
    return Table(title=title, columns=("Card", "What it gives"), rows=rows)


def _discs(view: State) -> Table:
    if not view.turn or view.ended:
        return Table(title="Discs", columns=("", ""), rows=())
    drawn = [one for one in materials().scenarios[str(view.options["scenario"])].discs if one not in view.bag]
    rows = [("drawn", listed(drawn)), ("in the bag", listed(view.bag) or "none")]
    if view.last:
        rows.append(("last turn", "the game ends when the bag is empty"))
    return Table(title=f"Discs of turn {view.turn}", columns=("Discs", "Which"), rows=tuple(rows))


def _regions(play: Play) -> Table:
    """Every region that holds anything."""
    rows = []
    for region in play.board.places:
        here = {colour: play.count(region, colour) for colour in (*TRIBES, *SOLDIERS, "White")}
        if any(here.values()):
            theirs = {c: n for c, n in here.items() if c in TRIBES and n}
            ours = {c: n for c, n in here.items() if c not in TRIBES and n}
            rows.append(
                (play.board.name(region), cubes(theirs) if theirs else "", cubes(ours) if ours else "")
            )
    return Table(title="Who stands where", columns=("Region", "Tribes", "U.S."), rows=tuple(rows))


def _boxes(view: State) -> Table:
    rows: list[tuple[str, ...]] = [
        (colour, str(view.ready.get(colour, 0)), str(view.fallen.get(colour, 0))) for colour in _BOXES
    ]
    rows.append(("wagons", str(view.ready.get("White", 0)), ""))
    return Table(title="Boxes", columns=("Colour", "Ready Box", "Casualty Box"), rows=tuple(rows))


def _railroad(view: State) -> Table:
    line = board().chart.railroad
    built = {"union": view.union, "mountains": view.mountains, "central": view.central}
    rows = [(_ROWS[name], str(count)) for name, count in built.items()]
    left = line.plains_spaces + line.mountain_spaces - sum(built.values())
    rows.append(("Spaces still empty", str(left)))
    return Table(title="Railroad", columns=("Line", "Spaces"), rows=tuple(rows))


def _score(view: State) -> Table:
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
    )


def _standing(view: State) -> Table:
    """What is done in the middle of a turn: as it was said, or as it goes by itself."""
    rows = []
    for topic, row in standing.TOPICS.items():
        said = {
            slot: says
            for slot, says in view.standing.items()
            if slot == topic or slot.startswith(f"{topic} ")
        }
        told = [
            f"{slot.removeprefix(topic).strip()} {_said(topic, says)}".strip() for slot, says in said.items()
        ]
        rows.append((row.asks, "; ".join(told) or row.default))
    return Table(title="Standing instructions", columns=("When asked", "We do"), rows=tuple(rows))


def _said(topic: str, says: tuple[str, ...]) -> str:
    if topic == "withdraw":
        return "never" if says[0] == standing.NEVER else f"at {says[0]}"
    if topic == "equal":
        return "the tribes" if says[0] == standing.TRIBES_LEAVE else "we"
    return f"{'to ' * (topic in ('fall back', 'drive'))}{', '.join(says)}"
