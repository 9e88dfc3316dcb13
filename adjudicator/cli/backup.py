"""``gm game export`` and ``import``: a game as one document, our own or another program's."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated

import typer

from adjudicator.admin import document as exports
from adjudicator.admin import foreign_formats, transfer
from adjudicator.cli.arguments import GameName, Json, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.game_view import game_view
from adjudicator.cli.output import document, pluralise, say
from adjudicator.clock import format_instant
from adjudicator.errors import Refusal

app = typer.Typer()


@app.command(
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
            with house_of(ctx) as house:
                transfer.write_rows(house, name, file.write)
            _put(file, out)
        if out is not None and as_json:
            document({"game": name, "file": str(out), "rows": True})
        elif out is not None:
            say(f"The rows of {name} are in {out}, as they are.")
        return
    if form is not None:
        with house_of(ctx) as house:
            text = foreign_formats.write_format(house, name, form)
        _put(BytesIO(text.encode()), out)
        if out is not None and as_json:
            document({"game": name, "file": str(out), "format": form})
        elif out is not None:
            say(f"{name} is in {out}, as {form} has it.")
        return
    # Where a reader is slow, or the disk full, neither the books nor an older file may suffer from it.
    with TemporaryFile() as file:
        with house_of(ctx) as house:
            count = transfer.write(house, name, file.write, public=public)
        _put(file, out)
    if out is None:
        return
    if as_json:
        document({"game": name, "file": str(out), "entries": count, "public": public})
    else:
        say(f"{name} is in {out}: {pluralise(count, 'entry', 'entries')} of its log.")


@app.command(
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
    with house_of(ctx) as house:
        if exports.is_export(raw):
            whole = exports.read(raw, file)
        else:
            record = foreign_formats.import_record(house, _text(raw, file), file, name, kind)
            whole = record.document
            _say_mended(record, as_json)
        position = transfer.bring_in(house, whole, tell=tell)
        zone = house.office.zone
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
        raise Refusal(place, f"cannot be read: {fault.strerror}") from fault


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
        raise Refusal(str(out), f"cannot be written: {fault.strerror}") from fault


def _text(raw: bytes, place: str) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as fault:
        raise Refusal(place, "is no text in UTF-8") from fault


def _say_mended(record: foreign_formats.ImportedRecord, as_json: bool) -> None:
    if as_json:
        return
    for turn, text in record.mended:
        say(f"Before {turn} the record has it otherwise:  {text}")
    for turn in record.missed:
        say(
            f"Nobody has anything to order in {turn} here; look whether what was ordered there is still owed."
        )
    if record.left:
        say(f"{pluralise(record.left, 'order')} for the present turn are not taken: have them sent again.")
