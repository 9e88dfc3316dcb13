"""The actions of people besides playing: values that the database carries out, by letter or by `gm`."""

from adjudicator.clock import Millis
from adjudicator.model.letter_choice import Detail, Digest, Every, LetterChoice, Maps, Reasons, Sheets
from adjudicator.model.password_guesses import Guesses
from adjudicator.model.people import (
    Absence,
    GameOffer,
    GamePolicy,
    Person,
    Poster,
    Press,
    Request,
    Signup,
    Vote,
)
from games.protocol import Seat
from games.record import Record


class PersonAction(Record, frozen=True, kw_only=True, tag=True):
    """Anything that can be done about people: one of `AnyPersonAction`. by: who; why: for the log."""

    by: str
    why: str = ""


class NotePerson(PersonAction, frozen=True, kw_only=True):
    """Somebody says who he is, or in which zone he lives: all that is known of him from now on."""

    person: Person


class ChooseLetters(PersonAction, frozen=True, kw_only=True):
    """The player of a seat chooses what its letters are like. None: as before."""

    game: str
    seat: Seat
    address: str
    detail: Detail | None = None
    reasons: Reasons | None = None
    every: Every | None = None
    maps: Maps | None = None
    sheets: Sheets | None = None


class KeepChoice(PersonAction, frozen=True, kw_only=True):
    """The choice of a player is this from now on, replacing any other."""

    game: str
    choice: LetterChoice


class NoteUntold(PersonAction, frozen=True, kw_only=True):
    """From which entry of the log on a seat's player is still to be told; None: he has been told all."""

    game: str
    seat: Seat
    address: str
    untold: int | None


class ChooseDigest(PersonAction, frozen=True, kw_only=True):
    """Somebody gets a digest so often from now on, the first at the next hour for it."""

    address: str
    digest: Digest
    at: Millis


class NoteDigest(PersonAction, frozen=True, kw_only=True):
    """It was looked whether somebody's digest is to be written. before: when that was last done."""

    address: str
    before: Millis
    at: Millis


class SignUp(PersonAction, frozen=True, kw_only=True):
    """Somebody wants to play in a game; if he does already, his wishes are what they are now."""

    signup: Signup


class SignOut(PersonAction, frozen=True, kw_only=True):
    """Somebody no longer wants to play in a game, or waits for a seat of it."""

    game: str
    address: str


class Watch(PersonAction, frozen=True, kw_only=True):
    """Somebody watches a game from now on, or no longer does."""

    game: str
    address: str
    watches: bool = True


class SetCustoms(PersonAction, frozen=True, kw_only=True):
    """The policy of a game is this from now on."""

    game: str
    customs: GamePolicy


class MakeOffer(PersonAction, frozen=True, kw_only=True):
    """A game waits for people."""

    offer: GameOffer
    at: Millis


class DropOffer(PersonAction, frozen=True, kw_only=True):
    """A game no longer waits for people; who has signed up is forgotten with it."""

    name: str


class OfferSeat(PersonAction, frozen=True, kw_only=True):
    """A seat of a running game may be taken by anybody, those on the waiting list first of all."""

    game: str
    seat: Seat
    at: Millis


class FillSeat(PersonAction, frozen=True, kw_only=True):
    """A seat that might be taken is so no longer. must: it has to be free until now, or nothing is done."""

    game: str
    seat: Seat
    must: bool = False


class CastVote(PersonAction, frozen=True, kw_only=True):
    """A seat agrees to an end of the game, in the turn named."""

    game: str
    turn: str
    vote: Vote


class TakeVoteBack(PersonAction, frozen=True, kw_only=True):
    """A seat no longer agrees to an end of the game."""

    game: str
    seat: Seat


class NoteAbsence(PersonAction, frozen=True, kw_only=True):
    """A player will be away; what he said before is void. absence None: he is here after all."""

    game: str
    seat: Seat
    absence: Absence | None


class SendPress(PersonAction, frozen=True, kw_only=True):
    """Somebody writes to others. key: names it for ever, so that it is sent once."""

    game: str
    press: Press
    key: str


class HoldPress(PersonAction, frozen=True, kw_only=True):
    """Press waits for a reader, to go out together with more. key: of the press; at: since when."""

    game: str
    key: str
    reader: str
    at: Millis


class ReleasePress(PersonAction, frozen=True, kw_only=True):
    """Press that waited for a reader goes out. keys: of the press; it has to wait until now."""

    game: str
    keys: tuple[str, ...]
    reader: str


class KnowPoster(PersonAction, frozen=True, kw_only=True):
    """It is known who posts for a seat. before: how many words had been used up until now."""

    game: str
    poster: Poster
    before: int


class ForgetPoster(PersonAction, frozen=True, kw_only=True):
    """The poster of a seat no longer posts for it."""

    game: str
    seat: Seat


class Invite(PersonAction, frozen=True, kw_only=True):
    """Somebody is written to who may like to play in a game. The letter is all there is to it."""

    game: str
    address: str


def invitation_key(game: str, address: str) -> str:
    """The key of the one letter that invites an address to a game."""
    return f"{game}/invite/{address}"


def refusal_key(address: str) -> str:
    """The key of the letter to somebody who wants no invitations: it stands for that."""
    return f"no-invitations/{address}"


class TellGamesmaster(PersonAction, frozen=True, kw_only=True):
    """The GM is sent an email, which is all there is to it. key: names it for ever: it is sent once."""

    key: str
    subject: str
    paragraphs: tuple[str, ...]


QUESTION = "meant-for-us/"
"""The keys of emails begin so that ask a player about an email: if it was meant for us, or is theirs."""


class AskBack(PersonAction, frozen=True, kw_only=True):
    """Something is asked by somebody for whom nothing vouches: it waits for his answer, as others may."""

    request: Request


class NoteGuesses(PersonAction, frozen=True, kw_only=True):
    """The guesses counted at a seat's password from now on. before: the count stored until now."""

    game: str
    seat: Seat
    before: Guesses
    after: Guesses


class NoteCopyWarning(PersonAction, frozen=True, kw_only=True):
    """The player of a seat was told that a copy of an email shows others the reply address."""

    game: str
    seat: Seat
    address: str


class Answered(PersonAction, frozen=True, kw_only=True):
    """A request that waited for an answer under a mark waits no longer."""

    address: str
    mark: str


class NoteSignature(PersonAction, frozen=True, kw_only=True):
    """An email that bears a signature was taken: what is signed in it counts in no other.

    content: the hash of what is signed; letter: the fingerprint of the email; at: when it was read.
    """

    content: str
    letter: str
    at: Millis


class ConfirmEmail(PersonAction, frozen=True, kw_only=True):
    """An email that waits is read after all, since its writer said yes. letter: its fingerprint."""

    letter: str
    game: str
    seat: Seat
    at: Millis


AnyPersonAction = (
    NotePerson
    | ChooseLetters
    | KeepChoice
    | NoteUntold
    | ChooseDigest
    | NoteDigest
    | SignUp
    | SignOut
    | Watch
    | SetCustoms
    | MakeOffer
    | DropOffer
    | OfferSeat
    | FillSeat
    | CastVote
    | TakeVoteBack
    | NoteAbsence
    | SendPress
    | HoldPress
    | ReleasePress
    | KnowPoster
    | ForgetPoster
    | Invite
    | TellGamesmaster
    | AskBack
    | NoteGuesses
    | NoteCopyWarning
    | Answered
    | NoteSignature
    | ConfirmEmail
)
