"""The rows of text in an HTML email, each with its depth of quoting.

The tree is walked without recursion. Only selectolax parses HTML: it stays linear on hostile input.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from orders.mail.css import StyleSheets, TextLook, apply_style, sight_of


class TextRow(NamedTuple):
    """A line of an email: its quote depth (0: written by the sender) and its text.

    unsure: readers may not see some of it.
    """

    depth: int
    text: str
    unsure: bool = False


_UNSHOWN_TAGS = {
    "script",
    "style",
    "head",
    "title",
    "template",
    "noscript",
    "img",
    "object",
    "svg",
    "-comment",
    "s",
    "strike",
    "del",
    "iframe",
    "audio",
    "video",
    "canvas",
    "datalist",
    "noframes",
    "noembed",
    "textarea",
    "select",
    "map",
}
_PARAGRAPH_TAGS = {"p", "pre", "blockquote", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
_BLOCK_TAGS = _PARAGRAPH_TAGS | {
    "div",
    "li",
    "tr",
    "section",
    "article",
    "header",
    "footer",
    "center",
    "address",
    "dd",
    "dt",
}
_QUOTE_CLASSES = {"gmail_quote", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "gmail_attr", "cite"}
_SIGNATURE_CLASSES = {"gmail_signature", "moz-signature", "protonmail_signature_block", "k9mail-signature"}
_SIGNATURE_IDS = {"signature", "applemailsignature", "ms-outlook-mobile-signature", "x_signature"}
_QUOTED_REST_IDS = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container", "zwchr"}
_QUOTED_PART_NAMES = {"messagereplysection", "__quoted_text__", "__headers__"}
"""The names that Spark and Zimbra give to quoted parts."""

_INDENT = re.compile(r"border(-left)?(-width)?\s*:\s*(none|0)", re.IGNORECASE)
_OUTLOOK_RULE = re.compile(r"border-top\s*:\s*solid\s+#(e1e1e1|b5c4df)", re.IGNORECASE)
_TIGHT = {"msonormal", "msoplaintext", "x_msonormal"}
_FOLDING_TAGS = {"details", "dialog"}
_PLAINLY = TextLook()
_CONTINUING_ROW_END_PATTERN = re.compile(r"(?:^|\W)\w\s*$|[-–—>→(,:]\s*$")
"""What continues in the next word: a single letter, or a character that isn't a letter."""

_HTML_SPACE_PATTERN = re.compile(r"[ \t\n\r\f]+")
_MAX_HTML_ROWS, _MAX_HTML_DEPTH = 4_000, 500
_HTML_TAG_PATTERN = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)
_UNNESTED = {
    *("p", "li", "tr", "td", "th", "dt", "dd", "option"),
    *("br", "hr", "img", "input", "meta", "link", "col", "wbr", "area", "base"),
}


class _NodeTraits(NamedTuple):
    """The meaning of a node's attributes.

    tight: a paragraph without space around it, as Outlook writes every line; indent: a blockquote that only
    indents; quotes: its content is a quotation; rest: its content and everything after it is a quotation.
    """

    hidden: bool = False
    tight: bool = False
    indent: bool = False
    quotes: bool = False
    rest: bool = False


class _OpenNode(NamedTuple):
    """The settings to restore when a node ends."""

    block: bool = False
    apart: bool = False
    quotes: bool = False
    pre: bool = False
    above: TextLook | None = None


_NO_TRAITS, _HIDDEN_TRAITS, _NOTHING_TO_CLOSE = _NodeTraits(), _NodeTraits(hidden=True), _OpenNode()


class _RowWriter:
    """The rows written so far: finished rows, and the row being filled."""

    def __init__(self, sheets: StyleSheets) -> None:
        self.sheets = sheets
        self.look = TextLook(unsure=True) if sheets.lost else _PLAINLY
        self.unsure = False
        self.rows: list[TextRow] = []
        self.line = ""
        self.depth = 0
        self.pre = 0
        self.opened: list[_OpenNode] = []

    def write(self, text: str) -> None:
        visibility = sight_of(self.look) if self.look is not _PLAINLY else "shown"
        if visibility == "hidden":
            return
        if (
            self.unsure
            and visibility == "shown"
            and text.lstrip()[:1].isalnum()
            and not _CONTINUING_ROW_END_PATTERN.search(self.line)
        ):
            # Text that may be invisible precedes it on its line; some programs put a preview there.
            self.end()
        self.unsure = self.unsure or (visibility == "unsure" and bool(text.strip()))
        if not self.pre:
            self.line += _HTML_SPACE_PATTERN.sub(" ", text)
            return
        first, *more = text.replace("\r\n", "\n").split("\n")
        self.line += first
        for line in more:
            self.end()
            self.line = line

    def end(self) -> None:
        """Finish the row, even an empty one. The space behind two hyphens marks a signature."""
        text = self.line.strip()
        signs = text == "--" and self.line[-1:].isspace()
        self.rows.append(TextRow(self.depth, "-- " if signs else text, self.unsure))
        self.line, self.unsure = "", False

    def close(self) -> None:
        """Finish the row unless it is empty."""
        if self.line.strip(" \t\n"):
            self.end()
        self.line = ""

    def gap(self) -> None:
        """Add an empty row, but never two."""
        self.close()
        if self.rows and self.rows[-1].text:
            self.rows.append(TextRow(self.depth, ""))


