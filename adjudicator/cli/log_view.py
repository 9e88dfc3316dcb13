"""The log of a game as plain values: what `--json` prints, and what the tables are filled from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, assert_never

from adjudicator.cli.output import stamp
from adjudicator.model import overrides
from adjudicator.turns.overrides import counting_entries, override_of, undone_entries
from games import record

if TYPE_CHECKING:
    from adjudicator.model.games import LogEntry


def entry_view(entry: LogEntry) -> dict[str, Any]:
    """An entry of the log; `what`: in a few words what it did; `reasons`: the bots', by seat and order."""
    return {
        "entry": entry.number,
        "at": stamp(entry.at),
        "kind": entry.kind,
        "turn": entry.turn,
        "by": entry.by,
        "why": entry.why or None,
        "what": _what(entry),
        "silent": bool(entry.options.get("silent")) if override_of(entry) is not None else False,
        "dice": [record.plain(throw) for throw in entry.throws],
        "reasons": {seat: dict(why) for seat, why in sorted(entry.reasons.items())},
        "state_sha256": entry.state_sha,
        "sha256": entry.sha,
        "previous_sha256": entry.previous_sha,
    }


def log_view(entries: Sequence[LogEntry]) -> list[dict[str, Any]]:
    """A whole log; `counts`: whether the entry was neither taken back nor left behind by a rollback."""
    counting = {entry.number for entry in counting_entries(entries)} - undone_entries(entries)
    return [{**entry_view(entry), "counts": entry.number in counting} for entry in entries]


def _what(entry: LogEntry) -> str:
    override = override_of(entry)
    if isinstance(override, overrides.Edited):
        return override.text
    if isinstance(override, overrides.Undone):
        return f"entry {override.number} taken back"
    if isinstance(override, overrides.RolledBack):
        return f"put back to entry {override.to}"
    if isinstance(override, overrides.DieForced):
        return f"{override.label} = {', '.join(map(str, override.numbers))}"
    if isinstance(override, overrides.OrdersSet):
        return f"{override.seat}: {', '.join(override.texts) or 'nothing on file'}"
    if override is not None:
        assert_never(override)
    if entry.kind == "setup":
        return "begun"
    if entry.kind != "turn":
        return ", ".join(f"{key}={value}" for key, value in entry.options.items())
    silent = f", none from {', '.join(entry.silent)}" if entry.silent else ""
    thrown = f", {len(entry.throws)} throws" if entry.throws else ""
    return f"{sum(len(orders) for orders in entry.orders.values())} orders{silent}{thrown}"
