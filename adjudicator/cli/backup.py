"""``gm game export`` and ``import``, ``gm migrate``, ``gm backup`` and ``gm restore``."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from contextlib import ExitStack
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import backup, foreign_formats, transfer
from adjudicator.admin import backup as admin_backup
from adjudicator.admin import backup as backups
from adjudicator.admin import transfer as exports
from adjudicator.cli.arguments import GameName, Json, Yes, alone, confirm, example
from adjudicator.cli.connect import open_service, open_writable_store_of
from adjudicator.cli.output import document, pluralise, say
from adjudicator.cli.views import game_view
from adjudicator.clock import format_instant
from adjudicator.errors import Refusal
from adjudicator.storage import archive, database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.admin.backup import BackupSummary, RestorePlan


transfers_app = typer.Typer()


@transfers_app.command(
    epilog=example(
        "gm game export beaver --out beaver.json",
        "gm game export beaver --public --out beaver.json",
        "gm game export vienna --as judge",
        then=('"gm game import FILE" continues it elsewhere; "gm dice verify FILE" verifies its dice.'),
    )
)
def export(
    ctx: typer.Context,
    name: GameName,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where to write the file (default: standard output).")
    ] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Leave out players, everything secret, and the secret of the dice."),
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help=(
                "Write for another program: judge (results of the Ken Lowe Judge) or diplomacy "
                "(a saved game of that package)."
            ),
        ),
    ] = None,
    rows: Annotated[
        bool,
        typer.Option("--rows", help="Write the database rows of a game that can't be read."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a whole game to one JSON document: log, orders, dice, press, seats. See docs/gm.md.

    The file contains the secret of the dice and the players' addresses, so keep it to yourself. With --public
    you get a file for everyone, which ends at the last turn; it contains the secret only when the game is
    over. A suspended game is exported in the same way. If a game can't be read at all, --rows still saves it.
    With --as the file has turns, orders and results only.
    """
    if rows:
        with TemporaryFile() as file:
            with open_service(ctx) as service:
                transfer.write_rows(service, name, file.write)
            _put(file, out)
        facts = {"game": name, "file": str(out), "rows": True}
        _say_exported(out, facts, f"Wrote the database rows of {name} to {out}.", as_json)
        return
    if form is not None:
        with open_service(ctx) as service:
            text = foreign_formats.write_format(service, name, form)
        _put(BytesIO(text.encode()), out)
        facts = {"game": name, "file": str(out), "format": form}
        _say_exported(out, facts, f"Wrote {name} to {out} in the format of {form}.", as_json)
        return
    # A slow reader or a full disk mustn't block the database or damage an older file.
    with TemporaryFile() as file:
        with open_service(ctx) as service:
            count = transfer.write(service, name, file.write, public=public)
        _put(file, out)
    _say_exported(
        out,
        {"game": name, "file": str(out), "entries": count, "public": public},
        f"Wrote {name} to {out}, with {pluralise(count, 'entry', 'entries')} of its log.",
        as_json,
    )


def _say_exported(out: Path | None, facts: dict[str, Any], text: str, as_json: bool) -> None:
    """Print what was written to a file. Prints nothing if standard output has the document itself."""
    if out is None:
        return
    if as_json:
        document(facts)
    else:
        say(text)


