"""The bots of seats without a player: their level, their temperament, and the press that they know."""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from adjudicator.messages import sentence
from adjudicator.model.games import SeatAssignment
from adjudicator.model.people import GAMESMASTER_SEAT, Press
from games.dice import Dice, LabelledDice, SealedDice
from games.protocol import (
    Bot,
    BotMessage,
    Choice,
    Correspondence,
    Due,
    Game,
    Invalid,
    Judge,
    Options,
    Order,
    PastTurn,
    PressMessage,
    Seat,
    State,
    View,
)
from games.record import Value

RANDOM_TEMPER = "drawn"
"""The name for a temperament chosen by the game's dice."""

DEFAULT_BOT_LEVEL = "intermediate"
"""The level that most players like to play against."""

PLAIN_EFFORT = 5
"""The cost of a bot that tries no moves, expressed in adjudications, with a margin."""


OWN_BOT_PREFIX = "own/"
"""The beginning of a seat's level if one of the GM's own bots plays it."""

BotFailure = Literal["not-asked", "not-there", "not-agreed", "no-answer", "unreadable"]
"""Why the game's own level gave the orders in place of the GM's own bot, for the log."""


class ProgramAsker(Protocol):
    """Asks the GM's own bots, which are other programs."""

    def ask(self, game: Game, name: str, view: View, due: Due) -> "tuple[Choice[Order], ...] | BotFailure":
        """Return the orders of the bot with a name, or why there are none."""


class StandIn(Bot[View, Order]):
    """The game's own level for a seat whose bot is a program. It orders and has no press."""

    def __init__(self, bot: Bot[View, Order]) -> None:
        self._bot = bot

    def orders(self, view: View, due: Due, dice: Dice) -> tuple[Choice[Order], ...]:
        """Return the orders of the game's own level."""
        return self._bot.orders(view, due, dice)


class BotOrders(NamedTuple):
    """The orders of a seat's bot. failure: why they aren't those of the GM's own bot that has the seat."""

    choices: tuple[Choice[Order], ...]
    failure: BotFailure | None = None


class GameBots(Value, frozen=True):
    """The bots of one game.

    secret: the secret of its dice. press: all press written in the game, oldest first. past: the last turns
    as the public knows them, oldest first; as many as the bots look back. programs: asks the GM's own bots.
    None: they aren't asked.
    """

    game: Game
    name: str
    secret: bytes
    press: Sequence[Press] = ()
    past: Sequence[PastTurn] = ()
    programs: ProgramAsker | None = None

    def of(self, assignment: SeatAssignment) -> Bot[View, Order]:
        """Return the bot of a seat, with its level and temperament. Without a level it is the weakest."""
        bot = self.game.bots[level_of(self.game, assignment)]
        if own_bot_name(assignment) is not None:
            return StandIn(bot)
        temper = self.temper_of(assignment)
        return bot if temper is None else bot.with_temperament(temper)

    def temper_of(self, assignment: SeatAssignment) -> str | None:
        """Return the temperament of a seat's bot. If it is random, the dice of the set-up decide.

        There is one roll per seat, so the GM can't repeat it to get another result.
        """
        names = self.game.bots[level_of(self.game, assignment)].temperaments
        if assignment.temper == RANDOM_TEMPER and names:
            return SealedDice(self.secret, self.name, 0).pick(temper_label(assignment.seat), names)
        return assignment.temper if assignment.temper in names else None

    def orders(
        self, state: State, due: Due, assignment: SeatAssignment, dice: Dice
    ) -> tuple[Choice[Order], ...]:
        """Return the orders of a seat's bot. It knows its agreements from the seat's press."""
        bot, view = self.of(assignment), self.game.rules.view(state, due.seat)
        if bot.phrases and self.press:
            bot = bot.with_press(view, self.correspondence(state, due.seat))
        if bot.looks_back and self.past:
            bot = bot.with_history(self.past[-bot.looks_back :])
        return bot.orders(view, due, LabelledDice(dice, f"bot/{due.seat}/"))

    def choose(self, state: State, due: Due, assignment: SeatAssignment, dice: Dice) -> BotOrders:
        """Return the orders of a seat's bot. If it is a program that fails, the game's own level orders."""
        name = own_bot_name(assignment)
        answer: tuple[Choice[Order], ...] | BotFailure = ()
        if name is not None:
            view = self.game.rules.view(state, due.seat)
            answer = "not-asked" if self.programs is None else self.programs.ask(self.game, name, view, due)
            if not isinstance(answer, str):
                return BotOrders(answer)
        choices = self.orders(state, due, assignment, dice)
        return BotOrders(choices, answer if isinstance(answer, str) else None)

    def looks_back(self, assignments: Iterable[SeatAssignment]) -> int:
        """Return how many of the last turns the bots of some seats need."""
        bots = (
            self.game.bots[level_of(self.game, assignment)] for assignment in assignments if self.game.bots
        )
        return max((bot.looks_back for bot in bots), default=0)

    def write_press(self, state: State, assignment: SeatAssignment, dice: Dice) -> tuple[BotMessage, ...]:
        """Return the press that a seat's bot writes now, or none if it can't write."""
        bot, correspondence = self.of(assignment), self.correspondence(state, assignment.seat)
        label = f"press/{assignment.seat}/{len(correspondence.missives)}/"
        return bot.press(
            self.game.rules.view(state, assignment.seat), correspondence, LabelledDice(dice, label)
        )

    def write_account(self, state: State, assignment: SeatAssignment) -> str:
        """Return the account that a seat's bot gives at the end of the game, or ""."""
        bot, view = self.of(assignment), self.game.rules.view(state, assignment.seat)
        return bot.account(view, self.correspondence(state, assignment.seat))

    def correspondence(self, state: State, seat: Seat) -> Correspondence:
        """Return the press that a seat can see, without the press between its player and the GM."""
        seen = [
            message
            for message in self.press
            if message.is_heard_by(seat) and message.to != (GAMESMASTER_SEAT,)
        ]
        missives = []
        for message in seen:
            is_signed = message.kind == "white" or message.seat == seat
            writer = message.seat if is_signed else None
            missives.append(PressMessage(turn=message.turn, writer=writer, to=message.to, text=message.text))
        return Correspondence(seat=seat, turn=self.game.rules.turn(state).short, missives=tuple(missives))


