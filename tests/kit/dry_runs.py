"""Reads emails as `gm mail read` does, in the games that can be played."""

from functools import cache
from typing import Any

import games
from adjudicator.inbound.dry_run import dry_run, opening_of, position_of
from adjudicator.model.games import GamePosition
from games.protocol import Seat

HEAD = (
    "From: player@example.org\nTo: gm@example.org\nSubject: {subject}\nMessage-ID: <1@example.org>\n"
    "Date: Sat, 21 Nov 2026 10:00:00 +0100\nContent-Type: text/plain; charset=utf-8\n\n"
)


@cache
def opening(kind: str) -> GamePosition:
    """Return the opening of a kind, with a player on every seat."""
    game = games.kinds()[kind]
    return position_of(game, opening_of(game))


def position(kind: str, question: Any) -> GamePosition:
    """Return a position in JSON, as the kind's stateless questions have it. None: the opening."""
    game = games.kinds()[kind]
    if question is None:
        return opening(kind)
    assert game.whatif is not None
    return position_of(game, game.whatif.position(question))


def read_letter(raw: bytes, kind: str, seat: str, question: Any = None) -> dict[str, Any]:
    """Return the reading of an email from a seat: the output of `gm mail read`."""
    return dry_run(raw, position(kind, question), games.kinds()[kind], Seat(seat))


def read_text(
    text: str, kind: str = "standard", seat: str = "France", question: Any = None
) -> dict[str, Any]:
    """Return the reading of an email of plain text."""
    return read_letter((HEAD.format(subject="") + text).encode(), kind, seat, question)


def graded_lines(text: str, kind: str = "standard", seat: str = "France", question: Any = None) -> list[str]:
    """Return grade, condition and order of each line of a plain email: ``taken A PAR - BUR``."""
    return [
        " ".join(filter(None, (row["grade"], row["when"] and f"[{row['when']}]", row["read_as"])))
        for row in read_text(text, kind, seat, question)["orders"]
    ]
