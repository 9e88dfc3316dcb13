"""CSS: the style of each element, and whether a reader sees its text as mail programs show it.

Only what decides whether text is seen is kept. What a sheet says under a condition, or with a selector
that is not understood, is kept as uncertain.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

Style = Mapping[str, str]

_MAX_CSS_RULES, _MAX_SHEET_CHARS = 300, 60_000
_CSS_COMMENT_PATTERN = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})\s?", re.IGNORECASE)
_IMPORTANT = re.compile(r"!\s*important\s*$")
_STATE_SELECTOR_PATTERN = re.compile(
    r":(?:hover|active|focus\S*|visited|target|checked|disabled)\b", re.IGNORECASE
)
_PSEUDO = re.compile(r"::?[a-z-]+(?:\([^()]*\))?", re.IGNORECASE)
_PSEUDO_ELEMENT_PATTERN = re.compile(r"::|:(?:before|after|first-letter|first-line)\b", re.IGNORECASE)
_EMPTY_CONTENT_VALUES = ("none", "normal", '""', "''")
_LIFTED = ("absolute", "fixed")
_PLAIN_MEDIA = re.compile(r"^(?:only\s+)?(?:all|screen)?$")
_RELEVANT_PROPERTY_PATTERN = re.compile(
    r"display|visibility|opacity|filter|mso-hide|(?:max-)?(?:height|width)|overflow|font(?:-size)?|position"
    r"|left|top|right|bottom|margin(?:-left|-top)?|text-indent|clip(?:-path)?|transform|scale|zoom|color"
    r"|background(?:-color|-image)?|text-decoration(?:-line)?|-webkit-text-fill-color|content-visibility"
    r"|letter-spacing|unicode-bidi|z-index|mask\S*|line-height|margin-(?:bottom|right)|word-spacing|content"
    r"|mix-blend-mode|translate|rotate"
)


class StyleDeclaration(NamedTuple):
    """One thing that is said of an element: how strong it is, and whether it is certain that it holds."""

    strength: tuple[bool, int, int]
    name: str
    value: str
    sure: bool


@lru_cache(maxsize=512)
def parse_declarations(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the declarations of a block that count here: name, value and whether it is important."""
    return tuple(_read_declarations(text))


def _read_declarations(text: str) -> Iterator[tuple[str, str, bool]]:
    plain = _ESCAPE.sub(_unescape_css, _CSS_COMMENT_PATTERN.sub(" ", text)).lower() if text else ""
    for declaration in plain.split(";"):
        name, _, value = declaration.partition(":")
        name, value = name.strip(), value.strip()
        if value and _RELEVANT_PROPERTY_PATTERN.fullmatch(name):
            bare = _IMPORTANT.sub("", value)
            yield name, bare.strip(), bare != value


@lru_cache(maxsize=512)
def _declarations_by_importance(own: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the declarations of an attribute, the important ones last."""
    return tuple(sorted(parse_declarations(own), key=lambda declaration: declaration[2]))


def _unescape_css(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "


@dataclass
class StyleSheets:
    """The style sheets of a page. lost: of none of its elements can it be told whether it is seen.

    Then they say more than is read, or a box may lie on others.
    """

    _said: dict[int, list[StyleDeclaration]] = field(default_factory=dict)
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
        sheets.lost = len(whole) > _MAX_SHEET_CHARS
        for number, (selector, block, sure) in enumerate(
            _rules(_CSS_COMMENT_PATTERN.sub(" ", whole[:_MAX_SHEET_CHARS]))
        ):
            if number >= _MAX_CSS_RULES:
                sheets.lost = True
                break
            sheets._note(page, number, selector, parse_declarations(block), sure)
        sheets.lost = sheets.lost or sheets.covers(page)
        return sheets

    def covers(self, page: LexborHTMLParser) -> bool:
        """Return whether a box with a background of its own is positioned, and may lie on others."""
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
        for single in selector.split(","):
            single = single.strip()
            if not single or _STATE_SELECTOR_PATTERN.search(single):
                continue
            if (part := _PSEUDO_ELEMENT_PATTERN.search(single)) is not None:
                self._note_part(page, single[: part.start()].strip() or "*", part[0], block)
                continue
            nodes, is_understood = _select_nodes(page, single)
            if any(name == "position" and value in _LIFTED for name, value, _ in block):
                self._lifted += nodes
            for node in nodes:
                self._said.setdefault(node.mem_id, []).extend(
                    StyleDeclaration(
                        (important, _specificity(single), number), name, value, sure and is_understood
                    )
                    for name, value, important in block
                )

    def _note_part(
        self, page: LexborHTMLParser, selector: str, part: str, block: Sequence[tuple[str, str, bool]]
    ) -> None:
        """Note what a sheet writes before or behind an element, or how its first line differs."""
        values = {name: value for name, value, _ in block}
        unseen = (
            values.get("display") == "none"
            or values.get("visibility") == "hidden"
            or values.get("height") == "0"
        )
        writes = values.get("content", "none") not in _EMPTY_CONTENT_VALUES and not unseen
        if writes or "first" in part:
            for node in _select_nodes(page, selector)[0]:
                self._said.setdefault(node.mem_id, []).append(
                    StyleDeclaration((True, 0, 0), "content", part, True)
                )

    def of_node(self, node: LexborNode, own: str) -> tuple[Style, Style | None]:
        """Return the style of an element, and the style if all uncertain rules held too, where that differs.

        own: its attribute ``style``.
        """
        from_sheets = self._said.get(node.mem_id, ())
        if not from_sheets:
            return ({name: value for name, value, _ in _declarations_by_importance(own)} if own else {}), None
        mine = [
            StyleDeclaration((important, 1_000_000, 0), name, value, True)
            for name, value, important in parse_declarations(own)
        ]
        ranked = sorted((*from_sheets, *mine), key=lambda declaration: declaration.strength)
        sure = {declaration.name: declaration.value for declaration in ranked if declaration.sure}
        if all(declaration.sure for declaration in ranked):
            return sure, None
        return sure, {declaration.name: declaration.value for declaration in ranked}


def _select_nodes(page: LexborHTMLParser, selector: str) -> tuple[list[LexborNode], bool]:
    """Return the elements that a selector names, and whether it was understood as a whole."""
    for tried in dict.fromkeys((selector, _PSEUDO.sub("", selector), "*")):
        try:
            return page.css(tried), tried == selector
        except (SelectolaxError, ValueError):
            continue
    return [], False


def _specificity(selector: str) -> int:
    """Return the specificity of a selector: its strength beside others."""
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
