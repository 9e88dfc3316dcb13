"""Threads as a browser copies them from a forum: whose each post is, and what of it is his.

Quotations, signatures, buttons and the program's own lines are left out; `forum_layouts` says how they look.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from orders.letters.forum_layouts import LAYOUTS, Head, Layout, Rows, next_row


@dataclass(frozen=True)
class Written:
    """A post. at: its first line in the thread, from 1; when, edited: as the forum says it, or ""."""

    author: str
    when: str
    edited: str
    at: int
    lines: tuple[str, ...]


def read(text: str, names: Collection[str] = ()) -> tuple[Written, ...]:
    """The posts of a thread in the layout that finds most of them; none where it is in no layout.

    names: authors that are known, in small letters.
    """
    rows = [_clean(row) for row in text.splitlines()]
    found = [(layout, list(layout.heads(rows, names))) for layout in LAYOUTS]
    layout, heads = max(found, key=lambda one: len(one[1]))
    if not heads:
        return ()
    ends = [*(head.begins for head in heads[1:]), len(rows)]
    posts: list[tuple[Head, list[str], str]] = []
    for head, end in zip(heads, ends, strict=True):
        earlier = {row for _, body, _ in posts for row in body if row}
        body, edited = _body(layout, rows[head.body : max(end, head.body)], earlier)
        posts.append((head, body, head.edited or edited))
    signed = _signatures(posts)
    return tuple(
        Written(
            head.author, head.when, edited, head.body + 1, _kept(body, signed.get(head.author.casefold(), []))
        )
        for head, body, edited in posts
    )


def _clean(row: str) -> str:
    return row.replace("\u00a0", " ").replace("\u200b", "").replace("\u200e", "").strip()


# The text of a post.


def _body(layout: Layout, rows: Rows, earlier: Collection[str]) -> tuple[list[str], str]:
    """What its author wrote, and when he changed it. earlier: the lines of the posts before."""
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


def _edited_below(layout: Layout, rows: Rows) -> str:
    """When a post was changed, where it says so among its buttons."""
    found = (layout.edited.match(row) for row in rows[:6]) if layout.edited else ()
    return next((one["when"] for one in found if one), "")


def _after_quote(layout: Layout, rows: Rows, place: int, earlier: Collection[str]) -> int:
    """Where a quotation is over whose first line stands before the place."""
    if layout.quote_ends and (end := _closed(layout, rows, place)) is not None:
        return end
    found = layout.quote.match(rows[place - 1]) if layout.quote else None
    begun = (found.groupdict().get("rest") or "").strip() if found else ""
    if not begun:
        place = next_row(rows, place)
    first = begun or (rows[place] if place < len(rows) else "")
    while place < len(rows) and (
        rows[place] in earlier or not rows[place] if first in earlier else rows[place]
    ):
        place += 1
    return place


def _closed(layout: Layout, rows: Rows, place: int) -> int | None:
    """Where a quotation is over that has an end, with those inside; None: it has none here."""
    deep = 1
    for number in range(place, len(rows)):
        if layout.quote and layout.quote.match(rows[number]):
            deep += 1
        elif layout.quote_ends and layout.quote_ends.fullmatch(rows[number]):
            deep -= 1
        if deep == 0:
            return number + 1
    return None


_RULE = re.compile(r"--|_{5,}|-{5,}|={5,}|—")
_ORDER = re.compile(
    r" [-–>/] |->|→|"
    r"\b(?:h|s|c|holds?|supports?|convoys?|builds?|removes?|retreats?|disbands?|waives?|moves?)\b",
    re.IGNORECASE,
)
"""What may be an order is no signature, however often it is written."""


def _signatures(posts: Sequence[tuple[Head, list[str], str]]) -> dict[str, list[str]]:
    """By author, the last lines of all his posts, where these are the same, after an empty one."""
    by_author: dict[str, list[list[str]]] = {}
    for head, body, _ in posts:
        by_author.setdefault(head.author.casefold(), []).append(_last_block(body))
    return {
        author: blocks[0]
        for author, blocks in by_author.items()
        if len(blocks) > 1
        and blocks[0]
        and all(block == blocks[0] for block in blocks)
        and not any(map(_ORDER.search, blocks[0]))
    }


def _last_block(body: Rows) -> list[str]:
    """The lines behind the last empty one; none where there is none, for they are all that was written."""
    rows = list(body)
    while rows and not rows[-1]:
        rows.pop()
    if "" not in rows:
        return []
    return rows[len(rows) - rows[::-1].index("") :]


def _kept(body: Rows, signature: list[str]) -> tuple[str, ...]:
    """The lines of a post without its signature and without empty ones."""
    rule = next((n for n, row in enumerate(body) if n and _RULE.fullmatch(row)), None)
    rows = list(body[:rule])
    while rows and not rows[-1]:
        rows.pop()
    if signature and rows[-len(signature) :] == signature:
        del rows[-len(signature) :]
    return tuple(row for row in rows if row)
