"""The tables of a report: retreats and adjustments due, canoe-fleets, units afloat, bans."""

from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes
from games.diplomacy.adjudication.afloat import is_afloat
from games.diplomacy.adjudication.taboo import is_banned
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.rulebook import Rulebook
from games.diplomacy.model import View
from games.diplomacy.phrases import UNIT_KIND_NAMES, count_noun, join_words, nation
from games.protocol import ReportTable, Seat


def tables(board: Board, rulebook: Rulebook, view: View) -> tuple[ReportTable, ...]:
    """The table of what the present phase wants of each nation; none for moves, or at the end."""
    if view.ended:
        return ()
    if view.beaten:
        return (_retreat_table(board, view),)
    return (_adjustments(board, rulebook, view),) if view.phase.kind == "A" else ()


def _retreat_table(board: Board, view: View) -> ReportTable:
    rows = [
        (
            str(beaten.unit.power),
            f"{UNIT_KIND_NAMES[beaten.unit.kind]} in {board.name(beaten.unit.spot)}",
            join_words([board.name(spot) for spot in beaten.retreats], "or") or "nowhere",
        )
        for beaten in view.beaten
    ]
    columns = ("Nation", "Dislodged", "May retreat to")
    return ReportTable(title="Retreats due", columns=columns, rows=tuple(rows), about="due")


def _adjustments(board: Board, rulebook: Rulebook, view: View) -> ReportTable:
    rows = [
        (str(power), *what)
        for power in board.powers
        if (what := _adjustment(board, rulebook, view, power)) is not None
    ]
    columns = ("Nation", "Due", "What is possible")
    return ReportTable(title="Adjustments due", columns=columns, rows=tuple(rows), about="due")


def _adjustment(board: Board, rulebook: Rulebook, view: View, power: Seat) -> tuple[str, str] | None:
    """Return what a nation has to adjust, and how it can; None where it has as many units as centres."""
    due = adjustments_due(board, rulebook, view, power)
    if due.removals:
        return count_noun(due.removals, "removal"), "any of its units"
    centres = sum(owner == power for owner in view.centres.values())
    lacking = centres - sum(unit.power == power for unit in view.units)
    if due.builds:
        where = join_words([board.name(home) for home in free_homes(board, rulebook, view, power)])
        return count_noun(due.builds, "build"), where
    if lacking <= 0:
        return None
    if is_banned(view, power):
        return "nothing", f"no builds up to the Winter of year {view.build_ban[power]}"
    return "nothing", "no starting centre is its own and empty"


def canoe_tables(board: Board, view: View) -> tuple[ReportTable, ...]:
    """Return where canoe-fleets lie, units afloat, and powers banned; empty tables are left out."""
    ashore = [(board.name(place), str(count)) for place, count in view.canoes.items()]
    afloat = [
        (nation(unit.power), board.name(unit.at), view.bay_entered.get(unit.at, ""))
        for unit in view.units
        if is_afloat(board, unit.piece)
    ]
    banned = [(power, f"year {year}") for power, year in view.build_ban.items()]
    sections = (
        ("Canoe-fleets ashore", ("Province", "Canoe-fleets"), ashore),
        ("War Parties afloat", ("Nation", "On", "Bay entered in"), afloat),
        ("Under the wrath of the gods", ("Nation", "No builds up to the Winter of"), banned),
    )
    return tuple(
        ReportTable(title=title, columns=columns, rows=tuple(rows))
        for title, columns, rows in sections
        if rows
    )
