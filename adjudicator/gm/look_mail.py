"""``gm mail list`` as it looks: the letters that came in, or went out, a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator import clock
from adjudicator.gm.opening import shelf_at
from adjudicator.gm.output import document, say, stamp, table
from adjudicator.signs import redaction
from adjudicator.store import inbox, outbox
from orders.letters import headers
from orders.letters import letter as opened

if TYPE_CHECKING:
    from datetime import tzinfo

    from adjudicator.gm.opening import Shelf
    from orders.letters.letter import Letter

LATEST = 20
"""So many are listed where no number is named."""
INSTANTS = ("received", "handled", "written", "settled")
"""What is told of a letter that is an instant."""


def show_all(
    config: str | None, *, out: bool, as_json: bool, limit: int = LATEST, only: str | None = None
) -> None:
    """Print the latest letters, the latest first. out: those that went out; only: those in that state."""
    with shelf_at(config) as shelf:
        sights = _sent(shelf, limit, only) if out else _received(shelf, limit, only)
        zone = shelf.zone
    if as_json:
        document([{key: plain(key, value) for key, value in sight.items()} for sight in sights])
    elif not sights and only:
        say(f"No letter is {only}.")
    elif not sights:
        say("No letter is to go out yet." if out else "No letter has come in yet.")
    else:
        table(tuple(sights[0]), [[_cell(key, value, zone) for key, value in one.items()] for one in sights])


def _received(shelf: Shelf, limit: int, only: str | None) -> list[dict[str, Any]]:
    found = inbox.list_letters(shelf.database, limit, only)
    return [head_in(one, _head_of(one.raw)) for one in found]


def _sent(shelf: Shelf, limit: int, only: str | None) -> list[dict[str, Any]]:
    found = outbox.list_posted(shelf.database, limit, [only] if only else outbox.STATES)
    return [head_out(one, _head_of(one.sealed.raw)) for one in found]


def _head_of(raw: bytes) -> Letter:
    return opened.open_letter(headers.divide(raw)[0])


def head_in(one: inbox.Shown, letter: Letter) -> dict[str, Any]:
    """What is listed of a letter that came in."""
    return {
        "number": one.number,
        "received": one.received,
        "from": one.speaker or letter.sender,
        "subject": redaction.redacted(letter.subject),
        "game": one.game,
        "seat": one.seat,
        "decided": one.disposition or "waiting",
        "why": None if one.why is None else redaction.redacted(one.why),
    }


def head_out(one: outbox.Posted, letter: Letter) -> dict[str, Any]:
    """What is listed of one of ours."""
    return {
        "number": one.number,
        "written": one.created,
        "to": one.sealed.to,
        "subject": redaction.redacted(letter.subject),
        "game": one.sealed.game,
        "seat": one.sealed.seat,
        "state": one.state,
        "attempts": one.attempts,
        "why": one.why,
    }


def plain(key: str, value: Any) -> Any:
    """A value under its key as programs are told it: instants in ISO 8601."""
    if key == "answers":
        return [{inner: plain(inner, one) for inner, one in answer.items()} for answer in value]
    return stamp(value) if key in INSTANTS else value


def _cell(key: str, value: Any, zone: tzinfo) -> object:
    if key in INSTANTS:
        return f"{clock.moment(value, zone):%Y-%m-%d %H:%M}"
    return value.splitlines()[0] if key == "why" and value else value
