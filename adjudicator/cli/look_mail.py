"""``gm mail list`` as it looks: the letters that came in, or went out, a line for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator import clock
from adjudicator.auth import redaction
from adjudicator.cli.connect import shelf_at
from adjudicator.cli.output import document, say, stamp, table
from adjudicator.storage import inbox, outbox
from orders.mail import headers
from orders.mail import letter as opened

if TYPE_CHECKING:
    from datetime import tzinfo

    from adjudicator.cli.connect import Shelf
    from orders.mail.letter import Letter

DEFAULT_LETTERS_LISTED = 20
"""So many are listed where no number is named."""
INSTANTS = ("received", "handled", "written", "settled")
"""What is told of a letter that is an instant."""


def show_all(
    config: str | None,
    *,
    out: bool,
    as_json: bool,
    limit: int = DEFAULT_LETTERS_LISTED,
    only: str | None = None,
) -> None:
    """Print the latest letters, the latest first. out: those that went out; only: those in that state."""
    with shelf_at(config) as shelf:
        sights = _letters_out(shelf, limit, only) if out else _letters_in(shelf, limit, only)
        zone = shelf.zone
    if as_json:
        document([{key: plain(key, value) for key, value in sight.items()} for sight in sights])
    elif not sights and only:
        say(f"No letter is {only}.")
    elif not sights:
        say("No letter is to go out yet." if out else "No letter has come in yet.")
    else:
        table(
            tuple(sights[0]),
            [[_cell(key, value, zone) for key, value in letter_row.items()] for letter_row in sights],
        )


def _letters_in(shelf: Shelf, limit: int, only: str | None) -> list[dict[str, Any]]:
    letters = inbox.list_letters(shelf.database, limit, only)
    return [head_in(letter, _head_of(letter.raw)) for letter in letters]


def _letters_out(shelf: Shelf, limit: int, only: str | None) -> list[dict[str, Any]]:
    letters = outbox.list_posted(shelf.database, limit, [only] if only else outbox.STATES)
    return [head_out(letter, _head_of(letter.sealed.raw)) for letter in letters]


def _head_of(raw: bytes) -> Letter:
    return opened.open_letter(headers.split_message(raw)[0])


def head_in(incoming: inbox.ShownLetter, letter: Letter) -> dict[str, Any]:
    """Return what is listed of a letter that came in."""
    return {
        "number": incoming.number,
        "received": incoming.received,
        "from": incoming.speaker or letter.sender,
        "subject": redaction.redact_text(letter.subject),
        "game": incoming.game,
        "seat": incoming.seat,
        "decided": incoming.disposition or "waiting",
        "why": None if incoming.why is None else redaction.redact_text(incoming.why),
    }


def head_out(outgoing: outbox.OutboxLetter, letter: Letter) -> dict[str, Any]:
    """Return what is listed of one of ours."""
    return {
        "number": outgoing.number,
        "written": outgoing.created,
        "to": outgoing.sealed.to,
        "subject": redaction.redact_text(letter.subject),
        "game": outgoing.sealed.game,
        "seat": outgoing.sealed.seat,
        "state": outgoing.state,
        "attempts": outgoing.attempts,
        "why": outgoing.why,
    }


def plain(key: str, value: Any) -> Any:
    """A value under its key as programs are told it: instants in ISO 8601."""
    if key == "answers":
        return [{inner: plain(inner, content) for inner, content in answer.items()} for answer in value]
    return stamp(value) if key in INSTANTS else value


def _cell(key: str, value: Any, zone: tzinfo) -> object:
    if key in INSTANTS:
        return f"{clock.datetime_of(value, zone):%Y-%m-%d %H:%M}"
    return value.splitlines()[0] if key == "why" and value else value
