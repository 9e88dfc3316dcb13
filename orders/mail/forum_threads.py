"""Threads copied from a forum's page: the author of each post and the text that is his own.

Quotations, signatures, buttons and the program's own lines are left out; a `ForumLayout` says how they
look.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from orders.mail.forum_layouts import FORUM_LAYOUTS, ForumLayout, PostHead, Rows, next_row


@dataclass(frozen=True)
class CopiedPost:
    """A post. at: its first line in the thread, from 1; when, edited: as the forum says it, or ""."""

    author: str
    when: str
    edited: str
    at: int
    lines: tuple[str, ...]


def read_posts(text: str, names: Collection[str] = ()) -> tuple[CopiedPost, ...]:
    """Return the posts of a thread in the layout that finds most of them; none where no layout fits.

    names: authors that are known, in small letters.
    """
    rows = [_clean(row) for row in text.splitlines()]
    heads_by_layout = [(layout, list(layout.heads(rows, names))) for layout in FORUM_LAYOUTS]
    layout, heads = max(heads_by_layout, key=lambda layout_heads: len(layout_heads[1]))
    if not heads:
        return ()
    ends = [*(head.begins for head in heads[1:]), len(rows)]
    posts: list[tuple[PostHead, list[str], str]] = []
    for head, end in zip(heads, ends, strict=True):
        earlier = {row for _, body, _ in posts for row in body if row}
        body, edited = _body(layout, rows[head.body : max(end, head.body)], earlier)
        posts.append((head, body, head.edited or edited))
    signed = _signatures(posts)
    return tuple(
        CopiedPost(
            head.author,
            head.when,
            edited,
            head.body + 1,
            _lines_without_signature(body, signed.get(head.author.casefold(), [])),
        )
        for head, body, edited in posts
    )


def _clean(row: str) -> str:
    return row.replace("\u00a0", " ").replace("\u200b", "").replace("\u200e", "").strip()


# The text of a post.


def _body(layout: ForumLayout, rows: Rows, earlier: Collection[str]) -> tuple[list[str], str]:
    """Return what the author wrote, and when he changed it. earlier: the lines of the posts before."""
    kept: list[str] = []
    edited, place = "", 0
    while place < len(rows):
        row = rows[place]
        place += 1
        if layout.edited and (changed := layout.edited.match(row)):
            edited = changed["when"]
        elif layout.tail.fullmatch(row):
            edited = edited or _edited_below(layout, rows[place:])
            break
        elif layout.quote and layout.quote.match(row):
            place = _after_quote(layout, rows, place, earlier)
        elif not layout.noise.fullmatch(row):
            kept.append(row)
    return kept, edited


def _edited_below(layout: ForumLayout, rows: Rows) -> str:
    """Return when a post was changed, where it says so among its buttons."""
    matches = (layout.edited.match(row) for row in rows[:6]) if layout.edited else ()
    return next((match["when"] for match in matches if match), "")


def _after_quote(layout: ForumLayout, rows: Rows, place: int, earlier: Collection[str]) -> int:
    """Return the row after a quotation whose first line stands before the place."""
    if layout.quote_ends and (end := _end_of_closed_quote(layout, rows, place)) is not None:
        return end
    match = layout.quote.match(rows[place - 1]) if layout.quote else None
    begun = (match.groupdict().get("rest") or "").strip() if match else ""
    if not begun:
        place = next_row(rows, place)
    first = begun or (rows[place] if place < len(rows) else "")
    while place < len(rows) and (
        rows[place] in earlier or not rows[place] if first in earlier else rows[place]
    ):
        place += 1
    return place


def _end_of_closed_quote(layout: ForumLayout, rows: Rows, place: int) -> int | None:
    """Return the row after a quotation that has an end, with those inside; None where it has none here."""
    deep = 1
    for number in range(place, len(rows)):
        if layout.quote and layout.quote.match(rows[number]):
            deep += 1
        elif layout.quote_ends and layout.quote_ends.fullmatch(rows[number]):
            deep -= 1
        if deep == 0:
            return number + 1
    return None


_SIGNATURE_RULE_PATTERN = re.compile(r"--|_{5,}|-{5,}|={5,}|—")
_ORDER_LIKE_PATTERN = re.compile(
    r" [-–>/] |->|→|"
    r"\b(?:h|s|c|holds?|supports?|convoys?|builds?|removes?|retreats?|disbands?|waives?|moves?)\b",
    re.IGNORECASE,
)
"""What may be an order is no signature, however often it is written."""


def _signatures(posts: Sequence[tuple[PostHead, list[str], str]]) -> dict[str, list[str]]:
    """Return by author the last lines of all his posts where these are the same, after an empty one."""
    by_author: dict[str, list[list[str]]] = {}
    for head, body, _ in posts:
        by_author.setdefault(head.author.casefold(), []).append(_last_block(body))
    return {
        author: blocks[0]
        for author, blocks in by_author.items()
        if len(blocks) > 1
        and blocks[0]
        and all(block == blocks[0] for block in blocks)
        and not any(map(_ORDER_LIKE_PATTERN.search, blocks[0]))
    }


def _last_block(body: Rows) -> list[str]:
    """The lines behind the last empty one; none where there is none, for they are all that was written."""
    rows = list(body)
    while rows and not rows[-1]:
        rows.pop()
    if "" not in rows:
        return []
    return rows[len(rows) - rows[::-1].index("") :]


def _lines_without_signature(body: Rows, signature: list[str]) -> tuple[str, ...]:
    """Return the lines of a post without its signature and without empty ones."""
    rule = next((n for n, row in enumerate(body) if n and _SIGNATURE_RULE_PATTERN.fullmatch(row)), None)
    rows = list(body[:rule])
    while rows and not rows[-1]:
        rows.pop()
    if signature and rows[-len(signature) :] == signature:
        del rows[-len(signature) :]
    return tuple(row for row in rows if row)
