"""``gm mail``, ``gm receive`` and ``gm press``: incoming and outgoing emails, and press."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from adjudicator import game_kinds
from adjudicator.admin import game_admin, overrides, seats
from adjudicator.admin import seats as admin_seats
from adjudicator.auth import reply_tokens as reply_keys
from adjudicator.auth import tokens
from adjudicator.cli import connect, views
from adjudicator.cli.arguments import GameName, Json, alone, example, noun
from adjudicator.cli.connect import config_of, open_service
from adjudicator.cli.judge import letter_at, position_in, seat_in
from adjudicator.cli.output import clean, document, heading, moment, pluralise, say
from adjudicator.clock import format_instant
from adjudicator.errors import Fault, Refusal, error_text
from adjudicator.inbound import dry_run
from adjudicator.mail import maildir
from adjudicator.model.mail import DISPOSITIONS
from adjudicator.storage import inbox, outbox
from games import record
from orders.mail import headers, html_rows
from orders.mail import letter as opened

if TYPE_CHECKING:
    from adjudicator.model.people import Press
    from adjudicator.service import Service
    from orders.mail.letter import Letter


# ``gm mail compose``: write an email of the GM to players of a game.


compose_app = typer.Typer()


@compose_app.command(
    "compose",
    epilog=example(
        'gm mail compose beaver --subject "A pause" --text "We go on after the holidays."',
        'gm mail compose beaver iroquois dakota --subject "Your treaty" < email.txt',
        then='"gm serve" or "gm run send" sends it; "gm mail list --out" shows it.',
    ),
)
def compose(
    ctx: typer.Context,
    game: GameName,
    seats: Annotated[
        list[str] | None,
        typer.Argument(metavar="SEAT...", help="The seats to write to (default: all players)."),
    ] = None,
    subject: Annotated[str, typer.Option(metavar="TEXT", help="The subject of the email.", prompt=True)] = "",
    text: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="The text of the email (default: read from standard input)."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Email the players of a game yourself. An empty line begins a new paragraph.

    Each email comes from the service, and players can reply to it with orders. Observers don't get it; use
    "gm press" to reach them too.
    """
    if text is None:
        if sys.stdin.isatty():
            say("Write the email. Ctrl-D ends it.")
        text = sys.stdin.read()
    with open_service(ctx) as service:
        letters = admin_seats.send_letter(service, game, seats or (), subject, text)
    if as_json:
        document(
            [{"seat": letter.seat, "to": letter.to, "subject": letter.subject.strip()} for letter in letters]
        )
    else:
        readers = ", ".join(str(letter.seat) for letter in letters)
        say(f"{pluralise(len(letters), 'email')} ready to be sent: {readers}.")


mail_app = noun(
    "List, read and retry incoming and outgoing emails, including quarantined ones.",
    "gm mail list",
    "gm mail show 12",
    "gm mail retry 12 --as iroquois",
    "gm mail list --out",
    "gm mail read email.eml --kind indianomacy --seat iroquois",
)

mail_app.add_typer(compose_app)

TEXT_NOT_KEPT = "(The text is no longer kept: see [keep] letters in gm.toml.)"
Out = Annotated[bool, typer.Option("--out", help="Use the outgoing emails.")]


