"""The view of channels: what each is told, what waits for it, and since when it takes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.model.channel_posts import channel_named, recipient_of
from adjudicator.storage import incidents, outbox

if TYPE_CHECKING:
    from adjudicator.cli.connect import Shelf


def channels(shelf: Shelf) -> list[dict[str, Any]]:
    """Every channel of the settings, and those that they no longer name while posts wait for them."""
    waiting = outbox.waiting(shelf.database)
    troubles = {trouble_now.name: trouble_now for trouble_now in incidents.current_incidents(shelf.database)}
    rows = []
    for channel in shelf.settings.channels:
        trouble = troubles.get(incidents.channel_incident_name(channel.display_name))
        rows.append(
            {
                "channel": channel.display_name,
                "kind": channel.kind,
                "to": channel.address or None,
                "games": sorted(channel.games) if channel.games is not None else None,
                "what": sorted(channel.what),
                "map": channel.map,
                "signed": channel.secret is not None,
                "waiting": waiting.pop(recipient_of(channel.name), 0) if channel.name else 0,
                "down_since": trouble.since if trouble else None,
                "why": trouble.why if trouble else None,
            }
        )
    nothing = dict.fromkeys(("to", "games", "map", "signed", "down_since"))
    for recipient, count in sorted(waiting.items()):
        name = channel_named(recipient)
        why = "gm.toml no longer names it"
        rows.append({"channel": name, "kind": None, "what": [], **nothing, "waiting": count, "why": why})
    return rows
