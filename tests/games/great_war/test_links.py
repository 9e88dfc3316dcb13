"""The chart of links, row by row: the hosts of each kind of Plus card."""

import pytest

from games.great_war.components import book, fits, link_rules
from games.great_war.model import AI, PLAYER
from tests.games.great_war.front import RULES, field, order, play, tried

HOSTS = {
    "reinforced_trenches": ("B-8D", "B-9D"),
    "fortifications": ("B-9D", "B-8D"),
    "russian_infantry": ("B-QC", "B-QS"),
    "any_infantry": ("B-10C", "B-10D"),
    "any_tanks": ("B-9H", "B-10D"),
    "any_land": ("B-2C", "B-10S"),
    "any_artillery": ("B-10D", "B-9H"),
    "k_artillery": ("B-KS", "B-10D"),
    "balloons": ("B-4C", "B-10S"),
    "high_seas_fleet": ("R-4S", "R-5S"),
    "allied_blockade": ("B-2S", "R-2S"),
    "convoy_or_blockade": ("B-4S", "R-4S"),
}
"""By row of the chart, a card that is such a host, and a similar card that isn't."""


def kind(word):
    """Return the cards of a kind that are in play without an exchange."""
    return [one for one, card in book().cards.items() if card.kind == word]


def rule(name):
    return next(one for one in link_rules() if one.id == name)


ROWS = {
    "GW-F.3": "reinforced_trenches", "GW-F.4": "fortifications", "GW-F.5": "russian_infantry",
    "GW-F.6": "any_infantry", "GW-F.7": "any_tanks", "GW-F.8": "any_land", "GW-F.9": "any_artillery",
    "GW-F.10": "k_artillery", "GW-F.12": "balloons", "GW-F.13": "high_seas_fleet",
    "GW-F.14": "allied_blockade", "GW-F.15": "convoy_or_blockade",
}  # fmt: skip


@pytest.mark.clause(
    "great-war", "GW-F.3", "GW-F.4", "GW-F.5", "GW-F.6", "GW-F.7", "GW-F.8", "GW-F.9", "GW-F.10", "GW-F.12",
    "GW-F.13", "GW-F.14", "GW-F.15", "GW-F.2",
)  # fmt: skip
@pytest.mark.parametrize("clause", ROWS)
def test_a_row_of_the_chart(clause):
    """Each kind in the row has that host, and no other kind has. None of them has the similar card."""
    name = ROWS[clause]
    host, other = HOSTS[name]
    named = {one for word in rule(name).plus_kinds for one in kind(word)}
    others = {
        one
        for row in link_rules()
        if row.id != name and fits(book()[host], row.host)
        for word in row.plus_kinds
        for one in kind(word)
    }
    for one in (card.id for card in book().cards.values() if card.plus and card.id != host):
        found = tried(field(ai=host)).host(AI, one)
        assert (found == host) == (one in named | others), one
    assert not fits(book()[other], rule(name).host)


@pytest.mark.clause("great-war", "GW-F.11", "GW-6.5")
def test_the_row_of_the_leaders():
    """A leader lets two cards of any kind except ships be played without a free link."""
    assert rule("leaders").via_op == "lead"
    assert tried(field(ai="R-JS")).host(AI, "R-10H") is None
    state = field(hand="B-JH, B-AS, B-QS, B-4S, B-KH")
    done = play(state, "ATTACK 1ST: B-JH LEADS B-AS, B-4S, B-KH")
    assert done.laid(PLAYER)[:2] == ["B-JH", "B-AS"]
    assert "not-led" in done.codes()


@pytest.mark.clause("great-war", "GW-F.6", "GW-F.7")
def test_a_card_is_no_host_for_itself_but_others_of_its_kind_are():
    assert "B-10H" not in book().hosts["B-10H"]
    assert "B-9H" in book().hosts["B-10H"]
    assert "R-8C" in book().hosts["B-8C"]


@pytest.mark.clause("great-war", "GW10", "GW-F.8")
def test_links_go_on_in_chains():
    done = play(field(hand="B-QS, B-KH, B-10S"), "ATTACK 1ST: B-QS + B-KH + B-10S")
    assert done.laid(PLAYER) == ["B-QS", "B-KH", "B-10S"]
    done = play(field(hand="B-QS, B-KH, B-10S"), "ATTACK 1ST: B-QS + B-10S + B-KH")
    assert done.laid(PLAYER) == ["B-QS", "B-KH"]
    assert done.codes() == ["no-host"]


@pytest.mark.clause("great-war", "GW4", "GW3")
def test_a_plus_card_may_be_the_base_and_there_is_one():
    done = play(field(hand="B-10H, B-9H, B-AS"), "ATTACK 1ST: B-10H + B-9H + B-AS")
    assert done.laid(PLAYER) == ["B-10H", "B-9H"]
    state = field(hand="B-AS")
    assert RULES.check(state, PLAYER, order(state, "ATTACK 1ST: + B-AS")).code == "not-plus"


@pytest.mark.clause("great-war", "GW42")
def test_ships_count_like_others():
    done = play(field(hand="B-4S"), "ATTACK 1ST: B-4S")
    assert done.state.total(PLAYER) == 5


@pytest.mark.clause("great-war", "GW33", "GW21")
@pytest.mark.parametrize(
    ("works", "source", "proof"),
    [
        ("B-9D", "R-KS", False), ("B-9D", "R-JK1", False), ("B-9D", "B10", False), ("B-9D", "R-7H", True),
        ("B-8D", "R-7H", False), ("B-8D", "R-10H", True), ("B-8D", "R-2S", True), ("B-7D", "R-10H", False),
    ],
)  # fmt: skip
def test_what_works_are_proof_against(works, source, proof):
    """Fortifications are immune except to the heaviest guns, Jokers and Bonus cards.

    Trenches aren't immune to flamethrowers.
    """
    assert tried(field(me=works)).is_immune(works, source) is proof
