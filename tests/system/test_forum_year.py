"""A game-year of Indianomacy in the thread of a list, by eight posters, as its web forum shows it."""

import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from adjudicator.admin import deadlines, forums, game_admin
from adjudicator.storage import inbox
from adjudicator.turns.bots import GameBots
from games.dice import SealedDice
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.browser import Chromium, chromium
from tests.kit.hyperkitty import HyperKitty, hyperkitty
from tests.kit.mailing_list import LIST, ListGame, list_game
from tests.kit.servers import HANGING_SECONDS, running

pytestmark = pytest.mark.soak
SEATS = tuple(games.kinds()["indianomacy"].about.seats({}))


def home(seat: str) -> str:
    """Return the address from which the player of a seat posts."""
    return f"{seat.lower().replace(' ', '.')}@home.example.net"


@pytest.fixture
def browser() -> Iterator[Chromium]:
    """Somebody's browser."""
    yield from running(chromium)


@pytest.fixture
def forum() -> Iterator[HyperKitty]:
    """The web forum."""
    yield from running(hyperkitty)


@pytest.fixture
def table(forum: HyperKitty, tmp_path: Path) -> Iterator[ListGame]:
    """A table of eight, all persons."""
    yield from running(lambda: list_game(tmp_path, [home(seat) for seat in SEATS], forum.archiver))


def ask_forum(forum: HyperKitty, path: str) -> Any:
    """Ask the forum's interface and return its answer."""
    with urllib.request.urlopen(f"{forum.url}api/list/{LIST}/{path}?limit=500", timeout=300) as answer:
        return json.load(answer)


def post_orders(table: ListGame, number: int) -> None:
    """Post the bots' orders for everyone with due orders; some quote the post before."""
    service = table.service.service
    position = game_admin.position_of(service, "beaver")
    game = position.game
    bots, dice = GameBots(game, "beaver", position.secret), SealedDice(position.secret, "beaver", number)
    quoted = ""
    for due in game.rules.due(position.state):
        assignment = replace_fields(position.assignments[due.seat], bot="beginner")
        orders = [
            game.notation.write(one.order) for one in bots.orders(position.state, due, assignment, dice)
        ]
        text = "\n".join(orders) + "\n" + quoted
        table.post(home(due.seat), text)
        quoted = "\nOn some day somebody wrote:\n" + "".join(f"> {line}\n" for line in orders)


def looked_at(browser: Chromium, url: str, picture: Path) -> str:
    """Return the text of a page in Chromium once it is complete, and save a picture."""

    def look() -> str:
        page = browser.browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(url, wait_until="networkidle")
        page.screenshot(path=str(picture), full_page=True)
        return str(page.inner_text("body"))

    return browser.hands.submit(look).result()


def test_a_year_is_one_topic_of_the_forum(
    table: ListGame, forum: HyperKitty, browser: Chromium, tmp_path: Path
) -> None:
    service = table.service.service
    game_admin.new_game(service, game_admin.GameRequest("indianomacy", "beaver"))
    for seat in SEATS:
        game_admin.assign(service, "beaver", seat, f"{seat.lower().replace(' ', '.')}@example.org")
    deadlines.set_terms(service, "beaver", {"forum": LIST, "orders": "open"}, "all in the open")
    table.sends(1)
    for seat in SEATS:
        table.post(home(seat), f"WORD {forums.forum_link(service, 'beaver').words[Seat(seat)]}")
    turns = 0
    while game_admin.position_of(service, "beaver").played < 6 and not _year_is_over(table):
        post_orders(table, turns)
        turns += 1
        table.sends(1)
    assert turns >= 2
    archive = table.archive()
    end = time.monotonic() + HANGING_SECONDS
    while len(threads := ask_forum(forum, "threads/")) != 1 or threads[0]["replies_count"] < len(archive) - 1:
        assert time.monotonic() < end, forum.log()[-3000:]
        time.sleep(0.2)
    assert threads[0]["replies_count"] == table.carried - 1, "one topic, each post once"
    assert threads[0]["subject"] == "[beaver] Indianomacy II"
    shown = looked_at(
        browser, f"{forum.url}list/{LIST}/thread/{threads[0]['thread_id']}/", tmp_path / "thread.png"
    )
    assert shown.count("Spring, year 1, moves") > 1
    assert "Autumn, year 1" in shown or "Fall, year 1" in shown
    for seat in SEATS:
        assert f"{seat.lower()}" in shown.lower()
    handled = inbox.list_letters(service.database, 1000)
    assert {one.disposition for one in handled} == {"read"}
    assert len(handled) == table.carried - table.ours


def _year_is_over(table: ListGame) -> bool:
    position = game_admin.position_of(table.service.service, "beaver")
    return "year 2" in position.game.rules.turn(position.state).name
