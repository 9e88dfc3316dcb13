"""Event cards of the U.S. decks: one function for each operation of data/cards.json."""

from collections.abc import Callable, Mapping

from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.events import CardPlayed, OrderFault, Removed
from games.plains_indian_wars.model import Colour, PlayEvent, Region
from games.plains_indian_wars.phase import UsPhase
from games.plains_indian_wars.phase_limits import PhaseLimits
from games.plains_indian_wars.working_state import WorkingState

REGION_OPERATIONS = ("remove", "extra-die", "extra-group", "quiet")
"""The operations that are played in a region."""


def announce_event(phase: UsPhase, order: PlayEvent) -> None:
    """Cards that give a group more say so before anything moves. Source: PIW1.card.winter, PIW1.card.pony."""
    effect = phase.play.materials.cards[order.card].effect
    fault = event_fault(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if effect and effect.op == "extra-group" and order.at and fault is None:
        phase.allowance.groups[order.at] = effect
        if effect.first_strike:
            phase.strikes.add(order.at)


def carry_out_event(phase: UsPhase, order: PlayEvent) -> OrderFault | None:
    """Play an Event; without a target it may be played and does nothing. Source: PIW1.cards.events."""
    fault = event_fault(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if fault is not None:
        return fault
    card = phase.play.materials.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(phase.play, card.id)
    phase.play.tell(CardPlayed, card=card.id, at=order.at)
    phase.events_played += 1
    return _US_EFFECTS[card.effect.op](phase, card, card.effect, order.at)


def event_fault(
    play: WorkingState, colour: Colour, allowance: PhaseLimits, played: int, order: PlayEvent
) -> OrderFault | None:
    """Return why a card cannot be played as an Event of a colour now. played: how many were in this phase."""
    deck = play.materials.deck_for(colour)
    if (
        deck is None
        or order.card not in play.now.hands[deck]
        or play.materials.cards[order.card].kind != "event"
    ):
        return OrderFault(code="not-in-hand", detail={"card": order.card})
    alone = allowance.only_event
    if played >= play.materials.events or (alone and order.card != alone):
        return OrderFault(code="enough-events", detail={"card": order.card})
    return None


def is_event_target(play: WorkingState, effect: Effect, at: Region) -> bool:
    """Return whether the card could ever be played in a region, with any cubes there."""
    if effect.op == "remove" and effect.where == "railroad":
        return at in play.board.section
    if effect.op == "remove" and effect.where == "by-purple":
        return is_belt(play, at) or any(is_belt(play, other) for other in play.board.near[at])
    if effect.op == "quiet":
        return play.board.section.get(at, -1) + 1 in effect.sections
    return play.board.places[at].zone != "EDGE"


def is_belt(play: WorkingState, region: Region) -> bool:
    """Return whether a region is Purple, Canada or Mexico."""
    return play.board.places[region].zone in ("NE", "SE")


def _is_in_reach(play: WorkingState, effect: Effect, at: Region) -> bool:
    """Return whether tribe cubes in a region can be removed as the pieces stand."""
    around = (at, *play.board.near[at])
    if effect.where == "by-blue":
        return any(play.count(region, "Blue") for region in around)
    if effect.where == "by-purple":
        return is_belt(play, at) or any(play.count(region, "Purple") for region in play.board.near[at])
    return True


def _remove(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Tribe cubes go to their Ready Box. Source: PIW1.card.miles, PIW1.card.coups, PIW1.card.cody."""
    play = phase.play
    if at is None or not is_event_target(play, effect, at) or not _is_in_reach(play, effect, at):
        return OrderFault(code="no-target", detail={"card": card.id, "at": at or ""})
    colour = play.tribe_in(at)
    if colour is None:
        return OrderFault(code="nobody-there", detail={"card": card.id, "at": at})
    count = min(effect.cubes, play.count(at, colour))
    play.eliminate(at, colour, count)
    play.tell(Removed, card=card.id, colour=colour, at=at, count=count)
    return None


def _extra_die(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """One engagement gets a die. Source: PIW1.card.gatling."""
    if at is None:
        return OrderFault(code="no-target", detail={"card": card.id, "at": ""})
    phase.extra[at] = effect.colour or "Blue"
    return None


def _extra_group(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Announced already; without a region it moves nobody."""
    return None if at else OrderFault(code="no-target", detail={"card": card.id, "at": ""})


def _quiet(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """A region without engagements, and a space in the west. Source: PIW1.card.central."""
    play = phase.play
    railroad.lay_west(play, effect.spaces)
    if at is None or not is_event_target(play, effect, at):
        return OrderFault(code="no-target", detail={"card": card.id, "at": at or ""})
    play.set(quiet=play.board.in_board_order((*play.now.quiet, at)))
    return None


def _rails(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """Spaces at the railhead, if settlers stand beside it. Source: PIW1.card.union."""
    play = phase.play
    if not railroad.plains_left(play.now):
        return OrderFault(code="line-complete", detail={"card": card.id})
    if not railroad.section_workers(play, railroad.union_section(play.now)):
        return OrderFault(code="no-workers", detail={"card": card.id})
    railroad.lay_union(play, effect.spaces)
    return None


def _circle(phase: UsPhase, card: Card, effect: Effect, at: Region | None) -> OrderFault | None:
    """The wagons are guarded until the turn is over. Source: PIW1.card.circle."""
    phase.play.set(circled=effect.dice)
    return None


_US_EFFECTS: Mapping[str, Callable[[UsPhase, Card, Effect, Region | None], OrderFault | None]] = {
    "remove": _remove,
    "extra-die": _extra_die,
    "extra-group": _extra_group,
    "quiet": _quiet,
    "rails": _rails,
    "circle": _circle,
}
