"""Letters read as `gm mail read` reads them, in the games that are played."""

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
    """The opening of a kind, with a person in every seat."""
    game = games.kinds()[kind]
    return position_of(game, opening_of(game))


def position(kind: str, question: Any) -> GamePosition:
    """A position in JSON, as the kind's stateless questions have it; None: the opening."""
    game = games.kinds()[kind]
    if question is None:
        return opening(kind)
    assert game.whatif is not None
    return position_of(game, game.whatif.position(question))


def read_letter(raw: bytes, kind: str, seat: str, question: Any = None) -> dict[str, Any]:
    """Return what a letter says to a seat: the answer of `gm mail read`."""
    return dry_run(raw, position(kind, question), games.kinds()[kind], Seat(seat))


def read_text(
    text: str, kind: str = "standard", seat: str = "France", question: Any = None
) -> dict[str, Any]:
    """Return what a letter of plain text says."""
    return read_letter((HEAD.format(subject="") + text).encode(), kind, seat, question)


def graded_lines(text: str, kind: str = "standard", seat: str = "France", question: Any = None) -> list[str]:
    """Grade, condition and order of each line of a plain letter: ``taken A PAR - BUR``."""
    return [
        " ".join(filter(None, (row["grade"], row["when"] and f"[{row['when']}]", row["read_as"])))
        for row in read_text(text, kind, seat, question)["orders"]
    ]
