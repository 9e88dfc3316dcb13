"""The rows of text that an HTML email shows, each with its depth of quoting.

The tree is walked without recursion. Only selectolax parses HTML: it stays linear on hostile input. Of CSS
only the properties that affect visibility are kept. Conditional rules and unknown selectors make the result
uncertain.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

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


# CSS: the style of each element, and whether mail programs show its text.


class StyleDeclaration(NamedTuple):
    """One declaration for an element: its strength, and whether it certainly applies."""

    strength: tuple[bool, int, int]
    name: str
    value: str
    sure: bool


@lru_cache(maxsize=512)
def parse_declarations(text: str) -> tuple[tuple[str, str, bool], ...]:
    """Return the relevant declarations of a block: name, value and whether it is important."""
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
    """The style sheets of a page. lost: whether they make the visibility of every element uncertain.

    That is so if they are too long to read, or a box may cover others.
    """

    _said: dict[int, list[StyleDeclaration]] = field(default_factory=dict)
    lost: bool = False
    _lifted: list[LexborNode] = field(default_factory=list)

    @classmethod
    def read(cls, page: LexborHTMLParser) -> "StyleSheets":
        """Return the sheets of a page."""
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
        """Return whether a box with its own background is positioned, so that it may cover others."""
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
        """Note the text that a sheet writes before or after an element, or how its first line differs."""
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
        """Return an element's style, and the different style if all uncertain rules applied too.

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
    """Return the specificity of a selector: its strength compared with others."""
    named = selector.count("#") * 10_000
    classes = (len(re.findall(r"[.\[]|:(?!:)", selector))) * 100
    return named + classes + len(re.findall(r"(?:^|[\s>+~])[a-z]", selector, re.IGNORECASE))


def _rules(text: str, sure: bool = True) -> Iterator[tuple[str, str, bool]]:
    """Yield the selector and block of each rule, including those in @media and similar rules."""
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
    """Return the place of the closing bracket; the end of the text if there is none."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, opened):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)


# Decide whether a reader sees the text of an element, by its computed style. No one may put an order into a
# player's email that the player can't see. Text that may be invisible is uncertain, and we ask about it.


Visibility = Literal["shown", "unsure", "hidden"]
Colour = tuple[float, float, float, float]
"""Red, green, blue and how opaque, each from 0 to 1."""


class TextLook(NamedTuple):
    """The look that an element passes on to those inside it.

    ink: the colour of text, None for the program's; ground: the colour behind it, None for the program's;
    pictured: something other than a colour is behind it; size: of letters, in pixels; unseen: `visibility`
    hides it; unsure: it isn't certain that any of it is seen.
    """

    ink: Colour | None = None
    ground: Colour | None = None
    pictured: bool = False
    size: float = 16.0
    unseen: bool = False
    unsure: bool = False


_WHITE, _BLACK = (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0)
_OFFSCREEN_PX, _OFFSCREEN_INDENT_PX, _INVISIBLE_FONT_PX, _SUSPICIOUS_FONT_PX = -300.0, -100.0, 2.0, 5.0
_OVERLAPPING_MARGIN_PX, _MAX_WORD_SPACING_PX, _MARGIN_SIDES = -8.0, 100.0, ("top", "bottom", "right")
_INVISIBLE_CONTRAST, _SUSPICIOUS_CONTRAST = 1.2, 1.5
"""Contrasts: text below the first isn't seen, text below the second may not be seen."""
_PIXELS_PER_UNIT = {
    "px": 1.0,
    "": 1.0,
    "pt": 4 / 3,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "vw": 10.0,
    "vh": 8.0,
    "%": 6.0,
}
_CSS_LENGTH_PATTERN = re.compile(r"^([-+]?\d*\.?\d+)(px|pt|rem|em|ex|vw|vh|%|cm|mm|in|pc)?$")
_NAMED_COLOURS = {
    "white": _WHITE,
    "black": _BLACK,
    "transparent": (0.0, 0.0, 0.0, 0.0),
    "snow": (1.0, 0.98, 0.98, 1.0),
    "ivory": (1.0, 1.0, 0.94, 1.0),
    "whitesmoke": (0.96, 0.96, 0.96, 1.0),
    "ghostwhite": (0.97, 0.97, 1.0, 1.0),
    "floralwhite": (1.0, 0.98, 0.94, 1.0),
    "mintcream": (0.96, 1.0, 0.98, 1.0),
    "azure": (0.94, 1.0, 1.0, 1.0),
    "aliceblue": (0.94, 0.97, 1.0, 1.0),
    "red": (1.0, 0.0, 0.0, 1.0),
    "green": (0.0, 0.5, 0.0, 1.0),
    "blue": (0.0, 0.0, 1.0, 1.0),
    "yellow": (1.0, 1.0, 0.0, 1.0),
    "navy": (0.0, 0.0, 0.5, 1.0),
    "gray": (0.5, 0.5, 0.5, 1.0),
    "grey": (0.5, 0.5, 0.5, 1.0),
    "silver": (0.75, 0.75, 0.75, 1.0),
    "maroon": (0.5, 0.0, 0.0, 1.0),
    "purple": (0.5, 0.0, 0.5, 1.0),
    "windowtext": _BLACK,
    "window": _WHITE,
}
_HEX_COLOUR_PATTERN = re.compile(r"^#?([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$")
_FUNCTION = re.compile(r"^(rgb|hsl)a?\(([^()]*)\)$")


