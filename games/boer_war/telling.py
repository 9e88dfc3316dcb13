"""The Second Boer War in words: implements `protocol.Telling`."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import pointing
from games.boer_war.advice import advice
from games.boer_war.events import AnyEvent
from games.boer_war.front import closer
from games.boer_war.headings import heading
from games.boer_war.introduction import introduction, setting
from games.boer_war.model import View
from games.boer_war.phrases import capital, has, the
from games.boer_war.scene import scene
from games.boer_war.tables import tables
from games.boer_war.telling_events import told
from games.pool import LONGEST
from games.protocol import Advice, Concern, Line, Objection, Seat, Table
from games.protocol.optional import Mention, Spot


class BoerWarTelling:
    """The words."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under its side, the draw or the war; None for what needs none."""
        text = told(event)
        if text is None:
            return None
        return Line(heading=heading(event), text=text, failed=isinstance(event, event_types.Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """What the game is, and whom the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view, seat)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """What counted most: the end, towns, battles, camps; with it whether there is another action."""
        said = [told(event) or "" for kind in _NEWS for event in events if isinstance(event, kind)]
        draw = [verdict for event in events if (verdict := _verdict(event))]
        weighty = [_brief(text) for text in said[:2]]
        if any(isinstance(event, event_types.Ended) for event in events):
            return " ".join(weighty)
        return " ".join((*weighty, *draw[-1:])) or "The armies stay where they are."

    def tables(self, view: View) -> tuple[Table, ...]:
        """The pool with its odds, how the war stands, leaders, what may be ordered."""
        return tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """What board.svg draws; nothing where the board lies on the player's own table."""
        return None if view.mode == "table" else scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """What board.svg draws of the part of the map that concerns a side; no part of it is crowded."""
        return None if seat is None or view.mode == "table" else closer(view, seat, events)

    def spots(self, view: View) -> tuple[Spot, ...]:
        """Every point: who holds it, and who stands there; none where no map is drawn."""
        return pointing.spots(view)

    def mention(self, event: AnyEvent) -> Mention | None:
        """Where an event happens."""
        return pointing.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


_NEWS: tuple[type[AnyEvent], ...] = (
    event_types.Ended,
    event_types.Guerrilla,
    event_types.TownFell,
    event_types.Battle,
    event_types.Skirmish,
    event_types.Captured,
    event_types.CampSet,
    event_types.SiegeRolled,
    event_types.Invested,
    event_types.TurnBegan,
    event_types.Played,
    event_types.Reinforced,
    event_types.Evasion,
    event_types.Slipped,
    event_types.Went,
    event_types.Built,
    event_types.Repaired,
    event_types.WasCut,
    event_types.Entrenched,
    event_types.Passed,
)
"""What makes a headline, the weightiest first."""


def _brief(text: str) -> str:
    """The first sentence of several; a battle's cards and dice stand below."""
    head, mark, _ = text.partition(". ")
    return head + ("." if mark else "")


def _verdict(event: AnyEvent) -> str:
    """GO! or STOP, after a draw or the last action that a round can have."""
    if isinstance(event, event_types.Drawn):
        if event.goes_on:
            return f"GO! {capital(the(event.side))} {has(event.side, 'have', 'has')} another action."
        return f"STOP: the round of {the(event.side)} is over."
    if isinstance(event, event_types.RoundEnded) and event.actions == LONGEST:
        return f"STOP: the round of {the(event.side)} is over with its third action."
    return ""
