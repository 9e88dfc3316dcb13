"""Verdicts of an independent adjudicator, as data in tests/peer that tests/kit/peer.py writes.

A season is a block of lines, below its number: ``France: A PAR - BUR | moves``. The result of an order is
``moves``, ``stays``, or ``dislodged`` with the provinces for retreats. Without any the unit is destroyed.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.diplomacy.model import (
    AnyOrder,
    Convoy,
    Hold,
    Move,
    Phase,
    Piece,
    Province,
    State,
    SupportHold,
    SupportMove,
    Unit,
    split_spot,
)
from games.protocol import Seat
from games.record import replace_fields
from tests.kit.random_seasons import INDEX, Skirmish
from tests.kit.standard import NOTATION, unit_text

FOLDER = Path(__file__).parents[1] / "peer"
CALMED = "calmed"

_LINE = re.compile(
    r"(?P<power>\w+): (?P<kind>[AF]) (?P<spot>\S+)"
    r"(?: (?P<help>[SC]) (?P<other_kind>[AF]) (?P<other>\S+))?"
    r"(?: - (?P<to>\S+)(?P<via> VIA)?)?(?: H)? \| (?P<outcome>moves|stays|dislodged)(?P<near>.*)"
)


@dataclass(frozen=True)
class Verdict:
    """Units after a season, and the retreats of each dislodged unit. Units read ``France A PAR``.

    A unit without a retreat isn't listed, because it is destroyed.
    """

    units: frozenset[str]
    retreats: dict[str, frozenset[Province]]


@dataclass(frozen=True)
class Judged:
    """A season and its verdict.

    calmed: if the verdict differs from ours, the same season without the package's miscounts.
    """

    season: Skirmish
    verdict: Verdict
    calmed: "Judged | None" = None


def seasons(file: str) -> dict[int, Judged]:
    """Return the seasons in a file of tests/peer by their numbers."""
    blocks = dict(_blocks(gzip.decompress((FOLDER / f"{file}.txt.gz").read_bytes()).decode()))
    found = {}
    for name, judged in blocks.items():
        if name.isdecimal():
            found[int(name)] = Judged(judged.season, judged.verdict, blocks.get(f"{name} {CALMED}"))
    return found


def borders(kind: str) -> set[tuple[str, str]]:
    """Return the borders that a kind of unit may cross, from where to where. Fleets move from coast to
    coast.
    """
    found = json.loads((FOLDER / "borders.json").read_text())[kind]
    return {(here, there) for here, near in found.items() for there in near.split()}


def records(name: str) -> Any:
    """Return the JSON in a file of tests/peer: games written by us or by the package."""
    return json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))


def name(unit: Unit) -> str:
    """Return a unit as verdicts name it."""
    return f"{unit.power} {unit_text(unit.piece)}"


def line(unit: Unit, order: AnyOrder, outcome: str) -> str:
    """Return a line of a season."""
    return f"{unit.power}: {NOTATION.write(order)} | {outcome}"


def read_judged(lines: list[str]) -> Judged:
    """Return the season in some lines, and its verdict."""
    orders: dict[Province, AnyOrder] = {}
    units, after, retreats = [], set(), {}
    for text in lines:
        found = _LINE.fullmatch(text)
        assert found is not None, text
        unit, order = _unit(found), _order(found)
        units.append(unit)
        orders[unit.at] = order
        if found["outcome"] == "dislodged":
            retreats[name(unit)] = frozenset(map(Province, found["near"].split()))
        elif found["outcome"] == "moves":
            after.add(name(replace_fields(unit, at=order.to, coast=order.coast)))
        else:
            after.add(name(unit))
    standing = tuple(sorted(units, key=lambda unit: INDEX[unit.at]))
    state = State(options={}, phase=Phase(season="S", year=1901, kind="M"), units=standing, centres={})
    ways = {who: near for who, near in retreats.items() if near}
    return Judged(Skirmish(state, orders), Verdict(frozenset(after), ways))


def _blocks(text: str) -> Iterator[tuple[str, Judged]]:
    for block in text.strip().split("\n\n"):
        head, *lines = block.splitlines()
        yield head, read_judged(lines)


def _unit(found: re.Match[str]) -> Unit:
    piece = _piece(found["kind"], found["spot"])
    return Unit(power=Seat(found["power"]), kind=piece.kind, at=piece.at, coast=piece.coast)


def _order(found: re.Match[str]) -> AnyOrder:
    unit = _piece(found["kind"], found["spot"])
    to, coast = split_spot(Province(found["to"])) if found["to"] else (None, "")
    if found["help"] is None:
        return Hold(unit=unit) if to is None else Move(unit=unit, to=to, coast=coast, via=bool(found["via"]))
    other = _piece(found["other_kind"], found["other"])
    if to is None:
        return SupportHold(unit=unit, other=other)
    return (Convoy if found["help"] == "C" else SupportMove)(unit=unit, other=other, to=to)


def _piece(kind: str, spot: str) -> Piece:
    at, coast = split_spot(Province(spot))
    return Piece(kind=kind, at=at, coast=coast)
