"""Emails and maps in a browser: on phones and desktops, light and dark, in every font."""

import re
from itertools import combinations, islice
from pathlib import Path

import pytest

from adjudicator.reports import messages
from tests.kit import servers
from tests.kit.browser import DESK, FAMILIES, PHONE, WIDTHS, use_fonts
from tests.kit.game_emails import letters_of_turns

KINDS = ("indianomacy", "standard", "war-chest", "plains-indian-wars", "great-war", "boer-war")
REVIEWED = sorted((Path(__file__).parents[2] / "golden" / "reports").glob("*.html"))
TURNS = 5
"""So many deadlines are played before a report is looked at."""

PIECES = ("letter", "figure", "letters", "count")
"""Classes of text that belongs to a piece, several of them to one."""


WRITTEN = (*KINDS, "chaos")
LETTERS = ("report", "welcome", "verdict", "reminder")


@pytest.fixture(scope="module")
def games_told():
    """The data of the fifth deadline's reports, by kind of game."""
    return {kind: list(islice(letters_of_turns(kind), TURNS))[-1] for kind in WRITTEN}


@pytest.fixture(scope="module")
def reports(games_told):
    """The email of the fifth deadline and its map as SVG, by kind of game."""
    return {kind: (games_told[kind].report(), games_told[kind].map[0]) for kind in KINDS}


@pytest.fixture(scope="module")
def fonts(chromium):
    """The browser, where all fonts are at hand in which letters are looked at."""
    yield from servers.running(lambda: use_fonts(chromium))


def fill_pictures(html):
    """A page with something in the place of its pictures, which go along with the letter."""
    drawing = "data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22/>"
    return re.sub('src="cid:(map|front|chart)"', f'src="{drawing}"', html)


def well(chromium, html, width, dark):
    """Look at a page and see whether all is well with it."""
    seen = chromium.look(fill_pictures(html), width, dark)
    assert seen.client in (width, width - 15), "the window is as wide as it was asked for"
    assert seen.scroll <= seen.client
    for text in seen.texts:
        assert text["contrast"] >= 4.5, text
        assert text["size"] >= 12, text
    assert seen.unnamed == 0
    assert seen.asked == ()
    assert (seen.ground < 0.1) is dark
    return seen


@pytest.mark.parametrize("letter", LETTERS)
@pytest.mark.parametrize("kind", WRITTEN)
def test_every_letter_fits_from_320_pixels_on_in_every_font(fonts, games_told, kind, letter):
    """Nothing is cut off, nothing scrolls sideways, and no word of a table is broken."""
    page = getattr(games_told[kind], letter)().html
    assert fonts.misfits(fill_pictures(page)) == {}


EACH_REVIEWED = pytest.mark.parametrize("page", REVIEWED, ids=lambda page: page.stem)


@EACH_REVIEWED
def test_every_letter_that_was_reviewed_fits_in_every_font(fonts, page):
    """In the narrowest window and in the widest; above, letters of these games are looked at in all."""
    assert fonts.misfits(fill_pictures(page.read_text(encoding="utf-8")), (WIDTHS[0], WIDTHS[-1])) == {}


@pytest.mark.soak
@EACH_REVIEWED
def test_every_letter_that_was_reviewed_fits_in_every_font_and_window(fonts, page):
    assert fonts.misfits(fill_pictures(page.read_text(encoding="utf-8"))) == {}


BY_DAY = ((320, False, "Noto"), (375, False, "Liberation"), (600, False, "DejaVu"), (DESK, False, "Noto"))
BY_NIGHT = tuple((width, True, family) for width, _, family in BY_DAY)
IN_TURN = (BY_NIGHT[0], BY_DAY[1], BY_NIGHT[2], BY_DAY[3])
EACH_KIND = ("orchard-notice", "orchard-reminder", "orchard-verdict", "digest-all", "indianomacy-welcome")
"""A letter of each kind; reports, of which every game has another, are looked at one by one."""


