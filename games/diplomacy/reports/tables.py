"""The tables of a report: retreats and adjustments due, canoe-fleets, units afloat, bans."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce

from games.diplomacy.adjudication.adjustments import adjustments_due, free_homes
from games.diplomacy.adjudication.canoes import is_banned
from games.diplomacy.adjudication.convoy_routes import is_afloat
from games.diplomacy.adjudication.retreats import survivors
from games.diplomacy.adjudication.victory import needs_to_win
from games.diplomacy.boards.board import Board, Victory, WinningCondition
from games.diplomacy.boards.variants import Rulebook, Variant, closed_rivers, year_name
from games.diplomacy.model import View
from games.diplomacy.phrases import UNIT_KIND_NAMES, nation, small
from games.language import join_list
from games.messages import sentence
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
            sentence(
                "diplomacy.reports_tables.unit_in",
                kind=UNIT_KIND_NAMES[beaten.unit.kind],
                place=board.name(beaten.unit.spot),
            ),
            join_list([board.name(spot) for spot in beaten.retreats], "or")
            or sentence("diplomacy.reports_tables.nowhere"),
        )
        for beaten in view.beaten
    ]
    return ReportTable(
        title=sentence("diplomacy.reports_tables.retreats"),
        columns=(
            power_column(board),
            sentence("diplomacy.reports_tables.dislodged"),
            sentence("diplomacy.reports_tables.can_retreat"),
        ),
        rows=tuple(rows),
        about="due",
    )


def power_column(board: Board) -> str:
    """Return the heading of a column of powers, which are nations on some boards."""
    nations = board.kinds == ("W",)
    return sentence("diplomacy.reports_tables.nation" if nations else "diplomacy.reports_tables.power")


def _adjustments(board: Board, rulebook: Rulebook, view: View) -> ReportTable:
    rows = [
        (str(power), *what)
        for power in board.powers
        if (what := _adjustment(board, rulebook, view, power)) is not None
    ]
    return ReportTable(
        title=sentence("diplomacy.reports_tables.adjustments"),
        columns=(
            power_column(board),
            sentence("diplomacy.reports_tables.due"),
            sentence("diplomacy.reports_tables.possible"),
        ),
        rows=tuple(rows),
        about="due",
    )


def _adjustment(board: Board, rulebook: Rulebook, view: View, power: Seat) -> tuple[str, str] | None:
    """Return what a power must build or disband, and where; None if it has as many units as centres."""
    due = adjustments_due(board, rulebook, view, power)
    if due.removals:
        return (
            sentence("diplomacy.reports_tables.disbands", count=due.removals, number=small(due.removals)),
            sentence("diplomacy.reports_tables.any_unit"),
        )
    centres = sum(owner == power for owner in view.centres.values())
    lacking = centres - sum(unit.power == power for unit in view.units)
    if due.builds:
        homes = join_list([board.name(home) for home in free_homes(board, rulebook, view, power)])
        return (
            sentence("diplomacy.reports_tables.builds", count=due.builds, number=small(due.builds)),
            homes,
        )
    if lacking <= 0:
        return None
    if is_banned(view, power):
        why = sentence("diplomacy.reports_tables.no_builds", year=year_name(view.build_ban[power]))
    else:
        why = sentence("diplomacy.reports_tables.no_free_home")
    return sentence("diplomacy.reports_tables.nothing"), why


def canoe_tables(board: Board, view: View) -> tuple[ReportTable, ...]:
    """Return tables of canoe-fleets, units afloat and nations that can't build; empty ones are left out."""
    ashore = [(board.name(place), str(count)) for place, count in view.canoes.items()]
    afloat = [
        (nation(unit.power), board.name(unit.at), view.bay_entered.get(unit.at, ""))
        for unit in view.units
        if is_afloat(board, unit.piece)
    ]
    banned = [
        (power, sentence("diplomacy.reports_tables.year", year=year_name(year)))
        for power, year in view.build_ban.items()
    ]
    tables = (
        ReportTable(
            title=sentence("diplomacy.reports_tables.ashore"),
            columns=(
                sentence("diplomacy.reports_tables.province"),
                sentence("diplomacy.reports_tables.canoes"),
            ),
            rows=tuple(ashore),
        ),
        ReportTable(
            title=sentence("diplomacy.reports_tables.afloat"),
            columns=(
                sentence("diplomacy.reports_tables.nation"),
                sentence("diplomacy.reports_tables.water"),
                sentence("diplomacy.reports_tables.entered"),
            ),
            rows=tuple(afloat),
        ),
        ReportTable(
            title=sentence("diplomacy.reports_tables.taboo_broken"),
            columns=(
                sentence("diplomacy.reports_tables.nation"),
                sentence("diplomacy.reports_tables.banned_until"),
            ),
            rows=tuple(banned),
        ),
    )
    return tuple(table for table in tables if table.rows)


