"""The page offers every order in a game's listing, and nothing that an email may not contain."""

import json
from typing import Any

import pytest

import games
from adjudicator.order_page import (
    OrderEmail,
    OrderPageInput,
    choices_as_json,
    list_choices,
    render_order_page,
)
from games.dice import LabelledDice, SealedDice
from games.great_war.model import Lay
from games.plains_indian_wars.model import ALL_CUBES, Move
from games.record import canonical, replace_fields
from tests.adjudicator.order_page.parties import WHO, settled

MOST_BYTES = 400_000


def course(kind: str, turns: int, seed: bytes = b"page"):
    """A game of bots: the seats with decisions in each turn, and their orders."""
    game = games.kinds()[kind]
    state = game.rules.setup(settled(game), SealedDice(seed, "page", 0)).state
    bot = next(iter(game.bots.values()))
    for turn in range(1, turns + 1):
        if game.rules.result(state) is not None:
            return
        dice, orders = SealedDice(seed, "page", turn), {}
        for due in game.rules.due(state):
            view = game.rules.view(state, due.seat)
            mine = [one.order for one in bot.orders(view, due, LabelledDice(dice, f"{due.seat}/"))]
            rest = tuple(map(game.notation.write, game.rules.default(state, due)))
            yield OrderPageInput(game, view, due.seat, (due,), (), rest), mine
            orders[due.seat] = mine
        state = game.rules.adjudicate(state, orders, dice).state


@pytest.mark.parametrize("kind", WHO)
def test_each_offer_is_lawful_and_known_by_its_touches(kind):
    """No two orders are put together alike, and each is for a thing that has a name."""
    for asked, _ in course(kind, 5):
        found = list_choices(asked)
        for one in found:
            assert asked.game.rules.check(asked.view, asked.seat, one.order) is None, one
            assert one.touches.thing
            assert all(step.said for step in one.touches.steps)
        ways = [
            (
                one.touches.thing,
                frozenset(one.touches.adds),
                *((step.said, step.at) for step in one.touches.steps),
            )
            for one in found
        ]
        assert len(set(ways)) == len(ways) == len({asked.game.notation.write(one.order) for one in found})


def meant(asked: OrderPageInput, order: Any) -> Any:
    """An order with numbers for "all", its cards in no order: what is the same is written alike."""
    if isinstance(order, Move):
        here = asked.view.cubes.get(order.start, {})
        return replace_fields(
            order, cubes={one: here.get(one) if n == ALL_CUBES else n for one, n in order.cubes.items()}
        )
    if isinstance(order, Lay):
        return order.base, order.helper, sorted(map(canonical, order.led)), sorted(map(canonical, order.plus))
    return order


@pytest.mark.parametrize(
    ("kind", "turns"),
    [
        ("standard", 6),
        ("indianomacy", 6),
        ("boer-war", 40),
        ("great-war", 40),
        ("plains-indian-wars", 25),
    ],
)
def test_what_bots_order_can_be_chosen(kind, turns):
    """Bots know other ways to their orders than the listing does."""
    asked_for = 0
    for asked, ordered in course(kind, turns):
        offered = {canonical(meant(asked, one.order)) for one in list_choices(asked)}
        missing = [one for one in ordered if canonical(meant(asked, one)) not in offered]
        assert missing == [], list(map(asked.game.notation.write, missing))
        asked_for += len(ordered)
    assert asked_for > 14


@pytest.mark.parametrize("kind", WHO)
def test_the_page_weighs_little_and_holds_all(kind):
    asked = next(asked for asked, _ in course(kind, 2) if list_choices(asked))
    page = render_order_page(
        asked, "kit", OrderEmail(to="gm+kit@example.org", subject="Orders [kit]"), asked.rest
    )
    assert page is not None
    assert len(page) < MOST_BYTES
    text = page.decode()
    data = json.loads(text.split('id="choices">', 1)[1].split("</script>", 1)[0])
    told_texts = [order["text"] for thing in choices_as_json(asked)["things"] for order in thing["orders"]]
    assert [order["text"] for thing in data["things"] for order in thing["orders"]] == told_texts
    assert "Content-Security-Policy" in text
    assert all(line.replace("<", "&lt;") in text for line in asked.rest)


def test_nothing_is_offered_to_whom_nothing_is_asked():
    game = games.kinds()["standard"]
    state = game.rules.setup({}, SealedDice(b"page", "page", 0)).state
    asked = OrderPageInput(game, state, "France", ())
    assert list_choices(asked) == ()
    assert render_order_page(asked, "kit", OrderEmail(to="", subject="Orders"), ()) is None
