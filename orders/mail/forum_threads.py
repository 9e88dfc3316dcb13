"""Threads copied from a forum's page: the author of each post and the author's own text.

Quotations, signatures, buttons and the program's own lines are left out. A `ForumLayout` describes them.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

# The layouts of forum programs: the lines that mark each post and its author.
#
# Copied text has no markup, only lines: names and ranks, dates, buttons, quotations, signatures. Each program
# has its own order of these, and a layout describes the lines that identify it.


# Rule 1: a post with an uncertain author belongs to no one, and the GM gets a notice, so nothing is credited
# to a wrong name. Rule 2: a quotation without a visible end extends as far as the quoted text, otherwise to
# the next empty line.


@dataclass(frozen=True)
class PostHead:
    """The lines above a post. begins: the last possible end of the post before; body: its text."""

    author: str
    when: str
    begins: int
    body: int
    edited: str = ""


Rows = Sequence[str]
Heads = Callable[[Rows, Collection[str]], Iterator[PostHead]]


@dataclass(frozen=True)
class ForumLayout:
    """The layout of one forum program. heads: the starts of posts. tail: a line that ends a post's text.

    quote: a line that begins a quotation, with its author and perhaps its first words. quote_ends: a line
    that ends it, None: there is none. edited: a line about an edit. noise: the program's own lines.
    """

    name: str
    heads: Heads
    tail: re.Pattern[str]
    quote: re.Pattern[str] | None = None
    quote_ends: re.Pattern[str] | None = None
    edited: re.Pattern[str] | None = None
    noise: re.Pattern[str] = re.compile(r"(?!)")


# The author line above a post.

_PROFILE = re.compile(
    r"(?:posts?|threads|topics|joined|join date|registered|messages|reaction score|solutions|points|location|"
    r"likes?|likes? (?:received|given)|thanks?|reputation|karma|gender|contact|trophy points|age|website|"
    r"been liked|has thanked|beiträge|registriert|wohnort)\s*(?::.*|\d[\d,.]*)?",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"[*★☆●•]+|(?:offline|online|.*\bavatar|view profile|guest|newbie|member|moderator|administrator|admin|"
    r"staff|(?:jr\.?|junior|full|sr\.?|senior|hero|new|active|well-known|registered|posting|site|global|super|forum)\s+"
    r"(?:member|moderator|user|admin(?:istrator)?|freak)|staff member|op|quote|re:.*)"
    r"(?:\s+(?:offline|online))?",
    re.IGNORECASE,
)
_MAX_PROFILE_GAP_ROWS = 5


def _profile(
    rows: Rows, low: int, high: int, names: Collection[str], tail: re.Pattern[str]
) -> tuple[str, int] | None:
    """Return the author whose profile is between two lines, and its start, or None.

    The author's title may come between name and profile. This could also be a stranger's name below a
    signature, so a known name above it counts only if the post before has ended.
    """
    marks = [n for n in range(low, high) if _PROFILE.fullmatch(rows[n])]
    if not marks:
        return None
    first = marks[-1]
    for mark in reversed(marks):
        if first - mark > _MAX_PROFILE_GAP_ROWS:
            break
        first = mark
    above = [n for n in range(first - 1, low - 1, -1) if rows[n] and not _RANK.fullmatch(rows[n])][:3]
    if not above:
        return None
    if rows[above[0]].casefold() not in names and len(above) > 1 and rows[above[1]].casefold() in names:
        over = above[2:] == [] and low == 0 and "" not in rows[above[1] : above[0]]
        if over or (len(above) > 2 and tail.fullmatch(rows[above[2]])):
            return rows[above[1]], above[1]
    return rows[above[0]], above[0]


def _by_profile(
    head: re.Pattern[str],
    tail: re.Pattern[str],
    date: Callable[[Rows, int], str | None] | None = None,
) -> Heads:
    """Return the posts with the date below the author's profile. date: if it isn't on the first line."""

    def heads(rows: Rows, names: Collection[str]) -> Iterator[PostHead]:
        low = 0
        for number, row in enumerate(rows):
            match = head.fullmatch(row)
            groups = match.groupdict() if match else {}
            when = date(rows, number) if match and date else groups.get("when") or groups.get("date")
            who = _profile(rows, low, number, names, tail) if match and when else None
            if who is not None and when:
                yield PostHead(who[0], when, who[1], number + 1, groups.get("edited") or "")
                low = number + 1

    return heads


def next_row(rows: Rows, number: int) -> int:
    """Return the first line from a place on that isn't empty."""
    while number < len(rows) and not rows[number]:
        number += 1
    return number


