"""Orders out of a forum: a thread that the gamesmaster pasted, told apart by who wrote what."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.protocol import Seat
from orders.letters import copied_threads
from orders.letters.copied_threads import Written

_QUOTE = re.compile(r"\[quote[^\]]*\](?:(?!\[quote).)*?\[/quote\]", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"\[/?(?:b|i|u|s|list|url|img|size|color|spoiler|code|c|o|\*)(?:=[^\]]*)?\]", re.IGNORECASE)
_MARKS = re.compile(r"^[#*_`\s]+|[*_`\s]+$")
_ITEM = re.compile(r"^(?:[-*+•]|\d+[.)])\s+")
_WROTE = re.compile(
    r"^(?:post(?:ed)? by\s+)?(.+?)(?:\s+(?:wrote|said|posted|writes))?\s*:\s*(.*)$", re.IGNORECASE
)
_NO_NAME = re.compile(
    r"(?:(?:my|the|here|these)\b.*|(?:orders?|moves?|builds?|retreats?|removals?|notes?|press|p\.?s\.?|hi|hello|all|"
    r"if|else|elseif|endif|phase|spring|summer|fall|autumn|winter|year)\b.*|[SUFW]\d+[MRA])",
    re.IGNORECASE,
)
"""What stands above orders, before a colon, and is nobody's name."""
_LONGEST_NAME = 40


@dataclass(frozen=True)
class Post:
    """What somebody wrote: his name as it stands there, the line at which it begins, his lines.

    seat: whose he is; None for a name that is nobody's. when, edited: when it was written and changed, as the
    forum says it; "" where it does not.
    """

    author: str
    seat: Seat | None
    at: int
    lines: tuple[str, ...]
    when: str = ""
    edited: str = ""


def posts_of(text: str, authors: Mapping[str, Seat]) -> tuple[Post, ...]:
    """A thread in its posts: as a browser copies it from a forum, or where a line ``author:`` begins each.

    Such a line has orders behind it or below.

    authors: by their names, in whatever case, whose orders they write. A name that is not among them begins a
    post too where it stands alone on its line, so that nothing is taken for somebody else's; what stands
    before the first name is nobody's, under the name "". Quotations are left out, and the marks of BBCode
    and Markdown.
    """
    known = {name.casefold(): seat for name, seat in authors.items()}
    if copied := copied_threads.read(text, known):
        return tuple(_copied(one, known) for one in copied if one.lines)
    found: list[Post] = [Post("", None, 1, ())]
    for number, row in enumerate(unquoted(text).splitlines(), 1):
        line = _plain(row)
        head = _head(line, known)
        if head is not None:
            author, rest = head
            found.append(Post(author, known.get(author.casefold()), number, (rest,) if rest else ()))
        elif line:
            last = found.pop()
            found.append(Post(last.author, last.seat, last.at, (*last.lines, line)))
    return tuple(post for post in found if post.lines)


def _copied(one: Written, known: Mapping[str, Seat]) -> Post:
    lines = tuple(line for line in map(_plain, one.lines) if line)
    return Post(one.author, known.get(one.author.casefold()), one.at, lines, one.when, one.edited)


def by_seat(posts: Sequence[Post]) -> Mapping[Seat, tuple[str, ...]]:
    """The lines of each seat, in the order in which they were written."""
    lines: dict[Seat, tuple[str, ...]] = {}
    for post in posts:
        if post.seat is not None:
            lines[post.seat] = (*lines.get(post.seat, ()), *post.lines)
    return lines


def own_lines(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of one post without quotations and marks, in their places: those left out are empty.

    A quotation that does not end takes all with it that follows.
    """
    rows = unquoted("\n".join(lines)).split("\n")
    opened = next((at for at, row in enumerate(rows) if "[quote" in row.lower()), len(rows))
    return tuple("" if at >= opened else _plain(row) for at, row in enumerate(rows))


def unquoted(text: str) -> str:
    """The text without quotations; the lines keep their numbers."""
    while (found := _QUOTE.sub(lambda quote: "\n" * quote.group().count("\n"), text)) != text:
        text = found
    return "\n".join("" if row.lstrip().startswith(">") else row for row in text.splitlines())


def _plain(row: str) -> str:
    """A row without the marks of BBCode and Markdown."""
    text = _ITEM.sub("", _TAG.sub("", row).strip())
    return re.sub(r"</?(?:ins|u|b|i)>", "", _MARKS.sub("", text)).replace("**", "").replace("__", "").strip()


def _head(line: str, known: Mapping[str, Seat]) -> tuple[str, str] | None:
    """The author and what stands behind his name, where a line begins a post."""
    found = _WROTE.match(line)
    if found is None:
        return None
    author, rest = found.group(1).strip().lstrip("@"), found.group(2).strip()
    if author.casefold() in known:
        return author, rest
    alone = not rest and len(author) <= _LONGEST_NAME and len(author.split()) <= 3
    return (author, rest) if alone and not _NO_NAME.fullmatch(author) else None
