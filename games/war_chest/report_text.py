"""The report texts of War Chest: events, headline and tables. Implements `protocol.Telling`."""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

from games.language import join_list
from games.map_telling import MapTelling
from games.messages import has_sentence, sentence
from games.own_box import DATA, short_hash
from games.protocol import Advice, Concern, NewsItem, Objection, ReportLine, ReportTable, Seat
from games.war_chest import map
from games.war_chest.board import AXIAL, RADIUS, Hex
from games.war_chest.components import Card, UnitCard, name
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
from games.war_chest.map import UNIT_LETTERS
from games.war_chest.model import AUTOMATON, PLAYER, ListDecision, Side, Stack, View
from games.war_chest.notation import NOTATION
from games.war_chest.phrases import (
    advice,
    because,
    capital,
    describe_coins,
    describe_counts,
    reproach,
    side_name,
    unit_of,
)
from games.war_chest.setup import royal_mode

_EXPLAINED_TURNS = 3
"""The number of turns whose reports explain the cards."""


class WarChestTelling(MapTelling[View, AnyEvent]):
    """The texts of a game's reports."""

    map_module = map

    def tell(self, event: AnyEvent, viewer: Seat | None) -> ReportLine | None:
        """Return the event in one sentence under its side; None if another event reports it too."""
        if isinstance(event, Drew) and viewer == event.seat:
            return None
        return ReportLine(heading=_heading(event), text=_event_text(event), failed=isinstance(event, Refused))

    def setting(self, view: View, seat: Seat | None) -> str:
        """Return a short description of the game, its opponent and its rounds."""
        opponent = sentence("war_chest.introduction.solo" if view.is_solo else "war_chest.introduction.duel")
        hand = view.box.board.hand
        slug = f"war_chest.numbers.{hand}"
        coins = sentence(slug) if has_sentence(slug) else str(hand)
        rounds = sentence("war_chest.introduction.rounds", count=hand, coins=coins)
        return f"{opponent} {rounds}"

    def introduction(self, view: View, seat: Seat | None) -> tuple[str, ...]:
        """Return the goal of the game, how long it lasts, and what is special."""
        return (
            sentence("war_chest.introduction.goal", markers=view.box.board.markers),
            sentence("war_chest.introduction.orders"),
            sentence(
                "war_chest.introduction.coins_solo" if view.is_solo else "war_chest.introduction.coins_duel"
            ),
            sentence("war_chest.introduction.own_box", hash=short_hash(str(view.options[DATA])))
            if DATA in view.options
            else sentence("war_chest.introduction.cards"),
            *((_royal_coin_note(view),) if view.is_solo else ()),
        )

    def news(self, events: Sequence[AnyEvent]) -> tuple[NewsItem, ...]:
        """Return the end, the units destroyed and the locations taken; then the automaton's actions.

        The last of these is the player's last action.
        """
        main = [text for event in events if (text := _news(event))]
        actions = [(event, text) for event in events if (text := _action(event))]
        of_ai = [text for event, text in actions if getattr(event, "seat", None) == AUTOMATON]
        others = [text for _, text in actions if text not in of_ai]
        last = others[-1:] or [sentence("war_chest.headline.nothing")] * (not actions)
        ranked = [*_ending(events), *main, *_takings(events)], of_ai, last
        return tuple(NewsItem(text=text, rank=rank) for rank, texts in enumerate(ranked) for text in texts)

    def standing(self, view: View) -> str:
        """Return which side has more control markers."""
        return _markers_text(view)

    def lead(self, view: View, events: Sequence[AnyEvent]) -> str:
        """Return which side has more control markers, if one was placed; "" otherwise and after the game."""
        if not any(isinstance(event, Controlled) for event in events) or view.winners:
            return ""
        return _markers_text(view)

    def tables(self, view: View) -> tuple[ReportTable, ...]:
        """Return the board, what each side has on it, the visible coins, and in the first turns the cards."""
        if view.picks:
            offer = _cards(sentence("war_chest.tables.offer"), _units_of(view, view.offer))
            return (offer, *_card_tables(view))
        cards = _card_tables(view) if view.number <= _EXPLAINED_TURNS else []
        decided = ReportTable(
            title=sentence("war_chest.tables.decisions"),
            columns=(sentence("war_chest.columns.coin"), sentence("war_chest.columns.options")),
            rows=_with_whole_hand(view, tuple(decisions(view))),
            about="due",
        )
        return (decided, text_board(view), _pieces(view), _coins(view), *cards)

    def advise(self, view: View, remark: Objection | Concern) -> Advice:
        """Return an objection or a concern in words."""
        return advice(remark)


