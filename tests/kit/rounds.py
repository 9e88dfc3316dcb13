"""Games of the Diplomacy family played by bots, turn by turn, for tests of what they do and what is told."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.turns.runner import public_turn
from games.dice import LabelledDice, SealedDice
from games.diplomacy.model import AnyOrder, State
from games.protocol import Choice, Due, Event, Game, Options, PastTurn


@dataclass(frozen=True)
class Round:
    """One turn played: the state before and after, who was asked and what was chosen, what happened."""

    before: State
    after: State
    asked: tuple[tuple[Due, tuple[Choice[AnyOrder], ...]], ...]
    events: tuple[Event, ...]


def rounds(
    game: Game,
    seed: bytes,
    years: int | None = None,
    bot: str = "intermediate",
    options: Options | None = None,
    effort: int = 0,
) -> Iterator[Round]:
    """The turns of a game with a bot in every seat, until it ends or so many years are over (None: never).

    effort: how many adjudications it may make for an order sheet, where it makes any; 0: as many as it does.
    Where it looks back it is shown the turns before.
    """
    player, past = game.bots[bot], list[PastTurn]()
    player = player.with_budget(effort) if effort else player
    state: State = game.rules.setup(options or {}, SealedDice(seed, "rounds", 0)).state
    turn = 0
    while game.rules.result(state) is None and (years is None or state.phase.year < years + 1):
        turn += 1
        dice = SealedDice(seed, "rounds", turn)
        knowing = player.with_history(past[-player.looks_back :]) if player.looks_back else player
        asked = tuple(
            (due, knowing.orders(state, due, LabelledDice(dice, f"{due.seat}/")))
            for due in game.rules.due(state)
        )
        orders = {due.seat: [choice.order for choice in choices] for due, choices in asked}
        outcome = game.rules.adjudicate(state, orders, dice)
        if knowing is not player:
            past.append(public_turn(game, state, outcome.state, outcome.events))
        yield Round(state, outcome.state, asked, outcome.events)
        state = outcome.state
