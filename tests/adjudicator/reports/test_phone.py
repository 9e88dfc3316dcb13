"""Reports on a phone: what its first two screens hold, and how high the default form is."""

from base64 import b64encode
from itertools import islice

import pytest

from adjudicator.messages import sentence
from adjudicator.reports.phone import MAX_HEIGHT_PX
from tests.kit.game_emails import letters_of_turns

KINDS = (
    "boer-war",
    "chaos",
    "fleet-rome",
    "great-war",
    "indianomacy",
    "plains-indian-wars",
    "standard",
    "war-chest",
)
WIDTH, SCREEN = 375, 667
TURNS = 9
LONG_PRESS_PX = 120
"""A piece of press begins on the first two screens, and may end below them."""
SHEET = "https://example.org/games/kit/orders-seat.html"

# The places of what a reader looks for first, and of the line below it, from the top of the page.
_PLACES = """() => {
  const bottom = element => element ? element.getBoundingClientRect().bottom : null;
  const one = name => document.querySelector(name);
  const tap = one('.tap');
  return {
    height: document.documentElement.scrollHeight,
    headline: bottom(one('h1')), due: bottom(one('.box')), button: bottom(tap),
    finger: tap ? tap.getBoundingClientRect().height : 0,
    choices: [...document.querySelectorAll('.choices')].map(bottom),
    picture: bottom(one('img')), press: [...document.querySelectorAll('.press')].map(bottom),
    rule: bottom(one('.rule')),
    headings: [...document.querySelectorAll('h2:not(.near)')].map(bottom),
  };
}"""


@pytest.fixture(scope="module")
def turns():
    """The first deadlines of a game, by kind."""
    return {kind: list(islice(letters_of_turns(kind), TURNS)) for kind in KINDS}


@pytest.fixture
def places(chromium, tmp_path):
    """Return where things are in a report on a phone, with its pictures."""

    def measure(letter):
        page = letter.html
        for name, picture in (("front", letter.front), ("map", letter.picture)):
            page = page.replace(f"cid:{name}", f"data:image/png;base64,{b64encode(picture or b'').decode()}")
        file = tmp_path / "report.html"
        file.write_text(page, encoding="utf-8")
        return chromium.visit(file, lambda window: window.evaluate(_PLACES), width=WIDTH).found

    return measure


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_has_at_most_seven_screens_and_the_first_two_hold_what_a_reader_looks_for(
    turns, places, kind
):
    """The headline, what is due, a button for a finger, the decisions and the hand, the front, the press."""
    for turn in turns[kind][::4]:
        found = places(turn.report(sheet_page=SHEET))
        assert found["height"] <= MAX_HEIGHT_PX
        first = [found[name] for name in ("headline", "due", "button", "picture")]
        assert max(*first, *found["choices"]) <= 2 * SCREEN, found
        assert found["press"][0] <= 2 * SCREEN + LONG_PRESS_PX, found
        assert found["finger"] >= 44
        assert found["rule"] > max(*first, *found["press"])
        assert min(found["headings"]) > found["rule"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_default_form_leaves_out_nothing_that_its_text_or_a_command_does_not_bring(turns, kind):
    """The text has the bots' reasons and every table; the page says which commands bring them."""
    turn = turns[kind][-1]
    default, whole = turn.report(), turn.report(whole=True)
    shown, _, _ = default.html.partition('<p class="soft last"')
    assert len(shown) <= len(whole.html)
    short = list(dict.fromkeys(step.turn.short for step in turn.played.steps))
    assert " ".join(f"HISTORY {' or '.join(short)}".split()) in " ".join(default.html.split())
    assert "HISTORY" not in whole.html
    bots = f"{sentence('reports.report.bots')}</h2>"
    assert (bots in whole.html, bots in default.html) == ("BOTS\n---" in whole.text, False)
    missing = set(whole.text.splitlines()) - set(default.text.splitlines())
    proof = sentence("reports.report.sealed", told=False, begun=True)
    assert all(row in proof or row.startswith(("  ", "-", "DICE")) or not row for row in missing), missing
