"""Laws for bots that do more than order: personalities, and press."""

from collections.abc import Callable
from typing import Any

import pytest

import games
from adjudicator.tournament.match import ask_bots
from adjudicator.turns.runner import public_turn
from games.protocol import Bot, Correspondence, Game, Order, PressMessage, Seat, View
from games.record import canonical
from tests.kit.dice import any_dice
from tests.kit.memory_repository import new_position


def able(ability: Callable[[Bot[View, Order]], object]) -> list[object]:
    """Every level of every kind that has an ability."""
    found = ((kind, level, bot) for kind, game in games.kinds().items() for level, bot in game.bots.items())
    return [pytest.param(kind, level, id=f"{kind}-{level}") for kind, level, bot in found if ability(bot)]


def seated(kind: str) -> tuple[Game, Any, Seat]:
    """A game, what the first seat that owes orders sees in its opening, and that seat."""
    game, state = games.kinds()[kind], new_position(kind).state
    seat = game.rules.due(state)[0].seat
    return game, game.rules.view(state, seat), seat


@pytest.mark.parametrize(("kind", "level"), able(lambda bot: bot.temperaments))
def test_a_temperament_gives_a_bot_and_no_other_does(kind: str, level: str) -> None:
    """The same names at every level, none of which is the word for those that are drawn."""
    bot = games.kinds()[kind].bots[level]
    assert bot.temperaments
    assert "drawn" not in bot.temperaments
    for name in bot.temperaments:
        assert name == name.lower()
        assert bot.with_temperament(name).temperaments == bot.temperaments
    with pytest.raises(KeyError):
        bot.with_temperament("no such temperament")


@pytest.mark.parametrize(("kind", "level"), able(lambda bot: bot.phrases))
def test_what_bots_write_follows_from_what_they_see_and_heard(kind: str, level: str) -> None:
    """The same twice; to others, and something; and once it is said, nothing is said again."""
    game, view, seat = seated(kind)
    bot = game.bots[level]
    turn, others = game.rules.turn(view).short, [one for one in game.about.seats(view.options) if one != seat]
    letters = [
        PressMessage(turn=turn, writer=others[0], to=(seat,), text=text) for text in (*bot.phrases, "Hello!")
    ]
    for missives in ((), *((one,) for one in letters), tuple(letters)):
        heard = Correspondence(seat=seat, turn=turn, missives=missives)
        said = bot.press(view, heard, any_dice())
        assert [canonical(one) for one in bot.press(view, heard, any_dice())] == [
            canonical(one) for one in said
        ]
        assert all(one.to in others and one.text.strip() for one in said)
        assert len({one.to for one in said}) == len(said)
        ours = tuple(PressMessage(turn=turn, writer=seat, to=(one.to,), text=one.text) for one in said)
        after = Correspondence(seat=seat, turn=turn, missives=(*missives, *ours))
        assert bot.press(view, after, any_dice()) == ()


@pytest.mark.parametrize(("kind", "level"), able(lambda bot: bot.phrases))
def test_whoever_heard_something_orders_all_the_same(kind: str, level: str) -> None:
    game, view, seat = seated(kind)
    bot = game.bots[level]
    turn = game.rules.turn(view).short
    other = next(one for one in game.about.seats(view.options) if one != seat)
    missives = (
        PressMessage(turn=turn, writer=other, to=(seat,), text=bot.phrases[0]),
        PressMessage(turn=turn, writer=seat, to=(other,), text="accept"),
    )
    bound = bot.with_press(view, Correspondence(seat=seat, turn=turn, missives=missives))
    due = next(due for due in game.rules.due(view) if due.seat == seat)
    orders = [choice.order for choice in bound.orders(view, due, any_dice())]
    assert orders
    assert all(game.rules.check(view, seat, order) is None for order in orders)


@pytest.mark.parametrize(("kind", "level"), able(lambda bot: bot.looks_back))
def test_whoever_has_seen_turns_orders_all_the_same_and_remembers_none(kind: str, level: str) -> None:
    """Two turns of the weakest level are shown; without them it plays as if it had never looked."""
    game, state = games.kinds()[kind], new_position(kind).state
    bot = game.bots[level]
    bot = bot.with_budget(30)
    assert bot.looks_back > 0
    past = []
    for _ in range(2):
        outcome = game.rules.adjudicate(state, ask_bots(game, state, any_dice()), any_dice())
        past.append(public_turn(game, state, outcome.state, outcome.events))
        state = outcome.state
    due = game.rules.due(state)[0]
    view = game.rules.view(state, due.seat)
    alone = bot.orders(view, due, any_dice())
    for shown in ((), tuple(past[-1:]), tuple(past)):
        knowing = bot.with_history(shown)
        orders = knowing.orders(view, due, any_dice())
        assert orders == knowing.orders(view, due, any_dice())
        assert all(game.rules.check(view, due.seat, choice.order) is None for choice in orders)
        assert (orders == alone) or shown
    assert bot.orders(view, due, any_dice()) == alone