def colour_of(text: str) -> Colour | None:
    """Return a CSS colour; None for an unknown one."""
    if text in _NAMED_COLOURS:
        return _NAMED_COLOURS[text]
    match = _HEX_COLOUR_PATTERN.match(text)
    if match:
        digits = match[1] if len(match[1]) > 4 else "".join(2 * char for char in match[1])
        parts = [int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2)]
        return (parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else 1.0)
    called = _FUNCTION.match(text)
    return _colour_by_function(called[1], called[2]) if called else None


def _colour_by_function(name: str, inside: str) -> Colour | None:
    arguments = [argument for argument in re.split(r"[\s,/]+", inside.strip()) if argument]
    try:
        numbers = [float(argument.rstrip("%deg")) for argument in arguments]
    except ValueError:
        return None
    if len(numbers) not in (3, 4):
        return None
    opaque = numbers[3] / (100 if arguments[3].endswith("%") else 1) if len(numbers) == 4 else 1.0
    if name == "hsl":
        light = numbers[2] / 100
        grey = numbers[1] < 5 or not 0.03 < light < 0.97
        return (light, light, light, opaque) if grey else None
    scale = [100 if argument.endswith("%") else 255 for argument in arguments[:3]]
    red, green, blue = (min(1.0, number / by) for number, by in zip(numbers, scale, strict=False))
    return red, green, blue, opaque


def contrast(first: Colour, other: Colour) -> float:
    """Return the contrast of two colours as WCAG counts it: 1 for the same, 21 for black and white."""
    light, dark = sorted((_brightness(first), _brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _brightness(colour: Colour) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2])


def length_of(text: str, relative: float = 16.0) -> float | None:
    """Return a length in pixels, roughly; None for another value. relative: the base of em and per cent."""
    match = _CSS_LENGTH_PATTERN.match(text)
    if match is None:
        return None
    unit = match[2] or ""
    by = (
        relative
        if unit in ("em", "ex")
        else relative / 100
        if unit == "%"
        else _PIXELS_PER_UNIT.get(unit, 38.0)
    )
    return float(match[1]) * by


def apply_style(style: Style, above: TextLook) -> tuple[Visibility, TextLook]:
    """Return whether an element with that style is seen at all, and the look that it passes on."""
    return _apply_style(tuple(style.items()), above) if style else ("shown", above)


@lru_cache(maxsize=512)
def _apply_style(declarations: tuple[tuple[str, str], ...], above: TextLook) -> tuple[Visibility, TextLook]:
    style = dict(declarations)
    below = _inherit_look(style, above)
    visibility = _box_sight(style)
    return visibility, below._replace(unsure=below.unsure or visibility == "unsure")


def _inherit_look(style: Style, above: TextLook) -> TextLook:
    ink = style.get("-webkit-text-fill-color", style.get("color"))
    inner = above
    if ink is not None and ink not in ("inherit", "currentcolor", "unset"):
        known = None if ink in ("initial", "auto", "windowtext") else colour_of(ink)
        inner = inner._replace(ink=known)
    ground = style.get("background-color") or _ground_in(style.get("background", ""))
    if ground:
        known = colour_of(ground)
        if known is not None and known[3] > 0.5:
            inner = inner._replace(ground=known, pictured=False)
    if any("url(" in style.get(name, "") or "gradient" in style.get(name, "") for name in _PICTURES):
        inner = inner._replace(pictured=True)
    if "visibility" in style:
        inner = inner._replace(unseen=style["visibility"] in ("hidden", "collapse"))
    return inner._replace(size=_size(style, above.size))


_PICTURES = ("background", "background-image")


def _ground_in(shorthand: str) -> str:
    return next((value for value in re.findall(r"[a-z]+\([^()]*\)|\S+", shorthand) if colour_of(value)), "")


def _size(style: Style, above: float) -> float:
    size_text = style.get("font-size")
    if size_text is None:
        sizes = re.findall(r"(?<![\w.-])\d*\.?\d+(?:px|pt|em|rem|%)", style.get("font", ""))
        size_text = sizes[0] if sizes else None
    size = None if size_text is None else length_of(size_text, above)
    return above if size is None else size


