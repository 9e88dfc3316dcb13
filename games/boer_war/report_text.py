"""The Second Boer War in words: implements `protocol.Telling`."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.boer_war import events as event_types
from games.boer_war import map
from games.boer_war.event_text import describe_event, heading
from games.boer_war.events import AnyEvent
from games.boer_war.map import close_up, map_scene
from games.boer_war.model import View
from games.boer_war.objection_text import describe_objection
from games.boer_war.phrases import capitalize, the_side, verb_form
from games.boer_war.tables import report_tables
from games.close_up import count_assumed, describe_counts
from games.own_box import DATA, short_hash
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
        return map.map_spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return map.event_mention(event)

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


# The Boer War in a few sentences, for a new player: goal, time, surprises.


_COUNTED_FILES = (
    ("leaders", "data/leaders.json", "leaders"),
    ("points", "data/map.json", "points"),
    ("battle cards", "data/cards.json", "cards"),
    ("events", "data/events.json", "events"),
)


def setting(view: View, seat: Seat | None) -> str:
    """Return what the war is, by which rules, and which side the seat leads."""
    by = "The war in South Africa, 1899 to 1902: leaders march, besiege towns and raid railways"
    if view.mode == "table":
        return f"{by}. The board is yours; here the markers are drawn that say who acts how often."
    if view.mode == "both":
        return f"{by}. You lead both sides in turn."
    return f"{by}. You lead the {seat}." if seat else f"{by}."


def introduction(view: View, seat: Seat | None) -> tuple[str, ...]:
    """Return how to win, how long it takes, what is special, and how much of it is ours."""
    values = f"The procedure is the publisher's; {_source_note(view)}."
    if view.mode == "table":
        return (
            "You play on your own board: write DONE after each action, and you are told whether "
            "another follows.",
            _LENGTH_NOTE,
            _POOL_NOTE,
        )
    boers, empire = _boer_goal(view), _empire_goal(view)
    goals = {"Boers": (boers,), "Empire": (empire,)}.get(str(seat), (boers, empire))
    return (" ".join(goals), _LENGTH_NOTE, _POOL_NOTE, values)


def _source_note(view: View) -> str:
    if DATA in view.options:
        return f"the numbers are those of an owner's box, {short_hash(str(view.options[DATA]))}"
    return describe_counts(
        [(things, count_assumed("games.boer_war", file, key)) for things, file, key in _COUNTED_FILES]
    )


_LENGTH_NOTE = "It has four Turns of eleven rounds a side, and a letter is a round of one to three actions."
_POOL_NOTE = (
    "The pool decides: after each action GO! or STOP is drawn out of it, and every report tells the odds. "
    "Troops go with leaders, and railways carry them."
)


def _boer_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        f"The Boers win in Turns I and II by {numbers.sieges} completed sieges, by a port or by "
        f"{numbers.targets} objectives; else by {numbers.unbeaten} strength points (SP) left after Turn IV."
    )


def _empire_goal(view: View) -> str:
    numbers = view.box.numbers.victory
    return (
        "The Empire wins by the three political centres in Turns I and II, later by camps, or when fewer "
        f"than {numbers.gone} strength points (SP) of the Boers are left."
    )
