"""The Second Boer War in words: implements `protocol.Telling`."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import pointing
from games.boer_war.event_text import describe_event
from games.boer_war.events import AnyEvent
from games.boer_war.front import close_up
from games.boer_war.headings import heading
from games.boer_war.introduction import introduction, setting
from games.boer_war.map import map_scene
from games.boer_war.model import View
from games.boer_war.objection_text import describe_objection
from games.boer_war.phrases import capitalize, the_side, verb_form
from games.boer_war.tables import report_tables
from games.pool import MAX_ACTIONS_PER_ROUND
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat
from games.protocol.optional import EventPlaces, MapRegion


class BoerWarTelling:
    """The words."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in a sentence, under its side, the draw or the war.

        None for one that needs none.
        """
        text = describe_event(event)
        if text is None:
            return None
        return ReportLine(heading=heading(event), text=text, failed=isinstance(event, event_types.Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and the side that the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the game in a few sentences."""
        return introduction(view, seat)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the main news: the end, towns, battles, camps; and whether there is another action."""
        sentences = [
            describe_event(event) or ""
            for kind in _HEADLINE_EVENTS
            for event in events
            if isinstance(event, kind)
        ]
        draw = [verdict for event in events if (verdict := _draw_verdict(event))]
        weighty = [_first_sentence(text) for text in sentences[:2]]
        if any(isinstance(event, event_types.Ended) for event in events):
            return " ".join(weighty)
        return " ".join((*weighty, *draw[-1:])) or "The armies stay where they are."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the pool with its odds, how the war stands, leaders, what may be ordered."""
        return report_tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg; None where the board is on the player's own table."""
        return None if view.mode == "table" else map_scene(view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map that concerns a side.

        No part of it is crowded.
        """
        return None if seat is None or view.mode == "table" else close_up(view, seat, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every point, with its holder and the forces there; none where no map is drawn."""
        return pointing.map_spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return pointing.event_mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return describe_objection(remark)


_HEADLINE_EVENTS: tuple[type[AnyEvent], ...] = (
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


def _first_sentence(text: str) -> str:
    """Return the first sentence of several; a battle's cards and dice stand below."""
    head, mark, _ = text.partition(". ")
    return head + ("." if mark else "")


def _draw_verdict(event: AnyEvent) -> str:
    """Return GO! or STOP in words, after a draw or the last action that a round can have."""
    if isinstance(event, event_types.Drawn):
        if event.goes_on:
            return (
                f"GO! {capitalize(the_side(event.side))} {verb_form(event.side, 'have', 'has')} "
                f"another action."
            )
        return f"STOP: the round of {the_side(event.side)} is over."
    if isinstance(event, event_types.RoundEnded) and event.actions == MAX_ACTIONS_PER_ROUND:
        return f"STOP: the round of {the_side(event.side)} is over with its third action."
    return ""