# The introduction for a new player in a few sentences: goal, time, surprises.


def setting(variant: Variant) -> str:
    """Return how many powers compete for how many centres, and whether anything is left to chance."""
    board = variant.board
    number = small(len(board.powers)).capitalize()
    nations = board.kinds == ("W",)
    stormy = variant.rulebook.canoes and board.chart.stormy
    sentences = (
        sentence(
            "diplomacy.reports_setting.nations" if nations else "diplomacy.reports_setting.powers",
            count=len(board.powers),
            number=number,
            centres=len(board.centres),
        ),
        sentence("diplomacy.reports_setting.at_once"),
        sentence("diplomacy.reports_setting.storms" if stormy else "diplomacy.reports_setting.no_chance"),
    )
    return " ".join(sentences)


_MAX_GOALS = 3
"""The most conditions of victory that an introduction tells. HELP tells them all."""
_LINE_LETTERS = 260
"""The most letters of a line of an introduction that has several sentences."""


def introduction(variant: Variant, view: View) -> tuple[str, ...]:
    """Return how to win, how long the game lasts, and what is special about the variant."""
    return (
        *_goal(variant),
        _time(variant, view),
        _special(variant),
        *_rivers(variant, view),
        *_assumed(variant),
    )


def _goal(variant: Variant) -> Sequence[str]:
    """Return how to win, in lines of a few sentences if there are several ways."""
    victory, book = variant.board.chart.victory, variant.rulebook
    if not isinstance(victory, Victory):
        lines: list[str] = []
        if len(victory) > _MAX_GOALS:
            others = sentence("diplomacy.victory.other_ways", number=len(victory) - 1)
            return [f"{next(_goals(variant, victory[:1]))} {others}"]
        for text in (*_goals(variant, victory), tie_rule(variant.board)):
            if lines and len(lines[-1]) + len(text) < _LINE_LETTERS:
                lines[-1] += f" {text}"
            else:
                lines.append(text)
        return lines
    if book.victory_after == "fall":
        slug = "diplomacy.reports_setting.win_after_season"
        slug_units = "diplomacy.reports_setting.win_after_season_or_units"
    else:
        slug = "diplomacy.reports_setting.win_after_year"
        slug_units = "diplomacy.reports_setting.win_after_year_or_units"
    goal = sentence(
        slug if victory.units is None else slug_units,
        enough=victory.centres,
        centres=len(variant.board.centres),
        season=book.season_of_end,
        units=victory.units,
    )
    return [goal]


def _goals(variant: Variant, conditions: Sequence[WinningCondition]) -> Iterator[str]:
    """Yield a sentence for the conditions for all, for each of one power, and for a falling lead."""
    book = variant.rulebook
    slug = (
        "diplomacy.victory.after_season" if book.victory_after == "fall" else "diplomacy.victory.after_year"
    )
    when = sentence(slug, season=book.season_of_end)
    common = [condition for condition in conditions if condition.power is None]
    if common:
        ways = [winning_position(variant, condition) for condition in common]
        yield sentence("diplomacy.victory.you_win", what=join_list(ways, "or"), when=when)
    for condition in conditions:
        if condition.power is not None:
            what = winning_position(variant, condition)
            yield sentence("diplomacy.victory.wins", power=condition.power, what=what, when=when)
        if condition.lead_from:
            yield falling_lead(condition)


def winning_position(variant: Variant, condition: WinningCondition) -> str:
    """Return all that a condition of victory asks for: "10 of the 34 supply centres and 3 more than ..."."""
    board, parts = variant.board, []
    names = join_list(list(map(board.name, condition.provinces)))
    if condition.centres is not None:
        slug = "diplomacy.victory.centres_with" if names else "diplomacy.victory.centres"
        number, every = condition.centres, len(board.centres)
        parts.append(sentence(slug, number=number, all=every, places=names))
    if condition.units is not None:
        parts.append(sentence("diplomacy.victory.units", count=condition.units, number=condition.units))
    if names and condition.centres is None:
        parts.append(sentence("diplomacy.victory.provinces", count=len(condition.provinces), places=names))
    if condition.lead is not None:
        parts.append(sentence("diplomacy.victory.lead", count=condition.lead, number=condition.lead))
    if condition.most_from is not None:
        parts.append(sentence("diplomacy.victory.most", year=_format_year(condition.most_from)))
    return join_list(parts)


