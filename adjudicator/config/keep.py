"""The time for which the bytes of letters are kept: the table [keep] of gm.toml."""

from adjudicator.clock import DAY, Millis
from adjudicator.config.toml_reader import ConfigPage
from games.record import Value

KEEP_KEYS = frozenset({"letters", "pictures"})
_TABLE, _EVER, _GAME = "keep", "ever", "game"


class Keep(Value, frozen=True):
    """letters: for how long their bytes are kept when they are done with, None: for ever.

    pictures: whether the pictures of a game that runs stay longer than its letters. The log is kept for ever.
    """

    letters: Millis | None = 90 * DAY
    pictures: bool = True


DEFAULT_KEEP = Keep()


def read_keep(page: ConfigPage) -> Keep:
    """Return the table [keep] of a gm.toml. Raises Refusal naming the key."""
    ever = page.text(_TABLE, "letters", "90d").strip() == _EVER
    letters = None if ever else page.length(_TABLE, "letters", "90d")
    if letters is not None and letters < DAY:
        raise page.fault(_TABLE, "letters", "is less than a day", 'write  letters = "90d"  or  "ever"')
    pictures = page.text(_TABLE, "pictures", _GAME).strip()
    if pictures not in (_GAME, "letters"):
        choice = 'write  pictures = "game", as long as it runs, or  "letters", as long as those'
        raise page.fault(_TABLE, "pictures", f"there is no {pictures}", choice)
    return Keep(letters, pictures == _GAME)
