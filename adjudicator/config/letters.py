"""The style of letters if their reader has not chosen another: the table [letters] of gm.toml."""

import re
from typing import Any, get_args

from adjudicator.config.toml_reader import ConfigPage
from adjudicator.model.letter_choice import Detail, Every, Maps, Reasons, Sheets, Style

LETTERS_KEYS = frozenset({"detail", "reasons", "every", "maps", "sheets", "digest"})
DIGEST_AT = 7 * 60
"""At which minute of the day digests are written, by default."""

_LETTERS_TABLE = "letters"
_DIGEST_TIME_RE = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def read_letter_style(page: ConfigPage) -> Style:
    """Return the style of reports. Raises Refusal naming the key."""
    return Style(
        detail=_one_of(page, "detail", Detail, "full"),
        reasons=_one_of(page, "reasons", Reasons, None),
        every=_one_of(page, "every", Every, "turn"),
        maps=_one_of(page, "maps", Maps, "png"),
        sheets=_one_of(page, "sheets", Sheets, "text"),
    )


def digest_at(page: ConfigPage) -> int:
    """At which minute of the day digests are written. Raises Refusal naming the key."""
    if not page.has(_LETTERS_TABLE, "digest"):
        return DIGEST_AT
    clock = _DIGEST_TIME_RE.fullmatch(page.text(_LETTERS_TABLE, "digest").strip())
    if clock is None:
        raise page.fault(_LETTERS_TABLE, "digest", "is no time of day", 'write  digest = "07:00"')
    return int(clock[1]) * 60 + int(clock[2])


def _one_of(page: ConfigPage, key: str, words: Any, default: Any) -> Any:
    if not page.has(_LETTERS_TABLE, key):
        return default
    text = page.text(_LETTERS_TABLE, key)
    if text not in get_args(words):
        choice = " or ".join(f'{key} = "{word}"' for word in get_args(words))
        raise page.fault(_LETTERS_TABLE, key, f"there is no {text}", f"write  {choice}")
    return text
