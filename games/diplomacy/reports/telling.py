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
    GarrisonReturned,
    Resolved,
    Result,
    StormThrown,
    TabooBroken,
)
from games.diplomacy.map import scene
from games.diplomacy.map import scene as scenes
from games.diplomacy.map.outlines import is_drawn
from games.diplomacy.map.schematic import schematic_board
from games.diplomacy.model import (
    NEUTRAL,
    AnyOrder,
    Build,
    BuildCanoe,
    Convoy,
    Destroy,
    Disband,
    Hold,
    Move,
    SupportHold,
    SupportMove,
    View,
    Waive,
)
from games.diplomacy.phrases import (
    UNIT_KIND_NAMES,
    nation,
    order_title,
    unit_at,
    unit_row,
    unit_title,
    whose,
    why,
)
from games.diplomacy.reports import handbook as handbooks
from games.diplomacy.reports import headline as headlines
from games.diplomacy.reports import story as stories
from games.diplomacy.reports import tables
from games.language import join_list
from games.messages import sentence
from games.options import settle, with_starting_values
from games.protocol import (
    Advice,
    Concern,
    HandbookSection,
    MapRegion,
    NewsItem,
    Objection,
    Options,
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
            heading = sentence("diplomacy.reports_headings.dislodged")
            return ReportLine(heading=heading, text=self._dislodgement_text(event))
        if isinstance(event, Entered):
            return None
        if isinstance(event, CanoesTaken | TabooBroken | StormThrown):
            return phrases.tell(self._board, event)
        if isinstance(event, Captured):
            text = sentence(
                "diplomacy.reports_results.took" if event.was else "diplomacy.reports_results.took_neutral",
                power=event.now,
                centre=self._board.name(event.centre),
                loser=event.was,
            )
            return ReportLine(heading=sentence("diplomacy.reports_headings.centres"), text=text)
        if isinstance(event, GarrisonReturned):
            unit, place = UNIT_KIND_NAMES[event.unit.kind], self._board.name(event.unit.at)
            text = sentence("diplomacy.reports_results.garrison_returned", kind=unit, place=place)
            return ReportLine(heading=sentence("diplomacy.reports_headings.neutral"), text=text)
        if isinstance(event, Eliminated):
            slug = (
                "diplomacy.reports_results.eliminated_war_parties"
                if self._board.kinds == ("W",)
                else "diplomacy.reports_results.eliminated"
            )
            heading = sentence("diplomacy.reports_headings.eliminated")
            return ReportLine(heading=heading, text=sentence(slug, power=event.power))
        if isinstance(event, Ended):
            text = sentence(
                "diplomacy.reports_results.won" if event.winners else "diplomacy.reports_results.drawn",
                winners=join_list(event.winners),
                reason=sentence(f"diplomacy.reports_endings.{event.reason}"),
            )
            return ReportLine(heading=sentence("diplomacy.reports_headings.end"), text=text)
        assert_never(event)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a description of the game, which is the same for all seats."""
        return tables.setting(self._variant.under(view.options))

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return how to win, how long the game lasts, and what is special about the variant."""
        return tables.introduction(self._variant.under(view.options), view)

    def handbook(self, options: Options | None = None) -> tuple[HandbookSection, ...]:
        """Return the help on a board of armies and fleets. Boards with canoe-fleets have a page, and so has
        the standard board, for its usual rules."""
        variant, known = self._variant, self._variant.rulebook.options
        usual = variant.under(settle(known, with_starting_values(known, {})))
        played = usual if options is None else variant.under(options)
        is_usual = variant.name == "standard" and played.rulebook == usual.rulebook
        return () if variant.rulebook.canoes or is_usual else handbooks.handbook(played)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the news of the turn in a few sentences."""
        return headlines.headline(self._board, events)

    def news(self, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
        """Return the news of the turn, the most important first."""
        return headlines.news_items(self._board, events)

    def standing(self, view: View) -> str:
        """Return which powers own the most supply centres, if they are few."""
        return headlines.standing(self._board, view)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return which power owns the most supply centres, if some have changed hands."""
        return headlines.leader_sentence(self._board, view, events)

    def story(self, course: Sequence[PastTurn]) -> tuple[ReportLine, ...]:
        """Return the story of a game up to its present state."""
        return stories.story(self._variant.under(course[0].before.options).board, course) if course else ()

    def sketch(self, view: View, seat: Seat, orders: Sequence[AnyOrder]) -> tuple[Resolved, ...]:
        """Return orders as events to draw on the map before they are processed."""
        return tuple(_as_if(view, seat, orders))

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the tables: what is due, centres and units by power, and all positions."""
        variant, board = self._variant.under(view.options), self._board
        centres = Counter(view.centres.values())
        units = Counter(unit.power for unit in view.units)
        ranked = sorted(board.powers, key=lambda power: (-centres[power], -units[power]))
        standings = [(str(power), str(centres[power]), str(units[power])) for power in ranked]
        unowned = len(variant.board.centres) - len(view.centres)
        standings.append((nation(NEUTRAL), str(unowned), str(units[NEUTRAL])))
        where = [
            (nation(power), unit_row(board, (unit for unit in view.units if unit.power == power)))
            for power in (*board.powers, NEUTRAL)
            if units[power]
        ]
        owned = [
            (str(power), ", ".join(board.abbr(centre) for centre in board.in_board_order(own)))
            for power in board.powers
            if (own := [centre for centre, owner in view.centres.items() if owner == power])
        ]
        power_title = tables.power_column(board)
        units_title = sentence(
            "diplomacy.reports_tables.war_parties"
            if board.kinds == ("W",)
            else "diplomacy.reports_tables.units"
        )
        centres_title = sentence("diplomacy.reports_tables.centres")
        return (
            *tables.tables(variant.board, variant.rulebook, view),
            ReportTable(
                title=sentence("diplomacy.reports_tables.standings"),
                columns=(power_title, centres_title, units_title),
                rows=tuple(standings),
                later=True,
            ),
            ReportTable(
                title=sentence("diplomacy.reports_tables.positions"),
                columns=(power_title, units_title),
                rows=tuple(where),
            ),
            ReportTable(
                title=centres_title, columns=(power_title, centres_title), rows=tuple(owned), later=True
            ),
            *tables.victory_table(variant.board, view),
            *tables.canoe_tables(board, view),
        )

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """Return the context of board.svg."""
        board = self._variant.under(view.options).board
        return scenes.scene(board if is_drawn(board) else schematic_board(board), view, events)

    def front(self, view: View, seat: Seat | None, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg for the part of the map around a power, or the crowded part."""
        board = self._variant.under(view.options).board
        drawn = board if is_drawn(board) else schematic_board(board)
        return scenes.zoomed_scene(drawn, view, events, seat)

    def badges(self, view: View) -> Mapping[str, SeatColours]:
        """Return the colours of the powers; none if there are too many to tell apart by colour."""
        powers = self._variant.under(view.options).board.powers.values()
        if len(powers) > _BADGES:
            return {}
        return {str(power.id): SeatColours(ink=scene.ink(power), land=power.colour) for power in powers}

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every province with its owner and its units."""
        board = self._variant.under(view.options).board
        return scenes.spots(board if is_drawn(board) else schematic_board(board), view)

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
        return phrases.advise(self._board, remark, standing, self._board.kinds[0])

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
            outcome = (
                self._outcome_text(event) if went else sentence(f"diplomacy.reports_outcomes.{event.outcome}")
            )
            text = sentence("diplomacy.reports_results.order", order=self._order_text(event), outcome=outcome)
            done, held = self._done(event)
            return ReportLine(
                heading=str(event.power),
                text=text,
                routine=True,
                done=done,
                outcome=sentence(f"diplomacy.reports_outcomes.{event.outcome}") if done else "",
                held=held,
            )
        slug = "diplomacy.reports_results.order"
        if event.reason and not dislodged:
            slug = (
                "diplomacy.reports_results.order_because_and_dislodged"
                if event.dislodged
                else "diplomacy.reports_results.order_because"
            )
        elif event.dislodged:
            slug = (
                "diplomacy.reports_results.order_and_dislodged_by"
                if dislodged
                else "diplomacy.reports_results.order_and_dislodged"
            )
        text = sentence(
            slug,
            order=self._order_text(event),
            outcome=self._outcome_text(event),
            reason=why(self._board, event.reason) if event.reason else "",
        )
        has_collided = event.outcome == "disbanded" and isinstance(event.order, Move)
        failed = event.dislodged or event.outcome in _FAILED_OUTCOMES or has_collided
        return ReportLine(heading=str(event.power), text=text, failed=failed)

    def _done(self, event: Resolved) -> tuple[str, bool]:
        """Return the order that was carried out, and False, or the unit that held as ordered, and True.

        A retreat is none: its sentence says more.
        """
        if isinstance(event.order, Hold) and event.unit and event.outcome == "held":
            return self._notation.write_piece(event.unit), True
        return "" if event.outcome == "retreated" else self._order_text(event), False

    def _neutral(self, event: Resolved) -> ReportLine | None:
        if event.unit is None or event.outcome == "held":
            return None
        text = sentence(
            "diplomacy.reports_results.neutral_dislodged_by"
            if event.reason
            else "diplomacy.reports_results.neutral_dislodged",
            kind=UNIT_KIND_NAMES[event.unit.kind],
            place=self._board.name(event.unit.at),
            by=join_list([whose(self._board, unit) for unit in event.reason.by]) if event.reason else "",
        )
        return ReportLine(heading=sentence("diplomacy.reports_headings.neutral"), text=text)

    def _order_text(self, event: Resolved) -> str:
        if event.order is not None:
            return self._notation.write(event.order)
        if event.unit is None:
            return sentence("diplomacy.reports_results.no_order")
        piece = self._notation.write_piece(event.unit)
        return sentence("diplomacy.reports_results.piece_without_order", piece=piece)

    def _outcome_text(self, event: Resolved) -> str:
        """Return the outcome with full names, in words that never read as an order when quoted back."""
        order, name = event.order, unit_at(self._board, event.unit) if event.unit else ""
        if isinstance(order, Move):
            by_canoe = order.canoe or is_afloat(self._board, order.unit)
            slugs = {
                "disrupted": "diplomacy.reports_results.move_without_convoy",
                "moved": "diplomacy.reports_results.moved_with_canoe"
                if order.canoe
                else "diplomacy.reports_results.moved",
                "bounced": "diplomacy.reports_results.turned_back"
                if by_canoe
                else "diplomacy.reports_results.bounced",
                "retreated": "diplomacy.reports_results.retreated",
                "disbanded": "diplomacy.reports_results.retreated_and_disbanded",
            }
            if event.outcome in slugs:
                return sentence(slugs[event.outcome], unit=name, goal=self._board.name(order.goal))
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
            return sentence("diplomacy.reports_results.build_waived")
        slugs = {
            "built": "diplomacy.reports_results.built",
            "removed": "diplomacy.reports_results.disbanded",
            "disbanded": "diplomacy.reports_results.disbanded",
            "destroyed": "diplomacy.reports_results.destroyed",
            "void": "diplomacy.reports_results.illegal",
        }
        return sentence(
            slugs.get(event.outcome, "diplomacy.reports_results.unit_outcome"),
            unit=name,
            kind=UNIT_KIND_NAMES[event.unit.kind],
            place=self._board.name(event.unit.spot),
            outcome=sentence(f"diplomacy.reports_outcomes.{event.outcome}"),
        )

    def _support(self, event: Resolved, order: SupportHold | SupportMove, name: str) -> str:
        given = unit_at(self._board, order.other)
        if isinstance(order, SupportMove):
            goal = self._board.name(order.goal)
            given = sentence("diplomacy.reports_results.moved", unit=given, goal=goal)
        slugs = {
            "supported": "diplomacy.reports_results.supported",
            "cut": "diplomacy.reports_results.support_cut",
        }
        slug = slugs.get(event.outcome, "diplomacy.reports_results.support_in_vain")
        return sentence(slug, unit=name, supported=given)

    def _convoy(self, event: Resolved, order: Convoy, name: str) -> str:
        carried = sentence(
            "diplomacy.reports_results.moved",
            unit=unit_at(self._board, order.other),
            goal=self._board.name(order.to),
        )
        slugs = {
            "convoyed": "diplomacy.reports_results.convoyed",
            "disrupted": "diplomacy.reports_results.convoy_broken",
        }
        slug = slugs.get(event.outcome, "diplomacy.reports_results.convoy_in_vain")
        return sentence(slug, unit=name, convoyed=carried)

    def _canoe(self, event: Resolved, order: BuildCanoe | Destroy, name: str) -> str:
        if isinstance(order, Destroy):
            gone = event.outcome == "destroyed"
            return sentence(
                "diplomacy.reports_results.canoe_destroyed"
                if gone
                else "diplomacy.reports_results.canoe_not_destroyed",
                place=self._board.name(order.at),
            )
        slugs = {
            "built": "diplomacy.reports_results.canoe_built",
            "disrupted": "diplomacy.reports_results.canoe_disrupted",
        }
        return sentence(slugs.get(event.outcome, "diplomacy.reports_results.canoe_not_built"), place=name)

    def _dislodgement_text(self, event: Dislodged) -> str:
        slug = "diplomacy.reports_results.dislodged_and_removed"
        if event.unit.power != NEUTRAL:
            slug = (
                "diplomacy.reports_results.dislodged_and_retreats"
                if event.retreats
                else "diplomacy.reports_results.dislodged_and_destroyed"
            )
        return sentence(
            slug,
            unit=whose(self._board, event.unit),
            by=whose(self._board, event.by),
            retreats=join_list([self._board.name(spot) for spot in event.retreats], "or"),
        )


def _as_if(view: View, seat: Seat, orders: Sequence[AnyOrder]) -> Iterator[Resolved]:
    went: Result = "retreated" if view.phase.kind == "R" else "moved"
    for order in orders:
        if isinstance(order, Move):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome=went)
        elif isinstance(order, SupportHold | SupportMove):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="supported")
        elif isinstance(order, Convoy):
            yield Resolved(power=seat, unit=order.unit, order=order, outcome="convoyed")
