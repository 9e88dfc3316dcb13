"""The styles of a page in HTML: what its sheets and attributes say of each element.

Only what decides whether text is seen is kept. What a sheet says under a condition, or with a selector that
is not understood, is kept as uncertain.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

Style = Mapping[str, str]

_MOST_RULES, _LONGEST_SHEET = 300, 60_000
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_IMPORTANT = re.compile(r"!\s*important\s*$")
_STATE = re.compile(r":(?:hover|active|focus\S*|visited|target|checked|disabled)\b", re.IGNORECASE)
_PSEUDO = re.compile(r"::?[a-z-]+(?:\([^()]*\))?", re.IGNORECASE)
_ELEMENT = re.compile(r"::|:(?:before|after|first-letter|first-line)\b", re.IGNORECASE)
_NOTHING = ("none", "normal", '""', "''")
_LIFTED = ("absolute", "fixed")
_PLAIN_MEDIA = re.compile(r"^(?:only\s+)?(?:all|screen)?$")
_KEPT = re.compile(
    r"display|visibility|opacity|filter|mso-hide|(?:max-)?(?:height|width)|overflow|font(?:-size)?|position"
    r"|left|top|right|bottom|margin(?:-left|-top)?|text-indent|clip(?:-path)?|transform|scale|zoom|color"
    r"|background(?:-color|-image)?|text-decoration(?:-line)?|-webkit-text-fill-color|content-visibility"
    r"|letter-spacing|unicode-bidi|z-index|mask\S*|line-height|margin-(?:bottom|right)|word-spacing|content"
    r"|mix-blend-mode|translate|rotate"
)


class Said(NamedTuple):
    """One thing that is said of an element: how strong it is, and whether it is certain that it holds."""

    strength: tuple[bool, int, int]
    name: str
    value: str
    sure: bool


@lru_cache(maxsize=512)
def declared(text: str) -> tuple[tuple[str, str, bool], ...]:
    """The declarations of a block that count here: name, value and whether it is important."""
    return tuple(_declared(text))


def _declared(text: str) -> Iterator[tuple[str, str, bool]]:
    plain = _ESCAPE.sub(_unescaped, _COMMENT.sub(" ", text)).lower() if text else ""
    for one in plain.split(";"):
        name, _, value = one.partition(":")
        name, value = name.strip(), value.strip()
        if value and _KEPT.fullmatch(name):
            bare = _IMPORTANT.sub("", value)
            yield name, bare.strip(), bare != value


@lru_cache(maxsize=512)
def _ranked(own: str) -> tuple[tuple[str, str, bool], ...]:
    """The declarations of an attribute, the important ones last."""
    return tuple(sorted(declared(own), key=lambda one: one[2]))


def _unescaped(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


@dataclass
class StyleSheets:
    """What the sheets of a page say of its elements. lost: of none it can be told whether it is seen.

    Then they say more than is read, or a box may lie on others.
    """

    _said: dict[int, list[Said]] = field(default_factory=dict)
    lost: bool = False
    _lifted: list[LexborNode] = field(default_factory=list)

    @classmethod
    def of(cls, page: LexborHTMLParser) -> "StyleSheets":
        """Read the sheets of a page."""
        sheets = cls()
        texts = [node.text() for node in page.css("style")]
        whole = "\n".join(texts)
        if not whole.strip():
            sheets.lost = sheets.covers(page)
            return sheets
        sheets.lost = len(whole) > _LONGEST_SHEET
        for number, (selector, block, sure) in enumerate(_rules(_COMMENT.sub(" ", whole[:_LONGEST_SHEET]))):
            if number >= _MOST_RULES:
                sheets.lost = True
                break
            sheets._note(page, number, selector, declared(block), sure)
        sheets.lost = sheets.lost or sheets.covers(page)
        return sheets

    def covers(self, page: LexborHTMLParser) -> bool:
        """Whether some box with a ground of its own is lifted out of the page, and may lie on others."""
        for node in (*page.css('[style*="position" i]'), *self._lifted):
            style, _ = self.of_node(node, node.attributes.get("style") or "")
            if style.get("position") in _LIFTED and any(name.startswith("background") for name in style):
                return True
        return False

    def _note(
        self,
        page: LexborHTMLParser,
        number: int,
        selector: str,
        block: Sequence[tuple[str, str, bool]],
        sure: bool,
    ) -> None:
        if not block:
            return
        for one in selector.split(","):
            one = one.strip()
            if not one or _STATE.search(one):
                continue
            if (part := _ELEMENT.search(one)) is not None:
                self._note_part(page, one[: part.start()].strip() or "*", part[0], block)
                continue
            nodes, told = _found(page, one)
            if any(name == "position" and value in _LIFTED for name, value, _ in block):
                self._lifted += nodes
            for node in nodes:
                self._said.setdefault(node.mem_id, []).extend(
                    Said((important, _weight(one), number), name, value, sure and told)
                    for name, value, important in block
                )

    def _note_part(
        self, page: LexborHTMLParser, selector: str, part: str, block: Sequence[tuple[str, str, bool]]
    ) -> None:
        """Note what a sheet writes before or behind an element, or how its first line differs."""
        said = {name: value for name, value, _ in block}
        unseen = (
            said.get("display") == "none" or said.get("visibility") == "hidden" or said.get("height") == "0"
        )
        writes = said.get("content", "none") not in _NOTHING and not unseen
        if writes or "first" in part:
            for node in _found(page, selector)[0]:
                self._said.setdefault(node.mem_id, []).append(Said((True, 0, 0), "content", part, True))

    def of_node(self, node: LexborNode, own: str) -> tuple[Style, Style | None]:
        """What counts for an element, and what would if all that is uncertain held too, where that differs.

        own: its attribute ``style``.
        """
        said = self._said.get(node.mem_id, ())
        if not said:
            return ({name: value for name, value, _ in _ranked(own)} if own else {}), None
        mine = [
            Said((important, 1_000_000, 0), name, value, True) for name, value, important in declared(own)
        ]
        ranked = sorted((*said, *mine), key=lambda one: one.strength)
        sure = {one.name: one.value for one in ranked if one.sure}
        if all(one.sure for one in ranked):
            return sure, None
        return sure, {one.name: one.value for one in ranked}


def _found(page: LexborHTMLParser, selector: str) -> tuple[list[LexborNode], bool]:
    """The elements that a selector names, and whether it was understood as a whole."""
    for tried in dict.fromkeys((selector, _PSEUDO.sub("", selector), "*")):
        try:
            return page.css(tried), tried == selector
        except (SelectolaxError, ValueError):
            continue
    return [], False


def _weight(selector: str) -> int:
    """How strong a selector is beside others."""
    named = selector.count("#") * 10_000
    classes = (len(re.findall(r"[.\[]|:(?!:)", selector))) * 100
    return named + classes + len(re.findall(r"(?:^|[\s>+~])[a-z]", selector, re.IGNORECASE))


def _rules(text: str, sure: bool = True) -> Iterator[tuple[str, str, bool]]:
    """Selector and block of each rule, those inside of @media and the like too."""
    at = 0
    while at < len(text):
        opened = text.find("{", at)
        if opened < 0:
            return
        head = text[at:opened].rpartition(";")[2].strip()
        end = _closing(text, opened)
        block = text[opened + 1 : end]
        if not head.startswith("@"):
            yield head, block, sure
        elif head[:6].lower() == "@media":
            medium = head[6:].strip().lower()
            if medium != "print":
                yield from _rules(block, sure and bool(_PLAIN_MEDIA.match(medium)))
        elif head[:9].lower() == "@supports" or head[:6].lower() == "@layer":
            yield from _rules(block, False)
        at = end + 1


def _closing(text: str, opened: int) -> int:
    """Where the bracket that opens there is closed; the end of the text if it never is."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opened):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)
