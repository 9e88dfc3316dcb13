"""Where the archive is: the table [site] of gm.toml."""

from pathlib import Path

from adjudicator.config.toml_reader import ConfigPage
from games.record import Value

SITE_KEYS = frozenset({"dir", "url", "build"})
_SITE_TABLE = "site"


class Site(Value, frozen=True):
    """folder: where it is built; url: where people reach it, without a stroke at its end; "": nowhere.

    by_turns: whether it is built after each turn, and not by `gm site build` alone.
    """

    folder: Path
    url: str = ""
    by_turns: bool = False


def read_site(page: ConfigPage) -> Site | None:
    """Return the table [site] of a gm.toml; None if there is none. Raises Refusal naming the key."""
    if _SITE_TABLE not in page.raw:
        return None
    url = page.text(_SITE_TABLE, "url").strip().rstrip("/") if page.has(_SITE_TABLE, "url") else ""
    if url and not url.startswith(("https://", "http://")):
        raise page.fault(
            _SITE_TABLE, "url", "is no address of the web", 'write  url = "https://games.example.org"'
        )
    build = page.text(_SITE_TABLE, "build", "turn").strip()
    if build not in ("turn", "command"):
        choice = 'write  build = "turn", after each turn, or  "command", by  gm site build  alone'
        raise page.fault(_SITE_TABLE, "build", f"there is no {build}", choice)
    return Site(Path(page.path(page.text(_SITE_TABLE, "dir", "site"))), url, build == "turn")
