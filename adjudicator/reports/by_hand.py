"""The gamesmaster's overrides, told in the next report as far as its reader may know them."""

from collections.abc import Sequence
from typing import assert_never

from adjudicator.messages import sentence
from adjudicator.model import overrides
from adjudicator.model.games import LogEntry
from adjudicator.model.overrides import AnyOverride, DieForced, Edited, OrdersSet, RolledBack, Undone
from games.protocol import Game, Seat
from games.record import revive


def describe_overrides(game: Game, entries: Sequence[LogEntry], viewer: Seat | None) -> tuple[str, ...]:
    """Return a sentence for each override since the last report, with its reason. Silent ones are
    left out.
    """
    done = {entry.number: overrides.read(entry.kind, entry.options) for entry in entries}
    struck = overrides.struck_out(done) if done else frozenset[int]()
    overrides_made = [(entry, done[entry.number]) for entry in entries if entry.number not in struck]
    return tuple(
        f"{telling(game, override, viewer)} ({entry.why})" if entry.why else telling(game, override, viewer)
        for entry, override in overrides_made
        if override is not None and not override.silent
    )


def telling(game: Game, override: AnyOverride, viewer: Seat | None) -> str:
    """One override in a sentence, for a reader's eyes."""
    if isinstance(override, Edited):
        assert game.edits is not None, "what has no edits was not edited"
        return game.edits.tell(revive(game.edits.edit_type, override.edit), viewer)
    if isinstance(override, OrdersSet):
        texts = override.texts if viewer == override.seat else ()
        return sentence("reports.by_hand.orders_set", seat=override.seat, texts=texts)
    if isinstance(override, DieForced):
        if game.about.hidden:
            return sentence("reports.by_hand.a_throw_set")
        return sentence("reports.by_hand.throw_set", label=override.label, numbers=override.numbers)
    if isinstance(override, RolledBack):
        return sentence("reports.by_hand.put_back")
    if isinstance(override, Undone):
        return sentence("reports.by_hand.taken_back", number=override.number)
    assert_never(override)
