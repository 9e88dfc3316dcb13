"""Whole campaigns: no card is lost, every campaign ends, and each side wins as often as measured."""

import random
from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.dice import LabelledDice, SealedDice
from games.great_war.decks import cards_by_zone
from games.great_war.events import CardLaid, Drew, TurnWon
from games.great_war.model import AI, PLAYER, State
from games.options import settle
from games.record import canonical, load
from tests.games.great_war.front import GAME, NOTATION, RULES, order

pytestmark = pytest.mark.long

SIDES, LENGTHS = ("allies", "central"), ("5", "10")
LEVELS = ("decisive", "strategic", "tactical", "moral")

MEASURED = {"allies": (40, 42), "central": (46, 35)}
"""The wins and losses of the greedy bot in a hundred campaigns of five Turns, measured over 1,000 each."""


@dataclass(frozen=True)
class Played:
    """A campaign that has ended."""

    state: State
    events: tuple[object, ...]

    @property
    def level(self) -> str:
        """Return the level from the player's view: "moral victory", "draw", "tactical defeat"."""
        if self.state.ended == "draw":
            return "draw"
        won = self.state.score(PLAYER) > self.state.score(AI)
        return f"{self.state.ended} {'victory' if won else 'defeat'}"


def assert_conserved(state: State) -> None:
    """Check that each of the 200 cards is in exactly one place."""
    found = Counter(one for cards in cards_by_zone(state).values() for one in cards)
    assert found == Counter({one: card.count for one, card in state.book.cards.items()})


def self_played(seed: int, bot: str = "mirror", **options: str) -> Played:
    """Play a campaign from its opening to its end."""
    secret = f"campaign {seed}".encode()
    state = RULES.setup(settle(GAME.about.options, options), SealedDice(secret, "war", 0)).state
    number, events = 0, []
    while RULES.result(state) is None:
        number += 1
        dice = SealedDice(secret, "war", number)
        (due,) = RULES.due(state)
        view = RULES.view(state, PLAYER)
        choices = GAME.bots[bot].orders(view, due, LabelledDice(dice, "bot/player/"))
        assert all(RULES.check(view, PLAYER, choice.order) is None for choice in choices)
        outcome = RULES.adjudicate(state, {PLAYER: [choice.order for choice in choices]}, dice)
        state = outcome.state
        events += outcome.events
        assert_conserved(state)
    return Played(state, tuple(events))


@pytest.mark.clause("great-war", "D.total", "GW-15.3", "GW-15.6")
@pytest.mark.parametrize("bot", ["mirror", "greedy"])
@pytest.mark.parametrize(("side", "turns"), [("allies", "5"), ("central", "10")])
def test_campaigns_end_and_no_card_is_lost(bot, side, turns):
    for seed in range(5):
        played = self_played(seed, bot, side=side, turns=turns)
        assert played.state.turn == int(turns)
        won = [event for event in played.events if isinstance(event, TurnWon)]
        assert [event.turn for event in won] == list(range(1, int(turns) + 1))
        assert won[-1].scores == (played.state.score(PLAYER), played.state.score(AI))
        assert load(State, canonical(played.state)) == played.state


@pytest.mark.clause("great-war", "GW40", "D.total")
def test_no_card_is_lost_where_white_cards_come_in():
    whites = "W10:B-QD,W22:B-10H,W28:R-QS,W46:B-4C,W06:B-JS,W08:R-JS"
    for seed in range(4):
        assert self_played(seed, "greedy", turns="10", exchange=whites, split="2/6/1").state.ended


TEXTS = (
    "ATTACK 1ST: {0} + {1} + {2}", "DEFEND 1ST: {0} + {1} > {3}", "ATTACK 2ND: {0} LEADS {1}, {2}",
    "PLAY 2ND: + {0} + {1} AS WILD", "PLAY 1ST: {0} WITH {1} LEADS {2}", "CANCEL {3} WITH {0}", "PASS 1ST",
    "CANCEL LEADER WITH {0}", "CANCEL EVENT WITH {0}", "BONUS: {0} > {3}", "BONUS: {0} LEADS {1}",
    "BLOCKADE: {0} > {3}", "DRAW 3/5/1", "TURNS 10", "EXCHANGE W10 FOR B-QD", "PLAY 2ND: {0} > BEST > {3}",
)  # fmt: skip


@settings(max_examples=4)
@given(st.integers(0, 10**6))
def test_no_card_is_lost_whatever_is_ordered(seed):
    """The orders are legal or illegal, with cards from the hand and others. Each Turn still ends."""
    lot = random.Random(seed)
    state = RULES.setup(settle(GAME.about.options, {}), SealedDice(b"any", "war", seed)).state
    for number in range(1, 60):
        if RULES.result(state) is not None:
            break
        known = [
            *state.armies[PLAYER].hand,
            *[one.card for one in state.armies[AI].row],
            *list(state.book.cards)[:9],
        ]
        texts = [text.format(*(lot.choice(known) for _ in range(4))) for text in lot.sample(TEXTS, 5)]
        orders = [order(state, text) for text in texts]
        for one in orders:
            assert order(state, NOTATION.write(one)) == one
        outcome = RULES.adjudicate(state, {PLAYER: orders}, SealedDice(b"any", "war", number))
        state = outcome.state
        assert_conserved(state)
    assert RULES.result(state) is not None


def test_no_card_is_dead():
    """In a few campaigns, every card that can be played is played."""
    played = [self_played(seed, "greedy", turns="10", side=SIDES[seed % 2]) for seed in range(14)]
    events = [event for one in played for event in one.events]
    laid = {event.card for event in events if isinstance(event, CardLaid)}
    laid |= {one for event in events if isinstance(event, Drew) for one in event.placed}
    state = RULES.setup(settle(GAME.about.options, {}), SealedDice(b"x", "war", 0)).state
    away = {*state.removed, *state.spare}
    playable = {
        one for one, card in state.book.cards.items() if card.play_deck != "event" and one not in away
    }
    assert playable - laid == set()


def distribution(bot: str, side: str, turns: str, count: int) -> Counter[str]:
    """Return the results of these campaigns in one line."""
    found = Counter(self_played(seed, bot, side=side, turns=turns).level for seed in range(count))
    order_ = [*(f"{one} defeat" for one in LEVELS), "draw", *(f"{one} victory" for one in reversed(LEVELS))]
    said = ", ".join(f"{level} {100 * found[level] / count:.1f}" for level in order_)
    print(f"\n{bot}, {side}, {turns} Turns, {count} campaigns, in percent: {said}")
    return found


@pytest.mark.soak
@pytest.mark.parametrize("bot", ["mirror", "greedy"])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("turns", LENGTHS)
def test_a_thousand_campaigns_end_soundly(bot, side, turns, capsys):
    """It plays 1,000 campaigns of each sort and prints the results."""
    with capsys.disabled():
        found = distribution(bot, side, turns, 1000)
    assert sum(found.values()) == 1000


@pytest.mark.soak
@pytest.mark.parametrize("side", MEASURED)
def test_the_player_wins_as_often_as_measured(side):
    """The results over 1,000 campaigns are within four percentage points. The seeds are fixed."""
    played = [self_played(seed, "greedy", side=side) for seed in range(1000)]
    won = sum("victory" in one.level for one in played) / 10
    lost = sum("defeat" in one.level for one in played) / 10
    assert abs(won - MEASURED[side][0]) <= 4
    assert abs(lost - MEASURED[side][1]) <= 4
