"""The events of The Great War, which reports turn into sentences."""

from typing import Literal

from games.great_war.components import CardId, Nation, Pile
from games.great_war.model import AiDecision, AnyOrder, ExchangePair, How, Role
from games.protocol import Event, Seat
from games.record import Record

Phase = Literal["hands", "event", "round 1", "round 2", "bonus", "end"]


class TurnEvent(Event, frozen=True, kw_only=True):
    """An event of a Turn.

    phase: the part of the Turn; names: the names of cards that its owner has changed.
    """

    turn: int
    phase: Phase
    names: dict[CardId, str] = {}


class EffectDone(Record, frozen=True, kw_only=True):
    """The effect of a card on another card, which was cancelled, discarded or restored."""

    op: Literal["cancel", "discard_in_play", "restore"]
    card: CardId


class TurnBegan(TurnEvent, frozen=True, kw_only=True):
    """A Turn began. role: the player's role in it."""

    role: Role


class Exchanged(TurnEvent, frozen=True, kw_only=True):
    """White cards were exchanged for other cards."""

    pairs: tuple[ExchangePair, ...]


class Rebuilt(TurnEvent, frozen=True, kw_only=True):
    """All cards except captured ones were gathered and shuffled again."""


class Hand(TurnEvent, frozen=True, kw_only=True):
    """The player's new hand. Only the player sees it."""

    cards: tuple[CardId, ...]


class Drew(TurnEvent, frozen=True, kw_only=True):
    """A side drew a hand with this number of cards from each deck.

    die: the AI's roll; placed: the cards that the AI played at once; redrawn: the cards that the AI had to
    discard and replace.
    """

    seat: Seat
    neutral: int
    nationality: int
    bonus: int
    die: int = 0
    placed: tuple[CardId, ...] = ()
    redrawn: tuple[CardId, ...] = ()


class EventDrawn(TurnEvent, frozen=True, kw_only=True):
    """A Random Event was drawn."""

    card: CardId


class EventStopped(TurnEvent, frozen=True, kw_only=True):
    """A Random Event was cancelled with a card."""

    seat: Seat
    card: CardId
    by: CardId


class EventWorks(TurnEvent, frozen=True, kw_only=True):
    """A Random Event took effect."""

    card: CardId


class EventWaits(TurnEvent, frozen=True, kw_only=True):
    """The player has cards that can cancel the event. Only the player sees it."""

    card: CardId
    by: tuple[CardId, ...]


class HandLost(TurnEvent, frozen=True, kw_only=True):
    """A hand lost cards at random, which aren't named. cause: the card that did it."""

    seat: Seat
    count: int
    cause: CardId


class HandLostCards(TurnEvent, frozen=True, kw_only=True):
    """The cards that the player lost at random. Only the player sees it."""

    cards: tuple[CardId, ...]


class Reinforced(TurnEvent, frozen=True, kw_only=True):
    """A side drew cards in addition to its hand."""

    seat: Seat
    pile: Pile
    count: int


class ReinforcedWith(TurnEvent, frozen=True, kw_only=True):
    """The cards that the player drew in addition to the hand. Only the player sees it."""

    cards: tuple[CardId, ...]


class Chose(TurnEvent, frozen=True, kw_only=True):
    """The AI's next play, and the reason. hand_open: whether the reason may reveal the rest of its hand."""

    why: AiDecision
    hand_open: bool = False


class BonusRolled(TurnEvent, frozen=True, kw_only=True):
    """The AI's dice in the Bonus phase: none if it had no card to roll for.

    called: the kind of card that they called for; card: the card that it plays. Everyone sees the dice.
    """

    dice: tuple[int, ...] = ()
    called: Literal["bonus", "joker"] | None = None
    card: CardId | None = None


class CardLaid(TurnEvent, frozen=True, kw_only=True):
    """A card was played.

    bp: its current Battle Points; link: the card it was added to; done: its effects on other cards.
    """

    seat: Seat
    card: CardId
    how: How
    bp: int
    link: CardId | None = None
    done: tuple[EffectDone, ...] = ()


class LeaderStopped(TurnEvent, frozen=True, kw_only=True):
    """A leader was cancelled when it was played, with a card from the enemy's hand.

    why: the AI's reason for its choice of the card, None if the player cancelled the leader.
    """

    seat: Seat
    card: CardId
    by: CardId
    why: AiDecision | None = None


class Peeked(TurnEvent, frozen=True, kw_only=True):
    """The cards of the AI's hand that the player saw. Only the player sees it."""

    by: CardId
    cards: tuple[CardId, ...]


class PassedRound(TurnEvent, frozen=True, kw_only=True):
    """A side played no cards in a Combat Round."""

    seat: Seat


class Totals(TurnEvent, frozen=True, kw_only=True):
    """The totals of both rows after a part of the Turn."""

    player: int
    ai: int


class LeftOut(TurnEvent, frozen=True, kw_only=True):
    """A part of the player's order wasn't possible. Only the player sees it.

    code, detail: as in an objection.
    """

    code: str
    detail: dict[str, str] = {}


class Standing(TurnEvent, frozen=True, kw_only=True):
    """A standing order of the player was saved. Only the player sees it."""

    order: AnyOrder


class Blockaded(TurnEvent, frozen=True, kw_only=True):
    """A blockade took an enemy card at the end of the Turn."""

    seat: Seat
    by: CardId
    card: CardId


class TurnWon(TurnEvent, frozen=True, kw_only=True):
    """A Turn ended. If winner is None, the totals are equal.

    captured: the loser's cards that the winner captured; saved: the loser's cards that were saved from
    capture; scores: the captured points of the player and of the AI so far.
    """

    winner: Seat | None
    player: int
    ai: int
    captured: tuple[CardId, ...] = ()
    saved: tuple[CardId, ...] = ()
    points: int = 0
    scores: tuple[int, int] = (0, 0)


class GoesOn(TurnEvent, frozen=True, kw_only=True):
    """The player chose after Turn 5 whether the campaign continues."""

    turns: int


class Ended(TurnEvent, frozen=True, kw_only=True):
    """The campaign ended.

    level: the level of victory; scores: the captured points of the player and of the AI; exhausted: the
    nation whose deck and discard pile are empty.
    """

    winner: Seat | None
    level: str
    scores: tuple[int, int]
    exhausted: Nation | None = None


HandEvent = Hand | Drew | HandLost | HandLostCards | Reinforced | ReinforcedWith | Peeked
"""The events about the cards in a hand."""

RandomEvent = EventDrawn | EventStopped | EventWorks | EventWaits
"""The events about the Random Event of the Turn."""

AnyEvent = (
    TurnBegan | Exchanged | Rebuilt | Hand | Drew | EventDrawn | EventStopped | EventWorks | EventWaits
    | HandLost | HandLostCards | Reinforced | ReinforcedWith | Chose | BonusRolled | CardLaid | LeaderStopped
    | Peeked | PassedRound | Totals | LeftOut | Standing | Blockaded | TurnWon | GoesOn | Ended
)  # fmt: skip
