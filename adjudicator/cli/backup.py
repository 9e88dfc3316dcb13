"""``gm game export`` and ``import``: a game as one document, our own or another program's."""

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
        then="gm game import FILE  takes it up elsewhere; gm dice verify FILE  proves its dice.",
    )
)
def export(
    ctx: typer.Context,
    name: GameName,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; else it is printed.")] = None,
    public: Annotated[
        bool,
        typer.Option("--public", help="Leave out people and what only some may know, and the dice secret."),
    ] = False,
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="FORMAT",
            help="For another program: judge (the results of the Ken Lowe Judge), diplomacy (that package's "
            "saved game).",
        ),
    ] = None,
    rows: Annotated[
        bool,
        typer.Option("--rows", help="All rows of the game as they are, where it cannot be read otherwise."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a whole game as one JSON document: log, orders, dice, press, seats. docs/gm.md tells of it.

    It holds the secret of the dice and the addresses of players: keep it to yourself, or take --public, which
    is for everybody and ends at the last turn that was played; the secret is in that once the game is over.
    A game that is held is written likewise; one that cannot be read at all, with --rows, to be kept.
    With --as there are turns, orders and results in it, and nothing else. The file is for you alone to read.
    """
    if rows:
        with TemporaryFile() as file:
            with open_service(ctx) as service:
                transfer.write_rows(service, name, file.write)
            _put(file, out)
        if out is not None and as_json:
            document({"game": name, "file": str(out), "rows": True})
        elif out is not None:
            say(f"The rows of {name} are in {out}, as they are.")
        return
    if form is not None:
        with open_service(ctx) as service:
            text = foreign_formats.write_format(service, name, form)
        _put(BytesIO(text.encode()), out)
        if out is not None and as_json:
            document({"game": name, "file": str(out), "format": form})
        elif out is not None:
            say(f"{name} is in {out}, as {form} has it.")
        return
    # Where a reader is slow, or the disk full, neither the database nor an older file may suffer from it.
    with TemporaryFile() as file:
        with open_service(ctx) as service:
            count = transfer.write(service, name, file.write, public=public)
        _put(file, out)
    if out is None:
        return
    if as_json:
        document({"game": name, "file": str(out), "entries": count, "public": public})
    else:
        say(f"{name} is in {out}: {pluralise(count, 'entry', 'entries')} of its log.")


@transfers_app.command(
    "import",
    epilog=example(
        "gm game import beaver.json",
        "gm game import beaver.json --tell",
        "gm game import saved.json --name vienna",
        then="gm game replay GAME  proves it again at any time.",
    ),
)
def bring_in(
    ctx: typer.Context,
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="What gm game export wrote, or another program's record (see there); - is standard input.",
        ),
    ],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What to call a game of another program; else kind and number."),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="What it is a game of, if that is not found out.")
    ] = None,
    tell: Annotated[
        bool, typer.Option("--tell", help="Write to its players, who answer to this service from now on.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Take a game over from another installation, as it stands. Its log is played again and compared first.

    End it there: the two do not know of each other. A deadline that is over is set anew. A record of another
    program is played again by our rules; where it comes out otherwise, the record counts.
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
    say(f"{position.name} is here: {pluralise(len(whole.log), 'entry', 'entries')}, all states identical.")
    if position.is_running and position.deadline is not None:
        say(f"Deadline: {format_instant(position.deadline, zone)}")
    if not tell:
        say("Its players were told nothing; their next letter from here has the new reply address.")


def contents(place: str) -> bytes:
    """Return the content of a file, or of standard input (-). Raises Refusal."""
    try:
        return sys.stdin.buffer.read() if place == "-" else Path(place).read_bytes()
    except OSError as fault:
        raise Refusal(f"Can't read {place}", f"{fault.strerror}") from fault


def _put(document_file: IO[bytes], out: Path | None) -> None:
    """Print a document that was written, or copy it into a file that nobody else can read."""
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
        say(f"Before {turn} the record has it otherwise:  {text}")
    for turn in record.missed:
        say(
            f"Nobody has anything to order in {turn} here; look whether what was ordered there is still owed."
        )
    if record.unused_orders:
        unused = pluralise(record.unused_orders, "order")
        say(f"{unused} for the present turn are not taken: have them sent again.")


# ``gm migrate``: move everything into another database.


migrate_app = alone()


@migrate_app.command(
    epilog=example(
        "gm migrate postgresql://turnpost:password@db.example.org/turnpost",
        "gm migrate turnpost.db",
        "gm migrate --stay",
        then="Name the database in gm.toml afterwards, and start  gm serve  again.",
    )
)
def migrate(
    ctx: typer.Context,
    url: Annotated[
        str | None,
        typer.Argument(metavar="[URL]", help="Where to: a file, or postgresql://user:password@host/name."),
    ] = None,
    stopped: Annotated[
        bool, typer.Option("--stopped", help="Nobody serves, though somebody did until just now.")
    ] = False,
    stay: Annotated[
        bool, typer.Option("--stay", help="Serve from these books after all, which were moved elsewhere.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Move all books into another database, and prove every game there.

    Stop  gm serve  first. From SQLite to PostgreSQL or back, every table, into a database that is empty. What
    breaks off goes on where it was if the same is typed again. Then all is compared, and every game is
    played again. The old books stay as they are, but nobody serves from them by mistake.
    """
    if stay == (url is not None):
        raise typer.BadParameter("name the database to copy to, or add --stay", param_hint="URL")
    with open_service(ctx, moved=True, other=url) as service:
        if url is None:
            backup.stay(service)
            if as_json:
                document({"moved": None})
            else:
                say("These books are served from again.")
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
        say(f"{pluralise(moved.resumed, 'row')} were there already, from the first try.")
    say(f"{pluralise(len(moved.games), 'game')}, {pluralise(moved.rows, 'row')} in all, are in {moved.to}.")
    say(*(f"The log of {name} does not hold, here as there: {why}" for name, why in moved.unproven))
    if len(moved.unproven) < len(moved.games):
        say(
            f"{pluralise(len(moved.games) - len(moved.unproven), 'game')} played again: every state "
            f"identical."
        )
    say(
        "",
        f"Now name it in {file}, in [service]:",
        f'  database = "{_mask_password(url)}"',
        "and start  gm serve  again.",
    )


def _print_progress(done: int, of: int) -> None:
    typer.echo(f"\r{done} of {of} rows", nl=done >= of, err=True)


def _ignore_progress(_done: int, _of: int) -> None:
    """Print nothing, because nobody looks at a terminal."""


def _mask_password(url: str) -> str:
    """Return the URL with its password left out."""
    head, at, tail = url.rpartition("@")
    scheme, slashes, user = head.partition("://")
    name, colon, _ = user.partition(":")
    return f"{scheme}{slashes}{name}{colon}{'...' if colon else ''}{at}{tail}"


# ``gm restore``: put back what a backup holds.


restore_app = alone()


@restore_app.command(
    epilog=example(
        "gm restore before-the-move.backup",
        "gm restore before-the-move.backup --yes --go",
        then="gm doctor  checks the service;  gm game resume --all  starts the clocks again.",
    )
)
def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What gm backup wrote.")],
    yes: Yes = False,
    go: Annotated[
        bool, typer.Option("--go", help="Let the clocks of all games run on; without it they are stopped.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of all that is in the database.

    Stop  gm serve  first. Everything is checked before anything is written.

    Where there is no gm.toml, the one in the backup is written, with the files that it names. Files that hold
    passwords or tokens are in no backup: they are named as missing. The database may be of another kind than
    before. All games are paused, so that nothing runs before you have moved the emails back that came in
    since the backup: the last lines say from which folder. Each is read for the turn that it was for.
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
            confirm(f"The gm.toml in the backup puts the database in {place}. Write there?", yes, "restore")
        store = (
            stack.enter_context(open_writable_store_of(planned.settings))
            if admin_backup.is_there(place)
            else None
        )
        if store is not None and not archive.is_fresh(store.database):
            question = f"Throw away all that is in the database now, and restore {backup.label['made']}?"
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
        say(f"Wrote {config}, as it was.")
    say(*(f"{note}." for note in planned.notes))
    say(f"{pluralise(len(kept.games), 'game')} of {kept.made} are on the books again ({kept.rows} rows).")
    say(*(f"{note}." for note in kept.notes))
    say("Letters that were to go out then are looked for in the mailbox before they are sent again.")
    if kept.paused:
        say(
            f"{pluralise(len(kept.paused), 'game')} paused: {', '.join(kept.paused)}. Their players are told."
        )
    if kept.put_off:
        say(f"Begin in a day at the earliest: {', '.join(kept.put_off)}.")
    if planned.missing:
        say("", "Missing, before  gm serve  can start:", *(f"  {file}." for file in planned.missing))
    _say_next(kept, moves, admin_backup.local_time(made, planned.settings))


def _say_next(kept: BackupSummary, moves: Sequence[tuple[str, str, str]], since: str) -> None:
    steps = [f"Move the emails that came in since {since} back. More of them do no harm."]
    steps += [f"    {mailbox}: from {source} to {target}" for mailbox, source, target in moves]
    if kept.handed:
        steps.append(
            "    Emails that  gm receive  took lie in no mailbox: have your mail server hand them over."
        )
    steps.append("Start  gm serve.  It reads each of them for the turn that it was for.")
    if kept.paused:
        steps.append("When it has read them, start the clocks:  gm game resume --all")
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


# ``gm backup``: write everything into one file.


backup_app = alone()


@backup_app.command(
    "backup",
    epilog=example(
        "gm backup",
        "gm backup before-the-move.backup",
        then="gm restore FILE  takes it up again, here or elsewhere.",
    ),
)
def write_backup(
    ctx: typer.Context,
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to; else a name with the date and time.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the whole installation into one file: games, letters, secrets, gm.toml, their variants.

    The files of certificates that gm.toml names go along; files that hold passwords or tokens do not. It can
    be done while  gm serve  runs: the file shows one moment. Keep it where nobody else reads it.
    """
    with open_service(ctx) as service:
        kept = backups.back_up(service, file)
    if as_json:
        document({"file": str(kept.file), "made": kept.made, "rows": kept.rows, "games": list(kept.games)})
    else:
        say(f"{pluralise(len(kept.games), 'game')} and all letters are in {kept.file} ({kept.rows} rows).")
