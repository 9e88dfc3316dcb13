"""The Great War in words: implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.great_war import events as event_types
from games.great_war.components import Book, CardId, book
from games.great_war.model import AI, PLAYER, View
from games.great_war.notation import GreatWarNotation
from games.great_war.phrases import advice, because, listed, reproach
from games.great_war.scene import scene
from games.great_war.tables import tables
from games.protocol import Advice, Concern, Event, Line, Objection, Seat, Table
from games.record import changed

_NOTATION = GreatWarNotation()

PHASES: Mapping[event_types.Phase, str] = {
    "hands": "The hands",
    "event": "Random Event",
    "round 1": "Combat Round 1",
    "round 2": "Combat Round 2",
    "bonus": "Bonus phase",
    "end": "End of the Turn",
}
"""What the parts of a Turn are called."""

_WHO = {PLAYER: "The player", AI: "The AI"}


class GreatWarTelling:
    """The words."""

    def tell(self, event: Event, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under the part of the Turn in which it happened."""
        if not isinstance(event, event_types.Tale) or isinstance(event, event_types.TurnBegan):
            return None
        heading = f"Turn {event.turn}, {PHASES[event.phase]}"
        text = _SAY[type(event)](event, event_book(event))
        return (
            Line(heading=heading, text=text, failed=isinstance(event, event_types.LeftOut)) if text else None
        )

    def headline(self, events: Sequence[Event]) -> str:
        """How the campaign or the Turn ended, else how the rows stand."""
        for kind, said in _NEWS:
            found = [event for event in events if isinstance(event, kind)]
            if found:
                return said(found[-1])
        return "The Great War begins."

    def tables(self, view: View) -> tuple[Table, ...]:
        """The table, the hand, the score, the decks."""
        return tables(view)

    def scene(self, view: View, events: Sequence[Event]) -> Mapping[str, Any]:
        """What board.svg draws."""
        return scene(view, events)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark, view.book, view.round)


def event_book(event: event_types.Tale) -> Book:
    """The cards by which an event is told: ours, under the names that their owner gives them."""
    ours = book()
    if not event.names:
        return ours
    theirs = {one: changed(ours[one], name=name) for one, name in event.names.items()}
    return replace(ours, cards={**ours.cards, **theirs})


def _called(found: Book, cards: Sequence[CardId]) -> str:
    return listed([found.called(one) for one in cards])


def _drew(event: event_types.Drew, found: Book) -> str:
    parts = f"{event.neutral} Neutral, {event.nationality} Nationality, {event.bonus} Bonus"
    if event.seat == PLAYER:
        return f"The player drew {parts}."
    said = f"The AI threw {event.die} for its hand: {parts}"
    if event.placed:
        said += f", after laying {_called(found, event.placed)} face-up"
    if event.redrawn:
        said += f"; {_called(found, event.redrawn)} went to the discards for other Neutral cards"
    return f"{said}."


def _hand_lost(event: event_types.HandLost, found: Book) -> str:
    cards = "a card" if event.count == 1 else f"{event.count} cards"
    return f"{_WHO[event.seat]} lost {cards} of the hand at random, by {found.called(event.cause)}."


def _laid(event: event_types.CardLaid, found: Book) -> str:
    how = {
        "placed": "lies there from the start",
        "opening": "laid",
        "base": "laid",
        "plus": f"added to {event.link}",
        "led": f"led by {event.link}",
        "with_leader": f"laid with {event.link}",
        "bonus_phase": "laid",
    }[event.how]
    said = f"{_WHO[event.seat]}: {found.called(event.card)}, {how}, {event.bp} BP"
    done = [f"{_DONE[one.op]} {found.called(one.card)}" for one in event.done]
    return f"{said}; {listed(done)}." if done else f"{said}."


_DONE = {"cancel": "cancels", "discard_in_play": "discards", "restore": "turns up"}


def _chose(event: event_types.Chose, found: Book) -> str:
    why = because(event.why, found, event.hand_open)
    return why and f"Why the AI plays so: {why}"


def _stopped(event: event_types.LeaderStopped, found: Book) -> str:
    if event.why is not None:
        return because(event.why, found)
    return f"The player cancels the leader {found.called(event.card)} with {found.called(event.by)}."


def _won(event: event_types.TurnWon, found: Book) -> str:
    totals = f"{event.player} Battle Points of the player's against {event.ai}"
    if event.winner is None:
        return f"{totals}: nobody wins the Turn, and nothing is captured."
    mine, theirs = event.scores
    scores = f"{mine} BP captured by the player, {theirs} by the AI."
    what = f"{_called(found, event.captured)}, {event.points} BP" if event.captured else "nothing"
    saved = f" Saved from it: {_called(found, event.saved)}." if event.saved else ""
    return f"{totals}: {_who(event.winner)} wins the Turn and captures {what}.{saved} {scores}"


