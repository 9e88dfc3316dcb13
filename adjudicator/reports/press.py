"""The press of the turns that a report tells, as its reader may know it."""

from adjudicator.catalogue import sentence
from adjudicator.ledger.positions import Played
from adjudicator.ledger.society import GAMESMASTER, Press, Society
from adjudicator.reports.report import Dispatch
from adjudicator.signs.callers import writer_mark
from games.protocol import Seat

LAPSED = Dispatch(sentence("reports.press.lapsed_heading"), sentence("reports.press.lapsed"))


def dispatches(society: Society, game: str, played: Played, viewer: Seat | None) -> tuple[Dispatch, ...]:
    """What a viewer (None: an observer) was written in the turns just played, and what has lapsed with them.

    Asked before they are written down. What players write to the gamesmaster is between the two; what was
    proposed is known to those who were asked to agree.
    """
    turns = {step.turn.short for step in played.steps}
    said = [one for one in society.press(game) if one.turn in turns and one.to != (GAMESMASTER,)]
    heard = tuple(Dispatch(_heading(one, viewer), one.text) for one in said if one.is_heard_by(viewer))
    return (*heard, LAPSED) if viewer is not None and society.votes(game) else heard


def _heading(press: Press, viewer: Seat | None) -> str:
    """From whom to whom; who answered grey press is not told whom."""
    if press.blind and viewer == press.seat:
        return sentence("reports.press.blind", signature=press.signature)
    return press.heading


def named_writer(key: bytes, game: str, press: Press) -> str:
    """By what a reply to press names its writer: the seat, GM, or a mark where it is not signed.

    key: the service's own.
    """
    if press.seat is None:
        return "GM"
    if press.kind == "white":
        return press.seat
    return f"WRITER {writer_mark(key, game, (press.turn, press.seat, str(press.at), press.text))}"
