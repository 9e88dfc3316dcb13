"""The tables of a report: retreats and adjustments due, canoe-fleets, units afloat, bans."""

from collections import Counter

from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes
from games.diplomacy.adjudication.canoes import is_banned
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook, Variant
from games.diplomacy.model import View
from games.diplomacy.phrases import SMALL_NUMBER_WORDS, UNIT_KIND_NAMES, count_noun, join_words, nation
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


# The introduction for a new player in a few sentences: goal, time, surprises.


def setting(variant: Variant, seat: Seat | None) -> str:
    """Return how many nations contend for what, and whom the seat plays."""
    board = variant.board
    many = len(board.powers)
    count = SMALL_NUMBER_WORDS[many].capitalize() if many < len(SMALL_NUMBER_WORDS) else str(many)
    chance = "only storms are" if variant.rulebook.canoes and board.chart.stormy else "nothing is"
    text = (
        f"{count} nations contend for {len(board.centres)} supply centres. All orders of a turn are carried "
        f"out at once, and {chance} left to chance."
    )
    return f"{text} You play {seat}." if seat else text


def introduction(variant: Variant, view: View) -> tuple[str, ...]:
    """Return how to win, how long it takes, and what is unlike other games of its kind."""
    return (_goal(variant), _time(variant, view), _special(variant), *_rivers(variant, view))


def _goal(variant: Variant) -> str:
    victory, centres = variant.board.chart.victory, len(variant.board.centres)
    units = f", or with {victory.units} War Parties" if victory.units is not None else ""
    book = variant.rulebook
    when = f"after a {book.season_of_end}" if book.victory_after == "fall" else "at the end of a year"
    return f"You win with {victory.centres} of the {centres} supply centres {when}{units}."


def _time(variant: Variant, view: View) -> str:
    year = Counter(phase.kind for phase in variant.rulebook.year)
    last = view.options.get("last_year")
    until = (
        f"after the {variant.rulebook.season_of_end} of year {last} it is a draw"
        if last
        else "all who are left may agree to a draw"
    )
    return (
        f"A year has {SMALL_NUMBER_WORDS[year['M']]} turns of moves, and retreats and builds for those who "
        f"owe any. "
        f"It goes on until somebody wins; {until}."
    )


def _special(variant: Variant) -> str:
    board, chart = variant.board, variant.board.chart
    if not variant.rulebook.canoes:
        return (
            "Armies walk, fleets sail and carry them: a convoy takes an order of the army and of each fleet. "
            "Who stands on a centre when Fall is over owns it."
        )
    stormy = join_words([board.name(water) for water in chart.stormy])
    return (
        "War Parties build canoe-fleets on shores and cross the waters in them; "
        f"storms come over {stormy}, and whoever first enters {board.name(chart.taboo)}, which is "
        "taboo, is lost."
        if chart.taboo and stormy
        else "War Parties build canoe-fleets on shores and cross the waters in them."
    )


def _rivers(variant: Variant, view: View) -> tuple[str, ...]:
    """Return what the map doesn't show: banks that touch and are no neighbours."""
    names = dict.fromkeys(name for *_, name in variant.board.chart.crossings)
    if not names or view.options.get("crossings") is not False:
        return ()
    rivers = "; ".join(names)
    return (
        f"Nobody crosses these rivers, and no canoe-fleet passes them: {rivers}. What lies on the other bank "
        "is not next door, though it touches on the map.",
    )