# phpBB.

_PHPBB = re.compile(
    r"(?:(?:unread |ungelesener )?(?:post|beitrag|message)\s+)?(?:by|von|par|por|door)\s+"
    r"(?P<author>.+?)\s+»\s+(?P<when>.+)",
    re.IGNORECASE,
)


def _phpbb(rows: Rows, _names: Collection[str]) -> Iterator[PostHead]:
    """phpBB 3: ``by jane » Mon Nov 23, 2026 8:14 pm``, with her profile before or after it."""
    low = 0
    for number, row in enumerate(rows):
        if match := _PHPBB.fullmatch(row):
            author = match["author"].lstrip("@")
            above = [n for n in range(low, number) if rows[n].casefold() == author.casefold()]
            titled = (
                number - 1 if number > low and re.match(r"re:|quote$", rows[number - 1], re.I) else number
            )
            begins = above[-1] if above and any(map(_PROFILE.fullmatch, rows[above[-1] : number])) else titled
            yield PostHead(author, match["when"], begins, number + 1)
            low = number + 1


# vBulletin has the author below the date.

_VB_DATE = re.compile(
    r"(?:old )?(?P<when>(?:\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|today|yesterday|"
    r"\w{3,9} \d{1,2}(?:st|nd|rd|th)?,? \d{4}),? "
    r"\d{1,2}:\d\d ?(?:[ap]m)?)(?:\s*#\d+)?",
    re.IGNORECASE,
)
_POST_NUMBER_PATTERN = re.compile(r"#?[\d,]+(?: \(permalink\))?", re.IGNORECASE)


def _vbulletin(rows: Rows, _names: Collection[str]) -> Iterator[PostHead]:
    for number, row in enumerate(rows):
        match = _VB_DATE.fullmatch(row)
        if match is None:
            continue
        place = next_row(rows, number + 1)
        if place < len(rows) and _POST_NUMBER_PATTERN.fullmatch(rows[place]):
            place = next_row(rows, place + 1)
        marks = [
            n for n in range(place + 1, min(place + 7, len(rows))) if re.match("join date", rows[n], re.I)
        ]
        if place < len(rows) and marks:
            yield PostHead(rows[place], match["when"], number, _behind_profile(rows, marks[0]))


def _behind_profile(rows: Rows, place: int) -> int:
    """Return the end of a profile: labels with their values after them, or on the line below."""
    while place < len(rows):
        if not rows[place]:
            place += 1
        elif _PROFILE.fullmatch(rows[place]):
            bare = ":" not in rows[place] and not re.search(r"\d", rows[place])
            place += 2 if bare else 1
        else:
            break
    return place


# Reddit, new and old; Lemmy.

_AGO = (
    r"\d+\s?(?:s|sec\.?|m|min\.?|h|hr\.?|d|w|wk\.?|mo\.?|y|yr\.?|"
    r"(?:second|minute|hour|day|week|month|year)s?)\.? ago|just now"
)
_REDDIT_ONE = re.compile(
    rf"(?:u/)?(?P<author>[\w-]{{3,20}})\s*(?:OP\s*)?•\s*(?P<when>{_AGO})(?:\s*•\s*edited (?P<edited>.+))?",
    re.I,
)
_OLD_REDDIT = re.compile(
    rf"\[[–+-]\]\s*(?P<author>[\w-]{{3,20}})(?:\[\w+\])?\s+"
    rf"(?:\[?score hidden\]?|-?\d+ (?:points?|children?))\s+"
    rf"(?P<when>{_AGO})(?P<edited>\*|\s*\(last edited .+?\))?.*",
    re.IGNORECASE,
)


