"""Each kind of order page on a phone: its size, speed, requests and accessibility.

A kind of page is a phase of a game and a kind of seat, as in the table of decisions.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from adjudicator.order_page import OrderEmail, render_order_page
from tests.adjudicator.order_page.decisions import SETTINGS, Prepared, prepared
from tests.adjudicator.order_page.hands import by_keys, head_of, put_together
from tests.kit import axe

MOST_BYTES = 400_000
MOST_CPU = 0.3
"""Seconds of processor time of all threads that show the page: reading, scripts, laying out, drawing."""
NARROW = 375
TO = OrderEmail(to="gm+kit.token@example.org", subject="Orders [kit #1]")
SMALL = """() => [...document.querySelectorAll('button, .button, textarea, input')]
  .filter(one => one.getClientRects().length)
  .map(one => [one.textContent || one.id, one.getBoundingClientRect()])
  .filter(([, box]) => box.height < 44 || box.width < 44).map(([name]) => name)"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
NAMELESS = """() => [...document.querySelectorAll('button, a[href]')]
  .filter(one => one.getClientRects().length)
  .filter(one => !(one.getAttribute('aria-label') || one.textContent).trim()).length"""


def measure_opening(page) -> float:
    """Return the cost of opening the page again: processor time of its process in seconds, the least of
    three.

    The browser's own counts by task start again with each page, so only the process's time is useful.
    """
    asking = page.context.new_cdp_session(page)
    asking.send("Performance.enable")
    costs = []
    for _ in range(3):
        before = _spent(asking)
        page.reload()
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        costs.append(_spent(asking) - before)
    asking.detach()
    return min(costs)


def _spent(asking: Any) -> float:
    found = {one["name"]: one["value"] for one in asking.send("Performance.getMetrics")["metrics"]}
    return float(found["ProcessTime"])


def used(one: Prepared):
    """Use the page without a mouse, and check it meanwhile."""

    def steps(page):
        cost = measure_opening(page)
        offer = next(iter(one.chosen.values()))
        put_together(page, by_keys, offer.touches)
        letter = page.locator("#letter").inner_text()
        by_keys(page, head_of(page, offer.touches.thing))
        found = (page.evaluate(SMALL), page.evaluate(WIDER), page.evaluate(NAMELESS))
        faults = axe.findings(page, (axe.CONTRAST,))
        return cost, letter, found, faults

    return steps


def made_of(name: str) -> dict[str, tuple[Prepared, bytes]]:
    """For each phase of a setting a position of it, and its page."""
    found: dict[str, tuple[Prepared, bytes]] = {}
    for one in prepared(name, SETTINGS[name].kinds):
        if fresh := {phase for phase, _ in one.chosen} - found.keys():
            made = render_order_page(one.asked, "kit", TO, one.asked.rest)
            assert made is not None
            found |= dict.fromkeys(fresh, (one, made))
    return found


SHORT = ["standard", "indianomacy", "plains 1", "war chest", "great war", "boer war"]


def looked_over(chromium, folder: Path, name: str, pages: Mapping[str, tuple[Prepared, bytes]]) -> None:
    """Open each page, and put an order together there by keyboard alone."""
    write = SETTINGS[name].game.notation.write
    for phase, (one, made) in pages.items():
        assert len(made) < MOST_BYTES, phase
        (place := folder / "orders.html").write_bytes(made)
        visit = chromium.visit(place, used(one), width=NARROW)
        cost, letter, (small, wider, nameless), faults = visit.found
        assert set(visit.asked) == {place.resolve().as_uri()}, "itself, opened again, and nothing else"
        assert visit.said == (), "no word of a policy that was broken, nor of a script"
        assert letter == write(next(iter(one.chosen.values())).order), phase
        assert (small, wider, nameless) == ([], 0, 0), phase
        assert faults == (), phase
        assert 0 < cost < MOST_CPU, phase


@pytest.mark.parametrize("name", SHORT)
def test_the_heaviest_page_of_a_game_is_light_quick_silent_and_open_to_all(chromium, tmp_path, name):
    pages = made_of(name)
    heaviest = max(pages, key=lambda phase: len(pages[phase][1]))
    looked_over(chromium, tmp_path, name, {heaviest: pages[heaviest]})


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", SETTINGS)
def test_each_kind_of_page_is_light_quick_silent_and_open_to_all(chromium, tmp_path, name):
    pages = made_of(name)
    assert pages.keys() == SETTINGS[name].sorts.keys()
    looked_over(chromium, tmp_path, name, pages)


def test_what_opening_costs_would_be_seen(chromium, tmp_path):
    """A page that reckons for long when it is opened is above the bound: so the bound says something."""
    (place := tmp_path / "slow.html").write_text(
        "<!DOCTYPE html><title>slow</title><p id='sum'></p><script>let sum = 0;"
        "for (let one = 0; one < 4e7; one++) sum += Math.sin(one);"
        "document.getElementById('sum').textContent = sum;</script>"
    )
    assert chromium.visit(place, measure_opening, width=NARROW).found > MOST_CPU
