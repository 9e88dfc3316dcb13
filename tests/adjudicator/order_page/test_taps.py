"""The taps that a player needs from a blank page to a sent email, on a phone, in each game.

A player is a bot of the game that orders by touch: on the page at 375 pixels, from the list and the sheet of
choices. Each tap counts, including the one that sends, and the service accepts the whole email.
"""

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page

from adjudicator.order_page import OrderChoice, OrderEmail, OrderPageInput, list_choices, render_order_page
from games.dice import LabelledDice, SealedDice
from games.protocol import Seat
from tests.adjudicator.order_page.decisions import SETTINGS, asked_in, games_of_bots
from tests.adjudicator.order_page.hands import head_of, put_together
from tests.kit.order_picture import page_when

PHONE = 375
EMAIL = OrderEmail(to="gm+kit.token@example.org", subject="Orders [kit #1]", service="gm@example.org")


@dataclass
class Finger:
    """A finger that counts its taps."""

    taps: int = 0
    texts: list[str] = field(default_factory=list)

    def tap(self, page: Page, button: Locator) -> None:
        self.taps += 1
        button.tap()

    def order(self, page: Page, choice: OrderChoice, text: str) -> None:
        """Choose an order by its shortest way: a support that fits is one tap, another unit may be open."""
        if page.locator("#letter").inner_text().split("\n").count(text):
            return
        head = head_of(page, choice.touches.thing)
        shortcut = page.locator(f'.choices [data-fits="{text}"]')
        if head.get_attribute("aria-expanded") == "true" and shortcut.count():
            self.tap(page, shortcut)
        else:
            put_together(page, self.tap, choice.touches)
        self.texts.append(text)


def bots_orders(asked: OrderPageInput) -> list[Any]:
    bot = next(iter(asked.game.bots.values()))
    dice = LabelledDice(SealedDice(b"taps", "page", 1), f"{asked.seat}/")
    return [one.order for one in bot.orders(asked.view, asked.dues[0], dice)]


def ordered(asked: OrderPageInput, texts: list[str]):
    """Do what a player does for these orders, line by line, with moves before supports of them."""
    write = asked.game.notation.write
    choices = {write(one.order): one for one in list_choices(asked)}
    assert set(texts) <= set(choices)

    def steps(page: Page) -> tuple[int, str]:
        finger = Finger()
        for text in texts:
            finger.order(page, choices[text], text)
        finger.taps += 1  # the one that sends, in the bar that is always in reach
        return finger.taps, str(page.locator("#go").get_attribute("href"))

    return steps


def taps(chromium, folder, asked: OrderPageInput, texts: list[str]) -> int:
    """Return how many taps that takes; and check that the email says exactly that."""
    page = render_order_page(asked, "kit", EMAIL, asked.rest)
    assert page is not None
    (place := folder / "orders.html").write_bytes(page)
    counted, link = chromium.visit(place, ordered(asked, texts), width=PHONE).found
    assert sorted(parse_qs(urlsplit(link).query)["body"][0].split("\r\n")) == sorted(texts)
    return counted


FRANCE = ["A BEL - RUH", "A BRE - PIC", "A BUR - PAR", "A GAS S A BUR - PAR", "F TUN - ION", "F YOR - EDI"]


def test_six_units_of_france_need_at_most_ten_taps(chromium, tmp_path):
    """They needed 14: two for a move, three for a support, one to send."""
    asked = page_when(
        Seat("France"), 1910, lambda state: [one.power for one in state.units].count("France") == 6
    )
    assert taps(chromium, tmp_path, asked, FRANCE) <= 10


def settlers(number: int) -> OrderPageInput:
    """The Settlers' phase of a turn of Plains Indian Wars."""
    setting = SETTINGS["plains 1"]
    for state in games_of_bots(setting, 0):
        for due in setting.game.rules.due(state):
            if (due.seat, state.disc, state.turn) == ("US", "Brown", number):
                return asked_in(setting, state, due)
    raise AssertionError(number)


SETTLERS = [
    "play Mormon Exodus",
    "play Pony Express in N4",
    "place 4 Brown STL",
    "move 4 Brown STL - N5",
    "move 1 Blue 2 Brown N4 - N3",
    "move 1 Brown N4 - N9",
]


def test_a_settlers_phase_of_six_orders_needs_at_most_fifteen_taps(chromium, tmp_path):
    """Two cards, cubes placed, three groups, one of two colours: it needed 19."""
    assert taps(chromium, tmp_path, settlers(2), SETTLERS) <= 15


MOST_TAPS_AN_ORDER = {
    "standard": 3,
    "indianomacy": 3,
    "chaos": 3,
    "plains 1": 4,
    "plains 2.3": 4,
    "war chest": 4,
    "great war": 5,
    "boer war": 4,
}


@pytest.mark.parametrize("name", MOST_TAPS_AN_ORDER)
def test_a_bots_first_orders_need_few_taps(chromium, tmp_path, name):
    """In each game: the orders of the first position that asks for some."""
    setting = SETTINGS[name]
    options = {one.name: one.default for one in setting.game.about.options}
    seats = setting.game.about.seats({**options, **setting.options})
    for state in games_of_bots(setting, 0):
        due = next((due for due in setting.game.rules.due(state) if due.seat in seats), None)
        if due is None:
            continue
        asked = asked_in(setting, state, due)
        known = {asked.game.notation.write(one.order) for one in list_choices(asked)}
        texts = [asked.game.notation.write(order) for order in bots_orders(asked)]
        if texts and set(texts) <= known:
            assert taps(chromium, tmp_path, asked, texts) <= MOST_TAPS_AN_ORDER[name] * len(texts) + 1
            return
    raise AssertionError(name)