@mail_app.command(
    "list",
    epilog=example(
        "gm mail list",
        "gm mail list --out --limit 50",
        "gm mail list --only quarantined",
        then='"gm mail show NUMBER" shows one of them (add --out for outgoing emails).',
    ),
)
def list_letters(
    ctx: typer.Context,
    out: Out = False,
    limit: Annotated[
        int, typer.Option(min=1, metavar="N", help="Show at most the latest N emails.")
    ] = views.DEFAULT_LETTERS_LISTED,
    only: Annotated[
        str | None,
        typer.Option(metavar="STATE", help=f"Only those that are: {', '.join(DISPOSITIONS)}."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the latest emails, the newest first.

    Quarantined emails wait for you: "gm mail show" says why, "gm mail retry" reads them again, and "gm mail
    drop" discards them. An outgoing email is in one of these states: ready, sending, sent, failed, unsure.
    """
    states = outbox.STATES if out else DISPOSITIONS
    if only is not None and only not in states:
        raise typer.BadParameter(f"use one of: {', '.join(states)}", param_hint="--only")
    views.show_emails(config_of(ctx), out=out, limit=limit, only=only, as_json=as_json)


@mail_app.command(
    "show",
    epilog=example(
        "gm mail show 12",
        "gm mail show 12 --raw > email.eml",
        "gm mail show 15 --out",
        then='"gm mail list" shows the numbers.',
    ),
)
def show_email(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the email.")],
    raw: Annotated[
        bool, typer.Option("--raw", help="Print the email as it is; it may contain reply tokens.")
    ] = False,
    out: Out = False,
    as_json: Json = False,
) -> None:
    """Show an email: its text, the decision about it and why, and our replies.

    Reply tokens and passwords are hidden, unless you add --raw.
    """
    with open_service(ctx) as service:
        zone = service.service_context.zone
        details, content = _letter_out(service, number) if out else _letter_in(service, number)
    if raw:
        _print_raw(content)
    elif as_json:
        document(details)
    else:
        _print_letter(details, zone)


@mail_app.command(
    epilog=example(
        "gm mail retry 12",
        "gm mail retry 12 --as iroquois",
        "gm mail retry 12 --as beaver/iroquois",
        then='"gm mail show 12" shows the earlier decision and its reason.',
    )
)
def retry(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the email.")],
    seat: Annotated[
        str | None,
        typer.Option("--as", metavar="SEAT", help="Read the email as sent by this seat: SEAT or GAME/SEAT."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read a quarantined or ignored email again.

    With --as the email counts as sent by that seat, on your authority, and the reply goes to the seat's own
    address. Without --as the email must pass all the usual checks.
    """
    with open_service(ctx) as service, service.database.session():
        shown = overrides.retry(service, number, seat)
    _print_fate(shown, as_json)


@mail_app.command(
    epilog=example(
        "gm mail drop 12", then="The email stays in the database but no longer counts as quarantined."
    )
)
def drop(
    ctx: typer.Context,
    number: Annotated[int, typer.Argument(metavar="N", help="The number of the email.")],
    as_json: Json = False,
) -> None:
    """Discard a quarantined or ignored email. Nobody gets an email."""
    with open_service(ctx) as service, service.database.session():
        shown = overrides.drop(service, number)
    _print_fate(shown, as_json)


@mail_app.command(
    epilog=example(
        "gm mail revive friend@example.net",
        then='"gm status" shows the addresses whose delivery is disabled.',
    )
)
def revive(
    ctx: typer.Context,
    address: Annotated[
        str, typer.Argument(metavar="ADDRESS", help="The address whose emails were undeliverable.")
    ],
    as_json: Json = False,
) -> None:
    """Re-enable delivery to an address that was disabled, and send what has waited."""
    with open_service(ctx) as service, service.database.session():
        overrides.revive(service, address)
    if as_json:
        document({"address": address, "given_up": False})
    else:
        say(f"Delivery to {address} is enabled again.")


@mail_app.command(
    epilog=example(
        "gm mail read email.eml --kind indianomacy --seat iroquois",
        "gm mail read one.eml two.eml --kind indianomacy --seat iroquois --lines",
        "gm mail read email.eml --kind indianomacy --seat iroquois --why",
        then=("The email is read as if the seat had sent it in time. Nothing is stored or sent."),
    )
)
def read(
    ctx: typer.Context,
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files with one email each; - is standard input.")
    ],
    kind: Annotated[str, typer.Option(metavar="KIND", help='The game to play; "gm rules" lists them.')],
    seat: Annotated[str, typer.Option(metavar="SEAT", help="The seat that sent the email.")],
    position: Annotated[
        str | None,
        typer.Option(metavar="FILE", help='A position in JSON, as for "gm judge" (default: the opening).'),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Read several files, and print one JSON document per line.")
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Also show the candidates for each line and why one won.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Show how an email would be read, line by line and why, as JSON. Nothing is changed."""
    if len(files) > 1 and not lines:
        raise typer.BadParameter("add --lines to read several emails", param_hint="FILE")
    connect.use_own_variants(ctx)
    game = game_kinds.find_kind(kind)
    there = position_in(game, position)
    whose = seat_in(there, seat)
    for raw in [letter_at(place) for place in files]:
        reading = dry_run.dry_run(raw, there, game, whose, weighed=why)
        if lines:
            typer.echo(json.dumps(reading, ensure_ascii=False))
        else:
            document(reading)


def _print_fate(shown: inbox.ShownLetter, as_json: bool) -> None:
    details = views.head_in(shown, opened.open_letter(headers.block_of(shown.raw)))
    if as_json:
        document(details)
        return
    whose = f", for {details['seat']} in {details['game']}" if details["seat"] else ""
    because = f" ({details['why']})" if details["why"] else ""
    say(f"Email {shown.number}: {details['decided']}{whose}{because}.")


def _letter_in(service: Service, number: int) -> tuple[dict[str, Any], bytes]:
    incoming = inbox.show(service.database, number)
    if incoming is None:
        raise Refusal(f"No incoming email {number}", "", 'Use "gm mail list" to see them')
    letter = opened.open_letter(incoming.raw)
    answers = outbox.answers_to(service.database, number)
    details = {
        **views.head_in(incoming, letter),
        "handled": moment(incoming.handled),
        "tries": incoming.tries,
        "defects": list(letter.defects),
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter) if incoming.raw else TEXT_NOT_KEPT,
        "answers": [_content_out(answer) for answer in answers],
    }
    return details, incoming.raw


def _letter_out(service: Service, number: int) -> tuple[dict[str, Any], bytes]:
    outgoing = outbox.show(service.database, number)
    if outgoing is None:
        raise Refusal(f"No outgoing email {number}", "", 'Use "gm mail list --out" to see them')
    return _content_out(outgoing), outgoing.sealed.raw


def _content_out(outgoing: outbox.OutboxLetter) -> dict[str, Any]:
    letter = opened.open_letter(outgoing.sealed.raw)
    return {
        **views.head_out(outgoing, letter),
        "settled": moment(outgoing.settled),
        "attachments": list(attachments_of(letter)),
        "text": text_of(letter) if outgoing.sealed.raw else TEXT_NOT_KEPT,
    }


def _print_letter(details: dict[str, Any], zone: tzinfo) -> None:
    body = ("number", "text", "answers", "defects", "attachments", "tries")
    for key, value in details.items():
        if key not in body and value is not None:
            is_time = isinstance(value, datetime)
            shown = format_instant(round(value.timestamp() * 1000), zone) if is_time else value
            say(f"{key + ':':<13} {shown}")
    for key in ("defects", "attachments"):
        if details.get(key):
            say(f"{key + ':':<13} {', '.join(details[key])}")
    if details.get("tries", 1) > 1:
        say(f"{'tries:':<13} {details['tries']}")
    say("", details["text"])
    for answer in details.get("answers", ()):
        heading(f"Reply (email {answer['number']} of gm mail list --out, {answer['state']}):")
        say("", answer["text"])


def _print_raw(content: bytes) -> None:
    if sys.stdout.isatty():
        say(content.decode("utf-8", "replace"))
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()


# ``gm receive``: store one email from a mail server's pipe, or leave it to that server.
# Exit codes are those that mail servers know (sysexits.h): 0, EX_DATAERR, EX_TEMPFAIL. Only for the last,
# every mail server keeps the email and tries again. So it covers every error that someone can still fix, even
# in gm.toml and on the command line. Returned emails would tell players of the GM's mistakes.


EX_USAGE, EX_DATAERR, EX_TEMPFAIL = 64, 65, 75
MISCONFIGURED, UNAVAILABLE = "4.3.5", "4.3.0"
"""Status codes that Postfix uses as the reason if a program's output begins with them (RFC 3463 §3.4)."""

CHUNK_BYTES = 64 * 1024
Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Piped(TyperCommand):
    """A command that keeps the email on standard input in the queue even if its usage is wrong."""

    def make_context(self, *words: Any, **attributes: Any) -> Any:
        """As in a command, but the error for wrong usage has the exit code for a mail server."""
        try:
            return super().make_context(*words, **attributes)
        except TyperException as fault:
            if not typer.get_binary_stream("stdin").isatty():
                fault.exit_code = EX_TEMPFAIL
            raise


receive_app = alone()


@receive_app.command(
    cls=Piped,
    epilog=example(
        "gm receive < email.eml",
        "gm --config /var/lib/turnpost/gm.toml receive",
        "gm receive --process --send < email.eml",
        then=('deploy/mta has the settings for Postfix and Exim. "gm mail list" shows the emails received.'),
    ),
)
def receive(
    ctx: typer.Context,
    process: Annotated[
        bool,
        typer.Option(
            "--process", help='Read the email now and process turns that are due (default: "gm serve" does).'
        ),
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help='Send the emails that are ready (default: "gm serve" does).')
    ] = False,
    as_json: Json = False,
) -> None:
    """Receive one email from standard input, for a mail server's pipe.

    Use it to get email without IMAP if you run your own mail server.

    The time of receipt counts for deadlines. An email that is in the database already, for example from the
    mailbox, isn't stored again. At most 10 MB of an email are stored.

    Exit codes: 0 stored; 65 nothing came; 64 standard input is a terminal; 75 not stored, for any reason: the
    mail server must keep the email and try again.
    """
    if typer.get_binary_stream("stdin").isatty():
        typer.echo("gm receive reads an email from standard input. Type: gm receive < email.eml", err=True)
        raise typer.Exit(EX_USAGE)
    raw = _letter()
    with ExitStack() as open_things:
        taken = _attempt(lambda: _store_letter(ctx, raw, open_things))
        if isinstance(taken, MailServerReply):
            typer.echo(taken.text, err=True)
            raise typer.Exit(EX_TEMPFAIL)
        if as_json:
            document({"new": taken.new})
        else:
            say("The email is in the database." if taken.new else "The email was in the database already.")
        for wanted, work in ((process, taken.service.process), (send, taken.service.send)):
            failure = _attempt(work) if wanted else None
            if isinstance(failure, MailServerReply):
                typer.echo(failure.text, err=True)


@dataclass(frozen=True)
class ReceivedLetter:
    """A stored email. new: it wasn't stored before."""

    service: Service
    new: bool


@dataclass(frozen=True)
class MailServerReply:
    """The words for the mail server about a failure. They begin with a status."""

    text: str


def _letter() -> bytes:
    """Return the part of standard input to store. Reads all of it, because a broken pipe is a failure."""
    stream = typer.get_binary_stream("stdin")
    raw = stream.read(maildir.SIZE_LIMIT_BYTES)
    while stream.read(CHUNK_BYTES):
        pass
    if not raw.strip():
        typer.echo("No email came on standard input.", err=True)
        raise typer.Exit(EX_DATAERR)
    return raw


def _store_letter(ctx: typer.Context, raw: bytes, open_things: ExitStack) -> ReceivedLetter:
    service = open_things.enter_context(open_service(ctx))
    return ReceivedLetter(service, service.receive(raw))


def _attempt(work: Callable[[], Result]) -> Result | MailServerReply:
    try:
        return work()
    except (Refusal, Fault) as fault:
        status = MISCONFIGURED if isinstance(fault, Refusal) else UNAVAILABLE
        instead = getattr(fault, "instead", None)
        reason = error_text(fault.what, fault.why, instead)
        return MailServerReply(f"{status} {' '.join(clean(reason).split())}")
    except Exception:  # our bug costs time, but no email
        log.exception("gm receive")
        return MailServerReply(f"{UNAVAILABLE} the program failed; the lines above say how")


# ``gm press``: show and send press.


press_app = noun(
    "Send press to the players of a game, and read their press.",
    'gm press send beaver "The deadline moves to Friday."',
    "gm press show beaver",
)


@press_app.command(
    epilog=example(
        'gm press send beaver "The deadline moves to Friday."',
        'gm press send beaver --to iroquois --to dakota "Please read the rules on canoes."',
        "gm press send beaver - < notice.txt",
        then='"gm serve" or "gm run send" sends it. It is also in the next report.',
    )
)
def send(
    ctx: typer.Context,
    game: GameName,
    text: Annotated[
        str, typer.Argument(metavar="TEXT|-", help="The text of the press; - is standard input.")
    ],
    to: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT", help="The seat to write to (default: all). May be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Send press to the players and observers of a game, as the GM."""
    content = sys.stdin.read() if text == "-" else text
    with open_service(ctx) as service:
        press = seats.write(service, game, to or (), content)
    if as_json:
        document(_sight(press))
    else:
        say(f"{press.heading}: ready to be sent.")


@press_app.command(
    "show",
    epilog=example("gm press show beaver", then="Press is secret: only its authors and readers may know it."),
)
def show_press(ctx: typer.Context, game: GameName, as_json: Json = False) -> None:
    """Show all press of a game with its authors, signed or not."""
    with open_service(ctx) as service:
        game_admin.position_of(service, game)
        keys, zone = (
            reply_keys.reply_tokens_of_game(game, service.repository, service.service_context),
            service.service_context.zone,
        )
        dispatches = [
            record.replace_fields(dispatch, text=keys.redact(dispatch.text))
            for dispatch in service.repository.people.press(game)
        ]
    if as_json:
        document([_sight(press) for press in dispatches])
    elif not dispatches:
        say(f"There is no press in {game} yet.")
    for press in dispatches if not as_json else ():
        to = ", ".join(press.to) if press.to else "all"
        whom = f"{press.seat or 'the GM'} to {to} ({press.kind})"
        heading(f"{press.turn}, {format_instant(press.at, zone)}: {whom}")
        say(press.text)


def _sight(press: Press) -> dict[str, object]:
    """Return a piece of press. from: null is the GM. to: null is everyone."""
    return {
        "turn": press.turn,
        "at": moment(press.at),
        "from": press.seat,
        "to": None if press.to is None else list(press.to),
        "kind": press.kind,
        "text": press.text,
    }


# Emails as the GM reads them, without the tokens that let someone act for a seat.


def text_of(letter: Letter) -> str:
    """Return the plain text of an email, or that of its HTML if it has none. Tokens are hidden."""
    texts = [part.text for part in letter.parts if part.kind == "plain"]
    if not any(text.strip() for text in texts):
        pages = [part.text for part in letter.parts if part.kind == "html"]
        texts = ["\n".join("> " * row.depth + row.text for row in html_rows.rows_of(page)) for page in pages]
    return tokens.redact_text(clean("\n".join(texts))).strip("\n")


def attachments_of(letter: Letter) -> tuple[str, ...]:
    """Return the names of an email's attachments."""
    return tuple(part.name for part in letter.parts if part.kind == "attachment")
