"""Storms, the taboo and canoe-fleets in words."""

from games.diplomacy.adjudication.storms import SINKS
from games.diplomacy.adjudication.taboo import WINTERS
from games.diplomacy.boards.board import Board
from games.diplomacy.events import CanoesTaken, StormThrown, TabooBroken
from games.diplomacy.phrases import count_noun, join_words, nation, whose
from games.protocol import ReportLine


def tell(board: Board, event: CanoesTaken | TabooBroken | StormThrown) -> ReportLine:
    """The event in a sentence. Source: Indianomacy §5, §8, §9."""
    if isinstance(event, CanoesTaken):
        booty = count_noun(event.count, "canoe-fleet")
        text = f"{nation(event.now.power)} took {booty} in {board.name(event.at)}"
        return ReportLine(heading="Canoe-fleets", text=f"{text} from {whose(board, event.was)}.")
    if isinstance(event, TabooBroken):
        return ReportLine(heading="The taboo", text=_taboo(board, event), failed=True)
    return ReportLine(heading="Storms", text=_storm(board, event), failed=event.sunk)


def news(board: Board, event: TabooBroken | StormThrown) -> str:
    """The event as part of a headline."""
    if isinstance(event, TabooBroken):
        return f"{event.unit.power} broke the taboo of {board.name(event.at)}"
    where, power = board.name(event.unit.at), nation(event.unit.power)
    return f"a storm on {where} sank {power}" if event.sunk else f"{power} weathered a storm on {where}"


def _taboo(board: Board, event: TabooBroken) -> str:
    years = [str(year) for year in range(event.last_ban - WINTERS + 1, event.last_ban + 1)]
    whence, where = board.name(event.unit.at), board.name(event.at)
    gone = f"{nation(event.unit.power)} came from {whence} and set foot in {where}: its War Party is no more"
    return f"{gone}, and it builds nothing in the Winters of the years {join_words(years)}."


def _storm(board: Board, event: StormThrown) -> str:
    who = f"{nation(event.unit.power)} on {board.name(event.unit.at)}"
    die = f"the die showed {event.number}"
    numbers = join_words([f"a {number}" for number in SINKS], "or")
    if event.sunk:
        return f"{who} went down, canoe-fleet and War Party: {die}, and {numbers} sinks."
    return f"{who} came through: {die}, and only {numbers} sinks."
