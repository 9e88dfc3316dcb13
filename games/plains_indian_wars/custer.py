"""Custer's ride: a force among the most Green cubes, and the engagement that it fights at once."""

from games.plains_indian_wars import standing
from games.plains_indian_wars.components import Effect
from games.plains_indian_wars.engagements import Terms, engage
from games.plains_indian_wars.events import CusterFell, CusterRode, Fought
from games.plains_indian_wars.in_play import Play
from games.plains_indian_wars.model import Region


def goals(play: Play) -> tuple[Region, ...]:
    """The N regions with the most Green cubes; none where there is none. Source: PIW1.custer.3."""
    plains = play.board.zone("N")
    most = max(play.count(region, "Green") for region in plains)
    return tuple(region for region in plains if most and play.count(region, "Green") == most)


def ride(play: Play) -> None:
    """Place the force and fight. Source: PIW1.custer.3."""
    found = goals(play)
    force = min(_effect(play).cubes, play.ready.get("Blue", 0) + play.fallen.get("Blue", 0))
    if not found or not force:
        return
    at = standing.for_custer(play, found)
    from_ready = play.muster(at, "Blue", force)
    play.fallen["Blue"] = play.fallen.get("Blue", 0) - (force - from_ready)
    play.put(at, "Blue", force - from_ready)
    play.tell(CusterRode, at=at, count=force, tied=tuple(region for region in found if region != at))
    if at in play.now.quiet:
        return
    begun = len(play.events)
    engage(play, at, Terms(custer={at: force}))
    fights = [event for event in play.events[begun:] if isinstance(event, Fought)]
    if not play.count(at, "Blue") and not any(_got_away(fight) for fight in fights):
        play.set(custer=True)
        play.tell(CusterFell, at=at)


def _got_away(fight: Fought) -> bool:
    """Whether a treaty let Blue cubes leave: Custer's are the last of them, so they are among these."""
    return any(one.colour == "Blue" and one.to is not None for one in fight.retreats)


def _effect(play: Play) -> Effect:
    effects = [card.effect for card in play.box.cards.values() if card.effect]
    return next(effect for effect in effects if effect.op == "custer")
