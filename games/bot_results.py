"""What bots got in games that they played alone, read from a file in a game's data."""

from collections.abc import Callable
from functools import cache, partial

from games.data import read_json
from games.protocol import BotResults, Invalid
from games.record import Malformed, revive

FILE = "data/bot_results.json"


def results_in(package: str) -> Callable[[], BotResults]:
    """Where a campaign looks up what bots got, which lies in the data of a package."""
    return partial(_read, package)


@cache
def _read(package: str) -> BotResults:
    try:
        found: BotResults = revive(BotResults, read_json(package, FILE))
    except Malformed as fault:
        raise Invalid(FILE, str(fault)) from fault
    return found
