"""``gm report``: the report of a turn again, as it was mailed or for a forum."""

from __future__ import annotations

from base64 import b64encode
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import games
from adjudicator.admin import game_admin, rerender
from adjudicator.cli.arguments import GameName, Json, alone, example
from adjudicator.cli.connect import house_of
from adjudicator.cli.output import document, say
from adjudicator.errors import Refusal
from adjudicator.reports import forum, messages
from adjudicator.reports import messages as readers

if TYPE_CHECKING:
    from adjudicator.context import ServiceContext
    from adjudicator.model.games import GamePosition
    from adjudicator.reports.picture import Drawing
    from adjudicator.reports.report import Report


app = alone()


class ReportFormat(StrEnum):
    """A format in which a report can be printed."""

    text = "text"
    html = "html"
    bbcode = "bbcode"
    markdown = "markdown"


@app.command(
    "report",
    epilog=example(
        "gm report beaver",
        "gm report beaver --as bbcode",
        "gm report beaver --as markdown --turn F1M",
        "gm report beaver --as html --seat iroquois --out report.html",
        then="Paste it into the forum, with the map beside it:  gm map beaver --out beaver.png",
    ),
)
def report(
    ctx: typer.Context,
    game: GameName,
    form: Annotated[
        ReportFormat, typer.Option("--as", help="text, html, bbcode (phpBB) or markdown.")
    ] = ReportFormat.text,
    seat: Annotated[
        str | None, typer.Option(metavar="SEAT", help="As that seat may see it; else as anybody may.")
    ] = None,
    turn: Annotated[
        str | None, typer.Option(metavar="TURN", help="A turn by its short name, as S1M; else the last.")
    ] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it there.")] = None,
    as_json: Json = False,
) -> None:
    """Tell a turn of a game again: as text or HTML, or marked up for a forum.

    The last one that was played if none is named; before the first, the opening.
    """
    with house_of(ctx) as house:
        position = game_admin.position_of(house, game)
        viewer = game_admin.seat_of(position, seat) if seat else None
        played = rerender.replayed_turns(house, position, turn)
        content = rerender.report_of(house, position, played, viewer)
        drawn = rerender.map_of(position, played, viewer) if form is ReportFormat.html else None
        page = _page(house.office, position, content, form, drawn)
    if out is not None:
        _write(out, page)
    if as_json:
        written = {"file": str(out)} if out else {"report": page}
        document({"game": game, "seat": viewer, "entry": content.entry, "as": form.value, **written})
    elif out is not None:
        say(f"The report of {game} is in {out}.")
    else:
        typer.echo(page, nl=False)


def _page(
    office: ServiceContext, position: GamePosition, report: Report, form: ReportFormat, drawn: Drawing | None
) -> str:
    game = games.kinds()[position.kind]
    reader = readers.LetterReader(
        address=office.address, game=position.name, seat=report.viewer, zone=office.zone
    )
    if form in (ReportFormat.bbcode, ReportFormat.markdown):
        return forum.post(game, report, reader, "bbcode" if form is ReportFormat.bbcode else "markdown")
    if form is ReportFormat.text:
        return messages.turn_report(game, report, reader, messages.Enclosed(html=False)).text
    page = messages.turn_report(
        game, report, reader, messages.Enclosed(picture=drawn.png if drawn else None)
    ).html
    assert page is not None, "it was asked for"
    # A page of its own has its map inside; in a letter it goes beside.
    inside = b64encode(drawn.png).decode() if drawn else ""
    return page.replace("cid:map", f"data:image/png;base64,{inside}")


def _write(out: Path, page: str) -> None:
    try:
        out.write_text(page, encoding="utf-8")
    except OSError as fault:
        raise Refusal(str(out), f"cannot be written: {fault.strerror}") from fault