def temper_label(seat: Seat) -> str:
    """Return the label of the roll for a seat's temperament."""
    return f"temperament/{seat}"


def own_bot_name(assignment: SeatAssignment) -> str | None:
    """Return the name of the GM's own bot that has a seat, or None."""
    level = assignment.bot or ""
    return level.removeprefix(OWN_BOT_PREFIX) if level.startswith(OWN_BOT_PREFIX) else None


def has_open_positions(game: Game, options: Options) -> bool:
    """Return whether other programs can play: positions can be sent, and hide nothing from any seat."""
    state = game.rules.setup(options, SealedDice(b"", game.about.kind, 0)).state
    seats = game.about.seats(options)
    # With hidden information, a view is never the state itself, even if it is equal so far.
    is_open = all(game.rules.view(state, seat) is state for seat in seats)
    can_list = game.rules.legal_orders(game.rules.view(state, seats[0]), seats[0]) is not None
    return isinstance(game.whatif, Judge) and can_list and is_open


def level_of(game: Game, assignment: SeatAssignment) -> str:
    """Return the level of a seat's bot, or the weakest if none is named or the name is unknown.

    For one of the GM's own bots it is the usual level, which stands in for it.
    """
    if own_bot_name(assignment) is not None:
        return default_level(game) or next(iter(game.bots))
    return (
        assignment.bot
        if assignment.bot is not None and assignment.bot in game.bots
        else next(iter(game.bots))
    )


def default_level(game: Game) -> str | None:
    """Return the default level of a new game's bots, or None if there is only one level."""
    return DEFAULT_BOT_LEVEL if DEFAULT_BOT_LEVEL in game.bots else None


def effort(game: Game, levels: Iterable[str | None]) -> int:
    """Return the maximum number of adjudications per turn for a game's bots. levels: one per bot."""
    bots = (game.bots.get(level or "", next(iter(game.bots.values()), None)) for level in levels)
    return sum(PLAIN_EFFORT if bot is None or bot.budget is None else bot.budget for bot in bots)


def parse_bot_choice(
    game: Game, level: str | None, temper: str | None, own: Collection[str] = ()
) -> tuple[str | None, str | None]:
    """Return a bot's level and temperament by name, in any case. Raises Invalid for unknown ones.

    None: not given. own: the names of the GM's own bots, if one of these may be chosen.
    """
    if level is not None and level.lower() in own and level.lower() not in game.bots:
        if temper is not None:
            what = sentence("inbound.new_game.personality", name=temper)
            why = sentence("inbound.new_game.no_personality_of_own", name=level)
            raise Invalid(what, why, sentence("inbound.new_game.no_personalities_instead"))
        return f"{OWN_BOT_PREFIX}{level.lower()}", None
    if not game.bots and (level or temper):
        why = sentence("inbound.new_game.no_bots", title=game.about.title)
        raise Invalid("bots", why, sentence("inbound.new_game.no_bots_instead"))
    if level is not None and level.lower() not in game.bots:
        raise Invalid(
            sentence("inbound.new_game.bot", name=level),
            sentence("inbound.new_game.no_such_bot"),
            sentence("inbound.new_game.use_one_of", names=", ".join((*game.bots, *own))),
        )
    bot_level = None if level is None else level.lower()
    names = game.bots[bot_level or next(iter(game.bots))].temperaments if temper else ()
    if temper is None:
        return bot_level, None
    what = sentence("inbound.new_game.personality", name=temper)
    if not names:
        why = sentence("inbound.new_game.no_personalities", title=game.about.title)
        raise Invalid(what, why, sentence("inbound.new_game.no_personalities_instead"))
    known = (*names, RANDOM_TEMPER)
    if temper.lower() not in known:
        instead = sentence("inbound.new_game.use_one_of", names=", ".join(known))
        raise Invalid(what, sentence("inbound.new_game.no_such_personality"), instead)
    return bot_level, temper.lower()
