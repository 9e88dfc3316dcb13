"""A report as a post in a forum: BBCode for phpBB and its kin, Markdown for Discourse."""

import re
from typing import Literal

from adjudicator.reports.letters import Reader
from adjudicator.reports.render import render
from adjudicator.reports.report import Report
from games.protocol import Game
from orders.body import SHEET_TITLE

Markup = Literal["bbcode", "markdown"]

_TEMPLATES: dict[Markup, str] = {"bbcode": "report.bbcode", "markdown": "report.md"}
_EMPTY = re.compile(r"\n{3,}")


def post(game: Game, report: Report, reader: Reader, markup: Markup) -> str:
    """A report in a forum's markup. reader: by whose clock the deadline is told."""
    context = {"report": report, "reader": reader, "game": game, "SHEET_TITLE": SHEET_TITLE}
    text = render(game, _TEMPLATES[markup], context)
    return _EMPTY.sub("\n\n", text).strip() + "\n"
