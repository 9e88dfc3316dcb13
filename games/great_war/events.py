"""What happens in The Great War: one event for each thing that is told."""

from typing import Literal

from games.great_war.components import CardId, Nation, Pile
from games.great_war.model import AnyOrder, How, Pair, Role, Weighed
from games.protocol import Event, Seat
from games.record import Record

Phase = Literal["hands", "event", "round 1", "round 2", "bonus", "end"]


class Tale(Event, frozen=True, kw_only=True):
    """Something of a Turn. phase: in which part of it; names: of cards that its owner calls otherwise."""

    turn: int
    phase: Phase
    names: dict[CardId, str] = {}


class Done(Record, frozen=True, kw_only=True):
    """What a card did to another: cancelled, discarded or restored it."""

    op: Literal["cancel", "discard_in_play", "restore"]
    card: CardId


class TurnBegan(Tale, frozen=True, kw_only=True):
    """A Turn begins; role: the player's."""

    role: Role


class Exchanged(Tale, frozen=True, kw_only=True):
    """White cards came in."""

    pairs: tuple[Pair, ...]


class Rebuilt(Tale, frozen=True, kw_only=True):
    """All cards but those captured were gathered and shuffled anew."""


class Hand(Tale, frozen=True, kw_only=True):
    """The player's new hand: for his eyes only."""

    cards: tuple[CardId, ...]


class Drew(Tale, frozen=True, kw_only=True):
    """A side has drawn a hand, so many cards from each deck. die: of the AI; placed: laid at once for it.

    redrawn: what it had to throw away for other cards.
    """

    seat: Seat
    neutral: int
    nationality: int
    bonus: int
    die: int = 0
    placed: tuple[CardId, ...] = ()
    redrawn: tuple[CardId, ...] = ()


class EventDrawn(Tale, frozen=True, kw_only=True):
    """The Random Event of the Turn. waits: the player may still cancel it; seen by him alone if so."""

    card: CardId


class EventStopped(Tale, frozen=True, kw_only=True):
    """A Random Event was cancelled with a card."""

    seat: Seat
    card: CardId
    by: CardId


class EventWorks(Tale, frozen=True, kw_only=True):
    """A Random Event takes effect."""

    card: CardId


class EventWaits(Tale, frozen=True, kw_only=True):
    """The player holds cards that could cancel the event: for his eyes only."""

    card: CardId
    by: tuple[CardId, ...]


class HandLost(Tale, frozen=True, kw_only=True):
    """Cards left a hand at random, which ones is not told. cause: the card that did it."""

    seat: Seat
    count: int
    cause: CardId


class HandLostCards(Tale, frozen=True, kw_only=True):
    """Which cards the player lost at random: for his eyes only."""

    cards: tuple[CardId, ...]


class Reinforced(Tale, frozen=True, kw_only=True):
    """A side drew cards besides its hand."""

    seat: Seat
    pile: Pile
    count: int


class ReinforcedWith(Tale, frozen=True, kw_only=True):
    """Which cards the player drew besides: for his eyes only."""

    cards: tuple[CardId, ...]


class Chose(Tale, frozen=True, kw_only=True):
    """What the AI plays next, and why. hand_open: whether what it holds besides may be read off it."""

    why: Weighed
    hand_open: bool = False


class CardLaid(Tale, frozen=True, kw_only=True):
    """A card was laid. bp: its current Battle Points; link: what it was added to; done: what it did."""

    seat: Seat
    card: CardId
    how: How
    bp: int
    link: CardId | None = None
    done: tuple[Done, ...] = ()


class LeaderStopped(Tale, frozen=True, kw_only=True):
    """A leader was cancelled as it was laid, with a card that is spent. why: the AI's choice of it."""

    seat: Seat
    card: CardId
    by: CardId
    why: Weighed | None = None


class Peeked(Tale, frozen=True, kw_only=True):
    """What the player saw of the AI's hand: for his eyes only."""

    by: CardId
    cards: tuple[CardId, ...]


class PassedRound(Tale, frozen=True, kw_only=True):
    """A side laid nothing."""

    seat: Seat


class Totals(Tale, frozen=True, kw_only=True):
    """How both rows stand after a part of the Turn."""

    player: int
    ai: int


class LeftOut(Tale, frozen=True, kw_only=True):
    """A part of the player's order was not possible. code, detail: as of an objection; for his eyes only."""

    code: str
    detail: dict[str, str] = {}


class Standing(Tale, frozen=True, kw_only=True):
    """A standing order of the player's was noted: for his eyes only."""

    order: AnyOrder


class Blockaded(Tale, frozen=True, kw_only=True):
    """A blockade took an enemy card at the end of the Turn."""

    seat: Seat
    by: CardId
    card: CardId


class TurnWon(Tale, frozen=True, kw_only=True):
    """A Turn is over. winner None: the totals are level. captured: the loser's cards; saved: from capture."""

    winner: Seat | None
    player: int
    ai: int
    captured: tuple[CardId, ...] = ()
    saved: tuple[CardId, ...] = ()
    points: int = 0
    scores: tuple[int, int] = (0, 0)


class GoesOn(Tale, frozen=True, kw_only=True):
    """The player's answer after Turn 5."""

    turns: int


class Ended(Tale, frozen=True, kw_only=True):
    """The campaign is over. level: of the victory; scores: the player's and the AI's captured points.

    exhausted: the nation whose deck could not be built again.
    """

    winner: Seat | None
    level: str
    scores: tuple[int, int]
    exhausted: Nation | None = None


AnyEvent = (
    TurnBegan | Exchanged | Rebuilt | Hand | Drew | EventDrawn | EventStopped | EventWorks | EventWaits
    | HandLost | HandLostCards | Reinforced | ReinforcedWith | Chose | CardLaid | LeaderStopped | Peeked
    | PassedRound | Totals | LeftOut | Standing | Blockaded | TurnWon | GoesOn | Ended
)  # fmt: skip
