"""Where reports go that anybody may read: a mailing list, or a forum's address for posts."""

from dataclasses import dataclass
from typing import Literal, get_args

from adjudicator.settings.page import Page
from adjudicator.signs.addresses import valid_address

Markup = Literal["text", "bbcode", "markdown"]
"""What is posted: a letter as observers get it, or text with the marks of a forum."""

_TABLE = "channel"


@dataclass(frozen=True)
class Channel:
    """The table [channel] of gm.toml. games: by name those whose reports go there; None: all."""

    address: str
    markup: Markup = "text"
    games: frozenset[str] | None = None

    def carries(self, game: str) -> bool:
        """Whether a game's reports go there."""
        return self.games is None or game in self.games


def channel_of(page: Page) -> Channel | None:
    """The channel that a gm.toml names, or None. Raises Refusal naming the key."""
    if not page.has(_TABLE):
        return None
    address = valid_address(page.text(_TABLE, "address"))
    if address is None:
        raise page.fault(
            _TABLE, "address", "is no mail address", 'write  address = "turns@lists.example.org"'
        )
    if address == valid_address(page.text("service", "address")):
        raise page.fault(_TABLE, "address", "is the service's own", "name the list's or the forum's")
    games = page.texts(_TABLE, "games", ()) if page.has(_TABLE, "games") else None
    return Channel(address, _markup(page), None if games is None else frozenset(games))


def _markup(page: Page) -> Markup:
    said = page.text(_TABLE, "as", "text")
    for one in get_args(Markup):
        if said == one:
            return one  # type: ignore[no-any-return]  # it is one of them
    choice = " or ".join(f'as = "{one}"' for one in get_args(Markup))
    raise page.fault(_TABLE, "as", f"there is no form {said}", f"write  {choice}")
