"""From the page to the service: orders by touch and keyboard are all accepted, in every game."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import games
from adjudicator.admin import game_admin
from adjudicator.messages import sentence
from tests.adjudicator.order_page.seated import Seat, accepted_subject, pages_in
from tests.kit.service_harness import LocalService, text_of


def chosen(page, at: int, pick: int) -> None:
    """Choose for a thing: by touch, always the option of one number, or the last."""
    head = page.locator(f'[data-thing="{at}"]')
    if head.get_attribute("aria-expanded") == "false":
        head.tap()
    while head.get_attribute("aria-expanded") == "true":
        options = page.locator(".choices button:not(.aside):not([aria-disabled])")
        options.nth(min(pick, options.count() - 1)).tap()


def each_by_touch(page) -> list[str]:
    """Letters of one order each: of some things one, in each another option; of one thing alone several."""
    links = []
    count = page.locator(".thing").count()
    for number in range(MOST):
        chosen(page, number * max(1, count // MOST) % count, number)
        links.append(page.locator("#send").get_attribute("href"))
        page.locator("#clear").tap()
    return links


MOST = 5
KINDS = [("plains-indian-wars", 3), ("war-chest", 6), ("great-war", 4), ("boer-war", 2)]


@pytest.mark.parametrize(("kind", "times"), KINDS)
def test_a_solo_game_is_ordered_by_touch(place, tmp_path, chromium, kind, times):
    """Coins, cards, cubes and leaders as buttons: each email is accepted whole, and the last one runs the
    turn.
    """
    seat, texts = Seat(place, kind, tmp_path), set()
    for _ in range(times):
        visit = chromium.visit(seat.page(), each_by_touch, width=375)
        assert (visit.asked, visit.said) == ((), ())
        for link in visit.found:
            read = seat.reads(link)
            assert len(read["orders"]) == 1, (read, link)
            row = read["orders"][0]
            assert (row["grade"], row["problem"]) == ("taken", None), (read, link)
            texts.add(row["read_as"])
        assert seat.is_accepted(visit.found[-1])
        game_admin.play_now(place.service, "alone")
        place.work()
    assert len(texts) > times


def all_by_touch(page) -> tuple[str, str]:
    """For each unit what its number says; then the letter, and what is marked in it."""
    for at in range(page.locator(".thing").count()):
        chosen(page, at, 0 if at % 2 else 1)
    page.locator("#fill").is_enabled()
    return page.locator("#send").get_attribute("href"), page.locator("#marks").inner_text()


def by_keyboard(page) -> tuple[str, str]:
    """Tab to the first unit, open it, tab to its second choice; the rest hold."""
    while not page.evaluate("document.activeElement.dataset.thing"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    name = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    while page.evaluate("document.activeElement.id") != "fill":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    return page.locator("#send").get_attribute("href"), name


IN_A_ROW = 2
"""Retreats and adjustments of others: so often nothing is asked of somebody who still plays."""
FEWEST = {"standard": 12, "indianomacy": 12, "chaos": 2}
"""So many phases are ordered at least, in which the page's first choices keep one alive."""


def by_touch(place: LocalService, folder: Path, browser: Any, kind: str, phases: int) -> list[str]:
    """Play so many phases, or all until a seat is out, each ordered on its page; return the phases with a
    decision.

    An email with all orders runs the turn at once, because everybody else is a bot. A seat that is out has no
    decisions, so bots would play centuries.
    """
    seat, asked, passed = Seat(place, kind, folder), [], 0
    for _ in range(phases):
        before = game_admin.position_of(place.service, "alone")
        if not before.is_running or passed == IN_A_ROW:
            break
        passed += 1
        if pages := pages_in(seat.says("SHEET")):
            (folder / "orders.html").write_bytes(pages[0])
            visit = browser.visit(folder / "orders.html", all_by_touch, width=375)
            assert (visit.asked, visit.said) == ((), ())
            link, _ = visit.found
            answer = seat.sends(link)
            asked.append(games.kinds()[kind].rules.turn(before.state).short)
            passed = 0
            counted = link.count("%0D%0A") + 1
            assert accepted_subject(counted) in str(answer["Subject"]), text_of(answer)
        if game_admin.position_of(place.service, "alone").entries == before.entries:
            game_admin.play_now(place.service, "alone")
            place.work()
    return asked


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_a_season_is_ordered_by_touch(place, tmp_path, chromium, kind):
    assert len(by_touch(place, tmp_path, chromium, kind, 1)) == 1


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_years_are_ordered_by_touch(place, tmp_path, chromium, kind):
    """Moves, and what else comes; that each phase can be ordered, test_decisions shows."""
    asked = by_touch(place, tmp_path, chromium, kind, 40)
    assert len(asked) > FEWEST[kind]
    assert "M" in {one[-1] for one in asked}


def test_by_keyboard_alone(place, tmp_path, chromium):
    seat = Seat(place, "standard", tmp_path)
    link, name = chromium.visit(seat.page(), by_keyboard).found
    answer = seat.sends(link)
    assert accepted_subject(3) in str(answer["Subject"])
    assert name.startswith("Hold")
    assert len(parse_qs(urlsplit(link).query)["body"][0].splitlines()) == 3


def test_letters_sheet_brings_the_page_with_each_report(place, tmp_path):
    """As long as the setting lasts, with the address of the coming turn."""
    seat = Seat(place, "standard", tmp_path)
    without, with_page = (sentence("inbound.letters.sheets", sheets=way) for way in ("lines", "page"))
    assert without in " ".join(text_of(seat.says("LETTERS")).split())
    assert with_page in " ".join(text_of(seat.says("LETTERS SHEET")).split())
    game_admin.play_now(place.service, "alone")
    place.work()
    report = place.mail(seat.address)[-1]
    (page,) = pages_in(report)
    assert str(report["Reply-To"]).strip("<>") in page.decode()
    name = next(
        one.get_filename() for one in report.walk() if (one.get_filename() or "").endswith("orders.html")
    )
    assert sentence("reports.report.order_file", file=name) in " ".join(text_of(report).split())
    seat.says("LETTERS SHEET OFF")
    game_admin.play_now(place.service, "alone")
    place.work()
    assert pages_in(place.mail(seat.address)[-1]) == []
