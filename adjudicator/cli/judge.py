"""Letters, kinds, seats and positions that the command line names, found or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from adjudicator.errors import Refusal
from adjudicator.inbound import dry_run
from adjudicator.model import addresses
from games import protocol

if TYPE_CHECKING:
    from adjudicator.model.games import GamePosition
    from games.protocol import Game, Seat, State


def letter_at(place: str) -> bytes:
    """The bytes of a letter in a file, ``-``: on standard input. Raises Refusal."""
    if place == "-":
        return typer.get_binary_stream("stdin").read()
    try:
        return Path(place).read_bytes()
    except OSError as fault:
        raise Refusal(f"letter {place}", f"cannot be read: {fault.strerror}") from fault


def position_in(game: Game, place: str | None) -> GamePosition:
    """The position in a JSON file, None: the opening. Raises Refusal."""
    try:
        return dry_run.position_of(game, dry_run.opening_of(game) if place is None else _state(game, place))
    except protocol.Invalid as fault:
        raise Refusal(f"position: {fault.what}", fault.why, fault.instead) from fault


def seat_in(position: GamePosition, text: str) -> Seat:
    """The seat of that name, whatever its capitals. Raises Refusal."""
    for seat in position.chairs:
        if addresses.short_seat_name(seat) == addresses.short_seat_name(text):
            return seat
    raise Refusal(f"seat {text}", "there is no such seat", f"there are: {', '.join(position.chairs)}")


def _state(game: Game, place: str) -> State:
    if game.whatif is None:
        raise Refusal(f"kind {game.about.kind}", "reads no positions", "leave --position out")
    try:
        question = json.loads(letter_at(place))
    except (ValueError, RecursionError) as fault:
        raise Refusal(f"position {place}", f"is no JSON: {fault}") from fault
    return game.whatif.position(question)
