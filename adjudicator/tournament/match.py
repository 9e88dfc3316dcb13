"""One game of bots, from the opening to its end, or until it is given up."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from adjudicator.tournament.external_bots import ExternalBot
from adjudicator.tournament.players import player, weakest
from adjudicator.turns.lately import public_turn
from games.dice import Dice, LabelledDice, SealedDice
from games.protocol import Bot, Game, GameResult, Options, Order, Seat, State, View
from games.protocol.bot_skills import SupportsDangers, SupportsHindsight
from games.protocol.optional import PastTurn, SupportsNeighbours

_Given = Mapping[Seat, Sequence[Order]]

MOST_TURNS = 2_000
"""A game that is longer is given up, and nobody has won it or shares it."""

UNDECIDED = "undecided"
"""Why a game ended that was given up."""


@dataclass(frozen=True)
class PlayedGame:
    """One game. scores: by what has passed of the score's time, what each seat had when that was over.

    players: who played each seat; survivors: the seats that were still in it when it ended.
    remarks: what was amiss with the answers of bots of others. orders: by the score's time at which they were
    due, seat and kind, how many were given.
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
        """When it ended, in the score's time."""
        return max(self.scores)

    @property
    def is_undecided(self) -> bool:
        """Return whether the game was given up."""
        return self.result.reason == UNDECIDED

    @property
    def sharers(self) -> tuple[Seat, ...]:
        """The seats that share a draw: the survivors of a game that ended without a winner."""
        return () if self.result.winners or self.is_undecided else self.survivors

    def points(self, seat: Seat) -> float:
        """Return a side's part of the one point of a game: winners share it, or else those who
        share a draw.
        """
        for among in (self.result.winners, self.sharers):
            if seat in among:
                return 1 / len(among)
        return 0.0


@dataclass(frozen=True)
class BotMatch:
    """One game that bots are to play: with what options, who on which seat, and the seed of its dice.

    foreign: by name, the commands that start bots of others; dangers: of the seats, as all bots are to reckon
    them that can be told, None for what they know themselves.
    """

    number: int
    options: Options
    players: Mapping[Seat, str]
    seed: str
    foreign: Mapping[str, str] = field(default_factory=dict)
    dangers: Mapping[Seat, float] | None = None


def play(game: Game, match: BotMatch, most_turns: int = MOST_TURNS) -> PlayedGame:
    """Play one game of a kind with a score to its end. Its dice depend on seed and number alone."""
    rules, score = game.rules, game.score
    assert score is not None, "there is something to count"
    bots = {
        seat: _with_dangers(player(game, who, match.foreign), match) for seat, who in match.players.items()
    }
    processes = [bot for bot in bots.values() if isinstance(bot, ExternalBot)]
    given: Counter[tuple[int, Seat, str]] = Counter()

    def note(state: State, orders: _Given) -> None:
        kinds = ((seat, type(order).__name__) for seat, some in orders.items() for order in some)
        given.update((score.when(state), seat, kind) for seat, kind in kinds)

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
        scores=_fill_gaps(scores or {score.when(state): dict(score.of(state))}),
        players=dict(match.players),
        survivors=rules.survivors(state) if isinstance(rules, SupportsNeighbours) else tuple(match.players),
        remarks=tuple(remark for process in processes for remark in process.remarks),
        orders=dict(given),
    )


def _with_dangers(bot: Bot[View, Order], match: BotMatch) -> Bot[View, Order]:
    if match.dangers is None or not isinstance(bot, SupportsDangers):
        return bot
    warned: Bot[View, Order] = bot.with_dangers(match.dangers)
    return warned


def states(
    game: Game,
    match: BotMatch,
    bots: Mapping[Seat, Bot[View, Order]],
    most_turns: int = MOST_TURNS,
    note: Callable[[State, _Given], None] = lambda _state, _orders: None,
) -> Iterator[State]:
    """The states of a match, the opening first, the last one that in which it ends or is given up.

    note: is told of each state with the orders that were given in it.
    """
    secret, rules = f"tournament {match.seed}".encode(), game.rules
    name = f"{game.about.kind}-{match.number}"
    state = rules.setup(match.options, SealedDice(secret, name, 0)).state
    most = max((bot.looks_back for bot in bots.values() if isinstance(bot, SupportsHindsight)), default=0)
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
    """The orders of the bots for all that is due; each sees what its seat may see. past: the last turns."""
    return {
        due.seat: [
            choice.order
            for choice in _looking(bots[due.seat], past).orders(
                game.rules.view(state, due.seat), due, LabelledDice(dice, f"bot/{due.seat}/")
            )
        ]
        for due in game.rules.due(state)
    }


def _looking(bot: Bot[View, Order], past: Iterable[PastTurn]) -> Bot[View, Order]:
    return bot.with_history(tuple(past)[-bot.looks_back :]) if isinstance(bot, SupportsHindsight) else bot


def ask_bots(game: Game, state: State, dice: Dice) -> Mapping[Seat, Sequence[Order]]:
    """The orders of the weakest bot for all that is due."""
    bot = game.bots[weakest(game)]
    return ask(game, state, {due.seat: bot for due in game.rules.due(state)}, dice)


def _fill_gaps(scores: Mapping[int, Mapping[Seat, int]]) -> Mapping[int, Mapping[Seat, int]]:
    """Return the scores without gaps: where nothing was counted, the last count holds."""
    filled: dict[int, Mapping[Seat, int]] = {}
    for time in range(min(scores), max(scores) + 1):
        filled[time] = scores[time] if time in scores else filled[time - 1]
    return filled
