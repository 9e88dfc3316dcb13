"""Where the archive is: the table [site] of gm.toml."""

from pathlib import Path

from adjudicator.settings.page import Page
from games.record import Value

KEYS = frozenset({"dir", "url", "build"})
_TABLE = "site"


class Site(Value, frozen=True):
    """folder: where it is built; url: where people reach it, without a stroke at its end; "": nowhere.

    by_turns: whether it is built after each turn, and not by `gm site build` alone.
    """

    folder: Path
    url: str = ""
    by_turns: bool = False


def site_of(page: Page) -> Site | None:
    """What gm.toml says of it; None where it says nothing. Raises Refusal naming the key."""
    if _TABLE not in page.raw:
        return None
    url = page.text(_TABLE, "url").strip().rstrip("/") if page.has(_TABLE, "url") else ""
    if url and not url.startswith(("https://", "http://")):
        raise page.fault(
            _TABLE, "url", "is no address of the web", 'write  url = "https://games.example.org"'
        )
    said = page.text(_TABLE, "build", "turn").strip()
    if said not in ("turn", "command"):
        choice = 'write  build = "turn", after each turn, or  "command", by  gm site build  alone'
        raise page.fault(_TABLE, "build", f"there is no {said}", choice)
    return Site(Path(page.path(page.text(_TABLE, "dir", "site"))), url, said == "turn")
