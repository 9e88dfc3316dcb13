"""Event cards of the U.S. decks: one function for each operation of data/cards.json."""

from collections.abc import Callable, Mapping

from games.plains_indian_wars import hands, railroad
from games.plains_indian_wars.components import Card, Effect
from games.plains_indian_wars.events import CardPlayed, Fault, Removed
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Colour, PlayEvent, Region
from games.plains_indian_wars.phase import Phase
from games.plains_indian_wars.phase_limits import Allowance

WANT_REGION = ("remove", "extra-die", "extra-group", "quiet")
"""The operations that are played in a region."""


def announce(phase: Phase, order: PlayEvent) -> None:
    """Cards that give a group more say so before anything moves. Source: PIW1.card.winter, PIW1.card.pony."""
    effect = phase.play.box.cards[order.card].effect
    fault = may_play(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if effect and effect.op == "extra-group" and order.at and fault is None:
        phase.allowance.groups[order.at] = effect
        if effect.first_strike:
            phase.strikes.add(order.at)


def carry_out(phase: Phase, order: PlayEvent) -> Fault | None:
    """Play an Event; one without a target may be played and does nothing. Source: PIW1.cards.events."""
    fault = may_play(phase.play, phase.colour, phase.allowance, phase.events_played, order)
    if fault is not None:
        return fault
    card = phase.play.box.cards[order.card]
    assert card.effect is not None, "an Event has an effect"
    hands.play_card(phase.play, card.id)
    phase.play.tell(CardPlayed, card=card.id, at=order.at)
    phase.events_played += 1
    return _DO[card.effect.op](phase, card, card.effect, order.at)


def may_play(play: Play, colour: Colour, allowance: Allowance, played: int, order: PlayEvent) -> Fault | None:
    """Why a card cannot be played as an Event of a colour now. played: how many were in this phase."""
    deck = play.box.deck_for(colour)
    if deck is None or order.card not in play.now.hands[deck] or play.box.cards[order.card].kind != "event":
        return Fault(code="not-in-hand", detail={"card": order.card})
    alone = allowance.only_event
    if played >= play.box.events or (alone and order.card != alone):
        return Fault(code="enough-events", detail={"card": order.card})
    return None


def is_target(play: Play, effect: Effect, at: Region) -> bool:
    """Whether a region is one that the card could ever be played in, whoever stands there."""
    if effect.op == "remove" and effect.where == "railroad":
        return at in play.board.section
    if effect.op == "remove" and effect.where == "by-purple":
        return is_belt(play, at) or any(is_belt(play, other) for other in play.board.near[at])
    if effect.op == "quiet":
        return play.board.section.get(at, -1) + 1 in effect.sections
    return play.board.places[at].zone != "EDGE"


def is_belt(play: Play, region: Region) -> bool:
    """Whether a region is Purple, Canada or Mexico."""
    return play.board.places[region].zone in ("NE", "SE")


def _in_reach(play: Play, effect: Effect, at: Region) -> bool:
    """Whether tribe cubes in a region can be removed as the pieces stand."""
    around = (at, *play.board.near[at])
    if effect.where == "by-blue":
        return any(play.count(region, "Blue") for region in around)
    if effect.where == "by-purple":
        return is_belt(play, at) or any(play.count(region, "Purple") for region in play.board.near[at])
    return True


def _remove(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """Tribe cubes go to their Ready Box. Source: PIW1.card.miles, PIW1.card.coups, PIW1.card.cody."""
    play = phase.play
    if at is None or not is_target(play, effect, at) or not _in_reach(play, effect, at):
        return Fault(code="no-target", detail={"card": card.id, "at": at or ""})
    colour = play.tribe(at)
    if colour is None:
        return Fault(code="nobody-there", detail={"card": card.id, "at": at})
    count = min(effect.cubes, play.count(at, colour))
    play.fall(at, colour, count)
    play.tell(Removed, card=card.id, colour=colour, at=at, count=count)
    return None


def _extra_die(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """One engagement gets a die. Source: PIW1.card.gatling."""
    if at is None:
        return Fault(code="no-target", detail={"card": card.id, "at": ""})
    phase.extra[at] = effect.colour or "Blue"
    return None


def _extra_group(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """Announced already; without a region it moves nobody."""
    return None if at else Fault(code="no-target", detail={"card": card.id, "at": ""})


def _quiet(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """A region without engagements, and a space in the west. Source: PIW1.card.central."""
    play = phase.play
    railroad.lay_west(play, effect.spaces)
    if at is None or not is_target(play, effect, at):
        return Fault(code="no-target", detail={"card": card.id, "at": at or ""})
    play.set(quiet=play.board.sorted((*play.now.quiet, at)))
    return None


def _rails(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """Spaces at the railhead, if settlers stand beside it. Source: PIW1.card.union."""
    play = phase.play
    if not railroad.plains_left(play.now):
        return Fault(code="line-complete", detail={"card": card.id})
    if not railroad.workers(play, railroad.union_section(play.now)):
        return Fault(code="no-workers", detail={"card": card.id})
    railroad.lay_union(play, effect.spaces)
    return None


def _circle(phase: Phase, card: Card, effect: Effect, at: Region | None) -> Fault | None:
    """The wagons are guarded until the turn is over. Source: PIW1.card.circle."""
    phase.play.set(circled=effect.dice)
    return None


_DO: Mapping[str, Callable[[Phase, Card, Effect, Region | None], Fault | None]] = {
    "remove": _remove,
    "extra-die": _extra_die,
    "extra-group": _extra_group,
    "quiet": _quiet,
    "rails": _rails,
    "circle": _circle,
}
