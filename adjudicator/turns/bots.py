"""The bots of seats without a player: their level, their temperament, and the press that they know."""

from collections.abc import Iterable, Sequence

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


class GameBots(Value, frozen=True):
    """The bots of one game.

    secret: the secret of its dice. press: all press written in the game, oldest first. past: the last turns
    as the public knows them, oldest first; as many as the bots look back.
    """

    game: Game
    name: str
    secret: bytes
    press: Sequence[Press] = ()
    past: Sequence[PastTurn] = ()

    def of(self, assignment: SeatAssignment) -> Bot[View, Order]:
        """Return the bot of a seat, with its level and temperament. Without a level it is the weakest."""
        bot = self.game.bots[level_of(self.game, assignment)]
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


def level_of(game: Game, assignment: SeatAssignment) -> str:
    """Return the level of a seat's bot, or the weakest if none is named or the name is unknown."""
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


def parse_bot_choice(game: Game, level: str | None, temper: str | None) -> tuple[str | None, str | None]:
    """Return a bot's level and temperament by name, in any case. Raises Invalid for unknown ones.

    None: not given.
    """
    if not game.bots and (level or temper):
        why = sentence("clerk.beginning.no_bots", title=game.about.title)
        raise Invalid("bots", why, sentence("clerk.beginning.no_bots_instead"))
    if level is not None and level.lower() not in game.bots:
        raise Invalid(
            sentence("clerk.beginning.bot", name=level),
            sentence("clerk.beginning.no_such_bot"),
            sentence("clerk.beginning.use_one_of", names=", ".join(game.bots)),
        )
    bot_level = None if level is None else level.lower()
    names = game.bots[bot_level or next(iter(game.bots))].temperaments if temper else ()
    if temper is None:
        return bot_level, None
    what = sentence("clerk.beginning.personality", name=temper)
    if not names:
        why = sentence("clerk.beginning.no_personalities", title=game.about.title)
        raise Invalid(what, why, sentence("clerk.beginning.no_personalities_instead"))
    known = (*names, RANDOM_TEMPER)
    if temper.lower() not in known:
        instead = sentence("clerk.beginning.use_one_of", names=", ".join(known))
        raise Invalid(what, sentence("clerk.beginning.no_such_personality"), instead)
    return bot_level, temper.lower()
