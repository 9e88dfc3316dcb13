"""The press of the turns that a report tells, as its reader may know it."""

from adjudicator.catalogue import sentence
from adjudicator.ledger.positions import Played
from adjudicator.ledger.society import GAMESMASTER, Society
from adjudicator.reports.report import Dispatch
from games.protocol import Seat

LAPSED = Dispatch(sentence("reports.press.lapsed_heading"), sentence("reports.press.lapsed"))


def dispatches(society: Society, game: str, played: Played, viewer: Seat | None) -> tuple[Dispatch, ...]:
    """What a viewer (None: an observer) was written in the turns just played, and what has lapsed with them.

    Asked before they are written down. What players write to the gamesmaster is between the two; what was
    proposed is known to those who were asked to agree.
    """
    turns = {step.turn.short for step in played.steps}
    said = [one for one in society.press(game) if one.turn in turns and one.to != (GAMESMASTER,)]
    heard = tuple(Dispatch(one.heading, one.text) for one in said if one.is_heard_by(viewer))
    return (*heard, LAPSED) if viewer is not None and society.votes(game) else heard
