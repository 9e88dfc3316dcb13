"""The legal orders of the U.S. now: the cards in hand, cubes by region, groups by where they start."""

from collections.abc import Iterator, Sequence
from functools import partial

from games.plains_indian_wars import event_cards, hands
from games.plains_indian_wars.board import Board
from games.plains_indian_wars.execution import placement_regions
from games.plains_indian_wars.groups import RegionGroups, groups_between
from games.plains_indian_wars.in_vain import is_useless_event
from games.plains_indian_wars.legality import accepted_order_types, best_limits, best_marches, objection
from games.plains_indian_wars.model import (
    ALL_CUBES,
    SOLDIERS,
    AnyOrder,
    Begin,
    Colour,
    DeckName,
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
    belt_of,
)
from games.plains_indian_wars.owner_data import box
from games.plains_indian_wars.phrases import card_text, region_name
from games.plains_indian_wars.sayings import INSTRUCTIONS_GROUP, sample_instructions, unlisted_instructions
from games.plains_indian_wars.us_phase import reachable_regions
from games.plains_indian_wars.working_state import WorkingState
from games.protocol.optional import AdjacentPlace, LegalOrder, UnlistedOrders

DescribedOrders = Iterator[tuple[AnyOrder, str]]


def legal_orders(view: View) -> Iterator[LegalOrder]:
    """Yield the orders of the phase that could be carried out, each by itself."""
    wanted = accepted_order_types(view)
    for of, order_texts in _described_groups(WorkingState(view)):
        for order, words in order_texts:
            if type(order).__name__ not in wanted or is_useless_event(view, order):
                continue
            if objection(view, order) is None:
                yield LegalOrder(of=of, order=order, words=words)


def unlisted_orders(view: View) -> Iterator[UnlistedOrders]:
    """Yield the numbers of cubes between one and the most, groups of two colours, standing instructions."""
    play, wanted = WorkingState(view), accepted_order_types(view)
    if view.disc is not None:
        yield from _unlisted_numbers(play, view.disc, wanted)
    yield from unlisted_instructions(play, wanted, partial(objection, view))


def _unlisted_numbers(play: WorkingState, colour: Colour, wanted: Sequence[str]) -> Iterator[UnlistedOrders]:
    coming = {at: _max_placed(play, colour, at) for at in placement_regions(play, colour)}
    for region, room in coming.items() if Place.__name__ in wanted else ():
        yield from cubes_between(colour, region, room)
    if Move.__name__ not in wanted:
        return
    leads, far, stops = best_marches(play)
    reach = best_limits(play).reach
    for region in play.board.in_board_order({*play.regions_with(leads), *coming}):
        here = {fighter: play.count(region, fighter) for fighter in SOLDIERS}
        march = RegionGroups(play, region, colour, coming.get(region, 0), here)
        goals = march.goals((colour,), reach)
        yield from groups_between(colour, region, here[colour], march.room, goals)
        for lead in leads:
            yield from march.event_groups(lead, goals if lead == colour else (), far, stops=stops)
        yield from march.two_colour_groups(leads, far, stops=stops)


def cubes_between(colour: Colour, region: Region, most: int) -> Iterator[UnlistedOrders]:
    """The cubes that may come to a region, more than one and fewer than the most."""
    orders = tuple(Place(count=count, colour=colour, at=region) for count in range(2, most))
    if orders:
        form = f"place {{number}} {colour} {region}"
        yield UnlistedOrders(of=region_name(region), form=form, words=f"of 1 to {most} cubes", orders=orders)


def adjacent_places(view: View, at: str) -> tuple[AdjacentPlace, ...] | None:
    """Return the regions beside a region; to some the way goes in one direction only."""
    ground = box(view.options).board
    if at not in ground.places:
        return None
    here = Region(at)
    neighbours = ground.in_board_order((*ground.near[here], *ground.ways[here]))
    return tuple(
        AdjacentPlace(place=region_name(neighbour), how=_border_text(ground, here, neighbour))
        for neighbour in neighbours
    )


def _border_text(ground: Board, here: Region, there: Region) -> str:
    if there not in ground.near[here]:
        return "U.S. cubes go there, and not back"
    return "a common border" if there in ground.ways[here] else "tribes alone go there"


def _described_groups(play: WorkingState) -> Iterator[tuple[str, DescribedOrders]]:
    view = play.now
    if view.disc is None:
        yield "the beginning", iter([(Begin(), "the first disc is drawn")])
        yield "Custer", ((Instruction(topic="custer", says=(at,)), f"he rides in {at}") for at in view.tied)
    else:
        yield from _disc_orders(play, view.disc)
    yield INSTRUCTIONS_GROUP, sample_instructions(play, partial(objection, view))


def _disc_orders(play: WorkingState, colour: Colour) -> Iterator[tuple[str, DescribedOrders]]:
    deck: DeckName | None = play.materials.deck_for(colour)
    if deck is not None:
        yield from _card_orders(play, deck)
    for region in placement_regions(play, colour):
        yield region_name(region), _place_orders(play, colour, region)
    for region in play.regions_with((colour,)):
        yield region_name(region), _move_orders(play, colour, region)
    yield "the Casualty Box", iter([(Recover(), "its cubes go to the Ready Box")])
    if colour == "Purple":
        yield (
            "the belts",
            iter([(NoPlace(belt=belt), f"no cube comes in the {belt}") for belt in ("north", "south")]),
        )


def _card_orders(play: WorkingState, deck: DeckName) -> Iterator[tuple[str, DescribedOrders]]:
    for card in hands.cards_in_hand(play.now, deck):
        order_texts: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), card_text(card, play.scenario)),
            (Discard(card=card.id), "it is given up"),
        ]
        if card.effect is not None and card.effect.op in event_cards.REGION_OPERATIONS:
            targets = [at for at in play.board.places if event_cards.is_event_target(play, card.effect, at)]
            held = [at for at in targets if play.tribe_cubes(at) or play.us_cubes(at)]
            order_texts += [
                (PlayEvent(card=card.id, at=at), f"the Event, in {region_name(at)}") for at in held or targets
            ]
        elif card.effect is not None:
            order_texts.append((PlayEvent(card=card.id), f"the Event: {card_text(card, play.scenario)}"))
        yield card.name, iter(order_texts)


def _place_orders(play: WorkingState, colour: Colour, region: Region) -> DescribedOrders:
    for count in dict.fromkeys((1, _max_placed(play, colour, region))):
        if count > 0:
            cubes = f"{count} cube{'s' * (count > 1)}"
            yield Place(count=count, colour=colour, at=region), f"{cubes} out of the Ready Box"


def _max_placed(play: WorkingState, colour: Colour, region: Region) -> int:
    """Return how many cubes may come to a region at most, by the best card in hand."""
    return min(best_limits(play).cubes_left(belt_of(region)), play.ready.get(colour, 0), play.us_room(region))


def _move_orders(play: WorkingState, colour: Colour, region: Region) -> DescribedOrders:
    here = play.count(region, colour)
    for to in reachable_regions(play, region, (colour,), best_limits(play).reach):
        yield (
            Move(cubes={colour: ALL_CUBES}, start=region, to=to),
            f"{all_leave_text(here, colour)} to {region_name(to)}",
        )


def all_leave_text(here: int, colour: Colour) -> str:
    """All cubes of a colour leave a region: "all 4 Green go"."""
    return f"the {colour} cube there goes" if here == 1 else f"all {here} {colour} go"
