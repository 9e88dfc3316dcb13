"""One game of bots, from the opening to its end, or until it is abandoned."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from adjudicator.errors import Refusal
from adjudicator.external_bots import ExternalBot
from adjudicator.turns.runner import public_turn
from games.dice import Dice, LabelledDice, SealedDice
from games.protocol import (
    Bot,
    Choice,
    Due,
    Event,
    Game,
    GameResult,
    Options,
    Order,
    PastTurn,
    Rules,
    Seat,
    State,
    View,
)

_Given = Mapping[Seat, Sequence[Order]]

MOST_TURNS = 2_000
"""A longer game is abandoned, without a winner or a draw."""

UNDECIDED = "undecided"
"""The ending of an abandoned game."""


@dataclass(frozen=True)
class PlayedGame:
    """One game. scores: by the score's time, the score of each seat at that time.

    players: the player of each seat. survivors: the seats that were still in the game at its end. remarks:
    the problems with external bots' answers. orders: the numbers of orders by the score's time, seat and kind
    of order.
    """

    number: int
    result: GameResult
    turns: int
    scores: Mapping[int, Mapping[Seat, int]]
    players: Mapping[Seat, str]
    survivors: tuple[Seat, ...]
    remarks: tuple[str, ...] = ()
    orders: Mapping[tuple[int, Seat, str], int] = field(default_factory=dict)

    @property
    def end(self) -> int:
        """Return the end of the game, in the score's time."""
        return max(self.scores)

    def time_after(self, rounds: int) -> int:
        """Return the score's time after so many rounds of it (years, in most games), or at the end."""
        return sorted(self.scores)[:rounds][-1]

    @property
    def is_undecided(self) -> bool:
        """Return whether the game was abandoned."""
        return self.result.reason == UNDECIDED

    @property
    def sharers(self) -> tuple[Seat, ...]:
        """Return the seats that share a draw: the survivors of a game that ended without a winner."""
        return () if self.result.winners or self.is_undecided else self.survivors

    def points(self, seat: Seat) -> float:
        """Return a seat's part of the one point of a game: the winners share it, or those in a draw."""
        for among in (self.result.winners, self.sharers):
            if seat in among:
                return 1 / len(among)
        return 0.0


@dataclass(frozen=True)
class BotMatch:
    """One game for bots to play: its options, the player of each seat, and the seed of its dice.

    foreign: by name, the commands that start external bots. dangers: the dangers of the seats that bots
    assume, or None for their own.
    """

    number: int
    options: Options
    players: Mapping[Seat, str]
    seed: str
    foreign: Mapping[str, str] = field(default_factory=dict)
    dangers: Mapping[Seat, float] | None = None


def play(
    game: Game,
    match: BotMatch,
    most_turns: int = MOST_TURNS,
    watch: Callable[[State, _Given], None] = lambda _state, _orders: None,
) -> PlayedGame:
    """Play one game of a kind with a score to its end. Its dice depend only on seed and number.

    watch: called with each position and its orders.
    """
    rules, score = game.rules, game.score
    assert score is not None, "there is something to count"
    bots = {
        seat: _give_dangers(player(game, who, match.foreign), match) for seat, who in match.players.items()
    }
    processes = [bot for bot in bots.values() if isinstance(bot, ExternalBot)]
    given: Counter[tuple[int, Seat, str]] = Counter()

    def note(state: State, orders: _Given) -> None:
        kinds = ((seat, type(order).__name__) for seat, some in orders.items() for order in some)
        given.update((score.when(state), seat, kind) for seat, kind in kinds)
        watch(state, orders)

    scores: dict[int, Mapping[Seat, int]] = {}
    turns = -1
    with ExitStack() as table:
        for process in processes:
            table.callback(process.close)
        for state in states(game, match, bots, most_turns, note):
            turns += 1
            if turns:
                scores[score.when(state)] = dict(score.of(state))
    return PlayedGame(
        number=match.number,
        result=rules.result(state) or GameResult(winners=(), reason=UNDECIDED),
        turns=turns,
        scores=_fill_gaps(scores or {score.when(state): dict(score.of(state))}, score.step),
        players=dict(match.players),
        survivors=tuple(match.players) if (left := rules.survivors(state)) is None else left,
        remarks=tuple(remark for process in processes for remark in process.remarks),
        orders=dict(given),
    )


