"""How channels are shown: what each is told, what waits for it, and since when it takes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adjudicator.ledger.posts import channel_named, recipient_of
from adjudicator.store import incidents, outbox

if TYPE_CHECKING:
    from adjudicator.gm.opening import Shelf


def channels(shelf: Shelf) -> list[dict[str, Any]]:
    """Every channel of the settings, and those that they no longer name while posts wait for them."""
    waiting = outbox.waiting(shelf.database)
    troubles = {one.name: one for one in incidents.present(shelf.database)}
    found = []
    for one in shelf.settings.channels:
        trouble = troubles.get(incidents.of_channel(one.called))
        found.append(
            {
                "channel": one.called,
                "kind": one.kind,
                "to": one.address or None,
                "games": sorted(one.games) if one.games is not None else None,
                "what": sorted(one.what),
                "map": one.map,
                "signed": one.secret is not None,
                "waiting": waiting.pop(recipient_of(one.name), 0) if one.name else 0,
                "down_since": trouble.since if trouble else None,
                "why": trouble.why if trouble else None,
            }
        )
    nothing = dict.fromkeys(("to", "games", "map", "signed", "down_since"))
    for recipient, count in sorted(waiting.items()):
        name = channel_named(recipient)
        why = "gm.toml no longer names it"
        found.append({"channel": name, "kind": None, "what": [], **nothing, "waiting": count, "why": why})
    return found
