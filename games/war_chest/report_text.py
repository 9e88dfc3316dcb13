"""War Chest in words: events in sentences, the headline, the tables. Implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from games.own_box import DATA, short_hash
from games.protocol import Advice, Concern, Objection, ReportLine, ReportTable, Seat
from games.protocol.optional import EventPlaces, MapRegion
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
from games.war_chest.model import AUTOMATON, ListDecision, Side, View
from games.war_chest.notation import NOTATION
from games.war_chest.phrases import advice, because, capital, join_words, reproach, side_name, unit_of

_EXPLAINED_TURNS = 3
"""In so many turns the cards are explained."""


class WarChestTelling:
    """The words."""

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """The event in one sentence, under its side; None for what others tell as well."""
        if isinstance(event, Drew) and viewer == event.seat:
            return None
        return ReportLine(heading=_heading(event), text=_sentence(event), failed=isinstance(event, Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return what the game is, and the side that the seat plays."""
        return setting(view, seat)

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """The game in a few sentences."""
        return introduction(view)

    def headline(self, events: Sequence[AnyEvent]) -> str:
        """Return what counted most: the end, locations taken, units lost; else the last action."""
        return headline(events)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return who has more control markers on the board, once one was placed."""
        return lead(view, events)

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Locations, units, coins as far as they may be seen; in the first turns what the cards say."""
        if view.picks:
            return (_cards("On offer", _units_of(view, view.offer)), *_card_tables(view))
        cards = _card_tables(view) if view.number <= _EXPLAINED_TURNS else []
        decided = ReportTable(
            title="What you decide now", columns=("Coin", "How"), rows=tuple(decisions(view)), about="due"
        )
        return (decided, text_board(view), _locations(view), _units(view), _coins(view), *cards)

    def scene(self, view: View, events: Sequence[AnyEvent]) -> Mapping[str, Any] | None:
        """Return the context of board.svg."""
        return board_scene(view, events)

    def spots(self, view: View) -> tuple[MapRegion, ...]:
        """Every hex: whose it is, and what stands there."""
        return map.spots(view)

    def mention(self, event: AnyEvent) -> EventPlaces | None:
        """Return where an event happens."""
        return map.mention(event)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """An objection or a concern in words."""
        return advice(remark)


def _heading(event: AnyEvent) -> str:
    """The side of which it is told, if it is not told of both."""
    if isinstance(event, Round):
        return "The round"
    return "The end" if isinstance(event, Ended) else str(event.seat)


def _sentence(event: AnyEvent) -> str:
    match event:
        case Dealt():
            return f"plays {join_words([name(card) for card in event.cards])}."
        case Picked():
            return f"picked the {name(event.card)}."
        case Revealed():
            again = "filled its bag again, with one more Royal Coin, and " if event.reloaded else ""
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
            return (
                f"the Royal Guard on {event.at} lost a coin of the {event.source} and {_height(event.left)}."
            )
        case Controlled():
            return _control_text(event)
        case Paid():
            return f"{name(event.card)} on {event.at} paid a coin and {_height(event.left)}."
        case Recruited():
            return _with_reason(f"recruited a coin of the {name(event.card)}", event.why)
        case Claimed():
            return "claimed the initiative."
        case Passed():
            return "passed: nothing is left to recruit." if event.reason else "passed."
        case Idle():
            return _idle_text(event)
        case Refused():
            return _refusal_text(event)
        case Round():
            return f"A new round: {side_name(event.first)} begins."
        case Ended():
            return _end_text(event)
        case _:
            assert_never(event)


def _with_reason(text: str, why: tuple[ListDecision, ...]) -> str:
    return f"{text}: {because(why)}." if why else f"{text}."


def _attack_text(event: Attacked) -> str:
    text = f"{name(event.card)} on {event.at} attacked {unit_of(event.victim, event.target)} on {event.to}"
    if event.source is None:
        text += ", whose owner has to say what it loses"
    elif event.source == "supply":
        text += ", which lost a coin of the supply"
    else:
        text += f", which {_height(event.left)}"
    if event.riposte is not None:
        text += f"; it lost a coin to the pikes and {_height(event.riposte)}"
    return _with_reason(text, event.why)


def _height(coins: int) -> str:
    return f"has {coins} left" if coins else "was destroyed"


def _control_text(event: Controlled) -> str:
    text = f"{name(event.card)} took {event.at}" + (f" from {side_name(event.was)}" if event.was else "")
    return _with_reason(f"{text}, which makes {event.markers} markers", event.why)


def _draw_text(event: Drew) -> str:
    what = "a coin for the Warrior Priest" if event.priest else f"{event.count} coins"
    return f"drew {what}" + (", the discard pile having gone into the bag." if event.refilled else ".")


def _refusal_text(event: Refused) -> str:
    what = "" if event.seat == AUTOMATON else "; the coin was passed with"
    return f"{NOTATION.write(event.order)} was not possible: {reproach(event.code, event.detail)}{what}."


def _idle_text(event: Idle) -> str:
    why = {
        "no-way": "stayed where it was: no step brings it closer to a location",
        "no-hex": "was not deployed: no hex is open to it",
        "stays": "stayed where it was: it stands on a location that it wants",
        "hex-occupied": "stayed where it was: its way was not free",
    }
    return f"{name(event.card)} {why[event.code]}."


