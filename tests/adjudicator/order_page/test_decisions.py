"""Each kind of decision of each game, by touch on a phone: the page's orders are all accepted."""

import re
from pathlib import Path
from typing import Any

import pytest

from adjudicator.order_page import MAX_ORDERS_SIDE_BY_SIDE, _shared_prefixes, list_choices
from games.boer_war import model as boer_war
from games.boer_war.components import materials
from games.diplomacy import model as diplomacy
from games.great_war import model as great_war
from games.plains_indian_wars import model as plains
from games.war_chest import model as war_chest
from tests.adjudicator.order_page.decisions import (
    NEVER,
    SETTINGS,
    Kind,
    Prepared,
    asked_in,
    games_of_bots,
    phase_of,
    prepared,
    sort_of,
    sorts_of,
)
from tests.adjudicator.order_page.hands import Press, by_touch, clear, put_together
from tests.adjudicator.order_page.parties import settled
from tests.adjudicator.order_page.seated import Seat
from tests.kit.service_harness import LocalService, text_of

ORDERS = {
    "standard": diplomacy.AnyOrder,
    "plains-indian-wars": plains.AnyOrder,
    "war-chest": war_chest.AnyOrder,
    "great-war": great_war.AnyOrder,
    "boer-war": boer_war.AnyOrder,
}


@pytest.mark.parametrize("kind", ORDERS)
def test_every_sort_of_order_is_in_the_table(kind):
    """Orders of every type can be made by touch; those of canoes belong to Indianomacy."""
    kinds = ("standard", "indianomacy", "chaos") if kind == "standard" else (kind,)
    named = {sort for one in SETTINGS.values() if one.kind in kinds for _, sort in one.kinds}
    assert sorts_of(ORDERS[kind]) == {sort.split(":")[0] for sort in named}


def test_every_event_of_the_boer_war_is_in_the_table():
    named = {sort for _, sort in SETTINGS["boer war"].kinds if sort.startswith("PlayEvent")}
    assert named == {f"PlayEvent: {event}" for event in materials().events}


@pytest.mark.parametrize("name", SETTINGS)
def test_every_phase_and_what_it_accepts_is_in_the_table(name):
    """Compared with what the rules ask for, turn by turn of a game of bots."""
    setting, missing, asked = SETTINGS[name], set(), 0
    seats = setting.game.about.seats({**settled(setting.game), **setting.options})
    for state in games_of_bots(setting, 0):
        for due in setting.game.rules.due(state):
            if due.seat not in seats or due.seat == war_chest.AUTOMATON:
                continue
            phase, asked = phase_of(setting.kind, state, due), asked + 1
            listed = {re.split("[: ]", sort)[0] for where, sort in setting.kinds if where == phase}
            missing |= {(phase, one) for one in due.accepts if one not in listed}
    assert {
        one for one in missing if not any(one[0].endswith(where) and one[1] == sort for where, sort in NEVER)
    } == set()
    assert asked > 3


def find_offered_orders(name: str, phase: str, sort: str) -> tuple[Prepared, list[Any]]:
    """A position in which that is offered, and all orders of that sort there."""
    (one,) = prepared(name, frozenset({(phase, sort)}), most=1)
    found = (offer.order for offer in list_choices(one.asked))
    return one, [order for order in found if sort_of(one.asked, order) == sort]


def test_a_leader_without_a_port_may_be_told_where_to_come():
    """Empire leaders who land nowhere come by rail, to a point of the republics: each may be told where."""
    setting = SETTINGS["boer war"]
    state = next(one for one in games_of_bots(setting, 0) if one.side == "empire")
    (due,) = setting.game.rules.due(state)
    landing = {
        one.order.leader for one in list_choices(asked_in(setting, state, due)) if "lands" in one.words
    }
    here = (*state.leaders, *state.gone, *state.boxes["empire"])
    coming = {name: who for name, who in materials().leaders.items() if who.side == "empire"}
    assert landing == {name for name in coming if name not in here}
    assert any(not coming[name].lands for name in landing)


