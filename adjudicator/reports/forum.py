"""A report as a post in a forum: BBCode for phpBB and its kin, Markdown for Discourse."""

import re
from datetime import tzinfo
from typing import Literal

from adjudicator.config.channels import Channel
from adjudicator.model.headers import HeaderText
from adjudicator.model.mail import Attachment, LetterDraft
from adjudicator.reports.messages import Enclosed, LetterReader, turn_report
from adjudicator.reports.picture import Drawing
from adjudicator.reports.render import render
from adjudicator.reports.report import Report
from games.protocol import Game
from games.record import replace_fields
from orders.mail.body import SHEET_TITLE

Markup = Literal["bbcode", "markdown"]

_TEMPLATES: dict[Markup, str] = {"bbcode": "report.bbcode", "markdown": "report.md"}
_BLANK_LINES = re.compile(r"\n{3,}")


def channel_letter(
    game: Game,
    report: Report,
    channel: Channel,
    drawn: Drawing | None,
    zone: tzinfo,
    chart: bytes | None = None,
) -> LetterDraft:
    """The report of the turns just played for a list or a forum. report: as anybody may read it.

    chart: of the game over time, as PNG, if the report has one.
    """
    reader = LetterReader(address=channel.address, game=report.game, zone=zone)
    picture = drawn.png if drawn else None
    enclosed = Enclosed(picture=picture, chart=chart, html=channel.markup == "text")
    plain = turn_report(game, report, reader, enclosed)
    own = {
        "key": f"{report.game}/{report.entry}/channel",
        "automatic": "no",
    }
    if channel.markup == "text":
        return replace_fields(plain, **own)
    named = ((plain.picture_name, picture), (plain.chart_name, chart))
    files = tuple(_file(name, png) for name, png in named if png is not None)
    return replace_fields(plain, text=post(game, report, reader, channel.markup), attached=files, **own)


def _file(name: HeaderText, png: bytes) -> Attachment:
    return Attachment(name=name, media=HeaderText("image/png"), content=png)


def post(game: Game, report: Report, reader: LetterReader, markup: Markup) -> str:
    """A report in a forum's markup. reader: by whose clock the deadline is told."""
    context = {"report": report, "reader": reader, "game": game, "SHEET_TITLE": SHEET_TITLE}
    text = render(game, _TEMPLATES[markup], context)
    return _BLANK_LINES.sub("\n\n", text).strip() + "\n"
