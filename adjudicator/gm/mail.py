"""``gm mail``: the letters that came in and went out."""

import sys
from datetime import tzinfo
from typing import Annotated, Any

import typer

from adjudicator.clock import moment, spoken
from adjudicator.errors import Refusal
from adjudicator.gm.lessons import Json, example, noun
from adjudicator.gm.letterbox import attachments_of, text_of, veiled
from adjudicator.gm.opening import house_of
from adjudicator.gm.paper import document, heading, say, stamp, table
from adjudicator.house import House
from adjudicator.store import inbox, outbox
from orders.letter import Letter, open_letter

app = noun(
    "Read the letters that came in and went out.",
    "gm mail list",
    "gm mail show 12",
    "gm mail list --out",
)

Out = Annotated[bool, typer.Option("--out", help="Of the letters that went out, or are to.")]


@app.command(
    "list",
    epilog=example(
        "gm mail list",
        "gm mail list --out --limit 50",
        then="gm mail show NUMBER  (with --out for one of ours)  shows one of them.",
    ),
)
def list_letters(
    ctx: typer.Context,
    out: Out = False,
    limit: Annotated[int, typer.Option(min=1, metavar="N", help="No more than the latest N.")] = 20,
    as_json: Json = False,
) -> None:
    """List the latest letters, the latest first."""
    with house_of(ctx) as house:
        sights = _sent(house, limit) if out else _received(house, limit)
        zone = house.office.zone
    if as_json:
        document([{key: _plain(key, value) for key, value in sight.items()} for sight in sights])
    elif not sights:
        say("No letter is to go out yet." if out else "No letter has come in yet.")
    else:
        table(tuple(sights[0]), [[_cell(key, value, zone) for key, value in one.items()] for one in sights])


@app.command(
    epilog=example(
        "gm mail show 12",
        "gm mail show 12 --raw > letter.eml",
        "gm mail show 15 --out",
        then="The numbers are those of  gm mail list.",
    )
)
def show(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the letter.")],
    raw: Annotated[
        bool, typer.Option("--raw", help="The letter's own bytes; they may hold reply tokens and passwords.")
    ] = False,
    out: Out = False,
    as_json: Json = False,
) -> None:
    """Show a letter: what it says, what was decided about it and why, what was answered.

    Reply tokens and passwords are left out, but with --raw.
    """
    with house_of(ctx) as house:
        zone = house.office.zone
        sight, content = _letter_out(house, number) if out else _letter_in(house, number)
    if raw:
        _print_raw(content)
    elif as_json:
        document({key: _plain(key, value) for key, value in sight.items()})
    else:
        _print_letter(sight, zone)


def _received(house: House, limit: int) -> list[dict[str, Any]]:
    return [_head_in(one, open_letter(one.raw)) for one in inbox.list_letters(house.database, limit)]


def _sent(house: House, limit: int) -> list[dict[str, Any]]:
    return [_head_out(one, open_letter(one.sealed.raw)) for one in outbox.list_posted(house.database, limit)]


def _head_in(one: inbox.Shown, letter: Letter) -> dict[str, Any]:
    return {
        "number": one.number,
        "received": one.received,
        "from": one.speaker or letter.sender,
        "subject": veiled(letter.subject),
        "game": one.game,
        "seat": one.seat,
        "decided": one.disposition or "waiting",
        "why": None if one.why is None else veiled(one.why),
    }


def _head_out(one: outbox.Posted, letter: Letter) -> dict[str, Any]:
    return {
        "number": one.number,
        "written": one.created,
        "to": one.sealed.to,
        "subject": veiled(letter.subject),
        "game": one.sealed.game,
        "seat": one.sealed.seat,
        "state": one.state,
        "attempts": one.attempts,
        "why": one.why,
    }


def _letter_in(house: House, number: int) -> tuple[dict[str, Any], bytes]:
    one = inbox.show(house.database, number)
    if one is None:
        raise Refusal(f"letter {number}", "no letter of that number came in", "gm mail list  shows them")
    letter = open_letter(one.raw)
    answers = outbox.answers_to(house.database, number)
    sight = {
        **_head_in(one, letter),
        "handled": one.handled,
        "tries": one.tries,
        "defects": list(letter.defects),
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter),
        "answers": [_content_out(answer) for answer in answers],
    }
    return sight, one.raw


def _letter_out(house: House, number: int) -> tuple[dict[str, Any], bytes]:
    one = outbox.show(house.database, number)
    if one is None:
        raise Refusal(
            f"letter {number}", "no letter of that number went out", "gm mail list --out  shows them"
        )
    return _content_out(one), one.sealed.raw


def _content_out(one: outbox.Posted) -> dict[str, Any]:
    letter = open_letter(one.sealed.raw)
    return {
        **_head_out(one, letter),
        "settled": one.settled,
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter),
    }


def _print_letter(sight: dict[str, Any], zone: tzinfo) -> None:
    body = ("number", "text", "answers", "defects", "attachments", "tries")
    for key, value in sight.items():
        if key not in body and value is not None:
            say(f"{key + ':':<13} {spoken(value, zone) if key in _INSTANTS else value}")
    for key in ("defects", "attachments"):
        if sight.get(key):
            say(f"{key + ':':<13} {', '.join(sight[key])}")
    if sight.get("tries", 1) > 1:
        say(f"{'tries:':<13} {sight['tries']}")
    say("", sight["text"])
    for answer in sight.get("answers", ()):
        heading(f"Answered (letter {answer['number']} of gm mail list --out, {answer['state']}):")
        say("", answer["text"])


_INSTANTS = ("received", "handled", "written", "settled")


def _plain(key: str, value: Any) -> Any:
    if key == "answers":
        return [{inner: _plain(inner, one) for inner, one in answer.items()} for answer in value]
    return stamp(value) if key in _INSTANTS else value


def _cell(key: str, value: Any, zone: tzinfo) -> object:
    if key in _INSTANTS:
        return f"{moment(value, zone):%Y-%m-%d %H:%M}"
    return value.splitlines()[0] if key == "why" and value else value


def _print_raw(content: bytes) -> None:
    if sys.stdout.isatty():
        say(content.decode("utf-8", "replace"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
