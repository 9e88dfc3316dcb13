"""Custer's ride: a force among the most Green cubes, and the engagement that it fights at once."""

from games.plains_indian_wars import standing_orders
from games.plains_indian_wars.components import Effect
from games.plains_indian_wars.engagements import EngagementTerms, engage
from games.plains_indian_wars.events import CusterFell, CusterRode, Fought
from games.plains_indian_wars.model import Region
from games.plains_indian_wars.working_state import WorkingState


def custer_goals(play: WorkingState) -> tuple[Region, ...]:
    """Return the N regions with the most Green cubes; none where there is none. Source: PIW1.custer.3."""
    plains = play.board.regions_in_zones("N")
    most = max(play.count(region, "Green") for region in plains)
    return tuple(region for region in plains if most and play.count(region, "Green") == most)


def ride_custer(play: WorkingState) -> None:
    """Place the force and fight. Source: PIW1.custer.3."""
    targets = custer_goals(play)
    force = min(_custer_effect(play).cubes, play.ready.get("Blue", 0) + play.fallen.get("Blue", 0))
    if not targets or not force:
        return
    at = standing_orders.custer_region(play, targets)
    from_ready = play.add_from_ready(at, "Blue", force)
    play.fallen["Blue"] = play.fallen.get("Blue", 0) - (force - from_ready)
    play.add_cubes(at, "Blue", force - from_ready)
    play.tell(CusterRode, at=at, count=force, tied=tuple(region for region in targets if region != at))
    if at in play.now.quiet:
        return
    begun = len(play.events)
    engage(play, at, EngagementTerms(custer={at: force}))
    fights = [event for event in play.events[begun:] if isinstance(event, Fought)]
    if not play.count(at, "Blue") and not any(_has_escaped(fight) for fight in fights):
        play.set(custer=True)
        play.tell(CusterFell, at=at)


def _has_escaped(fight: Fought) -> bool:
    """Return whether a treaty let Blue cubes leave: Custer's, the last of them, are among these."""
    return any(retreat.colour == "Blue" and retreat.to is not None for retreat in fight.retreats)


def _custer_effect(play: WorkingState) -> Effect:
    effects = [card.effect for card in play.materials.cards.values() if card.effect]
    return next(effect for effect in effects if effect.op == "custer")