def _give_dangers(bot: Bot[View, Order], match: BotMatch) -> Bot[View, Order]:
    return bot if match.dangers is None else bot.with_dangers(match.dangers)


def states(
    game: Game,
    match: BotMatch,
    bots: Mapping[Seat, Bot[View, Order]],
    most_turns: int = MOST_TURNS,
    note: Callable[[State, _Given], None] = lambda _state, _orders: None,
) -> Iterator[State]:
    """Yield the states of a match, from the opening to the one in which it ends or is abandoned.

    note: called with each state and its orders.
    """
    secret, rules = f"tournament {match.seed}".encode(), game.rules
    name = f"{game.about.kind}-{match.number}"
    state = rules.setup(match.options, SealedDice(secret, name, 0)).state
    most = max((bot.looks_back for bot in bots.values()), default=0)
    past: deque[PastTurn] = deque(maxlen=most)
    yield state
    for turn in range(1, most_turns + 1):
        if rules.result(state) is not None:
            return
        dice = SealedDice(secret, name, turn)
        orders = ask(game, state, bots, dice, past)
        note(state, orders)
        outcome = rules.adjudicate(state, orders, dice)
        if most:
            past.append(public_turn(game, state, outcome.state, outcome.events))
        state = outcome.state
        yield state


def ask(
    game: Game, state: State, bots: Mapping[Seat, Bot[View, Order]], dice: Dice, past: Iterable[PastTurn] = ()
) -> Mapping[Seat, Sequence[Order]]:
    """Return the bots' orders for everything that is due, each from its seat's view. past: the last turns."""
    return {
        due.seat: [
            choice.order
            for choice in _show_history(bots[due.seat], past).orders(
                game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
            )
        ]
        for due in game.rules.due(state)
    }


def _show_history(bot: Bot[View, Order], past: Iterable[PastTurn]) -> Bot[View, Order]:
    return bot.with_history(tuple(past)[-bot.looks_back :]) if bot.looks_back else bot


def ask_bots(game: Game, state: State, dice: Dice) -> Mapping[Seat, Sequence[Order]]:
    """Return the orders of the weakest bot for everything that is due."""
    bot = game.bots[weakest(game)]
    return ask(game, state, {due.seat: bot for due in game.rules.due(state)}, dice)


def _fill_gaps(scores: Mapping[int, Mapping[Seat, int]], step: int) -> Mapping[int, Mapping[Seat, int]]:
    """Return the scores without gaps: missing scores repeat the last ones."""
    filled: dict[int, Mapping[Seat, int]] = {}
    for time in range(min(scores), max(scores) + 1, step):
        filled[time] = scores[time] if time in scores else filled[time - step]
    return filled


# The players of a tournament are the levels of a game's bots, and opponents to measure them against.


HOLD_PLAYER = "hold"


class IdleBot(Bot[View, Order]):
    """Never gives an order, so that the rules' default applies."""

    def __init__(self, rules: Rules[State, View, Order, Event]) -> None:
        self._rules = rules

    def orders(self, view: View, due: Due, _dice: Dice) -> tuple[Choice[Order], ...]:
        """Return the rules' default for a seat without orders."""
        return tuple(Choice(order=order, reason="never orders") for order in self._rules.default(view, due))


def weakest(game: Game) -> str:
    """Return the level of seats that name none. Raises Refusal for a kind without bots."""
    if not game.bots:
        raise Refusal(f"Can't hold a tournament of {game.about.kind}", "its bots can't play it alone")
    return next(iter(game.bots))


def names(game: Game) -> tuple[str, ...]:
    """Return the names of the players: the levels, the weakest first, then those who are only opponents."""
    return (*game.bots, *game.sparring, HOLD_PLAYER)


def player(game: Game, text: str, foreign: Mapping[str, str] | None = None) -> Bot[View, Order]:
    """Return the bot that a text names. foreign: by name, the commands that start external bots.

    Raises Refusal with the known names.
    """
    if foreign and text in foreign:
        return ExternalBot(game, text, foreign[text])
    head, _, budget = text.partition("@")
    name, _, temperament = head.partition("/")
    bots: dict[str, Bot[View, Order]] = {**game.bots, **game.sparring, HOLD_PLAYER: IdleBot(game.rules)}
    if name not in bots:
        raise Refusal(
            f'No bot is called "{name}"',
            "",
            "Bots: " + ", ".join((*names(game), *(foreign or ()))),
        )
    bot = bots[name]
    if temperament:
        bot = _give_temperament(bot, name, temperament)
    return _searching(bot, name, budget) if "@" in text else bot


