"""``gm receive``: one letter out of a mail server's pipe, on the books or left to that server.

Exit codes are those that mail servers know (sysexits.h): 0, EX_DATAERR, EX_TEMPFAIL. At the last, and at no
other, every mail server keeps the letter and tries again; so it stands for all that somebody may yet mend,
gm.toml and the command line included. Returned letters would tell players of the gamesmaster's slips.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from typer.core import TyperCommand
from typer.exceptions import TyperException

from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import clean, document, say
from adjudicator.errors import Fault, Refusal
from adjudicator.mail import maildir

if TYPE_CHECKING:
    from adjudicator.service import Service

EX_USAGE, EX_DATAERR, EX_TEMPFAIL = 64, 65, 75
MISCONFIGURED, UNAVAILABLE = "4.3.5", "4.3.0"
"""What Postfix takes for the reason, where a program's words begin with it (RFC 3463 §3.4)."""

CHUNK_BYTES = 64 * 1024
Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Piped(TyperCommand):
    """A command whose wrong usage is no reason to return a letter that waits on standard input."""

    def make_context(self, *words: Any, **attributes: Any) -> Any:
        """As in a command; the fault of what is not understood carries the exit code for a mail server."""
        try:
            return super().make_context(*words, **attributes)
        except TyperException as fault:
            if not typer.get_binary_stream("stdin").isatty():
                fault.exit_code = EX_TEMPFAIL
            raise


app = alone()


@app.command(
    cls=Piped,
    epilog=example(
        "gm receive < letter.eml",
        "gm --config /var/lib/turnpost/gm.toml receive",
        "gm receive --process --send < letter.eml",
        then="deploy/mta has what Postfix and Exim need to hand letters over. gm mail list  shows what came.",
    ),
)
def receive(
    ctx: typer.Context,
    process: Annotated[
        bool, typer.Option("--process", help="Read it now, and play what is due; else  gm serve  does.")
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Send now what is ready to go out; else  gm serve  does.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take one letter from standard input: for a mail server's pipe.

    So letters come in without IMAP, where the mail server is your own.

    A letter arrived when it is taken: that counts for deadlines. What is on the books already, were it by
    way of the mailbox, is not taken twice. Of a letter no more than 10 MB are kept.

    Exit codes: 0 it is on the books; 65 nothing came; 64 standard input is a terminal; 75 it is not on the
    books, whatever the reason: the mail server is to keep it and try again.
    """
    if typer.get_binary_stream("stdin").isatty():
        typer.echo("A letter is read from standard input:  gm receive < letter.eml", err=True)
        raise typer.Exit(EX_USAGE)
    raw = _letter()
    with ExitStack() as open_things:
        taken = _attempt(lambda: _take(ctx, raw, open_things))
        if isinstance(taken, Failure):
            typer.echo(taken.said, err=True)
            raise typer.Exit(EX_TEMPFAIL)
        if as_json:
            document({"new": taken.new})
        else:
            say("The letter is on the books." if taken.new else "The letter was on the books already.")
        for wanted, work in ((process, taken.house.process), (send, taken.house.send)):
            failure = _attempt(work) if wanted else None
            if isinstance(failure, Failure):
                typer.echo(failure.said, err=True)


@dataclass(frozen=True)
class ReceivedLetter:
    """A letter that is stored. new: it was not stored before."""

    house: Service
    new: bool


@dataclass(frozen=True)
class Failure:
    """A failure, in words that begin with a status for the mail server."""

    said: str


def _letter() -> bytes:
    """All of standard input that is kept. It is read to its end: a pipe that breaks would be a failure."""
    stream = typer.get_binary_stream("stdin")
    raw = stream.read(maildir.SIZE_LIMIT_BYTES)
    while stream.read(CHUNK_BYTES):
        pass
    if not raw.strip():
        typer.echo("Nothing came on standard input: there is no letter to take.", err=True)
        raise typer.Exit(EX_DATAERR)
    return raw


def _take(ctx: typer.Context, raw: bytes, open_things: ExitStack) -> ReceivedLetter:
    house = open_things.enter_context(house_of(ctx))
    return ReceivedLetter(house, house.receive(raw))


def _attempt(work: Callable[[], Result]) -> Result | Failure:
    try:
        return work()
    except (Refusal, Fault) as fault:
        status = MISCONFIGURED if isinstance(fault, Refusal) else UNAVAILABLE
        instead = getattr(fault, "instead", None)
        reason = f"{fault.what}: {fault.why}" + (f"; {instead}" if instead else "")
        return Failure(f"{status} {' '.join(clean(reason).split())}")
    except Exception:  # a fault of ours costs time, and no letter
        log.exception("gm receive")
        return Failure(f"{UNAVAILABLE} the program failed; the lines above say how")