@EACH_REVIEWED
def test_axe_finds_nothing_in_any_letter_that_was_reviewed(fonts, page):
    """All of its rules: of each kind one letter by day and by night, of reports one by day, one by night."""
    light = BY_NIGHT if REVIEWED.index(page) % 2 else BY_DAY
    looks = IN_TURN if page.stem in EACH_KIND else (light[0], light[-1])
    assert fonts.looked_over(fill_pictures(page.read_text(encoding="utf-8")), looks) == {}


@pytest.mark.soak
@EACH_REVIEWED
def test_axe_finds_nothing_whatever_a_letter_is_read_on(fonts, page):
    """At four widths, in three families of fonts, by day and by night."""
    assert fonts.looked_over(fill_pictures(page.read_text(encoding="utf-8")), BY_DAY + BY_NIGHT) == {}


def test_axe_tells_what_is_wrong(fonts):
    """Pale letters, a picture without words, a page without name, language and heading; at every width."""
    page = "<body><main><p style='color: #cccccc'>pale</p><img src='data:,'></main>"
    found = fonts.looked_over(page, BY_DAY)
    assert set(found) == set(BY_DAY)
    wrong = {width: [fault.split(":")[0] for fault in faults] for (width, *_), faults in found.items()}
    assert wrong.pop(320)[0] == "color-contrast"
    always = ["document-title", "html-has-lang", "image-alt", "page-has-heading-one"]
    assert all(faults == always for faults in wrong.values())


