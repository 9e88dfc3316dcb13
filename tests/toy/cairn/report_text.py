"""Cairn in words: implements `protocol.Telling`."""

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from games.cairn.events import AnyEvent, Drew, Dropped, Rested, Took
from games.cairn.model import HIDDEN, View
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat, Telling


class CairnTelling(Telling[View, AnyEvent]):
    """The words."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence."""
        if isinstance(event, Dropped):
            return ReportLine(heading=event.seat, text=f"dropped the {event.pebble}, and holds {event.left}.")
        if isinstance(event, Took):
            # Who took it is told what it was.
            return None if viewer == event.seat else ReportLine(heading=event.seat, text="took a pebble.")
        if isinstance(event, Drew):
            return ReportLine(heading=event.seat, text=f"took the {event.pebble} from the bag.")
        if isinstance(event, Rested):
            why = f"rested: to {event.void.lower()} was not possible." if event.void else "rested."
            return ReportLine(heading=event.seat, text=why, failed=bool(event.void))
        assert_never(event)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the dropped pebble."""
        dropped = [event.pebble for event in events if isinstance(event, Dropped)]
        return f"Dropped: {', '.join(dropped)}." if dropped else "Nothing was dropped."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """The hands, as far as they may be seen."""
        rows = tuple(
            (str(seat), str(len(hand)), ", ".join(p for p in hand if p != HIDDEN) or "hidden")
            for seat, hand in view.hands.items()
        )
        return (ReportTable(title="Hands", columns=("Seat", "Pebbles", "Names"), rows=rows),)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return None: there is no picture."""
        return None

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        pebble = remark.detail.get("pebble", "")
        if remark.code == "bag-empty":
            return Advice(problem="the bag is empty", instead="rest")
        if remark.code == "not-in-hand":
            return Advice(problem=f"you do not hold the {pebble}", instead="draw")
        if remark.code == "beside":
            top = remark.detail["top"]
            return Advice(problem=f"the {pebble} may not lie beside the {top}", instead="draw")
        if remark.code == "twice":
            return Advice(problem=f"The {pebble} stands there twice.")
        raise KeyError(remark.code)
