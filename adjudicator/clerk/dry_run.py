"""What a letter says to whoever only looks: as if a seat had sent it in time. Nothing is done about it."""

from typing import Any
from zoneinfo import ZoneInfo

from adjudicator.clerk.absent_writers import admit_with_orders
from adjudicator.clerk.filing import file_orders
from adjudicator.clerk.gate import admit
from adjudicator.clerk.identity import Seated
from adjudicator.clerk.parse_contexts import parse_context
from adjudicator.ledger.hours import Deadlines
from adjudicator.ledger.positions import Chair, Position
from adjudicator.office import Office
from adjudicator.referee.log import Link, set_up
from adjudicator.reports.sheet import sheet
from games.options import settle
from games.protocol import Game, Seat, State
from orders.commands import Command
from orders.conditions import When
from orders.letters.body import fresh_lines
from orders.parsing.reading import read
from orders.parsing.weighing import Rival, Scales, Weighed
from orders.verdict import Verdict

# The keys, their order and the grades are a format that others rely on.

_OFFICE = Office(address="", name="", key=b"", zone=ZoneInfo("UTC"), accept=frozenset())
_SEATED_BY = "glance"


def opening_of(game: Game) -> State:
    """The opening of a kind of game, with its options at their defaults. Raises Invalid."""
    return set_up(game, _SEATED_BY, settle(game.about.options, {}), b"", Link.first(0))[1]


def position_of(game: Game, state: State) -> Position:
    """A game that stands so, with a person in every seat, nothing on file and no deadline."""
    asked = [due.seat for due in game.rules.due(state)]
    seats = dict.fromkeys((*game.about.seats(settle(game.about.options, {})), *asked))
    return Position(
        name=_SEATED_BY,
        kind=game.about.kind,
        options={},
        status="running" if game.rules.result(state) is None else "finished",
        entries=1,
        rev=0,
        head_sha="",
        state=state,
        filed={},
        chairs={seat: Chair(seat=seat, address=f"{_SEATED_BY}@example.org") for seat in seats},
        deadline=None,
        deadlines=Deadlines(lengths={}, grace=0),
        early=False,
        secret=b"",
    )


def dry_run(
    raw: bytes, position: Position, game: Game, seat: Seat, *, weighed: bool = False
) -> dict[str, Any]:
    """What a letter in its bytes says: the keys disposition, why, answered, lines, orders, commands.

    weighed: with one more, ``weighed``: by line what was tried, the candidates, and why one won.

    An order sheet that it quotes is compared with that of a seat which has nothing on file.
    """
    letter, passed = admit(raw, lambda message_id: False, _OFFICE)
    seated = Seated(position, seat, _SEATED_BY)
    if passed.is_absence:
        passed = admit_with_orders(passed, fresh_lines(letter), seated)
    if passed.disposition != "read":
        return _said(passed.disposition, passed.why)
    lines = fresh_lines(letter, sheet(game, position, seat))
    scales = Scales() if weighed else None
    reading = read(lines, parse_context(game, seated), scales=scales)
    rows = file_orders(game, seated, reading.orders, (), 0).rows
    said = _said("read", None, reading.lines, rows, reading.commands)
    return said if scales is None else {**said, "weighed": [_weighing(one) for one in scales.lines]}


def _said(
    disposition: str,
    why: str | None,
    lines: tuple[str, ...] = (),
    rows: tuple[Verdict, ...] = (),
    commands: tuple[Command, ...] = (),
) -> dict[str, Any]:
    return {
        "disposition": disposition,
        "why": why,
        "answered": disposition == "read",
        "lines": list(lines),
        "orders": [_row(row) for row in rows],
        "commands": [
            {"line": one.line, "verb": one.verb, "args": list(one.args), "text": one.text} for one in commands
        ],
    }


def _row(row: Verdict) -> dict[str, Any]:
    return {
        "line": row.line,
        "source": row.source,
        "grade": row.grade,
        "read_as": row.said,
        "when": _when(row),
        "superseded": row.superseded,
        "problem": row.problem,
        "instead": row.instead,
        "candidates": list(row.candidates),
    }


def _weighing(one: Weighed) -> dict[str, Any]:
    return {
        "line": one.line,
        "source": one.source,
        "taken_for": one.taken_for,
        "tried": list(one.tried),
        "candidates": [
            {
                "order": candidate.order,
                "fate": candidate.fate,
                "mended": list(candidate.mended),
                "nearest": [[_rival(rival) for rival in some] for some in candidate.nearest],
            }
            for candidate in one.candidates
        ],
        "because": one.because,
    }


def _rival(rival: Rival) -> dict[str, Any]:
    return {"name": rival.name, "slips": rival.slips, "unlike": rival.unlike}


def _when(row: Verdict) -> str | None:
    """What an order hangs on, in canonical words. That of a STOP itself stands in its text."""
    when = row.when
    if when is not None and row.stop:
        when = When(turn=when.turn, path=when.path[:-1])
    return (when.text if when is not None else None) or None
