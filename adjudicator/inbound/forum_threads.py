"""Orders out of a forum: a thread that the gamesmaster pasted, told apart by who wrote what."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.protocol import Seat
from orders.mail import forum_threads
from orders.mail.forum_threads import CopiedPost

_BBCODE_QUOTE = re.compile(r"\[quote[^\]]*\](?:(?!\[quote).)*?\[/quote\]", re.IGNORECASE | re.DOTALL)
_BBCODE_TAG = re.compile(
    r"\[/?(?:b|i|u|s|list|url|img|size|color|spoiler|code|c|o|\*)(?:=[^\]]*)?\]", re.IGNORECASE
)
_MARKDOWN_MARKS = re.compile(r"^[#*_`\s]+|[*_`\s]+$")
_LIST_ITEM = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")
_AUTHOR_LINE = re.compile(
    r"^(?:post(?:ed)? by\s+)?(.+?)(?:\s+(?:wrote|said|posted|writes))?\s*:\s*(.*)$", re.IGNORECASE
)
_NOT_AN_AUTHOR = re.compile(
    r"(?:(?:my|the|here|these)\b.*|(?:orders?|moves?|builds?|retreats?|removals?|notes?|press|p\.?s\.?|hi|hello|all|"
    r"if|else|elseif|endif|phase|spring|summer|fall|autumn|winter|year)\b.*|[SUFW]\d+[MRA])",
    re.IGNORECASE,
)
"""What stands above orders, before a colon, and is nobody's name."""
_MAX_AUTHOR_CHARS = 40


@dataclass(frozen=True)
class ThreadPost:
    """One post: its author's name as it stands there, the line at which it begins, its lines.

    seat: whose it is; None for a name that is nobody's. when, edited: when it was written and changed, as
    the forum says it; "" where it does not.
    """

    author: str
    seat: Seat | None
    at: int
    lines: tuple[str, ...]
    when: str = ""
    edited: str = ""


def split_posts(text: str, authors: Mapping[str, Seat]) -> tuple[ThreadPost, ...]:
    """Split a thread into its posts: as a browser copies it, or where a line ``author:`` begins each.

    Such a line has orders behind it or below.

    authors: by their names, in any case, the seats whose orders they write. A name that is not among them
    begins a post too where it stands alone on its line, so that nothing is taken for somebody else's;
    what stands before the first name is nobody's, under the name "". Quotations are left out, and the
    marks of BBCode and Markdown.
    """
    known = {name.casefold(): seat for name, seat in authors.items()}
    if copied := forum_threads.read_posts(text, known):
        return tuple(_make_post(source, known) for source in copied if source.lines)
    posts: list[ThreadPost] = [ThreadPost("", None, 1, ())]
    for number, row in enumerate(remove_quotations(text).splitlines(), 1):
        line = _strip_markup(row)
        head = _read_author_line(line, known)
        if head is not None:
            author, rest = head
            posts.append(ThreadPost(author, known.get(author.casefold()), number, (rest,) if rest else ()))
        elif line:
            last = posts.pop()
            posts.append(ThreadPost(last.author, last.seat, last.at, (*last.lines, line)))
    return tuple(post for post in posts if post.lines)


def _make_post(source: CopiedPost, known: Mapping[str, Seat]) -> ThreadPost:
    lines = tuple(line for line in map(_strip_markup, source.lines) if line)
    return ThreadPost(
        source.author, known.get(source.author.casefold()), source.at, lines, source.when, source.edited
    )


def lines_by_seat(posts: Sequence[ThreadPost]) -> Mapping[Seat, tuple[str, ...]]:
    """Return the lines of each seat, in the order in which they were written."""
    lines: dict[Seat, tuple[str, ...]] = {}
    for post in posts:
        if post.seat is not None:
            lines[post.seat] = (*lines.get(post.seat, ()), *post.lines)
    return lines


def own_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of one post without quotations and marks, in their places: those left out are empty.

    A quotation that does not end takes all with it that follows.
    """
    rows = remove_quotations("\n".join(lines)).split("\n")
    opened = next((at for at, row in enumerate(rows) if "[quote" in row.lower()), len(rows))
    return tuple("" if at >= opened else _strip_markup(row) for at, row in enumerate(rows))


def remove_quotations(text: str) -> str:
    """Return the text without quotations; the lines keep their numbers."""
    while (shorter := _BBCODE_QUOTE.sub(lambda quote: "\n" * quote.group().count("\n"), text)) != text:
        text = shorter
    return "\n".join("" if row.lstrip().startswith(">") else row for row in text.splitlines())


def _strip_markup(row: str) -> str:
    """Return a row without the marks of BBCode and Markdown."""
    text = _LIST_ITEM.sub("", _BBCODE_TAG.sub("", row).strip())
    return (
        re.sub(r"</?(?:ins|u|b|i)>", "", _MARKDOWN_MARKS.sub("", text))
        .replace("**", "")
        .replace("__", "")
        .strip()
    )


def _read_author_line(line: str, known: Mapping[str, Seat]) -> tuple[str, str] | None:
    """Return the author and the text after their name, where a line begins a post."""
    match = _AUTHOR_LINE.match(line)
    if match is None:
        return None
    author, rest = match.group(1).strip().lstrip("@"), match.group(2).strip()
    if author.casefold() in known:
        return author, rest
    alone = not rest and len(author) <= _MAX_AUTHOR_CHARS and len(author.split()) <= 3
    return (author, rest) if alone and not _NOT_AN_AUTHOR.fullmatch(author) else None
