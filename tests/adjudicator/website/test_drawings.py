"""The maps of one page: repeated parts are written once, and each map equals the email's."""

import re
from itertools import islice, pairwise

import pytest

import games
from adjudicator.reports.maps import svg
from adjudicator.tournament.match import ask_bots
from adjudicator.website.maps import combine_maps, plate_of
from games.dice import SealedDice
from games.options import settle
from tests.kit.kinds import KINDS

USE = re.compile(r'<use href="#(e\d+)"/>')
STOCK = re.compile(r'<g id="(e\d+)">')


def maps(kind):
    """The maps of a game of bots, turn after turn."""
    game = games.kinds()[kind]
    state = game.rules.setup(settle(game.about.options, {}), SealedDice(b"s", "x", 0)).state
    for turn in range(1, 20):
        dice = SealedDice(b"s", "x", turn)
        outcome = game.rules.adjudicate(state, ask_bots(game, state, dice), dice)
        state = outcome.state
        open_to_all = [event for event in outcome.events if event.seen_by is None]
        yield svg(game, game.rules.view(state, None), open_to_all, f"Turn {turn}")
        if game.rules.result(state):
            return


def together(maps):
    """Maps in one page."""
    return combine_maps([plate_of(one) for one in maps])


def stock_of(drawn):
    """Return the shared shapes, by name."""
    ends = [found.start() for found in STOCK.finditer(drawn.stock)] + [len(drawn.stock)]
    parts = [drawn.stock[start:end] for start, end in pairwise(ends)]
    return {STOCK.match(part)[1]: STOCK.sub("", part, count=1).removesuffix("</g>") for part in parts}


def whole(inside, stock):
    """A map with everything written out that it names."""
    while USE.search(inside):
        inside = USE.sub(lambda found: stock[found[1]], inside)
    return inside


def shapes(markup):
    """Return the visible elements of a drawing, in order, without names, groups and blanks."""
    bare = re.sub(r"<!--.*?-->", "", markup)
    bare = re.sub(r"<style>.*?</style>|<title>.*?</title>", "", bare, flags=re.DOTALL)
    bare = re.sub(r' (data-box|data-y|style|class|id)="[^"]*"', "", bare).replace("#b-", "#")
    bare = re.sub(r">\s+<", "><", bare)
    inside = re.sub(r"^.*?<svg[^>]*>|</svg>\s*$", "", bare, flags=re.DOTALL)
    return re.sub(r"</?g>", "", inside).strip()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_map_shows_what_the_mails_map_shows(kind):
    """Each kind of game: the page's map, written out, is the mail's, element by element."""
    before = list(islice(maps(kind), 3))
    drawn = together(before)
    stock = stock_of(drawn)
    for one, laid in zip(before, drawn.maps, strict=True):
        assert shapes(f"<svg>{whole(laid, stock)}</svg>") == shapes(one)


def test_what_all_maps_show_is_written_once():
    """A ground of a hundred letters, in three maps with a piece each."""
    ground = f'<path d="{"M0 0" * 20}"/>'
    head = '<svg viewBox="0 0 10 10"><title>T</title><style>.x { fill: red; }</style>'
    pieces = [f'<circle class="x" r="{size}" style="fill:#123456" cx="{"1" * 40}"/>' for size in (1, 2, 2)]
    drawn = together([f"{head}{ground}{piece}</svg>" for piece in pieces])
    assert (drawn.stock + "".join(drawn.maps)).count(ground) == 1
    assert drawn.maps[0] == f'<use href="#e0"/><circle class="b-x" r="1" data-y="0" cx="{"1" * 40}"/>'
    assert drawn.maps[1] == drawn.maps[2] == '<use href="#e0"/><use href="#e1"/>'
    assert drawn.style == '.b-x{fill: red;}\n[data-y="0"][data-y]{fill:#123456}'
    assert drawn.views == ("0 0 10 10",) * 3


def test_a_map_brings_no_name_of_its_own_into_the_page():
    """Shapes, what uses them and patterns are named apart; nothing says by itself what it looks like."""
    for kind in ("standard", "plains-indian-wars"):
        drawn = together(list(islice(maps(kind), 2)))
        markup = drawn.stock + "".join(drawn.maps)
        assert not re.search(r'\sid="(?!b-|e\d)', markup)
        assert not re.search(r'href="#(?!b-|e\d)|url\(#(?!b-)', markup)
        assert " style=" not in markup
        assert "<style" not in markup
        assert "data-box" not in markup
