"""A seat's player as the reader of a letter of ours, with the reply token of the present turn."""

import games
from adjudicator.addresses import reply_address, reply_token
from adjudicator.ledger import Chair, Position
from adjudicator.office import Office
from adjudicator.reports.letters import Reader


def reader_of(
    position: Position, chair: Chair, address: str, thread: tuple[str, ...], office: Office
) -> Reader:
    """Who reads a letter for a seat. address: where it goes; thread: our last letters there, oldest first."""
    turn = games.kinds()[position.kind].rules.turn(position.state).short
    token = reply_token(office.key, position.name, chair.seat, chair.generation, turn)
    return Reader(
        address=address,
        game=position.name,
        seat=chair.seat,
        turn=turn,
        token=token,
        reply_address=reply_address(office.address, position.name, chair.seat, token),
        generation=chair.generation,
        zone=office.zone,
        thread=thread,
    )
