"""The report texts of The Great War: implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from games import close_up
from games.great_war import events as event_types
from games.great_war import map
from games.great_war.components import Book, CardId, book, plain_card, printed_rows, solo
from games.great_war.events import AnyEvent
from games.great_war.map import board_scene
from games.great_war.model import AI, PLAYER, View
from games.great_war.notation import NOTATION
from games.great_war.phrases import advice, because, join_words, reproach
from games.great_war.tables import tables
from games.protocol import (
    Advice,
    Concern,
    EventPlaces,
    MapRegion,
    Objection,
    ReportLine,
    ReportTable,
    Seat,
    Telling,
)
from games.record import replace_fields

PHASE_TITLES: Mapping[event_types.Phase, str] = {
    "hands": "The hands",
    "event": "Random Event",
    "round 1": "Combat Round 1",
    "round 2": "Combat Round 2",
    "bonus": "Bonus phase",
    "end": "End of the Turn",
}
"""The names of the parts of a Turn."""

_SEAT_TITLES = {PLAYER: "You", AI: "The AI"}


class GreatWarTelling(Telling[View, AnyEvent]):
    """The report texts of a game."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence, under its part of the Turn."""
        heading = f"Turn {event.turn}, {PHASE_TITLES[event.phase]}"
        text = _sentence(event, event_book(event))
        if not text:
            return None
        left_out, chose = isinstance(event, event_types.LeftOut), isinstance(event, event_types.Chose)
        return ReportLine(heading=heading, text=text, failed=left_out, why=chose)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a description of the game, and the side that the seat plays."""
        return setting(view)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return how the campaign or the Turn ended, otherwise the totals on the table."""
        for kind, write_headline in _HEADLINES:
            matches = [event for event in events if isinstance(event, kind)]
            if matches:
                return write_headline(matches[-1])
        return "The Great War begins."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the table, the hand, the score and the decks."""
        return tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """Return the context of board.svg."""
        return board_scene(view, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every card on the table with its owner and its value."""
        return map.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return the place of an event."""
        return map.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return advice(remark, view.book, view.round)


def event_book(event: event_types.TurnEvent) -> Book:
    """Return the cards by which an event is told: ours, under the names that their owner gives them."""
    ours = book()
    if not event.names:
        return ours
    theirs = {card_id: replace_fields(ours[card_id], name=name) for card_id, name in event.names.items()}
    return replace_fields(ours, cards={**ours.cards, **theirs})


def _sentence(event: AnyEvent, card_book: Book) -> str | None:
    match event:
        case event_types.TurnBegan():
            return None
        case event_types.Exchanged():
            return _exchange_text(event, card_book)
        case event_types.Rebuilt():
            return "All cards except captured ones were shuffled again."
        case event_types.Hand():
            return f"Your hand: {_card_names(card_book, event.cards)}."
        case event_types.Drew():
            return _draw_text(event, card_book)
        case event_types.EventDrawn():
            return f"{card_book.full_name(event.card)} was drawn."
        case event_types.EventStopped():
            return _event_stopped_text(event, card_book)
        case event_types.EventWorks():
            return f"{card_book.full_name(event.card)} takes effect."
        case event_types.EventWaits():
            stop = f"CANCEL EVENT WITH {event.by[0]}"
            return f"It takes effect in your Round 1, unless you cancel it with {stop}."
        case event_types.HandLost():
            return _hand_lost_text(event, card_book)
        case event_types.HandLostCards():
            return f"You lost {_card_names(card_book, event.cards)}."
        case event_types.Reinforced():
            cards = f"{event.count} card{'s' * (event.count != 1)}"
            return f"{_SEAT_TITLES[event.seat]} also drew {cards} from the {event.pile} deck."
        case event_types.ReinforcedWith():
            return f"You drew {_card_names(card_book, event.cards)}."
        case event_types.Chose():
            return _choice_text(event, card_book)
        case event_types.CardLaid():
            return _card_laid_text(event, card_book)
        case event_types.LeaderStopped():
            return _leader_stopped_text(event, card_book)
        case event_types.Peeked():
            return f"{event.by} shows you the AI's hand: {_card_names(card_book, event.cards)}."
        case event_types.PassedRound():
            return f"{_SEAT_TITLES[event.seat]} played no cards."
        case event_types.Totals():
            return f"You have {event.player} Battle Points, the AI has {event.ai}."
        case event_types.LeftOut():
            return reproach(event.code, event.detail, card_book)
        case event_types.Standing():
            return f"Saved: {NOTATION.write(event.order)}."
        case event_types.Blockaded():
            return _blockade_text(event, card_book)
        case event_types.TurnWon():
            return _turn_won_text(event, card_book)
        case event_types.GoesOn():
            on = event.turns == 10
            return "The campaign continues to Turn 10." if on else "The campaign ends after Turn 5."
        case event_types.Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _card_names(card_book: Book, cards: Sequence[CardId]) -> str:
    return join_words([card_book.full_name(card_id) for card_id in cards])


def _exchange_text(event: event_types.Exchanged, card_book: Book) -> str:
    pairs = [
        f"{card_book.full_name(pair.white)} for {card_book.full_name(pair.for_)}" for pair in event.pairs
    ]
    return f"Exchanged: {join_words(pairs)}."


def _event_stopped_text(event: event_types.EventStopped, card_book: Book) -> str:
    event_card, stopping_card = card_book.full_name(event.card), card_book.full_name(event.by)
    return f"{_SEAT_TITLES[event.seat]} cancelled {event_card} with {stopping_card}."


def _blockade_text(event: event_types.Blockaded, card_book: Book) -> str:
    blockade, taken_card = card_book.full_name(event.by), card_book.full_name(event.card)
    return f"{_SEAT_TITLES[event.seat]} took {taken_card} with the blockade {blockade}."


def _draw_text(event: event_types.Drew, card_book: Book) -> str:
    parts = f"{event.neutral} Neutral, {event.nationality} Nationality, {event.bonus} Bonus"
    if event.seat == PLAYER:
        return f"You drew {parts}."
    text = f"The AI rolled {event.die} for its hand: {parts}"
    if event.placed:
        text += f", after playing {_card_names(card_book, event.placed)} face-up"
    if event.redrawn:
        text += f". It discarded {_card_names(card_book, event.redrawn)} and drew other Neutral cards"
    return f"{text}."


def _hand_lost_text(event: event_types.HandLost, card_book: Book) -> str:
    cards = "a card" if event.count == 1 else f"{event.count} cards"
    return (
        f"{_SEAT_TITLES[event.seat]} lost {cards} from hand at random to {card_book.full_name(event.cause)}."
    )


def _card_laid_text(event: event_types.CardLaid, card_book: Book) -> str:
    how = {
        "placed": "on the table from the start",
        "opening": "played",
        "base": "played",
        "plus": f"added to {event.link}",
        "led": f"led by {event.link}",
        "with_leader": f"played with {event.link}",
        "bonus_phase": "played",
    }[event.how]
    text = f"{_SEAT_TITLES[event.seat]}: {card_book.full_name(event.card)}, {how}, {event.bp} BP"
    done = [f"{_EFFECT_VERBS[effect.op]} {card_book.full_name(effect.card)}" for effect in event.done]
    return f"{text}; {join_words(done)}." if done else f"{text}."


_EFFECT_VERBS = {"cancel": "cancels", "discard_in_play": "discards", "restore": "turns up"}


def _choice_text(event: event_types.Chose, card_book: Book) -> str:
    why = because(event.why, card_book, event.hand_open)
    return why and f"The AI's reason: {why}"


def _leader_stopped_text(event: event_types.LeaderStopped, card_book: Book) -> str:
    if event.why is not None:
        return because(event.why, card_book)
    return f"You cancelled the leader {card_book.full_name(event.card)} with {card_book.full_name(event.by)}."


def _turn_won_text(event: event_types.TurnWon, card_book: Book) -> str:
    totals = f"You have {event.player} Battle Points, the AI has {event.ai}"
    if event.winner is None:
        return f"{totals}. The Turn is a tie, and no cards are captured."
    mine, theirs = event.scores
    scores = f"Captured so far: {mine} BP by you, {theirs} by the AI."
    what = f"{_card_names(card_book, event.captured)}, {event.points} BP" if event.captured else "nothing"
    saved = f" Saved from capture: {_card_names(card_book, event.saved)}." if event.saved else ""
    return f"{totals}. {_wins(event.winner)} the Turn and {_captures(event.winner)} {what}.{saved} {scores}"


def _wins(seat: Seat) -> str:
    return "You win" if seat == PLAYER else "The AI wins"


def _captures(seat: Seat) -> str:
    return "capture" if seat == PLAYER else "captures"


def _end_text(event: event_types.Ended) -> str:
    mine, theirs = event.scores
    why = "" if event.exhausted is None else f"There are no {event.exhausted.title()} cards left to draw. "
    if event.winner is None:
        return f"{why}The campaign is a draw: you captured {mine} BP, the AI {theirs}."
    level = f"{'an' if event.level[0] in 'aeiou' else 'a'} {event.level} victory"
    return f"{why}{_wins(event.winner)} {level}: you captured {mine} BP, the AI {theirs}."


_HEADLINES: tuple[tuple[type[event_types.TurnEvent], Callable[[Any], str]], ...] = (
    (event_types.Ended, _end_text),
    (event_types.TurnWon, lambda event: _headline(event)),
    (
        event_types.Totals,
        lambda event: f"Turn {event.turn}: you have {event.player} Battle Points, the AI has {event.ai}.",
    ),
    (event_types.TurnBegan, lambda event: f"Turn {event.turn}: you {event.role}."),
)
"""The events that make a headline, the most important first."""


def _headline(event: event_types.TurnWon) -> str:
    mine, theirs = event.scores
    if event.winner is None:
        won = f"Turn {event.turn} is a tie at {event.player} Battle Points"
    else:
        took = f" and {_captures(event.winner)} {event.points} BP" if event.points else ""
        high, low = max(event.player, event.ai), min(event.player, event.ai)
        won = f"{_wins(event.winner)} Turn {event.turn} by {high} to {low}{took}"
    return f"{won}. Captured so far: {mine} by you, {theirs} by the AI."


# The Great War in a few sentences for a new player: goal, length, special rules.


def setting(view: View) -> str:
    """Return a description of the game, and the side that the player leads."""
    side = {"entente": "the Allies", "central": "the Central Powers"}[view.armies[PLAYER].nation]
    return (
        "The trenches of 1914 to 1918 as a card game. You play alone against an AI that follows the "
        f"publisher's solitaire rules. You lead {side}."
    )


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal, the length, what is special, and how much of the data is assumed."""
    levels = [f"{level.name} from {level.low}" for level in solo().victory_levels if level.low]
    ours = {row.id: plain_card(row) for row in printed_rows()}
    theirs = {card.id for card in view.changes if card != ours[card.id]}
    rows = [row for row in printed_rows() if row.id not in theirs]
    counted = [
        (f"cards for {what}", (sum(row.provenance.get(field) == "A" for row in rows), len(rows)))
        for field, what in (("bp", "Battle Points"), ("effects", "effects"))
    ]
    return (
        "To win a Turn, have more Battle Points face-up than the AI. You then capture the AI's high cards. "
        f"The captured points decide the campaign: {', '.join(levels)} more than the AI is a victory.",
        f"A campaign lasts {view.length} Turns (or {solo().turns.long}, with TURNS {solo().turns.long}). "
        "Each Turn has two Combat Rounds and a Bonus phase, so it takes two or three emails.",
        "You add cards to other cards by links. The list of your hand shows what each card links to. "
        "You attack in odd Turns and defend in even ones.",
        f"The rules are the publisher's, but {close_up.describe_counts(counted)}.",
    )