def _reddit(rows: Rows, _names: Collection[str]) -> Iterator[PostHead]:
    """``jane``, ``•``, ``3h ago``, on separate lines or on one. The author's picture may be above."""
    number = 0
    while number < len(rows):
        match = _REDDIT_ONE.fullmatch(rows[number])
        if match:
            yield PostHead(match["author"], match["when"], number, number + 1, match["edited"] or "")
        elif (head := _reddit_in_lines(rows, number)) is not None:
            yield head
            number = head.body - 1
        number += 1


def _reddit_in_lines(rows: Rows, number: int) -> PostHead | None:
    author = rows[number].removeprefix("u/")
    if not re.fullmatch(r"[\w-]{3,20}", author):
        return None
    place = next_row(rows, number + 1)
    while place < len(rows) and re.fullmatch(r"OP|MOD|Top \d+% \w+", rows[place]):
        place = next_row(rows, place + 1)
    if place >= len(rows) or rows[place] != "•":
        return None
    place = next_row(rows, place + 1)
    if place >= len(rows) or not re.fullmatch(_AGO, rows[place], re.IGNORECASE):
        return None
    when, edited, body = rows[place], "", place + 1
    behind = next_row(rows, body)
    if behind + 1 < len(rows) and rows[behind] == "•" and rows[behind + 1].lower().startswith("edited"):
        edited, body = rows[behind + 1][7:], behind + 2
    above = number - 1 if number and rows[number - 1].lower().endswith("avatar") else number
    return PostHead(author, when, above, body, edited)


def _old_reddit(rows: Rows, _names: Collection[str]) -> Iterator[PostHead]:
    for number, row in enumerate(rows):
        if match := _OLD_REDDIT.fullmatch(row):
            yield PostHead(
                match["author"], match["when"], number, number + 1, (match["edited"] or "").strip(" ()")
            )


_LEMMY_NAME = re.compile(r"@?(?P<author>[\w.-]{2,50}?)(?:@[\w-]+(?:\.[\w-]+)+)?")
_LEMMY_BETWEEN = re.compile(
    r"[•·|]|@[\w.-]+|M|OP|A|B|bot|cake|\d+|\d+%|English|Deutsch|Français|Español|Italiano|Nederlands|Undetermined|link|fedilink",
    re.IGNORECASE,
)
_LEMMY_AGO = re.compile(
    r"(?P<when>\d+ (?:second|minute|hour|day|week|month|year)s? ago|just now)(?:\s*\(edited\))?", re.I
)
_LEMMY_ONE = re.compile(
    r"@?(?P<author>[\w.-]{2,50}?)(?:@[\w-]+(?:\.[\w-]+)+)?(?:\s*[•·]\s*(?:[A-Za-z]+|\d+))*\s*[•·]\s*"
    r"(?P<when>\d+ (?:second|minute|hour|day|week|month|year)s? ago)",
)


def _lemmy(rows: Rows, _names: Collection[str]) -> Iterator[PostHead]:
    """``jane@lemmy.example``, language, votes, ``3 hours ago``, on separate lines or on one."""
    number = 0
    while number < len(rows):
        match = _LEMMY_ONE.fullmatch(rows[number])
        if match:
            yield PostHead(match["author"], match["when"], number, number + 1)
        elif (head := _lemmy_in_lines(rows, number)) is not None:
            yield head
            number = head.body - 1
        number += 1


