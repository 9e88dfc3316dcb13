"""Who plays a seat that nobody holds: how well, in which manner, and knowing which letters."""

from collections.abc import Iterable, Sequence

from adjudicator.ledger.positions import Chair
from adjudicator.ledger.society import GAMESMASTER, Press
from games.dice import Dice, LabelledDice, SealedDice
from games.protocol import Bot, Choice, Due, Game, Invalid, Order, Seat, State, View
from games.protocol.bot_skills import (
    Accountable,
    Conversant,
    Correspondence,
    Missive,
    Observant,
    Said,
    Searching,
    Tempered,
)
from games.protocol.optional import Past
from games.record import Value

DRAWN = "drawn"
"""What is said for a temperament that the dice of the game decide."""

USUAL = "intermediate"
"""The level against which most people like to play."""

PLAIN_EFFORT = 5
"""What a bot costs that tries nothing out: about as much as so many adjudications, with some to spare."""


class Bots(Value, frozen=True):
    """The bots of one game. secret: of its dice; press: all that was written in it, oldest first.

    past: the last turns, oldest first, as all may know them; as many as there are for those who look back.
    """

    game: Game
    name: str
    secret: bytes
    press: Sequence[Press] = ()
    past: Sequence[Past] = ()

    def of(self, chair: Chair) -> Bot[View, Order]:
        """The bot of a chair, of its level and its temperament; the weakest where it has none of these."""
        bot = self.game.bots[level_of(self.game, chair)]
        temper = self.temper_of(chair)
        return bot.tempered(temper) if temper is not None and isinstance(bot, Tempered) else bot

    def temper_of(self, chair: Chair) -> str | None:
        """The temperament of a chair's bot; one that is to be drawn as it was drawn.

        By the dice of the set-up, one throw for a seat: nobody can draw it again until he likes it.
        """
        names = temperaments(self.game, level_of(self.game, chair))
        if chair.temper == DRAWN and names:
            return SealedDice(self.secret, self.name, 0).pick(drawn_by(chair.seat), names)
        return chair.temper if chair.temper in names else None

    def orders(self, state: State, due: Due, chair: Chair, dice: Dice) -> tuple[Choice[Order], ...]:
        """What the bot of a chair orders; of the letters to and from its seat it knows what was agreed."""
        bot, view = self.of(chair), self.game.rules.view(state, due.seat)
        if isinstance(bot, Conversant) and self.press:
            bot = bot.hearing(view, self.heard(state, due.seat))
        if isinstance(bot, Observant) and self.past:
            bot = bot.watching(self.past[-bot.looks_back :])
        return bot.orders(view, due, LabelledDice(dice, f"bot/{due.seat}/"))

    def looks_back(self, chairs: Iterable[Chair]) -> int:
        """So many of the last turns the bots of some chairs want to know."""
        bots = (self.game.bots[level_of(self.game, chair)] for chair in chairs if self.game.bots)
        return max((bot.looks_back for bot in bots if isinstance(bot, Observant)), default=0)

    def says(self, state: State, chair: Chair, dice: Dice) -> tuple[Said, ...]:
        """What the bot of a chair writes now; nothing where it cannot write."""
        bot, heard = self.of(chair), self.heard(state, chair.seat)
        if not isinstance(bot, Conversant):
            return ()
        label = f"press/{chair.seat}/{len(heard.missives)}/"
        return bot.press(self.game.rules.view(state, chair.seat), heard, LabelledDice(dice, label))

    def accounts(self, state: State, chair: Chair) -> str:
        """What the bot of a chair says to all when the game is over; "" for nothing."""
        bot, view = self.of(chair), self.game.rules.view(state, chair.seat)
        return bot.account(view, self.heard(state, chair.seat)) if isinstance(bot, Accountable) else ""

    def heard(self, state: State, seat: Seat) -> Correspondence:
        """The press that a seat may see; but not what was between its player and the gamesmaster."""
        seen = [one for one in self.press if one.is_heard_by(seat) and one.to != (GAMESMASTER,)]
        return Correspondence(
            seat=seat,
            turn=self.game.rules.turn(state).short,
            missives=tuple(_missive(one, seat) for one in seen),
        )


def drawn_by(seat: Seat) -> str:
    """The label of the throw of the set-up by which a seat's temperament is drawn."""
    return f"temperament/{seat}"


def level_of(game: Game, chair: Chair) -> str:
    """The level of a chair's bot, the weakest where none is named, or one that there is no longer."""
    return chair.bot if chair.bot is not None and chair.bot in game.bots else next(iter(game.bots))


def usual(game: Game) -> str | None:
    """The level of the bots of a new game where nobody chooses one; None: there is one level alone."""
    return USUAL if USUAL in game.bots else None


def effort(game: Game, levels: Iterable[str | None]) -> int:
    """How many adjudications the bots of a game may cost a turn, at the most. levels: one for each bot."""
    bots = (game.bots.get(level or "", next(iter(game.bots.values()), None)) for level in levels)
    return sum(bot.budget if isinstance(bot, Searching) else PLAIN_EFFORT for bot in bots)


def temperaments(game: Game, level: str) -> tuple[str, ...]:
    """The temperaments that bots of a level may have."""
    bot = game.bots[level]
    return bot.temperaments if isinstance(bot, Tempered) else ()


def chosen(game: Game, level: str | None, temper: str | None) -> tuple[str | None, str | None]:
    """A level and a temperament by their names, whatever the capitals. Raises Invalid for what there is not.

    None: nothing is said.
    """
    if not game.bots and (level or temper):
        raise Invalid("bots", f"there are none in {game.about.title}", "leave it out")
    found = _named("bot", level, tuple(game.bots))
    names = temperaments(game, found or next(iter(game.bots))) if temper else ()
    if temper and not names:
        raise Invalid(f"temperament {temper}", f"bots of {game.about.title} have none", "leave it out")
    return found, _named("temperament", temper, (*names, DRAWN))


def _named(what: str, said: str | None, names: Sequence[str]) -> str | None:
    if said is None:
        return None
    if said.lower() not in names:
        raise Invalid(f"{what} {said}", f"there is no such {what}", f"there are: {', '.join(names)}")
    return said.lower()


def _missive(press: Press, seat: Seat) -> Missive:
    signed = press.kind == "white" or press.seat == seat
    return Missive(turn=press.turn, writer=press.seat if signed else None, to=press.to, text=press.text)