def _with_whole_hand(view: View, rows: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return the rows of decisions; in the first turns with one about sending a whole hand in one email."""
    if not rows or view.number > _EXPLAINED_TURNS or view.agenda or len(view.sides[view.mover].hand) < 2:
        return rows
    return (*rows, (sentence("war_chest.uses.whole_hand"), sentence("war_chest.uses.whole_hand_how")))


def _heading(event: AnyEvent) -> str:
    """Return the heading of an event: its side, or what it is about."""
    if isinstance(event, Round):
        return sentence("war_chest.headings.round")
    return sentence("war_chest.headings.end") if isinstance(event, Ended) else str(event.seat)


def _event_text(event: AnyEvent) -> str:
    match event:
        case Dealt():
            return sentence("war_chest.events.dealt", units=join_list(name(card) for card in event.cards))
        case Picked():
            return sentence("war_chest.events.picked", unit=name(event.card))
        case Revealed():
            slug = "war_chest.events.revealed_after_refill" if event.reloaded else "war_chest.events.revealed"
            return sentence(slug, coin=name(event.coin))
        case Drew():
            return _draw_text(event)
        case DrewCoins():
            return sentence(
                "war_chest.events.drew_coins", coins=join_list(name(coin) for coin in event.coins)
            )
        case Spent():
            return sentence("war_chest.events.spent", coin=name(event.coin))
        case Deployed():
            slugs = "war_chest.events.deployed", "war_chest.events.deployed_because"
            return _explain(slugs, event.why, unit=name(event.card), hex=event.at)
        case Bolstered():
            slugs = "war_chest.events.bolstered", "war_chest.events.bolstered_because"
            return _explain(slugs, event.why, unit=name(event.card), hex=event.at, coins=event.height)
        case Moved():
            slugs = "war_chest.events.moved", "war_chest.events.moved_because"
            return _explain(slugs, event.why, unit=name(event.card), start=event.at, hex=event.to)
        case Attacked():
            return _attack_text(event)
        case Lost():
            return _loss_text(event)
        case Controlled():
            return _control_text(event)
        case Paid():
            return sentence("war_chest.events.paid", unit=name(event.card), hex=event.at, coins=event.left)
        case Recruited():
            slugs = "war_chest.events.recruited", "war_chest.events.recruited_because"
            return _explain(slugs, event.why, unit=name(event.card))
        case Claimed():
            return sentence("war_chest.events.claimed")
        case Passed():
            return sentence(
                "war_chest.events.passed_without_recruit" if event.reason else "war_chest.events.passed"
            )
        case Idle():
            return sentence(f"war_chest.idle.{event.code}", unit=name(event.card))
        case Refused():
            slug = "war_chest.events.refused_ai" if event.seat == AUTOMATON else "war_chest.events.refused"
            problem = reproach(event.code, event.detail)
            return sentence(slug, order=NOTATION.write(event.order), problem=problem)
        case Round():
            return sentence("war_chest.events.round", side=side_name(event.first))
        case Ended():
            if not event.winners:
                return sentence("war_chest.events.drawn")
            return sentence("war_chest.events.won", side=capital(side_name(event.winners[0])))
        case _:
            assert_never(event)


def _explain(slugs: tuple[str, str], why: tuple[ListDecision, ...], **values: object) -> str:
    """Return a sentence by the first slug, or with the automaton's reason by the second."""
    plain, reasoned = slugs
    return sentence(reasoned, reason=because(why), **values) if why else sentence(plain, **values)


def _attack_text(event: Attacked) -> str:
    if event.source is None:
        slugs = "war_chest.events.attacked", "war_chest.events.attacked_because"
    elif event.source == "supply":
        slugs = "war_chest.events.attacked_supply", "war_chest.events.attacked_supply_because"
    elif event.left:
        slugs = "war_chest.events.attacked_left", "war_chest.events.attacked_left_because"
    else:
        slugs = "war_chest.events.attacked_destroyed", "war_chest.events.attacked_destroyed_because"
    target = unit_of(event.victim, event.target)
    values = {"unit": name(event.card), "start": event.at, "target": target, "hex": event.to}
    sentences = [_explain(slugs, event.why, **values, coins=event.left)]
    if event.source is None:
        sentences.append(sentence("war_chest.events.choose_loss"))
    if event.riposte is not None:
        slug = "war_chest.events.riposte_left" if event.riposte else "war_chest.events.riposte_destroyed"
        sentences.append(sentence(slug, coins=event.riposte))
    return " ".join(sentences)


def _loss_text(event: Lost) -> str:
    if event.source == "supply":
        slug = "war_chest.events.lost_supply"
    else:
        slug = "war_chest.events.lost_stack" if event.left else "war_chest.events.lost_last"
    return sentence(slug, hex=event.at, coins=event.left)


def _control_text(event: Controlled) -> str:
    unit = name(event.card)
    if event.was is None:
        slugs = "war_chest.events.controlled", "war_chest.events.controlled_because"
        return _explain(slugs, event.why, unit=unit, hex=event.at, count=event.markers)
    slugs = "war_chest.events.captured", "war_chest.events.captured_because"
    side = side_name(event.was)
    return _explain(slugs, event.why, unit=unit, hex=event.at, side=side, count=event.markers)


def _draw_text(event: Drew) -> str:
    if event.priest:
        slug = (
            "war_chest.events.drew_for_priest_after_refill"
            if event.refilled
            else "war_chest.events.drew_for_priest"
        )
        return sentence(slug)
    slug = "war_chest.events.drew_after_refill" if event.refilled else "war_chest.events.drew"
    return sentence(slug, count=event.count)


def _pieces(view: View) -> ReportTable:
    """Return the table of each side's control markers, locations and units."""
    rows = [
        (
            str(seat),
            str(view.markers(seat)),
            " ".join(at for at in view.box.locations if view.control.get(at) == seat),
            ", ".join(_unit(stack) for stack in view.units(seat)),
        )
        for seat in view.seats
    ]
    free = [at for at in view.box.locations if at not in view.control]
    rows.append((sentence("war_chest.tables.neutral"), str(len(free)), " ".join(free), ""))
    return ReportTable(
        title=sentence("war_chest.tables.pieces"),
        columns=(
            sentence("war_chest.columns.side"),
            sentence("war_chest.columns.markers"),
            sentence("war_chest.columns.locations"),
            sentence("war_chest.columns.units"),
        ),
        rows=tuple(rows),
    )


def _unit(stack: Stack) -> str:
    values = {"unit": name(stack.card), "hex": stack.at, "count": stack.height}
    return sentence("war_chest.tables.unit_at", **values)


_ZONES: Mapping[str, Callable[[Side], str]] = {
    "war_chest.zones.hand": lambda side: describe_coins(side.hand),
    "war_chest.zones.drawn": lambda side: describe_coins((side.drawn,) if side.drawn else ()),
    "war_chest.zones.bag": lambda side: describe_coins(side.bag),
    "war_chest.zones.face_up": lambda side: describe_coins(side.face_up),
    "war_chest.zones.face_down": lambda side: describe_coins(side.face_down),
    "war_chest.zones.supply": lambda side: describe_counts(side.supply),
    "war_chest.zones.removed": lambda side: describe_counts(side.removed),
}
"""The rows of a side in the table of coins: their slugs, and the text of their coins, "" for none."""


def _coins(view: View) -> ReportTable:
    """Return the zones of each side in rows. Hidden coins are only counted."""
    rows = [
        (str(seat), sentence(slug), text or sentence("war_chest.tables.none"))
        for seat in view.seats
        for slug, zone in _ZONES.items()
        if (text := zone(view.sides[seat])) or (slug == "war_chest.zones.hand" and seat != AUTOMATON)
    ]
    return ReportTable(
        title=sentence("war_chest.tables.coins"),
        columns=(
            sentence("war_chest.columns.side"),
            sentence("war_chest.columns.where"),
            sentence("war_chest.columns.what"),
        ),
        rows=tuple(rows),
        about="own",
    )


def _card_tables(view: View) -> list[ReportTable]:
    dealt = [(seat, _units_of(view, view.sides[seat].cards)) for seat in view.seats]
    return [_cards(sentence(f"war_chest.cards.{seat}"), cards) for seat, cards in dealt if cards]


def _units_of(view: View, cards: Sequence[Card]) -> list[UnitCard]:
    return [view.box.units[card] for card in cards]


def _cards(title: str, units: Sequence[UnitCard]) -> ReportTable:
    return ReportTable(
        title=title,
        columns=(
            sentence("war_chest.columns.unit"),
            sentence("war_chest.columns.coins"),
            sentence("war_chest.columns.ability"),
        ),
        rows=tuple((unit.name, str(unit.coins), _card(unit)) for unit in units),
    )


def _card(unit: UnitCard) -> str:
    tactic = sentence("war_chest.tables.tactic", tactic=unit.tactic) if unit.tactic else None
    return " ".join(filter(None, (tactic, unit.attribute, unit.restriction)))


# The headline of a report, and the side that leads.


def _markers_text(view: View) -> str:
    """Return how many control markers the sides have placed."""
    ranked = sorted(view.seats, key=lambda seat: -view.markers(seat))
    most, least = (view.markers(seat) for seat in ranked)
    sides = {"side": capital(side_name(ranked[0])), "other": side_name(ranked[1])}
    if most == least:
        return sentence("war_chest.headline.level", count=most, **sides)
    if ranked[0] == PLAYER:
        return sentence("war_chest.headline.you_lead", most=most, least=least)
    return sentence("war_chest.headline.leads", most=most, least=least, **sides)


def _ending(events: Sequence[AnyEvent]) -> list[str]:
    ended = [event for event in events if isinstance(event, Ended)]
    return [
        sentence("war_chest.headline.won", side=capital(side_name(event.winners[0])))
        if event.winners
        else sentence("war_chest.headline.drawn")
        for event in ended
    ]


def _takings(events: Sequence[AnyEvent]) -> list[str]:
    """Return the locations that each side took, those of the other side first."""
    taken: dict[tuple[Seat, Seat | None], dict[Hex, None]] = {}
    for event in events:
        if isinstance(event, Controlled):
            taken.setdefault((event.seat, event.was), {})[event.at] = None
    texts = []
    for (seat, was), hexes in sorted(taken.items(), key=lambda item: item[0][1] is None):
        slug = "war_chest.headline.took_from" if was else "war_chest.headline.took"
        loser = side_name(was) if was else ""
        texts.append(sentence(slug, side=capital(side_name(seat)), hex=join_list(hexes), loser=loser))
    return texts


def _news(event: AnyEvent) -> str:
    """Return a destroyed unit as a sentence; "" for other events."""
    if not isinstance(event, Attacked):
        return ""
    attacker, target = unit_of(event.seat, event.card), unit_of(event.victim, event.target)
    if event.left == 0 and event.source == "stack":
        return sentence("war_chest.headline.destroyed", attacker=capital(attacker), unit=target, hex=event.to)
    if event.riposte == 0:
        return sentence("war_chest.headline.riposte", target=capital(target), unit=attacker)
    return ""


def _action(event: AnyEvent) -> str:
    """Return an action of a side as a headline, for turns without important news; "" for other events."""
    match event:
        case Dealt() | Revealed() | Drew() | DrewCoins() | Spent() | Lost() | Controlled() | Paid():
            return ""
        case Idle() | Refused() | Round() | Ended():
            return ""
        case Moved():
            unit = capital(unit_of(event.seat, event.card))
            return sentence("war_chest.headline.moved", unit=unit, hex=event.to)
        case Attacked():
            unit = capital(unit_of(event.seat, event.card))
            target = unit_of(event.victim, event.target)
            return sentence("war_chest.headline.attacked", unit=unit, target=target)
    side = capital(side_name(event.seat))
    match event:
        case Deployed():
            return sentence("war_chest.headline.deployed", side=side, unit=name(event.card), hex=event.at)
        case Bolstered():
            return sentence("war_chest.headline.bolstered", side=side, unit=name(event.card))
        case Recruited():
            return sentence("war_chest.headline.recruited", side=side, unit=name(event.card))
        case Passed():
            return sentence("war_chest.headline.passed", side=side)
        case Picked():
            return sentence("war_chest.headline.picked", side=side, unit=name(event.card))
        case Claimed():
            return sentence("war_chest.headline.claimed", side=side)
        case _:
            assert_never(event)


# The board as text for readers without pictures.


_FREE_LOCATION_MARK = "*"
_BOARD_COLUMNS = range(-RADIUS, RADIUS + 1)


def text_board(view: View) -> ReportTable:
    """Return the board as a table, with one column for each column of hexes.

    The name of a hex is followed by ``*`` for a neutral location or by the first letter of the side that
    controls it. Then come the letters of its unit, and the number of the unit's coins if it has several.
    """
    heights = {(q, 2 * r + q): hex_name for hex_name, (q, r) in AXIAL.items()}
    slug = "war_chest.tables.board_solo" if view.is_solo else "war_chest.tables.board_duel"
    first, second = (_initial(seat) for seat in view.seats)
    rows = tuple(
        tuple(_cell(view, heights[q, height]) if (q, height) in heights else "" for q in _BOARD_COLUMNS)
        for height in range(-2 * RADIUS, 2 * RADIUS + 1)
    )
    return ReportTable(
        title=sentence(slug, free=_FREE_LOCATION_MARK, first=first, second=second),
        columns=("",) * len(_BOARD_COLUMNS),
        rows=rows,
        later=True,
        needed=tuple(row[0] for row in rows),
    )


def _cell(view: View, at: Hex) -> str:
    owner = view.control.get(at)
    mark = _FREE_LOCATION_MARK if owner is None and at in view.box.locations else _initial(owner or "")
    stack = view.stack_at(at)
    unit = "" if stack is None else f" {UNIT_LETTERS[stack.card]}{stack.height if stack.height > 1 else ''}"
    return f"{at}{mark}{unit}"


def _initial(seat: str) -> str:
    return seat[:1].upper()


def _royal_coin_note(view: View) -> str:
    effect = sentence(f"war_chest.introduction.royal_{royal_mode(view.options)}")
    return sentence("war_chest.introduction.royal_coin", effect=effect)
