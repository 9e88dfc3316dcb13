"""Games of the Diplomacy family played by bots, turn by turn, for tests of orders and reports."""

from collections.abc import Iterator
from dataclasses import dataclass

from adjudicator.turns.runner import public_turn
from games.dice import LabelledDice, SealedDice
from games.diplomacy.model import AnyOrder, State
from games.protocol import Choice, Due, Event, Game, Options, PastTurn


@dataclass(frozen=True)
class Round:
    """A turn: the state before and after, the dues and choices, and the events."""

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
    """Yield the turns of a game between bots, until it ends or after some years (None: never).

    effort: the adjudications for an order sheet, 0 for the bot's own limit. A bot that uses history gets the
    earlier turns.
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
