"""What a command is carried out on, and what comes of it."""

from dataclasses import dataclass

from adjudicator.clerk.identity import Seated
from adjudicator.clock import Millis
from adjudicator.ledger import AnyAct, Books
from adjudicator.office import Office
from adjudicator.reports.transcript import Answer
from games.protocol import Game


@dataclass(frozen=True)
class Case:
    """A letter of a seat that asks for something. begun: the games that this letter has begun already."""

    game: Game
    seated: Seated
    office: Office
    books: Books
    sender: str
    received: Millis
    begun: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """Where answers go.

        A token shows that somebody saw our letter, not that he is its reader: they go to the seat's own
        address. A password shows who writes.
        """
        return answering(self.seated, self.sender)

    @property
    def turn(self) -> str:
        """The short name of the game's present turn."""
        return self.game.rules.turn(self.seated.position.state).short


def answering(seated: Seated, sender: str) -> str:
    """The address to which the answer to a letter of a seat goes."""
    return sender if seated.how == "password" else seated.chair.address or sender


@dataclass(frozen=True)
class Done:
    """What comes of a command: acts, sentences for the answer, blocks of text.

    wait, ready: what the seat says of this turn from now on (None: nothing new); clears: whether all orders
    on file are withdrawn.
    """

    acts: tuple[AnyAct, ...] = ()
    notes: tuple[str, ...] = ()
    answered: tuple[Answer, ...] = ()
    wait: bool | None = None
    ready: bool | None = None
    clears: bool = False
