"""What could be ordered now, an example of each kind: with the cards in hand and one's own cubes."""

from collections.abc import Iterable, Iterator

from games.plains_indian_wars import hands, standing
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board
from games.plains_indian_wars.box import box
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.in_vain import is_in_vain
from games.plains_indian_wars.model import (
    COLOURS,
    SOLDIERS,
    AnyOrder,
    Begin,
    Colour,
    Discard,
    Instruction,
    Move,
    NoPlace,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    Region,
    View,
)

Row = tuple[str, Iterable[AnyOrder]]


def rows(view: View) -> Iterator[Row]:
    """Names of forms, each with orders, the plainest first; not all of them need be lawful."""
    ground, scenario = (
        box(view.options).board,
        box(view.options).materials.scenarios[str(view.options["scenario"])],
    )
    is_us = scenario.plays == "US"
    mine: tuple[Colour, ...] = SOLDIERS if is_us else scenario.tribes
    wanted = [view.disc] if is_us and view.disc in mine else list(mine)
    colours = tuple(colour for colour in wanted if colour is not None)
    yield "begin", [Begin()]
    cards = [card for deck in scenario.decks for card in hands.in_hand(view, deck)]
    yield "play", [PlayAction(card=card.id) for card in cards if card.kind == "action"]
    places = list(ground.places)
    groups = [
        (colour, region, cubes[colour])
        for colour in colours
        for region, cubes in view.cubes.items()
        if cubes.get(colour)
    ]
    yield "place", _placed(view, colours, [region for _, region, _ in groups], places)
    yield "move", _moved(ground, groups)
    events = _events(ground, [card.id for card in cards if card.effect], places)
    yield "event", (one for one in events if not is_in_vain(view, one))
    yield "no-cube", [NoPlace(belt="north")]
    yield "recover", [Recover(), *(Recover(colour=colour) for colour in colours)]
    yield "discard", [Discard(card=card.id) for card in cards]
    yield from _standing(view, scenario, is_us, mine, [region for _, region, _ in groups])


def _placed(
    view: View, colours: Iterable[Colour], held: list[Region], places: list[Region]
) -> Iterator[Place]:
    """Where one's own stand first, as many as a card mostly brings or one."""
    for at in dict.fromkeys((*held, ST_LOUIS, SACRAMENTO, *places)):
        for colour in colours:
            if view.ready.get(colour):
                yield from (Place(count=count, colour=colour, at=at) for count in (2, 1))


def _moved(ground: Board, groups: list[tuple[Colour, Region, int]]) -> Iterator[Move]:
    """The strongest groups first, two of them or one, next door."""
    for colour, start, count in sorted(groups, key=lambda one: -one[2]):
        for to in ground.near[start]:
            yield Move(cubes={colour: min(count, 2)}, start=start, to=to)


def _events(ground: Board, cards: list[str], places: list[Region]) -> Iterator[PlayEvent]:
    for card in cards:
        yield PlayEvent(card=card)  # type: ignore[arg-type]  # ids of cards
        yield from (PlayEvent(card=card, at=at) for at in places)  # type: ignore[arg-type]
        yield from (
            PlayEvent(card=card, at=at, to=to)  # type: ignore[arg-type]
            for at in places
            for to in ground.near[at]
        )


def _standing(
    view: View, scenario: Scenario, is_us: bool, mine: tuple[Colour, ...], held: list[Region]
) -> Iterator[Row]:
    """Standing instructions, about the regions where one's own stand."""
    near = box(view.options).board.near
    there = held or list(view.cubes)
    yield "fight-first", [Instruction(topic="fight", says=(one,)) for one in there]
    yield "withdraw", [Instruction(topic="withdraw", about=colour, says=("2",)) for colour in mine]
    if is_us:
        yield "lose", [Instruction(topic="lose", says=standing.LOSE)]
        yield "sit-out", [Instruction(topic="sit out", says=("Brown",))]
        yield "equals", [Instruction(topic="equal", says=(standing.WE_LEAVE,))]
        yield "wagons", [Instruction(topic="trail", says=(standing.CALIFORNIA,))]
        yield "custer", [Instruction(topic="custer", says=(one,)) for one in view.tied]
        pairs = [(one, to) for one in view.cubes for to in near[one]]
        yield "drive", [Instruction(topic="drive", about=one, says=(to,)) for one, to in pairs]
    else:
        riders = [colour for colour in COLOURS if colour in view.columns]
        yield "strike", [Instruction(topic="strike", says=(colour,)) for colour in riders]
    ways = [(one, to) for one in there for to in near[one]]
    yield "fall-back", [Instruction(topic="fall back", about=one, says=(to,)) for one, to in ways]
