"""What a report shows in rows: retreats and adjustments due, canoe-fleets, who is afloat or banned."""

from games.diplomacy.adjustments import claim, free_homes
from games.diplomacy.afloat import is_afloat
from games.diplomacy.board import Board
from games.diplomacy.model import View
from games.diplomacy.phrases import KINDS, counted, listed, nation
from games.diplomacy.rulebook import Rulebook
from games.diplomacy.taboo import is_banned
from games.protocol import Seat, Table


def tables(board: Board, rulebook: Rulebook, view: View) -> tuple[Table, ...]:
    """The table of what the present phase wants of each nation; none for moves, or at the end."""
    if view.ended:
        return ()
    if view.beaten:
        return (_retreats(board, view),)
    return (_adjustments(board, rulebook, view),) if view.phase.kind == "A" else ()


def _retreats(board: Board, view: View) -> Table:
    rows = [
        (
            str(beaten.unit.power),
            f"{KINDS[beaten.unit.kind]} in {board.name(beaten.unit.spot)}",
            listed([board.name(one) for one in beaten.retreats], "or") or "nowhere",
        )
        for beaten in view.beaten
    ]
    columns = ("Nation", "Dislodged", "May retreat to")
    return Table(title="Retreats due", columns=columns, rows=tuple(rows), about="due")


def _adjustments(board: Board, rulebook: Rulebook, view: View) -> Table:
    rows = [
        (str(power), *what)
        for power in board.powers
        if (what := _adjustment(board, rulebook, view, power)) is not None
    ]
    columns = ("Nation", "Due", "What is possible")
    return Table(title="Adjustments due", columns=columns, rows=tuple(rows), about="due")


def _adjustment(board: Board, rulebook: Rulebook, view: View, power: Seat) -> tuple[str, str] | None:
    """What a nation has to adjust, and how it can; None where it has as many units as centres."""
    due = claim(board, rulebook, view, power)
    if due.removals:
        return counted(due.removals, "removal"), "any of its units"
    centres = sum(owner == power for owner in view.centres.values())
    lacking = centres - sum(unit.power == power for unit in view.units)
    if due.builds:
        where = listed([board.name(home) for home in free_homes(board, rulebook, view, power)])
        return counted(due.builds, "build"), where
    if lacking <= 0:
        return None
    if is_banned(view, power):
        return "nothing", f"no builds up to the Winter of year {view.build_ban[power]}"
    return "nothing", "no starting centre is its own and empty"


def of_canoes(board: Board, view: View) -> tuple[Table, ...]:
    """Where canoe-fleets lie, who is afloat, who may not build; a table without rows is left out."""
    ashore = [(board.name(place), str(count)) for place, count in view.canoes.items()]
    afloat = [
        (nation(unit.power), board.name(unit.at), view.bay_entered.get(unit.at, ""))
        for unit in view.units
        if is_afloat(board, unit.piece)
    ]
    banned = [(power, f"year {year}") for power, year in view.build_ban.items()]
    found = (
        ("Canoe-fleets ashore", ("Province", "Canoe-fleets"), ashore),
        ("War Parties afloat", ("Nation", "On", "Bay entered in"), afloat),
        ("Under the wrath of the gods", ("Nation", "No builds up to the Winter of"), banned),
    )
    return tuple(
        Table(title=title, columns=columns, rows=tuple(rows)) for title, columns, rows in found if rows
    )
