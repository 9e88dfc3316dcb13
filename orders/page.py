"""A letter in HTML as rows of text, with how deep each is quoted.

The tree is walked without recursion. Only selectolax touches HTML: it stays linear on hostile input.
"""

import re
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode


class Row(NamedTuple):
    """A line of a letter: how deep it is quoted (0: written by the sender) and its text."""

    depth: int
    text: str


_UNSHOWN = {"script", "style", "head", "title", "template", "noscript", "img", "object", "svg", "-comment"}
_APART = {"p", "pre", "blockquote", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr"}
_BLOCKS = _APART | {
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
_QUOTES = {"gmail_quote", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "gmail_attr", "cite"}
_SIGNED = {"gmail_signature", "moz-signature", "protonmail_signature_block", "k9mail-signature"}
_SIGNED_IDS = {"signature", "applemailsignature", "ms-outlook-mobile-signature", "x_signature"}
_REST = {"divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container"}
_HIDDEN = re.compile(r"display\s*:\s*none|font-size\s*:\s*0(?![.\d])|visibility\s*:\s*hidden", re.IGNORECASE)
_INDENT = re.compile(r"border(-left)?(-width)?\s*:\s*(none|0)", re.IGNORECASE)
_OUTLOOK_RULE = re.compile(r"border-top\s*:\s*solid\s+#(e1e1e1|b5c4df)", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\n\r\f]+")
_MOST_ROWS = 4_000


class _Page:
    """What has been written so far: finished rows, and the row being filled."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.line = ""
        self.depth = 0
        self.pre = 0

    def write(self, text: str) -> None:
        if not self.pre:
            self.line += _SPACE.sub(" ", text)
            return
        first, *more = text.replace("\r\n", "\n").split("\n")
        self.line += first
        for line in more:
            self.end()
            self.line = line

    def end(self) -> None:
        """Finish the row, even an empty one."""
        self.rows.append(Row(self.depth, self.line.strip()))
        self.line = ""

    def close(self) -> None:
        """Finish the row if anything stands in it."""
        if self.line.strip(" \t\n"):
            self.end()
        self.line = ""

    def gap(self) -> None:
        """An empty row, but never two."""
        self.close()
        if self.rows and self.rows[-1].text:
            self.rows.append(Row(self.depth, ""))


def rows_of(html: str) -> tuple[Row, ...]:
    """The visible text of a page, row by row; signatures that a program marked as such are left out."""
    body = LexborHTMLParser(html).body
    page = _Page()
    node = body.child if body is not None else None
    while node is not None and len(page.rows) < _MOST_ROWS:
        inner = node.child if _enter(page, node) else None
        if inner is not None:
            node = inner
            continue
        _leave(page, node)
        while node is not None and node.next is None:
            node = node.parent
            if node is None or node.tag in ("body", "html"):
                node = None
                break
            _leave(page, node)
        node = node.next if node is not None else None
    page.close()
    return tuple(page.rows)


def _enter(page: _Page, node: LexborNode) -> bool:
    """Begin a node; whether what is in it is to be read."""
    tag = node.tag or ""
    if tag == "-text":
        page.write(node.text_content or "")
        return False
    if tag == "br":
        page.end()
        return False
    if tag in _UNSHOWN or _is_left_out(node):
        return False
    if tag in _BLOCKS:
        page.gap() if tag in _APART and not _is_tight(node) else page.close()
    if tag in ("td", "th") and page.line:
        page.line += " "
    page.pre += tag == "pre"
    if _is_rest(node) or _is_quote(node):
        page.close()
        page.depth += 1
    return True


def _leave(page: _Page, node: LexborNode) -> None:
    tag = node.tag or ""
    if tag in ("-text", "br") or tag in _UNSHOWN or _is_left_out(node):
        return
    if tag in _BLOCKS:
        page.gap() if tag in _APART and not _is_tight(node) else page.close()
    page.pre -= tag == "pre"
    if _is_quote(node) and not _is_rest(node):
        page.close()
        page.depth -= 1


def _named(node: LexborNode) -> set[str]:
    return set((node.attributes.get("class") or "").lower().split())


def _id(node: LexborNode) -> str:
    return (node.attributes.get("id") or "").lower()


def _style(node: LexborNode) -> str:
    return node.attributes.get("style") or ""


def _is_left_out(node: LexborNode) -> bool:
    named = bool(_named(node) & _SIGNED) or _id(node) in _SIGNED_IDS
    return named or bool(_HIDDEN.search(_style(node)))


def _is_tight(node: LexborNode) -> bool:
    """Whether a paragraph stands without space around it, as Outlook writes every line."""
    return bool({"msonormal", "msoplaintext", "x_msonormal"} & _named(node))


def _is_rest(node: LexborNode) -> bool:
    """Whether this node and all that follows is quotation."""
    return _id(node).removeprefix("x_") in _REST or bool(_OUTLOOK_RULE.search(_style(node)))


def _is_quote(node: LexborNode) -> bool:
    if _named(node) & _QUOTES or node.attributes.get("type") == "cite":
        return True
    return node.tag == "blockquote" and not _INDENT.search(_style(node))