def _give_temperament(bot: Bot[View, Order], name: str, temperament: str) -> Bot[View, Order]:
    if not bot.temperaments:
        raise Refusal(f"player {name}/{temperament}", f"{name} has no personalities", f"Write {name}")
    if temperament not in bot.temperaments:
        known = ", ".join(bot.temperaments)
        raise Refusal(
            f"player {name}/{temperament}", f"it has no personality {temperament}", f"Personalities: {known}"
        )
    tempered: Bot[View, Order] = bot.with_temperament(temperament)
    return tempered


def _searching(bot: Bot[View, Order], name: str, budget: str) -> Bot[View, Order]:
    if bot.budget is None:
        raise Refusal(f"player {name}@{budget}", f"{name} doesn't search", f"Write {name}")
    if not budget.isdecimal() or not int(budget):
        raise Refusal(f"player {name}@{budget}", "a budget is a number of adjudications", f"Write {name}@200")
    return bot.with_budget(int(budget))


# Players have seats by name or as a mix, and may rotate from game to game.


OTHER_SEATS = "others"


@dataclass(frozen=True)
class Seating:
    """The player of each seat, both in the game's order. rotates: whether players move after each game."""

    seats: tuple[Seat, ...]
    players: tuple[str, ...]
    rotates: bool = False

    def players_in(self, number: int) -> dict[Seat, str]:
        """Return the player of each seat in a game, counted from 0. A full rotation covers all seats."""
        turned = number % len(self.seats) if self.rotates else 0
        order = (*self.players[len(self.players) - turned :], *self.players[: len(self.players) - turned])
        return dict(zip(self.seats, order, strict=True))


def seating(
    game: Game,
    seats: Sequence[Seat],
    text: str,
    *,
    rotates: bool = False,
    foreign: Mapping[str, str] | None = None,
) -> Seating:
    """Return the seating that a text describes.

    text: ``austria=advanced,others=beginner`` for seats by name (the weakest level plays the rest), or a mix
    in the order of the seats whose last entry fills the remaining seats: ``advanced*3,beginner``. "" is the
    weakest level everywhere. foreign: by name, the commands that start external bots.

    Raises Refusal for unknown names, repeated seats, and mixes that are too long.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()] or [weakest(game)]
    named = ["=" in part for part in parts]
    if any(named) and not all(named):
        bare = next(part for part in parts if "=" not in part)
        raise Refusal(f"seats {text}", f"{bare} doesn't name a seat", f"Write {OTHER_SEATS}={bare}")
    players = _players_by_seat_name(game, seats, parts) if any(named) else _players_by_mix(seats, parts)
    for name in dict.fromkeys(players):
        player(game, name, foreign)
    return Seating(seats=tuple(seats), players=players, rotates=rotates)


def _players_by_seat_name(game: Game, seats: Sequence[Seat], parts: Sequence[str]) -> tuple[str, ...]:
    known = {seat.casefold(): seat for seat in seats}
    player_by_seat: dict[str, str] = {}
    for part in parts:
        name, _, who = (side.strip() for side in part.partition("="))
        if name.casefold() != OTHER_SEATS and name.casefold() not in known:
            raise Refusal(f'No seat is called "{name}"', "", "Seats: " + ", ".join(seats))
        if name.casefold() in player_by_seat:
            raise Refusal(f"seat {name}", "it is named twice")
        player_by_seat[name.casefold()] = who
    rest = player_by_seat.get(OTHER_SEATS, weakest(game))
    return tuple(player_by_seat.get(seat.casefold(), rest) for seat in seats)


def _players_by_mix(seats: Sequence[Seat], parts: Sequence[str]) -> tuple[str, ...]:
    players: list[str] = []
    for part in parts:
        name, star, count = (side.strip() for side in part.partition("*"))
        if star and not (count.isdecimal() and int(count)):
            raise Refusal(f"player {part}", f'"{count or ""}" isn\'t a number of players', f"Write {name}*2")
        players += [name] * (int(count) if star else 1)
    if len(players) > len(seats):
        raise Refusal(
            f"Can't seat {len(players)} players", f"the game has {len(seats)} seats", "Name fewer players"
        )
    return (*players, *[players[-1]] * (len(seats) - len(players)))
