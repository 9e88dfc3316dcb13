"""From the page to the service: what touch and keyboard choose is taken whole, in every game."""

from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

import games
from adjudicator.clerk.dry_run import dry_run
from adjudicator.gamesmaster import conduct
from adjudicator.secretary import writing
from tests.adjudicator.order_page.parties import WHO
from tests.kit.dry_runs import HEAD
from tests.kit.town import HOUR, Town, text_of, town

SECRET = b"thirty-two bytes, sealed for us."
OPTIONS = {"boer-war": {"mode": "both"}}


class Seat:
    """One person's seat in a game against bots."""

    def __init__(self, place: Town, kind: str, folder: Path) -> None:
        self.place, self.folder = place, folder
        self.seat = "player" if kind == "boer-war" else WHO[kind]
        self.address = f"{self.seat.lower()}@example.org"
        request = conduct.GameRequest(kind, "alone", OPTIONS.get(kind, {}))
        conduct.new_game(place.house, request, secret=SECRET)
        conduct.assign(place.house, "alone", self.seat, self.address)
        place.work()

    def page(self) -> Path:
        """The page that SHEET brings, as a file."""
        (page,) = pages_in(self.says("SHEET"))
        file = self.folder / "orders.html"
        file.write_bytes(page)
        return file

    def says(self, text: str) -> EmailMessage:
        """A letter in answer to the newest of ours, and the answer to it."""
        self.place.clock.forward(HOUR)
        self.place.answer(self.address, self.place.mail(self.address)[-1], text)
        return self.answered()

    def sends(self, link: str) -> EmailMessage:
        """What a mail program makes of a link, sent; and the answer to it."""
        parts = urlsplit(link)
        assert parts.scheme == "mailto"
        said = parse_qs(parts.query)
        self.place.clock.forward(HOUR)
        self.place.write(self.address, unquote(parts.path), said["body"][0], said["subject"][0])
        return self.answered()

    def reads(self, link: str) -> dict[str, Any]:
        """What `gm mail read` says to the letter that a link opens."""
        position = conduct.position_of(self.place.house, "alone")
        raw = HEAD.format(subject="Orders") + parse_qs(urlsplit(link).query)["body"][0]
        return dry_run(raw.encode(), position, games.kinds()[position.kind], self.seat)

    def answered(self) -> EmailMessage:
        self.place.work()
        letters = self.place.mail(self.address)
        return [one for one in letters if str(one["Subject"]).startswith("Re:")][-1]


def pages_in(letter: EmailMessage) -> list[bytes]:
    """The pages that lie in a letter as files."""
    files = [one for one in letter.iter_attachments() if str(one.get_filename()).endswith(".html")]
    return [one.get_payload(decode=True) for one in files]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A town whose letters come without maps, which would take more time than all else."""
    monkeypatch.setattr(writing, "svg", lambda *told: None)
    with town(tmp_path / "town") as opened:
        yield opened


def chosen(page, at: int, pick: int) -> None:
    """Choose for a thing: by touch, always the option of one number, or the last."""
    head = page.locator(f'[data-thing="{at}"]')
    head.tap()
    while head.get_attribute("aria-expanded") == "true":
        options = page.locator(".choices button:not(.aside)")
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
    """Coins, cards, cubes and leaders as buttons: each letter is taken whole, the last one is played."""
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
        subject = str(seat.sends(visit.found[-1])["Subject"])
        assert "1 ok" in subject
        assert "problem" not in subject
        conduct.play_now(place.house, "alone")
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


def by_touch(place: Town, folder: Path, browser: Any, kind: str, phases: int) -> int:
    """So many phases, each ordered on its page and taken whole; of how many one was asked."""
    seat, asked = Seat(place, kind, folder), 0
    for _ in range(phases):
        answer = seat.says("SHEET")
        if pages := pages_in(answer):
            (folder / "orders.html").write_bytes(pages[0])
            visit = browser.visit(folder / "orders.html", all_by_touch, width=375)
            assert (visit.asked, visit.said) == ((), ())
            link, _ = visit.found
            answer = seat.sends(link)
            asked += 1
            assert "problem" not in str(answer["Subject"]), text_of(answer)
            assert "ok" in str(answer["Subject"]), text_of(answer)
        conduct.play_now(place.house, "alone")
        place.work()
    return asked


@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_a_season_is_ordered_by_touch(place, tmp_path, chromium, kind):
    assert by_touch(place, tmp_path, chromium, kind, 1) == 1


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("kind", ["standard", "indianomacy", "chaos"])
def test_years_are_ordered_by_touch(place, tmp_path, chromium, kind):
    """Retreats, builds and removals with them."""
    assert by_touch(place, tmp_path, chromium, kind, 30) > 12


def test_by_keyboard_alone(place, tmp_path, chromium):
    seat = Seat(place, "standard", tmp_path)
    link, name = chromium.visit(seat.page(), by_keyboard).found
    answer = seat.sends(link)
    assert "3 ok" in str(answer["Subject"])
    assert name.startswith("Hold")
    assert len(parse_qs(urlsplit(link).query)["body"][0].splitlines()) == 3


def test_letters_sheet_brings_the_page_with_each_report(place, tmp_path):
    """As long as it is wanted, with the address of the turn to come."""
    seat = Seat(place, "standard", tmp_path)
    assert "LETTERS SHEET brings an order sheet to touch" in " ".join(text_of(seat.says("LETTERS")).split())
    assert "LETTERS SHEET OFF leaves it out" in " ".join(text_of(seat.says("LETTERS SHEET")).split())
    conduct.play_now(place.house, "alone")
    place.work()
    report = place.mail(seat.address)[-1]
    (page,) = pages_in(report)
    assert str(report["Reply-To"]).strip("<>") in page.decode()
    assert "open it in a browser" in " ".join(text_of(report).split())
    seat.says("LETTERS SHEET OFF")
    conduct.play_now(place.house, "alone")
    place.work()
    assert pages_in(place.mail(seat.address)[-1]) == []
