"""Kinds of games are found by their folders: what is broken in one harms no other."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import games
from adjudicator.errors import Refusal
from adjudicator.game_kinds import find_kind
from games.diplomacy.boards import variants
from games.protocol import UnplayableKind
from tests.kit.kinds import KINDS, add_kinds_folder


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Callable[[str, str], UnplayableKind]]:
    """Puts a package with this code beside those that are there, and hands on what is said of it."""
    with add_kinds_folder(tmp_path) as folder:

        def put(name: str, code: str) -> UnplayableKind:
            (folder / name).mkdir()
            (folder / name / "__init__.py").write_text(code)
            (ill,) = games.unplayable_kinds()
            assert set(games.kinds()) >= KINDS
            return ill

        yield put


def test_all_that_is_there_can_be_played() -> None:
    assert games.unplayable_kinds() == ()


def test_a_game_whose_code_is_broken_costs_itself(beside: Callable[[str, str], UnplayableKind]) -> None:
    ill = beside("crooked", "def")
    assert (ill.kind, ill.where, ill.lame) == ("crooked", "games.crooked", False)
    assert "SyntaxError" in ill.why
    with pytest.raises(Refusal, match=r"play Crooked: its data in games\.crooked is wrong: SyntaxError"):
        find_kind("Crooked")


def test_of_two_kinds_of_one_name_the_first_is_played(beside: Callable[[str, str], UnplayableKind]) -> None:
    twin = "import games.diplomacy as family\nfrom games.diplomacy.boards import variants\n"
    ill = beside("twin", twin + "GAMES = (family.game(variants.load('standard')),)\n")
    assert (ill.kind, ill.where) == ("standard", "games.twin")
    assert games.kinds()["standard"].package == "games.diplomacy"


def test_an_alias_that_is_taken_is_left_to_who_has_it(beside: Callable[[str, str], UnplayableKind]) -> None:
    ill = beside(
        "borrower",
        "from dataclasses import replace\nfrom games.record import replace_fields\n"
        "import games.diplomacy as family\nfrom games.diplomacy.boards import variants\n"
        "its = family.game(variants.load('fleet-rome'))\n"
        "about = replace_fields(its.about, kind='borrower', aliases=('dip', 'lender', 'chaos'))\n"
        "GAMES = (replace(its, about=about),)\n",
    )
    assert (ill.kind, ill.lame) == ("borrower", True)
    assert "cannot be called dip, chaos as well" in ill.why
    assert find_kind("dip").about.kind == "standard"
    assert find_kind("chaos").about.kind == "chaos"
    assert find_kind("lender").about.kind == "borrower"


def test_a_variant_keeps_the_aliases_of_its_base_for_the_base() -> None:
    """Each has its own, whatever it is based on."""
    assert variants.load("fleet-rome").rulebook.aliases == ("fleetrome",)
    resting = {"base": "standard", "source": "here"}
    chart = {"base": "standard", "name": "resting"}
    assert variants.compile_variant("resting", chart, resting).rulebook.aliases == ()