def _end_text(event: Ended) -> str:
    if event.reason == "turns":
        return "The game is a draw: it has lasted too long."
    return (
        f"{capital(join_words([side_name(seat) for seat in event.winners]))} won the game with the last "
        f"marker."
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
    rows.append(("nobody", str(len(free)), " ".join(free)))
    return ReportTable(title="Locations", columns=("Side", "Markers", "Hexes"), rows=tuple(rows))


def _units(view: View) -> ReportTable:
    rows = [
        (str(stack.seat), name(stack.card), stack.at, str(stack.height))
        for seat in view.seats
        for stack in view.units(seat)
    ]
    return ReportTable(title="Units on the board", columns=("Side", "Unit", "Hex", "Coins"), rows=tuple(rows))


def _coins(view: View) -> ReportTable:
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
    return [_cards(f"Cards of {side_name(seat)}", cards) for seat, cards in dealt if cards]


def _units_of(view: View, cards: Sequence[Card]) -> list[UnitCard]:
    return [view.box.units[card] for card in cards]


def _cards(title: str, units: Sequence[UnitCard]) -> ReportTable:
    rows = tuple((unit.name, str(unit.coins), _card(unit)) for unit in units)
    return ReportTable(
        title=title, columns=("Unit", "Coins", "What it can do beside the ordinary"), rows=rows
    )


def _card(unit: UnitCard) -> str:
    rules_text = [
        f"Tactic: {unit.tactic}" if unit.tactic else "",
        unit.attribute or "",
        unit.restriction or "",
    ]
    return " ".join(part for part in rules_text if part)


# The headline of some turns of War Chest, and who is ahead.


def headline(events: Sequence[AnyEvent]) -> str:
    """Return what counted most: the end, locations taken, units lost; else what was done last."""
    news = [text for event in events if (text := _news(event))]
    if news:
        return f"{capital(join_words(news[-3:]))}."
    last = [text for event in events if (text := _action(event))]
    return f"{capital(last[-1])}." if last else "No unit was moved."


def lead(view: View, events: Sequence[AnyEvent]) -> str:
    """Return who has more control markers, once one was placed; "" before, and when the game is over."""
    if not any(isinstance(event, Controlled) for event in events) or view.winners:
        return ""
    ranked = sorted(view.seats, key=lambda seat: -view.markers(seat))
    most, least = (view.markers(seat) for seat in ranked)
    if most == least:
        return f"Both sides have {most} markers."
    return f"{capital(side_name(ranked[0]))} leads with {most} markers to {least}."


def _news(event: AnyEvent) -> str:
    """An event of weight, as part of a headline."""
    match event:
        case Ended():
            who = join_words([side_name(seat) for seat in event.winners])
            return f"{who} won the game" if event.winners else "the game is a draw"
        case Controlled():
            return f"{side_name(event.seat)} took {event.at}"
        case Attacked() if event.left == 0 and event.source == "stack":
            return f"{unit_of(event.victim, event.target)} on {event.to} was destroyed"
        case Attacked() if event.riposte == 0:
            return f"{unit_of(event.seat, event.card)} fell on the pikes"
        case Attacked() | Dealt() | Picked() | Revealed() | Drew() | DrewCoins() | Spent() | Deployed():
            return ""
        case Bolstered() | Moved() | Lost() | Paid() | Recruited() | Claimed() | Passed():
            return ""
        case Idle() | Refused() | Round():
            return ""
        case _:
            assert_never(event)


def _action(event: AnyEvent) -> str:
    """Return what a side did, as a headline where nothing weightier happened."""
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


# War Chest in a few sentences for a new player: goal, time, surprises.


_NUMBER_WORDS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}


def setting(view: View, seat: Seat | None) -> str:
    """A duel, against whom, and what a turn of it is."""
    if view.is_solo:
        against = ", alone against an automaton that plays by a decision list"
    else:
        against = f"; you play {seat}" if seat else ""
    return (
        f"A duel with coins on a board of hexes{against}. {_many(view)} a round come out of your bag at "
        "random, and each of them is a move."
    )


def _card_paragraph(view: View) -> str:
    if DATA in view.options:
        return f"The numbers are those of an owner's box, {short_hash(str(view.options[DATA]))}."
    return "The cards and their abilities are the publisher's; of the Royal Guard we play the revised card."


def _many(view: View) -> str:
    hand = view.box.board.hand
    return f"{_NUMBER_WORDS.get(hand, str(hand))} coin{'s' * (hand != 1)}"


def introduction(view: View) -> tuple[str, ...]:
    """Return the goal of the game, how long it takes, and what is special."""
    against = (
        "Each report says by which line of its list the automaton chose."
        if view.is_solo
        else "Coins in hand, in the bag and face down are hidden: your reports show you yours alone."
    )
    markers = view.box.board.markers
    return (
        f"You win as soon as {markers} of your markers lie on locations: a unit that stands on "
        "one controls it with a coin of its own.",
        "Each line plays one coin; a letter may hold your whole hand, and the other side plays in between. "
        "It lasts until a side has laid its last marker.",
        "A coin deploys, bolsters or moves the unit that it shows, or is laid face down to recruit "
        f"or pass. {against}",
        _card_paragraph(view),
    )


# The board in letters, for readers without pictures: hexes by name, as they lie.


_FREE_LOCATION_MARK = "*"
_BOARD_COLUMNS = range(-RADIUS, RADIUS + 1)


def text_board(view: View) -> ReportTable:
    """A column for each of the board's, hexes of neighbouring columns half a hex higher or lower.

    A hex is followed by ``*`` or by the first letter of a side where a location is free or its own, and by
    the letters of the unit on it, with the number of its coins above one.
    """
    heights = {(q, 2 * r + q): hex_name for hex_name, (q, r) in AXIAL.items()}
    owners = ", ".join(
        [f"{_FREE_LOCATION_MARK} free location", *(f"{_initial(seat)} {seat}'s" for seat in view.seats)]
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


def _initial(seat: str) -> str:
    return seat[:1].upper()
