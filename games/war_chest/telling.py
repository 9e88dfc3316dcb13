"""War Chest in words: each event in a sentence, the headline, the tables. Implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from games.protocol import Advice, Concern, Event, Line, Objection, Seat, Table
from games.war_chest.components import HIDDEN, LOCATIONS, UNITS, Card, Coin, name
from games.war_chest.events import (
    Attacked,
    Bolstered,
    Claimed,
    Controlled,
    Dealt,
    Deployed,
    Drew,
    DrewCoins,
    Ended,
    Idle,
    Lost,
    Moved,
    Paid,
    Passed,
    Picked,
    Recruited,
    Refused,
    Revealed,
    Round,
    Spent,
)
from games.war_chest.model import AUTOMATON, PLAYER, Side, View, Weighed
from games.war_chest.notation import WarChestNotation
from games.war_chest.phrases import advice, because, listed, reproach
from games.war_chest.scene import scene

_NOTATION = WarChestNotation()

_NEW = 3
"""In so many turns the cards are explained."""


class WarChestTelling:
    """The words."""

    def tell(self, event: Event, viewer: Seat | None) -> Line | None:
        """The event in one sentence, under its side; None for what others tell as well."""
        if isinstance(event, Drew) and viewer == event.seat:
            return None
        heading = _ABOUT_ALL.get(type(event)) or str(getattr(event, "seat", ""))
        return Line(heading=heading, text=_WORDS[type(event)](event), failed=isinstance(event, Refused))

    def headline(self, events: Sequence[Event]) -> str:
        """What counted most: the end, locations taken, units lost; else what was done last."""
        told = [text for event in events if (text := _news(event))]
        if told:
            return f"{_capital(listed(told[-3:]))}."
        last = [text for event in events if (text := _action(event))]
        return f"{_capital(last[-1])}." if last else "No unit was moved."

    def lead(self, view: View, events: Sequence[Event]) -> str:
        """Who has more control markers on the board, once one was laid."""
        if not any(isinstance(event, Controlled) for event in events) or view.winners:
            return ""
        ranked = sorted(view.seats, key=lambda seat: -view.markers(seat))
        most, least = (view.markers(seat) for seat in ranked)
        if most == least:
            return f"Both sides have {most} markers."
        return f"{_capital(_called(ranked[0]))} leads with {most} markers to {least}."

    def tables(self, view: View) -> tuple[Table, ...]:
        """Locations, units, coins as far as they may be seen; in the first turns what the cards say."""
        if view.picks:
            return (_cards("On offer", view.offer), *_dealt(view))
        cards = _dealt(view) if view.number <= _NEW else []
        return (_locations(view), _units(view), _coins(view), *cards)

    def scene(self, view: View, events: Sequence[Event]) -> Mapping[str, Any] | None:
        """What board.svg draws."""
        return scene(view, events)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


def _called(seat: Seat) -> str:
    return {AUTOMATON: "the AI", PLAYER: "the player"}.get(seat, seat.capitalize())


def _of(seat: Seat, card: Card) -> str:
    return f"{_called(seat)}'s {name(card)}"


def _reasoned(text: str, why: tuple[Weighed, ...]) -> str:
    return f"{text}: {because(why)}." if why else f"{text}."


def _attacked(event: Attacked) -> str:
    text = f"{name(event.card)} on {event.at} attacked {_of(event.victim, event.target)} on {event.to}"
    if event.source is None:
        text += ", whose owner has to say what it loses"
    elif event.source == "supply":
        text += ", which lost a coin of the supply"
    else:
        text += f", which {_height(event.left)}"
    if event.riposte is not None:
        text += f"; it lost a coin to the pikes and {_height(event.riposte)}"
    return _reasoned(text, event.why)


def _height(left: int) -> str:
    return f"has {left} left" if left else "was destroyed"


def _controlled(event: Controlled) -> str:
    text = f"{name(event.card)} took {event.at}" + (f" from {_called(event.was)}" if event.was else "")
    return _reasoned(f"{text}, which makes {event.markers} markers", event.why)


def _recruited(event: Recruited) -> str:
    return _reasoned(f"recruited a coin of the {name(event.card)}", event.why)


def _revealed(event: Revealed) -> str:
    again = "filled its bag again, with one more Royal Coin, and " if event.reloaded else ""
    return f"{again}drew the {name(event.coin)}."


def _drew(event: Drew) -> str:
    what = "a coin for the Warrior Priest" if event.priest else f"{event.count} coins"
    return f"drew {what}" + (", the discard pile having gone into the bag." if event.refilled else ".")


def _refused(event: Refused) -> str:
    what = "" if event.seat == AUTOMATON else "; the coin was passed with"
    return f"{_NOTATION.write(event.order)} was not possible: {reproach(event.code, event.detail)}{what}."


def _passed(event: Passed) -> str:
    return "passed: nothing is left to recruit." if event.reason else "passed."


def _idle(event: Idle) -> str:
    why = {
        "no-way": "stayed where it was: no step brings it closer to a location",
        "no-hex": "was not deployed: no hex is open to it",
        "stays": "stayed where it was: it stands on a location that it wants",
        "hex-occupied": "stayed where it was: its way was not free",
    }
    return f"{name(event.card)} {why[event.code]}."


def _ended(event: Ended) -> str:
    if event.reason == "turns":
        return "The game is a draw: it has lasted too long."
    return (
        f"{_capital(listed([_called(seat) for seat in event.winners]))} won the game with the sixth marker."
    )


_WORDS: Mapping[type, Callable[[Any], str]] = {
    Dealt: lambda e: f"plays {listed([name(card) for card in e.cards])}.",
    Picked: lambda e: f"picked the {name(e.card)}.",
    Revealed: _revealed,
    Drew: _drew,
    DrewCoins: lambda e: f"drew {listed([name(coin) for coin in e.coins])}.",
    Spent: lambda e: f"played the {name(e.coin)} face-down.",
    Deployed: lambda e: _reasoned(f"{name(e.card)} was deployed on {e.at}", e.why),
    Bolstered: lambda e: _reasoned(f"{name(e.card)} on {e.at} was bolstered to {e.height} coins", e.why),
    Moved: lambda e: _reasoned(f"{name(e.card)} moved from {e.at} to {e.to}", e.why),
    Attacked: _attacked,
    Lost: lambda e: f"the Royal Guard on {e.at} lost a coin of the {e.source} and {_height(e.left)}.",
    Controlled: _controlled,
    Paid: lambda e: f"{name(e.card)} on {e.at} paid a coin and {_height(e.left)}.",
    Recruited: _recruited,
    Claimed: lambda e: "claimed the initiative.",
    Passed: _passed,
    Idle: _idle,
    Refused: _refused,
    Round: lambda e: f"A new round: {_called(e.first)} begins.",
    Ended: _ended,
}

_ABOUT_ALL: Mapping[type, str] = {Round: "The round", Ended: "The end"}
"""What is not told of a side."""


def _news(event: Event) -> str:
    """An event of weight, as part of a headline."""
    if isinstance(event, Ended):
        return (
            f"{listed([_called(seat) for seat in event.winners])} won the game"
            if event.winners
            else "the game is a draw"
        )
    if isinstance(event, Controlled):
        return f"{_called(event.seat)} took {event.at}"
    if isinstance(event, Attacked) and event.left == 0 and event.source == "stack":
        return f"{_of(event.victim, event.target)} on {event.to} was destroyed"
    if isinstance(event, Attacked) and event.riposte == 0:
        return f"{_of(event.seat, event.card)} fell on the pikes"
    return ""


def _action(event: Event) -> str:
    """What a side did, as a headline where nothing weightier happened."""
    if isinstance(event, Moved):
        return f"{_of(event.seat, event.card)} moved to {event.to}"
    if isinstance(event, Attacked):
        return f"{_of(event.seat, event.card)} attacked {_of(event.victim, event.target)}"
    if isinstance(event, Deployed):
        return f"{_called(event.seat)} deployed the {name(event.card)} on {event.at}"
    if isinstance(event, Bolstered):
        return f"{_called(event.seat)} bolstered the {name(event.card)}"
    if isinstance(event, Recruited):
        return f"{_called(event.seat)} recruited the {name(event.card)}"
    if isinstance(event, Passed):
        return f"{_called(event.seat)} passed"
    if isinstance(event, Picked):
        return f"{_called(event.seat)} picked the {name(event.card)}"
    return f"{_called(event.seat)} claimed the initiative" if isinstance(event, Claimed) else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _locations(view: View) -> Table:
    rows = [
        (str(seat), str(view.markers(seat)), " ".join(at for at in LOCATIONS if view.control.get(at) == seat))
        for seat in view.seats
    ]
    free = [at for at in LOCATIONS if at not in view.control]
    rows.append(("nobody", str(len(free)), " ".join(free)))
    return Table(title="Locations", columns=("Side", "Markers", "Hexes"), rows=tuple(rows))


def _units(view: View) -> Table:
    rows = [
        (str(stack.seat), name(stack.card), stack.at, str(stack.height))
        for seat in view.seats
        for stack in view.units(seat)
    ]
    return Table(title="Units on the board", columns=("Side", "Unit", "Hex", "Coins"), rows=tuple(rows))


def _coins(view: View) -> Table:
    """Rows of zones by side; a zone that is hidden is a number."""
    zones: tuple[tuple[str, Callable[[Side], str]], ...] = (
        ("Hand", lambda side: _zone(side.hand)),
        ("Drawn", lambda side: _zone((side.drawn,) if side.drawn else ())),
        ("Bag", lambda side: _zone(side.bag)),
        ("Discard, face-up", lambda side: _zone(side.face_up)),
        ("Discard, face-down", lambda side: _zone(side.face_down)),
        ("Supply", lambda side: _counts(side.supply)),
        ("Removed", lambda side: _counts(side.removed)),
    )
    rows = [
        (str(seat), title, text)
        for seat in view.seats
        for title, zone in zones
        if (text := zone(view.sides[seat])) != "none" or (title == "Hand" and seat != AUTOMATON)
    ]
    return Table(title="Coins", columns=("Side", "Where", "What"), rows=tuple(rows))


def _zone(coins: Sequence[Coin]) -> str:
    if coins and all(coin == HIDDEN for coin in coins):
        return f"{len(coins)} hidden"
    return _counts({coin: coins.count(coin) for coin in dict.fromkeys(coins)})


def _counts(counts: Mapping[Coin, int]) -> str:
    some = [f"{count} {name(coin)}" if count > 1 else name(coin) for coin, count in counts.items() if count]
    return ", ".join(some) or "none"


def _dealt(view: View) -> list[Table]:
    dealt = [(seat, view.sides[seat].cards) for seat in view.seats]
    return [_cards(f"Cards of {_called(seat)}", cards) for seat, cards in dealt if cards]


def _cards(title: str, cards: Sequence[Card]) -> Table:
    rows = tuple((name(card), str(UNITS[card].coins), _card(card)) for card in cards)
    return Table(title=title, columns=("Unit", "Coins", "What it can do beside the ordinary"), rows=rows)


def _card(card: Card) -> str:
    unit = UNITS[card]
    said = [f"Tactic: {unit.tactic}" if unit.tactic else "", unit.attribute or "", unit.restriction or ""]
    return " ".join(part for part in said if part)
