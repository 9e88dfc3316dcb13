"""The heading of an event: a side, the draw, or the war."""

from typing import assert_never

from games.boer_war import events as event_types
from games.boer_war.codes import Side
from games.boer_war.events import AnyEvent
from games.boer_war.forces import side_of
from games.boer_war.model import SIDE_NAMES

DRAW_HEADING, WAR_HEADING = "The draw", "The war"
"""What is not told of a side."""

_DRAW_EVENTS = (event_types.Drawn, event_types.RoundEnded)


def heading(event: AnyEvent) -> str:
    """Return the heading of an event: the draw, a side, or the war if it is of both."""
    if isinstance(event, _DRAW_EVENTS):
        return DRAW_HEADING
    side = _side_of_event(event)
    return SIDE_NAMES[side] if side else WAR_HEADING


def _side_of_event(event: event_types.AnyEvent) -> Side | None:
    """Return the side of an event, by its side, its leader or what only one side does; None: of both."""
    match event:
        case (
            event_types.RoundBegan()
            | event_types.Took()
            | event_types.Went()
            | event_types.Retreated()
            | event_types.Captured()
            | event_types.Entrenched()
            | event_types.Reinforced()
            | event_types.Played()
            | event_types.Passed()
            | event_types.Reported()
            | event_types.Drawn()
            | event_types.RoundEnded()
            | event_types.Said()
            | event_types.Refused()
        ):
            return event.side
        case event_types.Battle() | event_types.Skirmish():
            return event.attacker.side
        case event_types.Arrived() | event_types.Tested() | event_types.LostSp() | event_types.Left():
            return side_of(event.leader)
        case (
            event_types.Slipped()
            | event_types.Evasion()
            | event_types.Invested()
            | event_types.SiegeRolled()
            | event_types.WasCut()
        ):
            return "boers"
        case event_types.Repaired() | event_types.Built() | event_types.CampSet():
            return "empire"
        case (
            event_types.TurnBegan()
            | event_types.Handed()
            | event_types.SiegeEnded()
            | event_types.TownFell()
            | event_types.TurnEnded()
            | event_types.Guerrilla()
            | event_types.Ended()
        ):
            return None
        case _:
            assert_never(event)