def test_an_event_of_the_nations_may_be_aimed():
    """Crazy Horse strikes from a region with two possible targets: at either."""
    one, found = find_offered_orders("plains 2.3", "Nations None", "PlayEvent: against")
    crazy = [order for order in found if one.asked.game.notation.write(order).startswith("play Crazy Horse")]
    aims: dict[str, set[str]] = {}
    for order in crazy:
        aims.setdefault(order.at, set()).add(order.to)
    assert aims
    assert all(len(to) > 1 for to in aims.values())


def test_exchanges_are_sorted_by_the_card_that_comes_in():
    (one,) = prepared("great war", frozenset({("set-up", "Exchange")}))
    laid = [
        offer.touches for offer in list_choices(one.asked) if sort_of(one.asked, offer.order) == "Exchange"
    ]
    several = {way.steps[0].said for way in laid if len(way.steps) > 1}
    assert len(laid) > 100
    assert len(several) > 10
    assert all(said.startswith("W") and said.endswith("comes in") for said in several)


def test_a_long_list_is_folded_by_the_first_words_in_which_its_texts_differ():
    texts = [f"EXCHANGE {comes} FOR {goes}" for comes in ("W01", "W02") for goes in range(6)]
    assert set(_shared_prefixes(texts).values()) == {"EXCHANGE W01", "EXCHANGE W02"}
    assert _shared_prefixes(texts[:MAX_ORDERS_SIDE_BY_SIDE]) == {}


def letters_of(one: Prepared, press: Press):
    """Return the emails that the page makes of each decision by itself."""

    def steps(page):
        found = {}
        for kind, offer in one.chosen.items():
            put_together(page, press, offer.touches)
            found[kind] = page.locator("#send").get_attribute("href"), page.locator("#letter").inner_text()
            clear(page, press)
        return found

    return steps


def are_taken(
    place: LocalService, folder: Path, chromium, name: str, kinds: frozenset[Kind], *, each: bool
) -> int:
    """In each position the page is asked for by mail; each letter of it is read dry, then sent. How many.

    each: all are sent, and not of each position the last one alone.
    """
    setting, taken = SETTINGS[name], 0
    positions = prepared(name, kinds)
    persons = dict.fromkeys(one.asked.seat for one in positions)
    seats = {one: Seat(place, setting.kind, folder, setting.options, one) for one in persons}
    for one in positions:
        write, seat = setting.game.notation.write, seats[one.asked.seat]
        seat.comes_to(one.state)
        visit = chromium.visit(seat.page(), letters_of(one, by_touch), width=375)
        assert (visit.asked, visit.said) == ((), ())
        last = list(visit.found)[-1]
        for kind, (link, letter) in visit.found.items():
            assert letter == write(one.chosen[kind].order), kind
            seat.comes_to(one.state)
            (row,) = seat.reads(link)["orders"]
            assert (row["grade"], row["problem"], row["candidates"]) == ("taken", None, []), (kind, row)
            if each or kind == last:
                assert seat.is_accepted(link), (kind, text_of(place.mail(seat.address)[-1]))
            taken += 1
    return taken


def each_once(name: str) -> frozenset[Kind]:
    """Yield a game's decisions, each kind once; Events once per phase."""
    found, sorts = [], set()
    for phase, sort in sorted(SETTINGS[name].kinds):
        known = f"{phase} event" if sort.startswith("PlayEvent") else sort
        if known not in sorts:
            sorts.add(known)
            found.append((phase, sort))
    return frozenset(found)


SHORT = [
    "standard",
    "indianomacy",
    "plains 1",
    "plains 2.3",
    "plains 2.7",
    "war chest of two",
    "great war",
    "boer war",
    "boer war, a table",
]


@pytest.mark.parametrize("name", SHORT)
def test_each_sort_of_decision_is_taken_by_touch(place, tmp_path, chromium, name):
    kinds = each_once(name)
    assert are_taken(place, tmp_path, chromium, name, kinds, each=False) == len(kinds)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", SETTINGS)
def test_each_decision_of_each_phase_is_taken_by_touch(place, tmp_path, chromium, name):
    kinds = SETTINGS[name].kinds
    assert are_taken(place, tmp_path, chromium, name, kinds, each=True) == len(kinds)
