"""A kind of game as a value: what it is, and all its parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from games.protocol.core import Bot, Edits, Notation, Rules, Telling
from games.protocol.exchange import Exchange
from games.protocol.optional import WhatIf
from games.protocol.values import Option, Options, Seat, Table


@dataclass(frozen=True)
class About:
    """What a kind of game is, before there is one. hidden: whether seats see different things."""

    kind: str
    title: str
    designer: str
    source: str
    seats: Callable[[Options], tuple[Seat, ...]]
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    hidden: bool = False


@dataclass(frozen=True)
class Score:
    """What is counted over time where bots play many games.

    thing: in the plural, "supply centres"; time: what passes, "year"; when, of: in a state, how many have
    passed, and how many of the thing each seat has.
    """

    thing: str
    time: str
    when: Callable[[Any], int]
    of: Callable[[Any], Mapping[Seat, int]]


@dataclass(frozen=True)
class Survey:
    """A new variant of a game, read from its files: the game that it makes, its census, and what is odd."""

    game: "Game"
    tables: tuple[Table, ...]
    findings: tuple[str, ...]


@dataclass(frozen=True)
class Game:
    """All that the house knows of a kind of game.

    package: where `importlib.resources` finds ``templates/``; clauses: the clause file inside it.
    bots: by level, the weakest first; the first is used where no level is named.
    sparring: by name, opponents that no seat of a game is given to: levels are measured against them.
    survey: reads a further variant from the texts of its files, by their names, and raises Invalid; None
    where variants are no data. exchange: None where no other program knows such games.
    """

    about: About
    package: str
    clauses: str
    rules: Rules[Any, Any]
    notation: Notation[Any, Any]
    telling: Telling[Any]
    bots: Mapping[str, Bot[Any, Any]]
    state_type: Any
    order_type: Any
    event_type: Any
    sparring: Mapping[str, Bot[Any, Any]] = field(default_factory=dict)
    edits: Edits[Any, Any] | None = None
    whatif: WhatIf | None = None
    score: Score | None = None
    survey: Callable[[Mapping[str, str]], Survey] | None = None
    exchange: Exchange | None = None
