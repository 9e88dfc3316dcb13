"""What letters are like that their reader has not chosen himself: the table [letters] of gm.toml."""

import re
from typing import Any, get_args

from adjudicator.ledger.letter_choice import Detail, Every, Maps, Reasons, Sheets, Style
from adjudicator.settings.page import Page

KEYS = frozenset({"detail", "reasons", "every", "maps", "sheets", "digest"})
DIGEST_AT = 7 * 60
"""At which minute of the day digests are written, by default."""

_TABLE = "letters"
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")


def letters_of(page: Page) -> Style:
    """How reports are written. Raises Refusal naming the key."""
    return Style(
        detail=_one_of(page, "detail", Detail, "full"),
        reasons=_one_of(page, "reasons", Reasons, None),
        every=_one_of(page, "every", Every, "turn"),
        maps=_one_of(page, "maps", Maps, "png"),
        sheets=_one_of(page, "sheets", Sheets, "text"),
    )


def digest_at(page: Page) -> int:
    """At which minute of the day digests are written. Raises Refusal naming the key."""
    if not page.has(_TABLE, "digest"):
        return DIGEST_AT
    clock = _CLOCK.fullmatch(page.text(_TABLE, "digest").strip())
    if clock is None:
        raise page.fault(_TABLE, "digest", "is no time of day", 'write  digest = "07:00"')
    return int(clock[1]) * 60 + int(clock[2])


def _one_of(page: Page, key: str, words: Any, default: Any) -> Any:
    if not page.has(_TABLE, key):
        return default
    said = page.text(_TABLE, key)
    if said not in get_args(words):
        choice = " or ".join(f'{key} = "{one}"' for one in get_args(words))
        raise page.fault(_TABLE, key, f"there is no {said}", f"write  {choice}")
    return said
