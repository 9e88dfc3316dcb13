"""``gm mail``: the letters that came in and went out, and what any letter says."""

from __future__ import annotations

import json
import sys
from datetime import tzinfo
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator import kinds
from adjudicator.admin import quarantine
from adjudicator.cli import compose, look_mail
from adjudicator.cli.arguments import Json, example, noun
from adjudicator.cli.connect import config_of, house_of
from adjudicator.cli.judge import letter_at, position_in, seat_in
from adjudicator.cli.letterbox import attachments_of, text_of
from adjudicator.cli.output import document, heading, say
from adjudicator.clock import format_instant
from adjudicator.errors import Refusal
from adjudicator.inbound import dry_run, limits
from adjudicator.model.dispositions import DISPOSITIONS
from adjudicator.storage import inbox, outbox
from orders.mail import letter as opened

if TYPE_CHECKING:
    from adjudicator.service import Service

app = noun(
    "Read the letters that came in and went out, and see to those that were set aside.",
    "gm mail list",
    "gm mail show 12",
    "gm mail retry 12 --as iroquois",
    "gm mail list --out",
    "gm mail read letter.eml --kind indianomacy --seat iroquois",
)

app.add_typer(compose.app)

TEXT_NOT_KEPT = "(What it said is kept no longer: [keep] letters in gm.toml.)"
Out = Annotated[bool, typer.Option("--out", help="Of the letters that went out, or are to.")]


