"""The events of The Great War: one for each thing that is reported."""

from typing import Literal

from games.great_war.components import CardId, Nation, Pile
from games.great_war.model import AiDecision, AnyOrder, ExchangePair, How, Role
from games.protocol import Event, Seat
from games.record import Record

Phase = Literal["hands", "event", "round 1", "round 2", "bonus", "end"]


class TurnEvent(Event, frozen=True, kw_only=True):
    """Something of a Turn. phase: in which part of it; names: of cards that its owner calls otherwise."""

    turn: int
    phase: Phase
    names: dict[CardId, str] = {}


class EffectDone(Record, frozen=True, kw_only=True):
    """The effect of a card on another: cancelled, discarded or restored."""

    op: Literal["cancel", "discard_in_play", "restore"]
    card: CardId


class TurnBegan(TurnEvent, frozen=True, kw_only=True):
    """A Turn begins; role: the player's."""

    role: Role


class Exchanged(TurnEvent, frozen=True, kw_only=True):
    """White cards came in."""

    pairs: tuple[ExchangePair, ...]


class Rebuilt(TurnEvent, frozen=True, kw_only=True):
    """All cards but those captured were gathered and shuffled anew."""


class Hand(TurnEvent, frozen=True, kw_only=True):
    """The player's new hand: for his eyes only."""

    cards: tuple[CardId, ...]


class Drew(TurnEvent, frozen=True, kw_only=True):
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


class EventDrawn(TurnEvent, frozen=True, kw_only=True):
    """The Random Event of the Turn. waits: the player may still cancel it; seen by him alone if so."""

    card: CardId


class EventStopped(TurnEvent, frozen=True, kw_only=True):
    """A Random Event was cancelled with a card."""

    seat: Seat
    card: CardId
    by: CardId


class EventWorks(TurnEvent, frozen=True, kw_only=True):
    """A Random Event takes effect."""

    card: CardId


class EventWaits(TurnEvent, frozen=True, kw_only=True):
    """The player holds cards that could cancel the event: for his eyes only."""

    card: CardId
    by: tuple[CardId, ...]


class HandLost(TurnEvent, frozen=True, kw_only=True):
    """Cards left a hand at random, which ones is not told. cause: the card that did it."""

    seat: Seat
    count: int
    cause: CardId


class HandLostCards(TurnEvent, frozen=True, kw_only=True):
    """Which cards the player lost at random: for his eyes only."""

    cards: tuple[CardId, ...]


class Reinforced(TurnEvent, frozen=True, kw_only=True):
    """A side drew cards besides its hand."""

    seat: Seat
    pile: Pile
    count: int


class ReinforcedWith(TurnEvent, frozen=True, kw_only=True):
    """Which cards the player drew besides: for his eyes only."""

    cards: tuple[CardId, ...]


class Chose(TurnEvent, frozen=True, kw_only=True):
    """The AI's next play, and why. hand_open: whether the rest of its hand may be read off it."""

    why: AiDecision
    hand_open: bool = False


class CardLaid(TurnEvent, frozen=True, kw_only=True):
    """A card was laid. bp: its current Battle Points; link: what it was added to; done: what it did."""

    seat: Seat
    card: CardId
    how: How
    bp: int
    link: CardId | None = None
    done: tuple[EffectDone, ...] = ()


class LeaderStopped(TurnEvent, frozen=True, kw_only=True):
    """A leader was cancelled as it was laid, with a card that is spent. why: the AI's choice of it."""

    seat: Seat
    card: CardId
    by: CardId
    why: AiDecision | None = None


class Peeked(TurnEvent, frozen=True, kw_only=True):
    """The cards of the AI's hand that the player saw: for his eyes only."""

    by: CardId
    cards: tuple[CardId, ...]


class PassedRound(TurnEvent, frozen=True, kw_only=True):
    """A side laid nothing."""

    seat: Seat


class Totals(TurnEvent, frozen=True, kw_only=True):
    """The totals of both rows after a part of the Turn."""

    player: int
    ai: int


class LeftOut(TurnEvent, frozen=True, kw_only=True):
    """A part of the player's order was not possible. code, detail: as of an objection; for his eyes only."""

    code: str
    detail: dict[str, str] = {}


class Standing(TurnEvent, frozen=True, kw_only=True):
    """A standing order of the player's was noted: for his eyes only."""

    order: AnyOrder


class Blockaded(TurnEvent, frozen=True, kw_only=True):
    """A blockade took an enemy card at the end of the Turn."""

    seat: Seat
    by: CardId
    card: CardId


class TurnWon(TurnEvent, frozen=True, kw_only=True):
    """A Turn is over. winner None: the totals are level. captured: the loser's cards; saved: from capture."""

    winner: Seat | None
    player: int
    ai: int
    captured: tuple[CardId, ...] = ()
    saved: tuple[CardId, ...] = ()
    points: int = 0
    scores: tuple[int, int] = (0, 0)


class GoesOn(TurnEvent, frozen=True, kw_only=True):
    """The player's answer after Turn 5."""

    turns: int


class Ended(TurnEvent, frozen=True, kw_only=True):
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
