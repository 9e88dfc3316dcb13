"""The report of a turn of the Diplomacy family: a sentence for each event, the headline, the tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, assert_never

from games.diplomacy import notation, phrases
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.variants import Variant
from games.diplomacy.events import (
    AnyEvent,
    CanoesTaken,
    Captured,
    Dislodged,
    Eliminated,
    Ended,
    Entered,
    Resolved,
    Result,
    StormThrown,
    TabooBroken,
)
from games.diplomacy.map import outlines, scene
from games.diplomacy.map import scene as scenes
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Kind,
    Move,
    Province,
    SupportHold,
    SupportMove,
    View,
    Waive,
)
from games.diplomacy.phrases import (
    UNIT_KIND_NAMES,
    join_words,
    nation,
    order_title,
    power_nouns,
    unit_at,
    unit_nouns,
    unit_row,
    unit_title,
    whose,
    why,
)
from games.diplomacy.reports import headline as headlines
from games.diplomacy.reports import story as stories
from games.diplomacy.reports import tables
from games.protocol import (
    Advice,
    Concern,
    MapRegion,
    Objection,
    OrderNote,
    PastTurn,
    ReportLine,
    ReportTable,
    Seat,
    SeatColours,
    Telling,
)

_BADGES = 12
"""The most powers that colours alone can tell apart."""

_FAILED_OUTCOMES = ("bounced", "cut", "disrupted", "void", "lost")

_ENDING_PHRASES: Mapping[str, str] = {
    "centres": "enough supply centres",
    "units": "enough units",
    "last-year": "the last year is over",
    "empty-board": "no units or centres are left",
}


class DiplomacyTelling(Telling[View, AnyEvent]):
    """The report texts of one variant: implements `protocol.Telling`."""

    has_fronts = True

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        # Options change borders and centres, never a name.
        self._board = variant.board

    @cached_property
    def _notation(self) -> notation.DiplomacyNotation:
        """The notation of orders; tables need none."""
        return notation.DiplomacyNotation(self._board)

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence with its heading; None if it isn't worth reporting."""
        if isinstance(event, Resolved):
            return self._order_line(event)
        if isinstance(event, Dislodged):
            return ReportLine(heading="Dislodged", text=self._dislodgement_text(event))
        if isinstance(event, Entered):
            return None
        if isinstance(event, CanoesTaken | TabooBroken | StormThrown):
            return phrases.tell(self._board, event)
        if isinstance(event, Captured):
            centre = self._name(event.centre)
            gain = f"{centre} from {event.was}" if event.was else f"neutral {centre}"
            text = f"{event.now} took {gain}."
            return ReportLine(heading="Supply centres", text=text)
        if isinstance(event, Eliminated):
            return ReportLine(
                heading="Eliminated",
                text=f"{event.power} has no {unit_nouns(self._board)[1]} or centres left.",
            )
        if isinstance(event, Ended):
            return ReportLine(heading="The end", text=_end(event))
        assert_never(event)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a description of the game, and which power the seat plays."""
        return tables.setting(self._variant.under(view.options), seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return tables.introduction(self._variant.under(view.options), view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the news of the turn in a few sentences."""
        return headlines.headline(self._board, events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return which power owns the most supply centres, if some have changed hands."""
        return headlines.leader_sentence(self._board, view, events)

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return the story of a game up to its present state."""
        return stories.story(self._under(course[0].before).board, course) if course else ()

    def sketch(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Resolved, ...]:
        """Return orders as events to draw on the map before they are processed."""
        return tuple(_as_if(view, seat, orders))

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the tables: what is due, centres and units by power, and all positions."""
        centres = Counter(view.centres.values())
        units = Counter(unit.power for unit in view.units)
        ranked = sorted(self._board.powers, key=lambda power: (-centres[power], -units[power]))
        many = unit_nouns(self._board)[1]
        units_name = f"{many[0].upper()}{many[1:]}"
        standings = [(str(power), str(centres[power]), str(units[power])) for power in ranked]
        unowned = len(self._under(view).board.centres) - len(view.centres)
        standings.append(("neutral", str(unowned), str(units[NEUTRAL])))
        where = [
            (nation(power), unit_row(self._board, (unit for unit in view.units if unit.power == power)))
            for power in (*self._board.powers, NEUTRAL)
            if units[power]
        ]
        owned = [
            (str(power), self._places(centre for centre, owner in view.centres.items() if owner == power))
            for power in self._board.powers
            if centres[power]
        ]
        under, power_title = self._under(view), power_nouns(self._board)[0].capitalize()
        return (
            *tables.tables(under.board, under.rulebook, view),
            ReportTable(
                title="Standings",
                columns=(power_title, "Supply centres", units_name),
                rows=tuple(standings),
                later=True,
            ),
            ReportTable(title="Positions", columns=(power_title, units_name), rows=tuple(where)),
            ReportTable(
                title="Supply centres", columns=(power_title, "Supply centres"), rows=tuple(owned), later=True
            ),
            *tables.canoe_tables(self._board, view),
        )

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg; None if the board has no outlines."""
        board = self._under(view).board
        return scenes.scene(board, view, events) if outlines.is_drawn(board) else None

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map around a power, or the crowded part."""
        return scenes.zoomed_scene(self._under(view).board, view, events, seat)

    def badges(self, view: View) -> Mapping[str, SeatColours]:
        """Return the colours of the powers; none if there are too many to tell apart by colour."""
        powers = self._under(view).board.powers.values()
        if len(powers) > _BADGES:
            return {}
        return {str(power.id): SeatColours(ink=scene.ink(power), land=power.colour) for power in powers}

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every province with its owner and its units."""
        board = self._under(view).board
        return scenes.spots(board, view) if outlines.is_drawn(board) else ()

    def note(self, event: AnyEvent) -> OrderNote | None:
        """Return the note on a unit's order that the map shows when a reader points at it."""
        if not isinstance(event, Resolved) or event.unit is None:
            return None
        return OrderNote(
            of=event.power,
            at=event.unit.at,
            piece=unit_title(self._board, event.power, event.unit),
            order=self._notation.write(event.order) if event.order else "",
            outcome="dislodged" if event.dislodged else event.outcome,
            why=why(self._board, event.reason) if event.reason else "",
            title=order_title(self._board, event.power, event.unit),
        )

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words, with an order to write instead if one is likely."""
        standing = {unit.at: unit.kind for unit in view.units}
        standing |= {beaten.unit.at: beaten.unit.kind for beaten in view.beaten}
        return phrases.advise(self._board, remark, standing, self._kinds()[0])

    def _under(self, view: View) -> Variant:
        """The variant as the options of a game make it."""
        return self._variant.under(view.options)

    def _order_line(self, event: Resolved) -> ReportLine | None:
        if event.power == NEUTRAL:
            return self._neutral(event)
        dislodged = event.reason is not None and event.reason.code == "dislodged"
        if (
            (event.unit or event.order)
            and event.outcome not in _FAILED_OUTCOMES
            and not event.reason
            and not event.dislodged
        ):
            # The order succeeded: one word is enough, and moves show the full name of the goal.
            went = event.outcome in ("moved", "retreated") and isinstance(event.order, Move)
            text = f"{self._order_text(event)}: {self._outcome_text(event) if went else event.outcome}."
            return ReportLine(heading=str(event.power), text=text, routine=True)
        text = f"{self._order_text(event)}: {self._outcome_text(event)}"
        if event.reason and not dislodged:
            text += f": {why(self._board, event.reason)}"
        if event.dislodged:
            text += f"; {why(self._board, event.reason) if event.reason and dislodged else 'dislodged'}"
        failed = event.dislodged or event.outcome in _FAILED_OUTCOMES or _has_collided(event)
        return ReportLine(heading=str(event.power), text=f"{text}.", failed=failed)

    def _neutral(self, event: Resolved) -> ReportLine | None:
        if event.unit is None or event.outcome == "held":
            return None
        by = (
            f" by {join_words([whose(self._board, unit) for unit in event.reason.by])}"
            if event.reason
            else ""
        )
        text = f"The {UNIT_KIND_NAMES[event.unit.kind]} in {self._name(event.unit.at)} was dislodged{by}."
        return ReportLine(heading="Neutral", text=text)

    def _order_text(self, event: Resolved) -> str:
        if event.order is not None:
            return self._notation.write(event.order)
        if event.unit is None:
            return "No order"
        return f"{self._notation.write_piece(event.unit)} (no order)"

    def _outcome_text(self, event: Resolved) -> str:
        """Return the outcome with full names, in words that never read as an order when quoted back."""
        order, name = event.order, unit_at(self._board, event.unit) if event.unit else ""
        if isinstance(order, Move):
            goal = self._name(order.goal)
            by_canoe = order.canoe or is_afloat(self._board, order.unit)
            sentences = {
                "disrupted": f"{name} → {goal} had no convoy",
                "moved": f"{name} → {goal}{', with a canoe-fleet' if order.canoe else ''}",
                "bounced": f"{name} → {goal} {'turned back' if by_canoe else 'bounced'}",
                "retreated": f"{name} retreated to {goal}",
                "disbanded": f"{name} retreated to {goal} and was disbanded",
            }
            if event.outcome in sentences:
                return sentences[event.outcome]
        if isinstance(order, SupportHold | SupportMove):
            return self._support(event, order, name)
        if isinstance(order, Convoy):
            return self._convoy(event, order, name)
        if isinstance(order, BuildCanoe | Destroy):
            return self._canoe(event, order, name)
        if order is None or isinstance(order, Move | Hold | Build | Disband | Waive):
            return self._plain_outcome(event, name)
        assert_never(order)

    def _plain_outcome(self, event: Resolved, name: str) -> str:
        """Return the sentence for an order that names no other unit."""
        if event.unit is None:
            return "a build was waived"
        kind, where = UNIT_KIND_NAMES[event.unit.kind], self._name(event.unit.spot)
        return {
            "built": f"a new {kind} was built in {where}",
            "removed": f"the {kind} in {where} was disbanded",
            "disbanded": f"the {kind} in {where} was disbanded",
            "destroyed": f"the {kind} in {where} was destroyed",
            "void": f"the order for {name} was illegal",
        }.get(event.outcome, f"{name} {event.outcome}")

    def _support(self, event: Resolved, order: SupportHold | SupportMove, name: str) -> str:
        given = unit_at(self._board, order.other)
        if isinstance(order, SupportMove):
            given += f" → {self._name(order.goal)}"
        if event.outcome == "supported":
            return f"{name} supported {given}"
        if event.outcome == "cut":
            return f"the support of {given} by {name} was cut"
        return f"the support of {given} by {name} had no effect"

    def _convoy(self, event: Resolved, order: Convoy, name: str) -> str:
        carried = f"{unit_at(self._board, order.other)} → {self._name(order.to)}"
        if event.outcome == "convoyed":
            return f"{name} convoyed {carried}"
        if event.outcome == "disrupted":
            return f"the convoy of {carried} by {name} was broken"
        return f"the convoy of {carried} by {name} had no effect"

    def _canoe(self, event: Resolved, order: BuildCanoe | Destroy, name: str) -> str:
        if isinstance(order, Destroy):
            where = self._name(order.at)
            gone = event.outcome == "destroyed"
            return f"{'a' if gone else 'no'} canoe-fleet in {where} was destroyed"
        if event.outcome == "built":
            return f"a canoe-fleet was built in {name}"
        if event.outcome == "disrupted":
            return f"the building of a canoe-fleet in {name} was disrupted"
        return f"no canoe-fleet was built in {name}"

    def _dislodgement_text(self, event: Dislodged) -> str:
        text = f"{whose(self._board, event.unit)} was dislodged by {whose(self._board, event.by)}"
        if event.unit.power == NEUTRAL:
            return f"{text} and removed."
        if not event.retreats:
            return f"{text}, couldn't retreat, and was destroyed."
        return f"{text} and can retreat to {join_words([self._name(spot) for spot in event.retreats], 'or')}."

    def _name(self, province: Province) -> str:
        return self._board.name(province)

    def _places(self, provinces: Any) -> str:
        return ", ".join(self._board.abbr(province) for province in self._board.in_board_order(provinces))

    def _kinds(self) -> tuple[Kind, ...]:
        return self._board.kinds


def _has_collided(event: Resolved) -> bool:
    return event.outcome == "disbanded" and isinstance(event.order, Move)


def _end(event: Ended) -> str:
    if not event.winners:
        return f"The game is a draw: {_ENDING_PHRASES[event.reason]}."
    return f"{join_words(event.winners)} won the game: {_ENDING_PHRASES[event.reason]}."


def _as_if(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> Iterator[Resolved]:
    went: Result = "retreated" if view.phase.kind == "R" else "moved"
    for order in orders:
        if isinstance(order, Move):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome=went)
        elif isinstance(order, SupportHold | SupportMove):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="supported")
        elif isinstance(order, Convoy):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="convoyed")