def _lemmy_in_lines(rows: Rows, number: int) -> PostHead | None:
    named = _LEMMY_NAME.fullmatch(rows[number])
    if named is None or (
        _LEMMY_BETWEEN.fullmatch(rows[number]) and rows[number].casefold() != named["author"].casefold()
    ):
        return None
    place = number
    for _ in range(8):
        place = next_row(rows, place + 1)
        if place >= len(rows):
            return None
        if ago := _LEMMY_AGO.fullmatch(rows[place]):
            edited = "edited" if "edited" in rows[place].lower() else ""
            return PostHead(named["author"], ago["when"], number, place + 1, edited)
        if not _LEMMY_BETWEEN.fullmatch(rows[place]):
            return None
    return None


def _near_date(rows: Rows, number: int) -> str | None:
    """Return the date next to the number of a post (XenForo), just above or below it."""
    near = (rows[n] for n in range(max(0, number - 3), min(len(rows), number + 3)) if n != number)
    return next((row for row in near if _XF_DATE.fullmatch(row)), None)


_XF_DATE = re.compile(
    r"[A-Z][a-z]{2,8} \d{1,2}, \d{4}(?: at \d{1,2}:\d\d [AP]M)?|\d{1,2} [A-Z][a-z]{2,8} \d{4}|"
    r"(?:Today|Yesterday|[A-Z][a-z]+day) at \d{1,2}:\d\d(?: [AP]M)?|\d+ minutes? ago|A moment ago"
)
_SMF_HEAD = re.compile(
    r"«\s*(?:(?:reply|antwort)\s+#\d+\s+)?(?:on|am):\s*(?P<when>.+?)\s*»|"
    r"(?:#\d+\s+)?(?P<date>(?:today at|yesterday at|[a-z]+ \d{1,2}, \d{4},)\s*"
    r"\d{1,2}:\d\d:\d\d(?:\s*[ap]m)?)(?:\s+#\d+)?",
    re.IGNORECASE,
)
_MYBB_HEAD = re.compile(
    r"(?P<when>(?:\d{1,2}[-./]\d{1,2}[-./]\d{4}|today|yesterday), \d{1,2}:\d\d(?: [ap]m)?)"
    r"(?:\s*\(this post was last modified: (?P<edited>.+?)(?: by .+?)?\.?\))?(?:\s*#\d+)?",
    re.IGNORECASE,
)

_TAILS = {
    "phpBB 2": re.compile(r"back to top", re.I),
    "SMF": re.compile(r"logged|report to moderator.*", re.I),
    "XenForo": re.compile(r"reactions:.*|like|reply|report|like\s+quote\s+reply|quote\s+reply", re.I),
    "MyBB": re.compile(r"(?:(?:find|reply|quote|report|website|pm)\s*)+", re.I),
}

