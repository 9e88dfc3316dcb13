"""The Great War in words: implements `protocol.Telling`."""

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
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat
from games.protocol.optional import EventPlaces, MapRegion
from games.record import replace_fields

PHASE_TITLES: Mapping[event_types.Phase, str] = {
    "hands": "The hands",
    "event": "Random Event",
    "round 1": "Combat Round 1",
    "round 2": "Combat Round 2",
    "bonus": "Bonus phase",
    "end": "End of the Turn",
}
"""What the parts of a Turn are called."""

_SEAT_TITLES = {PLAYER: "The player", AI: "The AI"}


class GreatWarTelling:
    """The words."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence, under the part of the Turn in which it happened."""
        heading = f"Turn {event.turn}, {PHASE_TITLES[event.phase]}"
        text = _sentence(event, event_book(event))
        if not text:
            return None
        left_out, chose = isinstance(event, event_types.LeftOut), isinstance(event, event_types.Chose)
        return ReportLine(heading=heading, text=text, failed=left_out, why=chose)

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and the side that the seat plays."""
        return setting(view)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return how the campaign or the Turn ended, else the totals of the rows."""
        for kind, write_headline in _HEADLINES:
            matches = [event for event in events if isinstance(event, kind)]
            if matches:
                return write_headline(matches[-1])
        return "The Great War begins."

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """The table, the hand, the score, the decks."""
        return tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """Return the context of board.svg."""
        return board_scene(view, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Every card on the table: whose it is, and what it is worth."""
        return map.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return map.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
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
            return "All cards but those captured were gathered and shuffled anew."
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
            return f"It waits for your Round 1: with {stop} it has no effect, else it has."
        case event_types.HandLost():
            return _hand_lost_text(event, card_book)
        case event_types.HandLostCards():
            return f"You lost {_card_names(card_book, event.cards)}."
        case event_types.Reinforced():
            cards = f"{event.count} card{'s' * (event.count != 1)}"
            return f"{_SEAT_TITLES[event.seat]} drew {cards} of the {event.pile} deck besides."
        case event_types.ReinforcedWith():
            return f"You drew {_card_names(card_book, event.cards)}."
        case event_types.Chose():
            return _choice_text(event, card_book)
        case event_types.CardLaid():
            return _card_laid_text(event, card_book)
        case event_types.LeaderStopped():
            return _leader_stopped_text(event, card_book)
        case event_types.Peeked():
            return f"By {event.by} you see the AI's hand: {_card_names(card_book, event.cards)}."
        case event_types.PassedRound():
            return f"{_SEAT_TITLES[event.seat]} lays nothing."
        case event_types.Totals():
            return f"Now {event.player} BP of the player's lie against {event.ai} of the AI's."
        case event_types.LeftOut():
            return reproach(event.code, event.detail, card_book)
        case event_types.Standing():
            return f"Noted: {NOTATION.write(event.order)}."
        case event_types.Blockaded():
            return _blockade_text(event, card_book)
        case event_types.TurnWon():
            return _turn_won_text(event, card_book)
        case event_types.GoesOn():
            on = event.turns == 10
            return "The campaign goes on to Turn 10." if on else "The campaign stops after Turn 5."
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
    return f"{_SEAT_TITLES[event.seat]}: the blockade {blockade} takes {taken_card}."


def _draw_text(event: event_types.Drew, card_book: Book) -> str:
    parts = f"{event.neutral} Neutral, {event.nationality} Nationality, {event.bonus} Bonus"
    if event.seat == PLAYER:
        return f"The player drew {parts}."
    text = f"The AI threw {event.die} for its hand: {parts}"
    if event.placed:
        text += f", after laying {_card_names(card_book, event.placed)} face-up"
    if event.redrawn:
        text += f"; {_card_names(card_book, event.redrawn)} went to the discards for other Neutral cards"
    return f"{text}."


def _hand_lost_text(event: event_types.HandLost, card_book: Book) -> str:
    cards = "a card" if event.count == 1 else f"{event.count} cards"
    return (
        f"{_SEAT_TITLES[event.seat]} lost {cards} of the hand at random, by "
        f"{card_book.full_name(event.cause)}."
    )


def _card_laid_text(event: event_types.CardLaid, card_book: Book) -> str:
    how = {
        "placed": "lies there from the start",
        "opening": "laid",
        "base": "laid",
        "plus": f"added to {event.link}",
        "led": f"led by {event.link}",
        "with_leader": f"laid with {event.link}",
        "bonus_phase": "laid",
    }[event.how]
    text = f"{_SEAT_TITLES[event.seat]}: {card_book.full_name(event.card)}, {how}, {event.bp} BP"
    done = [f"{_EFFECT_VERBS[effect.op]} {card_book.full_name(effect.card)}" for effect in event.done]
    return f"{text}; {join_words(done)}." if done else f"{text}."


_EFFECT_VERBS = {"cancel": "cancels", "discard_in_play": "discards", "restore": "turns up"}


def _choice_text(event: event_types.Chose, card_book: Book) -> str:
    why = because(event.why, card_book, event.hand_open)
    return why and f"Why the AI plays so: {why}"


def _leader_stopped_text(event: event_types.LeaderStopped, card_book: Book) -> str:
    if event.why is not None:
        return because(event.why, card_book)
    return (
        f"The player cancels the leader {card_book.full_name(event.card)} with "
        f"{card_book.full_name(event.by)}."
    )


def _turn_won_text(event: event_types.TurnWon, card_book: Book) -> str:
    totals = f"{event.player} Battle Points of the player's against {event.ai}"
    if event.winner is None:
        return f"{totals}: nobody wins the Turn, and nothing is captured."
    mine, theirs = event.scores
    scores = f"{mine} BP captured by the player, {theirs} by the AI."
    what = f"{_card_names(card_book, event.captured)}, {event.points} BP" if event.captured else "nothing"
    saved = f" Saved from it: {_card_names(card_book, event.saved)}." if event.saved else ""
    return f"{totals}: {_who(event.winner)} wins the Turn and captures {what}.{saved} {scores}"


def _who(seat: Seat) -> str:
    return "the player" if seat == PLAYER else "the AI"


def _end_text(event: event_types.Ended) -> str:
    mine, theirs = event.scores
    why = "" if event.exhausted is None else f"No card of {event.exhausted.title()} can be drawn any more. "
    if event.winner is None:
        return f"{why}The campaign is a draw, {mine} BP captured by the player and {theirs} by the AI."
    level = f"{'An' if event.level[0] in 'aeiou' else 'A'} {event.level} victory of {_who(event.winner)}"
    return f"{why}{level}: {mine} BP captured by the player, {theirs} by the AI."


_HEADLINES: tuple[tuple[type[event_types.TurnEvent], Callable[[Any], str]], ...] = (
    (event_types.Ended, _end_text),
    (event_types.TurnWon, lambda event: _headline(event)),
    (
        event_types.Totals,
        lambda event: (
            f"Turn {event.turn}: {event.player} BP of the player's lie against {event.ai} of the AI's."
        ),
    ),
    (event_types.TurnBegan, lambda event: f"Turn {event.turn}: the player {event.role}s."),
)
"""What makes a headline, the weightiest first."""


def _headline(event: event_types.TurnWon) -> str:
    mine, theirs = event.scores
    if event.winner is None:
        won = f"Turn {event.turn} is level, {event.player} all"
    else:
        took = f" and captures {event.points} BP" if event.points else ""
        high, low = max(event.player, event.ai), min(event.player, event.ai)
        won = f"{_SEAT_TITLES[event.winner]} wins Turn {event.turn} by {high} to {low}{took}"
    return f"{won}. Captured so far: {mine} by the player, {theirs} by the AI."


# The Great War in a few sentences for a new player: goal, time, surprises.


def setting(view: View) -> str:
    """Cards against the AI, and which side one leads."""
    side = {"entente": "the Allies", "central": "the Central Powers"}[view.armies[PLAYER].nation]
    return (
        "The trenches of 1914 to 1918 in cards, alone against an AI that plays by the publisher's solitaire "
        f"rules. You lead {side}."
    )


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal, how long it takes, what is special, and how much of it is ours."""
    levels = [f"{level.name} from {level.low}" for level in solo().victory_levels if level.low]
    ours = {row.id: plain_card(row) for row in printed_rows()}
    theirs = {card.id for card in view.changes if card != ours[card.id]}
    rows = [row for row in printed_rows() if row.id not in theirs]
    counted = [
        (f"cards for {what}", (sum(row.provenance.get(field) == "A" for row in rows), len(rows)))
        for field, what in (("bp", "Battle Points"), ("effects", "effects"))
    ]
    return (
        "You win a Turn by more Battle Points face-up, and capture the high cards of the other side. In the "
        f"end the captured points decide: a victory is {', '.join(levels)} ahead.",
        f"A campaign has {view.length} Turns (TURNS {solo().turns.long} plays as many), a Turn two Combat "
        "Rounds and a Bonus phase: two letters, or three.",
        "Cards are added to others by links: what links to what stands beside your hand. "
        "You attack in odd Turns and defend in even ones.",
        f"Of the printed game, {close_up.describe_counts(counted)}.",
    )
