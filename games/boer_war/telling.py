"""The Second Boer War in words: implements `protocol.Telling`."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war.advice import advice
from games.boer_war.codes import Side
from games.boer_war.forces import side_of
from games.boer_war.model import SIDE_NAMES, View
from games.boer_war.phrases import capital, has, the
from games.boer_war.scene import scene
from games.boer_war.tables import tables
from games.boer_war.telling_events import told
from games.pool import LONGEST
from games.protocol import Advice, Concern, Event, Line, Objection, Seat, Table

THE_DRAW, THE_WAR = "The draw", "The war"
"""What is not told of a side."""

_DRAWS = (event_types.Drawn, event_types.RoundEnded)


class BoerWarTelling:
    """The words."""

    def tell(self, event: Event, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under its side, the draw or the war; None for what needs none."""
        text = told(event)
        if text is None:
            return None
        return Line(heading=_heading(event), text=text, failed=isinstance(event, event_types.Refused))

    def headline(self, events: Sequence[Event]) -> str:
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

    def scene(self, view: View, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """What board.svg draws; nothing where the board lies on the player's own table."""
        return None if view.mode == "table" else scene(view, events)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


_NEWS: tuple[type[Event], ...] = (
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


_OF: Mapping[type[Event], Side] = {
    event_types.Slipped: "boers",
    event_types.Evasion: "boers",
    event_types.Invested: "boers",
    event_types.SiegeRolled: "boers",
    event_types.WasCut: "boers",
    event_types.Repaired: "empire",
    event_types.Built: "empire",
    event_types.CampSet: "empire",
}
"""What only one side does."""


def _brief(text: str) -> str:
    """The first sentence of several; a battle's cards and dice stand below."""
    head, mark, _ = text.partition(". ")
    return head + ("." if mark else "")


def _verdict(event: Event) -> str:
    """GO! or STOP, after a draw or the last action that a round can have."""
    if isinstance(event, event_types.Drawn):
        if event.goes_on:
            return f"GO! {capital(the(event.side))} {has(event.side, 'have', 'has')} another action."
        return f"STOP: the round of {the(event.side)} is over."
    if isinstance(event, event_types.RoundEnded) and event.actions == LONGEST:
        return f"STOP: the round of {the(event.side)} is over with its third action."
    return ""


def _heading(event: Event) -> str:
    if isinstance(event, _DRAWS):
        return THE_DRAW
    side = _side(event)
    return SIDE_NAMES[side] if side else THE_WAR


def _side(event: Event) -> Side | None:
    """Whose event it is, by its side, its leaders or what only one side does; None: of both."""
    said = getattr(event, "side", None)
    if said is not None:
        return "boers" if said == "boers" else "empire"
    if isinstance(event, event_types.Battle | event_types.Skirmish):
        return event.attacker.side
    leader = getattr(event, "leader", None)
    if leader is not None:
        return side_of(leader)
    return _OF.get(type(event))
