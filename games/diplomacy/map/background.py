"""The background of a drawing: SVG that is kept beside the provinces, made of known parts alone.

A drawing can come from anybody, and we print it in emails and on pages. So it holds no script, no picture, no
style sheet and no address: only shapes and texts, whose attributes are on a list.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from games.messages import sentence
from games.protocol import Invalid

MAX_BACKGROUND_BYTES = 400_000
_MAX_DEPTH = 20
DEFINITIONS = frozenset({"linearGradient", "radialGradient", "clipPath"})
"""The elements that are only drawn where another one names them."""
TAGS = DEFINITIONS | {
    *("g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "stop"),
}
STYLES = frozenset(
    (
        *("fill", "fill-opacity", "fill-rule", "opacity", "color", "display", "visibility"),
        *(
            "stroke",
            "stroke-width",
            "stroke-opacity",
            "stroke-linecap",
            "stroke-linejoin",
            "stroke-dasharray",
        ),
        *("stroke-dashoffset", "stroke-miterlimit", "stop-color", "stop-opacity", "clip-path", "clip-rule"),
        *("font-family", "font-size", "font-style", "font-weight", "text-anchor", "letter-spacing"),
    )
)
ATTRIBUTES = STYLES | {
    *("id", "d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy"),
    *("dx", "dy", "width", "height", "offset", "transform", "gradientTransform", "gradientUnits"),
    *("spreadMethod", "clipPathUnits", "href"),
}
_PLAIN_VALUE = re.compile(r"[^<>&\\\x00-\x1f]*")
_REFERENCE = re.compile(r"url\(\s*['\"]?#([\w.-]+)['\"]?\s*\)")
_REFERENCE_NAME = re.compile(r"[\w.-]+")


def is_safe_attribute(tag: str, name: str, value: str) -> bool:
    """Return whether we print an attribute of an element. References lead into the drawing only."""
    if name not in ATTRIBUTES or not _PLAIN_VALUE.fullmatch(value):
        return False
    if name == "id":
        return _REFERENCE_NAME.fullmatch(value) is not None
    if name == "href":
        return tag in DEFINITIONS and value[:1] == "#" and _REFERENCE_NAME.fullmatch(value[1:]) is not None
    return "(" not in _REFERENCE.sub("", value) or (
        name in ("transform", "gradientTransform") or re.search(r"url|image|expression", value, re.I) is None
    )


def check_background(elements: Any, where: str) -> None:
    """Raise Invalid for a background with something that we don't print, or that is too large."""
    size = 0
    for tag, attributes, text, depth in _walk(elements, where):
        size += len(tag) + len(text) + sum(len(name) + len(value) for name, value in attributes.items())
        wrong = [name for name, value in attributes.items() if not is_safe_attribute(tag, name, value)]
        if tag not in TAGS or wrong or depth > _MAX_DEPTH:
            part = f"{tag} {wrong[0]}" if wrong else tag
            why = sentence("diplomacy.drawings.not_printed", part=part)
            raise Invalid(where, why, sentence("diplomacy.drawings.draw_again"))
    if size > MAX_BACKGROUND_BYTES:
        why = sentence("diplomacy.drawings.background_too_large", number=MAX_BACKGROUND_BYTES // 1000)
        raise Invalid(where, why, sentence("diplomacy.drawings.simplify"))


def _walk(elements: Any, where: str, depth: int = 0) -> Iterator[tuple[str, dict[str, str], str, int]]:
    """Yield tag, attributes, text and depth of each element. Raises Invalid for other values."""
    try:
        for element in elements:
            tag, attributes, text = element["tag"], element.get("attributes", {}), element.get("text", "")
            if depth > _MAX_DEPTH or not all(
                isinstance(value, str) for value in (tag, text, *attributes, *attributes.values())
            ):
                raise TypeError
            yield tag, attributes, text, depth
            yield from _walk(element.get("children", ()), where, depth + 1)
    except (TypeError, KeyError, AttributeError) as fault:
        why = sentence("diplomacy.drawings.not_an_element")
        raise Invalid(where, why, sentence("diplomacy.drawings.draw_again")) from fault


def background_svg(elements: Iterable[Mapping[str, Any]], prefix: str) -> str:
    """Return a background as SVG. What isn't on the list is left out. prefix: of all names in it."""
    return "".join(_element_svg(element, prefix) for element in elements)


def _element_svg(element: Mapping[str, Any], prefix: str) -> str:
    tag = element["tag"]
    if tag not in TAGS:
        return ""
    parts = []
    for name, value in element.get("attributes", {}).items():
        if is_safe_attribute(tag, name, value):
            own = f"{prefix}{value}" if name == "id" else f"#{prefix}{value[1:]}" if name == "href" else value
            own = _REFERENCE.sub(lambda found: f"url(#{prefix}{found[1]})", own)
            parts.append(f' {name}="{escape(own)}"')
    inner = escape(element.get("text", "")) + background_svg(element.get("children", ()), prefix)
    return f"<{tag}{''.join(parts)}>{inner}</{tag}>" if inner else f"<{tag}{''.join(parts)}/>"