@transfers_app.command(
    "import",
    epilog=example(
        "gm game import beaver.json",
        "gm game import beaver.json --tell",
        "gm game import saved.json --name vienna",
        then='"gm game replay GAME" verifies it again at any time.',
    ),
)
def bring_in(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=('A file from "gm game export", or another program\'s record; - is standard input.'),
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The name for a game of another program (default: the kind and a number)."
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="The kind of game (default: found from the file).")
    ] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="Email the players, who write to this service from now on.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Import a game from another installation as it is. Its log is replayed and compared first.

    End the game at the old place: the two installations don't know of each other. A deadline that has passed
    gets a new date. A record of another program is replayed with our rules; where the results differ, the
    record counts.
    """
    raw = contents(file)
    with open_service(ctx) as service:
        if exports.is_export(raw):
            whole = exports.read(raw, file)
        else:
            record = foreign_formats.import_record(service, _decode(raw, file), file, name, kind)
            whole = record.document
            _say_mended(record, as_json)
        position = transfer.bring_in(service, whole, tell=tell)
        zone = service.service_context.zone
    if as_json:
        document(game_view(position))
        return
    say(
        f"Imported {position.name}: {pluralise(len(whole.log), 'entry', 'entries')}, all positions identical."
    )
    if position.is_running and position.deadline is not None:
        say(f"Deadline: {format_instant(position.deadline, zone)}")
    if not tell:
        say("Its players got no email. Their next email from here has the new reply address.")


def contents(place: str) -> bytes:
    """Return the content of a file, or of standard input (-). Raises Refusal."""
    try:
        return sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
    except OSError as fault:
        raise Refusal(f"Can't read {place}", f"{fault.strerror}") from fault


def _put(document_file: IO[bytes], out: Path | None) -> None:
    """Print a finished document, or copy it to a file that nobody else can read."""
    alone = 0o600
    document_file.seek(0)
    if out is None:
        shutil.copyfileobj(document_file, typer.get_binary_stream("stdout"))
        return
    try:
        with open(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, alone), "wb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                os.fchmod(file.fileno(), alone)  # it may have been there before, open to others
            shutil.copyfileobj(document_file, file)
    except OSError as fault:
        raise Refusal(f"Can't write {out}", f"{fault.strerror}") from fault


def _decode(raw: bytes, place: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as fault:
        raise Refusal(f"Can't read {place}", "it isn't a UTF-8 text file") from fault


def _say_mended(record: foreign_formats.ImportedRecord, as_json: bool) -> None:
    if as_json:
        return
    for turn, text in record.mended:
        say(f"Before {turn} the record differs: {text}")
    for turn in record.missed:
        say(
            f"No orders are due in {turn} here, but the record has some. Check whether they are still needed."
        )
    if record.unused_orders:
        unused = pluralise(record.unused_orders, "order")
        say(f"{unused} for the current turn weren't imported. Ask the players to send them again.")


# ``gm migrate``: copy everything to another database.


migrate_app = alone()


@migrate_app.command(
    epilog=example(
        "gm migrate postgresql://turnpost:password@db.example.org/turnpost",
        "gm migrate turnpost.db",
        "gm migrate --stay",
        then='Afterwards, name the new database in gm.toml and start "gm serve" again.',
    )
)
def migrate(
    ctx: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]", help="The database to copy to: a file, or postgresql://user:password@host/name."
        ),
    ] = None,
    stopped: Annotated[
        bool, typer.Option("--stopped", help='Don\'t wait for "gm serve": you have just stopped it.')
    ] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Keep using this database, although it was copied elsewhere.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Copy everything to another database and verify it.

    Stop "gm serve" first. All tables are copied from SQLite to PostgreSQL or back, into an empty database. If
    it's interrupted, run the same command again to continue. Then everything is compared, and every game is
    replayed. The old database stays as it is, but the service won't run from it by mistake.
    """
    if stay == (url is not None):
        raise typer.BadParameter("name the database to copy to, or add --stay", param_hint="URL")
    with open_service(ctx, moved=True, other=url) as service:
        if url is None:
            backup.stay(service)
            if as_json:
                document({"moved": None})
            else:
                say("The service uses this database again.")
            return
        moved = backup.move(
            service, url, stopped=stopped, tell=_print_progress if sys.stderr.isatty() else _ignore_progress
        )
        file = service.settings.file
    if as_json:
        unproven = [{"game": name, "why": why} for name, why in moved.unproven]
        document({"moved": moved.to, "rows": moved.rows, "games": list(moved.games), "unproven": unproven})
        return
    if moved.resumed:
        say(f"{pluralise(moved.resumed, 'row')} had been copied before.")
    say(f"Copied {pluralise(len(moved.games), 'game')} ({pluralise(moved.rows, 'row')}) to {moved.to}.")
    say(*(f"The log of {name} fails verification in both databases: {why}" for name, why in moved.unproven))
    if len(moved.unproven) < len(moved.games):
        say(f"{pluralise(len(moved.games) - len(moved.unproven), 'game')} replayed: all positions identical.")
    say(
        "",
        f"Next: name the new database in {file}, in [service]:",
        f'  database = "{_mask_password(url)}"',
        'Then start "gm serve" again.',
    )


def _print_progress(done: int, of: int) -> None:
    typer.echo(f"\r{done} of {of} rows", nl=done >= of, err=True)


def _ignore_progress(_done: int, _of: int) -> None:
    """Print nothing, because there is no terminal."""


def _mask_password(url: str) -> str:
    """Return the URL with its password masked."""
    head, at, tail = url.rpartition("@")
    scheme, slashes, user = head.partition("://")
    name, colon, _ = user.partition(":")
    return f"{scheme}{slashes}{name}{colon}{'...' if colon else ''}{at}{tail}"


# ``gm restore``: restore a backup.


restore_app = alone()


