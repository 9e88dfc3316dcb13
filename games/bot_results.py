"""The results of bots that played games alone, read from a file in a game's data."""

from collections.abc import Callable
from functools import cache, partial

from games.data import read_json
from games.protocol import BotResults, Invalid
from games.record import Malformed, revive

BOT_RESULTS_FILE = "data/bot_results.json"


def results_reader(package: str) -> Callable[[], BotResults]:
    """Return a function that reads the results of bots from the data of a package."""
    return partial(_read, package)


@cache
def _read(package: str) -> BotResults:
    try:
        results: BotResults = revive(BotResults, read_json(package, BOT_RESULTS_FILE))
    except Malformed as fault:
        raise Invalid(BOT_RESULTS_FILE, str(fault)) from fault
    return results
