"""The letters that a player chose to get: their length, their turns, and a digest."""

from typing import Literal

from adjudicator.clock import Millis
from adjudicator.model.bounds import Address, Count, SeatName
from games.record import Record, replace_fields

Detail = Literal["full", "brief"]
"""All that a report has to tell; or what changed, what is the reader's own, and what is due."""

Reasons = Literal["off", "failed", "all"]
"""Of which orders a bot says why, where it may: of none, of those that failed, of all."""

Every = Literal["turn", "round"]
"""A report of each turn that was played; or one of a round, and whenever the reader has to decide."""

Maps = Literal["png", "svg"]
"""The map as a picture within the letter; or as a drawing besides, a file to zoom into and to print."""

Sheets = Literal["text", "page"]
"""The order sheet as lines in the letter; or as a page besides, which writes the letter."""

Digest = Literal["off", "daily", "weekly"]
"""How often one letter names all games that wait for an address."""


class Style(Record, frozen=True, kw_only=True):
    """The style of a report. reasons None: all in a full letter, none in a brief one."""

    detail: Detail = "full"
    reasons: Reasons | None = None
    every: Every = "turn"
    maps: Maps = "png"
    sheets: Sheets = "text"

    @property
    def says_why(self) -> Reasons:
        """Return the orders whose reasons bots tell."""
        return self.reasons or ("off" if self.detail == "brief" else "all")


DEFAULT_STYLE = Style()
"""All of everything, as it is where nobody says otherwise."""


class LetterChoice(Record, frozen=True, kw_only=True):
    """The choices of a seat's player for their letters. None: as the service does it otherwise.

    address: who chose; nobody else who sits there is bound by it. untold: the number of the first entry of
    the log that he has not been told of, since its report waits for the others of the round.
    """

    seat: SeatName
    address: Address
    detail: Detail | None = None
    reasons: Reasons | None = None
    every: Every | None = None
    maps: Maps | None = None
    sheets: Sheets | None = None
    untold: Count | None = None

    def style(self, default: Style) -> Style:
        """Return the style of the player's reports. default: the style where they chose nothing."""
        choices = {name: getattr(self, name) for name in ("detail", "reasons", "every", "maps", "sheets")}
        return replace_fields(
            default, **{name: value for name, value in choices.items() if value is not None}
        )


class Subscription(Record, frozen=True, kw_only=True):
    """A subscription to a digest: its address, its interval, and when it was last checked for being due."""

    address: str
    digest: Digest
    seen: Millis
