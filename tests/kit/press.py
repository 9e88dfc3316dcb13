"""Emails with players' talk above real orders: press in several languages, and orders of bots.

``python -m tests.kit.press`` prints the questions about prose, or with a number that email.
"""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import games
from adjudicator.inbound.dry_run import dry_run, position_of
from adjudicator.model.games import GamePosition
from games.data import read_toml
from games.protocol import Seat
from orders.verdict import IN_FORCE
from tests.kit.bot_games import rounds
from tests.kit.dry_runs import HEAD

KIND = "standard"
LAST = 1903
SEED = b"press"

_HEADINGS = {
    "en": ("", "", "Orders:", "My orders:", "Here are my orders:"),
    "de": ("", "", "Meine Befehle:", "Hier meine Züge:"),
    "fr": ("", "", "Mes ordres :", "Voici mes ordres :"),
    "es": ("", "", "Mis órdenes:", "Aquí van mis órdenes:"),
    "pt": ("", "", "Minhas ordens:"),
    "it": ("", "", "I miei ordini:", "Ecco i miei ordini:"),
    "nl": ("", "", "Mijn orders:", "Hier zijn mijn orders:"),
}
_FAREWELLS = {
    "en": ("", "Best,\nJean", "Cheers", "Thanks!\nJ.", "-- \nJean, Paris"),
    "de": ("", "Viele Grüße\nJean", "Gruß, J."),
    "fr": ("", "Amitiés,\nJean", "À bientôt !"),
    "es": ("", "Un abrazo,\nJean", "Saludos"),
    "pt": ("", "Um abraço,\nJean"),
    "it": ("", "Saluti,\nJean", "A presto"),
    "nl": ("", "Groeten,\nJean"),
}


@dataclass(frozen=True)
class Block:
    """The orders of a bot in a position of its game."""

    position: GamePosition
    seat: Seat
    orders: tuple[str, ...]


@dataclass(frozen=True)
class PressLetter:
    """An email, and its meaning."""

    number: int
    block: Block
    text: str

    def said(self) -> dict[str, Any]:
        """Return its reading."""
        raw = (HEAD.format(subject="") + self.text).encode()
        return dry_run(raw, self.block.position, games.kinds()[KIND], self.block.seat)


@cache
def blocks() -> tuple[Block, ...]:
    """Return orders of bots of every power, in every season of some years."""
    game = games.kinds()[KIND]
    found = []
    for played in rounds(game, SEED, LAST):
        position = position_of(game, played.before)
        for due, choices in played.asked:
            written = tuple(game.notation.write(choice.order) for choice in choices)
            if written:
                found.append(Block(position, due.seat, written))
    return tuple(found)


@cache
def _places(language: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the provinces and powers by their names in a language."""
    board = games.kinds()[KIND].notation._board  # type: ignore[attr-defined]  # the names are the board's
    if language == "en":
        return tuple(one.name for one in board.places.values()), tuple(str(power) for power in board.powers)
    said = read_toml(f"games.diplomacy.variants.{KIND}", f"names.{language}.toml")
    provinces = tuple(one[0] for one in said["provinces"].values())
    return provinces, tuple(one[0] for one in said["powers"].values())


def _paragraph(pattern: str, language: str, lot: Random) -> str:
    provinces, powers = _places(language)
    p, q, r = lot.sample(provinces, 3)
    n, m = lot.sample(powers, 2)
    return pattern.format(p=p, q=q, r=r, n=n, m=m)


def _retype_order(order: str, manner: str) -> str:
    """Return an order in a person's spelling."""
    words = order.split()
    if manner == "plain":
        return order
    if manner == "small":
        return order.lower()
    if manner == "tight":
        return order.replace(" - ", "-")
    short = {"S": "supports", "C": "convoys", "H": "holds"} if manner == "words" else {}
    signs = {"-": "->"} if manner == "arrows" else {}
    return " ".join(
        signs.get(word) or (short.get(word) if at else None) or (word.title() if len(word) > 2 else word)
        for at, word in enumerate(words)
    )


_MANNERS = ("plain", "small", "tight", "words", "arrows", "title")


def letters(count: int, seed: int = 1901) -> Iterator[PressLetter]:
    """Yield this many emails, each in one language, some with English too."""
    lot = Random(seed)
    table = read_toml("tests.corpora.press", "paragraphs.toml")
    languages = ["en", *table]
    for number in range(count):
        language = lot.choice(languages)
        said = [_paragraph(one, language, lot) for one in lot.sample(table[language]["paragraphs"], 3)]
        width = lot.choice((60, 72, 76, 1_000))
        wrapped = ["\n".join(textwrap.wrap(one, width)) for one in said[: lot.choice((1, 2, 2, 3))]]
        block = lot.choice(blocks())
        manner = lot.choice(_MANNERS)
        sheet = "\n".join(_retype_order(order, manner) for order in block.orders)
        heading = lot.choice(_HEADINGS[language])
        above = f"{heading}\n{sheet}" if heading else sheet
        parts = [*wrapped, above, lot.choice(_FAREWELLS[language])]
        if lot.random() < 0.2:
            parts.insert(len(parts) - 1, "\n".join(textwrap.wrap(said[-1], width)))
        yield PressLetter(number, block, "\n\n".join(part for part in parts if part) + "\n")


def amiss(letter: PressLetter) -> tuple[Sequence[str], Sequence[str]]:
    """Return the errors in the orders in force, and the questions about prose."""
    said = letter.said()
    force = [row for row in said["orders"] if row["grade"] in (*IN_FORCE, "idle") and not row["superseded"]]
    read, meant = sorted(row["read_as"] for row in force), sorted(letter.block.orders)
    wrong = () if read == meant else tuple(f"{one}" for one in set(read) ^ set(meant))
    asked = tuple(row["line"] for row in said["orders"] if row not in force)
    commands = tuple(f"command {one['line']}" for one in said["commands"])
    return (*wrong, *commands), asked


def main(words: list[str]) -> None:
    """Print the errors in 300 emails, or one of the emails."""
    questions = 0
    for letter in letters(300):
        wrong, asked = amiss(letter)
        questions += len(asked)
        if str(letter.number) in words:
            print(letter.text, letter.said())
        elif not words and (wrong or asked):
            print(letter.number, letter.block.seat, "WRONG" if wrong else "", *wrong, *asked, sep="\n    ")
    print(f"{questions} questions")


if __name__ == "__main__":
    main(sys.argv[1:])
