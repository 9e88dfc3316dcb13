"""Every email and HELP topic about a board of armies says what its files say, and nothing of another."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import games
from adjudicator.admin import game_admin
from adjudicator.reports.messages import HELP_TOPICS, help_topics
from games.protocol import Game
from tests.kit.kinds import FEWER_POWERS, OWN_BOARDS, own_variants, put_variant, strait
from tests.kit.service_harness import LocalService, local_service, text_of
from tests.kit.variant_folders import toml

PLAYER = "player@example.org"
ZONE = "Europe/Berlin"
"""The time zone in the example of TIMEZONE is no province."""

SHIPPED = ("standard", "fleet-rome", "chaos", *FEWER_POWERS, *OWN_BOARDS)
Change = Mapping[str, Any]
TURNS = 2

MADE: Mapping[str, tuple[Change, Change]] = {
    "four-centres": ({"victory": {"centres": 4}}, {}),
    "six-centres": ({"victory": {"centres": 6}}, {}),
    "builds-at-home": ({}, {"builds_in": "starting"}),
    "builds-in-homes": ({}, {"builds_in": "homes"}),
    "begins-with-builds": ({}, {"begins": "WA"}),
    "judged-in-winter": ({}, {"victory_after": "winter"}),
    "written-convoys": ({}, {"convoy_intent": "written"}),
    "garrisons": ({}, {"garrisons": "return"}),
    "no-neutrals": ({"neutral": []}, {}),
    "before-christ": ({"first_year": -260}, {}),
    "five-years": ({}, {"year_step": 5}),
    "seasons": ({}, {"season_names": {"S": "Rains", "F": "Frosts"}}),
}
"""Boards made from the strait of the handbook: changes in map.json and in rulebook.toml."""

BUILDS = {"starting": "home centre", "homes": "home centre", "owned": "any centre that you own"}


def made_files(name: str) -> dict[str, str]:
    """The files of a made board."""
    files, (chart, rulebook) = strait(name), MADE[name]
    return {
        "map.json": json.dumps(json.loads(files["map.json"]) | {"counts": {}} | dict(chart)),
        "rulebook.toml": toml(tomllib.loads(files["rulebook.toml"]) | dict(rulebook)),
    }


def good_and_bad_orders(place: LocalService, game: Game) -> Iterator[str]:
    """Orders of the player: a hold, and of each unit a convoy from where it stands and a move too far."""
    position = game_admin.position_of(place.service, "narrow")
    state, board = position.state, game.rules.board
    seat = game.about.seats({})[0]
    for unit in (unit for unit in state.units if unit.power == seat):
        near = {*board.army[unit.at], *board.fleet.get(unit.at, ())}
        far = next(at for at in board.places if at not in near)
        yield f"{unit.kind} {board.abbr(unit.at)} C A {board.abbr(far)} - {board.abbr(unit.at)}"
        yield f"{unit.kind} {board.abbr(unit.at)} - {board.abbr(far)}"
        yield f"{unit.kind} {board.abbr(unit.at)} H"
    yield "A Atlantis - Utopia"


@pytest.fixture(scope="module", params=[*SHIPPED, *MADE])
def told(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, str]]:
    """A kind, and all that a player gets about it: the welcome, RULES, HELP, and some replies and reports."""
    kind: str = request.param
    service = tmp_path_factory.mktemp("texts") / "service"
    if kind in MADE:
        put_variant(service / "variants", kind, made_files(kind))
    with own_variants(service / "variants"), local_service(service) as place:
        game = games.kinds()[kind]
        game_admin.new_game(place.service, game_admin.GameRequest(kind, "narrow"))
        game_admin.assign(place.service, "narrow", str(game.about.seats({})[0]), PLAYER)
        place.work()
        topics = (topic for topic in (*HELP_TOPICS, *help_topics(game)) if topic.lower() != "games")
        asked = "\n".join(f"HELP {topic}" for topic in topics)
        place.answer(PLAYER, place.mail(PLAYER)[0], f"RULES\n{asked}")
        place.work()
        for _ in range(TURNS):
            lines = "\n".join(good_and_bad_orders(place, game))
            place.answer(PLAYER, place.mail(PLAYER)[0], f"{lines}\nSTATUS\nHISTORY")
            place.work()
            phase = game_admin.position_of(place.service, "narrow").state.phase
            done = "all hold" if phase.kind == "M" else "WAIVE"
            place.answer(PLAYER, place.mail(PLAYER)[-1], done)
            place.work()
        # Before its builds, a board that begins with them reports nothing.
        assert game_admin.position_of(place.service, "narrow").played or kind == "begins-with-builds"
        yield (
            kind,
            " ".join(" ".join(text_of(letter) for letter in place.mail(PLAYER)).split()).replace(ZONE, ""),
        )


def names_of(kind: str) -> set[str]:
    """The names of the provinces and powers of a board, as they are written first."""
    board: Any = games.kinds()[kind].rules
    chart = board.variant.board.chart
    return {one.name for one in (*chart.provinces, *chart.powers)}


def test_no_name_of_another_board_is_told(told: tuple[str, str]) -> None:
    kind, text = told
    others = {name for other in (*SHIPPED, "indianomacy") for name in names_of(other)} - names_of(kind)
    assert sorted(name for name in others if re.search(rf"\b{re.escape(name)}\b", text)) == []
    assert "War Part" not in text
    assert "canoe" not in text.lower()
    assert "numbers on the map" not in text


def test_victory_and_builds_are_told_as_the_files_have_them(told: tuple[str, str]) -> None:
    kind, text = told
    variant: Any = games.kinds()[kind].rules
    chart, book = variant.variant.board.chart, variant.variant.rulebook
    counted = len(variant.variant.board.centres)
    numbers = set(re.findall(r"(\d+) of the (\d+) supply centres", text))
    conditions = variant.variant.board.winning_conditions
    assert numbers == {(str(one.centres), str(counted)) for one in conditions if one.centres is not None}
    for one in conditions:
        assert one.lead is None or f"{one.lead} supply centres more than the next power" in text
        assert all(f"{lead} from year {year}" in text for year, lead in one.lead_from)
        assert one.most_from is None or f"from year {one.most_from} on" in text
    assert BUILDS[book.builds_in] in text
    if book.builds_in == "starting":
        assert BUILDS["owned"] not in text
    beginning = book.turn(book.beginning(chart.first_year))
    assert (beginning.name in text, beginning.short in text) == (True, True)
    assert ("neutral unit" in text) == bool(chart.neutral)
    for season, other in book.season_names.items():
        usual = {"S": "Spring", "F": "Fall"}[season]
        assert (other in text, re.search(rf"\b{usual}\b", text)) == (True, None)
