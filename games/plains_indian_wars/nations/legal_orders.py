"""The legal orders of the nations now."""

from collections.abc import Iterator
from functools import partial

from games.messages import sentence
from games.order_kinds import list_legal
from games.plains_indian_wars import hands
from games.plains_indian_wars.legal_orders import (
    PlanChecks,
    cubes_between,
    groups_between,
    is_worth_listing,
    move_orders,
    place_orders,
    sample_instructions,
    unlisted_instructions,
)
from games.plains_indian_wars.model import (
    AnyOrder,
    Colour,
    Discard,
    Instruction,
    Move,
    Place,
    PlayAction,
    PlayEvent,
    Recover,
    View,
)
from games.plains_indian_wars.nations import execution
from games.plains_indian_wars.nations.execution import placement_regions, reachable_regions
from games.plains_indian_wars.nations.legality import accepted_order_types, best_numbers, concerns, objection
from games.plains_indian_wars.nations.sequence import acting_tribes, tribe_deck, tribes_with_cards
from games.plains_indian_wars.phrases import card_text, region_name
from games.plains_indian_wars.working_state import WorkingState
from games.protocol import LegalOrder, UnlistedOrders

DescribedOrders = Iterator[tuple[AnyOrder, str]]

NATIONS_CHECKS = PlanChecks(objection, concerns)
"""The checks of Variant II."""


def legal_orders(view: View) -> Iterator[LegalOrder]:
    """Yield the orders of the phase that are legal by themselves."""
    is_listed = partial(is_worth_listing, view, NATIONS_CHECKS)
    for colour in tribes_with_cards(view, acting_tribes(view)):
        play = WorkingState(view)
        play.set(disc=colour)
        yield from list_legal(_described_groups(play, colour, view.disc), is_listed)
    if Instruction.__name__ in accepted_order_types(view):
        order_texts = sample_instructions(WorkingState(view), partial(objection, view))
        group = sentence("plains_indian_wars.orders.instructions")
        yield from (LegalOrder(of=group, order=order, words=words) for order, words in order_texts)


def unlisted_orders(view: View) -> Iterator[UnlistedOrders]:
    """Yield the orders that `legal_orders` leaves out: targets of Events, and other numbers of cubes."""
    wanted = accepted_order_types(view)
    for colour in tribes_with_cards(view, acting_tribes(view)):
        play = WorkingState(view)
        play.set(disc=colour)
        if PlayEvent.__name__ in wanted:
            yield from _aimed_events(play, colour)
        most, reach = best_numbers(play)
        for region in placement_regions(play, colour) if Place.__name__ in wanted else ():
            yield from cubes_between(colour, region, most)
        coming = placement_regions(play, colour)
        for region in (
            play.board.in_board_order({*play.regions_with((colour,)), *coming})
            if Move.__name__ in wanted
            else ()
        ):
            goals = tuple(reachable_regions(play, colour, region, reach))
            more = min(most, play.ready.get(colour, 0)) if region in coming else 0
            yield from groups_between(colour, region, play.count(region, colour), more, goals)
    yield from unlisted_instructions(WorkingState(view), wanted, partial(objection, view))


def _aimed_events(play: WorkingState, colour: Colour) -> Iterator[UnlistedOrders]:
    """Yield the Events with a choice of targets: a force strikes at another one, or rides away."""
    for card in hands.cards_in_hand(play.now, tribe_deck(play, colour)):
        orders = tuple(
            PlayEvent(card=card.id, at=at, to=to)
            for at in (execution.event_places(play, colour, card.effect) if card.effect else ())
            if card.effect and at
            for to in execution.event_goals(play, colour, card.effect, at)
        )
        if orders:
            form = f"play {card.name} in {{region}} against {{region}}"
            words = sentence("plains_indian_wars.orders.event_targets")
            yield UnlistedOrders(of=card.name, form=form, words=words, orders=orders)


def _described_groups(
    play: WorkingState, colour: Colour, disc: Colour | None
) -> Iterator[tuple[str, DescribedOrders]]:
    for card in hands.cards_in_hand(play.now, tribe_deck(play, colour)):
        order_texts: list[tuple[AnyOrder, str]] = [
            (PlayAction(card=card.id), card_text(card, play.scenario)),
            (Discard(card=card.id), sentence("plains_indian_wars.orders.discard")),
        ]
        for at in execution.event_places(play, colour, card.effect) if card.effect else ():
            if at is None:
                words = sentence("plains_indian_wars.orders.event", text=card_text(card, play.scenario))
            else:
                words = sentence("plains_indian_wars.orders.event_in", at=region_name(at))
            order_texts.append((PlayEvent(card=card.id, at=at), words))
        yield card.name, iter(order_texts)
    cubes, reach = best_numbers(play)
    for region in placement_regions(play, colour):
        yield region_name(region), place_orders(colour, region, cubes)
    for region in play.regions_with((colour,)):
        yield (
            region_name(region),
            move_orders(play, colour, region, reachable_regions(play, colour, region, reach)),
        )
    recover = Recover(colour=None if colour == disc else colour)
    words = sentence("plains_indian_wars.orders.recover_tribe", colour=colour)
    yield sentence("plains_indian_wars.orders.casualty_box"), iter([(recover, words)])