@app.command(
    "list",
    epilog=example(
        "gm mail list",
        "gm mail list --out --limit 50",
        "gm mail list --only quarantined",
        then="gm mail show NUMBER  (with --out for one of ours)  shows one of them.",
    ),
)
def list_letters(
    ctx: typer.Context,
    out: Out = False,
    limit: Annotated[
        int, typer.Option(min=1, metavar="N", help="No more than the latest N.")
    ] = look_mail.DEFAULT_LETTERS_LISTED,
    only: Annotated[
        str | None,
        typer.Option(metavar="STATE", help=f"Only those that are: {', '.join(DISPOSITIONS)}."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the latest letters, the latest first.

    Quarantined letters wait for you:  gm mail show  says why,  gm mail retry  has them read,  gm mail drop
    puts them away. Letters of those that went out are in one of: ready, sending, sent, failed, unsure.
    """
    states = outbox.STATES if out else DISPOSITIONS
    if only is not None and only not in states:
        raise typer.BadParameter(f"there are: {', '.join(states)}", param_hint="--only")
    look_mail.show_all(config_of(ctx), out=out, limit=limit, only=only, as_json=as_json)


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
        bool, typer.Option("--raw", help="The letter's own bytes; they may hold reply tokens.")
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
        document({key: look_mail.plain(key, value) for key, value in sight.items()})
    else:
        _print_letter(sight, zone)


@app.command(
    epilog=example(
        "gm mail retry 12",
        "gm mail retry 12 --as iroquois",
        "gm mail retry 12 --as beaver/iroquois",
        then="What was decided before and why:  gm mail show 12.",
    )
)
def retry(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the letter.")],
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Read it as that seat's, SEAT or GAME/SEAT."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Have a letter read again that was set aside or ignored.

    With --as it speaks for that seat by your word, whoever sent it and whatever its head says; its answer
    goes to the seat's own address. Without, all is asked of it that is asked of every letter.
    """
    with house_of(ctx) as house, house.database.session():
        shown = quarantine.retry(house, number, seat)
    _print_fate(shown, as_json)


@app.command(epilog=example("gm mail drop 12", then="It stays on the books, and is not shown as set aside."))
def drop(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the letter.")],
    as_json: Json = False,
) -> None:
    """Put a letter away that was set aside or ignored. Nobody is told."""
    with house_of(ctx) as house, house.database.session():
        shown = quarantine.drop(house, number)
    _print_fate(shown, as_json)


@app.command(
    epilog=example(
        "gm mail revive friend@example.net",
        then="gm status  shows the addresses that were given up.",
    )
)
def revive(
    ctx: typer.Context,
    address: Annotated[str, typer.Argument(metavar="ADDRESS", help="To which letters came back.")],
    as_json: Json = False,
) -> None:
    """Send letters again to an address that was given up, with those that have waited."""
    with house_of(ctx) as house, house.database.session():
        quarantine.revive(house, address)
    if as_json:
        document({"address": address, "given_up": False})
    else:
        say(f"Letters go to {address} again.")


@app.command(
    epilog=example(
        "gm mail read letter.eml --kind indianomacy --seat iroquois",
        "gm mail read one.eml two.eml --kind indianomacy --seat iroquois --lines",
        "gm mail read letter.eml --kind indianomacy --seat iroquois --why",
        then="The letter is read as if the seat had sent it in time. Nothing is stored or sent.",
    )
)
def read(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Letters as they came; - is standard input.")
    ],
    kind: Annotated[str, typer.Option(metavar="KIND", help="What is played: gm rules lists the kinds.")],
    seat: Annotated[str, typer.Option(metavar="SEAT", help="Whose letter it is taken for.")],
    position: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The position in JSON, as gm judge reads it; else the opening."),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="Several FILEs: one JSON document a line.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="What was weighed for each line: the candidates, and why one won.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Read a letter without doing anything: what each line is taken for, and why. Prints JSON."""
    if len(files) > 1 and not lines:
        raise typer.BadParameter("several letters want --lines", param_hint="FILE")
    game = kinds.find_kind(kind)
    there = position_in(game, position)
    whose = seat_in(there, seat)
    for raw in [letter_at(place) for place in files]:
        reading = dry_run.dry_run(raw, there, game, whose, weighed=why)
        if lines:
            typer.echo(json.dumps(reading, ensure_ascii=False))
        else:
            document(reading)


def _print_fate(shown: inbox.ShownLetter, as_json: bool) -> None:
    sight = look_mail.head_in(shown, opened.open_letter(limits.head_of(shown.raw)))
    if as_json:
        document({key: look_mail.plain(key, value) for key, value in sight.items()})
        return
    whose = f", for {sight['seat']} in {sight['game']}" if sight["seat"] else ""
    because = f" ({sight['why']})" if sight["why"] else ""
    say(f"Letter {shown.number}: {sight['decided']}{whose}{because}.")


def _letter_in(house: Service, number: int) -> tuple[dict[str, Any], bytes]:
    incoming = inbox.show(house.database, number)
    if incoming is None:
        raise Refusal(f"letter {number}", "no letter of that number came in", "gm mail list  shows them")
    letter = opened.open_letter(incoming.raw)
    answers = outbox.answers_to(house.database, number)
    sight = {
        **look_mail.head_in(incoming, letter),
        "handled": incoming.handled,
        "tries": incoming.tries,
        "defects": list(letter.defects),
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter) if incoming.raw else TEXT_NOT_KEPT,
        "answers": [_content_out(answer) for answer in answers],
    }
    return sight, incoming.raw


def _letter_out(house: Service, number: int) -> tuple[dict[str, Any], bytes]:
    outgoing = outbox.show(house.database, number)
    if outgoing is None:
        raise Refusal(
            f"letter {number}", "no letter of that number went out", "gm mail list --out  shows them"
        )
    return _content_out(outgoing), outgoing.sealed.raw


def _content_out(outgoing: outbox.OutboxLetter) -> dict[str, Any]:
    letter = opened.open_letter(outgoing.sealed.raw)
    return {
        **look_mail.head_out(outgoing, letter),
        "settled": outgoing.settled,
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter) if outgoing.sealed.raw else TEXT_NOT_KEPT,
    }


def _print_letter(sight: dict[str, Any], zone: tzinfo) -> None:
    body = ("number", "text", "answers", "defects", "attachments", "tries")
    for key, value in sight.items():
        if key not in body and value is not None:
            say(f"{key + ':':<13} {format_instant(value, zone) if key in look_mail.INSTANTS else value}")
    for key in ("defects", "attachments"):
        if sight.get(key):
            say(f"{key + ':':<13} {', '.join(sight[key])}")
    if sight.get("tries", 1) > 1:
        say(f"{'tries:':<13} {sight['tries']}")
    say("", sight["text"])
    for answer in sight.get("answers", ()):
        heading(f"Answered (letter {answer['number']} of gm mail list --out, {answer['state']}):")
        say("", answer["text"])


def _print_raw(content: bytes) -> None:
    if sys.stdout.isatty():
        say(content.decode("utf-8", "replace"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
