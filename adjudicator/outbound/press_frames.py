"""The two lines that press carries: into them its reader writes an answer, and sends them back."""

import games
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from adjudicator.model.people import Press
from adjudicator.outbound.composer import ReportComposer
from adjudicator.reports.press import named_writer
from games.protocol import Seat
from games.protocol.optional import SupportsNeighbours


def press_frame(writer: ReportComposer, position: GamePosition, press: Press, seat: Seat) -> tuple[str, ...]:
    """Return the lines into which a seat writes its answer to press; none where it would not be carried."""
    rules = games.kinds()[position.kind].rules
    customs = writer.books.people.policy(position.name)
    is_far = (
        press.seat is not None
        and customs.reach == "neighbours"
        and isinstance(rules, SupportsNeighbours)
        and press.seat not in rules.neighbours(position.state, seat)
    )
    if is_far or not position.is_running or (press.seat is not None and not customs.allows):
        return ()
    named = named_writer(writer.office.key, position.name, press)
    return (sentence("clerk.press_replies.frame"), f"PRESS TO {named}\n\nENDPRESS")
