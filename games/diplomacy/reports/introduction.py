"""A game in a few sentences, for whoever has just sat down: goal, time, surprises."""

from collections import Counter

from games.diplomacy.boards.variants import Variant
from games.diplomacy.model import View
from games.diplomacy.phrases import SMALL_NUMBER_WORDS, join_words
from games.protocol import Seat


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