def _who(seat: Seat) -> str:
    return "the player" if seat == PLAYER else "the AI"


def _ended(event: event_types.Ended, found: Book | None = None) -> str:
    mine, theirs = event.scores
    why = "" if event.exhausted is None else f"No card of {event.exhausted.title()} can be drawn any more. "
    if event.winner is None:
        return f"{why}The campaign is a draw, {mine} BP captured by the player and {theirs} by the AI."
    level = f"{'An' if event.level[0] in 'aeiou' else 'A'} {event.level} victory of {_who(event.winner)}"
    return f"{why}{level}: {mine} BP captured by the player, {theirs} by the AI."


def _totals(event: event_types.Totals, found: Book | None = None) -> str:
    return f"Now {event.player} BP of the player's lie against {event.ai} of the AI's."


_SAY: Mapping[type[event_types.Tale], Callable[[Any, Book], str]] = {
    event_types.Exchanged: lambda e, b: (
        f"Exchanged: {listed([f'{b.called(pair.white)} for {b.called(pair.for_)}' for pair in e.pairs])}."
    ),
    event_types.Rebuilt: lambda e, b: "All cards but those captured were gathered and shuffled anew.",
    event_types.Hand: lambda e, b: f"Your hand: {_called(b, e.cards)}.",
    event_types.Drew: _drew,
    event_types.EventDrawn: lambda e, b: f"{b.called(e.card)} was drawn.",
    event_types.EventStopped: lambda e, b: (
        f"{_WHO[e.seat]} cancelled {b.called(e.card)} with {b.called(e.by)}."
    ),
    event_types.EventWorks: lambda e, b: f"{b.called(e.card)} takes effect.",
    event_types.EventWaits: lambda e, b: (
        f"It waits for your Round 1: with CANCEL EVENT WITH {e.by[0]} it has no effect, else it has."
    ),
    event_types.HandLost: _hand_lost,
    event_types.HandLostCards: lambda e, b: f"You lost {_called(b, e.cards)}.",
    event_types.Reinforced: lambda e, b: (
        f"{_WHO[e.seat]} drew {e.count} card{'s' * (e.count != 1)} of the {e.pile} deck besides."
    ),
    event_types.ReinforcedWith: lambda e, b: f"You drew {_called(b, e.cards)}.",
    event_types.Chose: _chose,
    event_types.CardLaid: _laid,
    event_types.LeaderStopped: _stopped,
    event_types.Peeked: lambda e, b: f"By {e.by} you see the AI's hand: {_called(b, e.cards)}.",
    event_types.PassedRound: lambda e, b: f"{_WHO[e.seat]} lays nothing.",
    event_types.Totals: _totals,
    event_types.LeftOut: lambda e, b: reproach(e.code, e.detail, b),
    event_types.Standing: lambda e, b: f"Noted: {_NOTATION.write(e.order)}.",
    event_types.Blockaded: lambda e, b: (
        f"{_WHO[e.seat]}: the blockade {b.called(e.by)} takes {b.called(e.card)}."
    ),
    event_types.TurnWon: _won,
    event_types.GoesOn: lambda e, b: (
        "The campaign goes on to Turn 10." if e.turns == 10 else "The campaign stops after Turn 5."
    ),
    event_types.Ended: _ended,
}

_NEWS: tuple[tuple[type[event_types.Tale], Callable[[Any], str]], ...] = (
    (event_types.Ended, _ended),
    (event_types.TurnWon, lambda e: _headline(e)),
    (
        event_types.Totals,
        lambda e: f"Turn {e.turn}: {e.player} BP of the player's lie against {e.ai} of the AI's.",
    ),
    (event_types.TurnBegan, lambda e: f"Turn {e.turn}: the player {e.role}s."),
)
"""What makes a headline, the weightiest first."""


def _headline(event: event_types.TurnWon) -> str:
    mine, theirs = event.scores
    if event.winner is None:
        won = f"Turn {event.turn} is level, {event.player} all"
    else:
        took = f" and captures {event.points} BP" if event.points else ""
        high, low = max(event.player, event.ai), min(event.player, event.ai)
        won = f"{_WHO[event.winner]} wins Turn {event.turn} by {high} to {low}{took}"
    return f"{won}. Captured so far: {mine} by the player, {theirs} by the AI."
