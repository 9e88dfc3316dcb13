"""The bots of seats without a player: their level, their temperament, and their press.

A bot replies to press, proposes something after a turn, and gives an account at the end.
Rule 1: bots use signed press and write only if it is allowed. They can't tell the writer of unsigned press.
Rule 2: a reply goes to the writer, and bots don't reply to replies, so every talk ends. Rule 3: decisions use
the database and the press of the same transaction; nothing is stored here.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, Protocol

from adjudicator.clock import Millis
from adjudicator.messages import sentence
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.people import GAMESMASTER_SEAT, PeopleRepository, Press, SendPress
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
from games.record import Value, field

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


# The press of bots.


class _Spoken(Value, frozen=True):
    """A bot's press, as an act, and the proposals that it accepts."""

    act: SendPress
    accepts: tuple[str, ...] = ()


class Talk(Value, frozen=True):
    """The press of one transaction. fresh: the press written in it, by game."""

    people_repository: PeopleRepository
    fresh: list[tuple[str, Press]] = field(default_factory=list)

    def answers(self, position: GamePosition, act: SendPress) -> tuple[SendPress, ...]:
        """Return the replies of the bots that receive a piece of press."""
        return tuple(message.act for message in self._write_answers(position, act))

    def agreements(self, position: GamePosition, act: SendPress) -> tuple[tuple[Seat, str], ...]:
        """Return the agreements that bots make by press they receive: each bot's seat and the text."""
        messages = self._write_answers(position, act)
        return tuple(
            (message.act.press.seat, what)
            for message in messages
            if message.act.press.seat
            for what in message.accepts
        )

    def _write_answers(self, position: GamePosition, act: SendPress) -> tuple[_Spoken, ...]:
        if (position.name, act.press) not in self.fresh:
            self.fresh.append((position.name, act.press))
        writer = act.press.seat
        if writer is None or act.press.kind != "white" or not self._may_speak(position):
            return ()
        hearers = [
            assignment
            for seat, assignment in position.assignments.items()
            if seat != writer and not assignment.is_person and act.press.is_heard_by(seat)
        ]
        return tuple(
            message
            for assignment in hearers
            for message in self._write_messages(position, assignment, act.press.at, act.key, writer)
        )

    def proposals(self, position: GamePosition, now: Millis) -> tuple[SendPress, ...]:
        """Return the bots' own press at the start of a turn, and other bots' replies to it.

        position: in this turn.
        """
        if not self._may_speak(position):
            return ()
        key = f"{position.name}/press/{position.entries}"
        acts: list[SendPress] = []
        # One after the other, so that two bots don't make proposals to each other at the same time.
        for assignment in position.assignments.values():
            if not assignment.is_person:
                for message in self._write_messages(position, assignment, now, key):
                    replies = self._write_answers(position, message.act)
                    acts += [message.act, *(reply.act for reply in replies)]
        return tuple(acts)

    def accounts(self, position: GamePosition, now: Millis) -> tuple[SendPress, ...]:
        """Return the bots' press to everyone about their agreements, once the game is over.

        position: after the last turn.
        """
        customs = self.people_repository.policy(position.name)
        if position.is_running or "white" not in customs.allows or customs.reach == "neighbours":
            return ()
        game, name = position.game, position.name
        bots = GameBots(game, name, position.secret, self.people_repository.press(name))
        turn = game.rules.turn(position.state).short
        account_by_seat = {
            assignment.seat: bots.write_account(position.state, assignment)
            for assignment in position.assignments.values()
            if not assignment.is_person
        }
        return tuple(
            SendPress(
                game=name,
                by=seat,
                press=Press(turn=turn, seat=seat, kind="white", to=None, text=text, at=now),
                key=f"{name}/press/{position.entries}/{seat}",
            )
            for seat, text in account_by_seat.items()
            if text
        )

    def _write_messages(
        self,
        position: GamePosition,
        assignment: SeatAssignment,
        at: Millis,
        key: str,
        only: Seat | None = None,
    ) -> tuple[_Spoken, ...]:
        """Return the press of a seat's bot, to one seat or to everyone that it may write to."""
        game, name = position.game, position.name
        before = [
            *self.people_repository.press(name),
            *(press for game_name, press in self.fresh if game_name == name),
        ]
        bots = GameBots(game, name, position.secret, before)
        turn = game.rules.turn(position.state).short
        dice = SealedDice(position.secret, name, position.dice_number)
        letters = [
            (
                Press(
                    turn=turn, seat=assignment.seat, kind="white", to=(message.to,), text=message.text, at=at
                ),
                message,
            )
            for message in bots.write_press(position.state, assignment, dice)
            if only in (None, message.to) and self._may_write(position, assignment.seat, message)
        ]
        self.fresh.extend((name, press) for press, _ in letters)
        ours = f"{key}/{assignment.seat}"
        return tuple(
            _Spoken(
                SendPress(
                    game=name, by=assignment.seat, press=press, key="/".join((ours, *(press.to or ())))
                ),
                message.accepts,
            )
            for press, message in letters
        )

    def _may_speak(self, position: GamePosition) -> bool:
        # A bot writes to one other player. In a game where everybody reads everything there's no such press.
        customs = self.people_repository.policy(position.name)
        return position.is_running and "white" in customs.allows and customs.reach != "public"

    def _may_write(self, position: GamePosition, seat: Seat, message: BotMessage) -> bool:
        """Return whether a seat's press may go to another seat and has a text."""
        rules = position.game.rules
        if message.to == seat or message.to not in position.assignments or not message.text.strip():
            return False
        if self.people_repository.policy(position.name).reach != "neighbours":
            return True
        near = rules.neighbours(position.state, seat)
        return near is None or message.to in near
