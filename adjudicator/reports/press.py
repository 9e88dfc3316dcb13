"""The press of the turns that a report tells, as its reader may know it."""

from adjudicator.auth.callers import writer_mark
from adjudicator.messages import sentence
from adjudicator.model.games import AdjudicationResult
from adjudicator.model.people import GAMESMASTER_SEAT, PeopleRepository, Press
from adjudicator.reports.report import PressItem
from games.protocol import Seat

LAPSED = PressItem(sentence("reports.press.lapsed_heading"), sentence("reports.press.lapsed"))


def dispatches(
    society: PeopleRepository, game: str, played: AdjudicationResult, viewer: Seat | None
) -> tuple[PressItem, ...]:
    """Return the press to a viewer (None: an observer) in the turns just played, and what lapsed with them.

    Asked before they are written down. What players write to the gamesmaster is between the two; what was
    proposed is known to those who were asked to agree.
    """
    turns = {step.turn.short for step in played.steps}
    press = [
        dispatch
        for dispatch in society.press(game)
        if dispatch.turn in turns and dispatch.to != (GAMESMASTER_SEAT,)
    ]
    heard = tuple(
        PressItem(_heading(dispatch, viewer), dispatch.text)
        for dispatch in press
        if dispatch.is_heard_by(viewer)
    )
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
