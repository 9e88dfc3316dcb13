"""Dry runs: a letter read as if a seat had sent it in time. Nothing is done about it."""

from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.context import ServiceContext
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.filters import admit
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.inbound.pipeline import admit_with_orders
from adjudicator.model.deadlines import Deadlines
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.reports.order_sheet import sheet
from adjudicator.turns.log import EntryOrigin, set_up
from games.options import settle
from games.protocol import Game, Seat, State
from orders.commands import Command
from orders.conditions import When
from orders.mail.body import fresh_lines
from orders.reading.grading import NearName, WeighedLine, WeighingRecord
from orders.reading.letter_reader import read_lines
from orders.verdict import LineVerdict

# The keys, their order and the grades are a format that others rely on.

_DRY_RUN_CONTEXT = ServiceContext(address="", name="", key=b"", zone=ZoneInfo("UTC"), accept=frozenset())
_DRY_RUN_NAME = "glance"


def opening_of(game: Game) -> State:
    """Return the opening of a kind of game, with its options at their defaults. Raises Invalid."""
    return set_up(game, _DRY_RUN_NAME, settle(game.about.options, {}), b"", EntryOrigin.first(0))[1]


def position_of(game: Game, state: State) -> GamePosition:
    """Return a game in that state, with a person in every seat, nothing on file and no deadline."""
    asked = [due.seat for due in game.rules.due(state)]
    seats = dict.fromkeys((*game.about.seats(settle(game.about.options, {})), *asked))
    return GamePosition(
        name=_DRY_RUN_NAME,
        kind=game.about.kind,
        options={},
        status="running" if game.rules.result(state) is None else "finished",
        entries=1,
        rev=0,
        head_sha="",
        state=state,
        filed={},
        assignments={
            seat: SeatAssignment(seat=seat, address=f"{_DRY_RUN_NAME}@example.org") for seat in seats
        },
        deadline=None,
        deadlines=Deadlines(lengths={}, grace=0),
        early=False,
        secret=b"",
    )


def dry_run(
    raw: bytes, position: GamePosition, game: Game, seat: Seat, *, weighed: bool = False
) -> dict[str, Any]:
    """Return the reading of a letter's bytes: keys disposition, why, answered, lines, orders, commands.

    weighed: with one more, ``weighed``: by line what was tried, the candidates, and why one won.

    An order sheet that it quotes is compared with that of a seat which has nothing on file.
    """
    letter, passed = admit(raw, lambda _message_id: False, _DRY_RUN_CONTEXT)
    seated = AuthenticatedSeat(position, seat, _DRY_RUN_NAME)
    if passed.is_absence:
        passed = admit_with_orders(passed, fresh_lines(letter), seated)
    if passed.disposition != "read":
        return _describe_letter(passed.disposition, passed.why)
    lines = fresh_lines(letter, sheet(game, position, seat))
    scales = WeighingRecord() if weighed else None
    reading = read_lines(lines, parse_context(game, seated), scales=scales)
    rows = file_orders(game, seated, reading.orders, (), 0).rows
    commands = (*reading.commands, *reading.unknown)
    description = _describe_letter("read", None, reading.lines, rows, commands)
    return (
        description
        if scales is None
        else {**description, "weighed": [_describe_weighed_line(line) for line in scales.lines]}
    )


def _describe_letter(
    disposition: str,
    why: str | None,
    lines: tuple[str, ...] = (),
    rows: tuple[LineVerdict, ...] = (),
    commands: tuple[Command, ...] = (),
) -> dict[str, Any]:
    return {
        "disposition": disposition,
        "why": why,
        "answered": disposition == "read",
        "lines": list(lines),
        "orders": [_describe_row(row) for row in rows],
        "commands": [
            {"line": command.line, "verb": command.verb, "args": list(command.args), "text": command.text}
            for command in commands
        ],
    }


def _describe_row(row: LineVerdict) -> dict[str, Any]:
    return {
        "line": row.line,
        "source": row.source,
        "grade": row.grade,
        "read_as": row.said,
        "when": _describe_condition(row),
        "superseded": row.superseded,
        "problem": row.problem,
        "instead": row.instead,
        "candidates": list(row.candidates),
    }


def _describe_weighed_line(line: WeighedLine) -> dict[str, Any]:
    return {
        "line": line.line,
        "source": line.source,
        "taken_for": line.taken_for,
        "tried": list(line.tried),
        "candidates": [
            {
                "order": candidate.order,
                "fate": candidate.fate,
                "mended": list(candidate.mended),
                "nearest": [[_describe_rival(rival) for rival in some] for some in candidate.nearest],
            }
            for candidate in line.candidates
        ],
        "because": line.because,
    }


def _describe_rival(rival: NearName) -> dict[str, Any]:
    return {"name": rival.name, "slips": rival.slips, "unlike": rival.unlike}


def _describe_condition(row: LineVerdict) -> str | None:
    """Return the condition of an order, in canonical words. A STOP has its own condition in its text."""
    when = row.when
    if when is not None and row.stop:
        when = When(turn=when.turn, path=when.path[:-1])
    return (when.text if when is not None else None) or None