@lru_cache(maxsize=512)
def sight_of(text: TextLook) -> Visibility:
    """Return whether text with that look is seen."""
    if text.unseen or text.size < _INVISIBLE_FONT_PX:
        return "hidden"
    ink = text.ink
    if ink is not None and ink[3] < 0.15:
        return "hidden"
    if ink is not None and not text.pictured:
        apart = contrast(ink, text.ground or _WHITE)
        if apart < _INVISIBLE_CONTRAST and text.ground is not None:
            return "hidden"
        if apart < _SUSPICIOUS_CONTRAST:
            return "unsure"
    if ink is None and text.ground is not None and contrast(_BLACK, text.ground) < _SUSPICIOUS_CONTRAST:
        return "unsure"
    if text.unsure or text.size < _SUSPICIOUS_FONT_PX or (text.pictured and ink is not None):
        return "unsure"
    return "shown"


def _box_sight(style: Style) -> Visibility:
    """Return how visible the box of an element leaves its content."""
    if not style:
        return "shown"
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return "hidden"
    struck = style.get("text-decoration", "") + style.get("text-decoration-line", "")
    if "line-through" in struck or _is_transparent(style) or _is_offscreen(style) or _is_clipped(style):
        return "hidden"
    flat = _flat_box_sight(style)
    if flat != "shown":
        return flat
    return "unsure" if _is_suspicious(style) else "shown"


def _is_transparent(style: Style) -> bool:
    opacity = style.get("opacity", "1").rstrip("%")
    try:
        if float(opacity) < 0.1:
            return True
    except ValueError:
        pass
    return bool(re.search(r"opacity\s*(?:=\s*|\(\s*)0(?:\.0*)?%?\s*\)", style.get("filter", "")))


def _is_offscreen(style: Style) -> bool:
    """Return whether the box is outside the visible area."""
    placed = style.get("position", "static") != "static"
    names = ("left", "top", "right", "bottom") if placed else ()
    moved = [style.get(name, "0") for name in (*names, "margin-left", "margin-top")]
    moved += style.get("margin", "0").split()
    if any((length_of(length) or 0.0) <= _OFFSCREEN_PX for length in moved):
        return True
    if placed and any((length_of(style.get(name, "0")) or 0.0) >= -5 * _OFFSCREEN_PX for name in names):
        return True
    return (length_of(style.get("text-indent", "0")) or 0.0) <= _OFFSCREEN_INDENT_PX


def _is_clipped(style: Style) -> bool:
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", style.get("clip", ""))]
    if len(numbers) == 4 and (numbers[2] - numbers[0] <= 1 or numbers[1] - numbers[3] <= 1):
        return True
    if re.search(
        r"inset\(\s*(?:50|100)%|circle\(\s*0|polygon\(\s*0\S*\s+0\S*\s*,?\s*\)", style.get("clip-path", "")
    ):
        return True
    transform = style.get("transform", "") + f" scale({style.get('scale', '1')})"
    far = [float(number) for number in re.findall(r"translate\w*\([^()]*?(-\d+)", transform)]
    return bool(re.search(r"scale\w*\(\s*(?:0(?:\.0*)?\s*[,)\s])", transform)) or any(
        number <= _OFFSCREEN_PX for number in far
    )


def _flat_box_sight(style: Style) -> Visibility:
    """Return how visible the content of a box is that may have no room for it and hide the rest."""
    sizes = [length_of(style.get(name, "")) for name in ("height", "max-height", "width", "max-width")]
    if not any(size is not None and size <= 1.0 for size in sizes):
        return "shown"
    return (
        "hidden"
        if style.get("overflow", "visible").split()[0] in ("hidden", "clip", "scroll", "auto")
        else "unsure"
    )


def _is_suspicious(style: Style) -> bool:
    """Return whether the style may hide text or change it."""
    spaced = length_of(style.get("letter-spacing", "0")) or 0.0
    lined = style.get("line-height", "normal")
    return bool(
        style.get("mso-hide") == "all"
        or "content" in style
        or style.get("position") in ("absolute", "fixed")
        or "blur" in style.get("filter", "")
        or style.get("mix-blend-mode", "normal") != "normal"
        or any(style.get(name, "none") not in ("none", "0") for name in ("translate", "rotate"))
        or (length_of(style.get("word-spacing", "0")) or 0.0) > _MAX_WORD_SPACING_PX
        or any(
            (length_of(style.get(f"margin-{side}", "0")) or 0.0) < _OVERLAPPING_MARGIN_PX
            for side in _MARGIN_SIDES
        )
        or "bidi-override" in style.get("unicode-bidi", "")
        or spaced < -4
        or (
            length_of(lined) is not None
            and (length_of(lined) or 0.0) < (0.2 if lined[-1:].isdigit() else 3.0)
        )
        or style.get("zoom", "1").rstrip("%") in ("0", "0.0", "0.01")
        or re.search(r"rotate[xy]?\(|matrix|skew|perspective", style.get("transform", ""))
        or style.get("clip-path", "none") not in ("none", "")
        or (style.get("position", "static") != "static" and style.get("z-index", "0").startswith("-"))
        or any(name.startswith("mask") and value not in ("none", "") for name, value in style.items())
    )


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
