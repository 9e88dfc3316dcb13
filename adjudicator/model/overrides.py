"""The changes that a gamesmaster makes to a game by hand, as its log holds them, by the kind of entry."""

from collections.abc import Iterable, Mapping
from typing import Any

from games.protocol import Seat
from games.record import Record, plain, revive

PLAYED_KINDS = ("setup", "turn")
"""What the log calls the entries that rules made."""


class Override(Record, frozen=True, kw_only=True, tag=True):
    """One change by a gamesmaster. Its entry tells who made it, when and why.

    silent: the next report passes over it.
    """

    silent: bool = False


class Edited(Override, frozen=True, kw_only=True):
    """The state was changed. edit: plain, as the game's `Edits` reads it; text: as it is written."""

    edit: Any
    text: str


class Undone(Override, frozen=True, kw_only=True):
    """An earlier override of the same turn was taken back. number: its entry's."""

    number: int


class RolledBack(Override, frozen=True, kw_only=True):
    """The game was put back to the state after an earlier entry. to: its number.

    before: by seat, what was on file until then, as `packed` gives it.
    """

    to: int
    before: dict[str, tuple[Any, ...]] = {}


class DieForced(Override, frozen=True, kw_only=True):
    """The next throw of a label shows these numbers."""

    label: str
    numbers: tuple[int, ...]


class OrdersSet(Override, frozen=True, kw_only=True):
    """A seat's orders were filed by hand.

    before, orders: all that it had on file, and has, as `pack_items` gives it.
    texts: the orders as they are written.
    """

    seat: Seat
    before: tuple[Any, ...]
    orders: tuple[Any, ...]
    texts: tuple[str, ...]


AnyOverride = Edited | Undone | RolledBack | DieForced | OrdersSet

OVERRIDE_KINDS: dict[str, type[Override]] = {
    "edit": Edited,
    "undo": Undone,
    "rollback": RolledBack,
    "die": DieForced,
    "orders": OrdersSet,
}
"""What the log calls the entry of each."""


def is_counted(kind: str) -> bool:
    """Return whether the dice count an entry of that kind. Else a GM could try them without effect.

    A turn that is played again after a rollback has other dice all the same, since the first time counts.
    """
    return kind not in OVERRIDE_KINDS


def kind_of(override: Override) -> str:
    """Return the kind that the log gives the entry of an override."""
    return next(kind for kind, override_type in OVERRIDE_KINDS.items() if type(override) is override_type)


def content(override: Override) -> dict[str, Any]:
    """An override as its entry holds it."""
    fields: dict[str, Any] = plain(override)
    return fields


def read(kind: str, options: dict[str, Any]) -> AnyOverride | None:
    """The override of an entry, None for an entry that holds none. Raises Malformed."""
    override: AnyOverride | None = revive(OVERRIDE_KINDS[kind], options) if kind in OVERRIDE_KINDS else None
    return override


def undone_numbers(overrides: Iterable[AnyOverride | None]) -> frozenset[int]:
    """Return the numbers of the entries that were taken back."""
    return frozenset(override.number for override in overrides if isinstance(override, Undone))


def struck_out(overrides: Mapping[int, AnyOverride | None]) -> frozenset[int]:
    """Of what was done since a turn, by the numbers of its entries, the edits that a rollback struck out.

    What was taken back of those is struck out with them. Orders and dice that were set stay as they are.
    """
    gone = undone_numbers(overrides.values())
    back = max(
        (n for n, one in overrides.items() if isinstance(one, RolledBack) and n not in gone), default=0
    )
    edits = {number for number, one in overrides.items() if isinstance(one, Edited) and number < back}
    taken = {number for number, one in overrides.items() if isinstance(one, Undone) and one.number in edits}
    return frozenset(edits | taken)