@restore_app.command(
    epilog=example(
        "gm restore before-the-move.backup",
        "gm restore before-the-move.backup --yes --go",
        then='"gm doctor" checks the service; "gm game resume --all" resumes all games.',
    )
)
def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help='A file that "gm backup" wrote.')],
    yes: Yes = False,
    go: Annotated[
        bool, typer.Option("--go", help="Resume all games at once (default: they are paused).")
    ] = False,
    as_json: Json = False,
) -> None:
    """Replace the database with a backup.

    Stop "gm serve" first. Everything is checked before anything is written.

    If there is no gm.toml, you get the one from the backup and the files that it names. Files with passwords
    or tokens are never in a backup: they are listed as missing. The database may be of another kind than
    before. All games are paused, so that nothing runs before you have put back the emails that came in since
    the backup. The last lines say where those emails are. Each email counts for the turn it was meant for.
    """
    config = Path(ctx.find_root().params.get("config") or os.environ.get("GM_CONFIG") or "gm.toml")
    with ExitStack() as stack:
        backup = stack.enter_context(archive.open_backup(file))
        made = backups.read_made_at(backup)
        text, raw = admin_backup.find_settings(backup, config)
        if text is not None and (command := admin_backup.find_command(raw)) is not None:
            confirm(
                f"The gm.toml in the backup runs this for the database: {command}  Run it?", yes, "restore"
            )
        planned = admin_backup.plan_restore(backup, config)
        place = planned.settings.database
        if planned.elsewhere is not None:
            confirm(f"The gm.toml in the backup names the database {place}. Write there?", yes, "restore")
        store = (
            stack.enter_context(open_writable_store_of(planned.settings))
            if admin_backup.is_there(place)
            else None
        )
        if store is not None and not archive.is_fresh(store.database):
            question = f"Delete everything in the database and restore the backup of {backup.label['made']}?"
            confirm(question, yes, f"database {database.display_url(place)}")
        stack.enter_context(admin_backup.write_files(planned))
        if store is None:
            store = stack.enter_context(open_writable_store_of(planned.settings))
        kept = backups.restore_backup(store, backup, go=go)
    moves = admin_backup.list_moves(planned.settings)
    if as_json:
        document(_plain(kept, planned, moves))
        return
    if planned.config is not None:
        say(f"Wrote {config} as it was.")
    _say_restored(planned, kept)
    _say_next(kept, moves, admin_backup.local_time(made, planned.settings))


def _say_restored(planned: RestorePlan, kept: BackupSummary) -> None:
    say(*(f"{note}." for note in planned.notes))
    say(f"Restored {pluralise(len(kept.games), 'game')} of {kept.made} ({kept.rows} rows).")
    say(*(f"{note}." for note in kept.notes))
    say("Unsent emails of that time are sent again unless the mailbox has a copy of them.")
    if kept.paused:
        say(f"{pluralise(len(kept.paused), 'game')} paused: {', '.join(kept.paused)}. Players get an email.")
    if kept.put_off:
        say(f"These games begin in a day at the earliest: {', '.join(kept.put_off)}.")
    if planned.missing:
        say("", 'Files missing before "gm serve" can start:', *(f"  {file}." for file in planned.missing))


def _say_next(kept: BackupSummary, moves: Sequence[tuple[str, str, str]], since: str) -> None:
    steps = [f"Move the emails that came in since {since} back. Extra emails do no harm."]
    steps += [f"    {mailbox}: from {source} to {target}" for mailbox, source, target in moves]
    if kept.handed:
        steps.append("    Emails from gm receive are in no mailbox. Let your mail server deliver them again.")
    steps.append('Start "gm serve". It reads each email for the turn that it was meant for.')
    if kept.paused:
        steps.append("When it has read them, resume the games: gm game resume --all")
    say("", "Next:")
    numbers = count(1)
    say(*(step if step.startswith(" ") else f"  {next(numbers)}. {step}" for step in steps))


def _plain(
    kept: BackupSummary, planned: RestorePlan, moves: Sequence[tuple[str, str, str]]
) -> dict[str, Any]:
    return {
        "file": str(kept.file),
        "made": kept.made,
        "rows": kept.rows,
        "games": list(kept.games),
        "folders": list(kept.notes),
        "files": list(planned.notes),
        "missing": list(planned.missing),
        "paused": list(kept.paused),
        "put_off": list(kept.put_off),
        "move_back": [{"mailbox": box, "from": source, "to": target} for box, source, target in moves],
    }


# ``gm backup``: write everything to one file.


backup_app = alone()


@backup_app.command(
    "backup",
    epilog=example(
        "gm backup",
        "gm backup before-the-move.backup",
        then='"gm restore FILE" restores it, here or elsewhere.',
    ),
)
def write_backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE", help="Where to write the backup (default: a name with the date and time)."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write everything to one file: games, emails, secrets, gm.toml, variants.

    The backup includes the certificate files that gm.toml names, but no files with passwords or tokens. You
    can make it while "gm serve" runs: it shows one moment. Keep the file where nobody else can read it.
    """
    with open_service(ctx) as service:
        kept = backups.back_up(service, file)
    if as_json:
        document({"file": str(kept.file), "made": kept.made, "rows": kept.rows, "games": list(kept.games)})
    else:
        say(f"Wrote {pluralise(len(kept.games), 'game')} and all emails to {kept.file} ({kept.rows} rows).")
