"""Examples of orders that could be given now, one of each kind, with the cards in hand and one's cubes."""

from collections.abc import Iterable, Iterator

from games.plains_indian_wars import hands, standing_orders
from games.plains_indian_wars.board import SACRAMENTO, ST_LOUIS, Board
from games.plains_indian_wars.components import Scenario
from games.plains_indian_wars.in_vain import is_useless_event
from games.plains_indian_wars.model import (
    CUBE_COLOURS,
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
from games.plains_indian_wars.owner_data import box

ExampleRow = tuple[str, Iterable[AnyOrder]]


def example_orders(view: View) -> Iterator[ExampleRow]:
    """Yield names of forms, each with orders, the plainest first; not all of them need be legal."""
    ground, scenario = (
        box(view.options).board,
        box(view.options).materials.scenarios[str(view.options["scenario"])],
    )
    is_us = scenario.plays == "US"
    mine: tuple[Colour, ...] = SOLDIERS if is_us else scenario.tribes
    wanted = [view.disc] if is_us and view.disc in mine else list(mine)
    colours = tuple(colour for colour in wanted if colour is not None)
    yield "begin", [Begin()]
    cards = [card for deck in scenario.decks for card in hands.cards_in_hand(view, deck)]
    yield "play", [PlayAction(card=card.id) for card in cards if card.kind == "action"]
    places = list(ground.places)
    groups = [
        (colour, region, cubes[colour])
        for colour in colours
        for region, cubes in view.cubes.items()
        if cubes.get(colour)
    ]
    yield "place", _place_examples(view, colours, [region for _, region, _ in groups], places)
    yield "move", _move_examples(ground, groups)
    events = _event_examples(ground, [card.id for card in cards if card.effect], places)
    yield "event", (event for event in events if not is_useless_event(view, event))
    yield "no-cube", [NoPlace(belt="north")]
    yield "recover", [Recover(), *(Recover(colour=colour) for colour in colours)]
    yield "discard", [Discard(card=card.id) for card in cards]
    yield from _instruction_examples(view, scenario, is_us, mine, [region for _, region, _ in groups])


def _place_examples(
    view: View, colours: Iterable[Colour], held: list[Region], places: list[Region]
) -> Iterator[Place]:
    """Yield orders to place cubes where one's own stand, then elsewhere: two, or one."""
    for at in dict.fromkeys((*held, ST_LOUIS, SACRAMENTO, *places)):
        for colour in colours:
            if view.ready.get(colour):
                yield from (Place(count=count, colour=colour, at=at) for count in (2, 1))


def _move_examples(ground: Board, groups: list[tuple[Colour, Region, int]]) -> Iterator[Move]:
    """Yield moves of the strongest groups first, two cubes or one, to a neighbour."""
    for colour, start, count in sorted(groups, key=lambda group: -group[2]):
        for to in ground.near[start]:
            yield Move(cubes={colour: min(count, 2)}, start=start, to=to)


def _event_examples(ground: Board, cards: list[str], places: list[Region]) -> Iterator[PlayEvent]:
    for card in cards:
        yield PlayEvent(card=card)  # type: ignore[arg-type]  # ids of cards
        yield from (PlayEvent(card=card, at=at) for at in places)  # type: ignore[arg-type]
        yield from (
            PlayEvent(card=card, at=at, to=to)  # type: ignore[arg-type]
            for at in places
            for to in ground.near[at]
        )


def _instruction_examples(
    view: View, scenario: Scenario, is_us: bool, mine: tuple[Colour, ...], held: list[Region]
) -> Iterator[ExampleRow]:
    """Standing instructions, about the regions where one's own stand."""
    near = box(view.options).board.near
    there = held or list(view.cubes)
    yield "fight-first", [Instruction(topic="fight", says=(region,)) for region in there]
    yield "withdraw", [Instruction(topic="withdraw", about=colour, says=("2",)) for colour in mine]
    if is_us:
        yield "lose", [Instruction(topic="lose", says=standing_orders.DEFAULT_LOSS_ORDER)]
        yield "sit-out", [Instruction(topic="sit out", says=("Brown",))]
        yield "equals", [Instruction(topic="equal", says=(standing_orders.WE_LEAVE,))]
        yield "wagons", [Instruction(topic="trail", says=(standing_orders.CALIFORNIA,))]
        yield "custer", [Instruction(topic="custer", says=(region,)) for region in view.tied]
        pairs = [(region, to) for region in view.cubes for to in near[region]]
        yield "drive", [Instruction(topic="drive", about=region, says=(to,)) for region, to in pairs]
    else:
        riders = [colour for colour in CUBE_COLOURS if colour in view.columns]
        yield "strike", [Instruction(topic="strike", says=(colour,)) for colour in riders]
    ways = [(region, to) for region in there for to in near[region]]
    yield "fall-back", [Instruction(topic="fall back", about=region, says=(to,)) for region, to in ways]
