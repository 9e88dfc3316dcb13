"""A turn of the Diplomacy family in words: each event in a sentence, the headline, the tables."""

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
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat
from games.protocol.optional import MapRegion, OrderNote, PastTurn, SeatColours

_BADGES = 12
"""So many powers at most are told apart by their colours alone."""

_FAILED_OUTCOMES = ("bounced", "cut", "disrupted", "void", "lost")

_ENDING_PHRASES: Mapping[str, str] = {
    "centres": "it has the supply centres to win",
    "units": "it has the units to win",
    "last-year": "the last year is over",
    "empty-board": "nobody is left",
}


class DiplomacyTelling:
    """One variant's turns in words: implements `protocol.Telling`."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        # Options change borders and centres, never a name.
        self._board = variant.board

    @cached_property
    def _notation(self) -> notation.DiplomacyNotation:
        """The notation of orders; tables need none."""
        return notation.DiplomacyNotation(self._board)

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence, under its nation or under what happened; None for what is no news."""
        if isinstance(event, Resolved):
            return self._order_line(event)
        if isinstance(event, Dislodged):
            return ReportLine(heading="Dislodged", text=self._dislodgement_text(event))
        if isinstance(event, Entered):
            return None
        if isinstance(event, CanoesTaken | TabooBroken | StormThrown):
            return phrases.tell(self._board, event)
        if isinstance(event, Captured):
            before = f"from {event.was}" if event.was else "which nobody owned"
            text = f"{event.now} took {self._name(event.centre)}{',' * (not event.was)} {before}."
            return ReportLine(heading="Supply centres", text=text)
        if isinstance(event, Eliminated):
            return ReportLine(
                heading="Eliminated",
                text=f"{event.power} has neither {unit_nouns(self._board)[1]} nor centres left.",
            )
        if isinstance(event, Ended):
            return ReportLine(heading="The end", text=_end(event))
        assert_never(event)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and whom the seat plays."""
        return tables.setting(self._variant.under(view.options), seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return tables.introduction(self._variant.under(view.options), view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """The turn's story in a sentence or two."""
        return headlines.headline(self._board, events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return which power owns the most supply centres, where some have changed hands."""
        return headlines.leader_sentence(self._board, view, events)

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return the story of a game, how it came to its present state."""
        return stories.story(self._under(course[0].before).board, course) if course else ()

    def sketch(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Resolved, ...]:
        """Orders as lines on the map, before they are carried out."""
        return tuple(_as_if(view, seat, orders))

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return what is due; centres and units by nation, the strongest first; where all units stand."""
        centres = Counter(view.centres.values())
        units = Counter(unit.power for unit in view.units)
        ranked = sorted(self._board.powers, key=lambda power: (-centres[power], -units[power]))
        many = unit_nouns(self._board)[1]
        units_name = f"{many[0].upper()}{many[1:]}"
        standings = [(str(power), str(centres[power]), str(units[power])) for power in ranked]
        unowned = len(self._under(view).board.centres) - len(view.centres)
        standings.append(("unowned or neutral", str(unowned), str(units[NEUTRAL])))
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
        under = self._under(view)
        return (
            *tables.tables(under.board, under.rulebook, view),
            ReportTable(
                title="Standings",
                columns=("Nation", "Supply centres", units_name),
                rows=tuple(standings),
                later=True,
            ),
            ReportTable(title="Where everybody stands", columns=("Nation", units_name), rows=tuple(where)),
            ReportTable(
                title="Who owns what", columns=("Nation", "Supply centres"), rows=tuple(owned), later=True
            ),
            *tables.canoe_tables(self._board, view),
        )

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg; None for a board without drawn shapes."""
        board = self._under(view).board
        return scenes.scene(board, view, events) if outlines.is_drawn(board) else None

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part that concerns a power; the crowded part for None."""
        return scenes.zoomed_scene(self._under(view).board, view, events, seat)

    def badges(self, view: View) -> Mapping[str, SeatColours]:
        """The colours of the powers; none where there are more than colours can tell apart."""
        powers = self._under(view).board.powers.values()
        if len(powers) > _BADGES:
            return {}
        return {str(power.id): SeatColours(ink=scene.ink(power), land=power.colour) for power in powers}

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Every province: whose land it is, and which units stand there."""
        board = self._under(view).board
        return scenes.spots(board, view) if outlines.is_drawn(board) else ()

    def note(self, event: AnyEvent) -> OrderNote | None:
        """Return the note on a unit's order, to be pointed at on the map."""
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
        """An objection or a concern in words, with an order to write instead where one suggests itself."""
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
            # It went as it was written: a word is enough, and where to in full for those that went somewhere.
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
        text = f"The {UNIT_KIND_NAMES[event.unit.kind]} in {self._name(event.unit.at)} was driven off{by}."
        return ReportLine(heading="Neutral", text=text)

    def _order_text(self, event: Resolved) -> str:
        if event.order is not None:
            return self._notation.write(event.order)
        if event.unit is None:
            return "No order"
        return f"{self._notation.write_piece(event.unit)} (no order)"

    def _outcome_text(self, event: Resolved) -> str:
        """Return outcome and names in full, told so that no sentence reads as an order when quoted back."""
        order, name = event.order, unit_at(self._board, event.unit) if event.unit else ""
        if isinstance(order, Move):
            goal = self._name(order.goal)
            by_canoe = order.canoe or is_afloat(self._board, order.unit)
            sentences = {
                "disrupted": f"{name} → {goal} found no way over the water",
                "moved": f"{name} → {goal}{', with a canoe-fleet' if order.canoe else ''}",
                "bounced": f"{name} → {goal} {'drew back' if by_canoe else 'bounced'}",
                "retreated": f"{name} retreated to {goal}",
                "disbanded": f"{name} came to {goal} and was disbanded",
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
        """Return the sentence for the outcome alone."""
        if event.unit is None:
            return "a build was waived"
        kind, where = UNIT_KIND_NAMES[event.unit.kind], self._name(event.unit.spot)
        return {
            "built": f"a new {kind} stood up in {where}",
            "removed": f"the {kind} in {where} went home",
            "disbanded": f"the {kind} in {where} was disbanded",
            "destroyed": f"the {kind} in {where} was destroyed",
            "void": f"the order for {name} was void",
        }.get(event.outcome, f"{name} {event.outcome}")

    def _support(self, event: Resolved, order: SupportHold | SupportMove, name: str) -> str:
        given = unit_at(self._board, order.other)
        if isinstance(order, SupportMove):
            given += f" → {self._name(order.goal)}"
        if event.outcome == "supported":
            return f"{name} supported {given}"
        return f"the support of {given} by {name} was {'cut' if event.outcome == 'cut' else 'void'}"

    def _convoy(self, event: Resolved, order: Convoy, name: str) -> str:
        carried = f"{unit_at(self._board, order.other)} → {self._name(order.to)}"
        if event.outcome == "convoyed":
            return f"{name} convoyed {carried}"
        return f"the convoy of {carried} by {name} was {'broken' if event.outcome == 'disrupted' else 'void'}"

    def _canoe(self, event: Resolved, order: BuildCanoe | Destroy, name: str) -> str:
        if isinstance(order, Destroy):
            where = self._name(order.at)
            gone = event.outcome == "destroyed"
            return f"a canoe-fleet in {where} was burnt" if gone else f"no canoe-fleet in {where} was burnt"
        if event.outcome == "built":
            return f"a canoe-fleet was built in {name}"
        spoilt = "spoilt" if event.outcome == "disrupted" else "void"
        return f"the building of a canoe-fleet in {name} was {spoilt}"

    def _dislodgement_text(self, event: Dislodged) -> str:
        text = f"{whose(self._board, event.unit)} was driven out by {whose(self._board, event.by)}"
        if event.unit.power == NEUTRAL:
            return f"{text} and is gone."
        if not event.retreats:
            return f"{text}, had nowhere to go, and is gone."
        return f"{text} and may retreat to {join_words([self._name(spot) for spot in event.retreats], 'or')}."

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
