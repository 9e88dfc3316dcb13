"""The report texts of War Chest: events, headline and tables. Implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from games.own_box import DATA, short_hash
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
from games.war_chest import map
from games.war_chest.board import AXIAL, RADIUS, Hex
from games.war_chest.components import HIDDEN_COIN, Card, Coin, UnitCard, name
from games.war_chest.events import (
    AnyEvent,
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
from games.war_chest.legal_orders import decisions
from games.war_chest.map import UNIT_LETTERS, board_scene
from games.war_chest.model import AUTOMATON, PLAYER, ListDecision, Side, View
from games.war_chest.notation import NOTATION
from games.war_chest.phrases import advice, because, capital, join_words, reproach, side_name, unit_of

_EXPLAINED_TURNS = 3
"""The reports of the first turns explain the cards."""


class WarChestTelling(Telling[View, AnyEvent]):
    """The report texts of a game."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence under its side; None if another event reports it too."""
        if isinstance(event, Drew) and viewer == event.seat:
            return None
        return ReportLine(heading=_heading(event), text=_sentence(event), failed=isinstance(event, Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a description of the game, and the side that the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return the most important news: the end, locations taken, units lost; otherwise the last action."""
        return headline(events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return which side has more control markers, if one was placed."""
        return lead(view, events)

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the locations, units and visible coins, and in the first turns the cards."""
        if view.picks:
            return (_cards("Units you can draft", _units_of(view, view.offer)), *_card_tables(view))
        cards = _card_tables(view) if view.number <= _EXPLAINED_TURNS else []
        decided = ReportTable(
            title="Your decisions now", columns=("Coin", "Options"), rows=tuple(decisions(view)), about="due"
        )
        return (decided, text_board(view), _locations(view), _units(view), _coins(view), *cards)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg."""
        return board_scene(view, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Return every hex with its owner and its unit."""
        return map.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return the place of an event."""
        return map.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return advice(remark)


def _heading(event: AnyEvent) -> str:
    """Return the heading of an event: its side, or what it is about."""
    if isinstance(event, Round):
        return "The round"
    return "The end" if isinstance(event, Ended) else str(event.seat)


def _sentence(event: AnyEvent) -> str:
    match event:
        case Dealt():
            return f"dealt {join_words([name(card) for card in event.cards])}."
        case Picked():
            return f"picked the {name(event.card)}."
        case Revealed():
            again = "refilled the bag with one more Royal Coin and " if event.reloaded else ""
            return f"{again}drew the {name(event.coin)}."
        case Drew():
            return _draw_text(event)
        case DrewCoins():
            return f"drew {join_words([name(coin) for coin in event.coins])}."
        case Spent():
            return f"played the {name(event.coin)} face-down."
        case Deployed():
            return _with_reason(f"{name(event.card)} was deployed on {event.at}", event.why)
        case Bolstered():
            return _with_reason(
                f"{name(event.card)} on {event.at} was bolstered to {event.height} coins", event.why
            )
        case Moved():
            return _with_reason(f"{name(event.card)} moved from {event.at} to {event.to}", event.why)
        case Attacked():
            return _attack_text(event)
        case Lost():
            return f"Royal Guard on {event.at} lost a coin from the {event.source} and {_height(event.left)}."
        case Controlled():
            return _control_text(event)
        case Paid():
            return f"{name(event.card)} on {event.at} paid a coin and {_height(event.left)}."
        case Recruited():
            return _with_reason(f"recruited a coin of the {name(event.card)}", event.why)
        case Claimed():
            return "claimed the initiative."
        case Passed():
            return "passed: there is nothing left to recruit." if event.reason else "passed."
        case Idle():
            return _idle_text(event)
        case Refused():
            return _refusal_text(event)
        case Round():
            first = "You play" if event.first == PLAYER else f"{capital(side_name(event.first))} plays"
            return f"A new round. {first} first."
        case Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _with_reason(text: str, why: tuple[ListDecision, ...]) -> str:
    return f"{text}: {because(why)}." if why else f"{text}."


def _attack_text(event: Attacked) -> str:
    text = f"{name(event.card)} on {event.at} attacked {unit_of(event.victim, event.target)} on {event.to}"
    if event.source is None:
        text += ". Its owner must choose the loss"
    elif event.source == "supply":
        text += ", which lost a coin from the supply"
    else:
        text += f", which {_height(event.left)}"
    if event.riposte is not None:
        text += f". The Pikeman cost it a coin, and it {_height(event.riposte)}"
    return _with_reason(text, event.why)


def _height(coins: int) -> str:
    return f"has {coins} left" if coins else "was destroyed"


def _control_text(event: Controlled) -> str:
    text = f"{name(event.card)} took {event.at}" + (f" from {side_name(event.was)}" if event.was else "")
    return _with_reason(f"{text} ({event.markers} markers now)", event.why)


def _draw_text(event: Drew) -> str:
    what = "a coin for the Warrior Priest" if event.priest else f"{event.count} coins"
    return f"drew {what}" + (" after the discard pile went back into the bag." if event.refilled else ".")


def _refusal_text(event: Refused) -> str:
    what = "" if event.seat == AUTOMATON else ". The coin was used to pass"
    return f"{NOTATION.write(event.order)} was not possible: {reproach(event.code, event.detail)}{what}."


def _idle_text(event: Idle) -> str:
    why = {
        "no-way": "stayed: no step brings it closer to a location",
        "no-hex": "was not deployed: there's no free hex",
        "stays": "stayed: it is already on a location that it wants",
        "hex-occupied": "stayed: its path was blocked",
    }
    return f"{name(event.card)} {why[event.code]}."


def _end_text(event: Ended) -> str:
    if event.reason == "turns":
        return "The game is a draw: it reached its turn limit."
    return (
        f"{capital(join_words([side_name(seat) for seat in event.winners]))} placed the last marker and won "
        f"the game."
    )


def _locations(view: View) -> ReportTable:
    rows = [
        (
            str(seat),
            str(view.markers(seat)),
            " ".join(at for at in view.box.locations if view.control.get(at) == seat),
        )
        for seat in view.seats
    ]
    free = [at for at in view.box.locations if at not in view.control]
    rows.append(("neutral", str(len(free)), " ".join(free)))
    return ReportTable(title="Locations", columns=("Side", "Markers", "Hexes"), rows=tuple(rows))


def _units(view: View) -> ReportTable:
    rows = [
        (str(stack.seat), name(stack.card), stack.at, str(stack.height))
        for seat in view.seats
        for stack in view.units(seat)
    ]
    return ReportTable(title="Units on the board", columns=("Side", "Unit", "Hex", "Coins"), rows=tuple(rows))


def _coins(view: View) -> ReportTable:
    """Return the zones of each side in rows. Hidden coins are only counted."""
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
    return ReportTable(title="Coins", columns=("Side", "Where", "What"), rows=tuple(rows), about="own")


def _zone(coins: Sequence[Coin]) -> str:
    if coins and all(coin == HIDDEN_COIN for coin in coins):
        return f"{len(coins)} hidden"
    return _counts({coin: coins.count(coin) for coin in dict.fromkeys(coins)})


def _counts(counts: Mapping[Coin, int]) -> str:
    some = [f"{count} {name(coin)}" if count > 1 else name(coin) for coin, count in counts.items() if count]
    return ", ".join(some) or "none"


def _card_tables(view: View) -> list[ReportTable]:
    dealt = [(seat, _units_of(view, view.sides[seat].cards)) for seat in view.seats]
    return [_cards(_card_title(seat), cards) for seat, cards in dealt if cards]


def _card_title(seat: Seat) -> str:
    """Return the title of a side's cards: "The AI's units"."""
    return "Your units" if seat == PLAYER else f"{capital(side_name(seat))}'s units"


def _units_of(view: View, cards: Sequence[Card]) -> list[UnitCard]:
    return [view.box.units[card] for card in cards]


def _cards(title: str, units: Sequence[UnitCard]) -> ReportTable:
    rows = tuple((unit.name, str(unit.coins), _card(unit)) for unit in units)
    return ReportTable(title=title, columns=("Unit", "Coins", "Special ability"), rows=rows)


def _card(unit: UnitCard) -> str:
    rules_text = [
        f"Tactic: {unit.tactic}" if unit.tactic else "",
        unit.attribute or "",
        unit.restriction or "",
    ]
    return " ".join(part for part in rules_text if part)


# The headline of some turns of War Chest, and the side that leads.


def headline(events: Sequence[AnyEvent]) -> str:
    """Return the most important news: the end, locations taken, units lost; otherwise the last action."""
    news = [text for event in events if (text := _news(event))]
    if news:
        return " ".join(f"{capital(text)}." for text in news[-3:])
    last = [text for event in events if (text := _action(event))]
    return f"{capital(last[-1])}." if last else "No unit moved."


def lead(view: View, events: Sequence[AnyEvent]) -> str:
    """Return which side has more control markers, if one was placed; "" otherwise and after the game."""
    if not any(isinstance(event, Controlled) for event in events) or view.winners:
        return ""
    ranked = sorted(view.seats, key=lambda seat: -view.markers(seat))
    most, least = (view.markers(seat) for seat in ranked)
    if most == least:
        return f"Both sides have {most} markers."
    verb = "lead" if ranked[0] == PLAYER else "leads"
    return f"{capital(side_name(ranked[0]))} {verb} by {most} markers to {least}."


def _news(event: AnyEvent) -> str:
    """Return an important event as part of a headline; "" for others."""
    match event:
        case Ended():
            who = join_words([side_name(seat) for seat in event.winners])
            return f"{who} won the game" if event.winners else "the game is a draw"
        case Controlled():
            return f"{side_name(event.seat)} took {event.at}"
        case Attacked() if event.left == 0 and event.source == "stack":
            return f"{unit_of(event.victim, event.target)} on {event.to} was destroyed"
        case Attacked() if event.riposte == 0:
            return f"the Pikeman destroyed {unit_of(event.seat, event.card)}"
        case Attacked() | Dealt() | Picked() | Revealed() | Drew() | DrewCoins() | Spent() | Deployed():
            return ""
        case Bolstered() | Moved() | Lost() | Paid() | Recruited() | Claimed() | Passed():
            return ""
        case Idle() | Refused() | Round():
            return ""
        case _:
            assert_never(event)


def _action(event: AnyEvent) -> str:
    """Return an action of a side as a headline, for turns without important news."""
    match event:
        case Moved():
            return f"{unit_of(event.seat, event.card)} moved to {event.to}"
        case Attacked():
            return f"{unit_of(event.seat, event.card)} attacked {unit_of(event.victim, event.target)}"
        case Deployed():
            return f"{side_name(event.seat)} deployed the {name(event.card)} on {event.at}"
        case Bolstered():
            return f"{side_name(event.seat)} bolstered the {name(event.card)}"
        case Recruited():
            return f"{side_name(event.seat)} recruited the {name(event.card)}"
        case Passed():
            return f"{side_name(event.seat)} passed"
        case Picked():
            return f"{side_name(event.seat)} picked the {name(event.card)}"
        case Claimed():
            return f"{side_name(event.seat)} claimed the initiative"
        case Dealt() | Revealed() | Drew() | DrewCoins() | Spent() | Lost() | Controlled() | Paid():
            return ""
        case Idle() | Refused() | Round() | Ended():
            return ""
        case _:
            assert_never(event)


# War Chest in a few sentences for a new player: goal, length, special rules.


_NUMBER_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def setting(view: View, seat: Seat | None) -> str:
    """Return the opponent and what a turn is."""
    if view.is_solo:
        against = ". You play alone against an automaton (the AI) that follows a decision list"
    else:
        against = f". You play {seat}" if seat else ""
    return (
        f"A duel with coins on a board of hexes{against}. Each round you draw {_many(view)} from your bag at "
        "random, and each coin is one action."
    )


def _card_paragraph(view: View) -> str:
    if DATA in view.options:
        return f"The numbers come from an owner's box, {short_hash(str(view.options[DATA]))}."
    return "The cards and abilities are the publisher's. We use the revised card for the Royal Guard."


def _many(view: View) -> str:
    hand = view.box.board.hand
    return f"{_NUMBER_WORDS.get(hand, str(hand))} coin{'s' * (hand != 1)}"


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal of the game, how long it lasts, and what is special."""
    against = (
        "Every report says which line of its decision list the AI used."
        if view.is_solo
        else "Coins in hands and bags and face-down coins are hidden. Your reports only show your own."
    )
    markers = view.box.board.markers
    return (
        f"You win when you have placed all {markers} of your control markers. To control a location, move a "
        "unit there and use one of its coins.",
        "Write one line per coin. You can send your whole hand in one email: the other side takes its turns "
        "in between. The game ends when a side has placed its last marker.",
        "Use a coin face up to deploy, bolster or maneuver the unit that it shows. Use any coin face down to "
        f"recruit or pass. {against}",
        _card_paragraph(view),
    )


# The board as text, for readers without pictures: the names of the hexes, arranged as on the board.


_FREE_LOCATION_MARK = "*"
_BOARD_COLUMNS = range(-RADIUS, RADIUS + 1)


def text_board(view: View) -> ReportTable:
    """Return the board as a table, with one column for each column of hexes.

    After the name of a hex comes ``*`` for a neutral location or the first letter of the side that controls
    it, then the letters of its unit and the number of its coins if it has several.
    """
    heights = {(q, 2 * r + q): hex_name for hex_name, (q, r) in AXIAL.items()}
    owners = ", ".join(
        [
            f"{_FREE_LOCATION_MARK} neutral location",
            *(f"{_initial(seat)} {_owner(seat)}" for seat in view.seats),
        ]
    )
    return ReportTable(
        title=f"The board: {owners}",
        columns=tuple("abcdefg"),
        rows=tuple(
            tuple(_cell(view, heights[q, height]) if (q, height) in heights else "" for q in _BOARD_COLUMNS)
            for height in range(-2 * RADIUS, 2 * RADIUS + 1)
        ),
        later=True,
    )


def _cell(view: View, at: Hex) -> str:
    owner = view.control.get(at)
    mark = _FREE_LOCATION_MARK if owner is None and at in view.box.locations else _initial(owner or "")
    stack = view.stack_at(at)
    unit = "" if stack is None else f" {UNIT_LETTERS[stack.card]}{stack.height if stack.height > 1 else ''}"
    return f"{at}{mark}{unit}"


def _owner(seat: Seat) -> str:
    return "yours" if seat == PLAYER else f"{side_name(seat)}'s"


def _initial(seat: str) -> str:
    return seat[:1].upper()
