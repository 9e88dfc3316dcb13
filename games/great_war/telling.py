"""The Great War in words: implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from games.great_war import events as event_types
from games.great_war import pointing
from games.great_war.components import Book, CardId, book
from games.great_war.events import AnyEvent
from games.great_war.introduction import introduction, setting
from games.great_war.model import AI, PLAYER, View
from games.great_war.notation import GreatWarNotation
from games.great_war.phrases import advice, because, listed, reproach
from games.great_war.scene import scene
from games.great_war.tables import tables
from games.protocol import Advice, Concern, Line, Objection, Seat, Table
from games.protocol.optional import Mention, Spot
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

    def tell(self, event: AnyEvent, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under the part of the Turn in which it happened."""
        heading = f"Turn {event.turn}, {PHASES[event.phase]}"
        text = _said(event, event_book(event))
        if not text:
            return None
        left_out, chose = isinstance(event, event_types.LeftOut), isinstance(event, event_types.Chose)
        return Line(heading=heading, text=text, failed=left_out, why=chose)

    def setting(self, view: View, seat: Seat | None) -> str:
        """What the game is, and whom the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """How the campaign or the Turn ended, else how the rows stand."""
        for kind, said in _NEWS:
            found = [event for event in events if isinstance(event, kind)]
            if found:
                return said(found[-1])
        return "The Great War begins."

    def tables(self, view: View) -> tuple[Table, ...]:
        """The table, the hand, the score, the decks."""
        return tables(view)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any]:
        """What board.svg draws."""
        return scene(view, events)

    def spots(self, view: View) -> tuple[Spot, ...]:
        """Every card on the table: whose it is, and what it is worth."""
        return pointing.spots(view)

    def mention(self, event: AnyEvent) -> Mention | None:
        """Where an event happens."""
        return pointing.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark, view.book, view.round)


def event_book(event: event_types.Tale) -> Book:
    """The cards by which an event is told: ours, under the names that their owner gives them."""
    ours = book()
    if not event.names:
        return ours
    theirs = {one: changed(ours[one], name=name) for one, name in event.names.items()}
    return changed(ours, cards={**ours.cards, **theirs})


def _said(event: AnyEvent, found: Book) -> str | None:
    match event:
        case event_types.TurnBegan():
            return None
        case event_types.Exchanged():
            pairs = [f"{found.called(pair.white)} for {found.called(pair.for_)}" for pair in event.pairs]
            return f"Exchanged: {listed(pairs)}."
        case event_types.Rebuilt():
            return "All cards but those captured were gathered and shuffled anew."
        case event_types.Hand():
            return f"Your hand: {_called(found, event.cards)}."
        case event_types.Drew():
            return _drew(event, found)
        case event_types.EventDrawn():
            return f"{found.called(event.card)} was drawn."
        case event_types.EventStopped():
            return f"{_WHO[event.seat]} cancelled {found.called(event.card)} with {found.called(event.by)}."
        case event_types.EventWorks():
            return f"{found.called(event.card)} takes effect."
        case event_types.EventWaits():
            stop = f"CANCEL EVENT WITH {event.by[0]}"
            return f"It waits for your Round 1: with {stop} it has no effect, else it has."
        case event_types.HandLost():
            return _hand_lost(event, found)
        case event_types.HandLostCards():
            return f"You lost {_called(found, event.cards)}."
        case event_types.Reinforced():
            cards = f"{event.count} card{'s' * (event.count != 1)}"
            return f"{_WHO[event.seat]} drew {cards} of the {event.pile} deck besides."
        case event_types.ReinforcedWith():
            return f"You drew {_called(found, event.cards)}."
        case event_types.Chose():
            return _chose(event, found)
        case event_types.CardLaid():
            return _laid(event, found)
        case event_types.LeaderStopped():
            return _stopped(event, found)
        case event_types.Peeked():
            return f"By {event.by} you see the AI's hand: {_called(found, event.cards)}."
        case event_types.PassedRound():
            return f"{_WHO[event.seat]} lays nothing."
        case event_types.Totals():
            return _totals(event, found)
        case event_types.LeftOut():
            return reproach(event.code, event.detail, found)
        case event_types.Standing():
            return f"Noted: {_NOTATION.write(event.order)}."
        case event_types.Blockaded():
            return (
                f"{_WHO[event.seat]}: the blockade {found.called(event.by)} takes {found.called(event.card)}."
            )
        case event_types.TurnWon():
            return _won(event, found)
        case event_types.GoesOn():
            on = event.turns == 10
            return "The campaign goes on to Turn 10." if on else "The campaign stops after Turn 5."
        case event_types.Ended():
            return _ended(event, found)
        case _:
            assert_never(event)


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