def test_what_people_write_without_a_blank_fits_too(fonts, kit):
    """An address, a row of signs, a game and a seat whose names are as long as they may be."""
    reader = kit.reader(game="w" * 20, seat="W" * 40)
    said = ("https://example.org/" + "maps" * 50, "| " + "=" * 72, "WAIT " + "m" * 60)
    page = messages.notice(reader, messages.Heading("long", "M" * 60), said).html
    assert fonts.misfits(page) == {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_a_report_fits_its_window_and_can_be_read(chromium, reports, kind, width, dark):
    """No scrolling to the side; WCAG AA: a contrast of 4.5 to 1; nothing is fetched from anywhere."""
    assert len(well(chromium, reports[kind][0].html, width, dark).texts) > 50


@pytest.mark.parametrize("page", REVIEWED, ids=lambda page: page.stem)
def test_every_letter_that_was_reviewed_fits_and_can_be_read(chromium, page):
    """Verdicts, notices, reminders and welcomes too: on a phone by night, at a desk by day."""
    html = page.read_text(encoding="utf-8")
    for width, dark in ((PHONE, True), (DESK, False)):
        assert well(chromium, html, width, dark).texts


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_is_small(reports, kind):
    """Gmail clips pages beyond 100 KB, and some programs earlier."""
    letter, drawing = reports[kind]
    assert len(letter.html.encode()) < 60_000
    assert len(letter.picture) + len(letter.front or b"") < 200_000
    assert len(drawing.encode()) < 250_000
    assert max(len(row) for row in letter.text.split("\n")) <= 72


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_has_a_picture_with_words_and_no_address_but_its_own(reports, kind):
    page = reports[kind][0].html
    alts = re.findall(r'<img[^>]*alt="([^"]*)"', page)
    assert len(alts) == len(set(alts)) == (2 if reports[kind][0].front else 1)
    assert min(map(len, alts)) > 20
    assert re.findall(r"(?:src|href|url\()\s*=?\s*[\"']?(?!cid:)(https?:|//)", page) == []


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_labels_of_a_map_overlap(chromium, reports, kind):
    """By the boxes of the characters as drawn; lines of one name are close and may touch."""
    labels = [one for one in chromium.labels(reports[kind][1], 1200) if one["text"]]
    assert len(labels) > 20
    for one, other in combinations(labels, 2):
        if one["kind"] in PIECES and other["kind"] in PIECES:
            continue
        width = min(one["right"], other["right"]) - max(one["left"], other["left"])
        height = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
        least = min((box["right"] - box["left"]) * (box["bottom"] - box["top"]) for box in (one, other))
        # The boxes of single letters and numbers are much higher than these.
        most = 0.25 if {"number", "letter"} & {one["kind"], other["kind"]} else 0.2
        assert width <= 0 or height <= 0 or width * height < most * least, (one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_the_names_of_a_map_can_be_read_where_it_is_600_pixels_wide(chromium, reports, kind):
    labels = chromium.labels(reports[kind][1], 600)
    small = {*PIECES, "number", "step", "note"}
    names = [one for one in labels if one["text"] and not small & set(one["kind"].split())]
    assert len(names) > 15
    assert min(one["size"] for one in names) > 5.7
    if kind in ("standard", "indianomacy"):
        assert min(one["size"] for one in names if one["kind"] in ("name", "water", "shore")) > 8.9


def test_the_browser_tells_what_is_wrong(chromium):
    """It finds a page that is too wide, pale letters, tiny ones, a picture from elsewhere."""
    page = (
        "<body style='background: #ffffff'><div style='width: 900px'>x</div>"
        "<p style='color: #cccccc'>pale</p><p style='font-size: 9px'>tiny</p><img src='http://127.0.0.1:9/spy.png'></body>"
    )
    seen = chromium.look(page, PHONE, dark=False)
    assert seen.scroll > seen.client or seen.client > PHONE
    assert min(text["contrast"] for text in seen.texts) < 2
    assert min(text["size"] for text in seen.texts) == 9
    assert (seen.unnamed, seen.asked) == (1, ("http://127.0.0.1:9/spy.png",))
    drawing = "<svg viewBox='0 0 100 50'><text x='5' y='20'>Huron</text><text x='9' y='22'>Erie</text></svg>"
    one, other = chromium.labels(drawing, 1200)
    assert one["right"] > other["left"]
    assert one["bottom"] > other["top"]


NARROW = "<div style='width: 100px; {style}'>Constantinople, Bloemfontein and Winnipeg</div>"


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<div style='width: 2000px'>x</div>", "scrolls: the page"),
        (NARROW.format(style="overflow: hidden; white-space: nowrap"), "cut or scrolls: Constantinople"),
        (NARROW.format(style="overflow: auto; white-space: nowrap"), "cut or scrolls: Constantinople"),
        (NARROW.format(style="white-space: nowrap"), "is over its edge: Constantinople"),
        ("<p style='margin-left: -20px'>Beyond the left edge</p>", "is over its edge: Beyond"),
        ("<h2 style='width: 60px; overflow-wrap: anywhere'>Constantinople</h2>", "is torn: Constantinople"),
        ("<table class='grid'><tr><td><div style='width: 20px'>R-JK2</div></table>", "is torn: R-JK2"),
        ("<p style='font-family: fantasy !important'>Elsewhere</p>", "is set in fantasy: Elsewhere"),
    ],
)
def test_the_browser_tells_what_does_not_fit(fonts, body, fault):
    """At every width, in every font; and of each thing no more than that it is wrong with."""
    page = f"<!DOCTYPE html><meta name='viewport' content='width=device-width'><body>{body}"
    found = fonts.misfits(page)
    assert set(found) == {(width, family) for width in WIDTHS for family in FAMILIES}
    assert all(any(fault in one for one in faults) for faults in found.values())


def test_a_font_that_is_not_here_is_not_taken_for_another(chromium):
    """Its tests are left out then, and fail under CI: a browser says nothing of it."""
    nowhere = {"Nowhere": ("Nowhere Sans", "Nowhere Serif", "Nowhere Mono")}
    with (
        pytest.raises(servers.ServerMissingError, match="Nowhere Sans, Nowhere Serif"),
        use_fonts(chromium, nowhere),
    ):
        pass
