"""The reader of a letter of ours: a seat's player with his token, or somebody else."""

from zoneinfo import ZoneInfo

import games
from adjudicator.auth.callers import person_address
from adjudicator.context import RequestContext, ServiceContext
from adjudicator.model.addresses import reply_address, reply_token
from adjudicator.model.games import GamePosition, SeatAssignment
from adjudicator.model.repository import Repository
from adjudicator.reports.messages import LetterReader


def reader_of(
    position: GamePosition, chair: SeatAssignment, address: str, books: Repository, office: ServiceContext
) -> LetterReader:
    """Return the reader of a letter for a seat. address: where it goes."""
    turn = games.kinds()[position.kind].rules.turn(position.state).short
    token = reply_token(office.key, position.name, chair.seat, chair.generation, turn)
    return LetterReader(
        address=address,
        game=position.name,
        seat=chair.seat,
        turn=turn,
        token=token,
        reply_address=reply_address(office.address, position.name, chair.seat, token),
        generation=chair.generation,
        zone=zone_of(address, books, office),
        thread=books.thread(position.name, chair.seat),
    )


def caller_of(
    address: str, desk: RequestContext, game: str | None = None, mark: str | None = None
) -> LetterReader:
    """Somebody who reads a letter for no seat; his answers show that he got it.

    game: about which it is; mark: of what his answer confirms.
    """
    return LetterReader(
        address=address,
        game=game,
        reply_address=person_address(desk.office.key, desk.office.address, address, desk.now, mark),
        zone=zone_of(address, desk.books, desk.office),
    )


def zone_of(address: str, books: Repository, office: ServiceContext) -> ZoneInfo:
    """The time zone in which somebody lives, if he told and it still exists; else that of the service."""
    person = books.people.person(address)
    if person is None or not person.zone:
        return office.zone
    try:
        return ZoneInfo(person.zone)
    except (KeyError, ValueError, OSError):
        return office.zone
