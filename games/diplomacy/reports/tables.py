"""The tables of a report: retreats and adjustments due, canoe-fleets, units afloat, bans."""

from collections import Counter

from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes
from games.diplomacy.adjudication.canoes import is_banned
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.boards.board import Board
from games.diplomacy.boards.variants import Rulebook, Variant
from games.diplomacy.model import View
from games.diplomacy.phrases import (
    SMALL_NUMBER_WORDS,
    UNIT_KIND_NAMES,
    count_noun,
    join_words,
    nation,
    power_nouns,
)
from games.protocol import ReportTable, Seat


def tables(board: Board, rulebook: Rulebook, view: View) -> tuple[ReportTable, ...]:
    """Return the table of what is due from each power; none before moves or after the game."""
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
    columns = (power_nouns(board)[0].capitalize(), "Dislodged", "Can retreat to")
    return ReportTable(title="Retreats due", columns=columns, rows=tuple(rows), about="due")


def _adjustments(board: Board, rulebook: Rulebook, view: View) -> ReportTable:
    rows = [
        (str(power), *what)
        for power in board.powers
        if (what := _adjustment(board, rulebook, view, power)) is not None
    ]
    columns = (power_nouns(board)[0].capitalize(), "Due", "Possible")
    return ReportTable(title="Adjustments due", columns=columns, rows=tuple(rows), about="due")


def _adjustment(board: Board, rulebook: Rulebook, view: View, power: Seat) -> tuple[str, str] | None:
    """Return what a power must build or disband, and where; None if it has as many units as centres."""
    due = adjustments_due(board, rulebook, view, power)
    if due.removals:
        return count_noun(due.removals, "disband"), "any unit"
    centres = sum(owner == power for owner in view.centres.values())
    lacking = centres - sum(unit.power == power for unit in view.units)
    if due.builds:
        where = join_words([board.name(home) for home in free_homes(board, rulebook, view, power)])
        return count_noun(due.builds, "build"), where
    if lacking <= 0:
        return None
    if is_banned(view, power):
        return "nothing", f"no builds until after the Winter of year {view.build_ban[power]}"
    return "nothing", "no free home centre"


def canoe_tables(board: Board, view: View) -> tuple[ReportTable, ...]:
    """Return tables of canoe-fleets, units afloat and nations that can't build; empty ones are left out."""
    ashore = [(board.name(place), str(count)) for place, count in view.canoes.items()]
    afloat = [
        (nation(unit.power), board.name(unit.at), view.bay_entered.get(unit.at, ""))
        for unit in view.units
        if is_afloat(board, unit.piece)
    ]
    banned = [(power, f"year {year}") for power, year in view.build_ban.items()]
    sections = (
        ("Canoe-fleets ashore", ("Province", "Canoe-fleets"), ashore),
        ("War Parties afloat", ("Nation", "On", "Entered the bay in"), afloat),
        ("Broke the taboo", ("Nation", "No builds until after the Winter of"), banned),
    )
    return tuple(
        ReportTable(title=title, columns=columns, rows=tuple(rows))
        for title, columns, rows in sections
        if rows
    )


# The introduction for a new player in a few sentences: goal, time, surprises.


def setting(variant: Variant, seat: Seat | None) -> str:
    """Return how many powers compete for how many centres, and which power the seat plays."""
    board = variant.board
    many = len(board.powers)
    count = SMALL_NUMBER_WORDS[many].capitalize() if many < len(SMALL_NUMBER_WORDS) else str(many)
    chance = "Only storms are" if variant.rulebook.canoes and board.chart.stormy else "Nothing is"
    text = (
        f"{count} {power_nouns(board)[1]} compete for {len(board.centres)} supply centres. All orders are "
        f"processed at the same time. {chance} left to chance."
    )
    return f"{text} You play {seat}." if seat else text


def introduction(variant: Variant, view: View) -> tuple[str, ...]:
    """Return how to win, how long the game lasts, and what is special about the variant."""
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
        f"If nobody has won after the {variant.rulebook.season_of_end} of year {last}, the game is a draw."
        if last
        else "The surviving players can also agree to a draw."
    )
    return (
        f"Each year has {SMALL_NUMBER_WORDS[year['M']]} movement phases, followed by retreats and builds "
        f"if any are due. The game goes on until a player wins. {until}"
    )


def _special(variant: Variant) -> str:
    board, chart = variant.board, variant.board.chart
    if not variant.rulebook.canoes:
        return (
            "Armies move on land, and fleets at sea and along coasts. Fleets can convoy armies: the army and "
            "each fleet need an order for it. You gain every centre that your units occupy after Fall."
        )
    stormy = join_words([board.name(water) for water in chart.stormy])
    return (
        "War Parties build canoe-fleets on shores and cross the waters in them. Storms can sink "
        f"canoe-fleets on {stormy}. {board.name(chart.taboo)} is taboo: the first War Party to enter it is "
        "removed from the board."
        if chart.taboo and stormy
        else "War Parties build canoe-fleets on shores and cross the waters in them."
    )


def _rivers(variant: Variant, view: View) -> tuple[str, ...]:
    """Return the rivers that can't be crossed, since their banks touch on the map."""
    names = dict.fromkeys(name for *_, name in variant.board.chart.crossings)
    if not names or view.options.get("crossings") is not False:
        return ()
    rivers = "; ".join(names)
    return (
        f"War Parties and canoe-fleets can't cross these rivers: {rivers}. Provinces on opposite banks are "
        "not adjacent, even though they touch on the map.",
    )
