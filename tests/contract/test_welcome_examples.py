"""Each example of a welcome is accepted when it is sent back, whatever was drawn."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product

import pytest

import games
from adjudicator.auth.sender import AuthenticatedSeat
from adjudicator.inbound.filing import file_orders
from adjudicator.inbound.parse_contexts import parse_context
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.reports.report import opening_report
from games.dice import SealedDice
from games.options import settle_for_new_game
from games.protocol import Seat
from orders.mail.body import FreshLine
from orders.reading.letter_reader import read_lines
from tests.kit.game_emails import PLAYER, begin_game
from tests.kit.suggested_lines import sent_back

SOLO = {
    "plains-indian-wars": {"scenario": ("1", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7")},
    "war-chest": {"opponent": ("ai", "human"), "units": ("draft", "random", "crecy")},
    "great-war": {"side": ("allies", "central"), "ask": ("no", "yes")},
    "boer-war": {"mode": ("war", "both", "table"), "numbers": ("railways", "first")},
}
"""By solo game, values of the options that change what a player begins with."""

SEEDS = 6
LATER_TURNS = 4
"""After its opening, each game goes on for so many turns without orders: a new player gets a welcome then."""


def beginnings(kind: str, seeds: int = SEEDS) -> Iterator[tuple[str, GamePosition, Seat]]:
    """Yield a game's opening and first turns for each seed and options, with the seat that is to order."""
    game, bare = begin_game(kind)
    for number, values in product(range(seeds), product(*SOLO[kind].values())):
        asked = dict(zip(SOLO[kind], values, strict=True))
        options = settle_for_new_game(game.about, asked)
        secret = f"{kind} {number}".encode()
        state = game.rules.setup(options, SealedDice(secret, "kit", 0)).state
        for turn in range(LATER_TURNS):
            dues = game.rules.due(state)
            if not dues:
                break
            assignments = {
                seat: SeatAssignment(seat=seat, address=PLAYER if seat == dues[0].seat else None)
                for seat in game.about.seats(options)
            }
            position = replace(bare, options=options, state=state, assignments=assignments, secret=secret)
            yield f"{asked}, seed {number}, turn {turn}", position, dues[0].seat
            orders = {due.seat: list(game.rules.default(state, due)) for due in dues}
            state = game.rules.adjudicate(state, orders, SealedDice(secret, "kit", turn + 1)).state


@pytest.mark.parametrize("kind", SOLO)
def test_every_example_of_a_welcome_is_accepted_when_it_is_sent_back(kind: str) -> None:
    game, tried, refused = games.kinds()[kind], 0, []
    for name, position, seat in beginnings(kind):
        for example in opening_report(game, position, seat).examples:
            tried += 1
            rows = sent_back(position, seat, [example.example])
            if not (
                len(rows) == 1 and rows[0].in_force and rows[0].grade == "taken" and not rows[0].left_out
            ):
                refused.append((name, example.example, [(row.grade, row.problem) for row in rows]))
    assert tried > 40
    assert refused == []


def test_an_example_of_the_great_war_is_accepted_after_another_one() -> None:
    """They don't compete for a card or for the base, and those for other places can be sent together."""
    game, refused = games.kinds()["great-war"], []
    for name, position, seat in beginnings("great-war", seeds=2):
        seated = AuthenticatedSeat(position, seat, "token")
        context = parse_context(game, seated)
        examples = [form.example for form in opening_report(game, position, seat).examples]
        for lines in permutations(examples, 2):
            reading = read_lines([FreshLine(text=line) for line in lines], context)
            rows = file_orders(game, seated, reading.orders, (), position.deadline or 0).rows
            refused += [(name, lines, row.problem) for row in rows if row.grade != "taken" or row.left_out]
    assert refused == []
