"""The lines that our emails tell their reader to write, and the verdicts on them."""

from collections.abc import Sequence

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition
from games.protocol import Seat
from orders.mail.body import SHEET_TITLE, FreshLine
from orders.reading.letter_reader import read_lines
from orders.verdict import LineVerdict
from tests.kit.memory_repository import game_of

_OPEN = sentence("outbound.welcome.examples_title").lower()
_SUGGESTED = ("write:", "or:")


def offered_lines(letter: str) -> list[str]:
    """Return each example, suggestion and line of the order sheet in an email, with broken rows joined."""
    found: list[str] = []
    before, _, below = letter.partition(SHEET_TITLE)
    sheet, _, after = below.lstrip("\n").partition("\n\n")
    shown = False
    for row in f"{before}\n{after}".split("\n"):
        said = row.strip()
        if said.startswith("|") and shown:
            text = said.removeprefix("|")
            if text.startswith("  ") and found:
                found[-1] += f" {text.strip()}"
            else:
                found.append(_example(text.strip()))
        elif said.strip("-"):
            shown = said.rstrip(":").lower() == _OPEN
        if said.lower().startswith(_SUGGESTED):
            found.append(said.partition(":")[2].strip())
    return [*found, *(row.strip() for row in sheet.split("\n") if row.strip())]


def _example(text: str) -> str:
    """Return the order after its name: ``move: A PAR - BUR``, or in a column ``move            A PAR -
    BUR``.
    """
    for joint in (": ", "  "):
        head, _, tail = text.partition(joint)
        head = head.rstrip(":")
        if tail and head.replace(" ", "").isalpha() and head == head.lower():
            return tail.strip()
    return text


def sent_back(position: GamePosition, seat: Seat, lines: Sequence[str]) -> tuple[LineVerdict, ...]:
    """Return the verdicts on such lines in a separate email."""
    game = game_of(position)
    seated = AuthenticatedSeat(position, seat, "token")
    rows: list[LineVerdict] = []
    for line in lines:
        reading = read_lines([FreshLine(text=line)], parse_context(game, seated))
        filed = file_orders(game, seated, reading.orders, (), position.deadline or 0).rows
        rows += filed or [LineVerdict(line=line, grade="unread", problem="it is not answered")]
    return tuple(rows)


def refused_lines(position: GamePosition, seat: Seat, letter: str) -> list[str]:
    """Return the lines that an email tells its reader to write but that would be rejected."""
    rows = sent_back(position, seat, offered_lines(letter))
    return [f"{row.line}: {row.problem or row.grade}" for row in rows if row.grade != "taken"]
