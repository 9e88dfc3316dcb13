"""A game as one JSON document for other programs, as docs/game.schema.json describes it."""

import json
from collections.abc import Sequence
from typing import Literal

from adjudicator.clock import Millis, datetime_of
from adjudicator.website.game_page import TurnPage, standing_of
from adjudicator.website.pages import PageCache
from adjudicator.website.public_game import PublicGame
from adjudicator.website.timeline import counts_of
from games.record import Record, plain

GAME_FILE_NAME = "game.json"
GAME_FILE_VERSION = 1


class SeatFile(Record, frozen=True, kw_only=True):
    """A seat. player: "person" or "bot". name: of a player that agreed to be named. level: of a bot.

    missed: the number of turns with orders due but no orders sent. at_end: the final count, if the game
    counts anything.
    """

    seat: str
    player: Literal["person", "bot"]
    name: str | None = None
    level: str | None = None
    missed: int = 0
    at_end: int | None = None


class OrderFile(Record, frozen=True, kw_only=True):
    """The result of an order, or of a piece without one (order ""), in the words of `gm judge`.

    place: the id of the place the piece was in. because: a bot's reason for the order, once the game is over.
    """

    seat: str
    order: str
    place: str
    piece: str
    outcome: str
    why: str = ""
    because: str = ""


class LineFile(Record, frozen=True, kw_only=True):
    """A sentence of the turn's report under its heading. failed: it describes an order that failed.

    places: the ids of the places it mentions.
    """

    heading: str
    text: str
    failed: bool = False
    places: tuple[str, ...] = ()


class ThrowFile(Record, frozen=True, kw_only=True):
    """A roll made by the rules. forced: the GM set its result."""

    label: str
    sides: int
    numbers: tuple[int, ...]
    forced: bool = False


class TurnFile(Record, frozen=True, kw_only=True):
    """A turn that was processed. anchor: its address in the game's page, after ``#``.

    played: the time, in ISO 8601. counts: the score of each seat after the turn. owners, pieces: the owner
    and the pieces of each place after the turn, by the place's id. silent: the seats that sent no orders
    although orders were due.
    """

    turn: str
    name: str
    anchor: str
    played: str
    headline: str
    orders: tuple[OrderFile, ...]
    lines: tuple[LineFile, ...]
    counts: dict[str, int]
    owners: dict[str, str]
    pieces: dict[str, tuple[str, ...]]
    throws: tuple[ThrowFile, ...]
    silent: tuple[str, ...]


class PressFile(Record, frozen=True, kw_only=True):
    """Press to everyone."""

    turn: str
    heading: str
    text: str


class ResultFile(Record, frozen=True, kw_only=True):
    """The end of a game: the winners, if any. survivors: the seats that share a draw."""

    winners: tuple[str, ...]
    survivors: tuple[str, ...]
    reason: str


class GameFile(Record, frozen=True, kw_only=True):
    """The public information about a game. Times are in ISO 8601, UTC.

    turnpost_game: the version of this format. kind, title: the game's rules. counts: the plural noun for the
    score, null if the game has none. places: the names of places by id. commitment: the SHA-256 of the dice
    secret. secret: the dice secret, once the game is over. due: the turn that needs orders now.
    """

    turnpost_game: Literal[1] = 1
    game: str
    kind: str
    title: str
    status: Literal["running", "finished"]
    began: str
    changed: str
    counts: str | None
    seats: tuple[SeatFile, ...]
    places: dict[str, str]
    turns: tuple[TurnFile, ...]
    press: tuple[PressFile, ...]
    result: ResultFile | None = None
    due: str | None = None
    commitment: str | None = None
    secret: str | None = None


def _but_turns(public_game: PublicGame, pages: Sequence[TurnPage]) -> GameFile:
    """Return the document of a game without its turns."""
    about, score, seal, result = (
        public_game.game.about,
        public_game.game.score,
        public_game.seal,
        public_game.result,
    )
    last = counts_of(public_game, public_game.latest)
    return GameFile(
        game=public_game.name,
        kind=about.kind,
        title=about.title,
        status="finished" if public_game.is_over else "running",
        began=_when(public_game.began),
        changed=_when(public_game.last_changed),
        counts=score.thing if score else None,
        seats=tuple(
            SeatFile(
                seat=seat.seat,
                player="bot" if seat.bot else "person",
                name=seat.name,
                level=seat.bot or None,
                missed=seat.missed,
                at_end=last.get(seat.seat) if public_game.is_over else None,
            )
            for seat in public_game.seats
        ),
        places=_places(public_game, pages),
        turns=(),
        press=tuple(
            PressFile(turn=dispatch.turn, heading=dispatch.heading, text=dispatch.text)
            for dispatch in public_game.press
        ),
        result=ResultFile(winners=result.winners, survivors=public_game.survivors, reason=result.reason)
        if result
        else None,
        due=public_game.due.short if public_game.due else None,
        commitment=seal.commitment if seal else None,
        secret=seal.secret if seal else None,
    )


def encode_game_file(public_game: PublicGame, pages: Sequence[TurnPage], galleys: PageCache) -> bytes:
    """Return the published document of a game: UTF-8 JSON with one turn per line."""
    value = plain(_but_turns(public_game, pages))
    del value["turns"]
    turns = ",\n".join(_turn_line(public_game, page, galleys) for page in pages)
    return f'{_line(value)[:-1]},"turns":[\n{turns}\n]}}\n'.encode()


def _turn_line(public_game: PublicGame, page: TurnPage, galleys: PageCache) -> str:
    key = (page.anchor, page.leaf.sign, page.leaf.silent)
    return galleys.text(GAME_FILE_NAME, key, lambda: _line(plain(_turn(public_game, page))))


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _places(public_game: PublicGame, pages: Sequence[TurnPage]) -> dict[str, str]:
    opening = {spot.at: spot.name for spot in standing_of(public_game.game, public_game.opening).spots}
    names = dict(opening)
    for page in pages:
        names |= opening if page.gist.places is None else page.gist.places
    return names


def _turn(public_game: PublicGame, page: TurnPage) -> TurnFile:
    leaf = page.leaf
    lines_told = [line for passage in page.passages for line in passage.lines]
    return TurnFile(
        turn=leaf.turn.short,
        name=leaf.turn.name,
        anchor=page.anchor,
        played=_when(leaf.at),
        headline=page.headline,
        orders=tuple(
            OrderFile(
                seat=note.of,
                order=note.order,
                place=note.at,
                piece=note.piece,
                outcome=note.outcome,
                why=note.why,
                because=line.because,
            )
            for line in lines_told
            if (note := line.note)
        ),
        lines=tuple(
            LineFile(
                heading=passage.heading,
                text=line.order + line.rest,
                failed=line.failed,
                places=line.mention.at if line.mention else (),
            )
            for passage in page.passages
            for line in passage.lines
            if line.note is None
        ),
        counts={str(seat): count for seat, count in counts_of(public_game, leaf.view).items()},
        owners={**page.stands.owners},
        pieces={**page.stands.pieces},
        throws=tuple(
            ThrowFile(label=roll.label, sides=roll.sides, numbers=roll.numbers, forced=roll.forced)
            for roll in leaf.throws
        ),
        silent=leaf.silent,
    )


def _when(at: Millis) -> str:
    return datetime_of(at).isoformat(timespec="seconds")
