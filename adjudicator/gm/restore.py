"""``gm restore``: a backup taken up again."""

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from adjudicator.gamesmaster import backup
from adjudicator.gm.confirm import Yes, confirm
from adjudicator.gm.help_examples import Json, alone, example
from adjudicator.gm.opening import house_of
from adjudicator.gm.output import counted, document, say
from adjudicator.store import archive

app = alone()


@app.command(
    epilog=example(
        "gm restore before-the-move.backup",
        "gm restore before-the-move.backup --yes",
        then="gm doctor  looks the service over before  gm serve.",
    )
)
def restore(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What gm backup wrote.")],
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Put a backup in the place of all that is on the books.

    Stop  gm serve  first.

    Where there is no gm.toml, that of the backup is written. The books may lie on another kind of database
    than before. Letters that came in since the backup are in the mailbox, in the folder for kept ones: move
    them back into the INBOX to have them read again.
    """
    label = archive.label_of(file)
    config = _config(ctx)
    if not config.is_file():
        backup.config_of(file, config)
        if not as_json:
            say(f"Wrote {config}, as it was.")
    with house_of(ctx, may_be_empty=True) as house:
        if not archive.is_fresh(house.database):
            question = f"Throw away all that is on the books now, and take up those of {label['made']}?"
            confirm(question, yes, f"database {house.settings.database}")
        kept = backup.take_up(house, file)
    if as_json:
        document(
            {
                "file": str(file),
                "made": kept.made,
                "rows": kept.rows,
                "games": list(kept.games),
                "folders": list(kept.told),
            }
        )
    else:
        say(f"{counted(len(kept.games), 'game')} of {kept.made} are on the books again ({kept.rows} rows).")
        say(*(f"{one}." for one in kept.told))
        say("Letters that were to go out then are looked for in the mailbox before they are sent again.")


def _config(ctx: Any) -> Path:
    """Which gm.toml is meant, whether or not it is there."""
    return Path(ctx.find_root().params.get("config") or os.environ.get("GM_CONFIG") or "gm.toml")