def rows_of(html: str) -> tuple[TextRow, ...]:
    """Return the visible text of a page, row by row, without signatures that a program marked."""
    tree = LexborHTMLParser(_shallow(html))
    body, page = tree.body, _RowWriter(StyleSheets.read(tree))
    if body is not None:
        _dress(page, body, body.attributes, "body")
    node = body.child if body is not None else None
    while node is not None and len(page.rows) < _MAX_HTML_ROWS:
        inner = node.child if _enter(page, node) else None
        if inner is not None:
            node = inner
            continue
        _leave(page)
        while node is not None and node.next is None:
            node = node.parent
            if node is None or node.tag in ("body", "html"):
                node = None
                break
            _leave(page)
        node = node.next if node is not None else None
    page.close()
    return tuple(page.rows)


def _shallow(html: str) -> str:
    """Return the page without elements that nest too deep. Parsing time grows with the square."""
    depth = 0
    for match in _HTML_TAG_PATTERN.finditer(html):
        if match[2].lower() not in _UNNESTED:
            depth = max(0, depth - 1) if match[1] else depth + 1
        if depth > _MAX_HTML_DEPTH:
            return html[: match.start()]
    return html


def _enter(page: _RowWriter, node: LexborNode) -> bool:
    """Begin a node. Return whether its content is read."""
    tag = node.tag or ""
    page.opened.append(_NOTHING_TO_CLOSE)
    if tag == "-text":
        page.write(node.text_content or "")
        return False
    if tag == "br":
        page.end()
        return False
    traits = _traits(node.attributes) if tag not in _UNSHOWN_TAGS else _HIDDEN_TRAITS
    if traits.hidden:
        return False
    above = page.look
    if not _dress(page, node, node.attributes, tag):
        page.look = above
        return False
    apart = tag in _PARAGRAPH_TAGS and not traits.tight
    quoted = traits.quotes or (tag == "blockquote" and not traits.indent)
    page.opened[-1] = _OpenNode(tag in _BLOCK_TAGS, apart, quoted and not traits.rest, tag == "pre", above)
    if apart:
        page.gap()
    elif tag in _BLOCK_TAGS or quoted or traits.rest:
        page.close()
    if tag in ("td", "th") and page.line:
        page.line += " "
    page.pre += tag == "pre"
    page.depth += quoted or traits.rest
    return True


def _dress(page: _RowWriter, node: LexborNode, attributes: Mapping[str, str | None], tag: str) -> bool:
    """Apply an element's style to the look that it passes on. Return whether its content may be seen."""
    own = attributes.get("style") or "" if attributes else ""
    sure, perhaps = page.sheets.of_node(node, own)
    presentational = _presentational_style(attributes, tag) if attributes or tag in _FOLDING_TAGS else {}
    if not sure and not presentational and perhaps is None and tag not in _FOLDING_TAGS:
        return True
    above = page.look
    visibility, below = apply_style({**presentational, **sure}, above)
    if perhaps is not None:
        otherwise, dressed = apply_style({**presentational, **perhaps}, above)
        differs = otherwise != visibility or sight_of(dressed) != sight_of(below)
        visibility, below = (
            ("shown" if differs else visibility),
            below._replace(unsure=below.unsure or differs),
        )
    folded = tag in _FOLDING_TAGS and "open" not in (attributes or {})
    page.look = below._replace(unsure=True) if folded else below
    return visibility != "hidden"


def _presentational_style(attributes: Mapping[str, str | None], tag: str) -> dict[str, str]:
    """Return old presentational attributes as CSS declarations. A real style is stronger."""
    style = {}
    if "hidden" in attributes:
        style["display"] = "none"
    for name, means in (("bgcolor", "background-color"), ("color", "color"), ("text", "color")):
        value = attributes.get(name)
        if value and (name != "text" or tag == "body") and (name != "color" or tag == "font"):
            style[means] = value.strip().lower()
    return style


def _leave(page: _RowWriter) -> None:
    opened = page.opened.pop()
    if opened.apart:
        page.gap()
    elif opened.block or opened.quotes:
        page.close()
    page.look = page.look if opened.above is None else opened.above
    page.pre -= opened.pre
    page.depth -= opened.quotes


def _is_named_quote(attributes: Mapping[str, str | None]) -> bool:
    """Return whether a node has the name of a part that a program quotes."""
    label = (attributes.get("name") or attributes.get("data-marker") or "").lower()
    return label in _QUOTED_PART_NAMES


def _traits(attributes: Mapping[str, str | None]) -> _NodeTraits:
    """Return the meaning of a node's attributes."""
    if not attributes:
        return _NO_TRAITS
    named = set((attributes.get("class") or "").lower().split())
    id_ = (attributes.get("id") or "").lower()
    style = attributes.get("style") or ""
    return _NodeTraits(
        hidden=bool(named & _SIGNATURE_CLASSES) or id_ in _SIGNATURE_IDS,
        tight=bool(named & _TIGHT),
        indent=bool(_INDENT.search(style)),
        quotes=bool(named & _QUOTE_CLASSES)
        or attributes.get("type") == "cite"
        or _is_named_quote(attributes),
        rest=id_.removeprefix("x_") in _QUOTED_REST_IDS or bool(_OUTLOOK_RULE.search(style)),
    )