def _format_year(year: int) -> str:
    """Return a year in a sentence, where a small number alone could mean something else: "year 3"."""
    return sentence("diplomacy.reports_tables.year", year=year) if 0 <= year < 1000 else year_name(year)


def falling_lead(condition: WinningCondition) -> str:
    """Return the sentence about the years from which a smaller lead is enough."""
    steps = (
        sentence("diplomacy.victory.lead_from", year=_format_year(year), number=lead)
        for year, lead in condition.lead_from
    )
    return sentence("diplomacy.victory.leads_fall", leads=join_list(list(steps)))


def tie_rule(board: Board) -> str:
    """Return what follows if several powers meet a condition of victory at once."""
    slugs = {
        "shared": "diplomacy.victory.tie_shared",
        "most": "diplomacy.victory.tie_most",
        "draw": "diplomacy.victory.tie_draw",
        "goes-on": "diplomacy.victory.tie_goes_on",
    }
    return sentence(slugs[board.chart.tie])


def victory_table(board: Board, view: View) -> tuple[ReportTable, ...]:
    """Return the table of what each power needs to win now, on a board with a list of conditions."""
    if view.ended or isinstance(board.chart.victory, Victory):
        return ()
    alive = survivors(board, view)
    return (
        ReportTable(
            title=sentence("diplomacy.victory.table"),
            columns=(power_column(board), sentence("diplomacy.victory.wins_with")),
            rows=tuple((str(power), _needs(board, view, power)) for power in alive),
            later=True,
        ),
    )


def _needs(board: Board, view: View, power: Seat) -> str:
    """Return what would win for a power as things are, by any condition: "12 centres, or Rome"."""
    choices = []
    needs = needs_to_win(board, view, power)
    fewest = min((need.centres for need in needs if not (need.units or need.provinces)), default=0)
    for need in needs:
        if not (need.units or need.provinces) and need.centres > fewest:
            continue
        parts = []
        if need.centres:
            parts.append(
                sentence("diplomacy.reports_counts.centres", count=need.centres, number=need.centres)
            )
        if need.units:
            parts.append(sentence("diplomacy.reports_counts.units", count=need.units, number=need.units))
        if need.provinces:
            places = join_list(list(map(board.name, need.provinces)))
            slug = "diplomacy.victory.with_places" if parts else "diplomacy.victory.places"
            parts = [sentence(slug, number=join_list(parts), places=places)]
        choices.append(join_list(parts))
    if not choices:
        return sentence("diplomacy.victory.nothing_yet")
    return reduce(
        lambda first, other: sentence("diplomacy.victory.either", first=first, other=other),
        dict.fromkeys(choices),
    )


def _time(variant: Variant, view: View) -> str:
    year = Counter(phase.kind for phase in variant.rulebook.year)
    last = view.options.get("last_year")
    return sentence(
        "diplomacy.reports_setting.time"
        if last is None
        else "diplomacy.reports_setting.time_lead"
        if view.options.get("at_last_year") == "lead"
        else "diplomacy.reports_setting.time_limited",
        count=year["M"],
        number=small(year["M"]),
        season=variant.rulebook.season_of_end,
        year=year_name(int(last)) if last is not None else None,
    )


def _special(variant: Variant) -> str:
    board, chart = variant.board, variant.board.chart
    if not variant.rulebook.canoes:
        seasons = variant.rulebook.capture_seasons
        return sentence("diplomacy.reports_setting.armies_and_fleets", seasons=join_list(seasons))
    if not chart.taboo or not chart.stormy:
        return sentence("diplomacy.reports_setting.canoes")
    return sentence(
        "diplomacy.reports_setting.canoes_storms_and_taboo",
        waters=join_list([board.name(water) for water in chart.stormy]),
        taboo=board.name(chart.taboo),
    )


def _assumed(variant: Variant) -> tuple[str, ...]:
    """Return what we assumed of a reconstructed board: one whose file lists the centres that are ours."""
    board = variant.board
    if not board.chart.assumed_centres:
        return ()
    centres, every = small(len(board.chart.assumed_centres)), len(board.centres)
    return (sentence("diplomacy.reports_setting.assumed", centres=centres, all=every),)


def _rivers(variant: Variant, view: View) -> tuple[str, ...]:
    """Return the rivers that can't be crossed, since their banks touch on the map."""
    board = variant.board
    closed = closed_rivers(board.chart, view.options)
    if not closed:
        return ()
    closed_to = sorted({"on_foot" if board.is_land(place) else "by_water" for place, *_ in closed})
    names = "; ".join(dict.fromkeys(name for *_, name in closed))
    return (sentence(f"diplomacy.reports_setting.rivers_{'_or_'.join(closed_to)}", rivers=names),)
