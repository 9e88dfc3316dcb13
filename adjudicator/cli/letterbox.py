"""Letters as the gamesmaster reads them: without anything by which somebody could speak for a seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudicator.auth import redaction
from adjudicator.cli.output import clean
from orders.mail import html_rows

if TYPE_CHECKING:
    from orders.mail.letter import Letter


def text_of(letter: Letter) -> str:
    """Return the text of a letter: its plain text, or that of its HTML where it has none. Tokens
    are hidden.
    """
    texts = [part.text for part in letter.parts if part.kind == "plain"]
    if not any(text.strip() for text in texts):
        pages = [part.text for part in letter.parts if part.kind == "html"]
        texts = ["\n".join("> " * row.depth + row.text for row in html_rows.rows_of(page)) for page in pages]
    return redaction.redact_text(clean("\n".join(texts))).strip("\n")


def attachments_of(letter: Letter) -> tuple[str, ...]:
    """The names of what is attached."""
    return tuple(part.name for part in letter.parts if part.kind == "attachment")
