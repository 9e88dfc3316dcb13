"""A board whose provinces have our own words as abbreviations: commands, IF and PHASE, seasons, "all"."""

from functools import cache
from typing import Any

from adjudicator.inbound.dry_run import dry_run, opening_of, position_of
from games.data import read_toml
from games.diplomacy import game
from games.diplomacy.boards.variants import compile_variant
from games.protocol import Game, Seat
from orders.commands import PLAYER_COMMANDS, compile_verbs
from orders.words import keys
from tests.kit.dry_runs import HEAD

SEAT = Seat("Red")
LANGUAGES = ("de", "es", "fr", "it", "nl", "pt")
_ENGLISH = (
    *("if", "then", "else", "elseif", "elsif", "endif", "and", "or", "not", "phase", "endphase", "stop"),
    *("spring", "summer", "autumn", "fall", "winter", "moves", "retreats", "builds"),
    *("all", "rest", "others", "everything", "quit", "eof", "orders"),
)


def our_words() -> tuple[str, ...]:
    """Return all words of commands, conditions and turns, in all languages, and those that mean all units."""
    table = read_toml("orders", "structure.toml")
    assert set(LANGUAGES) == set(table)
    other = (
        word
        for words in table.values()
        for sort in words
        if sort not in ("all", "some")
        for word in words[sort]
    )
    ends = (end for verb in PLAYER_COMMANDS for end in verb.until)
    verbs = (verb.name for verb in PLAYER_COMMANDS)
    found = (
        *verbs,
        *sorted({words[0] for words in compile_verbs(PLAYER_COMMANDS).openings}),
        *ends,
        *_ENGLISH,
        *other,
    )
    by_key = {" ".join(keys(word)).replace("- ", ""): word for word in found if "-" not in word}
    return tuple(by_key.values())


def chart(words: tuple[str, ...]) -> dict[str, Any]:
    """Return the map: a ring of lands, each the neighbour of the next, with an army in each."""
    ids = [f"Q{number}" for number in range(len(words))]
    provinces = [
        {
            "id": here,
            "name": f"{word.title()} Bay",
            "abbr": here if " " in word else word.upper(),
            "kind": "land",
            "army": sorted({ids[number - 1], ids[(number + 1) % len(ids)]}),
            "fleet": [],
            "label": [number, number],
            "radius": 5,
            "aliases": [f"{word.title()} Land", *([word.title()] if " " in word else [])],
            "centre": "sourced",
        }
        for number, (here, word) in enumerate(zip(ids, words, strict=True))
    ]
    power = {
        "id": str(SEAT),
        "name": str(SEAT),
        "letter": "R",
        "colour": "#d9664d",
        "homes": ids,
        "starts": [f"A {here}" for here in ids],
        "centres": ids,
    }
    size = len(ids)
    return {
        "name": "words",
        "title": "Words",
        "designer": "the tests",
        "year": 2026,
        "counts": {"land": size, "sea": 0, "centres": size, "units": size, "neutral": 0},
        "victory": {"centres": size + 1},
        "first_year": 1901,
        "size": [10, 10],
        "powers": [power],
        "neutral": [],
        "provinces": provinces,
    }


@cache
def words_game() -> Game:
    """Return the game on that board. It is ordered in all languages."""
    spoken = {f"names.{code}.toml": {"language": code, "base": "standard"} for code in LANGUAGES}
    return game(compile_variant("words", chart(our_words()), {"base": "standard"}, lambda: spoken))


@cache
def _position() -> Any:
    return position_of(words_game(), opening_of(words_game()))


def read(text: str) -> dict[str, Any]:
    """Return the reading of an email from the only seat."""
    return dry_run((HEAD.format(subject="") + text).encode(), _position(), words_game(), SEAT)