FORUM_LAYOUTS: tuple[ForumLayout, ...] = (
    ForumLayout(
        name="phpBB",
        heads=_phpbb,
        tail=re.compile(r"(?:back to )?top|nach oben", re.I),
        quote=re.compile(r"(?P<author>.{1,40}?) (?:wrote|hat geschrieben)[:.]?(?: ↑.*)?$", re.I),
        edited=re.compile(r"last edited by .+? on (?P<when>.+?)(?:, edited.*|\.)?$", re.I),
        noise=re.compile(r"re: .*|quote|post|↑", re.I),
    ),
    ForumLayout(
        name="phpBB 2",
        heads=_by_profile(re.compile(r"posted: (?P<when>.+?)\s+post subject:.*", re.I), _TAILS["phpBB 2"]),
        tail=_TAILS["phpBB 2"],
        quote=re.compile(r"(?P<author>.{1,40}?) wrote:$", re.I),
        edited=re.compile(r"last edited by .+? on (?P<when>.+?);.*", re.I),
        noise=re.compile(r"quote", re.I),
    ),
    ForumLayout(
        name="SMF",
        heads=_by_profile(_SMF_HEAD, _TAILS["SMF"]),
        tail=_TAILS["SMF"],
        quote=re.compile(r"quote from: (?P<author>.+?)(?: on .+)?$", re.I),
        edited=re.compile(r"«?\s*last edit: (?P<when>.+?)(?: by .+?)?\s*»?$", re.I),
        noise=re.compile(r"re: .*|quote|#\d+", re.I),
    ),
    ForumLayout(
        name="XenForo",
        heads=_by_profile(re.compile(r"#\d[\d,]*"), _TAILS["XenForo"], _near_date),
        tail=_TAILS["XenForo"],
        quote=re.compile(r"(?P<author>.{1,40}?) said:$"),
        quote_ends=re.compile(r"click to (?:expand|shrink)\.\.\.", re.I),
        edited=re.compile(r"last edited: (?P<when>.+)", re.I),
        noise=re.compile(rf"add bookmark|share|new|{_XF_DATE.pattern}"),
    ),
    ForumLayout(
        name="MyBB",
        heads=_by_profile(_MYBB_HEAD, _TAILS["MyBB"]),
        tail=_TAILS["MyBB"],
        quote=re.compile(r"\(\d[^)]*\)\s*(?P<author>.+?) wrote:(?P<rest>.*)", re.I),
        edited=re.compile(r"\(?this post was last modified: (?P<when>.+?)(?: by .+?)?\.?\)?$", re.I),
        noise=re.compile(r"re: .*|#\d+", re.I),
    ),
    ForumLayout(
        name="vBulletin",
        heads=_vbulletin,
        tail=re.compile(r"(?:reply with quote\s*)+|(?:quote|report|like)", re.I),
        quote=re.compile(r"originally posted by (?P<author>.+?)(?: view post)?$", re.I),
        edited=re.compile(r"last edited by .+?[;,] (?P<when>.+?)\.?$", re.I),
        noise=re.compile(r"(?:default )?re: .*|quote:|default|icon\d*", re.I),
    ),
    ForumLayout(
        name="Reddit",
        heads=_reddit,
        tail=re.compile(r"upvote|downvote|vote|reply|award|share", re.I),
        noise=re.compile(r">.*"),
    ),
    ForumLayout(
        name="old Reddit",
        heads=_old_reddit,
        tail=re.compile(r"permalink.*", re.I),
        noise=re.compile(r">.*"),
    ),
    ForumLayout(
        name="Lemmy",
        heads=_lemmy,
        tail=re.compile(r"link|fedilink|reply|save|context|show context|more", re.I),
        noise=re.compile(r">.*"),
    ),
)


@dataclass(frozen=True)
class CopiedPost:
    """A post. at: its first line in the thread, from 1; when, edited: as the forum writes them, or ""."""

    author: str
    when: str
    edited: str
    at: int
    lines: tuple[str, ...]


def read_posts(text: str, names: Collection[str] = ()) -> tuple[CopiedPost, ...]:
    """Return the posts of a thread in the layout that finds most of them; none if no layout fits.

    names: known authors, in lower case.
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
    """Return the author's own text, and the time of an edit. earlier: the lines of the posts before."""
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
    """Return the time of an edit, if it is among a post's buttons."""
    matches = (layout.edited.match(row) for row in rows[:6]) if layout.edited else ()
    return next((match["when"] for match in matches if match), "")


def _after_quote(layout: ForumLayout, rows: Rows, place: int, earlier: Collection[str]) -> int:
    """Return the row after a quotation whose first line is before the place."""
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
    """Return the row after a quotation with an end, including those inside; None if it has no end here."""
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
"""A line that may be an order isn't a signature, however often it occurs."""


def _signatures(posts: Sequence[tuple[PostHead, list[str], str]]) -> dict[str, list[str]]:
    """Return by author the last lines after an empty one that are the same in all of the author's posts."""
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
    """Return the lines after the last empty one; none if there is no empty line."""
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
