"""The players of a tournament: the levels of a game's bots, and opponents to measure them against."""

from collections.abc import Mapping

from adjudicator.errors import Refusal
from adjudicator.tournament.external_bots import ExternalBot
from games.dice import Dice
from games.protocol import Bot, Choice, Due, Event, Game, Order, Rules, State, View
from games.protocol.bot_skills import SupportsSearchBudget, SupportsTemperaments

HOLD_PLAYER = "hold"


class IdleBot:
    """Never gives an order: the rules' default is played. Implements `protocol.Bot`."""

    def __init__(self, rules: Rules[State, View, Order, Event]) -> None:
        self._rules = rules

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[Order], ...]:
        """Return what the rules do with a seat that sent no orders."""
        return tuple(Choice(order=order, reason="never orders") for order in self._rules.default(view, due))


def weakest(game: Game) -> str:
    """The level that a seat plays that names none. Raises Refusal for a kind without bots."""
    if not game.bots:
        raise Refusal(f"kind {game.about.kind}", "has no bots that play it alone")
    return next(iter(game.bots))


def names(game: Game) -> tuple[str, ...]:
    """The players there are: the levels, the weakest first, then those who are only opponents."""
    return (*game.bots, *game.sparring, HOLD_PLAYER)


def player(game: Game, text: str, foreign: Mapping[str, str] | None = None) -> Bot[View, Order]:
    """The bot that a text names. foreign: by name, the commands that start bots of others.

    Raises Refusal that says what there is.
    """
    if foreign and text in foreign:
        return ExternalBot(game, text, foreign[text])
    head, _, budget = text.partition("@")
    name, _, temperament = head.partition("/")
    bots: dict[str, Bot[View, Order]] = {**game.bots, **game.sparring, HOLD_PLAYER: IdleBot(game.rules)}
    if name not in bots:
        raise Refusal(
            f"player {name}",
            "there is none of that name",
            "there are: " + ", ".join((*names(game), *(foreign or ()))),
        )
    bot = bots[name]
    if temperament:
        bot = _with_temperament(bot, name, temperament)
    return _searching(bot, name, budget) if "@" in text else bot


def _with_temperament(bot: Bot[View, Order], name: str, temperament: str) -> Bot[View, Order]:
    if not isinstance(bot, SupportsTemperaments):
        raise Refusal(f"player {name}/{temperament}", f"{name} has no temperaments", f"write {name}")
    if temperament not in bot.temperaments:
        known = ", ".join(bot.temperaments)
        raise Refusal(f"player {name}/{temperament}", "there is no such temperament", f"there are: {known}")
    tempered: Bot[View, Order] = bot.with_temperament(temperament)
    return tempered


def _searching(bot: Bot[View, Order], name: str, budget: str) -> Bot[View, Order]:
    if not isinstance(bot, SupportsSearchBudget):
        raise Refusal(f"player {name}@{budget}", f"{name} does not search", f"write {name}")
    if not budget.isdecimal() or not int(budget):
        raise Refusal(f"player {name}@{budget}", "a budget is a number of adjudications", f"write {name}@200")
    searching: Bot[View, Order] = bot.with_budget(int(budget))
    return searching
