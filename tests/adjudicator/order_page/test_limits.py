"""Limits that orders share: the page counts what is left, stops at it, and misses few conflicts.

Sets of orders are chosen at random and given to the page as orders that the device kept. The page marks those
that don't fit together; `concerns` says which parts the rules would leave out.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from adjudicator.order_page import OrderChoice, OrderEmail, OrderPageInput, list_choices, render_order_page
from tests.adjudicator.order_page.decisions import SETTINGS, asked_in, games_of_bots, prepared
from tests.adjudicator.order_page.hands import by_touch, head_of, put_together

EMAIL = OrderEmail(to="gm+kit.token@example.org", subject="Orders [kit #1]", service="gm@example.org")
SETS, EVERY, LAST = 12, 7, 42
"""The number of sets for each position, and the positions of a bots' game that are tried."""
MOST_MISSED = 0.05
CLASHES = {
    "plains 1": 20,
    "plains 2.4": 20,
    "great war": 0,
    "boer war": 3,
    "standard": 0,
    "indianomacy": 0,
    "war chest": 0,
}
"""The games, with the least number of clashes among the sets. In some games orders can hardly clash."""
MARKED = """sets => {
  const {keep, filed, limits} = JSON.parse(document.getElementById('choices').textContent);
  const key = `turnpost-orders:${JSON.stringify(keep.scope)}:${keep.turn}`;
  return sets.map(orders => {
    localStorage.setItem(key, JSON.stringify({...keep, filed, orders}));
    window.dispatchEvent(new StorageEvent('storage', {key}));
    const marks = [...document.querySelectorAll('#marks li')].map(one => one.textContent);
    const over = [...new Set(limits.map(limit => limit[2]))].filter(text => marks.includes(text));
    return [document.getElementById('letter').textContent.split('\\n'), over];
  });
}"""
"""Keeps each set as another tab of the page would, and returns the letter and the exceeded limits."""


def positions(name: str) -> Iterator[OrderPageInput]:
    setting = SETTINGS[name]
    options = {one.name: one.default for one in setting.game.about.options}
    seats = setting.game.about.seats({**options, **setting.options})
    for number, state in enumerate(games_of_bots(setting, 0)):
        if number == LAST:
            return
        due = next((due for due in setting.game.rules.due(state) if due.seat in seats), None)
        if number % EVERY == 0 and due is not None:
            yield asked_in(setting, state, due)


def random_set(asked: OrderPageInput, choices: tuple[OrderChoice, ...], dice: random.Random) -> list[str]:
    """One order for up to six things, and an order for each thing that needs one, as the page would hold."""
    by_thing: dict[str, list[OrderChoice]] = {}
    for choice in choices:
        by_thing.setdefault(choice.touches.thing, []).append(choice)
    owed = [owed.slot for due in asked.dues for owed in due.owes]
    needed = [[one for one in choices if one.order.slot == slot] for slot in owed[:2]]
    things = dice.sample(list(by_thing.values()), min(len(by_thing), dice.randint(1, 6)))
    takes = next(due.takes for due in asked.dues)
    chosen: dict[object, OrderChoice] = {}
    for some in (*things, *filter(None, needed)):
        choice = dice.choice(some)
        slot = choice.order.slot
        chosen.setdefault(slot if slot is not None else takes == 1 or choice, choice)
    return [asked.game.notation.write(choice.order) for choice in chosen.values()]


@pytest.mark.parametrize("name", CLASHES)
def test_the_page_misses_few_clashes_and_invents_none(chromium, tmp_path, name):
    dice, clashes, missed, invented = random.Random(name), 0, [], []
    for asked in positions(name):
        choices = list_choices(asked)
        page = render_order_page(asked, "kit", EMAIL, asked.rest)
        if page is None:
            continue
        write, concerns = asked.game.notation.write, asked.game.rules.concerns
        order_of = {write(choice.order): choice.order for choice in choices}
        sets = [random_set(asked, choices, dice) for _ in range(SETS)]
        for texts, marked in zip(sets, marks_of(chromium, tmp_path, page, sets), strict=True):
            orders = [order_of[text] for text in texts]
            dropped = [one.code for one in concerns(asked.view, asked.seat, orders) if one.drops]
            clashes += bool(dropped)
            if dropped and not marked:
                missed.append((texts, dropped))
            if marked and not dropped:
                invented.append((texts, marked))
    assert clashes >= CLASHES[name]
    assert len(missed) <= MOST_MISSED * clashes, missed
    assert invented == []


def marks_of(chromium, folder: Path, page: bytes, sets: list[list[str]]) -> list[list[str]]:
    """Return for each set of orders the limits that the page says are exceeded."""
    (place := folder / "orders.html").write_bytes(page)

    found = chromium.visit(place, lambda opened: opened.evaluate(MARKED, sets)).found
    assert [sorted(letter) for letter, _ in found] == [sorted(texts) for texts in sets]
    return [over for _, over in found]


def settlers(tmp_path: Path) -> tuple[OrderPageInput, Path]:
    """The page of a Settlers' phase of the Plains."""
    (one,) = prepared("plains 1", frozenset({("US Brown", "PlayAction")}))
    page = render_order_page(one.asked, "kit", EMAIL, one.asked.rest)
    assert page is not None
    (place := tmp_path / "orders.html").write_bytes(page)
    return one.asked, place


def read_counts_left(page) -> dict[str, tuple[int, int]]:
    """Return what the bar says is left: the amounts by name."""
    said = page.locator("#count").inner_text().split("Left: ")[1].split(", ")
    parts = (one.rsplit(" ", 3) for one in said)
    return {name: (int(some), int(most)) for name, some, _, most in parts}


def test_what_is_left_is_counted_and_no_more_can_be_taken(chromium, tmp_path):
    """A card says how many cubes come. When all are placed, the page takes no more, and says why."""
    asked, place = settlers(tmp_path)
    choices = list_choices(asked)
    card = next(one for one in choices if type(one.order).__name__ == "PlayAction")
    cubes = asked.game.rules.order_limits(asked.view, asked.seat, [card.order])
    most = next(use.count for use in cubes.uses[0] if use.limit == "cubes Brown")
    places = [one for one in choices if type(one.order).__name__ == "Place"]
    all_at_once = next(one for one in places if one.order.count == most and one.order.at == "STL")
    other = next(one for one in places if one.order.count == 1 and one.order.at == "SAC")

    def steps(page):
        put_together(page, by_touch, card.touches)
        before = read_counts_left(page)["cubes"]
        put_together(page, by_touch, all_at_once.touches)
        after = read_counts_left(page)["cubes"]
        head_of(page, other.touches.thing).tap()
        button = page.locator(f'.choices [data-step$="{other.touches.steps[-1].said}"]')
        barred = button.get_attribute("aria-disabled")
        button.tap(force=True)
        return before, after, barred, page.locator("#say").inner_text(), page.locator("#letter").inner_text()

    before, after, barred, said, letter = chromium.visit(place, steps, width=375).found
    assert (before, after) == ((most, most), (0, most))
    assert barred == "true"
    assert said == "No card in your hand, or not the card that you chose, brings so many cubes."
    assert len(letter.split("\n")) == 2
