"""``gm init``: a service set up in a folder."""

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.output import document, say
from adjudicator.cli.service import INBOX, NewService, ServiceWishes, local_zone, set_up_service
from adjudicator.config.zones import zone_called
from adjudicator.errors import Refusal

LISTEN, FOLDER = "127.0.0.1:2525", "maildir:./mail/out"
app = alone()


@app.command(
    epilog=example(
        "gm init",
        "gm init --folder ~/games --address gm@example.org --yes",
        "gm init --address gm@example.org --inbox imaps://gm@imap.example.org --outbox smtps://gm@smtp.example.org",
        then="Afterwards begin a game:  gm game new indianomacy beaver",
    )
)
def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Where the service is to live.")] = Path("."),
    address: Annotated[
        str | None, typer.Option(help="The gamesmaster's mail address; gm@example.org does on one machine.")
    ] = None,
    local: Annotated[
        bool | None,
        typer.Option("--local/--no-local", help="With a mail server for programs on this machine."),
    ] = None,
    listen: Annotated[str, typer.Option(metavar="HOST:PORT", help="Where that server listens.")] = LISTEN,
    inbox: Annotated[
        str | None, typer.Option(metavar="URL", help="Where letters come in, if not into a folder here.")
    ] = None,
    outbox: Annotated[
        str | None, typer.Option(metavar="URL", help="Where letters go out, if not through that server.")
    ] = None,
    ca_file: Annotated[
        str | None, typer.Option(metavar="FILE", help="Authorities to trust for the servers' certificates.")
    ] = None,
    timezone: Annotated[
        str | None, typer.Option(help="In which deadlines are printed; else this machine's.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing, take the defaults.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a gm.toml that is there.")] = False,
    as_json: Json = False,
) -> None:
    """Set up a service: gm.toml, its mail folders, its database.

    Everything is tried out before gm.toml is written: both logins, folders, database, and the port. On a
    terminal you are asked for the address and where mail comes and goes, unless you have said so. Passwords
    are taken from the environment, as GM_IMAP_PASSWORD and GM_SMTP_PASSWORD.
    """
    named = ctx.find_root().params.get("config")
    place = Path(named).expanduser().resolve() if named else folder.expanduser().resolve() / "gm.toml"
    if place.exists() and not force:
        raise Refusal(str(place), "is there already", "gm init --force  writes over it")
    ask = _Asker(not yes and not as_json and sys.stdin.isatty())
    address = address or ask.text("The gamesmaster's address", "gm@example.org")
    if local is None:
        on_servers = (inbox or "").startswith("imap") and listen == LISTEN
        local = not on_servers and ask.whether("Serve mail programs on this machine", True)
    if not local:
        inbox = inbox or ask.text("Where letters come in", INBOX)
        outbox = outbox or ask.text("Where letters go out", FOLDER)
    wishes = ServiceWishes(
        address=address,
        timezone=zone_called("timezone", timezone, "--timezone {zone}") if timezone else local_zone(),
        listen=listen if local else None,
        inbox=inbox or INBOX,
        outbox=outbox,
        ca_file=ca_file,
        again=_again(ctx, named),
    )
    done = set_up_service(place, wishes)
    if as_json:
        tried, after = list(done.tried), list(_next(done))
        document({"config": str(done.config), "tried": tried, "left": done.left, "next": after})
    else:
        say(*(f"  works: {what}" for what in done.tried), f"Written: {done.config}", *done.told, "")
        say("Next:", *_next(done))


def _again(ctx: typer.Context, config: str | None) -> str:
    """Return the command as it was given, without --listen: what is written again if the port is taken."""
    words = ["gm", *(["--config", str(config)] if config else []), "init"]
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        source = ctx.get_parameter_source(param.name or "")
        if param.name == "listen" or source is None or source.name != "COMMANDLINE":
            continue
        if isinstance(value, bool):
            words.append((param.opts if value or not param.secondary_opts else param.secondary_opts)[0])
        else:
            words += [param.opts[0], str(value)]
    return shlex.join(words)


@dataclass(frozen=True)
class _Asker:
    """Asks, if there is somebody to ask; else takes the usual."""

    there: bool

    def text(self, question: str, usual: str) -> str:
        return str(typer.prompt(question, usual)) if self.there else usual

    def whether(self, question: str, usual: bool) -> bool:
        return typer.confirm(question, usual) if self.there else usual


def _next(done: NewService) -> tuple[str, ...]:
    usual = Path(os.environ.get("GM_CONFIG") or "gm.toml").resolve()
    where = "" if done.config == usual else f" --config {done.config}"
    steps = [
        f"  gm{where} game new indianomacy beaver",
        f"  gm{where} seat assign beaver iroquois you@example.org",
        f"  gm{where} serve",
    ]
    if done.listen:
        return (
            *steps,
            f"Then give a mail program on this machine the SMTP server {done.listen} (no TLS, no password).",
            f"It reads your letters from {done.config.parent / 'mail'}/you@example.org, which is a Maildir.",
        )
    if done.maildir is None:
        return (f"  gm{where} doctor", *steps)
    return (*steps, f"Have letters to the address delivered to {done.maildir}, a Maildir.")
