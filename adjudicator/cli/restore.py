"""``gm restore``: a backup taken up again."""

from __future__ import annotations

import os
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.admin import gamesmaster_backup as backups
from adjudicator.admin import restoring
from adjudicator.cli.arguments import Json, alone, example
from adjudicator.cli.confirm import Yes, confirm
from adjudicator.cli.connect import bureau_of
from adjudicator.cli.output import document, pluralise, say
from adjudicator.storage import archive, database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adjudicator.admin.gamesmaster_backup import BackupSummary
    from adjudicator.admin.restoring import RestorePlan

app = alone()


@app.command(
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
    config = _config(ctx)
    with ExitStack() as stack:
        backup = stack.enter_context(archive.open_backup(file))
        made = backups.read_made_at(backup)
        text, raw = restoring.find_settings(backup, config)
        if text is not None and (command := restoring.find_command(raw)) is not None:
            confirm(
                f"The gm.toml in the backup runs this for the database: {command}  Run it?", yes, "restore"
            )
        planned = restoring.plan_restore(backup, config)
        place = planned.settings.database
        if planned.elsewhere is not None:
            confirm(f"The gm.toml in the backup puts the database in {place}. Write there?", yes, "restore")
        bureau = stack.enter_context(bureau_of(planned.settings)) if restoring.is_there(place) else None
        if bureau is not None and not archive.is_fresh(bureau.database):
            question = f"Throw away all that is in the database now, and restore {backup.label['made']}?"
            confirm(question, yes, f"database {database.display_url(place)}")
        stack.enter_context(restoring.write_files(planned))
        if bureau is None:
            bureau = stack.enter_context(bureau_of(planned.settings))
        kept = backups.restore_backup(bureau, backup, go=go)
    moves = restoring.list_moves(planned.settings)
    if as_json:
        document(_plain(kept, planned, moves))
        return
    if planned.config is not None:
        say(f"Wrote {config}, as it was.")
    say(*(f"{note}." for note in planned.told))
    say(f"{pluralise(len(kept.games), 'game')} of {kept.made} are on the books again ({kept.rows} rows).")
    say(*(f"{note}." for note in kept.told))
    say("Letters that were to go out then are looked for in the mailbox before they are sent again.")
    if kept.paused:
        say(
            f"{pluralise(len(kept.paused), 'game')} paused: {', '.join(kept.paused)}. Their players are told."
        )
    if kept.put_off:
        say(f"Begin in a day at the earliest: {', '.join(kept.put_off)}.")
    _say_missing(planned)
    _say_next(kept, moves, restoring.local_time(made, planned.settings))


def _say_missing(planned: RestorePlan) -> None:
    if planned.missing:
        say("", "Missing, before  gm serve  can start:", *(f"  {file}." for file in planned.missing))


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
        "folders": list(kept.told),
        "files": list(planned.told),
        "missing": list(planned.missing),
        "paused": list(kept.paused),
        "put_off": list(kept.put_off),
        "move_back": [{"mailbox": box, "from": source, "to": target} for box, source, target in moves],
    }


def _config(ctx: Any) -> Path:
    """Which gm.toml is meant, whether or not it is there."""
    return Path(ctx.find_root().params.get("config") or os.environ.get("GM_CONFIG") or "gm.toml")
