"""The variants of the family: each folder in variants/ is one, and is compiled once."""

from dataclasses import dataclass
from functools import cache

from games.data import folders, read_json, read_toml
from games.diplomacy.board import Board, compile_board
from games.diplomacy.rulebook import Rulebook, read_rulebook

PACKAGE = "games.diplomacy"


@dataclass(frozen=True)
class Variant:
    """One variant: the folder's name, its board, its rulebook."""

    name: str
    board: Board
    rulebook: Rulebook


def names() -> tuple[str, ...]:
    """The variants that are there, in order."""
    return folders(PACKAGE, "variants")


@cache
def load(name: str) -> Variant:
    """A variant by its folder. Raises Invalid that names the file and the entry at fault."""
    folder = f"variants/{name}"
    return Variant(
        name=name,
        board=compile_board(read_json(PACKAGE, f"{folder}/map.json")),
        rulebook=read_rulebook(read_toml(PACKAGE, f"{folder}/rulebook.toml")),
    )
